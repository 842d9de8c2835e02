"""Krippendorff's alpha from the reference package, where its memory allows."""

from __future__ import annotations

from typing import Literal

import numpy as np

from reviewkit.agreement.measures.patterns import Patterns
from reviewkit.agreement.measures.ratings import Ratings

CELLS = 2_000_000
"""The package makes a table of units x categories x categories; above this our own sums stand."""
Level = Literal["nominal", "ordinal", "interval", "ratio"]
_LEVELS: dict[str, Level] = {
    "nominal": "nominal",
    "ordinal": "ordinal",
    "interval": "interval",
    "ratio": "ratio",
}


def library_alpha(ratings: Ratings, patterns: Patterns, level: str, own: float) -> float:
    """Return alpha at ``level`` as the package krippendorff computes it, else ``own``.

    ``own`` is the value from our sums; a test holds the two equal. It stands where the package has
    no level for it (distances of sets), and where there are too many units for its memory.

    Args:
        ratings: The ratings; the category list is the value domain.
        patterns: Their patterns.
        level: Krippendorff's level, or a distance.
        own: Alpha from our own sums; defined.
    """
    units = int(patterns.times.sum())
    if level not in _LEVELS or units * ratings.q**2 > CELLS:
        return own
    import krippendorff  # noqa: PLC0415 - most reports need it, the desk never does

    domain: list[float] | list[str] = list(range(ratings.q))
    if level in ("interval", "ratio"):
        domain = list(ratings.values or (float(each) for each in ratings.categories))
    # the package wants the values of an interval scale in their order
    order = np.argsort(domain, kind="stable")
    counts = np.repeat(patterns.counts, patterns.times, axis=0)[:, order]
    return float(
        krippendorff.alpha(
            value_counts=counts,
            value_domain=[domain[at] for at in order.tolist()],
            level_of_measurement=_LEVELS[level],
        )
    )
