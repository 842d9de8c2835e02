"""Which shape a table of labels has, and its votes.

The names of the columns decide first, then what the cells hold. Where two readings are as good as
one another the table is refused, with both of them and the option that decides: a figure from the
wrong reading looks like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from reviewkit.agreement.label_files.asked import Asked, option
from reviewkit.agreement.label_files.tables.blocks_of_questions import task_readings, task_votes
from reviewkit.agreement.label_files.tables.column_words import numbered_rater, says
from reviewkit.agreement.label_files.tables.counts import (
    confusion_of,
    confusion_readings,
    count_readings,
    counts_of,
)
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.agreement.label_files.tables.in_a_cell import cell_readings, cell_votes
from reviewkit.agreement.label_files.tables.long import (
    file_a_rater_readings,
    file_a_rater_votes,
    long_readings,
    long_votes,
)
from reviewkit.agreement.label_files.tables.looks import (
    Looks,
    Shape,
    listed,
    no_such_columns,
    plain_label,
    refuse,
)
from reviewkit.agreement.label_files.tables.wide import (
    rater_rows_readings,
    rater_rows_votes,
    wide_readings,
    wide_votes,
)
from reviewkit.agreement.label_files.votes import Counted, Votes
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import collect

__all__ = ["Shape", "guess_shape", "guess_shapes", "votes_of"]

_READINGS: dict[str, Callable[[Looks], list[Shape]]] = {
    "confusion": confusion_readings,
    "counts": count_readings,
    "cell": cell_readings,
    "long": long_readings,
    "tasks": task_readings,
    "rater-rows": rater_rows_readings,
    "wide": wide_readings,
    "file-a-rater": file_a_rater_readings,
}
_VOTES: dict[str, Callable[[TextTable, Shape, Asked], Votes | Counted]] = {
    "confusion": confusion_of,
    "counts": counts_of,
    "cell": cell_votes,
    "long": long_votes,
    "tasks": task_votes,
    "rater-rows": rater_rows_votes,
    "wide": wide_votes,
    "file-a-rater": file_a_rater_votes,
}
_NEEDS = {
    "confusion": "a first column and a header that name the same labels",
    "counts": "two or more columns of whole numbers",
    "cell": "a column of lists, dictionaries or labels with marks between them; name it in --label",
    "long": "columns of units, raters and labels; name them in --unit, --rater and --label",
    "tasks": "columns such as r1_q1, r1_q2, r2_q1, r2_q2; name the raters in --raters",
    "rater-rows": "a column with one rater a row; name it in --rater",
    "wide": "two or more columns of labels; name them in --raters",
    "file-a-rater": "a column of units and one of labels; name them in --unit and --label",
}


def guess_shape(table: TextTable, asked: Asked) -> Shape:
    """Return how to read the table.

    Args:
        table: The table.
        asked: What was declared; it narrows the readings.

    Raises:
        ProblemsFound: When a declared column is not there, when no shape fits, and when several
            fit as well as one another: then the readings are shown with the options that decide.
    """
    problems = no_such_columns(table, asked)
    if not table.columns or not table.rows:
        problems.append(Problem(table.shown, "has no row", "write a row for each unit"))
    if problems:
        raise ProblemsFound(problems)
    looks = Looks(table, asked)
    if asked.shape is None:
        _with_header(looks)
    found = [shape for name in _may_be(asked) for shape in _READINGS[name](looks)]
    if not found and asked.shape is not None:
        _raters_there(looks)
        needs = _NEEDS[asked.shape]
        raise refuse(table, f"cannot be read as {asked.shape}", f"it needs {needs}")
    return _chosen(looks, found)


def _chosen(looks: Looks, found: Sequence[Shape]) -> Shape:
    table = looks.table
    most = max((each.weight for each in found), default=0)
    best = [each for each in found if each.weight == most > 0]
    if len(best) == 1:
        return best[0]
    if not best:
        columns = listed([name or "(no name)" for name in table.columns])
        wrong = f"no shape of label file is seen in its columns: {columns}"
        if looks.gold:
            wrong += (
                f"; no rater: {listed([f'{name} ({why})' for name, why in looks.gold.items()])}"
            )
        _raters_there(looks)
        if looks.asked.raters:
            wrong += f"; none is called {listed(map(repr, looks.asked.raters))} (--raters)"
        remedy = (
            f"name the raters' columns, --raters A,B{_in_quotes(looks.names)}, or the columns of a "
            "row a vote, --unit A --rater B --label C"
        )
        if len(table.columns) == 1:
            remedy = f"if one character parts its cells, name it in --delimiter; else {remedy}"
        raise refuse(table, wrong, remedy)
    readings = "; ".join(f"({at}) {each.text}" for at, each in enumerate(best, start=1))
    wrong = f"can be read in {len(best)} ways: {readings}"
    options = " or ".join(f"({at}) {each.option}" for at, each in enumerate(best, start=1))
    raise refuse(table, wrong, f"say which: {options}")


def _raters_there(looks: Looks) -> None:
    """Refuse declared raters of which some are columns and others are not."""
    names = [name for name in looks.names if name]
    lacking = [name for name in looks.asked.raters if name not in names]
    if lacking and len(lacking) < len(looks.asked.raters):
        raise ProblemsFound(
            Problem(
                f"{looks.table.shown}:1", f"has no column {name!r} (--raters)",
                f"it has {listed(names)}{_in_quotes(names)}",
            )
            for name in lacking
        )  # fmt: skip


def _in_quotes(names: Sequence[str]) -> str:
    return " (a name with a comma in double quotes)" if any("," in name for name in names) else ""


def _may_be(asked: Asked) -> tuple[str, ...]:
    """Return the shapes that have what was declared."""
    if asked.shape is not None:
        return (asked.shape,)
    if asked.rater is not None:
        return ("long", "rater-rows")
    if asked.question is not None:
        return ("long",)
    if asked.label is not None:
        return ("cell", "long", "file-a-rater")
    return tuple(_READINGS)


def _with_header(looks: Looks) -> None:
    """Refuse a table whose first row is one of data: names that stand below themselves."""
    named = [name for name in looks.names if name]
    below = [
        name
        for name in named
        if len(name) < 200
        and plain_label(name) in {plain_label(each) for each in looks[name].values[:1000]}
    ]
    if len(below) > 1 and len(below) * 3 >= len(named):
        shown = " and ".join(map(repr, below[:3]))
        wrong = f"the first row looks like one of data: {shown} stand below themselves"
        raise refuse(looks.table, wrong, "write a first row that names the columns")


def guess_shapes(tables: Sequence[TextTable], asked: Asked) -> tuple[Shape, ...]:
    """Return how to read each of several tables that are read together.

    Tables with the same plain columns of labels over the same units may be the files of one rater
    each, whose columns are questions, or parts of one table, whose columns are raters. Names of
    files or columns that say so decide; without them a person does.

    Raises:
        ProblemsFound: With the refusals of all tables, or both readings of all together.
    """
    if len(tables) > 1 and asked.shape is None and not asked.raters and asked.label is None:
        shapes = _one_rater_each(tables, asked)
        if shapes:
            return shapes
    with collect() as faults:
        found = [faults.attempt(guess_shape, table, asked) for table in tables]
    return tuple(shape for shape in found if shape is not None)


def _one_rater_each(tables: Sequence[TextTable], asked: Asked) -> tuple[Shape, ...]:
    """Return the shapes when each file is one rater's and its columns are questions.

    Raises:
        ProblemsFound: When its columns may as well be raters.
    """
    columns = _same_plain_columns(tables, asked)
    if columns is None:
        return ()
    names = columns.columns
    of_people = all(says(table.stem, "rater") or numbered_rater(table.stem) for table in tables)
    if not of_people and not all(says(name, "question") or says(name, "label") for name in names):
        raise _questions_or_raters(tables, names)
    return tuple(
        replace(
            columns, name="file-a-rater",
            text=f"file-a-rater: the labels of one rater, {table.stem} (questions {listed(names)})",
        )
        for table in tables
    )  # fmt: skip


def _same_plain_columns(tables: Sequence[TextTable], asked: Asked) -> Shape | None:
    """Return how each table has the same plain columns of labels over units that they share."""
    first = tables[0]
    if any(tuple(each.columns) != tuple(first.columns) for each in tables):
        return None
    plain = [wide_readings(Looks(each, asked)) for each in tables]
    if any(len(each) != 1 or each[0].weight not in (1, 2) or not each[0].unit for each in plain):
        return None
    if long_readings(Looks(first, asked)) or task_readings(Looks(first, asked)):
        return None
    (shape,) = plain[0]
    units = [{*table.columns[shape.unit[0]].values} for table in tables]
    shared = min(len(one & other) for at, one in enumerate(units) for other in units[at + 1 :])
    alike = all((each.columns, each.unit) == (shape.columns, shape.unit) for (each,) in plain)
    return shape if alike and shared * 2 >= min(map(len, units)) else None


def _questions_or_raters(tables: Sequence[TextTable], names: Sequence[str]) -> ProblemsFound:
    """Return the refusal of files whose columns may be questions and may be raters."""
    shown = listed(names)
    files = listed([table.stem for table in tables])
    wrong = (
        f"can be read in 2 ways: (1) wide: the raters {shown} in each file; (2) file-a-rater: one"
        f" rater a file ({files}), with the questions {shown}"
    )
    compare = option(compare="file")
    remedy = (
        f"say which: (1) {compare} to compare the files, or {option(raters=names)} to join them;"
        f" (2) {option(label=names)}"
    )
    where = ", ".join(table.shown for table in tables[:3]) + (", …" if len(tables) > 3 else "")
    return ProblemsFound([Problem(where, wrong, remedy)])


def votes_of(table: TextTable, shape: Shape, asked: Asked) -> Votes | Counted:
    """Return what the table says when it is read in this shape.

    A blank cell of a rater is a vote without label (code -1), so that every unit and rater of the
    file is known; declared codes for a missing or skipped rating stay labels here. Rows without a
    unit or rater are left out with their lines. What is gold, final or agreed is set aside, and
    the reason is kept.

    Raises:
        ProblemsFound: For counts that are no counts.
    """
    return _VOTES[shape.name](table, shape, asked)
