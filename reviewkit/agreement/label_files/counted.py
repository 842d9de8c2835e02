"""Files that hold counts: a confusion matrix of two raters, or how often a unit got each label."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.categories import LabelReading, in_order, read_labels
from reviewkit.agreement.label_files.pivot import clusters_from
from reviewkit.agreement.label_files.questions import Question, Split, collapse_faults
from reviewkit.agreement.label_files.scheme import Scheme
from reviewkit.agreement.label_files.understanding import (
    NOBODY_KNOWN,
    categories_of,
    clusters_in_words,
    coverage,
    excluded_of,
)
from reviewkit.agreement.label_files.votes import Column, Counted
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.problems import Problem, ProblemsFound

Table = NDArray[np.int64]


def counted_question(counted: Counted, asked: Asked, scheme: Scheme) -> Question:
    """Return the ratings that a table of counts holds.

    A category that the table has and nobody gave still counts as a category.

    Raises:
        ProblemsFound: For a label the scheme does not know, or an option that counts cannot carry.
    """
    names = counted.categories
    reading = read_labels(
        names, np.ones(len(names), dtype=np.int64), scheme, missing=asked.missing,
        skipped=asked.skipped, fold=asked.fold, where=counted.shown,
    )  # fmt: skip
    order = reading.categories if reading.declared else _as_in_the_file(reading)
    to = np.array([order.index(reading.categories[at]) if at >= 0 else -1 for at in reading.to])
    if counted.kind == "confusion":
        rows = _summed(counted.table, to, len(order))
        table = _summed(rows.T, to, len(order)).T
        ratings = Ratings.from_table(table.tolist(), order, _two(counted.raters))
    else:
        table = _summed(counted.table.T, to, len(order)).T
        ratings = Ratings(order, counts=table, units=counted.units)
    values = reading.values
    if values is not None and not reading.declared:
        values = tuple(values[reading.categories.index(name)] for name in order)
    # the table names its categories, used or not
    ratings = replace(ratings, declared=True, values=values)
    ratings, splits = _columns(counted, ratings, asked)
    if faults := collapse_faults([ratings], scheme):
        raise ProblemsFound(faults)
    return Question(
        ratings, scheme.level or "nominal", scheme.collapses, excluded_of(ratings), splits
    )


def understanding_of_counts(counted: Counted, question: Question) -> tuple[str, ...]:
    """Return what was understood, in sentences."""
    ratings = question.ratings
    told = [coverage(ratings), f"{counted.shown} was read as {counted.shape}."]
    if counted.kind == "counts":
        told.append(NOBODY_KNOWN)
    told.append(categories_of(ratings, "named by the table"))
    if ratings.clusters is not None:
        told.append(clusters_in_words(ratings.clusters.name, [ratings]))
    told += [each if each.endswith(".") else f"{each}." for each in counted.said]
    told += [f"Left out, {each.count:,}: {each.reason}." for each in counted.left_out]
    return tuple(dict.fromkeys(told))


def _as_in_the_file(reading: LabelReading) -> tuple[str, ...]:
    """Return the categories in the order of the table, which may be that of a scale."""
    used = (reading.categories[at] for at in reading.to.tolist() if at >= 0)
    return in_order(used) if reading.values is not None else tuple(dict.fromkeys(used))


def _summed(table: Table, to: NDArray[np.int64], number: int) -> Table:
    """Return the rows of the table summed over those that are one category; -1 is left out."""
    found = np.zeros((number, table.shape[1]), dtype=np.int64)
    kept = to >= 0
    np.add.at(found, to[kept], table[kept])
    return found


def _two(raters: tuple[str, ...]) -> tuple[str, str]:
    return (raters[0], raters[1]) if len(raters) == 2 else ("rows", "columns")


def _columns(counted: Counted, ratings: Ratings, asked: Asked) -> tuple[Ratings, tuple[Split, ...]]:
    """Return the ratings with the clusters asked for, and their splits."""
    problems: list[Problem] = []

    def find(name: str, option: str) -> Column | None:
        column = counted.more.get(name)
        if column is None:
            known = list(counted.more)
            near = get_close_matches(name, known, n=1)
            remedy = f"did you mean {near[0]!r}?" if near else f"use {', '.join(known[:12])}"
            wrong = f"{counted.shown} has no such column"
            problems.append(Problem(f"{option} {name}", wrong, remedy if known else "leave it out"))
        return column

    cluster = find(asked.cluster, "--cluster") if asked.cluster else None
    options = dict.fromkeys(asked.compare, "--compare") | dict.fromkeys(asked.by, "--by")
    columns = {name: find(name, option) for name, option in options.items()}
    if problems:
        raise ProblemsFound(problems)
    if cluster is not None and asked.cluster is not None:
        ratings = replace(ratings, clusters=clusters_from(asked.cluster, cluster.codes))
    splits = tuple(
        Split(
            name,
            tuple(
                (value, ratings.only(column.codes == column.values.index(value)))
                for value in in_order(column.values)
            ),
        )
        for name, column in columns.items()
        if column is not None
    )
    return ratings, splits
