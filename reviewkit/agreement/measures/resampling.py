"""Bootstrap of coefficients that are functions of sums over units, over units or over clusters.

A resample of n units out of n is a multinomial count of the different patterns; a resample of G
clusters out of G is a multinomial count of the clusters (Efron and Tibshirani 1993, chapters 6 and
8). Its sums are the counts times what each pattern or cluster adds, so one matrix product serves
every coefficient, and the cost of a resample does not grow with the number of units. The counts
have exactly the distribution that resampling rows has; nothing is approximated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.estimates import Interval
from reviewkit.agreement.measures.multinomial import Multinomial
from reviewkit.agreement.measures.ratings import Clusters

Array = NDArray[np.float64]
Evaluate = Callable[[Array], Array]
"""Rows of sums, shape (b, p) -> coefficients, shape (b, s); NaN where one is not defined."""
ResampledMethod = Literal["percentile", "bca"]

MOST_UNDEFINED = 0.05
"""When more than this share of the resamples gives no value, what is left is no distribution."""
_CELLS = 1 << 22
"""How many sums are held at once: 32 MB."""
_SMALL = 1 << 22
"""Up to so many cells, a table of clusters x patterns is faster than sorting."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What is drawn: the different patterns of units, or of clusters."""

    sums: Array
    """Shape (m, p): what one of each adds to the sums."""
    times: NDArray[np.int64]
    """Shape (m,): how many there are of each."""
    over: str
    """``units``, or ``clusters of template``."""

    @property
    def number(self) -> int:
        """How many units or clusters there are."""
        return int(self.times.sum())


def unit_parts(features: Array, times: NDArray[np.int64]) -> Parts:
    """Return the units as what is drawn; units that add nothing (no rating) are left out.

    Args:
        features: Shape (P, p): what one unit of each pattern adds to the sums.
        times: Shape (P,): how many units have the pattern.
    """
    drawn = features.any(axis=1) & (times > 0)
    return Parts(features[drawn], times[drawn], "units")


def cluster_parts(
    features: Array,
    of_row: NDArray[np.int32],
    clusters: Clusters,
    row_times: NDArray[np.int64] | None = None,
) -> Parts:
    """Return the clusters as what is drawn; clusters without any rating are left out.

    Clusters that hold the same patterns equally often are one entry with its number.

    Args:
        features: Shape (P, p): what one unit of each pattern adds to the sums.
        of_row: Shape (rows,): the pattern of each row.
        clusters: The cluster of each row.
        row_times: Shape (rows,): how many units each row stands for; None: one each.
    """
    drawn: NDArray[np.bool_] = np.any(features, axis=1)[of_row]
    if row_times is not None:
        drawn &= row_times > 0
        row_times = row_times[drawn]
    rows = _Rows(clusters.of_unit[drawn], of_row[drawn], row_times)
    over = f"clusters of {clusters.name}"
    if not drawn.any():
        return Parts(features[:0], np.zeros(0, dtype=np.int64), over)
    small = clusters.number * len(features) <= _SMALL
    sums, times = (_tabled if small else _sorted)(features, rows)
    return Parts(sums, times, over)


@dataclass(frozen=True, slots=True)
class _Rows:
    cluster: NDArray[np.int32]
    pattern: NDArray[np.int32]
    times: NDArray[np.int64] | None


def _tabled(features: Array, rows: _Rows) -> tuple[Array, NDArray[np.int64]]:
    """Count patterns per cluster in a full table: the fast way where the table is small."""
    patterns = len(features)
    cells = rows.cluster.astype(np.intp) * patterns + rows.pattern
    clusters = int(rows.cluster.max()) + 1
    # as weights the numbers become floats, which hold whole numbers below 2^53 exactly
    table = np.bincount(cells, rows.times, minlength=clusters * patterns)
    table = table.reshape(clusters, patterns)
    table = table[table.any(axis=1)]
    first, times = _different(table.astype(np.uint64) @ _marks(patterns))
    return table[first].astype(np.float64) @ features, times


