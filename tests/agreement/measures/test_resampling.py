"""The bootstrap over units and over clusters equals drawing rows, and its intervals are right."""

from __future__ import annotations

import json
import math
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.measures import resampling
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.measures.patterns import patterns_of
from reviewkit.agreement.measures.ratings import Clusters, Ratings
from reviewkit.agreement.measures.resampling import (
    Parts,
    Resampled,
    cluster_parts,
    resample,
    unit_parts,
)
from reviewkit.agreement.measures.sums import Sums

GOLDEN = {
    each["id"]: each
    for each in json.loads(
        (Path(__file__).parent / "golden_intervals.json").read_text(encoding="utf-8")
    )
}
BARE = Settings(draws=0)


def ratio(totals: np.ndarray) -> np.ndarray:
    """Return the first sum over the second."""
    with np.errstate(invalid="ignore"):
        return totals[..., :1] / totals[..., 1:2]


def of_clusters(names: list[int]) -> Clusters:
    """Return these clusters of rows."""
    return Clusters("template", np.array(names, dtype=np.int32), max(names) + 1)


def rated(rows: list[str], clusters: list[int] | None = None) -> Ratings:
    """Return ratings of words: a row a unit, a letter a rater, ``-`` for no rating."""
    return Ratings.from_labels(
        [[None if each == "-" else each for each in row] for row in rows],
        "abc",
        [f"r{at}" for at in range(len(rows[0]))],
        clusters=None if clusters is None else [str(each) for each in clusters],
        cluster="template",
    )


def bootstrap(ratings: Ratings, draws: int, settings: Settings = BARE) -> tuple[Sums, Resampled]:
    """Return the sums of ratings and their resamples."""
    patterns = patterns_of(ratings)
    sums = Sums(ratings, patterns, settings)
    return sums, resample(
        sums.features, patterns.times, sums.evaluate,
        draws=draws, seed=5, clusters=ratings.clusters, of_row=patterns.of_row,
        row_times=ratings.times,
    )  # fmt: skip


def of_rows(ratings: Ratings, rows: list[int]) -> np.ndarray:
    """Return the coefficients of these rows, taken as ratings of their own."""
    assert ratings.codes is not None
    taken = Ratings(ratings.categories, ratings.raters, ratings.codes[rows], declared=True)
    patterns = patterns_of(taken)
    sums = Sums(taken, patterns, BARE)
    return sums.evaluate(patterns.times @ sums.features)


def as_seen(values: np.ndarray) -> tuple[str, ...]:
    """Return values in a form that can be counted; rounding hides the order of additions."""
    return tuple("undefined" if math.isnan(each) else f"{each + 0.0:z.9f}" for each in values)


def assert_same_distribution(exact: dict[tuple[str, ...], float], drawn: np.ndarray) -> None:
    """Hold each vector of coefficients as frequent as it should be, within five errors."""
    seen: dict[tuple[str, ...], int] = {}
    for row in drawn:
        key = as_seen(row)
        seen[key] = seen.get(key, 0) + 1
    assert seen.keys() <= exact.keys()
    for key, share in exact.items():
        near = 5 * math.sqrt(share / len(drawn))
        assert seen.get(key, 0) / len(drawn) == pytest.approx(share, abs=near), key


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(["aa", "aa", "ab", "bb", "ba"], id="two raters"),
        pytest.param(["aab", "bbb", "a-a", "--b", "ccb"], id="three raters with blanks"),
    ],
)
def test_resampled_patterns_are_resampled_rows(rows: list[str]) -> None:
    """All coefficients together have the distribution that all 5^5 draws of rows give them."""
    ratings = rated(rows)
    exact: dict[tuple[str, ...], float] = {}
    sums, drawn = bootstrap(ratings, 20_000)
    for places in combinations_with_replacement(range(5), 5):
        if {rows[each] for each in places} == {"--b"}:
            continue
        key = as_seen(of_rows_like(sums, ratings, list(places)))
        orders = math.factorial(5) // math.prod(math.factorial(places.count(at)) for at in range(5))
        exact[key] = exact.get(key, 0) + orders * 5**-5
    kept = drawn.draws[~np.isnan(drawn.draws[:, 0])]
    assert len(kept) == pytest.approx(20_000 * sum(exact.values()), abs=60)
    assert_same_distribution({key: each / sum(exact.values()) for key, each in exact.items()}, kept)


