"""Who gave which label to which unit, as a matrix of codes over a declared list of categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reviewkit.problems import Problem, ProblemsFound

Codes = NDArray[np.int32]
"""Places in the list of categories; -1 where there is no rating."""
MISSING = -1


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which units belong together (twins of one template, answers to one question)."""

    name: str
    """What a cluster is, in the singular: ``template``."""
    of_unit: NDArray[np.int32]
    """Shape (rows,): the cluster of each row, counted from 0."""
    number: int
    names: tuple[str, ...] = ()
    """The name of each cluster, by which two sets of ratings find those they share."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of one question.

    Rated by known raters, ``codes`` has a row a unit and a column a rater. Rated by nobody in
    particular (a table of counts, all ratings in a cell), ``raters`` is empty and ``counts`` has a
    row a unit and a column a category. Exactly one of the two is given.
    """

    categories: tuple[str, ...]
    """Declared, or found in the file; for an ordinal scale in its order."""
    raters: tuple[str, ...] = ()
    codes: Codes | None = None
    """Shape (rows, raters)."""
    counts: NDArray[np.int64] | None = None
    """Shape (rows, categories): how often each category was given to the unit."""
    times: NDArray[np.int64] | None = None
    """Shape (rows,): how many units a row stands for, as in a confusion matrix; None: one each."""
    units: Sequence[str] = ()
    """The id of each row, when units are known by id."""
    clusters: Clusters | None = None
    question: str = ""
    """What was rated: the column, control or field; empty when the file holds one question."""
    unit: str = "unit"
    """What is counted, in the singular: ``unit``, ``card``, ``check decision``, ``place``."""
    declared: bool = False
    """The categories come from a scheme, and not from the labels that were seen."""
    values: tuple[float, ...] | None = None
    """The number each category stands for, for the interval and ratio levels."""
    sets: tuple[frozenset[str], ...] | None = None
    """The labels in each category, when a rating is a set of labels."""
    groups: Mapping[str, NDArray[np.int32]] = field(default_factory=dict[str, NDArray[np.int32]])
    """Column of the file -> the place in ``group_names`` of each row: what one can split by."""
    group_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        if not self.categories:
            wrong = "no category is known"
            problems.append(Problem("categories", wrong, "declare the categories of the scheme"))
        if (self.codes is None) == (self.counts is None):
            wrong = "give either the codes of each rater or counts per category"
            problems.append(Problem("ratings", wrong, "leave one of the two out"))
        if self.codes is not None and self.codes.shape[1:] != (len(self.raters),):
            wrong = f"{self.codes.shape} codes for {len(self.raters)} raters"
            problems.append(Problem("codes", wrong, "give one column a rater"))
        if self.counts is not None and self.counts.shape[1:] != (len(self.categories),):
            wrong = f"{self.counts.shape} counts for {len(self.categories)} categories"
            problems.append(Problem("counts", wrong, "give one column a category"))
        if not problems:
            problems += self._strange_numbers() + self._wrong_lengths()
        if problems:
            raise ProblemsFound(problems)

    def _strange_numbers(self) -> list[Problem]:
        problems: list[Problem] = []
        codes, q = self.codes, self.q
        if codes is not None and codes.size and not MISSING <= codes.min() <= codes.max() < q:
            wrong = f"codes from {codes.min()} to {codes.max()} for {q} categories"
            remedy = f"give places from 0 to {q - 1}, and {MISSING} where there is no rating"
            problems.append(Problem("codes", wrong, remedy))
        for name, numbers in (("counts", self.counts), ("times", self.times)):
            if numbers is not None and numbers.size and numbers.min() < 0:
                wrong = f"{numbers.min()} is no number of times"
                problems.append(Problem(name, wrong, "give whole numbers, 0 or more"))
        return problems

    def _wrong_lengths(self) -> list[Problem]:
        clusters = None if self.clusters is None else self.clusters.of_unit
        expected = (
            ("times", self.times, self.rows, "row"),
            ("clusters", clusters, self.rows, "row"),
            ("units", self.units if len(self.units) else None, self.rows, "row"),
            ("values", self.values, self.q, "category"),
            ("sets", self.sets, self.q, "category"),
        )
        return [
            Problem(name, f"{len(held)} for {number}", f"give one a {each}")
            for name, held, number, each in expected
            if held is not None and len(held) != number
        ]

    @classmethod
    def from_table(
        cls,
        table: Sequence[Sequence[int]],
        categories: Sequence[str],
        raters: tuple[str, str] = ("first", "second"),
    ) -> Ratings:
        """Return the ratings that a confusion matrix holds; rows: the first rater."""
        q = len(categories)
        rows, columns = np.divmod(np.arange(q * q, dtype=np.int32), q)
        times = np.asarray(table, dtype=np.int64).reshape(-1)
        codes = np.stack([rows, columns], axis=1).astype(np.int32)
        return cls(tuple(categories), raters, codes, times=times, declared=True)

    @classmethod
    def from_labels(
        cls,
        rows: Sequence[Sequence[str | None]],
        categories: Sequence[str],
        raters: Sequence[str],
        *,
        units: Sequence[str] = (),
        unit: str = "unit",
        question: str = "",
        clusters: Sequence[str] | None = None,
        cluster: str = "cluster",
    ) -> Ratings:
        """Return the ratings of labels in memory: a row a unit, a label or None for each rater.

        Raises ProblemsFound when a label is not in the declared list.
        """
        place = {name: at for at, name in enumerate(categories)}
        strange = sorted({each for row in rows for each in row if each is not None} - {*place})
        if strange:
            wrong = f"{', '.join(map(repr, strange[:6]))} not among the declared categories"
            raise ProblemsFound([Problem("labels", wrong, "declare them, or correct the labels")])
        codes = np.array(
            [[MISSING if each is None else place[each] for each in row] for row in rows],
            dtype=np.int32,
        ).reshape(len(rows), len(raters))
        return cls(
            tuple(categories), tuple(raters), codes, units=units, declared=True, unit=unit,
            question=question,
            clusters=None if clusters is None else clusters_of(clusters, cluster),
        )  # fmt: skip

    @property
    def rows(self) -> int:
        """How many rows there are."""
        held = self.codes if self.codes is not None else self.counts
        return 0 if held is None else len(held)

    @property
    def q(self) -> int:
        """How many categories there are, used or not."""
        return len(self.categories)

    def only(self, chosen: NDArray[np.bool_]) -> Ratings:
        """Return the chosen rows."""
        at = np.flatnonzero(chosen)
        clusters = self.clusters
        if clusters is not None:
            used, of_unit = np.unique(clusters.of_unit[at], return_inverse=True)
            names = tuple(clusters.names[each] for each in used.tolist()) if clusters.names else ()
            clusters = Clusters(clusters.name, of_unit.astype(np.int32), len(used), names)
        return replace(
            self,
            codes=None if self.codes is None else self.codes[at],
            counts=None if self.counts is None else self.counts[at],
            times=None if self.times is None else self.times[at],
            units=tuple(self.units[i] for i in at.tolist()) if self.units else (),
            clusters=clusters,
            groups={name: codes[at] for name, codes in self.groups.items()},
        )

    def collapsed(self, classes: Mapping[str, str]) -> Ratings:
        """Return the ratings over coarser classes.

        ``classes`` maps a category to its class. A category that is left out of it belongs to no
        class, and its ratings become missing.
        """
        names = tuple(dict.fromkeys(classes[each] for each in self.categories if each in classes))
        to = np.array(
            [names.index(classes[each]) if each in classes else MISSING for each in self.categories]
            + [MISSING],
            dtype=np.int32,
        )
        counts = None
        if self.counts is not None:
            counts = np.zeros((self.rows, len(names)), dtype=np.int64)
            for at, name in enumerate(to[:-1].tolist()):
                if name != MISSING:
                    counts[:, name] += self.counts[:, at]
        return replace(
            self, categories=names, counts=counts, values=None, sets=None,
            codes=None if self.codes is None else to[self.codes],
        )  # fmt: skip

    def without_rater(self, rater: str) -> Ratings:
        """Return the ratings of the other raters."""
        if self.codes is None:
            raise ValueError("raters are not known by name")
        at = self.raters.index(rater)
        raters = self.raters[:at] + self.raters[at + 1 :]
        return replace(self, raters=raters, codes=np.delete(self.codes, at, axis=1))


def clusters_of(names: Sequence[str], name: str) -> Clusters:
    """Return the clusters that a column of names makes."""
    place: dict[str, int] = {}
    of_unit = np.array([place.setdefault(each, len(place)) for each in names], dtype=np.int32)
    return Clusters(name, of_unit, len(place), tuple(place))
