"""What a backup holds, each file as it was at one moment.

A chained file only grows, so its bytes up to the last newline are a sound file whatever is appended
meanwhile: no lock is taken and nobody waits. Every other file is replaced whole by its writer, or
is read again when it changed while it was read. Links and pipes are told and never followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reviewkit.decisions.stores import store_of
from reviewkit.problems import ReviewkitError
from reviewkit.workspace import Workspace

PASSING = (".lock", ".part", ".pyc", ".writer.json", "~")
"""Endings of what comes and goes beside the files that count."""
TRIES = 5
_PATTERNS = ("*.jsonl", "*/*.jsonl", "*/*/*.jsonl")


class BackupFault(ReviewkitError):
    """The folder cannot be backed up as it is; no archive was made."""


@dataclass(frozen=True, slots=True)
class Found:
    """What there is to back up, by the names in the archive."""

    files: tuple[str, ...]
    passed_over: tuple[str, ...]
    """Links, pipes and the like, which a backup does not follow."""
    from_database: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Name -> what the database holds under it, written as the file it would be."""


def find_contents(ws: Workspace, *, with_secrets: bool) -> Found:
    """Return every file that matters, ledgers before the card books that they refer to."""
    files: list[str] = []
    passed: list[str] = []
    tops = [ws.bank, ws.checklists, ws.rulings, ws.notebooks, ws.root / "voila_apps", ws.contents]
    for top in tops:
        for path in _below(top):
            name = ws.shown(path)
            (files if _is_regular(path) else passed).append(name)
    if with_secrets:
        files += [ws.shown(path) for path in secret_files(ws) if _is_regular(path)]
    database = _in_database(ws, with_secrets=with_secrets)
    plain = [name for name in files if name not in database]
    plain.sort(key=lambda name: (name.endswith("/cards.jsonl"), os.fsencode(name)))
    return Found(tuple(plain), tuple(sorted(passed)), database)


def secret_files(ws: Workspace) -> tuple[Path, ...]:
    """Return what opens the desk, or tells who a pseudonym is."""
    return (ws.links, ws.secret, ws.pseudonym_key)


def read_at_once(ws: Workspace, name: str) -> bytes:
    """Return the bytes of a file as they were at one moment; BackupFault when that cannot be."""
    path = ws.root / name
    try:
        for _ in range(TRIES):
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                before = os.fstat(descriptor)
                if not stat.S_ISREG(before.st_mode):
                    raise BackupFault(f"{name}: no regular file any more; move it away, try again")
                raw = file.read(before.st_size)
                after = os.fstat(descriptor)
            if name.endswith(".jsonl") and name.startswith(("rulings/", ".reviewkit/")):
                return raw[: raw.rfind(b"\n") + 1]
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
                return raw
    except OSError as error:
        raise BackupFault(
            f"{name}: cannot be read ({(error.strerror or str(error)).lower()}); "
            "let this account read it, then make the backup again"
        ) from error
    raise BackupFault(f"{name}: changed {TRIES} times while it was read; try again in a moment")


def _below(top: Path) -> Iterator[Path]:
    if top.is_symlink():
        raise BackupFault(
            f"{top}: a link, and a backup follows none, so all of it would be missing; put the "
            "folder itself there (a bind mount does) and make the backup again"
        )
    for folder, inner, names in os.walk(top):
        at = Path(folder)
        yield from (at / name for name in sorted(inner) if (at / name).is_symlink())
        inner[:] = sorted(
            name
            for name in inner
            if not (at / name).is_symlink() and name not in ("__pycache__", ".ipynb_checkpoints")
        )
        yield from (at / name for name in sorted(names) if not name.endswith(PASSING))


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


class _Raw:
    """Takes lines as they are written."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    @property
    def count(self) -> int:
        return len(self.lines)

    def forget(self) -> None:
        self.lines.clear()

    def read(self, raw: bytes) -> None:
        self.lines.append(raw)

    def could_read(self, raw: bytes) -> bool:
        return bool(raw)

    def must_hold(self) -> None:
        """Any number of lines will do: they are verified in the archive."""


def _in_database(ws: Workspace, *, with_secrets: bool) -> dict[str, bytes]:
    store = store_of(ws)
    if not store.is_shared:
        return {}
    from reviewkit.archives.kept_values import kept_values  # noqa: PLC0415 - loads SQLAlchemy

    secret = {ws.shown(path) for path in secret_files(ws)}
    found = {
        name: value for name, value in kept_values(store) if name not in secret or with_secrets
    }
    paths = [path for pattern in _PATTERNS for path in store.logs(ws.rulings, pattern)]
    paths.sort(key=lambda path: path.name == "cards.jsonl")
    for path in [*paths, *([ws.links] if with_secrets else [])]:
        raw = _Raw()
        store.lines(path).catch_up(raw)
        if raw.lines:
            found[ws.shown(path)] = b"".join(line + b"\n" for line in raw.lines)
    return {name: each for name, each in found.items() if not name.endswith(PASSING)}
