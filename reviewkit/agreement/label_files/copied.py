"""Ratings that look copied: two raters who never differ, a block of units that comes back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.ratings import Ratings

IDENTICAL_FROM = 10
"""Fewer equal labels than this are no sign of a copy."""
_MOST_RATERS = 60
_MOST_ROWS = 200_000
"""A longer file comes from a program and not from a sheet in which people paste."""


def identical_hints(ratings: Ratings) -> tuple[str, ...]:
    """Return the pairs of raters that never differ, over several categories."""
    if ratings.codes is None or ratings.times is not None or len(ratings.raters) > _MOST_RATERS:
        return ()
    found: list[str] = []
    on = f" ({ratings.question})" if ratings.question else ""
    for one in range(len(ratings.raters)):
        for other in range(one + 1, len(ratings.raters)):
            first, second = ratings.codes[:, one], ratings.codes[:, other]
            both = (first >= 0) & (second >= 0)
            shared = int(both.sum())
            if shared < IDENTICAL_FROM or not np.array_equal(first[both], second[both]):
                continue
            if len(np.unique(first[both])) < 2:
                continue
            found.append(
                f"{ratings.raters[one]} and {ratings.raters[other]} gave the same label to each of"
                f" the {shared:,} units that both rated{on}: look whether one column is a copy of"
                " the other."
            )
    return tuple(found)


def copied_hints(ratings: Ratings) -> tuple[str, ...]:
    """Return the longest run of ratings that stands on two different runs of units.

    The run must be so long that chance does not explain it: with c the chance that a unit is rated
    like another one when the units before them are rated alike, fewer than one in a thousand files
    of this length would hold two equal runs of that length. Runs that come back again and again are
    the design of the file and no copy.
    """
    rows = ratings.rows
    if ratings.codes is None or ratings.times is not None:
        return ()
    if not 2 * IDENTICAL_FROM <= rows <= _MOST_ROWS:
        return ()
    kinds = np.zeros(rows, dtype=np.int64)
    for codes in ratings.codes.T:
        # as many kinds as there are rows at most, so that the product stays within 64 bits
        _, kinds = np.unique(kinds * (ratings.q + 1) + codes, return_inverse=True)
    length = _too_long_for_chance(kinds)
    if length is None or 2 * length > rows:
        return ()
    found = _equal_runs(kinds, length)
    if found is None:
        return ()
    one, other, long = found
    on = f" of {ratings.question}" if ratings.question else ""
    first, last = _ids(ratings, one, long)
    again, end = _ids(ratings, other, long)
    told = (
        f"The ratings{on} of {long:,} units in a row, {first} to {last}, come back unchanged on"
        f" {again} to {end}: look whether a block was pasted twice."
    )
    return (told,)


def _ids(ratings: Ratings, at: int, long: int) -> tuple[str, str]:
    if ratings.units:
        return repr(ratings.units[at]), repr(ratings.units[at + long - 1])
    return f"row {at + 1}", f"row {at + long}"


def _too_long_for_chance(kinds: NDArray[np.int64]) -> int | None:
    """Return the length of two equal runs that chance does not explain; None: any may be chance."""
    _, ones = np.unique(kinds, return_counts=True)
    _, twos = np.unique(kinds[:-1] * (int(kinds.max()) + 1) + kinds[1:], return_counts=True)
    n = len(kinds)
    alike = float((ones.astype(float) ** 2).sum()) / n**2
    alike_next = float((twos.astype(float) ** 2).sum()) / (n - 1) ** 2
    chance = alike_next / alike
    if chance > 0.9:
        return None
    return max(IDENTICAL_FROM, int(np.ceil(np.log(n * n / 2 / 0.001) / -np.log(chance))))


def _equal_runs(kinds: NDArray[np.int64], length: int) -> tuple[int, int, int] | None:
    """Return (start, start, length) of two equal runs that do not overlap, as long as it goes."""
    n = len(kinds)
    base = np.uint64(1_099_511_628_211)
    # a rolling hash: its products are meant to wrap around
    powers = np.ones(n + 1, dtype=np.uint64)
    powers[1:] = np.multiply.accumulate(np.full(n, base, dtype=np.uint64))
    terms = (kinds.astype(np.uint64) + np.uint64(1)) * powers[:n]
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(terms, dtype=np.uint64)])
    # windows are brought to one power by multiplying those that begin early
    window = (sums[length:] - sums[:-length]) * powers[n - length :: -1]
    _, group, sizes = np.unique(window, return_inverse=True, return_counts=True)
    # what stands more than three times is the pattern of the file
    starts = np.flatnonzero((sizes[group] == 2) | (sizes[group] == 3))
    order = starts[np.argsort(group[starts], kind="stable")]
    begins = np.flatnonzero(np.append(True, group[order][1:] != group[order][:-1]))
    if not len(starts):
        return None
    one, other = order[begins], order[begins + 1]
    by_place = np.argsort(one)
    one, other = one[by_place], other[by_place]
    apart = np.flatnonzero(other - one >= length)
    for at in apart[:50].tolist():
        first, second = int(one[at]), int(other[at])
        long = 0
        while (
            second + long < n
            and first + long < second
            and kinds[first + long] == kinds[second + long]
        ):
            long += 1
        if long >= length:
            return first, second, long
    return None
