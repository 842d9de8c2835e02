"""Votes into a matrix: a row a unit, a column a rater, each cell at most one label."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import option
from reviewkit.agreement.label_files.categories import SKIPPED, LabelReading, read_labels
from reviewkit.agreement.label_files.scheme import QuestionScheme
from reviewkit.agreement.label_files.votes import NONE, Column, Votes
from reviewkit.agreement.measures.ratings import MISSING, Clusters, Codes, Ratings
from reviewkit.problems import Problem, ProblemsFound

MOST_CELLS = 60_000_000
MOST_RATERS = 200
"""Beyond either, a crowd: ratings are counted per unit, and no rater is compared by name."""
_SHOWN = 20
_ROUNDS = 20
"""A column with more values than this is the time of each rating, and no round."""

Where = Callable[[int], str]
"""``file:line`` of a row of the votes."""


@dataclass(frozen=True, slots=True)
class Pivoted:
    """The ratings of one question, and what did not become one."""

    ratings: Ratings
    units: NDArray[np.int64]
    """Shape (rows of the ratings,): the place of each in the votes' column of units."""
    reading: LabelReading
    labels: tuple[str, ...]
    """The labels as written."""
    counts: NDArray[np.int64]
    """Shape (labels,): how often each label as written was given."""
    blank: int = 0
    """Ratings that are blank."""
    missing: Mapping[str, int] = field(default_factory=dict[str, int])
    """Declared code -> how many ratings it stood for."""
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])
    """Rater -> how many units they passed over, by a declared code."""
    doubled: int = 0
    """Ratings that say once more what the rater had said of the unit."""
    decided: int = 0
    """Ratings that gave way to an earlier or later one of the same rater."""
    crowd: int = 0
    """How many raters there are, when they are too many to compare by name."""