def _sorted(features: Array, rows: _Rows) -> tuple[Array, NDArray[np.int64]]:
    """Add up the rows of each cluster, sorted by cluster and pattern."""
    order = np.argsort(rows.cluster.astype(np.int64) * len(features) + rows.pattern)
    cluster, pattern = rows.cluster[order], rows.pattern[order]
    times = np.ones(len(order), dtype=np.int64) if rows.times is None else rows.times[order]
    begins = np.append(True, cluster[1:] != cluster[:-1])
    marks = _marks(len(features))[pattern] * times.astype(np.uint64)[:, None]
    first, number = _different(np.add.reduceat(marks, np.flatnonzero(begins)))
    # of clusters that are alike only the first is added up
    kept = np.isin(np.cumsum(begins) - 1, first)
    pattern, times, begins = pattern[kept], times[kept], begins[kept]
    starts = np.flatnonzero(begins)
    sums = np.empty((len(starts), features.shape[1]))
    step = max(1, _CELLS // features.shape[1])
    at = 0
    while at < len(starts):
        # as many whole clusters as fit, at least one
        end = max(at + 1, int(np.searchsorted(starts, starts[at] + step, side="right")) - 1)
        stop = int(starts[end]) if end < len(starts) else len(pattern)
        part = slice(int(starts[at]), stop)
        added = features[pattern[part]] * times[part, None]
        np.add.reduceat(added, starts[at:end] - starts[at], axis=0, out=sums[at:end])
        at = end
    return sums, number


def _marks(patterns: int) -> NDArray[np.uint64]:
    """Return two random 64-bit numbers for each pattern; their sums are a cluster's fingerprint."""
    rng = np.random.default_rng(0)
    return rng.integers(0, 1 << 64, size=(patterns, 2), dtype=np.uint64)


def _different(prints: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the place of the first of each kind of cluster in ascending order, and its number."""
    _, first, kind, number = np.unique(
        prints[:, 0], return_index=True, return_inverse=True, return_counts=True
    )
    if not np.array_equal(prints[first, 1][kind], prints[:, 1]):
        # two different clusters with one number of 64 bits: then all count as different
        return np.arange(len(prints)), np.ones(len(prints), dtype=np.int64)
    order = np.argsort(first)
    return first[order], number[order].astype(np.int64)


class Resampled:
    """The coefficients of the sample and of its resamples."""

    def __init__(self, parts: Parts, evaluate: Evaluate, *, draws: int, seed: int) -> None:
        self.parts = parts
        self.seed = seed
        self._evaluate = evaluate
        self._totals: Array = parts.times @ parts.sums
        self.estimates: Array = evaluate(self._totals[None, :])[0]
        """Shape (s,): the coefficients of the sample; NaN where one is not defined."""
        self.draws: Array = self._draw(draws)
        """Shape (B, s): those of each resample; B is 0 with fewer than two units or clusters."""

    def _draw(self, draws: int) -> Array:
        found = np.empty((draws if self.parts.number > 1 else 0, len(self.estimates)))
        if len(found) == 0:
            return found
        order = np.argsort(-self.parts.times, kind="stable")
        sums = self.parts.sums[order]
        drawn = Multinomial(self.parts.times[order])
        rng = np.random.default_rng(self.seed)
        most = min(drawn.rows, self._rows)
        for at in range(0, len(found), most):
            rows = min(most, len(found) - at)
            found[at : at + rows] = self._evaluate(drawn.counts(rng, rows) @ sums)
        return found

    @cached_property
    def without(self) -> Array:
        """Shape (m, s): the coefficients without one of each part (the jackknife)."""
        sums = self.parts.sums
        found = np.empty((len(sums), len(self.estimates)))
        for at in range(0, len(sums), self._rows):
            part = slice(at, at + self._rows)
            found[part] = self._evaluate(self._totals - sums[part])
        return found

    @property
    def _rows(self) -> int:
        """How many rows of sums are evaluated at once."""
        return max(1, _CELLS // max(1, self.parts.sums.shape[1]))

    def jackknife_error(self, at: int) -> float | None:
        """Return the jackknife standard error of one coefficient, or None where it has none.

        Source: Efron and Tibshirani 1993, equation 11.5.
        """
        values, times, number = self.without[:, at], self.parts.times, self.parts.number
        if number < 2 or not np.isfinite(values).all():
            return None
        apart = values - (times @ values) / number
        return float(np.sqrt((number - 1) / number * (times @ apart**2)))

    def interval(
        self, at: int, method: ResampledMethod, confidence: float = 0.95
    ) -> tuple[Interval | None, str]:
        """Return the interval of one coefficient, and why there is none when there is none.

        Resamples without a value are left out and counted. There is no interval when more than
        5 % of them have none, when there are fewer than two units or clusters, when the resamples
        do not vary, or when they are fewer than it takes to have one beyond each end.

        Args:
            at: The place of the coefficient.
            method: ``percentile``, or ``bca``: bias-corrected and accelerated, Efron 1987.
            confidence: Between 0 and 1, both excluded.
        """
        why = self._why_not(at, confidence)
        if why:
            return None, why
        drawn = self.draws[:, at]
        tail = (1 - confidence) / 2
        tails = (tail, 1 - tail)
        if method == "bca":
            shifted = self._shifted(at, drawn[np.isfinite(drawn)], tails)
            if isinstance(shifted, str):
                return None, shifted
            tails = shifted
        found, why = interval_of(drawn, tails, confidence, self.parts.over, self.seed)
        return (None if found is None else replace(found, method=method)), why

    def percentile(self, at: int, confidence: float = 0.95) -> Interval | None:
        """Return the percentile interval of one coefficient; None as in ``interval``."""
        return self.interval(at, "percentile", confidence)[0]

    def bca(self, at: int, confidence: float = 0.95) -> Interval | None:
        """Return the BCa interval (Efron 1987) of one coefficient; None as in ``interval``."""
        return self.interval(at, "bca", confidence)[0]

    def printed(self, at: int, confidence: float = 0.95) -> Interval | None:
        """Return the interval to print: BCa, or percentile where that has none."""
        return self.bca(at, confidence) or self.percentile(at, confidence)

    def _why_not(self, at: int, confidence: float) -> str:
        if not np.isfinite(self.estimates[at]):
            return "the coefficient itself is not defined"
        if self.parts.number < 2:
            return f"fewer than two {self.parts.over}"
        return too_few(self.draws[:, at], confidence)

    def _shifted(
        self, at: int, values: Array, tails: tuple[float, float]
    ) -> tuple[float, float] | str:
        """Return the tails of the BCa interval (Efron 1987, equation 2.3), or why it has none."""
        estimate = self.estimates[at]
        # a resample equal to the estimate lies half below it
        near = np.abs(values - estimate) < 1e-12
        below = (np.count_nonzero((values < estimate) & ~near) + near.sum() / 2) / len(values)
        if not 0 < below < 1:
            return "all resamples lie on one side of the value"
        without = self.without[:, at]
        if not np.isfinite(without).all():
            return "without one of the units it is not defined"
        times = self.parts.times.astype(np.float64)
        apart = (times @ without) / self.parts.number - without
        squared = apart * apart
        spread = float(times @ squared)
        if spread < 1e-24:
            return "it is the same whichever unit is left out"
        acceleration = float(times @ (squared * apart)) / (6 * spread**1.5)
        normal = NormalDist()
        bias = normal.inv_cdf(float(below))
        shifted: list[float] = []
        for tail in tails:
            z = bias + normal.inv_cdf(tail)
            if acceleration * z >= 1:
                return "the resamples are too skewed for it"
            shifted.append(normal.cdf(bias + z / (1 - acceleration * z)))
        return shifted[0], shifted[1]


def too_few(drawn: Array, confidence: float) -> str:
    """Return why these resamples say nothing of their tails, or an empty text when they do."""
    if len(drawn) == 0:
        return "nothing was resampled"
    # one resample beyond each end, at least
    needed = math.ceil(2 / (1 - confidence) - 1e-9)
    if len(drawn) < needed:
        return f"an interval at {confidence:g} takes {needed:,} resamples or more"
    undefined = int((~np.isfinite(drawn)).sum())
    if undefined > MOST_UNDEFINED * len(drawn):
        return f"{undefined:,} of {len(drawn):,} resamples gave no value"
    return ""


def interval_of(
    drawn: Array, tails: tuple[float, float], confidence: float, over: str, seed: int
) -> tuple[Interval | None, str]:
    """Return the interval between two quantiles of resamples, or why there is none.

    Args:
        drawn: Shape (B,): the value of each resample; those without one are left out and counted.
        tails: The shares of the resamples below either end.
        confidence: What the interval is called.
        over: What varied.
        seed: What the resamples were drawn with.
    """
    why = too_few(drawn, confidence)
    if why:
        return None, why
    values = drawn[np.isfinite(drawn)]
    low, high = (float(each) for each in np.quantile(values, tails))
    if high - low < 1e-12:
        return None, f"nearly all {len(values):,} resamples gave the same value"
    undefined = len(drawn) - len(values)
    interval = Interval(
        low, high, confidence, "percentile", over, len(values), undefined, seed
    )  # fmt: skip
    return interval, ""


def resample(
    features: Array,
    times: NDArray[np.int64],
    evaluate: Evaluate,
    *,
    draws: int,
    seed: int,
    clusters: Clusters | None = None,
    of_row: NDArray[np.int32] | None = None,
    row_times: NDArray[np.int64] | None = None,
) -> Resampled:
    """Resample units, or clusters of units when they are given.

    Args:
        features: Shape (P, p): what one unit of each pattern adds to the sums.
        times: Shape (P,): how many units have the pattern.
        evaluate: The coefficients of rows of sums.
        draws: How many resamples; 0 gives the estimates only.
        seed: Of numpy's default generator; the same seed gives the same resamples.
        clusters: The cluster of each row; needs ``of_row``.
        of_row: Shape (rows,): the pattern of each row.
        row_times: Shape (rows,): how many units each row stands for; None: one each.

    Raises:
        ValueError: When clusters are given without the pattern of each row.
    """
    if clusters is None:
        return Resampled(unit_parts(features, times), evaluate, draws=draws, seed=seed)
    if of_row is None:
        raise ValueError("clusters need the pattern of each row")
    parts = cluster_parts(features, of_row, clusters, row_times)
    return Resampled(parts, evaluate, draws=draws, seed=seed)
