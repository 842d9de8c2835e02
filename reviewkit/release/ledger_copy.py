"""Ledgers copied between the project folder and a database, both ways, and never rewritten.

Every log is checked as a chain before and after on both sides, and what is copied is its bytes. The
target must be a true beginning of the source; then only what is missing is added, so that a copy
may be repeated, and broken off at any moment. With ``switch`` nobody may write meanwhile: the
database is closed first, and towards it the locks of all files are held until
``rulings/store.yaml`` stands. Whoever still has the old place open is then refused in words.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, insert, select

from reviewkit.decisions import FIRST, Report, disk, utc_now
from reviewkit.decisions.disk import CannotRead, CannotWrite, cannot_write
from reviewkit.decisions.stores.file_store import FileStore
from reviewkit.decisions.stores.shared_logs import shared_logs
from reviewkit.decisions.stores.sql_store import SqlStore
from reviewkit.decisions.stores.store_file import load_store_file, store_file_text
from reviewkit.decisions.stores.store_row import (
    EMPTYING,
    FILLING,
    LEFT,
    StoreRow,
    change_closed,
    claim,
    store_row,
)
from reviewkit.decisions.stores.tables import LINES
from reviewkit.decisions.stores.whose import must_have_id
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.release.freeze.chains import report_on
from reviewkit.release.kept_copy import kept_from_database, kept_to_database
from reviewkit.workspace import Workspace


class CopyRefused(ReviewkitError):
    """The copy cannot be made as it was asked for; nothing was overwritten."""


@dataclass(frozen=True, slots=True)
class Copied:
    """One log, the same on both sides now."""

    name: str
    records: int
    added: int
    """How many of them this copy added."""
    tip: str
    """The digest of the last record: it covers the whole log."""


def copy_to_database(
    ws: Workspace, store: SqlStore, *, study: str | None = None, switch: bool = False
) -> tuple[Copied, ...]:
    """Copy the logs of the folder into a database and return them.

    Args:
        ws: the project folder.
        store: the database.
        study: only the logs of this study; a switch takes all.
        switch: write ``rulings/store.yaml`` once everything is the same on both sides. Where that
            file is there already, the database that a copy back has closed is opened again.

    Raises ProblemsFound for a log that is damaged or goes on otherwise over there, and for a small
    value that is newer there; CopyRefused, StoreUnusable, CannotWrite or CannotRead; what was
    copied by then stays, and stands in no one's way.
    """
    in_use, row = _looked_at(ws, store)
    if in_use and row.is_left:
        raise CopyRefused(
            f"{store.database.shown}: {row.closed}, and those files go on; end that here with"
            " `reviewkit ledger copy --from-database --switch`, or pull the project's newest state"
        )
    if not in_use:
        _must_have_all_logs(ws, store)
    if not switch:
        return _copied_to_database(ws, store, study, in_use=in_use, switch=False)
    if in_use and row.closed is None:
        # people work in it: only what it lacks is added, its id among that
        copied = _copied_to_database(ws, store, study, in_use=True, switch=False)
        _switch_to(ws, store)
        return copied
    closed = f"{FILLING} {utc_now()[:19]}"
    change_closed(store.database, row.closed, closed)
    try:
        copied = _copied_to_database(ws, store, study, in_use=in_use, switch=True)
    except BaseException:
        # once the folder names the database, it is opened by the same command, which ends the copy
        if in_use or not os.path.lexists(ws.store_file):
            with suppress(CannotWrite):
                change_closed(store.database, closed, row.closed)
        raise
    change_closed(store.database, closed, None)
    return copied


def _looked_at(ws: Workspace, store: SqlStore) -> tuple[bool, StoreRow]:
    """Return whether the folder uses the database, and what that says of itself.

    Raises CopyRefused when the folder uses another one, StoreUnusable when it is not its own.
    """
    found = load_store_file(ws)
    row = store_row(store.database)
    if found is None:
        return False, row
    if found.url != store.database.url:
        raise CopyRefused(
            f"{ws.shown(ws.store_file)} names another database; copy that one back first with"
            " `reviewkit ledger copy --from-database --switch`"
        )
    if row.project is not None:
        must_have_id(ws, found.project, row.project, store.database.shown)
    return True, row


def _must_have_all_logs(ws: Workspace, store: SqlStore) -> None:
    """Raise CopyRefused when the database has a log that the folder has not: it is another's."""
    lacks = [path for path in _logs(ws, store, None) if not path.exists()]
    if lacks:
        raise CopyRefused(
            f"{store.database.shown}: it holds {ws.shown(lacks[0])}, which this folder has not: it"
            " is another project's, or this folder is not the newest; name a database of its own,"
            " or copy back first with `reviewkit ledger copy --from-database`"
        )


