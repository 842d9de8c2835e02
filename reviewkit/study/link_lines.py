"""The acts on links as lines that only grow, in a file or in the database that servers share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from reviewkit.decisions import disk
from reviewkit.decisions.disk import cannot_write
from reviewkit.decisions.lines import LineError
from reviewkit.workspace import make_folder

Act = TypeVar("Act")


class Acts(Generic[Act]):
    """The acts so far, read line by line.

    An unfinished last line was never acknowledged, so it counts for nothing; a whole one that an
    editor robbed of its newline counts, or a revoked link would work again.

    Args:
        parse: makes an act of a line; ValueError, saying why, when it is none.
    """

    def __init__(self, parse: Callable[[bytes], Act]) -> None:
        self._parse = parse
        self.forget()

    def forget(self) -> None:
        """Begin again before the first act."""
        self._taken: list[Act] = []
        self._tail: Act | None = None
        self._all: tuple[Act, ...] | None = None

    @property
    def count(self) -> int:
        """How many lines it has taken."""
        return len(self._taken)

    def all(self) -> tuple[Act, ...]:
        """Return every act in order: the same object while there is none more."""
        if self._all is None:
            self._all = (*self._taken, *([] if self._tail is None else [self._tail]))
        return self._all

    def read(self, raw: bytes) -> None:
        """Take the next line; LineError when it is no act."""
        try:
            act = self._parse(raw)
        except ValueError as error:
            raise LineError(
                self.count + 1, f"this line is not an act on a link ({error})"
            ) from None
        self._taken.append(act)
        self._tail = self._all = None

    def could_read(self, raw: bytes) -> bool:
        """Return whether a last line without its newline is a whole act, and count it if so."""
        try:
            self._tail = self._parse(raw)
        except ValueError:
            self._tail = None
        self._all = None
        return self._tail is not None

    def must_hold(self) -> None:
        """Find nothing missing: no act is remembered beside the lines."""


def keep_private(path: Path) -> None:
    """Make the file and its folder for their owner alone; loose rights are tightened."""
    try:
        make_folder(path.parent)
        descriptor = disk.open_regular(path, os.O_RDWR | os.O_CREAT)
        try:
            os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)
    except OSError as error:
        shown = f"{path.parent.name}/{path.name}"  # below the project folder
        raise cannot_write(shown, error) from error
