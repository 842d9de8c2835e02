"""Tables with a row a vote (unit, rater, label), and files of one rater (unit, label)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import Asked, option
from reviewkit.agreement.label_files.tables.column_words import rank, says, words_of
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.agreement.label_files.tables.looks import (
    Looks,
    Shape,
    all_different,
    listed,
    shared_rows,
    unit_columns,
)
from reviewkit.agreement.label_files.tables.stacked import unit_and_label
from reviewkit.agreement.label_files.tables.wide import rater_families
from reviewkit.agreement.label_files.votes import Votes


def long_readings(looks: Looks) -> list[Shape]:
    """Return the ways to read the table with a row a vote."""
    who = _rater_column(looks)
    if who is None:
        return []
    asked = looks.asked
    question = None if asked.question is None else looks.split(asked.question)[0]
    unit = _unit_of_votes(looks, who, question)
    if not unit:
        return []
    table = looks.table
    # a name in nearly every row, and every unit once, is that of the author of a text
    once = all_different(shared_rows(table, *unit)) and asked.rater is None
    if once and (len(looks[who].values) * 2 > table.rows or _says_labels(looks, who)):
        return []
    if question is None and not all_different(shared_rows(table, *unit, who)):
        said = [name for name in looks.others((*unit, who)) if says(name, "question")]
        apart = [name for name in said if all_different(shared_rows(table, *unit, who, name))]
        question = apart[0] if apart else None
    used = (*unit, who) if question is None else (*unit, who, question)
    return [
        Shape(
            "long", _long_text(unit, who, labels, question), labels, unit, who, question,
            set_aside=looks.gold, weight=9 if asked.rater and asked.label else 3,
            option=option(unit=unit, rater=who, label=labels),
        )
        for labels in _label_choices(looks, used, unit)
    ]  # fmt: skip


def _long_text(unit: Sequence[str], who: str, labels: Sequence[str], question: str | None) -> str:
    parts = f"unit {' + '.join(unit) or 'row'}, rater {who}, label {listed(labels)}"
    return f"long: a row a vote ({parts}{f', question {question}' if question else ''})"


def _rater_column(looks: Looks) -> str | None:
    """Return the column that says who rated, by name; None when no column or several do."""
    if looks.asked.rater is not None:
        return looks.split(looks.asked.rater)[0]
    found = [
        (at, name)
        for name in looks.names
        if (at := rank(name, "rater")) is not None
        and name not in looks.gold
        and not says(name, "total")
        and not says(name, "beside")
        # rater_label is a label; one word may hold both, as in Japanese
        and not any(says(word, "label") and not says(word, "rater") for word in words_of(name))
    ]
    if not found or rater_families([name for _, name in found]):
        return None
    return min(found, key=lambda each: each[0])[1]


def _says_labels(looks: Looks, name: str) -> bool:
    """Return whether all that a column named for a rater holds are the labels of another column.

    Where every unit stands once, ``expert`` beside ``ann`` and ``bob`` is the column of one rater.
    """
    held = looks.labels(name)
    others = [each for each in looks.names if each != name and not says(each, "rater")]
    return bool(held) and any(held <= looks.labels(each) for each in others)


def _unit_of_votes(looks: Looks, who: str, question: str | None) -> tuple[str, ...]:
    """Return the columns of units: of those with an id by name, the first a rater meets once.

    When a rater meets each of them more often, and all of them together once, they do together.
    """
    if looks.asked.unit is not None:
        return looks.split(looks.asked.unit)
    more = () if question is None else (question,)
    for kind in ("unit", "text"):
        found = sorted(
            (at, names)
            for names, name in enumerate(looks.names)
            if name not in (who, question, looks.asked.label)
            and name not in looks.gold
            and (at := rank(name, kind)) is not None
            and not says(name, "rater")
        )
        names = _apart_from_numbers([looks.names[at] for _, at in found])
        # an id of the vote itself is different in every row, and no unit has a second one
        names = [name for name in names if not looks.unique(name)] or names
        apart = [
            name for name in names if all_different(shared_rows(looks.table, name, who, *more))
        ]
        if apart or len(names) == 1:
            return ((apart or names)[0],)
        if names:
            together = all_different(shared_rows(looks.table, *names, who, *more))
            return tuple(names) if together else (names[0],)
    return ()


def _apart_from_numbers(names: Sequence[str]) -> list[str]:
    """Return the names without those that differ in a number only: item1, item2 are units."""
    stems = [tuple(word for word in words_of(name) if not word.isdecimal()) for name in names]
    return [name for name, stem in zip(names, stems, strict=True) if stems.count(stem) == 1]


def _label_choices(looks: Looks, used: Sequence[str], unit: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the columns that may hold the label, each a choice of its own."""
    if looks.asked.label is not None:
        return [looks.split(looks.asked.label)]
    found = looks.label_columns(used)
    if not found:
        found = tuple(name for name in looks.others(used) if looks.labels(name))
    if len(found) > 1:
        key = shared_rows(looks.table, *unit)
        varied = tuple(name for name in found if _varies_within(looks, name, key))
        found = varied or found
    choices = [(name,) for name in found]
    return [*choices, found] if len(found) > 1 else choices