def _copied_to_database(
    ws: Workspace, store: SqlStore, study: str | None, *, in_use: bool, switch: bool
) -> tuple[Copied, ...]:
    files = FileStore(ws)
    copied: dict[str, Copied] = {}
    with ExitStack() as held:
        while new := [path for path in _logs(ws, files, study) if ws.shown(path) not in copied]:
            _copy_new(ws, new, store, held if switch else None, copied, in_use=in_use)
            if study is None:
                kept_to_database(ws, store, in_use=in_use)
            if switch:
                # once this stands nobody can begin a file, and the next look finds the last ones
                _switch_to(ws, store)
        if switch:
            _switch_to(ws, store)
    return tuple(copied[name] for name in sorted(copied))


def _copy_new(
    ws: Workspace, paths: Iterable[Path], store: SqlStore, held: ExitStack | None,
    copied: dict[str, Copied], *, in_use: bool,
) -> None:  # fmt: skip
    """Copy these logs, each under its lock; with ``held`` all locks stay until that ends."""
    for path in paths:
        name = ws.shown(path)
        with ExitStack() as own:
            (held or own).enter_context(disk.exclusive(path, name))
            copied[name] = _to_database(ws, path, store, in_use=in_use)


def _switch_to(ws: Workspace, store: SqlStore) -> None:
    found = load_store_file(ws)
    project = claim(store.database, found.project if found else "")
    if found is not None:
        return
    try:
        text = store_file_text(store.database.url, project)
        disk.write_new(ws.store_file, text.encode("utf-8"))
    except OSError as error:
        raise cannot_write(ws.shown(ws.store_file), error) from error


def copy_from_database(
    ws: Workspace, store: SqlStore, *, study: str | None = None, switch: bool = False
) -> tuple[Copied, ...]:
    """Copy the logs of a database into the folder and return them.

    Args:
        ws: the project folder.
        store: the database.
        study: only the logs of this study; a switch takes all.
        switch: close the database first, and remove ``rulings/store.yaml`` once everything is the
            same on both sides.

    Raises as ``copy_to_database`` does. A database that was closed for a copy that failed is open
    again; one whose copy was killed stays closed, and the same command goes on.
    """
    _, row = _looked_at(ws, store)
    # what was copied back whole before has gone on in files somewhere, and is never opened again
    closed = row.closed if row.is_left else f"{EMPTYING} {utc_now()[:19]}"
    if switch and not row.is_left:
        change_closed(store.database, row.closed, closed)
    try:
        logs = _logs(ws, store, study)
        copied = tuple(_from_database(ws, path, store) for path in logs)
        if study is None:
            kept_from_database(ws, store)
    except BaseException:
        if switch and not row.is_left:
            with suppress(CannotWrite):
                change_closed(store.database, closed, None)
        raise
    if switch:
        if not row.is_left:
            change_closed(store.database, closed, f"{LEFT} {utc_now()[:16]}")
        try:
            ws.store_file.unlink(missing_ok=True)
            disk.sync_folder(ws.store_file.parent)
        except OSError as error:
            raise cannot_write(ws.shown(ws.store_file), error) from error
    return copied


def left_in_files(ws: Workspace, store: SqlStore) -> list[Problem]:
    """Return the logs of the folder that say what the database does not: nobody would see it."""
    found: list[Problem] = []
    for path in shared_logs(ws, FileStore(ws)):
        name = ws.shown(path)
        ours = _lines_of(path, name)
        with store.database.reading(name) as connection:
            theirs = _rows(connection, name)
        same = _same(ours, theirs)
        if same < len(ours):
            found.append(
                Problem(
                    f"{name}:{same + 1}",
                    "the file has a record here that the database has not",
                    "run `reviewkit ledger copy --to-database`, or move the file away",
                )
            )
    return found


def _logs(ws: Workspace, store: FileStore | SqlStore, study: str | None) -> tuple[Path, ...]:
    """Return every log that goes over; the personal links are one when all goes."""
    links = store.logs(ws.links.parent, ws.links.name) if study is None else ()
    return (*shared_logs(ws, store, study), *links)


def _to_database(ws: Workspace, path: Path, store: SqlStore, *, in_use: bool) -> Copied:
    name = ws.shown(path)
    before = _sound(_report(ws, path, _Files(ws)))
    if before.pending is not None and before.pending.whole:
        _append_raw(path, name, b"\n")
        before = _sound(_report(ws, path, _Files(ws)))
    ours = _lines_of(path, name)
    with store.database.writing(name, name) as connection:
        theirs = _rows(connection, name)
        same = _same(ours, theirs)
        _must_begin(name, same, theirs, ours, "the database", "the file", ahead_is_fine=in_use)
        new = ours[same:]
        if new:
            connection.execute(
                insert(LINES),
                [
                    {"name": name, "seq": same + number, "line": raw}
                    for number, raw in enumerate(new, start=1)
                ],
            )
    after = _sound(_report(ws, path, store))
    if not in_use:
        _must_be_equal(name, before, after)
    return Copied(name, after.records, len(new), after.tip)


