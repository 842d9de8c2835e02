"""Tables that hold counts and no votes: a confusion matrix, and a table of counts per unit."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tables.column_words import numbered_rater, says
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.agreement.label_files.tables.looks import (
    Looks,
    Shape,
    listed,
    plain_label,
    unit_columns,
)
from reviewkit.agreement.label_files.tables.stacked import with_units
from reviewkit.agreement.label_files.votes import NONE, Column, Counted
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.tables import capped

_BETWEEN = re.compile(r"\\|/| vs\.? | x | × ", re.IGNORECASE)
_MARGIN = 10
"""A confusion matrix has not many more rows than twice its columns."""
Counts = NDArray[np.int64]


def confusion_readings(looks: Looks) -> list[Shape]:
    """Return the reading as a confusion matrix: rows and columns name the same labels."""
    first, *rest = looks.names
    if len(rest) < 2 or looks.table.rows > 2 * len(looks.names) + _MARGIN:
        return []
    free = [name for name in rest if name and looks.counts(name) is not None]
    inner = _without_sums(looks, free)
    rows = {plain_label(value) for value in looks[first].values if not says(value, "total")}
    rows |= {plain_label(value) for value in looks[first].values if value in inner}
    common = rows & {plain_label(name) for name in inner}
    shorter = min(len(rows), len(inner))
    forced = looks.asked.shape == "confusion"
    if len(inner) < 2 or (
        not forced
        and (len(common) < max(2, shorter) or len(free) < len(rest) or not _labels(looks[first]))
    ):
        return []
    raters = _raters(first)
    text = f"confusion: a matrix of two raters' counts ({raters[0]} by row, {raters[1]} by column)"
    return [
        Shape("confusion", text, tuple(inner), (first,), option="--shape confusion", weight=5)
    ]  # fmt: skip


def _labels(column: Column) -> bool:
    """Return whether every row names a label of its own; the row of sums may have no name."""
    return len(column.values) >= len(column) - 1


def _without_sums(looks: Looks, names: list[str]) -> list[str]:
    """Return the columns of counts that are not the sum of the others."""
    sums = [name for name in names if says(name, "total")]
    for name in sums:
        others = [each for each in names if each != name]
        whole = looks.counts(name)
        if (
            len(others) > 1
            and whole is not None
            and (np.maximum(_stack(looks, others), 0).sum(1) == whole).all()
        ):
            return others
    return names


def _raters(corner: str) -> tuple[str, str]:
    """Return what rows and columns are called: the corner may say ``ann / bob``."""
    said = corner.strip()
    found = _BETWEEN.search(said, 1)
    if found is None or "\n" in said or found.end() == len(said):
        return "rows", "columns"
    return said[: found.start()].rstrip(), said[found.end() :].lstrip()


def confusion_of(table: TextTable, shape: Shape, asked: Asked) -> Counted:
    """Return the confusion matrix, its labels in one order for rows and columns.

    A label that only one of the two sides has gets a row or column of zeros. Sums at the edge are
    left out when they are the sums.

    Raises:
        ProblemsFound: For every cell that is no count, and for doubled labels.
    """
    (corner,) = shape.unit
    named, said = _without_sum_row(table, corner, shape.columns)
    cells = _cells(named, shape.columns)
    by_row = [named.columns[corner].cell(row) or "" for row in range(named.rows)]
    same = {plain_label(name): name for name in reversed([*shape.columns, *by_row])}
    categories = tuple(dict.fromkeys(same[plain_label(each)] for each in (*by_row, *shape.columns)))
    if asked.categories and {*categories} <= {*asked.categories}:
        categories = asked.categories
    place = {plain_label(name): at for at, name in enumerate(categories)}
    rows = [place[plain_label(each)] for each in by_row]
    columns = [place[plain_label(each)] for each in shape.columns]
    if len({*rows}) < len(rows):
        wrong = "names a label in two rows"
        raise ProblemsFound([Problem(f"{table.shown} {corner}", wrong, "keep one row a label")])
    whole = np.zeros((len(categories), len(categories)), dtype=np.int64)
    whole[np.ix_(rows, columns)] = cells
    lacking = [name for name in categories if place[plain_label(name)] not in {*rows} & {*columns}]
    if lacking:
        said.append(f"given by one rater only: {listed(lacking)}")
    dropped = [each for each in table.columns if each not in (*shape.columns, corner)]
    said += [f"column {each!r} is a sum and left out" for each in dropped if each]
    raters = asked.raters if len(asked.raters) == 2 else _raters(corner)
    return Counted(
        "confusion", shape.text, categories, whole, raters=raters, shown=table.shown,
        said=(*table.said, *said),
    )  # fmt: skip


def _without_sum_row(
    table: TextTable, corner: str, columns: tuple[str, ...]
) -> tuple[TextTable, list[str]]:
    """Return the rows that are labels: a row named for a sum that is the sum is none."""
    names = table.columns[corner]
    sums = [
        at for at, value in enumerate(names.values) if says(value, "total") and value not in columns
    ]
    blank = names.codes == NONE
    edge = np.isin(names.codes, sums) | blank
    if not edge.any() or edge.all():
        return table, []
    inner = table.only(~edge)
    cells = _cells(inner, columns).sum(axis=0)
    if (_cells(table.only(edge), columns) == cells).all():
        return inner, [f"row {table.where(int(np.flatnonzero(edge)[0]))} is a sum and left out"]
    if blank.any():
        where = table.where(int(np.flatnonzero(blank)[0]), corner)
        raise ProblemsFound([Problem(where, "names no label", "write the label of this row")])
    return table, []


def count_readings(looks: Looks) -> list[Shape]:
    """Return the reading as counts: a row a unit, a column a category, every cell a count.

    Whole numbers may as well be the labels of raters. Equal sums in rows that differ speak for
    counts, names of raters against them; a row of zeros, a table without any zero, or one with
    nothing above one, is more likely one of labels.
    """
    asked = looks.asked
    unit = unit_columns(looks)
    free = [name for name in looks.names if name and name not in unit and name not in looks.gold]
    numbers = [name for name in free if looks.counts(name) is not None]
    if asked.categories and {*asked.categories} <= {*numbers}:
        return [_counts_shape(looks, unit, asked.categories, 6)]
    inner = _without_sums(looks, numbers)
    adds_up = len(inner) < len(numbers)
    if len(inner) < 2:
        return []
    table = _stack(looks, inner)
    blank = bool((table < 0).any())
    table = np.maximum(table, 0)
    given = table.sum(axis=1)
    if asked.shape == "counts":
        return [_counts_shape(looks, unit, tuple(inner), 9)]
    raters = any(
        numbered_rater(each) or says(each, "rater") or (says(each, "label") and says(each, "unit"))
        for each in inner
    )
    if raters or (given < 1).any() or (given < 2).mean() > 0.5:
        return []
    patterns = len(np.unique(table, axis=0))
    several = bool((table > 1).any())
    steady = bool((given == given[0]).all()) and patterns >= 3 and several
    if steady or adds_up:
        return [_counts_shape(looks, unit, tuple(inner), 4)]
    # ones throughout, with no id beside them, say nothing of what they are
    ones = not unit and bool((table == 1).all())
    possible = not blank and (ones or (several and bool((table == 0).any())))
    return [_counts_shape(looks, unit, tuple(inner), 2)] if possible else []


def _counts_shape(
    looks: Looks, unit: tuple[str, ...], categories: tuple[str, ...], weight: int
) -> Shape:
    return Shape(
        "counts", f"counts: a row a unit, a column a category ({listed(categories)})", categories,
        unit, option="--shape counts", weight=weight, set_aside=looks.gold,
    )  # fmt: skip


def _stack(looks: Looks, names: list[str]) -> Counts:
    empty = np.zeros(looks.table.rows, dtype=np.int64)
    columns = [looks.counts(name) for name in names]
    return np.stack([empty if each is None else each for each in columns], axis=1)


def counts_of(table: TextTable, shape: Shape, asked: Asked) -> Counted:
    """Return how often each category was given to each unit; a blank cell is none.

    Raises:
        ProblemsFound: For every cell that is no count.
    """
    kept, unit, left_out = with_units(table, shape)
    cells = _cells(kept, shape.columns)
    said: list[str] = []
    blank = sum(int((kept.columns[name].codes == NONE).sum()) for name in shape.columns)
    if blank:
        said.append(f"{blank} blank cells are read as a count of 0")
    more = {
        name: column
        for name, column in kept.columns.items()
        if name not in shape.unit and name not in shape.columns
    }
    categories = shape.columns
    if asked.categories and {*categories} <= {*asked.categories}:
        wider = np.zeros((kept.rows, len(asked.categories)), dtype=np.int64)
        wider[:, [asked.categories.index(name) for name in categories]] = cells
        categories, cells = asked.categories, wider
    names = tuple(unit.values[code] for code in unit.codes.tolist())
    return Counted(
        "counts", shape.text, categories, cells, units=names, shown=table.shown,
        said=(*table.said, *shape.said, *said), left_out=left_out, more=more,
    )  # fmt: skip


def _cells(kept: TextTable, columns: tuple[str, ...]) -> Counts:
    """Return the cells as counts, shape (rows, columns)."""
    looks = Looks(kept, Asked())
    problems: list[Problem] = []
    found: list[Counts] = []
    for name in columns:
        counts = looks.counts(name)
        if counts is None:
            problems += _no_counts(kept, name, kept.columns[name])
            continue
        found.append(np.maximum(counts, 0))
    if problems:
        raise ProblemsFound(capped(problems))
    return np.stack(found, axis=1)


def _no_counts(table: TextTable, name: str, column: Column) -> list[Problem]:
    return [
        Problem(table.where(row, name), f"{value!r} is no count", "write a whole number of ratings")
        for row, code in enumerate(column.codes.tolist())
        if code != NONE and not re.fullmatch(r"\s*\+?\d{1,9}(?:\.0+)?\s*", column.values[code])
        for value in (column.values[code],)
    ]
