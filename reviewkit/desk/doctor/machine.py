"""What the machine offers: memory, limits, the temporary folder, the clock, fonts."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

from reviewkit.desk.doctor.finding import Finding, fault, ok, some_of, warning

SERVER_MB = 150
"""A server with the process that kernels are forked from (PSS, measured: 150 on Linux)."""
FORKED_MB = 40
"""A forked kernel with a card open takes 33 (``benchmarks/starts.py``); a fifth for the day."""
ORDINARY_MB = 60
"""One that was started anew takes 49, measured the same way."""
SERVER_FILES, PAGE_FILES = 32, 16
"""Descriptors of a server, and for each page (measured: 13 besides 15 a page)."""
KERNEL_FILES = 128
"""Descriptors that a kernel needs for itself (measured: 70)."""
SERVER_THREADS, KERNEL_THREADS = 16, 16
"""Threads of the server, and of each kernel (measured: 4 and 15)."""
NOT_BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
NOT_AFTER = datetime(2100, 1, 1, tzinfo=UTC)
APART_SECONDS = 5.0
"""A clock may be so far before the last record: another machine wrote it."""


@dataclass(frozen=True, slots=True)
class Memory:
    """In MB; a limit of the container counts like memory of the machine."""

    total: float
    available: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process of this account may have; None is without a limit."""

    files: int | None
    files_at_most: int | None
    """What ``files`` may be raised to by the account itself."""
    threads: int | None


@dataclass(frozen=True, slots=True)
class Temporary:
    """The temporary folder."""

    path: str
    writable: bool
    sockets: bool
    """Whether its path is short enough for sockets below it."""


def look_memory() -> Memory:
    """Read how much memory the machine, or the container, has."""
    machine = psutil.virtual_memory()
    total, available = machine.total, machine.available
    limit, used = _of_container("memory.max"), _of_container("memory.current")
    if limit is not None:
        total = min(total, limit)
        available = min(available, max(0, limit - (used or 0)))
    return Memory(total / 1e6, available / 1e6)


def _of_container(name: str) -> int | None:
    """Return the value of a control group (version 2), None where there is none."""
    try:
        line = Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines()[-1]
        inside = line.partition("::")[2].strip("/")
        text = (Path("/sys/fs/cgroup") / inside / name).read_text(encoding="ascii")
        return int(text)
    except (OSError, ValueError, IndexError):
        return None


def check_memory(memory: Memory, raters: int, *, forked: bool) -> Finding:
    """Say whether so many raters find memory, all with a page open at once."""
    each = FORKED_MB if forked else ORDINARY_MB
    need = SERVER_MB + each * raters
    told = (
        f"{raters} rater{'s' if raters != 1 else ''} at once need about {need:,.0f} MB "
        f"({SERVER_MB} and {each} each); {memory.available:,.0f} of {memory.total:,.0f} MB are free"
    )
    if need > memory.total:
        fit = max(0, int((memory.total - SERVER_MB) / each))
        return fault(
            "memory", told, f"add memory, or let at most {fit} work at once (--raters N asks again)"
        )
    if need > memory.available:
        return warning("memory", told, "end other programs before people come, or add memory")
    return ok("memory", told)


