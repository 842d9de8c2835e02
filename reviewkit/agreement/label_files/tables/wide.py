"""Wide tables: a column a rater; and their mirror image, a row a rater and a column a unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import Asked, option
from reviewkit.agreement.label_files.tables.column_words import numbered_rater, says, words_of
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.agreement.label_files.tables.looks import Looks, Shape, listed, unit_columns
from reviewkit.agreement.label_files.tables.stacked import (
    labels_of,
    named,
    repeated,
    unit_and_label,
    without_blank,
)
from reviewkit.agreement.label_files.votes import NONE, Column, Votes

_ROWS_FOR_A_RULE = 10
"""With fewer rows what columns have in common, or follow from, may be chance."""
_ROW = 4
"""With fewer columns a row is too short to tell whose labels it holds."""
_MANY = 6
"""More raters than this are not written into an option when ``--shape`` says it too."""
_MOST_PEOPLE = 200
"""With more rows a table that names nobody as a rater has units in its rows."""


def wide_readings(looks: Looks) -> list[Shape]:
    """Return the ways to read the table with a column a rater."""
    if looks.asked.raters and {*looks.asked.raters} <= {*looks.names}:
        return [_shape(looks, looks.asked.raters, {}, 9)]
    if looks.asked.raters and looks.asked.shape != "wide":
        return []
    unit = unit_columns(looks)
    free = [name for name in looks.others(unit) if _may_rate(looks, name)]
    families = rater_families(free)
    if len(families) == 1:
        chosen = families[0]
        return [_shape(looks, chosen, _kin(looks, free, chosen), 3)]
    if families:
        return []
    plain = [name for name in free if not says(name, "rater")]
    if not unit:
        plain = [name for name in plain if not _ids(name)]
    groups = [each for each in _alike_groups(looks, plain) if len(each) > 1]
    shared = _with_a_shared_label(looks, plain)
    if looks.table.rows < _ROWS_FOR_A_RULE and _rows_alike(looks, shared):
        # in so few rows columns of one kind may have few labels in common
        groups = [tuple(shared)]
    return [
        _shape(
            looks, group, _kin(looks, free, group),
            1 if all(says(name, "question") for name in group) else 2,
            alone=len(groups) == 1,
        )
        for group in groups
    ]  # fmt: skip


def _ids(name: str) -> bool:
    """Return whether a column is called an id and no more: it holds units, though they repeat."""
    return len(words_of(name)) == 1 and says(name, "unit")


def _kin(looks: Looks, names: Sequence[str], raters: Sequence[str]) -> dict[str, str]:
    """Return the other columns that hold labels of the raters, and why they are none."""
    kin = [name for name in names if name not in raters and _alike(looks, name, raters)]
    why = f"it is named unlike the raters {listed(raters)}; name it in --raters if it is one"
    return dict.fromkeys(kin, why)


def _may_rate(looks: Looks, name: str) -> bool:
    """Return whether a column may hold one rater's labels, and is no text of its own in each row.

    A scale of many points may differ in every row, so numbers and columns named for a rater pass.
    """
    if says(name, "rater") and says(name, "unit") and not any(map(str.isdecimal, words_of(name))):
        return False
    if looks.texts(name):
        return False
    return (
        bool(looks.labels(name))
        or numbered_rater(name)
        or says(name, "rater")
        or says(name, "label")
    )


def rater_families(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the sets of names that differ in one word and share one for raters or labels.

    ``Rater1, Rater2`` and ``coder_ann, coder_bob`` are families, ``label_1, label_2`` too;
    ``label_toxic, label_rude`` may as well be two questions, and is none.
    """
    found: dict[tuple[str | None, ...], list[str]] = {}
    for name in names:
        words = words_of(name)
        if numbered_rater(name):
            found.setdefault((words[0], None), []).append(name)
            continue
        for at, word in enumerate(words):
            rest = " ".join((*words[:at], *words[at + 1 :]))
            numbered = word.isdecimal() or len(word) == 1
            if says(rest, "rater") or (numbered and says(rest, "label") and rest):
                found.setdefault((*words[:at], None, *words[at + 1 :]), []).append(name)
    families = {tuple(each) for each in found.values() if len(each) > 1}
    largest = [each for each in families if not any({*each} < {*other} for other in families)]
    return sorted(largest, key=lambda each: names.index(each[0]))


