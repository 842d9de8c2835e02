"""What a file of labels says: one row a vote, every value text, nothing yet compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

NONE = -1


@dataclass(frozen=True, slots=True)
class Column:
    """A column of text, each different value held once."""

    values: tuple[str, ...]
    """As written, in the order they first occur."""
    codes: NDArray[np.int32]
    """Shape (rows,): places in ``values``; -1 where the cell is blank."""

    @classmethod
    def of(cls, cells: Iterable[str | None]) -> Column:
        """Return the column of these cells; None is a blank one."""
        place: dict[str, int] = {}
        codes = [NONE if each is None else place.setdefault(each, len(place)) for each in cells]
        return cls(tuple(place), np.array(codes, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def cell(self, row: int) -> str | None:
        """Return one cell."""
        code = int(self.codes[row])
        return None if code == NONE else self.values[code]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Votes or rows that do not count, and the one reason why."""

    reason: str
    count: int
    examples: tuple[str, ...] = ()
    """Where the first of them stand: ``labels.csv:12``, or the ids of units."""


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes of one file, or of several read together."""

    shape: str
    """What was understood, for a person: ``long: a row a vote``, ``Label Studio JSON``."""
    unit: Column
    rater: Column
    label: Column
    question: Column | None = None
    """None: one question."""
    where: NDArray[np.int32] | None = None
    """Shape (rows,): the line of the file each vote stands on; None: not known."""
    shown: str = ""
    """The file as messages name it."""
    more: Mapping[str, Column] = field(default_factory=dict[str, Column])
    """Other columns of the unit, by name: what may be a cluster or a group to split by."""
    anonymous: bool = False
    """The raters are places in a cell and nobody in particular; only counts can be used."""
    sets: bool = False
    """A label is a JSON list of labels, sorted, each once."""
    said: tuple[str, ...] = ()
    """What was understood beyond the plain reading, in sentences."""
    left_out: tuple[LeftOut, ...] = ()
    skipped: tuple[LeftOut, ...] = ()
    """Units a rater skipped: neither a label nor missing by accident."""
    raters_set_aside: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name -> why it is no rater: ``final_label`` -> ``a final label is no rater``."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A file that holds counts and no single vote."""

    kind: Literal["confusion", "counts"]
    """``confusion``: rows and columns are two raters; ``counts``: a row a unit, a column a label."""
    shape: str
    categories: tuple[str, ...]
    table: NDArray[np.int64]
    raters: tuple[str, ...] = ()
    """Of a confusion matrix: what rows and columns are called."""
    units: tuple[str, ...] = ()
    shown: str = ""
    said: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    more: Mapping[str, Column] = field(default_factory=dict[str, Column])
