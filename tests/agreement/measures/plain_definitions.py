"""Every coefficient as its definition reads, unit by unit and pair by pair, in exact fractions.

Slow and plain on purpose: nothing here is shared with the package. None: not defined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations

Row = list[int | None]
"""The place of the label that each rater gave to one unit."""
Weigh = Callable[[int, int], Fraction]
Distance = Callable[[int, int], Fraction]


def equal(one: int, other: int) -> Fraction:
    """Return the weight of a pair of labels when only equal ones agree."""
    return Fraction(one == other)


def weights(kind: str, scale: Sequence[Fraction]) -> Weigh:
    """Return linear, quadratic or Gwet's ordinal weights over these places on a scale."""
    wide, q = max(scale) - min(scale), len(scale)

    def weigh(one: int, other: int) -> Fraction:
        if one == other:
            return Fraction(1)
        if kind == "ordinal":
            apart = abs(one - other)
            return 1 - Fraction(apart * (apart + 1), q * (q - 1))
        apart = abs(scale[one] - scale[other]) / wide
        return 1 - (apart if kind == "linear" else apart**2)

    return weigh


def metric(level: str, scale: Sequence[Fraction], rows: list[Row]) -> Distance:
    """Return Krippendorff's difference of two labels at a level."""
    labels = [each for row in rows if len(given(row)) > 1 for each in given(row)]

    def differ(one: int, other: int) -> Fraction:
        low, high = sorted((one, other))
        if level == "nominal" or low == high:
            return Fraction(low != high)
        if level == "ordinal":
            between = sum(low <= each <= high for each in labels)
            return (between - Fraction(labels.count(low) + labels.count(high), 2)) ** 2
        apart, total = scale[one] - scale[other], scale[one] + scale[other]
        if level == "interval":
            return apart**2
        return (apart / total) ** 2 if total else Fraction(0)

    return differ


def opposite(weigh: Weigh) -> Distance:
    """Return how far labels differ that agree so much."""
    return lambda one, other: 1 - weigh(one, other)


def given(row: Row) -> list[int]:
    """Return the labels that a unit got."""
    return [each for each in row if each is not None]


def mean(values: list[Fraction]) -> Fraction | None:
    """Return the mean of some values, if there are any."""
    return sum(values, Fraction(0)) / len(values) if values else None


def pairs_of(row: Row) -> list[tuple[int, int]]:
    """Return the labels of each ordered pair of ratings of a unit."""
    return list(permutations(given(row), 2))


def observed(rows: list[Row], weigh: Weigh = equal) -> Fraction | None:
    """Return the mean over units of the share of their pairs that agree."""
    of_units = [mean([weigh(*pair) for pair in pairs_of(row)]) for row in rows]
    return mean([each for each in of_units if each is not None])


def all_agree(rows: list[Row]) -> Fraction | None:
    """Return the share of units with two or more ratings on which all are equal."""
    return mean([Fraction(len(set(given(row))) == 1) for row in rows if len(given(row)) > 1])


def corrected(agreed: Fraction | None, chance: Fraction | None) -> Fraction | None:
    """Return agreement beyond chance."""
    if agreed is None or chance is None or chance == 1:
        return None
    return (agreed - chance) / (1 - chance)


def gwet_shares(rows: list[Row], q: int) -> list[Fraction]:
    """Return the mean over rated units of the share of each category on the unit."""
    rated = [given(row) for row in rows if given(row)]
    return [mean([Fraction(row.count(at), len(row)) for row in rated]) or Fraction(0)
            for at in range(q)]  # fmt: skip


def crossed(one: list[Fraction], other: list[Fraction], weigh: Weigh) -> Fraction:
    """Return the agreement of two labels drawn from two distributions."""
    places = range(len(one))
    return sum((weigh(k, m) * one[k] * other[m] for k in places for m in places), Fraction(0))


def fleiss(rows: list[Row], q: int, weigh: Weigh = equal) -> Fraction | None:
    """Return Fleiss' kappa, of two raters Scott's pi."""
    shares = gwet_shares(rows, q)
    return corrected(observed(rows, weigh), crossed(shares, shares, weigh))


def ac(rows: list[Row], q: int, weigh: Weigh = equal) -> Fraction | None:
    """Return AC1 or AC2."""
    if q < 2:
        return None
    total = sum((weigh(k, m) for k in range(q) for m in range(q)), Fraction(0))
    spread = sum((share * (1 - share) for share in gwet_shares(rows, q)), Fraction(0))
    return corrected(observed(rows, weigh), total / (q * (q - 1)) * spread)


def brennan_prediger(rows: list[Row], q: int, weigh: Weigh = equal) -> Fraction | None:
    """Return Brennan and Prediger's coefficient."""
    uniform = [Fraction(1, q)] * q
    return corrected(observed(rows, weigh), crossed(uniform, uniform, weigh))


def pabak(rows: list[Row], q: int) -> Fraction | None:
    """Return twice the observed agreement less 1."""
    agreed = observed(rows)
    return None if agreed is None or q < 2 else 2 * agreed - 1


def shares_of(labels: list[int], q: int) -> list[Fraction]:
    """Return the share of each category among some labels."""
    return [Fraction(labels.count(at), len(labels)) for at in range(q)]


def cohen(rows: list[Row], q: int, weigh: Weigh = equal) -> Fraction | None:
    """Return Cohen's kappa on the units that both raters rated."""
    both = [given(row) for row in rows if None not in row]
    if not both:
        return None
    one, other = (shares_of([row[at] for row in both], q) for at in range(2))
    return corrected(mean([weigh(*row) for row in both]), crossed(one, other, weigh))


def conger(rows: list[Row], q: int, weigh: Weigh = equal) -> Fraction | None:
    """Return Conger's kappa: chance is the mean over pairs of raters who rated anything."""
    columns = [[each for each in column if each is not None] for column in zip(*rows, strict=True)]
    shares = [shares_of(column, q) for column in columns if column]
    chance = mean([crossed(one, other, weigh) for one, other in combinations(shares, 2)])
    return corrected(observed(rows, weigh), chance)


def alpha(rows: list[Row], differ: Distance) -> Fraction | None:
    """Return alpha: the difference within units over that of any two pairable ratings."""
    paired = [row for row in rows if len(given(row)) > 1]
    labels = [each for row in paired for each in given(row)]
    within = sum(
        (sum((differ(*pair) for pair in pairs_of(row)), Fraction(0)) / (len(given(row)) - 1)
         for row in paired),
        Fraction(0),
    )  # fmt: skip
    places = sorted(set(labels))
    # of each label with each other label; with itself it does not differ
    apart = sum(
        (labels.count(k) * labels.count(m) * differ(k, m) for k in places for m in places),
        Fraction(0),
    )
    return 1 - (len(labels) - 1) * within / apart if apart else None


def specific(rows: list[Row], category: int) -> Fraction | None:
    """Return the share of the pairs with one label of a category whose other label is too."""
    pairs = [pair for row in rows for pair in pairs_of(row)]
    return mean([Fraction(other == category) for one, other in pairs if one == category])
