"""What every store offers, be it a folder of files or a database."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from reviewkit.decisions.disk import LOCK_SECONDS
from reviewkit.problems import Problem


@dataclass(frozen=True, slots=True)
class Torn:
    """A last line without its end, as a crash or a full disk leaves it in a file."""

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


class Fold(Protocol):
    """What a chain makes of the lines it has read; whoever holds the lines feeds it in order."""

    @property
    def count(self) -> int:
        """How many lines it has taken."""
        ...

    def forget(self) -> None:
        """Begin again before the first line."""
        ...

    def read(self, raw: bytes) -> None:
        """Take the next line; LineError or NewerRecord when it may not stand there."""
        ...

    def could_read(self, raw: bytes) -> bool:
        """Return whether ``raw`` may stand as the next line, without taking it."""
        ...

    def must_hold(self) -> None:
        """Raise LedgerBroken when a line that was acknowledged is not among those read."""
        ...


class Pen(Protocol):
    """The right to add a line, held under the lock of these lines."""

    def add(self, raw: bytes) -> None:
        """Add the line after the last one and return once it is safe; CannotWrite otherwise."""
        ...

    def confirm(self) -> None:
        """Return once what stands there already is safe: its writer may have died before."""
        ...


class Lines(Protocol):
    """One append-only sequence of lines under one name: what a chain reads and grows."""

    shown: str
    """The name in messages."""

    @property
    def torn(self) -> tuple[Torn, ...]:
        """The torn tails that were set aside; a database has none."""
        ...

    @property
    def pending(self) -> Torn | None:
        """A last line without its end, as last read; a database has none."""
        ...

    def set_aside(self) -> tuple[str, ...]:
        """Return the names of the files that hold earlier torn tails."""
        ...

    def exists(self) -> bool:
        """Return whether anything was ever written under this name."""
        ...

    def catch_up(self, fold: Fold) -> None:
        """Feed ``fold`` what is new since the last call, or everything again when it must be.

        Raises LedgerBroken, NewerRecord or CannotRead.
        """
        ...

    def writing(self, fold: Fold) -> AbstractContextManager[Pen]:
        """Hold the lock of these lines, across processes and machines, with ``fold`` caught up."""
        ...


class Kept(Protocol):
    """Small named values, each replaced whole or not at all."""

    def read(self, name: str) -> bytes | None:
        """Return the value, or None when there is none.

        Raises OSError when something stands there that is no value, CannotRead when the database
        does not answer.
        """
        ...

    def write(self, name: str, value: bytes) -> None:
        """Replace the value; CannotWrite when that is not possible."""
        ...

    def first(self, name: str, value: bytes, *, secret: bool = False) -> bytes:
        """Keep the value unless there is one already, and return the one that stands.

        Of several who call at once all get the same. A secret may be read by its owner alone.
        """
        ...

    def remove(self, name: str) -> None:
        """Take the value away, if there is one."""
        ...

    def set_aside(self, name: str) -> str:
        """Move what cannot be used out of the way and return the last part of its new name."""
        ...

    def touch(self, name: str) -> None:
        """Say that the value still holds, as writing it again would; what is not there stays so."""
        ...

    def exclusive(self, name: str, seconds: float = LOCK_SECONDS) -> AbstractContextManager[None]:
        """Hold the lock of this name, across processes and machines."""
        ...

    def changed(self, name: str) -> float | None:
        """Return when the value was last written: seconds since the epoch by the store's clock."""
        ...

    def now(self) -> float:
        """Return the store's clock, so that machines agree."""
        ...


class Store(Protocol):
    """Where a project folder keeps what people write."""

    @property
    def is_shared(self) -> bool:
        """Whether servers on other machines write here too."""
        ...

    @property
    def kept(self) -> Kept:
        """The small values of the project folder."""
        ...

    def lines(self, path: Path) -> Lines:
        """Return the lines that this path of the folder names."""
        ...

    def logs(self, folder: Path, pattern: str = "*.jsonl") -> tuple[Path, ...]:
        """Return the paths below ``folder`` that hold lines and match, part by part, sorted."""
        ...

    def dangers(self) -> list[Problem]:
        """Return what of its settings may lose a record that was said to be safe; CannotRead."""
        ...

    def changes(self, folder: Path) -> str:
        """Return a text that changes when lines below ``folder`` do; files are looked at by stat.

        CannotRead when the database does not answer.
        """
        ...
