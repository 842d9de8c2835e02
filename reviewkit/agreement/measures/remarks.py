"""What a reader must know so that the figures are not misread."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from reviewkit.agreement.coefficients import (
    HIGH_AGREEMENT,
    LOW_KAPPA,
    SKEWED_SHARE,
    two_decimals,
)
from reviewkit.agreement.measures.estimates import FEW_PAIRS, Estimate, Name, Remark
from reviewkit.agreement.measures.patterns import Patterns
from reviewkit.agreement.measures.ratings import Ratings

FEW_CLUSTERS = 10
"""With fewer clusters a cluster bootstrap is known to give intervals that are too short."""
_COMPANIONS: tuple[Name, ...] = ("brennan_prediger", "pabak", "ac1", "alpha")


def remarks_on(
    ratings: Ratings, patterns: Patterns, estimates: tuple[Estimate, ...], paired: int
) -> tuple[Remark, ...]:
    """Return the remarks that belong to these figures."""
    found: list[Remark] = []
    unit = ratings.unit
    if not paired:
        text = f"No {unit} has two ratings, so there is nothing to compare."
        return (Remark("no_second", text),)
    if paired < FEW_PAIRS:
        text = (
            f"Insufficient: {paired} {unit}{'' if paired == 1 else 's'} with two ratings,"
            f" fewer than {FEW_PAIRS}; the figures describe these {unit}s and claim nothing beyond."
        )
        found.append(Remark("few", text))
    clusters = ratings.clusters
    if clusters is not None and clusters.number < FEW_CLUSTERS:
        text = (
            f"{clusters.number} clusters ({clusters.name}): with fewer than {FEW_CLUSTERS} the"
            " intervals tend to be too short."
        )
        found.append(Remark("few_clusters", text))
    if ratings.q < 2 and ratings.sets is None:
        found.append(Remark("one_category", f"The only category is {ratings.categories[0]}."))
    if (constant := _constant(ratings, patterns, estimates)) is not None:
        found.append(constant)
    elif (skewed := _skewed(ratings, patterns, estimates)) is not None:
        found.append(skewed)
    return tuple(found)


def _value(estimates: tuple[Estimate, ...], *names: Name) -> Estimate | None:
    return next((each for name in names for each in estimates if each.name == name), None)


def _beside(estimates: tuple[Estimate, ...]) -> str:
    told = [
        f"{each.short} {two_decimals(each.value)}"
        for each in estimates
        if each.name in _COMPANIONS and each.value is not None
        if each.name != "alpha" or each.weights == "nominal"
    ]
    return " and ".join((", ".join(told[:-1]), told[-1])) if len(told) > 1 else "".join(told)


def _constant(
    ratings: Ratings, patterns: Patterns, estimates: tuple[Estimate, ...]
) -> Remark | None:
    """Return the remark on one of two raters who gave only one category: kappa is 0 then."""
    kappa = _value(estimates, "kappa")
    if kappa is None or kappa.value is None or patterns.codes is None:
        return None
    both = (patterns.codes >= 0).all(axis=1) & (patterns.times > 0)
    for rater, codes in zip(ratings.raters, patterns.codes[both].T, strict=True):
        used = np.unique(codes)
        if len(used) == 1:
            text = (
                f"Kappa is {two_decimals(kappa.value)} because {rater} used only"
                f" {ratings.categories[int(used[0])]}: it is 0 then, whatever the agreement."
                f" Read {_beside(estimates)} (q = {ratings.q})."
            )
            return Remark("one_value", text)
    return None


def _skewed(ratings: Ratings, patterns: Patterns, estimates: tuple[Estimate, ...]) -> Remark | None:
    """Return the remark on high agreement, skewed categories and a low kappa together."""
    observed = _value(estimates, "observed")
    kappa = _value(estimates, "kappa", "fleiss")
    if observed is None or kappa is None or observed.value is None or kappa.value is None:
        return None
    given = patterns.times @ patterns.counts
    most = int(given.argmax())
    share = int(given[most]) / int(given.sum())
    if observed.value < HIGH_AGREEMENT or kappa.value >= LOW_KAPPA or share < SKEWED_SHARE:
        return None
    # the definition of kappa, turned round
    chance = (observed.value - kappa.value) / (1 - kappa.value)
    percent = Decimal(repr(100 * share)).quantize(Decimal(1), ROUND_HALF_UP)
    agreed = Decimal(repr(100 * observed.value)).quantize(Decimal(1), ROUND_HALF_UP)
    text = (
        f"{kappa.title} is {two_decimals(kappa.value)} although observed agreement is {agreed} %:"
        f" {percent} % of all labels are {ratings.categories[most]}, so it puts agreement by"
        f" chance at {two_decimals(chance)} already (the prevalence paradox)."
        f" Read {_beside(estimates)}."
    )
    return Remark("skewed", text)
