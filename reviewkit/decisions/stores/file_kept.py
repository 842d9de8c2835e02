"""Small named values as files: each replaced whole, so that a reader sees one or the other."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from reviewkit.decisions import disk
from reviewkit.decisions.disk import cannot_write
from reviewkit.workspace import make_folder


def _always(name: str) -> None:
    """Find that the value may stand in a file."""


class FileKept:
    """The values below one folder; a name is a path from there, with slashes.

    Args:
        root: the folder.
        still_here: raises when the values have moved elsewhere; given a name, asked before writing.
    """

    def __init__(self, root: Path, still_here: Callable[[str], None] = _always) -> None:
        self._root = root
        self._still_here = still_here

    def read(self, name: str) -> bytes | None:
        """Return the value, or None when there is none.

        Raises OSError when something else stands there: a folder, a link, a file of others.
        """
        try:
            descriptor = disk.open_regular(self._root / name, os.O_RDONLY)
        except (FileNotFoundError, NotADirectoryError):
            return None
        try:
            return disk.read_span(descriptor, 0, os.fstat(descriptor).st_size)
        finally:
            os.close(descriptor)

    def write(self, name: str, value: bytes) -> None:
        """Replace the value; CannotWrite when that is not possible."""
        self._still_here(name)
        path = self._root / name
        part = self._part(path)
        try:
            make_folder(path.parent)
            descriptor = disk.open_regular(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            try:
                disk.write_once(descriptor, value)
            finally:
                os.close(descriptor)
            part.replace(path)
        except OSError as error:
            with suppress(OSError):
                part.unlink()
            raise cannot_write(name, error) from error

    def first(self, name: str, value: bytes, *, secret: bool = False) -> bytes:
        """Keep ``value`` unless there is one already, and return the one that stands.

        It is forced to the disk; a secret may be read by its owner alone. Raises CannotWrite, or
        OSError as ``read`` does.
        """
        self._still_here(name)
        path = self._root / name
        part = self._part(path)
        if not os.path.lexists(path):
            try:
                make_folder(path.parent)
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
                descriptor = os.open(part, flags, 0o600 if secret else 0o666)
                try:
                    disk.append_whole(descriptor, value)
                finally:
                    os.close(descriptor)
                # link, not replace: whoever comes second must keep the value of the first
                with suppress(FileExistsError):
                    path.hardlink_to(part)
                disk.sync_folder(path.parent)
            except OSError as error:
                raise cannot_write(name, error) from error
            finally:
                with suppress(OSError):
                    part.unlink()
        if secret:
            path.chmod(0o600)
        found = self.read(name)
        return value if found is None else found

    def remove(self, name: str) -> None:
        """Take the value away, if there is one; CannotWrite when that is not possible."""
        try:
            (self._root / name).unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(name, error) from error

    def set_aside(self, name: str) -> str:
        """Move what cannot be used out of the way and return its new name; CannotWrite."""
        path = self._root / name
        number = 1
        while os.path.lexists(kept := path.with_name(f"{path.name}.bad-{number}")):
            number += 1
        try:
            path.rename(kept)
        except OSError as error:
            raise cannot_write(name, error) from error
        return kept.name

    def touch(self, name: str) -> None:
        """Say that the value still holds; what is not there is not made."""
        with suppress(OSError):
            os.utime(self._root / name)

    def changed(self, name: str) -> float | None:
        """Return when the value was last written or touched, in seconds since the epoch."""
        try:
            return (self._root / name).stat().st_mtime
        except OSError:
            return None

    def now(self) -> float:
        """Return the clock that ``changed`` is to be compared with."""
        return time.time()

    @contextmanager
    def exclusive(self, name: str, seconds: float = disk.LOCK_SECONDS) -> Generator[None]:
        """Hold the lock beside the file; CannotWrite when another has it for too long."""
        with disk.exclusive(self._root / name, name, seconds):
            yield

    def _part(self, path: Path) -> Path:
        return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
