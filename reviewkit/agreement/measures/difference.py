"""The difference of two agreements: two rounds, two forms, two subsets.

When the same units carry both, or units of the same clusters, what they have in common cancels:
both are computed on the same resamples of the shared units or clusters, and the interval is BCa
(Efron 1987), or percentile where that has none. Otherwise each is resampled on its own, as for two
samples (Efron and Tibshirani 1993, chapter 8.3), and the interval is percentile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.estimates import Differs, Interval, Measured, Name, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.patterns import Patterns, patterns_of
from reviewkit.agreement.measures.ratings import Clusters, Ratings
from reviewkit.agreement.measures.resampling import (
    Array,
    Resampled,
    cluster_parts,
    interval_of,
    resample,
)
from reviewkit.agreement.measures.sums import Sums


def difference(
    one: Ratings,
    other: Ratings,
    names: Sequence[Name],
    settings: Settings | None = None,
    *,
    ids: tuple[str, str] = ("one", "other"),
    paired: bool = True,
    clusters: tuple[Sequence[str], Sequence[str]] | None = None,
    measured: tuple[Measured, Measured] | None = None,
) -> tuple[Differs, ...]:
    """Return how far each named coefficient on ``one`` is above that on ``other``.

    They are paired when units of both have the same id, or rows of both lie in a cluster of the
    same kind and name. A unit or cluster that only one of them has is resampled with the others
    and adds to that one alone.

    Args:
        one: The first ratings.
        other: The second ratings.
        names: Which coefficients; one that either side does not have is passed over.
        settings: How to measure both.
        ids: The ids of the two parts of the report.
        paired: False keeps them apart although ids coincide: other units of the same numbers.
        clusters: The name of each row's cluster, for both sides. Without it the names that the
            clusters of both have are taken; without those, clusters with a unit in common match.
        measured: What ``measure`` gave for both under the same settings, when it is known already.
    """
    how = settings or Settings()
    bare = replace(how, details=False)
    of_one, of_other = measured or (measure(one, bare), measure(other, bare))
    first, second = _Side(one, how), _Side(other, how)
    both = [(first.place(name), second.place(name)) for name in names]
    places = [(at, to) for at, to in both if at is not None and to is not None]
    drawn = _draws(first, second, places, how, paired=paired, clusters=clusters)
    found: list[Differs] = []
    for at, (here, there) in enumerate(places):
        left, right = of_one.estimates[here], of_other.estimates[there]
        why = "; ".join(
            f"{title}: {each.why}"
            for title, each in zip(ids, (left, right), strict=True)
            if each.value is None
        )
        value = None
        interval: Interval | None = None
        if left.value is not None and right.value is not None:
            value = left.value - right.value
            interval = drawn.interval(at)
        found.append(
            Differs(*ids, left, right, value, why, interval, drawn.shared > 0, drawn.shared)
        )
    return tuple(found)


class _Side:
    """One of the two sets of ratings, ready to be resampled."""

    def __init__(self, ratings: Ratings, how: Settings) -> None:
        self.ratings = ratings
        self.patterns: Patterns = patterns_of(ratings)
        self.sums = Sums(ratings, self.patterns, how)
        self._level = how.level

    def place(self, name: Name) -> int | None:
        """Return where a coefficient stands; of several alphas that of the level asked for."""
        places = [at for at, (each, _) in enumerate(self.sums.keys) if each == name]
        asked = [at for at in places if self.sums.keys[at][1] == self._level]
        return next(iter(asked or places), None)

    @property
    def rated(self) -> NDArray[np.bool_]:
        """Shape (rows,): which rows have a rating."""
        return (self.patterns.rated > 0)[self.patterns.of_row]

    def own_draws(self, draws: int, seed: int) -> Resampled:
        """Return its resamples, without regard to the other side."""
        return resample(
            self.sums.features, self.patterns.times, self.sums.evaluate, draws=draws, seed=seed,
            clusters=self.ratings.clusters, of_row=self.patterns.of_row,
            row_times=self.ratings.times,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Draws:
    """Resamples of the differences."""

    interval: Callable[[int], Interval | None]
    """The interval of each difference, if the resamples give one."""
    shared: int
    """How many units or clusters both sides have; 0: each was resampled on its own."""


def _draws(
    one: _Side,
    other: _Side,
    places: list[tuple[int, int]],
    how: Settings,
    *,
    paired: bool,
    clusters: tuple[Sequence[str], Sequence[str]] | None,
) -> _Draws:
    clusters = clusters or _named(one.ratings.clusters, other.ratings.clusters)
    if paired:
        joint = _joint(one.ratings, other.ratings, clusters)
        shared = len(np.intersect1d(joint[0][one.rated], joint[1][other.rated]))
        if shared:
            drawn = _joint_draws(one, other, places, joint, how, named=clusters is not None)
            return _Draws(lambda at: drawn.printed(at, how.confidence), shared)
    # from one seed two streams, or alike sides would be drawn alike
    seeds = np.random.SeedSequence(how.seed).generate_state(2).tolist()
    left, right = one.own_draws(how.draws, seeds[0]), other.own_draws(how.draws, seeds[1])
    over = " and ".join(dict.fromkeys((left.parts.over, right.parts.over)))
    tail = (1 - how.confidence) / 2

    def apart(at: int) -> Interval | None:
        if min(left.parts.number, right.parts.number) < 2:
            return None
        drawn = left.draws[:, places[at][0]] - right.draws[:, places[at][1]]
        return interval_of(drawn, (tail, 1 - tail), how.confidence, over, how.seed)[0]

    return _Draws(apart, 0)


def _joint_draws(
    one: _Side,
    other: _Side,
    places: list[tuple[int, int]],
    joint: tuple[NDArray[np.int32], NDArray[np.int32]],
    how: Settings,
    *,
    named: bool,
) -> Resampled:
    """Resample what both sides have together: each row adds to the sums of its own side."""
    rows = (one.patterns.of_row, other.patterns.of_row + len(one.sums.features))
    left, right = one.sums.features, other.sums.features
    split = left.shape[1]
    features = np.zeros((len(left) + len(right), split + right.shape[1]))
    features[: len(left), :split] = left
    features[len(left) :, split:] = right
    together = np.concatenate(joint)
    clustered = one.ratings.clusters or other.ratings.clusters
    name = clustered.name if clustered else "cluster"
    parts = cluster_parts(
        features,
        np.concatenate(rows).astype(np.int32),
        Clusters(name, together, int(together.max()) + 1),
        np.concatenate([_times(one.ratings), _times(other.ratings)]),
    )
    if not named and clustered is None:
        parts = replace(parts, over="units")
    here, there = ([each[side] for each in places] for side in (0, 1))

    def differ(totals: Array) -> Array:
        first = one.sums.evaluate(totals[:, :split])[:, here]
        return first - other.sums.evaluate(totals[:, split:])[:, there]

    return Resampled(parts, differ, draws=how.draws, seed=how.seed)


def _times(ratings: Ratings) -> NDArray[np.int64]:
    return np.ones(ratings.rows, dtype=np.int64) if ratings.times is None else ratings.times


def _joint(
    one: Ratings, other: Ratings, clusters: tuple[Sequence[str], Sequence[str]] | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return for each row of both sides what it is resampled with, counted from 0."""
    if clusters is not None:
        return _numbered(clusters[0], clusters[1])
    # units of tables of counts have no id, and match nothing
    left = one.units or [f"{at}" for at in range(one.rows)]
    right = other.units if one.units and other.units else range(-other.rows, 0)
    units = _numbered(left, right)
    if one.clusters is None and other.clusters is None:
        return units
    return _linked(units, (one.clusters, other.clusters))


