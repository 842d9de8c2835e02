"""Tables that hold all ratings of a unit in one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import Asked, option
from reviewkit.agreement.label_files.tables.cells import MARKS, Ratings, counts_in, ratings_in
from reviewkit.agreement.label_files.tables.column_words import says
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.agreement.label_files.tables.looks import Looks, Shape, unit_columns
from reviewkit.agreement.label_files.tables.stacked import labels_of, with_units
from reviewkit.agreement.label_files.votes import EXAMPLES, NONE, Column, Counted, LeftOut, Votes

_FEW = 60
"""More labels than this in the cells of a column are words of a text."""
_SAMPLE = 300
"""So many different cells tell that a column of a large file holds no ratings."""
_ODD = 0.1
"""The share of cells that may be written otherwise, and are rejected one by one."""


@dataclass(frozen=True, slots=True)
class _Parsed:
    mark: str
    """What stands between labels; empty: lists or dictionaries."""
    ratings: tuple[Ratings | None, ...]
    """Of each value of the column."""
    named: bool
    repeats: bool
    """Whether a cell holds one label twice, as no set does."""
    several: float
    """The share of cells with two or more ratings."""


def cell_readings(looks: Looks) -> list[Shape]:
    """Return the ways to read the table with all ratings of a unit in one cell."""
    asked = looks.asked
    if asked.rater is not None or asked.sets:
        return []
    if asked.label is not None:
        names = looks.split(asked.label)
    else:
        names = tuple(name for name in looks.names if name and name not in looks.gold)
    shapes: list[Shape] = []
    for name in names:
        parsed = _parsed(looks.table.columns[name], asked)
        # who names the units is looked up for few columns, since it looks at all of them
        unit = () if parsed is None else unit_columns(looks, (name,))
        if parsed is None or name in unit:
            continue
        weight = _weight(parsed, said=says(name, "label") or asked.label is not None)
        if asked.shape == "cell":
            weight = max(weight, 1)
        beside = not parsed.named and not parsed.mark and _lists_beside(looks, name, unit)
        if beside and weight < 4 and asked.label is None and asked.shape is None:
            # lists side by side are each rater's sets of labels
            continue
        if weight:
            rater = None if parsed.named else _raters_beside(looks, name, parsed)
            who = "each with its rater" if parsed.named else "raters not named"
            who = who if rater is None else f"raters in the column {rater}"
            text = f"cell: all ratings of a unit in the column {name} ({who})"
            shapes.append(
                Shape(
                    "cell", text, (name,), unit, rater, set_aside=looks.gold,
                    option=option(shape="cell", label=name),
                    # no set holds a label twice, and lists side by side are seldom anything else
                    weight=4 if rater else 2 if beside else weight,
                )
            )  # fmt: skip
    return shapes


def _lists_beside(looks: Looks, name: str, unit: Sequence[str]) -> bool:
    """Return whether another column holds lists of the same labels."""
    own = looks.labels(name)
    for other in looks.others((name, *unit)):
        theirs = looks.labels(other)
        if len(own & theirs) * 2 < max(1, min(len(own), len(theirs))):
            continue
        values = [each for each in looks[other].values if each not in looks.no_rating]
        if all(ratings_in(each, "") is not None for each in values[:_SAMPLE]):
            return True
    return False


def _raters_beside(looks: Looks, name: str, parsed: _Parsed) -> str | None:
    """Return the column whose cells name the raters of another's labels, one for each."""
    for other in looks.names:
        if other == name or not says(other, "rater"):
            continue
        who = _parsed(looks[other], looks.asked)
        if who is not None and not who.named and (_sizes(who, looks[other]) == _sizes(
            parsed, looks[name]
        )).all():  # fmt: skip
            return other
    return None


def _sizes(parsed: _Parsed, column: Column) -> NDArray[np.int32]:
    """Return how many parts the cell of each row has."""
    sizes = [0 if each is None else len(each) for each in parsed.ratings]
    return np.array([*sizes, 0], dtype=np.int32)[column.codes]


def _weight(parsed: _Parsed, *, said: bool) -> int:
    """Return how much speaks for ratings: rater names, and labels that a set would not repeat."""
    if parsed.named and (not parsed.mark or said):
        return 4
    if parsed.repeats and parsed.several > 0.5 and (said or not parsed.mark):
        return 4
    if parsed.several > 0 and (said or not parsed.mark):
        return 2
    return 0


def _parsed(column: Column, asked: Asked) -> _Parsed | None:
    """Return what the cells hold; None when they hold no ratings."""
    times = np.bincount(column.codes[column.codes != NONE], minlength=len(column.values)).tolist()
    first = column.values[:_SAMPLE]
    if len(first) < len(column.values) and _parsed_values(first, times, asked) is None:
        return None
    return _parsed_values(column.values, times, asked)


