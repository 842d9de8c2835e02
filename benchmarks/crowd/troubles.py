"""What goes wrong while people work; the seed chooses when and whom it hits."""

from __future__ import annotations

import asyncio
import random
import resource
import subprocess
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import psutil

from benchmarks.crowd.meaning import Diary
from benchmarks.crowd.place import STUDY, Place
from benchmarks.crowd.slow_line import Proxy

SMALL_DISK_MB = 24
LOOK_EVERY = 0.2
BACK_WITHIN = 30.0
MOST = 0.6


class Disk:
    """The disk that ledgers lie on, which can be filled for a while.

    As root it is a small file system of its own (tmpfs), filled to the last byte. Otherwise every
    kernel is told that no file may grow: the same refusals, by RLIMIT_FSIZE.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mounted = False
        self._filler = folder / ".filler"

    def mount(self) -> None:
        """Put a small file system in place, what lies in the folder copied to it."""
        held = {each.name: each.read_bytes() for each in self.folder.iterdir() if each.is_file()}
        options = ["-t", "tmpfs", "-o", f"size={SMALL_DISK_MB}m,mode=0755", "tmpfs"]
        with suppress(FileNotFoundError):
            done = subprocess.run(
                ["mount", *options, str(self.folder)], capture_output=True, check=False
            )
            self.mounted = done.returncode == 0
        if self.mounted:
            for name, raw in held.items():
                (self.folder / name).write_bytes(raw)

    def take_back(self) -> None:
        """Unmount it; what lies there is copied to the folder beneath first."""
        if not self.mounted:
            return
        self.free([])
        held = {
            each.relative_to(self.folder): each.read_bytes()
            for each in self.folder.rglob("*") if each.is_file()
        }  # fmt: skip
        subprocess.run(["umount", "-l", str(self.folder)], check=True)
        self.mounted = False
        for name, raw in held.items():
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(raw)

    def fill(self, kernels: list[psutil.Process]) -> str:
        """Leave no room; return in which way."""
        if not self.mounted:
            self._limit(kernels, 1)
            return "no file may grow (RLIMIT_FSIZE)"
        with self._filler.open("ab", buffering=0) as file:
            for piece in (65_536, 512, 1):
                with suppress(OSError):
                    while file.write(b"x" * piece):
                        pass
        return f"tmpfs of {SMALL_DISK_MB} MB is full"

    def free(self, kernels: list[psutil.Process]) -> None:
        """Give the room back."""
        if self.mounted:
            self._filler.unlink(missing_ok=True)
        else:
            self._limit(kernels, resource.RLIM_INFINITY)

    @staticmethod
    def _limit(kernels: list[psutil.Process], size: int) -> None:
        for each in kernels:
            with suppress(psutil.Error, OSError):
                resource.prlimit(each.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@dataclass
class Troubles:
    """All that goes wrong in one run, and what it was.

    Args:
        place: the server that suffers.
        proxies: the ways to it, whose connections are cut.
        diaries: what people are told, to see that nothing is acknowledged on a full disk.
        cards: how many cards all people have together.
        seed: chooses whom it hits.
        disk: the disk that can be filled.
    """

    place: Place
    proxies: list[Proxy]
    diaries: list[Diary]
    cards: int
    seed: int
    disk: Disk | None = None
    happened: list[str] = field(default_factory=list)
    kernels_killed: int = 0
    restarts: int = 0
    refused_on_full_disk: int = 0
    untrue: list[str] = field(default_factory=list)
    """Acknowledgements on the full disk of what was not there."""

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.seed} troubles")
        self._began = monotonic()

    def _note(self, what: str) -> None:
        self.happened.append(f"{monotonic() - self._began:5.0f} s  {what}")

    async def kill_kernel(self) -> None:
        """End somebody's kernel with a signal that it cannot hear."""
        kernels = await self._people_are_back()
        if not kernels:
            return
        number = self.chance.randrange(len(kernels))
        with suppress(psutil.Error):
            kernels[number].kill()
            self.kernels_killed += 1
            self._note(f"kernel {number + 1} of {len(kernels)} killed")

    async def cut(self, share: float = 0.3) -> None:
        """Cut some of all connections."""
        cut = sum(proxy.cut_some(self.chance, share) for proxy in self.proxies)
        self._note(f"{cut} connections cut")

    async def restart_server(self, down: float = 2.0) -> None:
        """Kill the server and start it again on the same port and folder."""
        await asyncio.to_thread(self.place.kill)
        self._note("server killed")
        await asyncio.sleep(down)
        await asyncio.to_thread(self.place.start)
        self.restarts += 1
        self._note("server is back")

    async def full_disk(self, seconds: float = 12.0) -> None:
        """Fill the disk for a while and count what people are told meanwhile."""
        if self.disk is None:
            return
        kernels = await self._people_are_back()
        how = await asyncio.to_thread(self.disk.fill, kernels)
        self._note(f"disk full: {how}")
        began, refused = monotonic(), self._refusals()
        await asyncio.sleep(seconds)
        told = [
            (each.rater, press.click_id)
            for each in self.diaries for press in each.acknowledged if press.since > began
        ]  # fmt: skip
        self.untrue += [f"{who}: told of click {click}" for who, click in self._not_there(told)]
        self.refused_on_full_disk = self._refusals() - refused
        self.disk.free(await asyncio.to_thread(self.place.kernels))
        self._note(
            f"room again; meanwhile {self.refused_on_full_disk} refusals, {len(told)} saves that "
            "still found room"
        )

    def _refusals(self) -> int:
        return sum(len(each.refused) for each in self.diaries)

    def _not_there(self, told: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the acknowledged clicks that no ledger holds at this moment."""
        folder = self.place.ws.root / "rulings" / STUDY
        held = {each.stem: each.read_bytes() for each in folder.rglob("*.jsonl")}
        return [(who, click) for who, click in told if click.encode() not in held.get(who, b"")]

    async def happen(self, plan: list[tuple[float, Callable[[], Awaitable[None]]]]) -> None:
        """Let each thing happen when so great a share of all cards is recorded.

        By what is done and not by the clock: a slow machine has the same troubles as a fast one.
        """
        self._began = monotonic()
        for due, act in sorted(plan, key=lambda each: each[0]):
            while self._recorded() < due * self.cards:
                await asyncio.sleep(LOOK_EVERY)
            await act()

    def _recorded(self) -> int:
        return sum(len(each.acknowledged) for each in self.diaries)

    async def _people_are_back(self) -> list[psutil.Process]:
        """Wait until most of those who have not finished have a kernel; return all kernels."""
        end = monotonic() + BACK_WITHIN
        while True:
            kernels = await asyncio.to_thread(self.place.kernels)
            working = sum(not each.done for each in self.diaries)
            if len(kernels) >= MOST * working or monotonic() > end:
                return kernels
            await asyncio.sleep(LOOK_EVERY)
