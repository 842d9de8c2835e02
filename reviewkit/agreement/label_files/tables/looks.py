"""What the columns of a table look like: which hold ids, labels, counts, and who is no rater."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import Asked, ShapeName, names_in
from reviewkit.agreement.label_files.tables.cells import set_in
from reviewkit.agreement.label_files.tables.column_words import rank, says, why_no_rater, words_of
from reviewkit.agreement.label_files.tables.delimited import TextTable, plain_name
from reviewkit.agreement.label_files.votes import NONE, Column
from reviewkit.problems import Problem, ProblemsFound

_MANY = 200
"""A column with more different values than this holds no labels, unless its name says so."""
_COUNT = re.compile(r"\+?\d{1,9}(?:\.0+)?")
_NUMBER = re.compile(r"\s*[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)\s*")
_BOOLEANS = {"1": "true", "yes": "true", "y": "true", "0": "false", "no": "false", "n": "false"}


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to read a table."""

    name: ShapeName
    text: str
    """For a person: ``wide: a column a rater (Rater1, Rater2)``."""
    columns: tuple[str, ...]
    """wide: the raters; long, a file a rater, cell: the labels; tasks: the blocks; rater-rows: the
    units; counts and confusion: the categories."""
    unit: tuple[str, ...] = ()
    """The columns that name a unit together; empty: rows are units."""
    rater: str | None = None
    question: str | None = None
    blocks: Mapping[str, tuple[str, str]] | None = None
    """tasks: column -> (rater, question)."""
    set_aside: Mapping[str, str] | None = None
    """Column -> why it is no rater."""
    said: tuple[str, ...] = ()
    option: str = ""
    """What to write to ask for this reading."""
    weight: int = 0
    """How much speaks for it: 1 possible, 2 by its labels, 3 by its names, 4 unmistakable."""