def _from_database(ws: Workspace, path: Path, store: SqlStore) -> Copied:
    name = ws.shown(path)
    with disk.exclusive(path, name):
        with store.database.reading(name) as connection:
            ours = _rows(connection, name)
        _set_tail_aside(path)
        theirs = _lines_of(path, name)
        same = _same(ours, theirs)
        _must_begin(name, same, theirs, ours, "the file", "the database", ahead_is_fine=False)
        new = ours[same:]
        if new:
            _append(path, name, new)
        after = _sound(_report(ws, path, _Files(ws)))
        written = _lines_of(path, name)
    before = _sound(_report(ws, path, store))
    if before.records < after.records or written != ours:
        raise CopyRefused(f"{name}: it is not the same on both sides; copy it again")
    return Copied(name, after.records, len(new), after.tip)


def _report(ws: Workspace, path: Path, store: FileStore | SqlStore) -> Report:
    """Return what a log is found to be in a store; the links are no chain and have no report."""
    if path != ws.links:
        return report_on(ws, path, store=store)
    name = ws.shown(path)
    if isinstance(store, FileStore):
        lines = _lines_of(path, name)
    else:
        with store.database.reading(name) as connection:
            lines = _rows(connection, name)
    tip = hashlib.sha256(lines[-1]).hexdigest() if lines else FIRST
    return Report(name, len(lines), tip, (), None, (), ())


class _Files(FileStore):
    """The files of a folder, whatever ``rulings/store.yaml`` says."""

    def must_be_in_use(self, shown: str) -> None:
        """Find that the copy may look at them."""


def _sound(report: Report) -> Report:
    if not report.sound:
        raise ProblemsFound(report.problems)
    return report


def _must_be_equal(name: str, one: Report, other: Report) -> None:
    if (one.records, one.tip) != (other.records, other.tip):
        raise CopyRefused(f"{name}: it is not the same on both sides; copy it again")


def _same(ours: Sequence[bytes], theirs: Sequence[bytes]) -> int:
    """Return how many lines from the first on are the same."""
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            return number
    return min(len(ours), len(theirs))


def _must_begin(
    name: str, same: int, target: Sequence[bytes], source: Sequence[bytes], there: str, here: str,
    *, ahead_is_fine: bool,
) -> None:  # fmt: skip
    """Raise ProblemsFound unless the target is a beginning of the source."""
    if same == len(target) or (ahead_is_fine and same == len(source)):
        return
    if same == len(source):
        wrong = f"{there} has a record here and {here} has none"
        remedy = "copy the other way, or look which of the two people have written to"
    else:
        wrong = f"{there} and {here} have different records here"
        remedy = "nothing was overwritten: find out which one is right, and move the other away"
    raise ProblemsFound([Problem(f"{name}:{same + 1}", wrong, remedy)])


def _lines_of(path: Path, name: str) -> list[bytes]:
    """Return the whole lines of a file; none when it is not there."""
    try:
        descriptor = disk.open_regular(path, os.O_RDONLY)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CannotRead(name, error) from error
    try:
        raw = disk.read_span(descriptor, 0, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)
    return raw.split(b"\n")[:-1]


def _rows(connection: Connection, name: str) -> list[bytes]:
    query = select(LINES.c.line).where(LINES.c.name == name).order_by(LINES.c.seq)
    return [bytes(each) for each in connection.execute(query).scalars()]


def _append(path: Path, name: str, new: Iterable[bytes]) -> None:
    _append_raw(path, name, b"".join(raw + b"\n" for raw in new))


def _append_raw(path: Path, name: str, raw: bytes) -> None:
    try:
        descriptor = disk.open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        try:
            disk.sync_folder(path.parent)
            disk.append_whole(descriptor, raw)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise cannot_write(name, error) from error


def _set_tail_aside(path: Path) -> None:
    """Keep what a copy that was killed left of a line in a file beside it."""
    if not path.exists():
        return
    raw = path.read_bytes()
    whole = raw.rfind(b"\n") + 1
    if whole < len(raw):
        number = raw.count(b"\n") + 1
        disk.keep_aside(path, f"torn-{number}", raw[whole:])
        descriptor = disk.open_regular(path, os.O_RDWR)
        try:
            disk.cut_off(descriptor, whole)
        finally:
            os.close(descriptor)
