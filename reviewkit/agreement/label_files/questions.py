"""From votes to the ratings of each question: columns asked for, clusters, splits, collapses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.categories import in_order
from reviewkit.agreement.label_files.pivot import Pivoted, clusters_from, of_units, pivot
from reviewkit.agreement.label_files.scheme import Collapse, Scheme
from reviewkit.agreement.label_files.together import Together
from reviewkit.agreement.label_files.understanding import excluded_of
from reviewkit.agreement.label_files.votes import NONE, Column, Votes
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.reporting.model import Excluded
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import collect

FILE = "file"
"""The column that several files have without writing it: which file a vote stands in."""
MOST_PARTS = 100


@dataclass(frozen=True, slots=True)
class Split:
    """The ratings of one question by the values of a column."""

    column: str
    parts: tuple[tuple[str, Ratings], ...]
    """(value, the ratings of the units that have it)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, ready to be measured."""

    ratings: Ratings
    level: str
    collapses: tuple[Collapse, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    splits: tuple[Split, ...] = ()


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that were asked for, found."""

    cluster: tuple[str, Column] | None
    splits: tuple[tuple[str, Column], ...]


@dataclass(frozen=True, slots=True)
class Sorted:
    """The votes by question."""

    questions: tuple[Question, ...]
    pivots: tuple[Pivoted, ...]
    """Of the same questions."""
    cluster: str
    """The column that the intervals are taken over; empty: units are exchangeable."""
    dropped: tuple[str, ...]
    """What was left out, in sentences."""


def questions_of(files: Together, asked: Asked, scheme: Scheme) -> Sorted:
    """Return the ratings of each question.

    Raises:
        ProblemsFound: With everything that keeps a question from being read.
    """
    votes = files.votes
    if len(files.files) > 1 and FILE not in votes.more:
        votes = replace(votes, more={**votes.more, FILE: Column(files.files, files.file)})
    columns = _columns(votes, asked)
    whole, cluster, dropped = _once_a_unit(votes, columns)
    questions: list[Question] = []
    pivots: list[Pivoted] = []
    with collect() as faults:
        for name, rows in _rows_of_questions(votes):
            if not (votes.label.codes[rows] != NONE).any():
                dropped.append(f"'{name}' has no label and is left out.")
                continue
            one, plain = (_singles(each, rows, asked) for each in (whole, votes))
            found = faults.attempt(_pivoted, files, one, rows, name, asked, scheme, None)
            if found is None:
                dropped.append(f"'{name}' has no label that counts and is left out.")
                continue
            ratings = faults.attempt(_clustered, found, one, rows, cluster)
            if ratings is None:
                continue
            splits = [
                faults.attempt(_split, files, plain, rows, each, found, columns, asked, scheme)
                for each in columns.splits
            ]
            declared = scheme.for_question(name)
            questions.append(
                Question(
                    ratings,
                    declared.level or ("jaccard" if ratings.sets is not None else "nominal"),
                    declared.collapses,
                    excluded_of(ratings),
                    splits=tuple(each for each in splits if each is not None),
                )
            )
            pivots.append(replace(found, ratings=ratings))
        faults.add(collapse_faults([each.ratings for each in questions], scheme))
    name = "" if cluster is None else cluster[0]
    return Sorted(tuple(questions), tuple(pivots), name, tuple(dropped))


def _rows_of_questions(votes: Votes) -> list[tuple[str, NDArray[np.int64]]]:
    """Return each question with its rows, in the order of the file; blank ones last."""
    if votes.question is None:
        return [("", np.arange(len(votes.unit), dtype=np.int64))]
    codes = votes.question.codes
    order = np.argsort(codes, kind="stable")
    used, begins = np.unique(codes[order], return_index=True)
    names = [votes.question.values[at] if at != NONE else "" for at in used.tolist()]
    rows = np.split(order, begins[1:])
    # one question alone needs no name
    return list(zip([""] if len(names) == 1 and not names[0] else names, rows, strict=True))


def _singles(votes: Votes, rows: NDArray[np.int64], asked: Asked) -> Votes:
    """Return votes whose sets are plain labels, when in these rows each set holds one label.

    A question with one choice then has every coefficient, beside one with several.
    """
    if not votes.sets or asked.sets:
        return votes
    values = list(votes.label.values)
    codes = votes.label.codes[rows]
    no_rating = {*asked.missing, *asked.skipped}
    for at in np.unique(codes[codes != NONE]).tolist():
        if values[at] in no_rating:
            continue
        held = json.loads(values[at])
        if len(held) != 1:
            return votes
        (values[at],) = held
    return replace(votes, label=Column(tuple(values), votes.label.codes), sets=False)


def _pivoted(
    files: Together,
    votes: Votes,
    rows: NDArray[np.int64],
    name: str,
    asked: Asked,
    scheme: Scheme,
    whole: Pivoted | None,
) -> Pivoted | None:
    return pivot(
        votes, rows, scheme.for_question(name), where=files.where, question=name,
        missing=scheme.missing, skipped=asked.skipped, fold=asked.fold, repeats=asked.repeats,
        reading=None if whole is None else whole.reading,
    )  # fmt: skip


