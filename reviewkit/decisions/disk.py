"""How decisions reach the disk: one lock, one write, one fsync, and nothing lost when any fails.

Files are opened without following a symbolic link, because the lock and a torn tail lie beside the
name that was opened; a linked folder is fine.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from reviewkit import workspace
from reviewkit.problems import ReviewkitError

LOCK_SECONDS = 10.0
"""How long a writer waits for another one before it says so; a write takes milliseconds."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NO_RIGHT = {errno.EROFS, errno.EACCES, errno.EPERM}
_NO_FOLDER = {errno.ENOTDIR, errno.EEXIST}


class CannotWrite(ReviewkitError):
    """Nothing was recorded, because the disk or the folder does not let us."""

    def __init__(self, shown: str, why: str, remedy: str) -> None:
        self.file = shown
        self.why = why
        self.remedy = remedy
        super().__init__(f"{shown}: nothing was recorded: {why}; {remedy}")


class OutcomeUnknown(CannotWrite):
    """A database went away while it recorded: it may have, and saying it again doubles nothing."""

    def __init__(self, shown: str, why: str) -> None:
        super().__init__(shown, why, "save again")
        self.args = (
            (
                f"{shown}: it is not known whether this was recorded: {why}; save again: what was"
                " recorded is not recorded twice"
            ),
        )


class CannotRead(ReviewkitError):
    """A file or a database is there and cannot be read."""

    def __init__(self, shown: str, error: OSError | str, remedy: str = "") -> None:
        self.file = shown
        said = error if isinstance(error, str) else (error.strerror or str(error)).lower()
        self.why = f"cannot be read: {said}"
        self.remedy = remedy or "put a regular file there that this account may read"
        super().__init__(f"{shown}: {self.why}; {self.remedy}")


def cannot_write(shown: str, error: OSError) -> CannotWrite:
    """Return what to tell the person whose record met this error."""
    if error.errno in _NO_ROOM:
        remedy = "free some room on the disk, then save again"
    elif error.errno in _NO_RIGHT:
        remedy = "ask whoever keeps the project folder to let this account write there"
    elif error.errno == errno.ELOOP:
        return CannotWrite(
            shown, "it is a symbolic link", "put the real file there (a linked folder is fine)"
        )
    elif error.errno in _NO_FOLDER:
        remedy = "a file stands where a folder belongs; move it away, then save again"
    else:
        remedy = "check the disk and the folder, then save again"
    return CannotWrite(shown, (error.strerror or str(error)).lower(), remedy)


@contextmanager
def exclusive(path: Path, shown: str, seconds: float = LOCK_SECONDS) -> Generator[None]:
    """Hold the lock beside ``path``; the kernel frees it when its holder dies, so it may stay."""
    try:
        make_folder(path.parent)
    except OSError as error:
        raise cannot_write(shown, error) from error
    try:
        lock = FileLock(f"{path}.lock", timeout=seconds, poll_interval=0.003)
        lock.acquire()
    except Timeout:
        raise CannotWrite(
            shown,
            f"{path.name}.lock has been held by another writer for {seconds:g} s",
            "look for another tab, notebook or command that writes for this person and close it, "
            "then save again (the lock file itself may stay)",
        ) from None
    except OSError as error:
        raise cannot_write(f"{shown}.lock", error) from error
    try:
        yield
    finally:
        lock.release()


def open_regular(path: Path, flags: int) -> int:
    """Open a regular file by its own name; a link, folder or pipe is an OSError."""
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return descriptor


def read_span(descriptor: int, start: int, end: int) -> bytes:
    """Return the bytes from ``start`` to ``end``, or fewer when the file has become shorter."""
    parts: list[bytes] = []
    while start < end:
        part = os.pread(descriptor, end - start, start)
        if not part:
            break
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def write_once(descriptor: int, raw: bytes) -> None:
    """Write ``raw`` in one call; a part of it is no use, so less than all is an OSError."""
    written = os.write(descriptor, raw)
    if written != len(raw):
        raise OSError(errno.ENOSPC, f"only {written} of {len(raw)} bytes found room")


def append_whole(descriptor: int, raw: bytes) -> None:
    """Add ``raw`` in one write and force it to the disk; on failure the file is as it was."""
    size = os.fstat(descriptor).st_size
    try:
        write_once(descriptor, raw)
        os.fsync(descriptor)
    except OSError:
        # A second failure here leaves a torn tail, which the next append sets aside.
        with suppress(OSError):
            os.ftruncate(descriptor, size)
            os.fsync(descriptor)
        raise


def sync_folder(folder: Path) -> None:
    """Force the names in ``folder`` to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make ``folder`` and what is missing above it, each name forced to the disk."""
    for made in workspace.make_folder(folder):
        sync_folder(made.parent)


def write_new(path: Path, raw: bytes) -> None:
    """Write ``path`` whole and force it to the disk; a reader sees it complete or not at all."""
    part = path.with_name(f"{path.name}.part")
    descriptor = open_regular(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        append_whole(descriptor, raw)
    finally:
        os.close(descriptor)
    part.rename(path)
    sync_folder(path.parent)


def keep_aside(path: Path, ending: str, raw: bytes) -> Path:
    """Keep ``raw`` beside ``path`` in a file of its own, durable on return; never overwrite one.

    A rerun after a crash finds the same bytes under the same name and is content with them.
    """
    number = 1
    while True:
        suffix = ending if number == 1 else f"{ending}-{number}"
        kept = path.with_name(f"{path.name}.{suffix}")
        if not os.path.lexists(kept):
            write_new(kept, raw)
            return kept
        if kept.is_file() and kept.read_bytes() == raw:
            sync_folder(kept.parent)
            return kept
        number += 1


def cut_off(descriptor: int, size: int) -> None:
    """Shorten a file to ``size`` bytes, durable on return."""
    os.ftruncate(descriptor, size)
    os.fsync(descriptor)