def _named(one: Clusters | None, other: Clusters | None) -> tuple[list[str], list[str]] | None:
    """Return the name of each row's cluster when both sides have some of the same kind and name."""
    if one is None or other is None or one.name != other.name:
        return None
    if set(one.names).isdisjoint(other.names):
        return None
    left, right = ([each.names[at] for at in each.of_unit.tolist()] for each in (one, other))
    return left, right


def _numbered(
    left: Sequence[object], right: Sequence[object]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    place: dict[object, int] = {}
    numbers = [place.setdefault(each, len(place)) for side in (left, right) for each in side]
    joined = np.array(numbers, dtype=np.int32)
    return joined[: len(left)], joined[len(left) :]


def _linked(
    units: tuple[NDArray[np.int32], NDArray[np.int32]],
    clusters: tuple[Clusters | None, Clusters | None],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the clusters of both sides, one where they have a unit in common."""
    number = max(int(each.max(initial=-1)) for each in units) + 1
    root = list(range(number))

    def top(at: int) -> int:
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    for of_row, known in zip(units, clusters, strict=True):
        if known is None:
            continue
        # the first unit of a cluster stands for it, and every other one is tied to it
        first = np.full(known.number, -1, dtype=np.int64)
        used, at = np.unique(known.of_unit, return_index=True)
        first[used] = of_row[at]
        ties = np.stack([of_row, first[known.of_unit]], axis=1)
        for unit, leader in ties[ties[:, 0] != ties[:, 1]].tolist():
            root[top(unit)] = top(leader)
    tops = np.array([top(at) for at in range(number)], dtype=np.int64)
    numbered = np.unique(tops, return_inverse=True)[1].astype(np.int32)
    return numbered[units[0]], numbered[units[1]]
