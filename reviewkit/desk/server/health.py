"""``/healthz``: whether people can work here, for a monitor or a proxy that asks every second.

No login, and nothing that tells who or what: the answer holds numbers and yes or no. It is 200 when
people can work and 503 when they cannot. The folder is looked at in a thread, once a second at
most: a network share that hangs makes the answer 503 and keeps no rater waiting.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeVar, cast

from tornado.web import RequestHandler

from reviewkit import __version__
from reviewkit.decisions.stores import Kept
from reviewkit.desk.server.lifetime import Lifetime, lifetime_of
from reviewkit.desk.server.links_seen import ask_beside
from reviewkit.problems import ReviewkitError
from reviewkit.workspace import Workspace

ROOM = 50_000_000
"""Bytes that must be free on the disk: a day of records and drafts of fifty people is a tenth."""
FILES = 100
"""So many files must still find a place (inodes)."""
CACHED_SECONDS = 1.0
PATIENCE_SECONDS = 2.0
T = TypeVar("T")
_NO_UNNAMED_FILES = {errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL}


@dataclass(frozen=True, slots=True)
class Folder:
    """What a look at the project folder found."""

    writable: bool
    room: bool
    database: bool | None = None
    """Whether the database answers; None where none is configured."""

    @property
    def usable(self) -> bool:
        """Whether an answer would be kept."""
        return self.writable and self.room and self.database is not False


def look(ws: Workspace, study: str) -> Folder:
    """Look whether records of this study can be kept; may take as long as the disk takes."""
    folders = [ws.rulings, *_folders_below(ws.study_folder(study)), ws.private]
    return Folder(
        writable=all(takes_a_file(folder) for folder in folders) and _ledgers_open(folders),
        room=all(has_room(folder) for folder in (ws.root, ws.rulings) if folder.exists()),
    )


def answers(kept: Kept) -> bool:
    """Return whether the database would keep a record; may take as long as its timeouts."""
    try:
        # nothing is taken away; but who may only read hears so here
        kept.remove("healthz")
    except ReviewkitError:
        return False
    return True


def _folders_below(study: Path) -> list[Path]:
    if not study.exists():
        return []
    inside = study.iterdir() if study.is_dir() else ()
    return [study, *(each for each in inside if each.is_dir())]


def takes_a_file(folder: Path) -> bool:
    """Return whether a file could be written there, without leaving one, not even for a moment."""
    if not folder.exists():
        return os.access(folder.parent, os.W_OK | os.X_OK) if folder.parent.is_dir() else False
    if not folder.is_dir():
        return False
    unnamed = getattr(os, "O_TMPFILE", None)
    if unnamed is None:
        return os.access(folder, os.W_OK | os.X_OK)
    try:
        descriptor = os.open(folder, unnamed | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except OSError as error:
        return error.errno in _NO_UNNAMED_FILES and os.access(folder, os.W_OK | os.X_OK)
    try:
        # a quota or a full disk shows at the first byte and not when the file is made
        return os.write(descriptor, b"\0" * 4096) == 4096
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _ledgers_open(folders: Iterable[Path]) -> bool:
    return all(
        os.access(ledger, os.R_OK | os.W_OK)
        for folder in folders
        if folder.is_dir()
        for ledger in folder.glob("*.jsonl")
    )


def has_room(folder: Path) -> bool:
    """Return whether the disk of a folder has room for bytes and for files."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    room = found.f_bavail * found.f_frsize >= ROOM
    # file systems that make inodes as they go say 0 of 0
    return room and (found.f_files == 0 or found.f_favail >= FILES)


class _Look(Generic[T]):
    """What was found lately; one look at a time, however many ask: what hangs takes one thread.

    Args:
        ask: looks, and may take as long as it takes.
        instead: what is said while that is longer than ``patience`` seconds.
    """

    def __init__(self, ask: Callable[[], T], instead: T, patience: float) -> None:
        self._ask, self._instead, self._patience = ask, instead, patience
        self._found = instead
        self._found_at = float("-inf")
        self._looking: asyncio.Future[T] | None = None

    async def now(self) -> T:
        """Return what there is, as of a second ago at most."""
        if monotonic() - self._found_at < CACHED_SECONDS:
            return self._found
        if self._looking is None:
            self._looking = ask_beside(self._ask)
            self._looking.add_done_callback(self._looked)
        try:
            return await asyncio.wait_for(asyncio.shield(self._looking), self._patience)
        except Exception:  # noqa: BLE001 - whatever the look died of, nobody can work
            return self._instead

    def _looked(self, looking: asyncio.Future[T]) -> None:
        self._looking = None
        if looking.cancelled() or looking.exception() is not None:
            return
        self._found, self._found_at = looking.result(), monotonic()


class Health:
    """The answer to ``/healthz``: folder and database, each looked up again after a second."""

    def __init__(
        self,
        look_now: Callable[[], Folder],
        kernels: Callable[[], tuple[int, int]],
        lifetime: Lifetime,
        *,
        database: Callable[[], bool] | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._folder = _Look(look_now, Folder(writable=False, room=False), patience)
        self._database = None if database is None else _Look(database, False, patience)
        self._kernels = kernels
        self._lifetime = lifetime

    async def now(self) -> tuple[int, dict[str, Any]]:
        """Return the status of HTTP and what is answered."""
        folder = await self._looked()
        kernels, connections = self._kernels()
        usable = "ok" if folder.usable else "unusable"
        status = "stopping" if self._lifetime.stopping else usable
        told: dict[str, Any] = {
            "status": status,
            "version": __version__,
            "uptime_seconds": self._lifetime.uptime,
            "kernels": kernels,
            "connections": connections,
            "ledgers_writable": folder.writable,
            "disk_has_room": folder.room,
        }
        if folder.database is not None:
            told["database_reachable"] = folder.database
        return (200 if status == "ok" else 503), told

    async def _looked(self) -> Folder:
        if self._database is None:
            return await self._folder.now()
        # a database that hangs says nothing about the disk
        folder, database = await asyncio.gather(self._folder.now(), self._database.now())
        return replace(folder, database=database)


class HealthPage(RequestHandler):
    """Answers ``/healthz`` to anybody."""

    async def get(self) -> None:
        """Say whether people can work here."""
        status, told = await cast("Health", self.settings["reviewkit_health"]).now()
        self.set_status(status)
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        if lifetime_of(self).stopping:
            self.set_header("Connection", "close")
        self.finish(told)

    async def head(self) -> None:
        """Say it by the status alone."""
        await self.get()