def look_limits() -> Limits:
    """Read the limits of this process, which a server started the same way would have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    threads = None
    if os.geteuid() != 0:  # the limit does not hold for root
        threads = _limited(resource.getrlimit(resource.RLIMIT_NPROC)[0])
    of_container = _of_container("pids.max")
    known = [each for each in (threads, of_container) if each is not None]
    return Limits(_limited(soft), _limited(hard), min(known, default=None))


def _limited(value: int) -> int | None:
    return None if value == resource.RLIM_INFINITY else value


def check_limits(limits: Limits, raters: int) -> Iterator[Finding]:
    """Say whether so many raters find descriptors and threads."""
    files = max(KERNEL_FILES, SERVER_FILES + PAGE_FILES * raters)
    threads = SERVER_THREADS + KERNEL_THREADS * raters
    who = f"for {raters} rater{'s' if raters != 1 else ''}"
    wrong = False
    if limits.files is not None and limits.files < files:
        wrong = True
        by_whom = (
            "in the shell that starts the server"
            if limits.files_at_most is None or limits.files_at_most >= files
            else "as root or in /etc/security/limits.conf"
        )
        yield fault(
            "limits",
            f"a process may open {limits.files} files (nofile), and {who} it takes {files}",
            f"`ulimit -n {files}` {by_whom}; LimitNOFILE={files} in a systemd unit",
        )
    if limits.threads is not None and limits.threads < threads:
        wrong = True
        yield fault(
            "limits",
            f"the account may have {limits.threads} threads (nproc, pids), and {who} it takes"
            f" {threads}",
            f"`ulimit -u {threads}`, TasksMax={threads} in a systemd unit, --pids-limit of a"
            " container",
        )
    if not wrong:
        many = [
            "any number" if each is None else f"{each:,}" for each in (limits.files, limits.threads)
        ]
        yield ok(
            "limits", f"{many[0]} of files (takes {files}), {many[1]} of threads (takes {threads})"
        )


def look_temporary(*, sockets: bool) -> Temporary:
    """Look at the temporary folder; ``sockets`` as ``desk/server/transport`` decides it."""
    try:
        path = tempfile.gettempdir()
    except FileNotFoundError as error:
        return Temporary(str(error), writable=False, sockets=False)
    return Temporary(path, writable=os.access(path, os.W_OK | os.X_OK), sockets=sockets)


def check_temporary(temporary: Temporary) -> Finding:
    """Say whether kernels can be reached over sockets below the temporary folder."""
    if not temporary.writable:
        return fault(
            "temporary folder", f"{temporary.path}: nothing can be written there",
            "make it writable, or name another in TMPDIR",
        )  # fmt: skip
    if not temporary.sockets:
        return warning(
            "temporary folder",
            f"{temporary.path}: its path is too long for sockets, so kernels use TCP",
            "TMPDIR=/tmp, or another path of at most 38 bytes",
        )
    return ok("temporary folder", f"{temporary.path}: short enough for sockets")


def check_clock(now: datetime, last: datetime | None, where: str = "") -> Finding:
    """Say whether the clock can be right; ``last`` is the time of the last record, in ``where``."""
    told = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    remedy = "set the clock (timedatectl set-ntp true), and look which of the two is wrong"
    if not NOT_BEFORE <= now <= NOT_AFTER:
        return fault("clock", told, "set the clock: records carry its time")
    if last is None:
        return ok("clock", f"{told}; there is no record yet to compare it with")
    if (last - now).total_seconds() > APART_SECONDS:
        return fault(
            "clock", f"{told}, before the last record in {where} ({last:%Y-%m-%d %H:%M:%S})", remedy
        )
    return ok("clock", f"{told}; the last record is of {last:%Y-%m-%d %H:%M}")


def look_fonts() -> tuple[str, ...] | None:
    """Return the fonts with Arabic letters, None where nobody can be asked."""
    command = shutil.which("fc-list")
    if command is None:
        return None
    ask = [command, ":lang=ar", "family"]
    said = subprocess.run(ask, capture_output=True, text=True, timeout=5, check=False)  # noqa: S603
    return tuple(sorted({line.split(",")[0] for line in said.stdout.splitlines() if line.strip()}))


def check_fonts(fonts: Sequence[str] | None) -> Finding:
    """Say which fonts for Arabic are here, and that the readers' machines draw the texts."""
    readers = "raters read with the fonts of their own machines"
    if fonts is None:
        return ok("fonts", f"not looked at, fc-list is not here; {readers}")
    if not fonts:
        return warning(
            "fonts", f"none with Arabic letters here; {readers}",
            "if you read texts on this machine: apt-get install fonts-noto-core",
        )  # fmt: skip
    return ok("fonts", f"Arabic: {some_of(fonts)}; {readers}")
