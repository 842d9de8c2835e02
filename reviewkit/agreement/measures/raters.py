"""Raters one by one: each pair, and how often each gave each category."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.estimates import (
    RaterPair,
    RaterShare,
    Settings,
)
from reviewkit.agreement.measures.patterns import Patterns
from reviewkit.agreement.measures.ratings import Codes, Ratings
from reviewkit.agreement.measures.wilson import wilson


def pair_table(
    codes: Codes, times: NDArray[np.int64], one: int, other: int, q: int
) -> NDArray[np.int64]:
    """Return the counts of two raters over the units both rated, shape (q, q); rows: ``one``."""
    both = (codes[:, one] >= 0) & (codes[:, other] >= 0)
    table = np.zeros(q * q, dtype=np.int64)
    np.add.at(table, codes[both, one] * q + codes[both, other], times[both])
    return table.reshape(q, q)


def rater_pairs(ratings: Ratings, patterns: Patterns, settings: Settings) -> tuple[RaterPair, ...]:
    """Return every pair of raters with a unit in common, on the units both rated.

    Kappa is Cohen's. Percent agreement has a Wilson interval where units are exchangeable, and
    none where they come in clusters.
    """
    if patterns.codes is None:
        return ()
    found: list[RaterPair] = []
    for one, other in combinations(range(len(ratings.raters)), 2):
        table = pair_table(patterns.codes, patterns.times, one, other, ratings.q)
        n, agree = int(table.sum()), int(table.trace())
        if not n:
            continue
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        # in whole numbers, so that chance agreement of 1 is met exactly
        chance = int((rows * columns).sum())
        defined = chance < n * n
        found.append(
            RaterPair(
                ratings.raters[one],
                ratings.raters[other],
                n,
                agree,
                None if ratings.clusters else wilson(agree, n, settings.confidence),
                (n * agree - chance) / (n * n - chance) if defined else None,
                "" if defined else f"both used only {ratings.categories[int(rows.argmax())]}",
                tuple(tuple(row) for row in table.tolist()),
            )
        )
    return tuple(found)


def light_kappa(pairs: tuple[RaterPair, ...]) -> float | None:
    """Return the mean of the pairwise kappas (Light 1971); None with one pair or one undefined."""
    kappas = [pair.kappa for pair in pairs if pair.kappa is not None]
    if len(pairs) < 2 or len(kappas) < len(pairs):
        return None
    return sum(kappas) / len(kappas)


def rater_shares(ratings: Ratings, patterns: Patterns) -> tuple[RaterShare, ...]:
    """Return how often each rater gave each category, over all the units he rated."""
    if patterns.codes is None:
        return ()
    found: list[RaterShare] = []
    for at, rater in enumerate(ratings.raters):
        codes = patterns.codes[:, at]
        given = np.zeros(ratings.q, dtype=np.int64)
        np.add.at(given, codes[codes >= 0], patterns.times[codes >= 0])
        found.append(RaterShare(rater, int(given.sum()), tuple(given.tolist())))
    return tuple(found)
