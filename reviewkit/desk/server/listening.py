"""What listens at this moment: a small file per running server in ``.reviewkit/servers/``.

``reviewkit link`` reads there which address a link has to begin with, ``reviewkit doctor`` who
holds a port. A file is removed when its server ends; one whose process is gone is stale and counts
for nothing, so a server that was killed misleads nobody.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

from reviewkit.workspace import Workspace, make_folder


@dataclass(frozen=True, slots=True)
class Listening:
    """One server: where it listens, for which study, and the process it is."""

    pid: int
    began: float
    """When the process began, seconds since the epoch: a pid alone is given out again."""
    study: str
    host: str
    port: int
    base_url: str
    links_start: str
    """What personal links begin with: scheme, host, port and sub-path, no slash at the end."""
    since: str
    """UTC, to the second."""

    @property
    def runs(self) -> bool:
        """Whether the process that wrote this is still there."""
        return _began(self.pid) == self.began


def _began(pid: int) -> float | None:
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.Error:
        return None


@contextmanager
def listed(
    ws: Workspace, study: str, host: str, port: int, base_url: str, links_start: str
) -> Generator[Listening]:
    """Keep a file for this process while the block runs, and clear away those that are stale."""
    mine = Listening(
        pid=os.getpid(),
        began=_began(os.getpid()) or 0.0,
        study=study,
        host=host,
        port=port,
        base_url=base_url,
        links_start=links_start,
        since=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    folder = ws.servers
    make_folder(folder)
    for path, entry in _entries(ws):
        if entry is None or not entry.runs:
            path.unlink(missing_ok=True)
    path = folder / f"{mine.pid}-{port}.json"
    part = folder / f".{secrets.token_hex(4)}"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(mine), file)
    part.replace(path)
    try:
        yield mine
    finally:
        with suppress(OSError):
            path.unlink()


def running_servers(ws: Workspace, study: str | None = None) -> tuple[Listening, ...]:
    """Return the servers of the folder that run now, the one that started last first."""
    found = [entry for _path, entry in _entries(ws) if entry is not None and entry.runs]
    chosen = [entry for entry in found if study in (None, entry.study)]
    return tuple(sorted(chosen, key=lambda entry: entry.began, reverse=True))


def stale_entries(ws: Workspace) -> tuple[Path, ...]:
    """Return the files of servers that are gone, as a killed server leaves them."""
    return tuple(path for path, entry in _entries(ws) if entry is None or not entry.runs)


def _entries(ws: Workspace) -> list[tuple[Path, Listening | None]]:
    try:
        paths = sorted(ws.servers.glob("[0-9]*.json"))
    except OSError:
        return []
    return [(path, _read(path)) for path in paths]


def _read(path: Path) -> Listening | None:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return Listening(
            pid=int(fields["pid"]),
            began=float(fields["began"]),
            port=int(fields["port"]),
            **{
                name: str(fields[name])
                for name in ("study", "host", "base_url", "links_start", "since")
            },
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
