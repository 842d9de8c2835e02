"""Analytic standard errors over units, and the intervals they give.

All are of one form: each unit gets a number x whose mean is the coefficient, and the error is the
standard deviation of x over the square root of n (Gwet 2008; Gwet 2014, chapter 6). With r_k the
ratings of category k on a unit, r their number, w the weights, n the units with a rating, n2 those
with two or more, p the agreement of one unit (0 with a single rating), o the observed and e the
chance agreement of all:

    x = (n/n2)(p - e [r >= 2]) / (1 - e) - 2 (1 - coefficient)(e' - e) / (1 - e)

So it is published, the ``raw`` form. There a unit with one rating stands for one that agrees no
more than by chance, which it is not, and with many of them the error is far too large. Observed
agreement is a ratio of two sums, and its linear part (Cochran 1977, chapter 6) has (p - o) where
the raw form has (p - e). That is the ``linear`` form, which intervals are made of. Where every
unit has two ratings both are the same. e' is what the unit adds to e:

AC1, AC2           sum(w) / (q(q - 1)) sum_k r_k (1 - pi_k) / r
Fleiss, Scott      sum_kl r_k w_kl pi_l / r
Brennan-Prediger   e (chance is the same for every unit)
Conger             the derivative of its e, which is quadratic in the raters' own shares
alpha              as Fleiss, over the units with two or more ratings, each weighing by r, and its
                   observed agreement corrected for finite size; one form only
observed           x = (n/n2) p, less (n/n2) o [r >= 2] in the linear form

The error of Cohen's kappa is that of Fleiss, Cohen and Everitt (1969), weighted or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.estimates import Interval, Name
from reviewkit.agreement.measures.patterns import Patterns
from reviewkit.agreement.measures.ratings import MISSING

Array = NDArray[np.float64]
Form = Literal["linear", "raw", "table"]

_NOTHING = 1e-12
"""A standard error below this is 0: what is left of a sum of equal numbers."""


def standard_errors(
    patterns: Patterns, weights: Array, names: Iterable[Name], *, form: Form = "linear"
) -> dict[Name, float | None]:
    """Return the standard error of each named coefficient under one matrix of weights.

    A name and its ``weighted_`` form, ``ac1`` and ``ac2`` mean the same here: the weights decide.
    Weights must be symmetric and fixed beforehand, which Krippendorff's ordinal metric is not: it
    depends on the ratings, and its alpha has no error of this kind.

    Args:
        patterns: The different rows of ratings.
        weights: Shape (q, q): the identity, or weights of agreement with 1 on the diagonal; for
            alpha 1 minus the distance over the greatest distance.
        names: Which coefficients; one whose error the literature does not give has None.
        form: ``linear`` and ``raw`` divide by n - 1 and take units with any rating; they differ
            where units have one rating. ``table`` is how errors are published for a table of two
            raters: it divides by n, takes the units both rated, and gives alpha the error of
            Scott's pi.

    Returns:
        The error, 0.0 when no unit differs from another, or None when the coefficient has none or
        is not defined.

    Raises:
        ValueError: When the table form is asked for without exactly two raters.
    """
    two = patterns.codes is not None and patterns.codes.shape[1] == 2
    if form == "table" and not two:
        raise ValueError("the table form is for two raters")
    units = _Units(patterns, both=form == "table")
    both = _Units(patterns, both=True) if two else None
    found: dict[Name, float | None] = {}
    for name in names:
        kappa = _plain(name) == "kappa"
        of = both if kappa else units
        alike: Name = "scott" if form == "table" and _plain(name) == "alpha" else name
        error = None if of is None else _error(alike, of, weights, raw=form == "raw")
        if error and of is not None and (kappa or form == "table"):
            error *= math.sqrt((of.n - 1) / of.n)
        found[name] = error
    return found


def kappa_null_error(patterns: Patterns) -> float | None:
    """Return the standard error that kappa would have if it were 0; for a test, not an interval.

    Source: Fleiss, Cohen and Everitt 1969, equation 14. None when kappa is not defined.

    Raises:
        ValueError: When there are not exactly two raters.
    """
    if patterns.codes is None or patterns.codes.shape[1] != 2:
        raise ValueError("Cohen's kappa is for two raters")
    units = _Units(patterns, both=True)
    if not units.n:
        return None
    one, other = (shares for _, _, shares in units.by_rater())
    chance = float(one @ other)
    if chance >= 1:
        return None
    spread = chance + chance**2 - float((one * other) @ (one + other))
    return math.sqrt(max(spread, 0.0) / units.n) / (1 - chance)


def analytic_interval(
    value: float, se: float | None, n: int | None, confidence: float, lowest: float, highest: float
) -> Interval | None:
    """Return value +- t(n - 1) x error, cut off at what the coefficient can be.

    Args:
        value: The coefficient.
        se: Its standard error; None or 0 gives no interval: nothing is known of its spread.
        n: The units with two or more ratings, which its observed agreement rests on; None for the
            normal distribution (a large sample).
        confidence: Between 0 and 1, both excluded.
        lowest: The least the coefficient can be.
        highest: The most it can be.
    """
    if not se or (n is not None and n < 2):
        return None
    upper = (1 + confidence) / 2
    reach = se * (NormalDist().inv_cdf(upper) if n is None else _t_quantile(n - 1, upper))
    low, high = max(value - reach, lowest), min(value + reach, highest)
    clipped = value - reach < lowest or value + reach > highest
    return Interval(low, high, confidence, "analytic", "units", clipped=clipped)


def _t_quantile(freedom: int, upper: float) -> float:
    # only here: scipy takes longer to load than everything else
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(freedom, upper))


def _plain(name: Name) -> str:
    return "ac1" if name == "ac2" else name.removeprefix("weighted_")


class _Units:
    """The patterns with a rating, and what the errors are made of."""

    def __init__(self, patterns: Patterns, *, both: bool = False) -> None:
        rated = patterns.counts.sum(axis=1)
        chosen = (patterns.times > 0) & (rated > 0)
        if both:
            chosen &= rated == 2
        self.codes = None if patterns.codes is None else patterns.codes[chosen]
        self.counts: Array = patterns.counts[chosen].astype(np.float64)
        self.times = patterns.times[chosen]
        self.rated: Array = rated[chosen].astype(np.float64)
        self.q = patterns.q
        self.paired = self.rated >= 2
        self.n = int(self.times.sum())
        self.n2 = int(self.times[self.paired].sum())

    def agreement(self, weights: Array) -> Array:
        """Return the observed agreement of each unit, 0 with a single rating."""
        confirmed = (self.counts * (self.counts @ weights - 1)).sum(axis=1)
        return np.where(self.paired, confirmed / np.maximum(self.rated * (self.rated - 1), 1), 0)

    def error(self, x: Array) -> float:
        """Return the standard error of the mean of x; 0.0 where only rounding is left of it."""
        apart = x - (self.times @ x) / self.n
        return _rounded(math.sqrt(float(self.times @ apart**2) / (self.n * (self.n - 1))))

    def by_rater(self) -> list[tuple[NDArray[np.bool_], NDArray[np.int32], Array]]:
        """Return, for each rater with a rating, which patterns he rated, how, and his shares."""
        found: list[tuple[NDArray[np.bool_], NDArray[np.int32], Array]] = []
        for codes in () if self.codes is None else self.codes.T:
            given = codes != MISSING
            if given.any():
                number = np.bincount(codes[given], self.times[given], minlength=self.q)
                found.append((given, codes, number / number.sum()))
        return found


def _error(name: Name, units: _Units, weights: Array, *, raw: bool) -> float | None:
    """Return one standard error over the square root of n - 1."""
    base = _plain(name)
    if base == "alpha":
        return _alpha_error(units, weights)
    if units.n2 == 0 or units.n < 2:
        return None
    share = (units.n / units.n2) * units.paired
    agreement = share * units.agreement(weights)
    observed = float(units.times @ agreement) / units.n
    if base in ("observed", "pabak"):
        error = units.error(agreement - (0 if raw else observed) * share)
        return 2 * error if base == "pabak" else error
    found = _chance(base, units, weights)
    if found is None:
        return None
    chance, of_unit = found
    if 1 - chance < _NOTHING:
        return None
    apart = (1 - observed) / (1 - chance)  # 1 - coefficient
    x = agreement - (chance if raw else observed) * share - 2 * apart * (of_unit - chance)
    return units.error(x / (1 - chance))


def _rounded(error: float) -> float:
    return 0.0 if error < _NOTHING else error


def _chance(base: str, units: _Units, weights: Array) -> tuple[float, Array] | None:
    """Return chance agreement and what each unit adds to it; None for a name without."""
    q = units.q
    shares = units.counts / units.rated[:, None]
    pi = (units.times @ shares) / units.n
    if base == "brennan_prediger":
        chance = float(weights.sum()) / q**2
        return chance, np.full(len(units.times), chance)
    if base in ("fleiss", "scott"):
        return float(pi @ weights @ pi), shares @ (weights @ pi)
    if base == "ac1" and q > 1:
        scale = float(weights.sum()) / (q * (q - 1))
        return scale * float(pi @ (1 - pi)), scale * (shares @ (1 - pi))
    if base in ("conger", "kappa"):
        return _conger_chance(units, weights)
    return None


def _conger_chance(units: _Units, weights: Array) -> tuple[float, Array] | None:
    """Return the mean of Cohen's chance agreement over the pairs of raters, and its derivative."""
    raters = units.by_rater()
    if len(raters) < 2:
        return None
    pairs = len(raters) * (len(raters) - 1)
    everyone = np.sum([shares for _, _, shares in raters], axis=0)
    chance, of_unit = 0.0, np.zeros(len(units.times))
    for given, codes, shares in raters:
        others = weights @ (everyone - shares)
        mean = float(shares @ others)
        chance += mean / pairs
        # a rater with few ratings: each moves his shares more, and a missing one does not
        scale = units.n / float(units.times[given].sum())
        moved = scale * np.where(given, others[codes] - mean, 0.0)
        of_unit += (moved + mean) / pairs
    return chance, of_unit


def _alpha_error(units: _Units, weights: Array) -> float | None:
    """Return the error of alpha over units with two or more ratings."""
    if units.n2 < 2:
        return None
    counts, times = units.counts[units.paired], units.times[units.paired]
    rated, n = units.rated[units.paired], units.n2
    total = float(times @ rated)
    mean = total / n
    pi = (times @ counts) / total
    chance = float(pi @ weights @ pi)
    if 1 - chance < _NOTHING:
        return None
    observed = (counts * (counts @ weights - 1)).sum(axis=1) / (mean * (rated - 1))
    uncorrected = float(times @ observed) / n
    corrected = uncorrected + (1 - uncorrected) / total
    alpha = (uncorrected - chance) / (1 - chance)
    more = (rated - mean) / mean
    of_unit = counts @ (weights @ pi) / mean - chance * more
    x = observed - corrected * more - chance - 2 * (1 - alpha) * (of_unit - chance)
    x /= 1 - chance
    return _rounded(math.sqrt(float(times @ (x - alpha) ** 2) / (n * (n - 1))))
