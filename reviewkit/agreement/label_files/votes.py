"""What a file of labels says: one row a vote, every value text, nothing yet compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

NONE = -1
EXAMPLES = 5
"""So many places are kept of what is left out for one reason."""


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

    @classmethod
    def stacked(cls, columns: Sequence[Column]) -> Column:
        """Return the cells of columns below one another as one column."""
        if len(columns) == 1:
            return columns[0]
        place: dict[str, int] = {}
        codes: list[NDArray[np.int32]] = []
        for column in columns:
            to = [place.setdefault(value, len(place)) for value in column.values]
            # a blank cell has the code -1, which picks the last place
            codes.append(np.array([*to, NONE], dtype=np.int32)[column.codes])
        return cls(tuple(place), np.concatenate(codes))

    def only(self, chosen: NDArray[np.bool_]) -> Column:
        """Return the chosen cells; values that none of them has are gone."""
        codes = self.codes[chosen]
        seen = np.zeros(len(self.values) + 1, dtype=np.bool_)
        seen[codes] = True
        used = np.flatnonzero(seen[:-1])
        if len(used) == len(self.values):
            return Column(self.values, codes)
        to = np.full(len(self.values) + 1, NONE, dtype=np.int32)
        to[used] = np.arange(len(used), dtype=np.int32)
        return Column(tuple(self.values[at] for at in used.tolist()), to[codes])

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
    """Name -> why it is no rater: ``final_label`` -> ``its name says 'final'``."""

    def only(self, chosen: NDArray[np.bool_]) -> Votes:
        """Return the chosen votes."""
        return replace(
            self, unit=self.unit.only(chosen), rater=self.rater.only(chosen),
            label=self.label.only(chosen),
            question=None if self.question is None else self.question.only(chosen),
            where=None if self.where is None else self.where[chosen],
            more={name: column.only(chosen) for name, column in self.more.items()},
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Counted:
    """A file that holds counts and no single vote."""

    kind: Literal["confusion", "counts"]
    """``confusion``: a row and a column a label, of two raters; ``counts``: a row a unit, a column
    a label."""
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
