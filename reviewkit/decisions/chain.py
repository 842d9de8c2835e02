"""What a sequence of chained JSON lines says: every ledger, the rulings log and the lead's acts.

Here is what holds wherever the lines stand: each names the one before it, the rules say what may
follow what, the same click is one line, and a line that was acknowledged must stay. Where they
stand, a file or a database, and how an append becomes safe there, is ``stores``.

A bad line is corruption: ``LedgerBroken`` names file and line, and nothing is changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from reviewkit.decisions import disk
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
from reviewkit.decisions.stores.file_lines import FileLines
from reviewkit.decisions.stores.protocols import Lines, Pen, Torn

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


class _Read(Generic[Line]):
    """The lines that were read so far, and what they add up to."""

    def __init__(
        self, shown: str, form: LineFormat[Line], new_rules: Callable[[], Rules[Line]]
    ) -> None:
        self._shown = shown
        self._format = form
        self._new_rules = new_rules
        self.acknowledged: Line | None = None
        """The last line that this object said to be safe."""
        self.forget()

    def forget(self) -> None:
        """Begin again before the first line."""
        self.lines: list[Line] = []
        self.clicks: dict[str, Line] = {}
        self.rules = self._new_rules()
        self._view: tuple[Line, ...] | None = None

    @property
    def count(self) -> int:
        """How many lines were read."""
        return len(self.lines)

    @property
    def view(self) -> tuple[Line, ...]:
        """The lines; the same tuple as long as none was added."""
        if self._view is None:
            self._view = tuple(self.lines)
        return self._view

    def next(self) -> tuple[int, str]:
        """Return the number of the next line and the digest that it must name."""
        if not self.lines:
            return 1, FIRST
        return len(self.lines) + 1, self.lines[-1].digest

    def read(self, raw: bytes) -> None:
        """Take the next line; LineError or NewerRecord when it may not stand there."""
        number, previous = self.next()
        line = self._format.read(raw, number, previous, self._shown)
        if line.click_id in self.clicks:
            raise LineError(number, f"the line repeats click {line.click_id}")
        try:
            self.rules.check(line)
        except RecordRefused as refusal:
            raise LineError(number, refusal.why) from refusal
        self.take(line)

    def take(self, line: Line) -> None:
        """Go on with ``line``, which was read and checked."""
        self.rules.take(line)
        self.lines.append(line)
        self.clicks[line.click_id] = line
        self._view = None

    def could_read(self, raw: bytes) -> bool:
        """Return whether ``raw`` may stand as the next line."""
        number, previous = self.next()
        try:
            line = self._format.read(raw, number, previous, self._shown)
            self.rules.check(line)
        except (LineError, NewerRecord, RecordRefused):
            return False
        return line.click_id not in self.clicks

    def must_hold(self) -> None:
        """Raise LedgerBroken when the line that was acknowledged last is not among those read."""
        known = self.acknowledged
        if known is None:
            return
        if len(self.lines) < known.seq:
            why = f"record {known.seq}, which was safely on the disk, is gone"
        elif self.lines[known.seq - 1].digest != known.digest:
            why = f"another record stands where record {known.seq} was written"
        else:
            return
        raise LedgerBroken(self._shown, known.seq, why)


class Chain(Generic[Line]):
    """Chained lines, read as far as needed and grown by ``append`` alone.

    Several threads and processes may use the same lines, each with a ``Chain`` of its own or
    sharing one.

    Args:
        place: the lines of a store, or the path of a file that is always one.
        shown: the name in messages; of a store's lines, the name that they have there when empty.
        line: the model of a line.
        upgraders: per schema version that can be read, how its fields become current ones.
        rules: makes what may follow what, anew for every complete reading.
        lock_seconds: how long to wait for another writer of a file.
        clock: gives the time of a new line.
    """

    def __init__(
        self,
        place: Path | Lines,
        shown: str,
        line: type[Line],
        *,
        upgraders: Mapping[int, Upgrader] | None = None,
        rules: Callable[[], Rules[Line]] = NoRules,
        lock_seconds: float = disk.LOCK_SECONDS,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        self.place: Lines = (
            FileLines(place, shown, lock_seconds) if isinstance(place, Path) else place
        )
        self.shown = shown or self.place.shown
        self._format = LineFormat(line, upgraders)
        self._clock = clock
        self._threads = threading.RLock()
        self._read = _Read(self.shown, self._format, rules)

    @property
    def path(self) -> Path:
        """The file; only lines that stand in one have a path."""
        if not isinstance(self.place, FileLines):
            raise TypeError(f"{self.shown} stands in a database and has no path")
        return self.place.path

    @property
    def torn(self) -> tuple[Torn, ...]:
        """The torn tails that this object has set aside."""
        return self.place.torn

    @property
    def pending(self) -> Torn | None:
        """A last line without its end, as last read: torn, or being written at that moment."""
        return self.place.pending

    def exists(self) -> bool:
        """Return whether anything was ever written there."""
        return self.place.exists()

    def lines(self) -> tuple[Line, ...]:
        """Return every whole line, after catching up with what others appended."""
        with self._threads:
            self.place.catch_up(self._read)
            return self._read.view

    def find(self, click_id: str) -> Line | None:
        """Return the line that this click made, if it is recorded."""
        with self._threads:
            self.lines()
            return self._read.clicks.get(str(click_id))

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
        """Add one line and return it once it is safe.

        Args:
            content: the fields of the line but its place, time and digest.
            complete: gives further fields from the lines already there (a running number, say);
                called under the lock.

        Raises LedgerBroken, NewerRecord, CannotWrite, or RecordRefused and what derives from it;
        the lines are then as they were. A click that is already recorded gives its line again.
        """
        with self._writing() as pen:
            read = self._read
            earlier = read.clicks.get(str(content.get("click_id")))
            if earlier is not None:
                return self._again(pen, earlier, content)
            more = complete(read.view) if complete else {}
            number, previous = read.next()
            raw = self._format.compose(
                {**content, **more}, seq=number, previous=previous, time=self._clock()
            )
            # Read back before it is written: nothing gets in that a reader would refuse.
            line = self._format.read(raw, number, previous, self.shown)
            read.rules.check(line)
            pen.add(raw)
            read.take(line)
            read.acknowledged = line
            return line

    def _again(self, pen: Pen, earlier: Line, content: Mapping[str, Any]) -> Line:
        if not self._format.repeats(earlier, content):
            raise ClickReused(
                f"click {earlier.click_id} was recorded before as record {earlier.seq}, "
                "with other content",
                "reload the page and give the answer again",
            )
        pen.confirm()
        self._read.acknowledged = self._read.lines[-1]
        return earlier

    @contextmanager
    def _writing(self) -> Generator[Pen]:
        with self._threads, self.place.writing(self._read) as pen:
            yield pen
