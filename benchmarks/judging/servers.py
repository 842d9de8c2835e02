"""The servers under measurement: ours on a copy of the demo bank, and a stock Voila per peer."""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from reviewkit.study.links import LinkBook

REPOSITORY = Path(__file__).parents[2]
STUDY = "bench"
RATERS = 20
MEGABYTE = 1_000_000
SERVE = "from reviewkit.cli.app import main; main()"


def until(look: Callable[[], object], seconds: float) -> bool:
    """Wait until ``look`` is true; return whether it was in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if look():
            return True
        time.sleep(0.1)
    return bool(look())


def end(process: psutil.Popen, left: list[psutil.Process]) -> None:
    """End a server in peace, by force after a while, and then what it leaves behind."""
    process.terminate()
    try:
        process.wait(20)
    except psutil.TimeoutExpired:
        process.kill()
        process.wait(5)
    for each in left:
        with suppress(psutil.NoSuchProcess):
            each.kill()


@dataclass
class Served:
    """A running server, its kernels, and what they cost."""

    process: psutil.Popen
    url: str
    answers: Path
    """The file, or the folder of files, that grows by one line with each judged card."""

    def kernels(self) -> list[psutil.Process]:
        """Return the kernels that run."""
        children = self._own().children(recursive=True)
        return [each for each in children if self.is_kernel(each)]

    def processor_seconds(self) -> float:
        """Return what the server and its kernels have used of the processor."""
        total = 0.0
        for each in (self._own(), *self.kernels()):
            with suppress(psutil.NoSuchProcess):  # it may end between the two looks
                times = each.cpu_times()
                total += times.user + times.system
        return total

    def megabytes(self) -> float:
        """Return the proportional memory (PSS) of the server and of all its kernels."""
        total = self._own().memory_full_info().pss
        for each in self.kernels():
            with suppress(psutil.NoSuchProcess):
                total += each.memory_full_info().pss
        return total / MEGABYTE

    def far_connections(self) -> list[str]:
        """Return the addresses beyond this machine that the server or a kernel talks to."""
        found: list[str] = []
        for each in (self._own(), *self.kernels()):
            with suppress(psutil.NoSuchProcess):
                used = each.net_connections("inet")
                found += [connection.raddr.ip for connection in used if connection.raddr]
        return [address for address in found if not ipaddress.ip_address(address).is_loopback]

    def judged(self) -> int:
        """Return how many judged cards are on the disk."""
        if self.answers.is_file():
            return self.answers.read_bytes().count(b"\n")
        ledgers = self.answers.rglob("*.jsonl")
        return sum(each.read_bytes().count(b'"kind":"decision"') for each in ledgers)

    def end(self) -> None:
        """End the server, and whatever kernel it leaves behind."""
        end(self.process, self.kernels() if self.process.is_running() else [])

    def _own(self) -> psutil.Process:
        return psutil.Process(self.process.pid)

    @staticmethod
    def is_kernel(process: psutil.Process) -> bool:
        """Return whether it is a kernel that runs, forked or started by itself."""
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                return False
            return process.name() == "rk-kernel" or "-f" in process.cmdline()
        except psutil.Error:
            return False


@contextmanager
def our_server(
    folder: Path, *options: str, before: str = ""
) -> Generator[tuple[Served, list[str]]]:
    """Serve twice the demo bank to many raters; give the server and one personal link each.

    ``options`` are further ones of ``reviewkit serve``; ``before`` is code that runs first.
    """
    root = folder / "project"
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(REPOSITORY / name, root / name)
    for file in sorted((root / "bank" / "groups").glob("*.yaml")):
        again = file.with_name(file.name.replace("DEMO-", "MORE-"))
        again.write_text(file.read_text("utf-8").replace("DEMO-", "MORE-"), encoding="utf-8")
    study = (REPOSITORY / "rulings" / "demo" / "study.yaml").read_text("utf-8")
    head = study.partition("    passes:")[0].replace("study: demo", f"study: {STUDY}")
    passes = "".join(f"      - {{pass: p{n}, rater: r{n}}}\n" for n in range(RATERS))
    place = root / "rulings" / STUDY
    place.mkdir(parents=True)
    (place / "study.yaml").write_text(f"{head}    passes:\n{passes}", encoding="utf-8")
    book = LinkBook(root / ".reviewkit" / "links.jsonl")
    tokens = [book.make(STUDY, f"p{n}", f"r{n}") for n in range(RATERS)]
    port = _free_port()
    command = [
        sys.executable, "-c", f"{before}{SERVE}", "serve", STUDY, "--port", str(port), *options,
    ]  # fmt: skip
    with _running(command, root, port, place) as served:
        yield served, [f"{served.url}go/{token}" for token in tokens]


@contextmanager
def stock_voila(folder: Path, notebook: Path) -> Generator[Served]:
    """Serve a notebook with Voila as it comes."""
    port = _free_port()
    answers = folder / f"{notebook.stem}.jsonl"
    answers.touch()
    command = [
        sys.executable, "-m", "voila", str(notebook), "--no-browser", f"--port={port}",
        "--Voila.ip=127.0.0.1",
    ]  # fmt: skip
    with _running(command, folder, port, answers) as served:
        yield served


@contextmanager
def _running(command: list[str], folder: Path, port: int, answers: Path) -> Generator[Served]:
    environment = {**os.environ, "BENCH_ANSWERS": str(answers)}
    log_path = folder / f"server-{port}.log"
    with log_path.open("wb") as log:
        process = psutil.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    served = Served(process, f"http://127.0.0.1:{port}/", answers)
    try:
        if not until(lambda: process.poll() is not None or _listens(port), 60):
            raise TimeoutError(f"{command[1:4]} does not answer")
        if process.poll() is not None:
            raise RuntimeError(log_path.read_text("utf-8", "replace")[-2_000:])
        yield served
    finally:
        if process.poll() is None:
            served.end()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