def _columns(votes: Votes, asked: Asked) -> _Columns:
    """Return the columns that options name."""
    problems: list[Problem] = []

    def find(name: str, option: str) -> Column | None:
        if name in votes.more:
            return votes.more[name]
        known = list(votes.more)
        near = get_close_matches(name, known, n=1)
        used = f"use one of {', '.join(known[:12])}" if known else "the file has no other column"
        remedy = f"did you mean {near[0]!r}?" if near else used
        wrong = f"{votes.shown} has no such column beside those of units, raters and labels"
        problems.append(Problem(f"{option} {name}", wrong, remedy))
        return None

    cluster = find(asked.cluster, "--cluster") if asked.cluster else None
    splits: list[tuple[str, Column]] = []
    for option, names in (("--by", asked.by), ("--compare", asked.compare)):
        for name in names:
            if name in [each for each, _ in splits] or _is_question(name, votes, asked):
                continue
            column = find(name, option)
            if column is not None and len(column.values) > MOST_PARTS:
                wrong = f"has {len(column.values):,} values, too many parts to compare"
                problems.append(Problem(f"{option} {name}", wrong, "name a column with fewer"))
            elif column is not None:
                splits.append((name, column))
    if problems:
        raise ProblemsFound(problems)
    return _Columns(
        None if cluster is None or asked.cluster is None else (asked.cluster, cluster),
        tuple(splits),
    )


def _is_question(name: str, votes: Votes, asked: Asked) -> bool:
    """Return whether a column is what the report is divided by anyway."""
    return votes.question is not None and name in (asked.question, "question")


def _once_a_unit(
    votes: Votes, columns: _Columns
) -> tuple[Votes, tuple[str, Column] | None, list[str]]:
    """Return votes in which a unit stands once for each value of a column it was rated under twice.

    Two rounds on the same units, told apart by a column, are two ratings of a unit by one rater.
    They are no repetition: the whole counts the unit once a round, the units are its clusters.
    """
    told: list[str] = []
    cluster = columns.cluster
    unit = votes.unit
    for name, column in columns.splits:
        if not _rated_again(replace(votes, unit=unit), column):
            continue
        values = len(column.values) + 1
        key = unit.codes.astype(np.int64) * values + column.codes
        used, codes = np.unique(key, return_inverse=True)
        names = [
            f"{unit.values[(each + 1) // values]} ({column.values[each % values]})"
            if each % values != values - 1
            else unit.values[(each + 1) // values]
            for each in used.tolist()
        ]
        unit = Column(tuple(names), codes.astype(np.int32))
        told.append(
            f"Raters rated units again under another '{name}': all together, a unit counts once"
            f" for each '{name}', and its ratings belong together."
        )
    if unit is votes.unit:
        return votes, cluster, told
    return replace(votes, unit=unit), cluster or ("unit", votes.unit), told


def _rated_again(votes: Votes, column: Column) -> bool:
    """Return whether a rater rated a unit (and question) under several values of the column."""
    rated = np.flatnonzero((votes.label.codes != NONE) & (column.codes != NONE))
    key = votes.unit.codes[rated].astype(np.int64) * len(votes.rater.values)
    key += votes.rater.codes[rated]
    if votes.question is not None:
        key = key * (len(votes.question.values) + 1) + votes.question.codes[rated]
    _, at = np.unique(key, return_inverse=True)
    pairs = at.astype(np.int64) * len(column.values) + column.codes[rated]
    return len(np.unique(pairs)) > int(at.max(initial=-1)) + 1


def _clustered(
    found: Pivoted,
    votes: Votes,
    rows: NDArray[np.int64],
    cluster: tuple[str, Column] | None,
) -> Ratings:
    """Return the ratings with the clusters of a column."""
    if cluster is None:
        return found.ratings
    name, column = cluster
    of_unit, two = of_units(column, votes, rows, len(votes.unit.values))
    if len(two):
        units = ", ".join(repr(votes.unit.values[at]) for at in two[:4].tolist())
        wrong = f"says different things of one unit ({units})"
        remedy = "name a column that has one value a unit"
        raise ProblemsFound([Problem(f"--cluster {name}", wrong, remedy)])
    return replace(found.ratings, clusters=clusters_from(name, of_unit[found.units]))


def _split(
    files: Together,
    votes: Votes,
    rows: NDArray[np.int64],
    by: tuple[str, Column],
    whole: Pivoted,
    columns: _Columns,
    asked: Asked,
    scheme: Scheme,
) -> Split:
    """Return the ratings under each value of a column."""
    name, column = by
    values = column.codes[rows]
    parts: list[tuple[str, Ratings]] = []
    place = {value: at for at, value in enumerate(column.values)}
    for value in in_order(column.values):
        chosen = rows[values == place[value]]
        if not len(chosen):
            continue
        found = _pivoted(files, votes, chosen, whole.ratings.question, asked, scheme, whole)
        if found is None:
            continue
        parts.append((value, _clustered(found, votes, chosen, columns.cluster)))
    return Split(name, tuple(parts))


def collapse_faults(ratings: Sequence[Ratings], scheme: Scheme) -> list[Problem]:
    """Return the classes that name a category which no question has."""
    known = list(dict.fromkeys(name for each in ratings for name in each.categories))
    problems: list[Problem] = []
    for collapse in scheme.collapses:
        for each in collapse.of_category:
            if each in known or scheme.categories or not ratings:
                continue
            near = get_close_matches(each, known, n=1)
            remedy = f"did you mean {near[0]!r}?" if near else f"use {', '.join(known[:12])}"
            remedy += ", or name every category with --categories when nobody used this one"
            wrong = f"{each!r} is no label of the file"
            problems.append(Problem(f"--collapse {collapse.name}", wrong, remedy))
    return problems