class Looks:
    """A table and what was declared about it."""

    def __init__(self, table: TextTable, asked: Asked) -> None:
        self.table = table
        self.asked = asked
        self.no_rating = {*asked.missing, *asked.skipped}
        self._kinds: dict[str, frozenset[str]] = {}
        self._counts: dict[str, NDArray[np.int64] | None] = {}
        self.gold = {
            name: why
            for name in table.columns
            if name not in asked.raters
            and (why := "it is declared gold" if name in asked.gold else why_no_rater(name))
        }
        """Columns that are final, gold or agreed labels, and why."""

    def __getitem__(self, name: str) -> Column:
        return self.table.columns[name]

    @property
    def names(self) -> tuple[str, ...]:
        """Every column."""
        return tuple(self.table.columns)

    def filled(self, name: str) -> NDArray[np.bool_]:
        """Return the rows where the cell is neither blank nor a declared code for no rating."""
        column = self[name]
        rated = column.codes != NONE
        for code in self.no_rating & {*column.values}:
            rated &= column.codes != column.values.index(code)
        return rated

    def labels(self, name: str) -> frozenset[str]:
        """Return the values of a column, folded; empty when they are too many to be labels."""
        if name not in self._kinds:
            values = self[name].values
            few = len(values) <= _MANY
            rated = [value for value in (values if few else ()) if value not in self.no_rating]
            sets = [set_in(value, declared=bool(self.asked.sets)) for value in rated]
            if self.asked.sets is not False and rated and None not in sets:
                # sets share labels although they are seldom equal
                rated = [label for each in sets for label in each or ()] or rated
            self._kinds[name] = frozenset(map(folded, rated))
        return self._kinds[name]

    def unique(self, name: str) -> bool:
        """Return whether every row has a value of its own."""
        return len(self[name].values) == self.table.rows and not (self[name].codes == NONE).any()

    def counts(self, name: str) -> NDArray[np.int64] | None:
        """Return a column as counts, shape (rows,), -1 where blank; None when it holds others."""
        if name not in self._counts:
            values = self[name].values
            found = None
            first = values[:100]
            if all(map(_is_count, first)) and all(map(_is_count, values)):
                numbers = [int(value.strip().split(".")[0]) for value in values]
                found = np.array([*numbers, NONE], dtype=np.int64)[self[name].codes]
            self._counts[name] = found
        return self._counts[name]

    def split(self, declared: str) -> tuple[str, ...]:
        """Return the columns that an option names: one, or several with commas between them."""
        whole = plain_name(declared)
        if whole in self.table.columns:
            return (whole,)
        return tuple(map(plain_name, names_in(declared))) or (whole,)

    def label_columns(self, used: Iterable[str]) -> tuple[str, ...]:
        """Return the columns that are labels by name; those by a lesser word when there is none."""
        free = [
            each
            for each in self.others(used)
            if len(self[each].values) <= self.most(each) and not self.texts(each)
        ]
        for kind in ("label", "label_too"):
            said = [each for each in free if says(each, kind)]
            if exact := [each for each in said if len(words_of(each)) == 1]:
                return tuple(exact)
            if said:
                return tuple(said)
        return ()

    def texts(self, name: str) -> bool:
        """Return whether a column holds a text of its own in every row, and no number."""
        return (
            self.table.rows >= 5
            and self.unique(name)
            and not all(map(_NUMBER.fullmatch, self[name].values[:100]))
        )

    def most(self, name: str) -> int:
        """Return how many different values a column of labels may have."""
        return max(_MANY, self.table.rows // 2) if says(name, "label") else _MANY

    def others(self, used: Iterable[str]) -> list[str]:
        """Return the columns that may hold labels of a rater, besides those in use.

        What units are clustered, split or compared by is declared to be none.
        """
        asked = self.asked
        taken = {*used, *self.gold, asked.cluster, *asked.by, *asked.compare}
        return [
            name
            for name in self.names
            if name
            and name not in taken
            and len(self[name].values)
            and not any(says(name, kind) for kind in ("beside", "total"))
        ]


def _is_count(value: str) -> bool:
    return _COUNT.fullmatch(value.strip()) is not None


def plain_label(label: str) -> str:
    """Return a label without case, odd spaces and characters of no width."""
    return unicodedata.normalize("NFKC", plain_name(label)).casefold()


def folded(label: str) -> str:
    """Return a label as it is compared when columns are told apart, booleans in one spelling."""
    plain = plain_label(label).removesuffix(".0")
    return _BOOLEANS.get(plain, plain)


def no_such_columns(table: TextTable, asked: Asked) -> list[Problem]:
    """Return a problem for each declared column that the table does not have."""
    problems: list[Problem] = []
    known = [name for name in table.columns if name]
    looks = Looks(table, asked)
    for option in ("unit", "rater", "label", "question"):
        declared: str | None = getattr(asked, option)
        for name in () if declared is None else looks.split(declared):
            if name not in table.columns:
                near = get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"it has {listed(known)}"
                problems.append(
                    Problem(f"{table.shown}:1", f"has no column {name!r} (--{option})", hint)
                )
    return problems


def shared_rows(table: TextTable, *names: str) -> NDArray[np.int64]:
    """Return one number for each row, equal exactly where all these columns are equal."""
    key = np.zeros(table.rows, dtype=np.int64)
    for name in names:
        column = table.columns[name]
        key = key * (len(column.values) + 1) + column.codes + 1
        if key.max(initial=0) > 2**40:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    return key


def all_different(key: NDArray[np.int64]) -> bool:
    """Return whether no two rows have the same number."""
    ordered = np.sort(key)
    return not bool((ordered[1:] == ordered[:-1]).any())


def unit_columns(looks: Looks, used: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the column that names the units where a row is a unit; empty when rows must do.

    A column with an id by name and one value a row comes first, then texts, then a first column
    that is different in every row.
    """
    if looks.asked.unit is not None:
        return looks.split(looks.asked.unit)
    taken = {*used}
    free = [name for name in looks.names if name not in taken and name not in looks.gold]
    for kind, unique in (("unit", True), ("text", True), ("unit", False)):
        found = [
            (at, name)
            for name in free
            if (at := rank(name, kind)) is not None
            and not says(name, "rater")
            and (looks.unique(name) if unique else _repeats_little(looks, name))
        ]
        if found:
            return (min(found, key=lambda each: each[0])[1],)
    first = looks.names[0]
    return (first,) if first in free and _names_rows(looks, first) else ()


def _names_rows(looks: Looks, first: str) -> bool:
    """Return whether a first column of any name is different in every row, and holds no labels.

    Labels stand in other columns as well; numbers that count the rows may do so too.
    """
    if not looks.unique(first):
        return False
    others = frozenset[str]().union(*(looks.labels(each) for each in looks.names[1:]))
    counts = looks.counts(first)
    counted = counts is not None and bool((np.diff(counts) == 1).all()) and len(counts) > 2
    return not first or counted or not looks.labels(first) & others


def _repeats_little(looks: Looks, name: str) -> bool:
    """Return whether a column may name the units although some of them come twice."""
    return looks.table.rows < 3 or len(looks[name].values) * 2 > looks.table.rows


def listed(names: Iterable[str], most: int = 8) -> str:
    """Return names for a sentence, the first eight and how many more."""
    names = list(names)
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def refuse(table: TextTable, wrong: str, remedy: str) -> ProblemsFound:
    """Return the refusal of a table as a whole."""
    return ProblemsFound([Problem(f"{table.shown}:1", wrong, remedy)])