def _alike(looks: Looks, name: str, others: Sequence[str]) -> bool:
    shared = frozenset[str]().union(*(looks.labels(each) for each in others))
    return bool(looks.labels(name)) and looks.labels(name) <= shared


def _alike_groups(looks: Looks, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the columns grouped by the labels they share: at least half of the shorter list."""
    groups: list[list[str]] = []
    for name in names:
        labels = looks.labels(name)
        near = [
            group
            for group in groups
            if any(
                len(labels & looks.labels(each)) * 2 >= min(len(labels), len(looks.labels(each)))
                for each in group
            )
        ]
        groups = [group for group in groups if group not in near]
        groups.append([*(each for group in near for each in group), name])
    return [tuple(sorted(group, key=names.index)) for group in groups if looks.labels(group[0])]


def _with_a_shared_label(looks: Looks, names: Sequence[str]) -> list[str]:
    """Return the columns that share a label with another; a topic of the unit shares none.

    Points of one scale may all differ in few rows, so numbers beside numbers pass.
    """
    numbers = [name for name in names if looks.counts(name) is not None]
    return [
        name
        for name in names
        if (name in numbers and len(numbers) > 1)
        or any(looks.labels(name) & looks.labels(each) for each in names if each != name)
    ]


def _rows_alike(looks: Looks, names: Sequence[str]) -> bool:
    """Return whether the rows share labels, each of them several, as raters on one scale do."""
    if looks.table.rows < 2 or len(names) < _ROW:
        return False
    columns = [looks[name] for name in names]
    rows = [
        {cell for column in columns if (cell := column.cell(row)) is not None}
        for row in range(looks.table.rows)
    ]
    given = sum(int((column.codes != NONE).sum()) for column in columns)
    if len(set[str]().union(*rows)) * 2 > given:
        return False
    return all(
        len(one & set[str]().union(*(other for other in rows if other is not one))) * 2 >= len(one)
        for one in rows
    )


def _shape(
    looks: Looks, raters: Sequence[str], aside: dict[str, str], weight: int, *, alone: bool = False
) -> Shape:
    asked = looks.asked
    if weight < 9:
        told = _follows(looks, raters)
        raters = [name for name in raters if name not in told]
        aside = {**aside, **told}
    unit = unit_columns(looks, raters)
    gold = {name: why for name, why in looks.gold.items() if name not in raters}
    return Shape(
        "wide", f"wide: a column a rater ({listed(raters)})", tuple(raters), unit,
        set_aside={**gold, **aside}, said=(*_said(unit, looks), *_blank(looks, raters)),
        option=option(shape="wide")
        if alone and len(raters) > _MANY
        else option(raters=raters, unit=asked.unit or ""),
        weight=weight if len(raters) > 1 or weight == 9 else 0,
    )  # fmt: skip


def _said(unit: Sequence[str], looks: Looks) -> tuple[str, ...]:
    if not unit:
        return (f"no column of {looks.table.shown} names the units, so each row is one",)
    return () if unit[0] else ("the first column has no name and names the units",)


def _blank(looks: Looks, raters: Sequence[str]) -> tuple[str, ...]:
    """Return the sentence on columns without any cell: one may be that of a rater."""
    blank = [
        repr(name)
        for name in looks.names
        if name and name not in raters and not len(looks[name].values)
    ]
    if not blank:
        return ()
    columns, are = ("column", "is") if len(blank) == 1 else ("columns", "are")
    return (f"{columns} {listed(blank)} of {looks.table.shown} {are} blank from top to bottom",)


def _follows(looks: Looks, names: Sequence[str]) -> dict[str, str]:
    """Return the last column when it only says whether all others are equal."""
    if len(names) < 3 or looks.table.rows < _ROWS_FOR_A_RULE:
        return {}
    *others, last = names
    codes = Column.stacked([looks[name] for name in others]).codes.reshape(len(others), -1)
    rated = looks.filled(last) & (codes != NONE).all(axis=0)
    equal = (codes == codes[0]).all(axis=0)[rated]
    told = looks[last].codes[rated]
    if not equal.any() or equal.all() or len(np.unique(told)) != 2:
        return {}
    when = {bool(same): np.unique(told[equal == same]) for same in (True, False)}
    if len(when[True]) == 1 and len(when[False]) == 1:
        return {last: "it only says whether the other columns are equal"}
    return {}


def wide_votes(table: TextTable, shape: Shape, asked: Asked) -> Votes:
    """Return a vote for each cell of the raters' columns, blank ones too."""
    return unit_and_label(table, asked, shape, [(name, name, "") for name in shape.columns])


def rater_rows_readings(looks: Looks) -> list[Shape]:
    """Return the ways to read the table with a row a rater and a column a unit.

    A column named for raters says so. Where no column is, and the table is wider than long, its
    first column may hold raters as well as units.
    """
    asked = looks.asked
    forced = asked.shape == "rater-rows"
    if asked.rater is not None:
        found = [looks.split(asked.rater)[0]]
    else:
        found = [name for name in looks.names if says(name, "rater") and looks.unique(name)]
        found = [name for name in found if name not in looks.gold]
        if rater_families([name for name in looks.names if says(name, "rater")]):
            found = []
    weight = 3
    if len(found) != 1:
        found, weight = list(looks.names[:1]), 2
    (who,) = found
    free = [name for name in looks.others((who,)) if looks.labels(name)]
    if not looks.unique(who) or not free:
        return []
    if weight == 2 and all(says(name, "question") for name in free):
        weight = 1
    if not forced and (asked.unit is not None or not _units_side_by_side(looks, who, free, weight)):
        return []
    text = (
        f"rater-rows: a row a rater ({who or 'the first column'}), a column a unit ({listed(free)})"
    )
    return [
        Shape(
            "rater-rows", text, tuple(free), (), who, set_aside=looks.gold, weight=weight,
            option=option(shape="rater-rows", rater=who if weight == 3 else ""),
        )
    ]  # fmt: skip


def _units_side_by_side(looks: Looks, who: str, free: Sequence[str], weight: int) -> bool:
    """Return whether the columns may be units: they share labels, or the rows do."""
    named = any(says(name, "unit") for name in looks.names if name != who and name not in free)
    if weight > 2:
        groups = [each for each in _alike_groups(looks, free) if len(each) > 1]
        one = len(groups) == 1 and len(groups[0]) == len(free)
        return not named and (one or _few_alike(looks, free))
    if named or says(who, "unit") or says(who, "text"):
        return False
    return len(free) > looks.table.rows and _few_alike(looks, free)


def _few_alike(looks: Looks, free: Sequence[str]) -> bool:
    return looks.table.rows <= _MOST_PEOPLE and _rows_alike(looks, free)


def rater_rows_votes(table: TextTable, shape: Shape, asked: Asked) -> Votes:
    """Return a vote for each cell of the units' columns."""
    who = shape.rater or ""
    kept, left_out = without_blank(table, (who,), "no rater is named")
    label, sets = labels_of(Column.stacked([kept.columns[name] for name in shape.columns]), asked)
    where: NDArray[np.int32] = np.tile(kept.lines, len(shape.columns))
    return Votes(
        shape=shape.text, unit=named(shape.columns, kept.rows),
        rater=repeated(kept.columns[who], len(shape.columns)), label=label, sets=sets,
        where=where, shown=table.shown, said=(*table.said, *shape.said), left_out=left_out,
    )  # fmt: skip
