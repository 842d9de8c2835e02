"""All checks in the order in which people would look: the Python, the machine, the folder."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from reviewkit.desk.doctor import disk_trials, folder, installation, machine, serving
from reviewkit.desk.doctor.finding import Finding, fault, warning
from reviewkit.desk.server.transport import transport
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.study import Study, list_studies, load_study
from reviewkit.workspace import Workspace

USUAL_RATERS = 10
"""Asked for where no study says how many people it has."""


def examine(
    ws: Workspace | None,
    study: str | None = None,
    *,
    port: int = 8866,
    raters: int | None = None,
    why_no_folder: str = "",
) -> list[Finding]:
    """Look at everything and return a finding or more for each check.

    Args:
        ws: the project folder; without one only the machine is looked at.
        study: the one study to look at; by default all of the folder.
        port: where the server is to listen.
        raters: how many work at once; by default the people of the largest study.
        why_no_folder: what to say when there is no project folder.

    Raises UnknownStudy. Writes two small files beside the ledgers and removes them.
    """
    studies, faults = _studies(ws, study) if ws is not None else ({}, [])
    if raters is None:
        people = [len({name for _pass, name in each.people}) for each in studies.values() if each]
        raters = max(people, default=USUAL_RATERS)
    found = [*_of_this_python(ws), *_of_this_machine(raters)]
    found += _guarded("port", lambda: [serving.check_port(serving.look_port(ws, port))])
    if ws is None:
        found.append(fault("project folder", *_split(why_no_folder)))
        return found
    return [*found, *faults, *_of_the_folder(ws, studies), *_of_the_records(ws, studies)]


def _studies(ws: Workspace, named: str | None) -> tuple[dict[str, Study | None], list[Finding]]:
    """Return the studies, None for one whose file has faults, and what is to be said of these."""
    found: dict[str, Study | None] = {}
    faults: list[Finding] = []
    for name in [named] if named is not None else list_studies(ws):
        try:
            found[name] = load_study(ws, name)
        except ProblemsFound as problems:
            found[name] = None
            first = problems.problems[0]
            more = len(problems.problems) - 1
            also = f" and {more} more; `reviewkit check` lists them" if more else ""
            faults.append(fault("study", f"{first.where}: {first.wrong}", first.remedy + also))
    if not found:
        faults.append(warning("study", "the folder has no study", "write rulings/NAME/study.yaml"))
    return found, faults


def _split(sentence: str) -> tuple[str, str]:
    """Return what is wrong and what to do, of a sentence that says both."""
    wrong, _, remedy = sentence.partition("; ")
    return wrong, remedy


def _guarded(check: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what a check says; one that cannot look says that, and the others go on."""
    try:
        return list(look())
    except (OSError, ReviewkitError, ImportError) as error:
        name = error.name if isinstance(error, ImportError) else ""
        why = f"{name} is not installed" if name else str(error)
        return [fault(check, f"could not be looked at: {why}", "mend that and ask again")]


def _of_this_python(ws: Workspace | None) -> Iterator[Finding]:
    database = ws is not None and ws.store_file.exists()
    here = installation.look_installation(database=database)
    yield installation.check_python(here.python, platform.python_version(), sys.platform)
    yield from installation.check_packages(here)
    yield installation.check_compiled(installation.look_compiled())


def _of_this_machine(raters: int) -> Iterator[Finding]:
    why_not = serving.look_forking()
    yield serving.check_kernels(why_not)
    yield machine.check_memory(machine.look_memory(), raters, forked=not why_not)
    yield from machine.check_limits(machine.look_limits(), raters)
    yield from _guarded("temporary folder", lambda: [_temporary()])
    yield from _guarded("fonts", lambda: [machine.check_fonts(machine.look_fonts())])


def _temporary() -> Finding:
    return machine.check_temporary(machine.look_temporary(sockets=transport() == "ipc"))


def _of_the_folder(ws: Workspace, studies: dict[str, Study | None]) -> Iterator[Finding]:
    yield from _guarded(
        "folder rights", lambda: folder.check_rights(folder.look_rights(ws, studies))
    )
    yield from _guarded("private folder", lambda: folder.check_private(folder.look_private(ws)))
    place = ws.rulings if ws.rulings.is_dir() else ws.root
    yield from _guarded("disk", lambda: [folder.check_room(folder.look_room(place))])
    yield from _guarded(
        "file system", lambda: disk_trials.check_file_system(disk_trials.look_file_system(place))
    )
    yield from _guarded(
        "file locking", lambda: [disk_trials.check_locking(disk_trials.look_locking(place))]
    )
    yield from _guarded(
        "fsync", lambda: [disk_trials.check_syncing(disk_trials.look_syncing(place))]
    )


def _of_the_records(ws: Workspace, studies: dict[str, Study | None]) -> Iterator[Finding]:
    last, where = folder.look_last_record(ws, studies) or (None, "")
    yield machine.check_clock(datetime.now(UTC), last, where)
    in_database = ws.store_file.exists()
    ledgers = () if in_database else _ledgers(ws, studies)
    yield from _guarded("git", lambda: folder.check_git(folder.look_git(ws, ledgers)))
    yield from _guarded("servers", lambda: serving.check_servers(serving.look_servers(ws)))
    database = serving.look_database(ws)
    if database is not None:
        yield from serving.check_database(database)


def _ledgers(ws: Workspace, studies: dict[str, Study | None]) -> list[Path]:
    """Return the ledgers that the studies will have, and those that are there."""
    wanted = [
        ws.ledger(name, pass_name, person)
        for name, study in studies.items()
        if study is not None
        for pass_name, person in study.people
    ]
    there = [path for name in studies for path in sorted(ws.study_folder(name).rglob("*.jsonl"))]
    return [*wanted, *there]
