"""Lines in one file of the project folder, safe under several tabs, processes and threads.

An append happens under a lock between processes: catch up with what others wrote, one write,
fsync, and only then return. A last line that was cut off was never acknowledged: its bytes are set
aside in a file beside it, kept and reported; a record that is whole but for its newline gets the
newline back.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from reviewkit.decisions import disk
from reviewkit.decisions.disk import CannotRead, CannotWrite, cannot_write
from reviewkit.decisions.lines import LedgerBroken, LineError, NewerRecord
from reviewkit.decisions.stores.protocols import Fold, Torn


def _always() -> None:
    """Find that the lines may stand in a file."""


class FileLines:
    """The lines of one file, followed by its inode, size and times.

    Args:
        path: the file; it and its folder are made by the first append.
        shown: the file's name in messages.
        lock_seconds: how long to wait for another writer.
        still_here: raises when the lines have moved elsewhere; asked before every reading, and
            under the lock before every writing.
    """

    def __init__(
        self,
        path: Path,
        shown: str,
        lock_seconds: float = disk.LOCK_SECONDS,
        still_here: Callable[[], None] = _always,
    ) -> None:
        self.path = path
        self.shown = shown
        self._lock_seconds = lock_seconds
        self._still_here = still_here
        self._torn: list[Torn] = []
        self._named: int | None = None
        self._pending: Torn | None = None
        self._start_over()

    def _start_over(self) -> None:
        # how many lines of the fold the offset stands for: an interrupt may come between the two
        self._count = 0
        self._offset = 0
        self._size = 0
        self._whole_tail = False
        self._mark: tuple[int, ...] | None = None

    @property
    def torn(self) -> tuple[Torn, ...]:
        """The torn tails that this object has set aside."""
        return tuple(self._torn)

    @property
    def pending(self) -> Torn | None:
        """A last line without its end, as last read: torn, or being written at that moment."""
        return self._pending

    def set_aside(self) -> tuple[str, ...]:
        """Return the names of the files beside it that hold torn tails."""
        start = f"{self.path.name}.torn-"
        if not self.path.parent.is_dir():
            return ()
        names = (each.name for each in self.path.parent.iterdir())
        return tuple(sorted(name for name in names if name.startswith(start)))

    def exists(self) -> bool:
        """Return whether there is a file."""
        return self.path.exists()

    def catch_up(self, fold: Fold) -> None:
        """Read what others appended; a missing file is one without lines."""
        try:
            self._still_here()
        except CannotWrite as moved:
            raise CannotRead(self.shown, moved.why, moved.remedy) from moved
        try:
            descriptor = disk.open_regular(self.path, os.O_RDONLY)
        except (FileNotFoundError, NotADirectoryError):
            self._forget(fold)
            fold.must_hold()
            return
        except OSError as error:
            raise CannotRead(self.shown, error) from error
        try:
            self._follow(descriptor, fold)
        finally:
            os.close(descriptor)

    @contextmanager
    def writing(self, fold: Fold) -> Generator[_FilePen]:
        """Hold the lock beside the file, with everything read and a torn tail set aside."""
        with disk.exclusive(self.path, self.shown, self._lock_seconds):
            self._still_here()
            try:
                descriptor = self._open(fold)
            except OSError as error:
                raise cannot_write(self.shown, error) from error
            try:
                self._follow(descriptor, fold)
                try:
                    self._set_tail_aside(descriptor, fold)
                except OSError as error:
                    raise cannot_write(self.shown, error) from error
                yield _FilePen(self, descriptor)
            finally:
                os.close(descriptor)

    def write(self, descriptor: int, raw: bytes) -> None:
        """Add a line under the lock; CannotWrite, and the file as it was, when it cannot be."""
        try:
            self._sync_name(descriptor)
            disk.append_whole(descriptor, raw + b"\n")
            self._must_be_in_place(descriptor)
        except OSError as error:
            raise cannot_write(self.shown, error) from error
        self._count += 1
        self._offset += len(raw) + 1
        self._remember(os.fstat(descriptor))

    def sync(self, descriptor: int) -> None:
        """Force what stands there to the disk; its writer may have died before the fsync."""
        try:
            os.fsync(descriptor)
            self._sync_name(descriptor)
        except OSError as error:
            raise cannot_write(self.shown, error) from error

    def _forget(self, fold: Fold) -> None:
        fold.forget()
        self._start_over()
        self._pending = None

    def _open(self, fold: Fold) -> int:
        try:
            return disk.open_regular(self.path, os.O_RDWR | os.O_APPEND)
        except FileNotFoundError:
            self._forget(fold)
            fold.must_hold()
        return disk.open_regular(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def _sync_name(self, descriptor: int) -> None:
        inode = os.fstat(descriptor).st_ino
        if self._named != inode:
            disk.sync_folder(self.path.parent)
            self._named = inode

    def _must_be_in_place(self, descriptor: int) -> None:
        try:
            in_place = self.path.lstat().st_ino == os.fstat(descriptor).st_ino
        except FileNotFoundError:
            in_place = False
        if not in_place:
            raise CannotWrite(self.shown, "the file was replaced at that moment", "save again")

    def _set_tail_aside(self, descriptor: int, fold: Fold) -> None:
        tail = disk.read_span(descriptor, self._offset, self._size)
        if not tail:
            return
        if self._completes(descriptor, tail, fold):
            return
        number = fold.count + 1
        kept = disk.keep_aside(self.path, f"torn-{number}", tail)
        disk.cut_off(descriptor, self._offset)
        self._remember(os.fstat(descriptor))
        self._pending = None
        folder, slash, _ = self.shown.rpartition("/")
        self._torn.append(Torn(self.shown, number, len(tail), f"{folder}{slash}{kept.name}"))

    def _completes(self, descriptor: int, tail: bytes, fold: Fold) -> bool:
        """Give a whole record its newline back; an editor that strips it must not lift a lock."""
        if not fold.could_read(tail):
            return False
        disk.append_whole(descriptor, b"\n")
        self._take(tail, fold)
        self._remember(os.fstat(descriptor))
        self._pending = None
        return True

    def _follow(self, descriptor: int, fold: Fold) -> None:
        found = os.fstat(descriptor)
        in_step = self._count == fold.count
        if self._mark == _mark(found) and in_step:
            return
        same_file = self._mark is not None and self._mark[:2] == (found.st_dev, found.st_ino)
        try:
            if not (
                same_file
                and in_step
                and found.st_size > self._offset
                and self._grew(descriptor, found.st_size, fold)
            ):
                self._forget(fold)
                self._read_to(descriptor, found.st_size, fold)
                fold.must_hold()
        except LineError as bad:
            self._forget(fold)
            raise LedgerBroken(self.shown, bad.line, bad.why) from None
        except (NewerRecord, LedgerBroken):
            self._forget(fold)
            raise
        self._remember(found)
        size = self._size - self._offset
        whole = self._whole_tail
        self._pending = Torn(self.shown, fold.count + 1, size, "", whole) if size else None

    def _grew(self, descriptor: int, size: int, fold: Fold) -> bool:
        try:
            self._read_to(descriptor, size, fold)
        except LineError:
            # What was read before may be what changed; only a whole reading can tell.
            return False
        return True

    def _read_to(self, descriptor: int, size: int, fold: Fold) -> None:
        raw = disk.read_span(descriptor, self._offset, size)
        whole, newline, tail = raw.rpartition(b"\n")
        # one by one: a bad line ends it before millions are cut out
        for each in io.BytesIO(whole + newline):
            self._take(each[:-1], fold)
        self._whole_tail = bool(tail) and fold.could_read(tail)

    def _take(self, raw: bytes, fold: Fold) -> None:
        fold.read(raw)
        self._count = fold.count
        self._offset += len(raw) + 1

    def _remember(self, found: os.stat_result) -> None:
        self._size = found.st_size
        self._mark = _mark(found)


class _FilePen:
    """The right to append to an open file, while its lock is held."""

    def __init__(self, lines: FileLines, descriptor: int) -> None:
        self._lines = lines
        self._descriptor = descriptor

    def add(self, raw: bytes) -> None:
        """Append a line; return once it is on the disk."""
        self._lines.write(self._descriptor, raw)

    def confirm(self) -> None:
        """Force the file as it stands to the disk."""
        self._lines.sync(self._descriptor)


def _mark(found: os.stat_result) -> tuple[int, ...]:
    """Return what tells that a file is still as it was; ctime also moves when mtime is put back."""
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
