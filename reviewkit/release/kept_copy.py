"""The small values that are replaced whole, copied between the project folder and a database.

Drafts, pins of rounds, texts of verdicts and the cookie secret. Where the two sides differ the
newer value stays; a copy that would put an older one over it is refused before anything is written.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import delete, insert, select

from reviewkit.decisions.stores.file_kept import FileKept
from reviewkit.decisions.stores.sql_store import SqlStore
from reviewkit.decisions.stores.tables import KEPT
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.workspace import Workspace

SAME_MOMENT = 0.001
"""Seconds: a file system may round the time that a value takes along."""


def kept_to_database(ws: Workspace, store: SqlStore, *, in_use: bool) -> None:
    """Copy the values of the folder; what a database that is in use has already, it keeps.

    Raises ProblemsFound for each value that differs and was changed later in the database.
    """
    ours = _in_files(ws)
    theirs = _in_database(store)
    if in_use:
        ours = {name: each for name, each in ours.items() if name not in theirs}
    _must_not_be_newer(
        ours, theirs, "the database",
        "nothing was overwritten: take it with `reviewkit ledger copy --from-database`, or, when"
        " the file is right, save it anew",
    )  # fmt: skip
    for name, (value, changed) in ours.items():
        if name in theirs and theirs[name][0] == value:
            continue
        with store.database.writing(name, name) as connection:
            connection.execute(delete(KEPT).where(KEPT.c.name == name))
            connection.execute(insert(KEPT).values(name=name, value=value, changed=changed))


def kept_from_database(ws: Workspace, store: SqlStore) -> None:
    """Copy the values of the database, each with its time, so that later copies can compare.

    Raises ProblemsFound for each value that differs and was changed later in the folder.
    """
    files = FileKept(ws.root)
    theirs = _in_files(ws)
    ours = {
        name: each
        for name, each in _in_database(store).items()
        if not name.endswith(".writer.json") and _is_inside(ws, ws.root / name)
    }
    _must_not_be_newer(
        ours, theirs, "the file",
        "nothing was overwritten: move the file away when the database is right",
    )  # fmt: skip
    for name, (value, changed) in ours.items():
        path = ws.root / name
        if name in theirs and theirs[name][0] == value:
            continue
        if path == ws.secret:
            files.remove(name)
            files.first(name, value, secret=True)
        else:
            files.write(name, value)
        os.utime(path, (changed, changed))


def _in_files(ws: Workspace) -> dict[str, tuple[bytes, float]]:
    """Return the values that go over, with times; a writer's mark is of a process here."""
    found = [ws.secret, *ws.contents.glob("*.json")]
    for folder in ws.rulings.glob("*"):
        found += [*folder.glob("*/*.draft.json"), *folder.glob("round-*.pins.json")]
    files = FileKept(ws.root)
    values: dict[str, tuple[bytes, float]] = {}
    for path in found:
        if path.is_file() and not path.is_symlink():
            value = files.read(ws.shown(path))
            if value is not None:
                values[ws.shown(path)] = (value, path.stat().st_mtime)
    return values


def _in_database(store: SqlStore) -> dict[str, tuple[bytes, float]]:
    with store.database.reading(store.database.shown) as connection:
        rows = connection.execute(select(KEPT.c.name, KEPT.c.value, KEPT.c.changed)).all()
    return {name: (bytes(value), float(changed)) for name, value, changed in rows}


def _must_not_be_newer(
    source: dict[str, tuple[bytes, float]], target: dict[str, tuple[bytes, float]], there: str,
    remedy: str,
) -> None:  # fmt: skip
    problems = [
        Problem(
            name,
            f"{there} has another value, changed later ({_moment(target[name][1])} against"
            f" {_moment(changed)})",
            remedy,
        )
        for name, (value, changed) in sorted(source.items())
        if name in target and target[name][0] != value and target[name][1] > changed + SAME_MOMENT
    ]
    if problems:
        raise ProblemsFound(problems)


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"


def _is_inside(ws: Workspace, path: Path) -> bool:
    """Return whether a name from a database stays below what people write."""
    return ".." not in path.parts and (ws.rulings in path.parents or ws.private in path.parents)
