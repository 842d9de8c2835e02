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
from reviewkit.agreement.measures.sums import MANY_RATERS

FEW_CLUSTERS = 10
"""With fewer clusters a cluster bootstrap is known to give intervals that are too short."""
_COMPANIONS: tuple[Name, ...] = ("brennan_prediger", "pabak", "ac1", "alpha")


def remarks_on(
    ratings: Ratings,
    patterns: Patterns,
    estimates: tuple[Estimate, ...],
    rated: int,
    paired: int,
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
    clusters = clusters_rated(ratings, patterns)
    if clusters is None and ratings.sets is None and many_singles(rated, paired):
        text = (
            f"{rated - paired} of {rated} {unit}s have a single rating. The published analytic"
            " errors take such a unit as one that agrees by chance alone, which makes intervals"
            " too wide; the linear part of the ratio is used in their place."
        )
        found.append(Remark("singles", text))
    if clusters is not None and clusters[1] < FEW_CLUSTERS:
        name, number = clusters
        text = (
            f"{number} cluster{'' if number == 1 else 's'} ({name}): with fewer than"
            f" {FEW_CLUSTERS} the intervals tend to be too short."
        )
        found.append(Remark("few_clusters", text))
    if len(ratings.raters) > MANY_RATERS:
        text = (
            f"{len(ratings.raters):,} raters: with more than {MANY_RATERS}, what each gave, pairs"
            " of raters, the figures without each rater and Conger's kappa are left out."
        )
        found.append(Remark("many_raters", text))
    if ratings.q < 2 and ratings.sets is None:
        found.append(Remark("one_category", f"The only category is {ratings.categories[0]}."))
    if (constant := _constant(ratings, patterns, estimates)) is not None:
        found.append(constant)
    elif (skewed := _skewed(ratings, patterns, estimates)) is not None:
        found.append(skewed)
    return tuple(found)


def many_singles(rated: int, paired: int) -> bool:
    """Return whether more than one rated unit in ten has a single rating."""
    return (rated - paired) * 10 > rated


def clusters_rated(ratings: Ratings, patterns: Patterns) -> tuple[str, int] | None:
    """Return what a cluster is and how many have a rating: those are what is resampled."""
    if ratings.clusters is None:
        return None
    rated = ((patterns.rated > 0) & (patterns.times > 0))[patterns.of_row]
    if ratings.times is not None:
        rated &= ratings.times > 0
    seen = np.bincount(ratings.clusters.of_unit[rated], minlength=1)
    return ratings.clusters.name, int(np.count_nonzero(seen))


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
        f" Read {_beside(estimates)} (q = {ratings.q})."
    )
    return Remark("skewed", text)
