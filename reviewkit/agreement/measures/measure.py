"""Everything that is computed on one set of ratings, gathered into one ``Measured``."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reviewkit.agreement.measures.alpha import library_alpha
from reviewkit.agreement.measures.errors import Form, analytic_interval, standard_errors
from reviewkit.agreement.measures.estimates import (
    CategoryAgreement,
    Estimate,
    Interval,
    Measured,
    Name,
    Settings,
    WithoutRater,
)
from reviewkit.agreement.measures.names import DESCRIBED, titles
from reviewkit.agreement.measures.patterns import Patterns, patterns_of
from reviewkit.agreement.measures.raters import light_kappa, rater_pairs, rater_shares
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.measures.remarks import clusters_rated, many_singles, remarks_on
from reviewkit.agreement.measures.resampling import Resampled, resample
from reviewkit.agreement.measures.sums import MANY_RATERS, Array, Key, Sums
from reviewkit.agreement.measures.wilson import wilson

_PAIRED_ONLY: set[Name] = {"kappa", "weighted_kappa", "alpha", "weighted_alpha"}
"""Coefficients whose published error varies over the units with two ratings or more."""


def measure(ratings: Ratings, settings: Settings | None = None) -> Measured:
    """Return every coefficient on ``ratings`` with its intervals, and what they rest on.

    Raises:
        ProblemsFound: When the categories cannot carry the level or the weights asked for.
    """
    how = settings or Settings()
    patterns = patterns_of(ratings)
    work = _Work(ratings, patterns, Sums(ratings, patterns, how), how)
    estimates = work.estimates()
    detailed = how.details and 2 <= len(ratings.raters) <= MANY_RATERS
    pairs = rater_pairs(ratings, patterns, how) if detailed else ()
    rated = patterns.rated
    several = (rated >= 2) & (patterns.times > 0)
    alike = several & (patterns.counts.max(axis=1) == rated)
    kinds, at = np.unique(rated, return_inverse=True)
    per_unit = np.bincount(at, weights=patterns.times, minlength=len(kinds)).astype(np.int64)
    clusters = clusters_rated(ratings, patterns)
    return Measured(
        question=ratings.question,
        unit=ratings.unit,
        rows=int(patterns.times.sum()),
        rated=work.rated,
        paired=work.paired,
        ratings=int((patterns.times * rated).sum()),
        agree=int(patterns.times[alike].sum()),
        raters=ratings.raters,
        per_unit=tuple(
            (int(kind), int(number))
            for kind, number in zip(kinds, per_unit, strict=True)
            if kind and number
        ),
        categories=ratings.categories,
        declared=ratings.declared,
        clusters=clusters,
        estimates=estimates,
        by_category=work.by_category(),
        pairs=pairs,
        shares=rater_shares(ratings, patterns) if detailed else (),
        without=without_each(ratings, patterns, how) if detailed else (),
        remarks=remarks_on(ratings, patterns, estimates, work.rated, work.paired),
        light=light_kappa(pairs),
        confidence=how.confidence,
        draws=how.draws,
        seed=how.seed,
    )


def without_each(
    ratings: Ratings, patterns: Patterns, settings: Settings
) -> tuple[WithoutRater, ...]:
    """Return the coefficients without each rater in turn; nothing with fewer than three."""
    if patterns.codes is None or len(ratings.raters) < 3:
        return ()
    bare = replace(settings, draws=0, details=False)
    distinct = replace(
        ratings, codes=patterns.codes, times=patterns.times, clusters=None, units=(), groups={}
    )
    found: list[WithoutRater] = []
    for rater in ratings.raters:
        others = distinct.without_rater(rater)
        theirs = patterns_of(others)
        work = _Work(others, theirs, Sums(others, theirs, bare), bare, errors=False)
        found.append(WithoutRater(rater, work.paired, work.estimates()))
    return tuple(found)


@dataclass(slots=True)
class _Bounds:
    """Intervals of one coefficient, the one to print first."""

    intervals: tuple[Interval, ...]
    why: str


class _Work:
    """The sums of one set of ratings, resampled once for all that is asked of them."""

    def __init__(
        self, ratings: Ratings, patterns: Patterns, sums: Sums, how: Settings,
        *, errors: bool = True,
    ) -> None:  # fmt: skip
        self._ratings = ratings
        self._patterns = patterns
        self._sums = sums
        self._how = how
        rated = patterns.rated
        self.rated = int(patterns.times[rated >= 1].sum())
        self.paired = int(patterns.times[rated >= 2].sum())
        self._two_each = not bool(((rated > 2) & (patterns.times > 0)).any())
        self._totals: Array = patterns.times @ sums.features
        self._errors = self._standard_errors() if errors else {}
        self._resampled = self._resample()

    def _standard_errors(self) -> dict[Name, float | None]:
        if self._ratings.sets is not None or not self.paired or self._ratings.q < 2:
            return {}
        plain: list[Name] = []
        weighted: list[Name] = []
        for name, _ in self._sums.keys:
            (weighted if name.startswith("weighted_") or name == "ac2" else plain).append(name)
        identity = np.eye(self._ratings.q)
        found = standard_errors(self._patterns, identity, plain, form=self._form)
        if weighted:
            found |= standard_errors(self._patterns, self._sums.weights, weighted, form=self._form)
        return found

    @property
    def _form(self) -> Form:
        """How analytic errors are made: as published, unless many units have a single rating."""
        return "linear" if many_singles(self.rated, self.paired) else "raw"

    def _carrying(self, name: Name) -> int:
        """Return how many units the analytic error of a coefficient varies over."""
        paired_only = self._form == "linear" or name in _PAIRED_ONLY
        return self.paired if paired_only else self.rated

    def _resample(self) -> Resampled | None:
        if not self._how.draws or not self.paired:
            return None
        return resample(
            self._sums.features,
            self._patterns.times,
            self._evaluate,
            clusters=self._ratings.clusters,
            of_row=self._patterns.of_row,
            row_times=self._ratings.times,
            draws=self._how.draws,
            seed=self._how.seed,
        )

    def _evaluate(self, totals: Array) -> Array:
        both = (self._sums.evaluate(totals), self._sums.by_category(totals))
        return np.concatenate(both, axis=-1)

    def estimates(self) -> tuple[Estimate, ...]:
        """Return the coefficients in the order they are shown."""
        values = self._sums.evaluate(self._totals)
        return tuple(
            self._estimate(at, key, float(values[at])) for at, key in enumerate(self._sums.keys)
        )

    def _estimate(self, at: int, key: Key, value: float) -> Estimate:
        name, weights = key
        title, short, source = titles(name, weights, self._ratings.q)
        why = self._why(key) if np.isnan(value) else ""
        known = None if why else value
        if known is not None and name == "alpha":
            known = library_alpha(self._ratings, self._patterns, weights, known)
        se = None
        # of the levels of alpha only the nominal one has a published error
        if known is not None and (name != "alpha" or weights == "nominal"):
            se = self._errors.get(name)
        bounds = self._bounds(at, name, known, se)
        return Estimate(
            name=name, title=title, short=short, value=known, why=why, n=self.paired,
            of=self.rated, raters=len(self._ratings.raters), q=self._ratings.q,
            missing=DESCRIBED[name].missing, source=source, weights=weights, se=se,
            intervals=bounds.intervals, no_interval=bounds.why,
        )  # fmt: skip

    def _why(self, key: Key) -> str:
        """Return why a coefficient has no value."""
        name, _ = key
        if not self.paired:
            return f"no {self._ratings.unit} has two ratings"
        one = self._ratings.categories[0]
        if self._ratings.q < 2:
            declared = "declared, so no two labels can differ"
            seen = "known; declare every category of the scheme"
            return f"only the category {one} is {declared if self._ratings.declared else seen}"
        paired_only = name in ("alpha", "weighted_alpha", "kappa", "weighted_kappa")
        least = 2 if paired_only else 1
        drawn = (self._patterns.rated >= least) & (self._patterns.times > 0)
        used = np.flatnonzero(self._patterns.counts[drawn].sum(axis=0))
        if len(used) > 1:
            return "no two of the labels given count as different here"
        only = self._ratings.categories[int(used[0])]
        if name in ("kappa", "weighted_kappa"):
            return f"both raters used only the category {only}"
        where = " where there are two ratings" if paired_only else ""
        return f"only the category {only} was used{where}"

    def _bounds(self, at: int, name: Name, value: float | None, se: float | None) -> _Bounds:
        if value is None:
            return _Bounds((), "")
        confidence = self._how.confidence
        found: list[Interval | None] = []
        why = "" if self._how.draws else "no resampling was asked for"
        if self._ratings.clusters is None and se == 0:
            why = "its analytic error is 0, as the units do not vary"
        if self._ratings.clusters is None:
            if name == "all_agree" or (name == "observed" and self._two_each):
                found.append(wilson(round(value * self.paired), self.paired, confidence))
            else:
                lowest = DESCRIBED[name].lowest
                units = self._carrying(name)
                found.append(analytic_interval(value, se, units, confidence, lowest, 1.0))
        if self._resampled is not None:
            bca, why = self._resampled.interval(at, "bca", confidence)
            found += [bca, self._resampled.percentile(at, confidence)]
        intervals = tuple(each for each in found if each is not None)
        return _Bounds(intervals, "" if intervals else why)

    def by_category(self) -> tuple[CategoryAgreement, ...]:
        """Return specific agreement on each category."""
        if self._ratings.sets is not None:
            return ()
        values = self._sums.by_category(self._totals)
        counts, times = self._patterns.counts, self._patterns.times
        given = times @ counts
        together = times @ np.where((self._patterns.rated >= 2)[:, None], counts, 0)
        every = int(given.sum())
        first = len(self._sums.keys)
        nobody = "nobody gave it where there are two ratings"
        found: list[CategoryAgreement] = []
        for at, category in enumerate(self._ratings.categories):
            value = None if np.isnan(values[at]) else float(values[at])
            found.append(
                CategoryAgreement(
                    category,
                    value,
                    nobody if value is None else "",
                    self._category_interval(first + at, value is None),
                    int(together[at]),
                    int(given[at]),
                    int(given[at]) / every if every else None,
                )
            )
        return tuple(found)

    def _category_interval(self, at: int, undefined: bool) -> Interval | None:
        if undefined or self._resampled is None:
            return None
        return self._resampled.printed(at, self._how.confidence)
