"""Every coefficient and its undefinedness against the plain definitions, on random ratings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from reviewkit.agreement.measures.alpha import Level, library_alpha
from reviewkit.agreement.measures.estimates import Estimate, Measured, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.patterns import patterns_of
from reviewkit.agreement.measures.ratings import Ratings, clusters_of
from reviewkit.agreement.measures.sums import Sums
from reviewkit.agreement.measures.weights import Weighting
from tests.agreement.measures import plain_definitions as plain
from tests.agreement.measures.plain_definitions import Row

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS: tuple[Weighting, ...] = ("", "linear", "quadratic", "ordinal")


@dataclass(frozen=True)
class Drawn:
    """Random ratings, and how they are measured."""

    rows: list[Row]
    """Each unit once."""
    q: int
    scale: list[Fraction]
    """The number of each category, not in order."""
    settings: Settings
    ratings: Ratings


def drawn_with(seed: int) -> Drawn:
    """Draw 2 to 7 raters, 1 to 8 categories, 0 to 60 % blank; some raters constant or silent."""
    rng = np.random.default_rng(seed)
    raters, q = int(rng.integers(2, 8)), int(rng.integers(1, 9))
    units = int(rng.choice([1, 2, 5, 15, 30]))
    used = int(rng.integers(1, q + 1))
    truth = rng.integers(0, used, size=(units, 1))
    codes = np.where(
        rng.random((units, raters)) < rng.random(), truth, rng.integers(0, used, (units, raters))
    )
    if rng.random() < 0.3:
        codes[:, 0] = rng.integers(0, q)
    codes[rng.random((units, raters)) < rng.choice([0, 0.1, 0.3, 0.6])] = -1
    if rng.random() < 0.1:
        codes[:, -1] = -1
    scale = [Fraction(int(each)) for each in rng.permutation(q + 2)[:q]]
    level: Level = LEVELS[rng.integers(4)]
    weights: Weighting = WEIGHTS[rng.integers(4)]
    times = rng.integers(0, 4, units) if rng.random() < 0.3 else None
    rows: list[Row] = [[None if each < 0 else each for each in row] for row in codes.tolist()]
    clusters = clusters_of([str(each) for each in rng.integers(0, units, units)], "template")
    categories = tuple(f"c{at}" for at in range(q))
    values = tuple(map(float, scale))
    clustered = clusters if rng.random() < 0.5 else None
    names: tuple[str, ...] = ()
    matrix = counts = None
    if rng.random() < 0.25:
        counts = np.array([[row.count(at) for at in range(q)] for row in rows], dtype=np.int64)
    else:
        names = tuple(f"r{at}" for at in range(raters))
        matrix = codes.astype(np.int32)
    ratings = Ratings(
        categories, names, matrix, counts, times=times, clusters=clustered, values=values
    )
    if times is not None:
        rows = [
            row for row, number in zip(rows, times.tolist(), strict=True) for _ in range(number)
        ]
    settings = Settings(level=level, weights=weights, draws=0)
    return Drawn(rows, q, scale, settings, ratings)


def defined(drawn: Drawn, estimate: Estimate, rows: list[Row]) -> Fraction | None:
    """Return what the definition of one coefficient gives."""
    name, q = estimate.name, drawn.q
    plainly = name != "ac2" and not name.startswith("weighted_")
    weigh = plain.equal if plainly else plain.weights(drawn.settings.weights, drawn.scale)
    match name.removeprefix("weighted_"):
        case "observed":
            return plain.observed(rows, weigh)
        case "all_agree":
            return plain.all_agree(rows)
        case "kappa":
            return plain.cohen(rows, q, weigh)
        case "conger":
            return plain.conger(rows, q, weigh)
        case "fleiss" | "scott":
            return plain.fleiss(rows, q, weigh)
        case "ac1" | "ac2":
            return plain.ac(rows, q, weigh)
        case "brennan_prediger":
            return plain.brennan_prediger(rows, q, weigh)
        case "pabak":
            return plain.pabak(rows, q)
        case _:
            differ = plain.metric(estimate.weights, drawn.scale, rows)
            return plain.alpha(rows, differ if name == "alpha" else plain.opposite(weigh))


def assert_equal(found: float | None, why: str, expected: Fraction | None, name: str) -> None:
    """Hold a value equal to its definition, or undefined with a reason."""
    if expected is None:
        assert found is None, name
        assert why, name
    else:
        assert found == pytest.approx(float(expected), abs=1e-11), name
        assert not why, name


def assert_estimates(drawn: Drawn, estimates: tuple[Estimate, ...], rows: list[Row]) -> None:
    """Hold each estimate equal to its definition."""
    for estimate in estimates:
        expected = defined(drawn, estimate, rows)
        assert_equal(estimate.value, estimate.why, expected, f"{estimate.name} {estimate.weights}")


def assert_pairs(drawn: Drawn, measured: Measured) -> None:
    """Hold each pair of raters to their own two columns."""
    found = {(each.one, each.other): each for each in measured.pairs}
    for one, other in combinations(range(len(drawn.ratings.raters)), 2):
        both: list[Row] = [
            [row[one], row[other]] for row in drawn.rows if None not in (row[one], row[other])
        ]
        pair = found.pop((drawn.ratings.raters[one], drawn.ratings.raters[other]), None)
        assert (pair is None) == (not both)
        if pair is not None:
            assert (pair.n, pair.agree) == (len(both), sum(a == b for a, b in both))
            assert_equal(pair.kappa, pair.why, plain.cohen(both, drawn.q), "pair")
    assert not found


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_every_coefficient_is_its_definition(first: int) -> None:
    """Values and undefinedness of all coefficients, pairs, categories and without each rater."""
    for seed in range(first, first + 20):
        drawn = drawn_with(seed)
        measured = measure(drawn.ratings, drawn.settings)
        assert_estimates(drawn, measured.estimates, drawn.rows)
        assert_pairs(drawn, measured)
        for at, category in enumerate(measured.by_category):
            expected = plain.specific(drawn.rows, at)
            assert_equal(category.value, category.why, expected, category.category)
        for without in measured.without:
            out = drawn.ratings.raters.index(without.rater)
            rows = [row[:out] + row[out + 1 :] for row in drawn.rows]
            assert_estimates(drawn, without.estimates, rows)
        numbers = [len(plain.given(row)) for row in drawn.rows]
        assert measured.rows == len(numbers)
        assert measured.ratings == sum(numbers)
        assert measured.rated == sum(each > 0 for each in numbers)
        assert measured.paired == sum(each > 1 for each in numbers)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_the_library_is_that_of_our_sums(level: Level) -> None:
    """At every level, with values out of order, unused categories, blanks and nameless counts."""
    compared = 0
    for seed in range(60):
        drawn = drawn_with(seed)
        patterns = patterns_of(drawn.ratings)
        sums = Sums(drawn.ratings, patterns, Settings(level=level))
        own = float(
            sums.evaluate(patterns.times @ sums.features)[sums.keys.index(("alpha", level))]
        )
        if not np.isnan(own):
            theirs = library_alpha(drawn.ratings, patterns, level, np.nan)
            assert theirs == pytest.approx(own, abs=1e-11), seed
            compared += 1
    assert compared > 25