def of_rows_like(sums: Sums, ratings: Ratings, rows: list[int]) -> np.ndarray:
    """Return the coefficients of ``sums`` on these rows, each with its own ratings."""
    assert ratings.codes is not None
    taken = Ratings(ratings.categories, ratings.raters, ratings.codes[rows], declared=True)
    patterns = patterns_of(taken)
    own = Sums(taken, patterns, BARE)
    values = dict(zip(own.keys, own.evaluate(patterns.times @ own.features), strict=True))
    # with units of two ratings only, all-agree is the observed agreement and is not listed
    return np.array([values.get(key, values[("observed", "")]) for key in sums.keys])


def test_resampled_cluster_sums_are_resampled_clusters() -> None:
    """All coefficients together have the distribution that all 4^4 draws of clusters give them."""
    rows = ["aa", "ab", "bb", "bb", "ba", "aa", "-a", "bb", "aa"]
    clusters = [0, 0, 1, 1, 1, 2, 2, 3, 3]
    ratings = rated(rows, clusters)
    members = [[at for at, each in enumerate(clusters) if each == c] for c in range(4)]
    exact: dict[tuple[str, ...], float] = {}
    for drawn in product(range(4), repeat=4):
        key = as_seen(of_rows(ratings, [at for each in drawn for at in members[each]]))
        exact[key] = exact.get(key, 0) + 4**-4
    _, found = bootstrap(ratings, 20_000)
    assert found.parts.over == "clusters of template"
    assert_same_distribution(exact, found.draws)


def test_the_exact_example_of_five_clusters() -> None:
    """Mean and error of a ratio over five clusters are those of the exact enumeration."""
    entry = GOLDEN["boot.cluster.exact5"]
    sums = np.array([entry["inputs"]["cluster_sums"], entry["inputs"]["cluster_sizes"]]).T
    found = resample(
        sums, np.ones(5, dtype=np.int64), ratio, draws=20_000, seed=1,
        clusters=of_clusters([0, 1, 2, 3, 4]), of_row=np.arange(5, dtype=np.int32),
    )  # fmt: skip
    expected, near = entry["expected"], entry["tolerance"]
    assert found.estimates[0] == pytest.approx(expected["estimate"], abs=1e-12)
    assert found.draws.mean() == pytest.approx(expected["boot_mean"], abs=near)
    assert found.draws.std() == pytest.approx(expected["boot_se"], abs=near)


