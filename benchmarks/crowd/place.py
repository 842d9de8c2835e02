"""The folder that is rated in, and the server on it, which may be killed and started again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.crowd.ledgers import pass_of
from benchmarks.judging.responses import lay_folder, lay_study, lay_table
from benchmarks.judging.servers import MEGABYTE, SERVE, Served, _free_port, _listens, end
from reviewkit.study.links import LinkBook
from reviewkit.workspace import Workspace

STUDY = "crowd"
CODEBOOK = "rationale@1"
START_SECONDS = 60.0


def lay_place(root: Path, raters: list[str], cards: int, characters: int = 4_000) -> Workspace:
    """Lay a folder with a study in which each rater has a pass over the same responses."""
    ws = lay_folder(root)
    lay_table(ws, STUDY, cards, characters)
    lay_study(ws, STUDY, STUDY, CODEBOOK, raters)
    return ws


def card_ids(cards: int) -> tuple[str, ...]:
    """Return the names that ``lay_table`` gives to so many responses."""
    return tuple(f"R-{number:05}" for number in range(cards))


def links_for(ws: Workspace, raters: list[str]) -> dict[str, str]:
    """Make a personal link for everybody; return the secrets."""
    book = LinkBook(ws.links)
    return {rater: book.make(STUDY, pass_of(rater), rater) for rater in raters}


@dataclass
class Costs:
    """What the processes of one server cost."""

    total_mb: float
    """Proportional memory (PSS) of the server and everything it started."""
    processes: int


@dataclass
class Place:
    """A real ``reviewkit serve`` on a folder, always on the same port."""

    ws: Workspace
    more: tuple[str, ...] = ()
    """Further options of ``reviewkit serve``."""
    port: int = field(default_factory=_free_port)
    process: psutil.Popen | None = None
    starts: int = 0
    _used: dict[tuple[int, float], float] = field(default_factory=dict)

    @property
    def log_path(self) -> Path:
        """Where all servers of this place print to."""
        return self.ws.root / "server.log"

    def start(self) -> None:
        """Start the server and wait until it listens; RuntimeError when it does not come up."""
        self.starts += 1
        command = [
            sys.executable, "-c", SERVE, "serve", STUDY, "--port", str(self.port), *self.more,
        ]  # fmt: skip
        with self.log_path.open("ab") as log:
            self.process = psutil.Popen(
                command, cwd=self.ws.root, stdout=log, stderr=subprocess.STDOUT, env={**os.environ}
            )
        latest = time.monotonic() + START_SECONDS
        while not _listens(self.port):
            if self.process.poll() is not None or time.monotonic() > latest:
                raise RuntimeError(self.log_path.read_text("utf-8", "replace")[-2_000:])
            time.sleep(0.1)

    def kill(self) -> None:
        """End the server as a power cut would."""
        if self.process is not None and self.process.poll() is None:
            self.look()
            self.process.kill()
            self.process.wait(10)

    def stop(self) -> None:
        """End the server in peace, and whatever it leaves behind."""
        if self.process is None or self.process.poll() is not None:
            return
        end(self.process, list(self._started()))

    def kernels(self) -> list[psutil.Process]:
        """Return the kernels that run, the oldest first."""
        found = [each for each in self._started() if Served.is_kernel(each)]
        return sorted(found, key=lambda each: each.pid)

    def look(self) -> None:
        """Note what every process has used of the processor so far."""
        for each in self._all():
            with suppress(psutil.Error):
                times = each.cpu_times()
                self._used[each.pid, each.create_time()] = times.user + times.system

    def processor_seconds(self) -> float:
        """Return what all processes of this place have used, as far as was looked."""
        self.look()
        return sum(self._used.values())

    def costs(self) -> Costs:
        """Return what the server and all its kernels hold of the memory now."""
        total, processes = 0, 0
        for each in self._all():
            with suppress(psutil.Error, OSError):
                total += each.memory_full_info().pss
                processes += 1
        return Costs(total / MEGABYTE, processes)

    def _started(self) -> Iterator[psutil.Process]:
        if self.process is not None and self.process.is_running():
            with suppress(psutil.NoSuchProcess):
                yield from psutil.Process(self.process.pid).children(recursive=True)

    def _all(self) -> Iterator[psutil.Process]:
        if self.process is not None and self.process.is_running():
            yield psutil.Process(self.process.pid)
        yield from self._started()
