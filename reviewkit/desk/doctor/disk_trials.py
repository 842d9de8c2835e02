"""What is tried on the disk of the ledgers: a lock between two processes, and fsync."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import psutil
from filelock import FileLock

from reviewkit.desk.doctor.finding import Finding, fault, ok, warning

NETWORK = frozenset(
    {
        "9p", "afs", "ceph", "cifs", "coda", "davfs", "drvfs", "fuse.cephfs", "fuse.gcsfuse",
        "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs",
        "nfs", "nfs4", "orangefs", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "webdav",
    }
)  # fmt: skip
"""Types of file systems that lie on another machine, or are reached through another one."""
FLEETING = frozenset({"tmpfs", "ramfs"})
SLOW_MS = 100.0
"""An fsync that takes longer is felt at every Save."""
_TIMES = 5
_PATIENCE_SECONDS = 5.0

_OTHER_PROCESS = """
import sys
from filelock import FileLock, Timeout
def told():
    lock = FileLock(sys.argv[1], timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return "held"
    except Exception as error:
        return type(error).__name__
    lock.release()
    return "free"
print(told(), flush=True)
sys.stdin.readline()
print(told(), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Locking:
    """What another process was told while we held a lock and after; ``why`` when it failed."""

    while_held: str
    after: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Syncing:
    """The median of some fsyncs of 4 kB; ``why`` when it failed."""

    milliseconds: float
    why: str = ""


def look_locking(folder: Path) -> Locking:
    """Hold a lock there and let another process try to have it."""
    path = folder / f".doctor-{secrets.token_hex(4)}.lock"
    lock = FileLock(path, timeout=_PATIENCE_SECONDS)
    try:
        lock.acquire()
        with subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-I", "-c", _OTHER_PROCESS, str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        ) as other:  # fmt: skip
            try:
                assert other.stdout is not None  # noqa: S101 - it is a pipe
                while_held = other.stdout.readline().strip()
                lock.release()
                after, _ = other.communicate("\n", timeout=_PATIENCE_SECONDS)
            finally:
                other.kill()
    except (OSError, NotImplementedError, subprocess.TimeoutExpired) as error:
        return Locking("", "", str(error) or type(error).__name__)
    finally:
        lock.release(force=True)
        path.unlink(missing_ok=True)
    return Locking(while_held, after.strip())


def check_locking(locking: Locking) -> Finding:
    """Say whether two processes keep out of each other's way."""
    if locking.why:
        found = f"no lock could be tried: {locking.why}"
    elif (locking.while_held, locking.after) == ("held", "free"):
        return ok("file locking", "a second process waits for the first")
    elif locking.while_held == "free":
        found = "two processes had one lock at the same time: records could be torn"
    else:
        found = (
            f"another process was told {locking.while_held or 'nothing'!r} while the lock was held"
            f" and {locking.after or 'nothing'!r} after"
        )
    return fault(
        "file locking", found,
        "put the project folder on a disk of this machine, or the ledgers in a database"
        " (docs/many-machines.md)",
    )  # fmt: skip


def look_syncing(folder: Path) -> Syncing:
    """Force some small writes to the disk there, as each record is."""
    path = folder / f".doctor-{secrets.token_hex(4)}.part"
    took: list[float] = []
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            for _ in range(_TIMES):
                os.write(descriptor, b"\0" * 4096)
                began = perf_counter()
                os.fsync(descriptor)
                took.append(1000 * (perf_counter() - began))
        finally:
            os.close(descriptor)
    except OSError as error:
        return Syncing(0.0, (error.strerror or str(error)).lower())
    finally:
        path.unlink(missing_ok=True)
    return Syncing(median(took))


def check_syncing(syncing: Syncing) -> Finding:
    """Say whether a record can be forced to the disk, and how long that takes."""
    if syncing.why:
        return fault(
            "fsync", f"nothing can be forced to the disk: {syncing.why}",
            "look at rights and disk of the project folder",
        )  # fmt: skip
    told = f"{syncing.milliseconds:.1f} ms"
    if syncing.milliseconds > SLOW_MS:
        return warning(
            "fsync", f"{told}: every Save waits so long",
            "end what writes to this disk, or put the project folder on another",
        )  # fmt: skip
    return ok("fsync", told)


def look_file_system(folder: Path) -> str:
    """Return the type of the file system on which a folder lies, or nothing."""
    inside = folder.resolve()
    mounts = [
        (len(each.mountpoint), each.fstype)
        for each in psutil.disk_partitions(all=True)
        if inside.is_relative_to(each.mountpoint)
    ]
    # of mounts on one place the last one is seen
    longest = max((length for length, _ in mounts), default=0)
    return next((kind for length, kind in reversed(mounts) if length == longest), "")


def check_file_system(kind: str) -> Iterator[Finding]:
    """Say where locks and fsync cannot be judged from this machine alone."""
    if kind.lower() in NETWORK:
        yield warning(
            "file system",
            f"{kind}, which other machines may share: what was tried here says nothing of them",
            "let one machine write, or put the ledgers in a database (docs/many-machines.md)",
        )
    elif kind.lower() in FLEETING:
        yield warning(
            "file system", f"{kind}: what is in it is gone when the machine stops",
            "put the project folder on a disk",
        )  # fmt: skip
    else:
        yield ok("file system", kind or "unknown")
