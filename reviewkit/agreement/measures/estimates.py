"""What is known about agreement on one set of ratings: estimates, intervals, and what they rest on.

Nothing here computes; ``measure`` fills it and the report says it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from reviewkit.problems import Problem, ProblemsFound

Name = Literal[
    "observed", "all_agree", "kappa", "conger", "fleiss", "scott", "alpha", "ac1",
    "brennan_prediger", "pabak", "weighted_observed", "weighted_kappa", "weighted_conger",
    "weighted_fleiss", "weighted_scott", "weighted_alpha", "ac2", "weighted_brennan_prediger",
]  # fmt: skip
IntervalMethod = Literal["wilson", "analytic", "percentile", "bca"]

FEW_PAIRS = 25
"""Below this many units with two ratings a figure is printed as insufficient."""


@dataclass(frozen=True, slots=True)
class Interval:
    """One confidence interval."""

    low: float
    high: float
    confidence: float
    """0.95"""
    method: IntervalMethod
    over: str
    """What varies: ``units``, or ``clusters of template``."""
    draws: int = 0
    """How many resamples gave a value; 0 for a formula."""
    undefined: int = 0
    """How many resamples gave none, and were left out."""
    seed: int | None = None
    clipped: bool = False
    """An end lay beyond what the coefficient can be, and was set to it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One coefficient on one set of ratings."""

    name: Name
    title: str
    """As the field calls it: ``Cohen's kappa``, ``Krippendorff's alpha (ordinal)``."""
    short: str
    """For a column: ``kappa``, ``alpha (ordinal)``, ``AC1``."""
    value: float | None
    why: str
    """Why there is no value, in a sentence fragment; empty exactly when there is one."""
    n: int
    """How many units its observed agreement rests on."""
    of: int
    """How many units have any rating."""
    raters: int
    """0: not known by name."""
    q: int
    """How many categories."""
    missing: str
    """Its rule for missing ratings, in a sentence fragment."""
    source: str
    """Where its formula stands: ``Gwet 2008``."""
    weights: str = ""
    """``linear``, ``quadratic``, ``ordinal``; for alpha the level or distance; else empty."""
    se: float | None = None
    """The analytic standard error over units, where the literature gives one."""
    intervals: tuple[Interval, ...] = ()
    """The first is the one to print."""
    no_interval: str = ""
    """Why there is none, when there is a value and no interval."""

    @property
    def interval(self) -> Interval | None:
        """The interval to print."""
        return self.intervals[0] if self.intervals else None

    @property
    def insufficient(self) -> bool:
        """Whether too few units carry it for any claim."""
        return self.n < FEW_PAIRS

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values; an undefined value is null and has its sentence."""
        return {**asdict(self), "insufficient": self.insufficient}


@dataclass(frozen=True, slots=True)
class Differs:
    """One coefficient on two parts, and their difference (``one`` minus ``other``)."""

    one: str
    """The part's id."""
    other: str
    one_estimate: Estimate
    other_estimate: Estimate
    value: float | None
    why: str
    interval: Interval | None
    paired: bool
    """The same units (or clusters) carry both, and were resampled together."""
    shared: int
    """How many units or clusters they share."""


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """Specific agreement on one category (for two categories: positive and negative agreement)."""

    category: str
    value: float | None
    """Share of the ratings of this category that another rating of the unit confirms."""
    why: str
    interval: Interval | None
    ratings: int
    """How many ratings of units with two or more carry it."""
    given: int
    """How many ratings of this category there are in all."""
    share: float | None
    """Of all ratings."""


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters on the units both rated."""

    one: str
    other: str
    n: int
    agree: int
    interval: Interval | None
    kappa: float | None
    why: str
    """Why kappa has no value."""
    table: tuple[tuple[int, ...], ...]
    """Counts over the categories; rows: ``one``."""


@dataclass(frozen=True, slots=True)
class RaterShare:
    """How often one rater gave each category."""

    rater: str
    n: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WithoutRater:
    """The figures when one rater is left out."""

    rater: str
    n: int
    """Units that still have two ratings."""
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader must know to read the figures."""

    code: Literal[
        "skewed",
        "one_value",
        "one_category",
        "few",
        "few_clusters",
        "no_second",
        "many_raters",
        "singles",
    ]
    text: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything computed on one set of ratings."""

    question: str
    unit: str
    rows: int
    """How many units there are, rated or not."""
    rated: int
    """How many have a rating."""
    paired: int
    """How many have two or more."""
    ratings: int
    """How many ratings there are."""
    agree: int
    """How many units with two or more ratings have only equal ones."""
    raters: tuple[str, ...]
    """Empty: not known by name."""
    per_unit: tuple[tuple[int, int], ...]
    """(number of ratings, how many units have that many), ascending."""
    categories: tuple[str, ...]
    declared: bool
    clusters: tuple[str, int] | None
    """What a cluster is, and how many there are."""
    estimates: tuple[Estimate, ...]
    by_category: tuple[CategoryAgreement, ...]
    pairs: tuple[RaterPair, ...]
    shares: tuple[RaterShare, ...]
    without: tuple[WithoutRater, ...]
    remarks: tuple[Remark, ...]
    light: float | None
    """The mean of the pairwise kappas (Light 1971), with three raters or more."""
    confidence: float
    draws: int
    seed: int

    def find(self, *names: Name) -> Estimate | None:
        """Return the first estimate with one of these names."""
        return next((each for name in names for each in self.estimates if each.name == name), None)

    def estimate(self, name: Name) -> Estimate:
        """Return the estimate of this name; KeyError when it was not computed."""
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        data = asdict(self)
        data["estimates"] = [each.as_json() for each in self.estimates]
        return data


@dataclass(frozen=True, slots=True)
class Settings:
    """How to measure; recorded with every figure."""

    level: Literal["nominal", "ordinal", "interval", "ratio", "jaccard", "masi"] = "nominal"
    """Krippendorff's level, or the distance between sets of labels."""
    weights: Literal["", "linear", "quadratic", "ordinal", "own"] = ""
    """Weights of weighted kappa, AC2 and weighted Brennan-Prediger; ordinal: Gwet's."""
    matrix: tuple[tuple[float, ...], ...] = ()
    """The weights ``own``, shape (q, q): 1 for equal categories, 0 for the worst confusion."""
    confidence: float = 0.95
    draws: int = 2000
    """0: no resampling."""
    seed: int = 1
    details: bool = True
    """Also pairs of raters, shares, leave-one-rater-out."""

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        if not 0 < self.confidence < 1:
            wrong = f"{self.confidence:g} is not between 0 and 1"
            problems.append(Problem("confidence", wrong, "give 0.95 for 95 %"))
        for name, number in (("draws", self.draws), ("seed", self.seed)):
            if number < 0:
                wrong = f"{number} is below 0"
                problems.append(Problem(name, wrong, "give a whole number, 0 or more"))
        if problems:
            raise ProblemsFound(problems)