def test_twins_widen_the_interval() -> None:
    """Units that only repeat others add nothing to the interval over their clusters."""
    rows = ["aa", "ab", "bb", "bb", "ba", "aa", "ab", "bb", "aa", "ba"] * 3
    few = bootstrap(rated(rows), 4000)[1].percentile(0)
    twins = rated([each for each in rows for _ in range(4)], [at // 4 for at in range(120)])
    clustered = bootstrap(twins, 4000)[1].percentile(0)
    loose = bootstrap(rated([each for each in rows for _ in range(4)]), 4000)[1].percentile(0)
    assert few is not None
    assert clustered is not None
    assert loose is not None
    assert (clustered.low, clustered.high) == pytest.approx((few.low, few.high), abs=0.03)
    assert loose.high - loose.low < 0.6 * (clustered.high - clustered.low)


def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, Clusters, np.ndarray]:
    """Draw features, a pattern and a cluster for each row, and how many units a row stands for."""
    patterns, rows, number = draw(st.tuples(*[st.integers(1, 6), st.integers(1, 40), st.just(5)]))
    features = np.array(draw(st.lists(st.integers(0, 3), min_size=patterns, max_size=patterns)))
    whole = st.integers(0, patterns - 1)
    of_row = draw(st.lists(whole, min_size=rows, max_size=rows))
    cluster = draw(st.lists(st.integers(0, number - 1), min_size=rows, max_size=rows))
    times = draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
    return (
        np.stack([features, features**2], axis=1).astype(float),
        np.array(of_row, dtype=np.int32),
        Clusters("template", np.array(cluster, dtype=np.int32), number),
        np.array(times, dtype=np.int64),
    )


@given(st.composite(tables)(), st.booleans(), st.booleans())
def test_clusters_add_up_whichever_way(drawn: Any, weighed: bool, small: bool) -> None:
    """Merged clusters hold the sums that adding row by row gives, by table and by sorting."""
    features, of_row, clusters, times = drawn
    expected: dict[tuple[float, ...], int] = {}
    for cluster in range(clusters.number):
        member = (clusters.of_unit == cluster) & (features[of_row].any(axis=1))
        number = times if weighed else np.ones(len(of_row), dtype=np.int64)
        if (number[member] > 0).any():
            key = tuple((features[of_row[member]] * number[member, None]).sum(axis=0))
            expected[key] = expected.get(key, 0) + 1
    with pytest.MonkeyPatch.context() as patch:
        if not small:
            patch.setattr(resampling, "_CELLS", 5)
            patch.setattr(resampling, "_SMALL", 0)
        parts = cluster_parts(features, of_row, clusters, times if weighed else None)
    found: dict[tuple[float, ...], int] = {}
    for row, number in zip(parts.sums.tolist(), parts.times.tolist(), strict=True):
        found[tuple(row)] = found.get(tuple(row), 0) + number
    assert found == expected


def test_equal_clusters_are_drawn_as_one_entry() -> None:
    """Clusters that hold the same patterns equally often are kept once, with their number."""
    parts = cluster_parts(
        np.array([[1.0, 1.0], [0.0, 1.0]]),
        np.array([0, 1, 1, 0, 1, 1, 0, 0], dtype=np.int32),
        of_clusters([0, 0, 1, 1, 2, 2, 3, 3]),
    )
    assert sorted(zip(parts.sums.tolist(), parts.times.tolist(), strict=True)) == [
        ([0.0, 2.0], 1),
        ([1.0, 2.0], 2),
        ([2.0, 2.0], 1),
    ]


def test_clusters_of_one_fingerprint_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should two clusters ever share the first number of their fingerprint, none is merged."""

    def marks(patterns: int) -> np.ndarray:
        return np.stack([np.zeros(patterns), np.arange(patterns)], axis=1).astype(np.uint64)

    monkeypatch.setattr(resampling, "_marks", marks)
    of_row, clusters = np.array([0, 1, 1], dtype=np.int32), of_clusters([0, 1, 2])
    parts = cluster_parts(np.array([[1.0, 1.0], [0.0, 1.0]]), of_row, clusters)
    assert parts.sums.tolist() == [[1, 1], [0, 1], [0, 1]]
    assert parts.times.tolist() == [1, 1, 1]


def test_units_and_clusters_without_rating_are_not_drawn() -> None:
    """A unit that nobody rated is no unit of the sample, and a cluster of such is no cluster."""
    features = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert unit_parts(features, np.array([7, 3, 0])).number == 3
    of_row = np.array([0, 1, 2, 0], dtype=np.int32)
    assert cluster_parts(features, of_row, of_clusters([0, 1, 1, 2])).number == 1


def test_clusters_need_the_pattern_of_each_row() -> None:
    """Clusters alone do not say which units they hold."""
    with pytest.raises(ValueError, match="pattern of each row"):
        resample(
            np.ones((1, 2)), np.ones(1, dtype=np.int64), ratio, draws=1, seed=1,
            clusters=of_clusters([0]),
        )  # fmt: skip


def whole(sums: list[list[float]], times: list[int], draws: int = 2000) -> Resampled:
    """Return resamples of units with these sums."""
    parts = Parts(np.array(sums), np.array(times), "units")
    return Resampled(parts, ratio, draws=draws, seed=2)


def test_an_interval_says_what_it_rests_on() -> None:
    """Method, resamples, those without a value and seed are recorded; the share lies within."""
    found = whole([[1, 1], [0, 1]], [40, 20])
    for method in ("percentile", "bca"):
        interval, why = found.interval(0, method, 0.9)
        assert why == ""
        assert interval is not None
        assert (interval.method, interval.draws, interval.undefined) == (method, 2000, 0)
        assert (interval.seed, interval.over, interval.confidence) == (2, "units", 0.9)
        assert interval.low < 2 / 3 < interval.high


def test_a_percentile_interval_has_its_coverage() -> None:
    """The ends cut off 2.5 percent of the binomial that the resampled share follows."""
    from scipy.special import bdtr

    interval = whole([[1, 1], [0, 1]], [40, 20], draws=20_000).percentile(0)
    assert interval is not None
    low, high = round(interval.low * 60), round(interval.high * 60)
    assert bdtr(low - 1, 60, 2 / 3) < 0.03
    assert bdtr(low, 60, 2 / 3) > 0.02
    assert 1 - bdtr(high, 60, 2 / 3) < 0.03
    assert 1 - bdtr(high - 1, 60, 2 / 3) > 0.02


def test_few_undefined_resamples_are_left_out_and_counted() -> None:
    """A resample in which nothing can be compared has no value, and the interval says how many."""
    # nothing comparable when all four draws miss the three units that count: (1/4)^4
    interval = whole([[1, 1], [0, 1], [0, 0]], [2, 1, 1], draws=20_000).percentile(0)
    assert interval is not None
    assert interval.undefined == pytest.approx(20_000 / 256, abs=45)
    assert interval.draws + interval.undefined == 20_000


@pytest.mark.parametrize(
    ("sums", "times", "draws", "reason"),
    [
        ([[1, 1], [0, 0]], [1, 9], 500, "resamples gave no value"),
        ([[1, 1]], [1], 500, "fewer than two units"),
        ([[1, 1]], [30], 500, "nearly all 500 resamples gave the same value"),
        ([[1, 1], [0, 1]], [3, 3], 0, "nothing was resampled"),
        ([[1, 1], [0, 1]], [3, 3], 39, "an interval at 0.95 takes 40 resamples or more"),
        ([[0, 0], [0, 0]], [3, 3], 500, "the coefficient itself is not defined"),
    ],
)
def test_no_interval_has_its_reason(
    sums: list[list[float]], times: list[int], draws: int, reason: str
) -> None:
    """Where resamples say nothing there is no interval, and a sentence says why."""
    found = whole(sums, times, draws)
    interval, why = found.interval(0, "percentile")
    assert interval is None
    assert reason in why
    assert found.percentile(0) is None


def test_one_cluster_has_no_interval() -> None:
    """A single cluster has nothing to be exchanged with."""
    _, found = bootstrap(rated(["aa", "ab", "bb"], [0, 0, 0]), 100)
    interval, why = found.interval(0, "bca")
    assert (interval, why) == (None, "fewer than two clusters of template")


def without_bca(sums: list[list[float]], times: list[int], evaluate: Any, level: float) -> str:
    """Return why there is no BCa interval, after seeing that there is a percentile interval."""
    parts = Parts(np.array(sums, dtype=float), np.array(times), "units")
    found = Resampled(parts, evaluate, draws=2000, seed=1)
    interval, why = found.interval(0, "bca", level)
    assert interval is None
    assert found.percentile(0) is not None
    return why


def test_bca_needs_a_value_without_each_unit() -> None:
    """Where leaving a unit out makes a coefficient undefined, BCa says so."""

    def all_needed(totals: np.ndarray) -> np.ndarray:
        return np.where(totals[..., 1:2] >= 60, ratio(totals), np.nan)

    why = without_bca([[1, 1], [0, 1]], [40, 20], all_needed, 0.95)
    assert why == "without one of the units it is not defined"


def test_bca_needs_units_that_matter() -> None:
    """Where no unit alone changes the value, BCa has no acceleration and says so."""

    def above(totals: np.ndarray) -> np.ndarray:
        return np.maximum(totals[..., :1] - 42, 0)

    why = without_bca([[1, 1], [0, 1]], [40, 20], above, 0.95)
    assert why == "it is the same whichever unit is left out"


def test_bca_needs_resamples_on_both_sides() -> None:
    """Where every resample is less than the value, BCa has no bias to correct and says so."""
    sums = [
        [math.sqrt(prime), 1.0] for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
    ]
    middle = sum(each for each, _ in sums)

    def nearest(totals: np.ndarray) -> np.ndarray:
        return -np.abs(totals[..., :1] - middle)

    why = without_bca(sums, [1] * len(sums), nearest, 0.95)
    assert why == "all resamples lie on one side of the value"


def test_bca_gives_up_on_extreme_skew(monkeypatch: pytest.MonkeyPatch) -> None:
    """One unit that carries everything, at an extreme confidence: no ends can be found."""

    # such a confidence takes more resamples than anyone draws
    def enough(_drawn: np.ndarray, _confidence: float) -> str:
        return ""

    monkeypatch.setattr(resampling, "too_few", enough)
    why = without_bca([[1, 1], [0, 1]], [1, 999], ratio, 1 - 1e-10)
    assert why == "the resamples are too skewed for it"


def test_the_jackknife_leaves_each_unit_out_in_turn() -> None:
    """Coefficients without one unit, and the jackknife error, are those of doing it row by row."""
    rows = ["aa", "aa", "ab", "bb", "ba", "cc", "-a", "bb"]
    ratings = rated(rows)
    sums, found = bootstrap(ratings, 0)
    each = np.array(
        [of_rows(ratings, [at for at in range(len(rows)) if at != out]) for out in range(len(rows))]
    )
    for at in range(len(sums.keys)):
        apart = each[:, at] - each[:, at].mean()
        expected = math.sqrt((len(rows) - 1) / len(rows) * (apart**2).sum())
        assert found.jackknife_error(at) == pytest.approx(expected, abs=1e-12)
    assert whole([[1, 1]], [1], 0).jackknife_error(0) is None


@pytest.mark.oracle
@pytest.mark.parametrize("seed", [1, 2])
def test_bca_against_scipy(seed: int) -> None:
    """BCa of kappa over 80 units, and its percentile interval, are scipy's but for Monte Carlo."""
    from scipy.stats import bootstrap as scipy_bootstrap

    rng = np.random.default_rng(seed)
    first = (rng.random(80) < 0.2).astype(int)
    second = np.where(rng.random(80) < 0.15, 1 - first, first)

    def kappa(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        by_chance = a.mean(axis) * b.mean(axis) + (1 - a.mean(axis)) * (1 - b.mean(axis))
        return ((a == b).mean(axis) - by_chance) / (1 - by_chance)

    ratings = rated(["ab"[a] + "ab"[b] for a, b in zip(first, second, strict=True)])
    sums, found = bootstrap(ratings, 20_000)
    at = [name for name, _ in sums.keys].index("kappa")
    for ours, theirs in (("bca", "BCa"), ("percentile", "percentile")):
        expected = scipy_bootstrap(
            (first, second), kappa, paired=True, vectorized=True, n_resamples=20_000,
            method=theirs, rng=np.random.default_rng(seed),
        ).confidence_interval  # fmt: skip
        interval, _ = found.interval(at, ours)
        assert interval is not None
        assert interval.low == pytest.approx(expected.low, abs=0.02)
        assert interval.high == pytest.approx(expected.high, abs=0.02)


def test_resamples_do_not_depend_on_the_order_of_rows() -> None:
    """The same seed gives the same resamples whatever the order of the file."""
    rows = ["aa", "ab", "bb", "bb", "ba", "aa", "-a", "bb", "aa"]
    one = bootstrap(rated(rows), 50)[1].draws
    other = bootstrap(rated(rows[::-1]), 50)[1].draws
    assert np.array_equal(one, other, equal_nan=True)
