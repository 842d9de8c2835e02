"""An append-only file of chained JSON lines: every ledger, the rulings log and the lead's acts.

An append happens under a lock between processes: catch up with what others wrote, check, one write,
fsync, and only then return. Two kinds of damage are told apart. A last line that was cut off was
never acknowledged: its bytes are set aside in a file beside it, kept and reported; a record that is
whole but for its newline gets the newline back. A bad line that has its newline is corruption:
``LedgerBroken`` names file and line, and nothing is changed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from reviewkit.decisions import disk
from reviewkit.decisions.disk import CannotRead, CannotWrite, cannot_write
from reviewkit.decisions.lines import (
    FIRST,
    ChainLine,
    ClickReused,
    LedgerBroken,
    Line,
    LineError,
    LineFormat,
    NewerRecord,
    RecordRefused,
    Upgrader,
    utc_now,
)

Ruled_contra = TypeVar("Ruled_contra", bound=ChainLine, contravariant=True)


class Rules(Protocol[Ruled_contra]):
    """What may follow what, folded over the lines; the same for writing and for reading."""

    def check(self, line: Ruled_contra) -> None:
        """Raise RecordRefused when ``line`` may not come next."""
        ...

    def take(self, line: Ruled_contra) -> None:
        """Go on with ``line`` in place."""
        ...


class NoRules:
    """Any line may follow any other."""

    def check(self, line: ChainLine) -> None:
        """Admit every line."""

    def take(self, line: ChainLine) -> None:
        """Remember nothing."""


@dataclass(frozen=True, slots=True)
class Torn:
    """A last line without its end, as a crash or a full disk leaves it."""

    file: str
    line: int
    size: int
    kept_in: str
    """The file beside it that holds the bytes; empty while they still stand in the ledger."""
    whole: bool = False
    """Whether only its newline is missing: an editor strips it, and the record stands."""

    def __str__(self) -> str:
        if self.whole:
            return (
                f"{self.file}:{self.line}: the last record has lost its newline; the next save "
                "gives it back and nothing is lost"
            )
        where = f"kept in {self.kept_in}" if self.kept_in else "the next save sets it aside"
        return (
            f"{self.file}:{self.line}: the last line was cut off ({self.size} bytes, never "
            f"acknowledged); {where}; see whether the last answer must be given again"
        )


class Chain(Generic[Line]):
    """The lines of one chained file, read as far as needed and grown by ``append`` alone.

    Several threads and processes may use one file, each with a ``Chain`` of its own or sharing one.

    Args:
        path: the file; it and its folder are made by the first append.
        shown: the file's name in messages.
        line: the model of a line.
        upgraders: per schema version that can be read, how its fields become current ones.
        rules: makes what may follow what, anew for every complete reading.
        lock_seconds: how long to wait for another writer.
        clock: gives the time of a new line.
    """

    def __init__(
        self,
        path: Path,
        shown: str,
        line: type[Line],
        *,
        upgraders: Mapping[int, Upgrader] | None = None,
        rules: Callable[[], Rules[Line]] = NoRules,
        lock_seconds: float = disk.LOCK_SECONDS,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        self.path = path
        self.shown = shown
        self._format = LineFormat(line, upgraders)
        self._new_rules = rules
        self._lock_seconds = lock_seconds
        self._clock = clock
        self._threads = threading.RLock()
        self._torn: list[Torn] = []
        self._acknowledged: Line | None = None
        self._named: int | None = None
        self._forget()

    def _forget(self) -> None:
        self._lines: list[Line] = []
        self._view: tuple[Line, ...] | None = None
        self._clicks: dict[str, Line] = {}
        self._rules = self._new_rules()
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
        size = self._size - self._offset
        line = len(self._lines) + 1
        return Torn(self.shown, line, size, "", self._whole_tail) if size else None

    def lines(self) -> tuple[Line, ...]:
        """Return every whole line, after catching up with what others appended."""
        with self._threads:
            try:
                descriptor = disk.open_regular(self.path, os.O_RDONLY)
            except (FileNotFoundError, NotADirectoryError):
                self._forget()
                self._find_acknowledged()
                return ()
            except OSError as error:
                raise CannotRead(self.shown, error) from error
            try:
                self._catch_up(descriptor)
            finally:
                os.close(descriptor)
            if self._view is None:
                self._view = tuple(self._lines)
            return self._view

    def find(self, click_id: str) -> Line | None:
        """Return the line that this click made, if it is recorded."""
        with self._threads:
            self.lines()
            return self._clicks.get(str(click_id))

    def recover(self) -> tuple[Torn, ...]:
        """Set a torn tail aside now, without appending; return all that this object set aside."""
        self.lines()
        if self.pending is not None:
            with self._writing():
                pass
        return self.torn

    def append(
        self,
        content: Mapping[str, Any],
        complete: Callable[[Sequence[Line]], Mapping[str, Any]] | None = None,
    ) -> Line:
        """Add one line and return it once it is safely on the disk.

        Args:
            content: the fields of the line but its place, time and digest.
            complete: gives further fields from the lines already there (a running number, say);
                called under the lock.

        Raises LedgerBroken, NewerRecord, CannotWrite, or RecordRefused and what derives from it;
        the lines are then as they were. A click that is already recorded gives its line again.
        """
        with self._writing() as descriptor:
            earlier = self._clicks.get(str(content.get("click_id")))
            if earlier is not None:
                return self._again(descriptor, earlier, content)
            more = complete(tuple(self._lines)) if complete else {}
            number, previous = self._next()
            raw = self._format.compose(
                {**content, **more}, seq=number, previous=previous, time=self._clock()
            )
            # Read back before it is written: nothing gets in that a reader would refuse.
            line = self._format.read(raw, number, previous, self.shown)
            self._rules.check(line)
            try:
                self._sync_name(descriptor)
                disk.append_whole(descriptor, raw + b"\n")
                self._must_be_in_place(descriptor)
            except OSError as error:
                raise cannot_write(self.shown, error) from error
            self._take(line, len(raw) + 1)
            self._acknowledged = line
            self._remember(os.fstat(descriptor))
            return line

    def _again(self, descriptor: int, earlier: Line, content: Mapping[str, Any]) -> Line:
        if not self._format.repeats(earlier, content):
            raise ClickReused(
                f"click {earlier.click_id} was recorded before as record {earlier.seq}, "
                "with other content",
                "reload the page and give the answer again",
            )
        try:
            # Its first writer may have died between the write and the fsync.
            os.fsync(descriptor)
            self._sync_name(descriptor)
        except OSError as error:
            raise cannot_write(self.shown, error) from error
        self._acknowledged = self._lines[-1]
        return earlier

    @contextmanager
    def _writing(self) -> Generator[int]:
        with self._threads, disk.exclusive(self.path, self.shown, self._lock_seconds):
            try:
                descriptor = self._open()
            except OSError as error:
                raise cannot_write(self.shown, error) from error
            try:
                self._catch_up(descriptor)
                try:
                    self._set_tail_aside(descriptor)
                except OSError as error:
                    raise cannot_write(self.shown, error) from error
                yield descriptor
            finally:
                os.close(descriptor)

    def _open(self) -> int:
        try:
            return disk.open_regular(self.path, os.O_RDWR | os.O_APPEND)
        except FileNotFoundError:
            self._forget()
            self._find_acknowledged()
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

    def _set_tail_aside(self, descriptor: int) -> None:
        tail = disk.read_span(descriptor, self._offset, self._size)
        if not tail:
            return
        if self._completes(descriptor, tail):
            return
        number, _ = self._next()
        kept = disk.keep_aside(self.path, f"torn-{number}", tail)
        disk.cut_off(descriptor, self._offset)
        self._remember(os.fstat(descriptor))
        folder, slash, _ = self.shown.rpartition("/")
        self._torn.append(Torn(self.shown, number, len(tail), f"{folder}{slash}{kept.name}"))

    def _completes(self, descriptor: int, tail: bytes) -> bool:
        """Give a whole record its newline back; an editor that strips it must not lift a lock."""
        line = self._whole(tail)
        if line is None:
            return False
        disk.append_whole(descriptor, b"\n")
        self._take(line, len(tail) + 1)
        self._remember(os.fstat(descriptor))
        return True

    def _whole(self, tail: bytes) -> Line | None:
        """Return the record that a last line without its newline is, if it may stand."""
        number, previous = self._next()
        try:
            line = self._format.read(tail, number, previous, self.shown)
            self._rules.check(line)
        except (LineError, NewerRecord, RecordRefused):
            return None
        return None if line.click_id in self._clicks else line

    def _next(self) -> tuple[int, str]:
        if not self._lines:
            return 1, FIRST
        return len(self._lines) + 1, self._lines[-1].digest

    def _find_acknowledged(self) -> None:
        known = self._acknowledged
        if known is None:
            return
        if len(self._lines) < known.seq:
            why = f"record {known.seq}, which was safely on the disk, is gone"
        elif self._lines[known.seq - 1].digest != known.digest:
            why = f"another record stands where record {known.seq} was written"
        else:
            return
        self._forget()
        raise LedgerBroken(self.shown, known.seq, why)

    def _catch_up(self, descriptor: int) -> None:
        found = os.fstat(descriptor)
        if self._mark == _mark(found):
            return
        same_file = self._mark is not None and self._mark[:2] == (found.st_dev, found.st_ino)
        try:
            if not (same_file and found.st_size > self._offset and self._grew(descriptor, found)):
                self._forget()
                self._read_to(descriptor, found.st_size)
                self._find_acknowledged()
        except LineError as bad:
            self._forget()
            raise LedgerBroken(self.shown, bad.line, bad.why) from None
        except NewerRecord:
            self._forget()
            raise
        self._remember(found)

    def _grew(self, descriptor: int, found: os.stat_result) -> bool:
        try:
            self._read_to(descriptor, found.st_size)
        except LineError:
            # What was read before may be what changed; only a whole reading can tell.
            return False
        return True

    def _read_to(self, descriptor: int, size: int) -> None:
        raw = disk.read_span(descriptor, self._offset, size)
        whole, newline, tail = raw.rpartition(b"\n")
        for each in whole.split(b"\n") if newline else ():
            number, previous = self._next()
            line = self._format.read(each, number, previous, self.shown)
            if line.click_id in self._clicks:
                raise LineError(number, f"the line repeats click {line.click_id}")
            try:
                self._rules.check(line)
            except RecordRefused as refusal:
                raise LineError(number, refusal.why) from refusal
            self._take(line, len(each) + 1)
        self._whole_tail = bool(tail) and self._whole(tail) is not None

    def _take(self, line: Line, size: int) -> None:
        self._rules.take(line)
        self._lines.append(line)
        self._clicks[line.click_id] = line
        self._offset += size
        self._view = None

    def _remember(self, found: os.stat_result) -> None:
        self._size = found.st_size
        self._mark = _mark(found)


def _mark(found: os.stat_result) -> tuple[int, ...]:
    """Return what tells that a file is still as it was; ctime also moves when mtime is put back."""
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