@dataclass(frozen=True, slots=True)
class _Cells:
    """The ratings that count: which unit, rater and category."""

    unit: NDArray[np.int32]
    rater: NDArray[np.int32]
    category: NDArray[np.int32]
    row: NDArray[np.int64]
    """The row of the votes."""

    def only(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> _Cells:
        return _Cells(
            self.unit[chosen], self.rater[chosen], self.category[chosen], self.row[chosen]
        )


def pivot(
    votes: Votes,
    rows: NDArray[np.int64],
    scheme: QuestionScheme,
    *,
    where: Where,
    question: str = "",
    missing: tuple[str, ...] = (),
    skipped: tuple[str, ...] = (),
    fold: bool = False,
    repeats: str = "refuse",
    reading: LabelReading | None = None,
) -> Pivoted | None:
    """Return the ratings of one question; None when not one label counts.

    Args:
        votes: The votes.
        rows: The rows of this question, ascending.
        scheme: What is declared of the question.
        where: Names a row of the votes for messages.
        question: The question as the file calls it.
        missing: Labels that mean no rating.
        skipped: Labels that mean the unit was passed over.
        fold: Whether spellings of one label become one.
        repeats: What to do when a rater gave a unit different labels: ``refuse``, ``last`` or
            ``first``.
        reading: How labels become categories, when the whole file has decided that before.

    Raises:
        ProblemsFound: For labels that the scheme does not know, and for every unit to which a
            rater gave different labels.
    """
    label = votes.label.codes[rows]
    given = label != NONE
    counts = np.bincount(label[given], minlength=len(votes.label.values)).astype(np.int64)
    if reading is None:
        reading = read_labels(
            votes.label.values, counts, scheme, missing=missing, skipped=skipped, fold=fold,
            sets=votes.sets, where=f"{votes.shown} {question}".strip(),
            first=_first_places(votes, rows, counts, scheme, where),
        )  # fmt: skip
    # a blank label has the code -1, which picks the last place
    to = np.append(reading.to, np.int32(MISSING))[label]
    rated = to >= 0
    if not rated.any():
        return None
    unit, units = _used(votes.unit.codes[rows], len(votes.unit.values))
    rater, raters = _used(votes.rater.codes[rows], len(votes.rater.values), rated)
    cells = _Cells(unit[rated], rater[rated], to[rated], rows[rated])
    named = (
        not votes.anonymous
        and len(raters) <= MOST_RATERS
        and len(units) * len(raters) <= MOST_CELLS
    )
    cells, matrix, doubled, decided = _one_each(
        cells, (len(units), len(raters)), named, repeats, votes, where, question
    )
    names = tuple(votes.rater.values[at] for at in raters.tolist())
    ids = votes.unit.values
    ratings = Ratings(
        reading.categories,
        names if named else (),
        matrix,
        None if named else _counted(cells, len(units), len(reading.categories)),
        units=ids if len(units) == len(ids) else tuple(ids[at] for at in units.tolist()),
        question=question,
        declared=reading.declared,
        values=reading.values,
        sets=reading.sets,
    )
    coded = np.flatnonzero((reading.to < 0) & (counts > 0)).tolist()
    passed = votes.rater.codes[rows][to == SKIPPED]
    per_rater = np.bincount(passed[passed != NONE], minlength=len(votes.rater.values))
    return Pivoted(
        ratings,
        units,
        reading,
        votes.label.values,
        counts,
        blank=int(len(label) - given.sum()),
        missing={
            votes.label.values[at]: int(counts[at]) for at in coded if reading.to[at] == MISSING
        },
        skipped={votes.rater.values[at]: int(per_rater[at]) for at in np.flatnonzero(per_rater)},
        doubled=doubled,
        decided=decided,
        crowd=0 if named or votes.anonymous else len(raters),
    )


def _used(
    codes: NDArray[np.int32], number: int, counted: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the codes counted anew over those that occur, and which those are.

    Only the rows in ``counted`` make a code occur; the others may come out as -1.
    """
    seen = np.zeros(number, dtype=np.bool_)
    seen[codes if counted is None else codes[counted]] = True
    used = np.flatnonzero(seen)
    place = np.full(number, NONE, dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return place[codes], used


def _one_each(
    cells: _Cells,
    shape: tuple[int, int],
    named: bool,
    repeats: str,
    votes: Votes,
    where: Where,
    question: str,
) -> tuple[_Cells, Codes | None, int, int]:
    """Return the cells, each unit and rater once, their matrix, and how many were dropped, why."""
    units, raters = shape
    at = cells.unit.astype(np.int64) * raters + cells.rater
    matrix: Codes | None = None
    if named:
        matrix = np.full(units * raters, MISSING, dtype=np.int32)
        matrix[at] = cells.category
        if int((matrix != MISSING).sum()) == len(at):
            return cells, matrix.reshape(shape), 0, 0
    # of rows with one key, those from the earliest to the latest, side by side
    order = np.argsort(at, kind="stable")
    begins = np.append(True, at[order][1:] != at[order][:-1])
    group = np.cumsum(begins) - 1
    first, last = np.flatnonzero(begins), np.append(np.flatnonzero(begins)[1:], len(at)) - 1
    category = cells.category[order]
    differ = category != category[first[group]]
    strife = np.unique(group[differ])
    if len(strife) and repeats == "refuse":
        _refuse(cells.only(order), first, last, strife, votes, where, question)
    kept = cells.only(np.sort(order[last if repeats == "last" else first]))
    in_strife = np.zeros(len(first), dtype=np.bool_)
    in_strife[strife] = True
    sizes = last - first
    decided = int(sizes[in_strife].sum())
    doubled = int(sizes[~in_strife].sum())
    if matrix is not None:
        matrix[kept.unit.astype(np.int64) * raters + kept.rater] = kept.category
        matrix = matrix.reshape(shape)
    return kept, matrix, doubled, decided


def _refuse(
    cells: _Cells,
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    strife: NDArray[np.int64],
    votes: Votes,
    where: Where,
    question: str,
) -> None:
    """Raise a problem for each unit to which one rater gave different labels."""
    problems: list[Problem] = []
    apart = _what_tells_apart(cells, first, last, strife[:_SHOWN], votes)
    for at in strife[:_SHOWN].tolist():
        rows = cells.row[first[at] : last[at] + 1].tolist()
        said = dict.fromkeys(str(votes.label.cell(row)) for row in rows)
        labels = [f"{each!r}" for each in said]
        rater = votes.rater.cell(rows[0])
        who = f"place {rater} of the cell" if votes.anonymous else repr(rater)
        on = f" on {question!r}" if question else ""
        wrong = f"{who} gave {votes.unit.cell(rows[0])!r}{on} {' and '.join(labels)}"
        others = ", ".join(where(row) for row in rows[1:][:3])
        wrong += f" (also {others})" if votes.where is not None else ""
        remedy = f"keep one of them, or choose --repeats last or --repeats first{apart}"
        problems.append(Problem(where(rows[0]), wrong, remedy))
    if (more := len(strife) - len(problems)) > 0:
        end = problems[-1]
        problems[-1] = Problem(end.where, f"{end.wrong} ({more:,} more like it)", end.remedy)
    raise ProblemsFound(problems)


def _what_tells_apart(
    cells: _Cells,
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    strife: NDArray[np.int64],
    votes: Votes,
) -> str:
    """Return the advice on a column, such as the round, that differs wherever labels differ."""
    groups = [cells.row[first[at] : last[at] + 1] for at in strife.tolist()]
    for name, column in votes.more.items():
        if len(column.values) > _ROUNDS:
            continue
        codes = [column.codes[rows].tolist() for rows in groups]
        if all(NONE not in each and len(set(each)) == len(each) for each in codes):
            return f", or, if {name!r} tells the ratings apart, {option(compare=name)}"
    return ""


def _counted(cells: _Cells, units: int, categories: int) -> NDArray[np.int64]:
    """Return how often each category was given to each unit."""
    at = cells.unit.astype(np.int64) * categories + cells.category
    return np.bincount(at, minlength=units * categories).reshape(units, categories)


def _first_places(
    votes: Votes,
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
    scheme: QuestionScheme,
    where: Where,
) -> Mapping[str, str]:
    """Return where each label stands first, for the labels a scheme may not know."""
    if not scheme.categories or votes.sets:
        return {}
    strange = [
        at for at in np.flatnonzero(counts).tolist()
        if votes.label.values[at] not in scheme.categories
    ]  # fmt: skip
    codes = votes.label.codes[rows]
    return {
        votes.label.values[at]: where(int(rows[np.argmax(codes == at)])) for at in strange[:100]
    }


def of_units(
    column: Column, votes: Votes, rows: NDArray[np.int64], units: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return what a column says of each unit, and the units of which it says two things.

    Args:
        column: The column.
        votes: The votes it stands beside.
        rows: The rows to look at.
        units: How many units ``votes`` knows.

    Returns:
        Shape (units,): the place in ``column.values`` that stands first for the unit, -1 when
        every cell is blank; and the units, by their place, that have different values.
    """
    of_row, unit = column.codes[rows], votes.unit.codes[rows]
    given = of_row != NONE
    of_row, unit = of_row[given], unit[given]
    first = np.full(units, NONE, dtype=np.int32)
    # of equal places the last assignment holds, so the rows come backwards
    first[unit[::-1]] = of_row[::-1]
    return first, np.unique(unit[of_row != first[unit]]).astype(np.int64)


def clusters_from(name: str, of_unit: NDArray[np.int32]) -> Clusters:
    """Return the clusters of a column; a unit without a value is a cluster of its own.

    Args:
        name: What a cluster is: the column's name.
        of_unit: Shape (rows,): the value of each row, -1 where there is none.
    """
    alone = of_unit == NONE
    codes = of_unit.astype(np.int64)
    codes[alone] = int(of_unit.max(initial=NONE)) + 1 + np.arange(int(alone.sum()))
    used, of_row = np.unique(codes, return_inverse=True)
    # by name, two subsets of the file find the clusters that they share
    names = tuple(str(each) for each in used.tolist())
    return Clusters(name, of_row.astype(np.int32), len(used), names)