def _parsed_values(cells: Sequence[str], times: Sequence[int], asked: Asked) -> _Parsed | None:
    """Return what different cells hold, each of which stands in ``times`` rows."""
    codes = {*asked.missing, *asked.skipped}
    values = [value for value in cells if value not in codes]
    rows = sum(number for value, number in zip(cells, times, strict=False) if value not in codes)
    if not values:
        return None
    for mark in ("", *MARKS):
        if mark and sum(mark in value for value in values) * 2 < len(values):
            continue
        found = tuple(None if value in codes else ratings_in(value, mark) for value in cells)
        kept = [
            (each, number) for each, number in zip(found, times, strict=False) if each is not None
        ]
        written = sum(number for _, number in kept)
        if not kept or rows - written > _ODD * rows:
            continue
        ratings = sum(len(each) * number for each, number in kept)
        labels = {label for each, _ in kept for _, label in each if label is not None}
        if len(labels) > _FEW or (mark and len(labels) * 2 > ratings):
            continue
        several = sum(number for each, number in kept if len(each) > 1) / max(1, written)
        named = all(rater is not None for each, _ in kept for rater, _ in each)
        repeats = any(len({label for _, label in each}) < len(each) for each, _ in kept)
        return _Parsed(mark, found, named, repeats, several)
    return None


def cell_votes(table: TextTable, shape: Shape, asked: Asked) -> Votes | Counted:
    """Return a vote for each rating in the cells; counts when the cells are counts of labels.

    A cell that is written otherwise than the rest is left out with its line.
    """
    kept, unit, left_out = with_units(table, shape)
    (name,) = shape.columns
    column = kept.columns[name]
    if counted := _counted(kept, shape, column, unit):
        return counted
    parsed = _parsed(column, asked)
    ratings: Sequence[Ratings | None] = parsed.ratings if parsed else [None] * len(column.values)
    odd = np.isin(column.codes, [at for at, each in enumerate(ratings) if each is None])
    odd &= ~np.isin(
        column.codes, [at for at, value in enumerate(column.values) if value in asked.missing]
    )
    if odd.any():
        where = tuple(kept.where(int(row), name) for row in np.flatnonzero(odd)[:EXAMPLES])
        left_out = (*left_out, LeftOut("not written as the other cells", int(odd.sum()), where))
    each_row: list[Ratings] = [
        () if code == NONE else ratings[code] or () for code in column.codes.tolist()
    ]
    rows = np.repeat(np.arange(kept.rows), [len(each) for each in each_row])
    named = bool(parsed and (parsed.named or shape.rater))
    if shape.rater is not None:
        each_row = _with_raters(kept.columns[shape.rater], each_row, asked)
    who = Column.of(
        rater if named else f"rating {at}"
        for each in each_row
        for at, (rater, _) in enumerate(each, start=1)
    )
    label, sets = labels_of(Column.of(label for each in each_row for _, label in each), asked)
    more = {
        other: Column(column.values, column.codes[rows])
        for other, column in kept.columns.items()
        if other not in (name, shape.rater, *shape.unit)
    }
    return Votes(
        shape=shape.text, unit=Column(unit.values, unit.codes[rows]), rater=who, label=label,
        where=kept.lines[rows], shown=table.shown, more=more, anonymous=not named, sets=sets,
        said=(*table.said, *shape.said), left_out=left_out,
        raters_set_aside=dict(shape.set_aside or {}),
    )  # fmt: skip


def _with_raters(column: Column, each_row: list[Ratings], asked: Asked) -> list[Ratings]:
    """Return the ratings of each row with the raters of the cell beside them."""
    parsed = _parsed(column, asked)
    names: Sequence[Ratings | None] = parsed.ratings if parsed else []
    found: list[Ratings] = []
    for code, ratings in zip(column.codes.tolist(), each_row, strict=True):
        who: list[str | None] = []
        if code != NONE:
            who = [rater for _, rater in names[code] or ()]
        labels = [label for _, label in ratings]
        found.append(tuple(zip(who, labels, strict=True)))
    return found


def _counted(table: TextTable, shape: Shape, column: Column, unit: Column) -> Counted | None:
    """Return the counts when every cell is a dictionary of counts: equal sums, two or more.

    ``{"yes": 2, "no": 1}`` is one, and ``{"ann": 1, "bob": 1}`` is two raters' labels.
    """
    cells = [counts_in(value) for value in column.values]
    found = [each for each in cells if each is not None]
    sums = {sum(each.values()) for each in found}
    keys = {frozenset(each) for each in found}
    if not found or len(found) < len(cells) or len(sums) > 1 or max(sums) < 2:
        return None
    if len(keys) == 1 and len(found) < 3:
        return None
    categories = tuple(dict.fromkeys(label for each in found for label in each))
    blank = column.codes == NONE
    counts = np.zeros((len(found) + 1, len(categories)), dtype=np.int64)
    for at, each in enumerate(found):
        for label, number in each.items():
            counts[at, categories.index(label)] = number
    said = (*table.said, *shape.said, "the cells are read as counts of labels")
    return Counted(
        "counts", shape.text, categories, counts[column.codes],
        units=tuple(unit.values[code] for code in unit.codes.tolist()), shown=table.shown,
        said=(*said, f"{int(blank.sum())} cells are blank") if blank.any() else said,
        more={
            name: each
            for name, each in table.columns.items()
            if name not in (*shape.columns, *shape.unit)
        },
    )  # fmt: skip
