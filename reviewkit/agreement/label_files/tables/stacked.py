"""Votes from columns that stand side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tables.cells import set_in
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.agreement.label_files.tables.looks import Shape, shared_rows
from reviewkit.agreement.label_files.votes import EXAMPLES, NONE, Column, LeftOut, Votes


def with_units(table: TextTable, shape: Shape) -> tuple[TextTable, Column, tuple[LeftOut, ...]]:
    """Return the rows that name a unit, their units, and what was left out for naming none."""
    if not shape.unit:
        names = Column(
            tuple(f"row {row}" for row in range(1, table.rows + 1)),
            np.arange(table.rows, dtype=np.int32),
        )
        return table, names, ()
    kept, left_out = without_blank(table, shape.unit, "no unit is named")
    if len(shape.unit) == 1:
        return kept, kept.columns[shape.unit[0]], left_out
    columns = [kept.columns[name] for name in shape.unit]
    _, first, codes = np.unique(
        shared_rows(kept, *shape.unit), return_index=True, return_inverse=True
    )
    joined = tuple(
        " / ".join(column.values[column.codes[row]] for column in columns) for row in first.tolist()
    )
    return kept, Column(joined, codes.astype(np.int32)), left_out


def without_blank(
    table: TextTable, names: Iterable[str], reason: str
) -> tuple[TextTable, tuple[LeftOut, ...]]:
    """Return the rows where none of these columns is blank, and the others as left out."""
    blank = np.zeros(table.rows, dtype=np.bool_)
    for name in names:
        blank |= table.columns[name].codes == NONE
    if not blank.any():
        return table, ()
    examples = tuple(table.where(int(row)) for row in np.flatnonzero(blank)[:EXAMPLES])
    return table.only(~blank), (LeftOut(reason, int(blank.sum()), examples),)


def repeated(column: Column, times: int) -> Column:
    """Return a column this many times below itself."""
    return column if times == 1 else Column(column.values, np.tile(column.codes, times))


def named(names: Sequence[str], rows: int) -> Column:
    """Return a column that names each of ``names`` for ``rows`` rows."""
    values = tuple(dict.fromkeys(names))
    codes = np.array([values.index(name) for name in names], dtype=np.int32)
    return Column(values, np.repeat(codes, rows))


def unit_and_label(
    table: TextTable,
    asked: Asked,
    shape: Shape,
    blocks: Sequence[tuple[str, str, str]],
) -> Votes:
    """Return the votes of label columns, one below the other.

    Args:
        table: The table.
        asked: What was declared.
        shape: How it is read; when it names a column of raters or questions, no block does.
        blocks: (column, rater, question) of each label column.
    """
    kept, nameless = table, ()
    if shape.rater is not None:
        kept, nameless = without_blank(table, (shape.rater,), "no rater is named")
    kept, unit, left_out = with_units(kept, shape)
    times = len(blocks)
    label, sets = labels_of(
        Column.stacked([kept.columns[column] for column, _, _ in blocks]), asked
    )
    used = {*shape.unit, shape.rater, shape.question, *(column for column, _, _ in blocks)}
    questions = [question for _, _, question in blocks]
    more = {
        name: repeated(column, times) for name, column in kept.columns.items() if name not in used
    }
    who = named([each for _, each, _ in blocks], kept.rows)
    if shape.rater is not None:
        who = repeated(kept.columns[shape.rater], times)
    question = named(questions, kept.rows) if any(questions) else None
    if shape.question is not None:
        question = repeated(kept.columns[shape.question], times)
    return Votes(
        shape=shape.text, unit=repeated(unit, times), rater=who, label=label, sets=sets,
        question=question,
        where=np.tile(kept.lines, times), shown=table.shown, more=more,
        said=(*table.said, *shape.said), left_out=(*nameless, *left_out),
        raters_set_aside=dict(shape.set_aside or {}),
    )  # fmt: skip


def labels_of(label: Column, asked: Asked) -> tuple[Column, bool]:
    """Return labels, and whether they are sets; a set becomes a sorted JSON list.

    Labels are sets when every cell is a list; when sets are declared, a cell that is none holds
    labels with semicolons or bars between them.
    """
    if asked.sets is False:
        return label, False
    codes = {*asked.missing, *asked.skipped}
    parts = {value: set_in(value, declared=bool(asked.sets)) for value in label.values}
    found = [each for value, each in parts.items() if value not in codes]
    if not found or any(each is None for each in found):
        return label, False
    texts = [
        value
        if value in codes or (each := parts[value]) is None
        else json.dumps(sorted({*each}), ensure_ascii=False)
        for value in label.values
    ]
    return replaced(label, dict(zip(label.values, texts, strict=True))), True


def replaced(column: Column, texts: Mapping[str, str]) -> Column:
    """Return a column with other values, equal ones held once."""
    place: dict[str, int] = {}
    to = [place.setdefault(texts[value], len(place)) for value in column.values]
    return Column(tuple(place), np.array([*to, NONE], dtype=np.int32)[column.codes])
