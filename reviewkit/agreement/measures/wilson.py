"""The interval of a share of exchangeable units: Wilson's score interval (1927)."""

from __future__ import annotations

import math
from statistics import NormalDist

from reviewkit.agreement.measures.estimates import Interval


def wilson(agree: int, n: int, confidence: float = 0.95) -> Interval | None:
    """Return the score interval of ``agree`` out of ``n`` units.

    Source: Wilson 1927; Newcombe 1998, method 3, without a correction for continuity. It stays
    within 0 and 1, and has a width also where all units agree or none does.

    Args:
        agree: How many units agree, 0 to ``n``.
        n: How many units there are; they must be exchangeable (no twins).
        confidence: Between 0 and 1, both excluded.

    Returns:
        The interval of the share, or None when there is no unit.

    Raises:
        ValueError: When the counts or the confidence are none.
    """
    if not 0 <= agree <= n:
        raise ValueError(f"{agree} of {n} is no count")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    if not n:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = agree / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # the formula ends exactly at 0 and 1 there, floating point only nearly
    low = 0.0 if agree == 0 else middle - reach
    high = 1.0 if agree == n else middle + reach
    return Interval(low, high, confidence, "wilson", "units")