def _varies_within(looks: Looks, name: str, key: NDArray[np.int64]) -> bool:
    """Return whether a column differs within a unit; one that never does describes the unit."""
    codes = looks[name].codes
    order = np.argsort(key, kind="stable")
    same = key[order][1:] == key[order][:-1]
    return bool((codes[order][1:] != codes[order][:-1])[same].any())


def file_a_rater_readings(looks: Looks) -> list[Shape]:
    """Return the ways to read the table as the labels of one rater."""
    asked = looks.asked
    if asked.rater is not None:
        return []
    if asked.label is not None:
        labels: tuple[str, ...] = looks.split(asked.label)
    else:
        labels = ()
    unit = unit_columns(looks, labels)
    if not unit or (asked.unit is None and not _once_each(looks, unit)):
        return []
    choices = [labels] if labels else [(name,) for name in looks.label_columns(unit)]
    weight = 9 if labels and asked.shape == "file-a-rater" else 3 if labels else 2
    if not choices:
        left = [name for name in looks.others(unit) if looks.labels(name)]
        left = [name for name in left if not looks.unique(name) or looks.table.rows < 5]
        if len(left) == 1:
            choices = [(left[0],)]
        elif left and (
            asked.shape == "file-a-rater" or all(says(name, "question") for name in left)
        ):
            choices, weight = [tuple(left)], 1
    return [
        Shape(
            "file-a-rater",
            f"file-a-rater: the labels of one rater, {looks.table.stem} "
            f"(unit {' + '.join(unit)}, label {listed(each)})",
            each, unit, set_aside=looks.gold, weight=weight,
            option=option(shape="file-a-rater", label=each),
        )
        for each in choices
    ]  # fmt: skip


def _once_each(looks: Looks, unit: Sequence[str]) -> bool:
    """Return whether most units stand in one row: a rater may have seen a few of them twice."""
    key = shared_rows(looks.table, *unit)
    return len(np.unique(key)) * 10 >= 9 * looks.table.rows


def long_votes(table: TextTable, shape: Shape, asked: Asked) -> Votes:
    """Return the vote of each row, blank ones too; several label columns are several questions."""
    several = len(shape.columns) > 1
    blocks = [(name, "", name if several else "") for name in shape.columns]
    return unit_and_label(table, asked, shape, blocks)


def file_a_rater_votes(table: TextTable, shape: Shape, asked: Asked) -> Votes:
    """Return the votes of the rater that the file is named after."""
    several = len(shape.columns) > 1
    blocks = [(name, table.stem, name if several else "") for name in shape.columns]
    return unit_and_label(table, asked, shape, blocks)
