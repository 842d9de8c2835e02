"""``reviewkit verify``: whether the files are what was written."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from reviewkit.cli.printing import print_json, problem_as_json, short_time
from reviewkit.cli.publish import verify_draws
from reviewkit.cli.study import AsJson
from reviewkit.decisions import store_of
from reviewkit.decisions.stores.file_store import FileStore
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import load_forms
from reviewkit.release.freeze import verify_freeze
from reviewkit.release.freeze.chains import ledger_reports
from reviewkit.study import list_studies, load_study
from reviewkit.study.drawing import verify_sample
from reviewkit.workspace import Workspace, find_workspace


class What(StrEnum):
    """What can be verified from the files alone."""

    LEDGER = "ledger"
    SAMPLE = "sample"
    FREEZE = "freeze"
    LAYERS = "layers"


def verify(
    what: Annotated[
        What,
        typer.Argument(
            help="ledger: every chain of the folder. sample: every sample, drawn anew."
            " freeze: everything that was frozen. layers: what is sealed, drawn anew."
        ),
    ] = What.LEDGER,
    name: Annotated[
        str | None, typer.Argument(help="Of a freeze: which one; the last by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that the files are what was written, frozen, or that samples can be drawn again."""
    ws = find_workspace()
    if what is What.FREEZE:
        _verify_freeze(ws, name, as_json)
        return
    if what is What.LAYERS and name is None:
        verify_draws(ws, as_json=as_json)
        return
    if name is not None:
        wrong = f"{what} takes no name"
        raise ProblemsFound([Problem(name, wrong, f"run `reviewkit verify {what}`")])
    (_verify_samples if what is What.SAMPLE else _verify_ledgers)(ws, as_json)


def _verify_ledgers(ws: Workspace, as_json: bool) -> None:
    reports = ledger_reports(ws, load_forms(ws.checklists).by_digest)
    left = _left_in_files(ws)
    if as_json:
        print_json(
            [
                {
                    "file": report.file,
                    "records": report.records,
                    "tip": report.tip,
                    "locks": [
                        {"digest": each.digest, "time": each.time, "in_force": each.in_force}
                        for each in report.locks
                    ],
                    "pending": str(report.pending) if report.pending else None,
                    "set_aside": list(report.set_aside),
                    "problems": [problem_as_json(each) for each in report.problems],
                }
                for report in reports
            ]
        )
        raise typer.Exit(0 if all(report.sound for report in reports) and not left else 1)
    for report in reports:
        if not report.sound:
            continue
        state = ", locked" if report.locked else ""
        count = "1 record" if report.records == 1 else f"{report.records} records"
        typer.echo(f"{report.file}: {count} sound{state}, tip {report.tip[:12]}")
        for lock_found in report.locks:
            word = "lock" if lock_found.in_force else "lifted lock"
            typer.echo(f"  {word} {short_time(lock_found.time)}: {lock_found.digest}")
        if report.pending:
            typer.echo(f"  {report.pending}")
        for name in report.set_aside:
            typer.echo(f"  a torn tail is kept in {name}")
    problems = [*(problem for report in reports for problem in report.problems), *left]
    if problems:
        raise ProblemsFound(problems)
    if not reports:
        typer.echo("no ledger yet")


def _left_in_files(ws: Workspace) -> list[Problem]:
    """Return what stands in files although the folder has a database, which has it not."""
    store = store_of(ws)
    if isinstance(store, FileStore):
        return []
    # SQLAlchemy is loaded by those who have a database
    from reviewkit.release.ledger_copy import left_in_files  # noqa: PLC0415

    return left_in_files(ws, store)


def _verify_samples(ws: Workspace, as_json: bool) -> None:
    found = {
        name: verify_sample(ws, study)
        for name in list_studies(ws)
        if (study := load_study(ws, name)).sample is not None
    }
    if as_json:
        print_json(
            [
                {"study": name, "same": each.same, "said": list(each.said)}
                for name, each in found.items()
            ]
        )
    for name, each in found.items() if not as_json else ():
        for sentence in each.said:
            typer.echo(f"{name}: {sentence}")
    if not found and not as_json:
        typer.echo("no study has a sample")
    raise typer.Exit(0 if all(each.same for each in found.values()) else 1)


def _verify_freeze(ws: Workspace, name: str | None, as_json: bool) -> None:
    found = verify_freeze(ws, name)
    if as_json:
        print_json(found.as_json())
        raise typer.Exit(0 if found.sound else 1)
    for sentence in found.said:
        typer.echo(sentence)
    if found.problems:
        raise ProblemsFound(found.problems)
    typer.echo("sound: what was frozen is what is here")
