"""The different rows of a matrix of ratings, each once, with how many units have it.

Every coefficient and every resample works on these few rows, so its cost does not grow with the
number of units.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.ratings import MISSING, Codes, Ratings

_KEYS = 1 << 22
"""Up to so many possible rows, counting all of them is faster than sorting."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """The different rows of ratings."""

    codes: Codes | None
    """Shape (patterns, raters); None when raters are not known by name."""
    counts: NDArray[np.int64]
    """Shape (patterns, categories): how often each category was given."""
    times: NDArray[np.int64]
    """Shape (patterns,): how many units have the pattern."""
    of_row: NDArray[np.int32]
    """Shape (rows,): the pattern of each row."""

    @property
    def q(self) -> int:
        """How many categories there are."""
        return self.counts.shape[1]

    @property
    def rated(self) -> NDArray[np.int64]:
        """Shape (patterns,): how many ratings a unit of the pattern has."""
        return self.counts.sum(axis=1)


def patterns_of(ratings: Ratings) -> Patterns:
    """Return the different rows of ``ratings``; rows without a rating are a pattern too."""
    if ratings.codes is not None:
        codes, of_row = _distinct(ratings.codes, ratings.q)
        counts = _counts(codes, ratings.q)
    elif ratings.counts is not None:
        codes = None
        counts, inverse = np.unique(ratings.counts, axis=0, return_inverse=True)
        of_row = inverse.reshape(-1).astype(np.int32)
    else:  # Ratings refuses to be made without both
        raise ValueError("no ratings")
    if ratings.times is None:
        times = np.bincount(of_row, minlength=len(counts)).astype(np.int64)
    else:
        times = np.zeros(len(counts), dtype=np.int64)
        np.add.at(times, of_row, ratings.times)
    return Patterns(codes, counts, times, of_row)


def _distinct(codes: Codes, q: int) -> tuple[Codes, NDArray[np.int32]]:
    """Return the different rows of ``codes`` and, for each row, which of them it is."""
    raters = codes.shape[1]
    base = q + 1
    possible = base**raters
    if possible >= 1 << 62:
        rows, inverse = np.unique(codes, axis=0, return_inverse=True)
        return rows, inverse.reshape(-1).astype(np.int32)
    whole = np.int32 if possible < 1 << 31 else np.int64
    keys = np.zeros(len(codes), dtype=whole)
    for rater in range(raters):
        keys *= base
        keys += codes[:, rater] + 1
    if possible <= _KEYS:
        seen = np.bincount(keys, minlength=possible) > 0
        used = np.flatnonzero(seen)
        of_row = (np.cumsum(seen, dtype=np.int32) - 1)[keys]
    else:
        used, inverse = np.unique(keys, return_inverse=True)
        of_row = inverse.reshape(-1).astype(np.int32)
    rows = np.empty((len(used), raters), dtype=np.int32)
    for rater in range(raters - 1, -1, -1):
        used, place = np.divmod(used, base)
        rows[:, rater] = place - 1
    return rows, of_row


def _counts(codes: Codes, q: int) -> NDArray[np.int64]:
    counts = np.zeros((len(codes), q), dtype=np.int64)
    for rater in range(codes.shape[1]):
        given = np.flatnonzero(codes[:, rater] != MISSING)
        counts[given, codes[given, rater]] += 1
    return counts
