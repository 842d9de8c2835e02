"""The difference of two agreements, on the same units or clusters and on others."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from reviewkit.agreement.measures.difference import difference
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Ratings, clusters_of
from reviewkit.agreement.measures.resampling import Resampled

HOW = Settings(draws=4000, details=False)


def rated(rows: list[str], units: list[str] | None = None, clusters: str = "") -> Ratings:
    """Return ratings of words: a row a unit, a letter a rater; clusters: a letter a row."""
    return Ratings.from_labels(
        [[None if each == "-" else each for each in row] for row in rows],
        "abc",
        [f"r{at}" for at in range(len(rows[0]))],
        units=units or [],
        clusters=list(clusters) or None,
        cluster="template",
    )


def no_interval(_drawn: Resampled, _at: int, _confidence: float) -> None:
    """Stand in for an interval that cannot be had."""


def drawn(seed: int, number: int = 200, wrong: float = 0.3) -> list[str]:
    """Return rows of two raters who differ on a share of units."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 2, number)
    second = np.where(rng.random(number) < wrong, 1 - first, first)
    return ["ab"[a] + "ab"[b] for a, b in zip(first, second, strict=True)]


def test_the_same_units_twice_do_not_differ() -> None:
    """A round compared with itself differs by 0 on every resample, so there is no interval."""
    rows = drawn(1)
    names = [str(at) for at in range(len(rows))]
    found = difference(rated(rows, names), rated(rows, names), ["kappa", "ac1"], HOW)
    assert [(each.value, each.interval, each.paired, each.shared) for each in found] == [
        (0.0, None, True, 200),
        (0.0, None, True, 200),
    ]


def test_a_paired_interval_is_that_of_the_differences() -> None:
    """For observed agreement the paired interval is the one that the units' own differences give.

    The error of a mean of n differences is their standard deviation over the root of n.
    """
    rows = drawn(2)
    other = [row if at % 5 else row[0] * 2 for at, row in enumerate(rows)]
    names = [str(at) for at in range(len(rows))]
    # the file of the second round is in another order
    back = rated(other[::-1], names[::-1])
    [found] = difference(rated(rows, names), back, ["observed"], HOW)
    apart = np.array([(a[0] == a[1]) - (b[0] == b[1]) for a, b in zip(rows, other, strict=True)])
    assert found.value == pytest.approx(apart.mean(), abs=1e-12)
    assert found.interval is not None
    error = apart.std() / math.sqrt(len(rows))
    width = found.interval.high - found.interval.low
    assert width == pytest.approx(2 * 1.96 * error, rel=0.1)
    assert (found.paired, found.shared, found.interval.over) == (True, 200, "units")
    [loose] = difference(rated(rows, names), back, ["observed"], HOW, paired=False)
    assert loose.interval is not None
    assert not loose.paired
    assert (found.interval.method, loose.interval.method) == ("bca", "percentile")
    assert loose.interval.high - loose.interval.low > 2 * width


def test_other_units_are_resampled_apart() -> None:
    """Without a unit in common the variances of both sides add up."""
    one, other = drawn(3), drawn(4, 120, 0.1)
    [found] = difference(rated(one), rated(other), ["observed"], HOW, ids=("first", "second"))
    shares = [np.mean([row[0] == row[1] for row in rows]) for rows in (one, other)]
    assert found.value == pytest.approx(shares[0] - shares[1], abs=1e-12)
    assert (found.one, found.other, found.paired, found.shared) == ("first", "second", False, 0)
    spread = sum(p * (1 - p) / n for p, n in zip(shares, (200, 120), strict=True))
    assert found.interval is not None
    width = found.interval.high - found.interval.low
    assert width == pytest.approx(2 * 1.96 * math.sqrt(spread), rel=0.1)


def test_alike_sides_are_not_drawn_alike() -> None:
    """Two sides with equal counts but other units get an interval, and not the same resamples."""
    rows = drawn(5)
    [found] = difference(rated(rows), rated(rows), ["observed"], HOW)
    assert found.value == 0
    assert found.interval is not None
    assert found.interval.low < -0.05
    assert found.interval.high > 0.05


def test_units_of_one_side_only_keep_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shared units are drawn together and the others beside them, as enumerating has it."""
    # where there is no BCa interval, the percentile interval stands
    monkeypatch.setattr(Resampled, "bca", no_interval)
    ids = ["1", "2", "3", "4", "9"]
    agrees = {"1": 1, "2": 0, "3": 1, "4": 1}, {"2": 0, "3": 1, "4": 0, "9": 0}
    one, other = (rated([["ab", "aa"][each] for each in side.values()], [*side]) for side in agrees)
    exact: list[float] = []
    for places in product(ids, repeat=5):
        mine, theirs = ([side[at] for at in places if at in side] for side in agrees)
        if mine and theirs:
            exact.append(float(np.mean(mine) - np.mean(theirs)))
    [found] = difference(one, other, ["observed"], replace(HOW, draws=20_000, confidence=0.6))
    assert found.shared == 3
    assert found.interval is not None
    ends = (found.interval.low, found.interval.high)
    assert ends == pytest.approx(tuple(np.quantile(exact, (0.2, 0.8))), abs=1e-9)
    assert found.interval.undefined == pytest.approx(20_000 * (1 - len(exact) / 5**5), abs=18)


def test_clusters_are_joined_by_the_units_they_share() -> None:
    """Two rounds over the same cards: clusters with a card in common are one cluster."""
    one = rated(["aa", "ab", "bb", "ba"], ["1", "2", "3", "4"], "xxyy")
    other = rated(["aa", "aa", "bb", "ab"], ["1", "3", "5", "6"], "ppqr")
    [found] = difference(one, other, ["observed"], HOW)
    # 1 and 3 lie in one cluster of the second round, so x, y and p are one; q and r stand alone
    assert (found.paired, found.shared) == (True, 1)
    apart = rated(["aa", "aa", "bb", "ab"], ["1", "3", "5", "6"], "pqrs")
    [found] = difference(one, apart, ["observed"], HOW)
    assert found.shared == 2


def test_subsets_are_matched_by_the_names_of_clusters() -> None:
    """Two subsets with no unit in common, each with half of every template, are paired by it."""
    rows = drawn(6, 400)
    # a template's two halves agree or differ together
    halves = [row for row in rows for _ in range(2)]
    names = [str(at // 2) for at in range(800)]
    both = ([*names[::2]], [*names[1::2]])
    one, other = rated(halves[::2]), rated([*halves[1::2][:-1], "ab"])
    [found] = difference(one, other, ["observed"], HOW, clusters=both)
    [loose] = difference(one, other, ["observed"], HOW)
    assert (found.paired, found.shared, loose.paired) == (True, 400, False)
    assert found.interval is not None
    assert loose.interval is not None
    assert found.interval.over == "clusters of cluster"
    assert found.interval.high - found.interval.low < 0.2 * (
        loose.interval.high - loose.interval.low
    )


def test_subsets_of_one_file_are_paired_by_their_clusters() -> None:
    """The rows of two subsets share no unit, and their templates pair them by themselves."""
    rows = [row for row in drawn(9, 60) for _ in range(2)]
    names = [f"u{at}" for at in range(120)]
    whole = replace(
        rated(rows, names), clusters=clusters_of([f"t{at // 2}" for at in range(120)], "template")
    )
    halves = np.arange(120) % 2 == 0
    [found] = difference(whole.only(halves), whole.only(~halves), ["observed"], HOW)
    assert (found.paired, found.shared) == (True, 60)


def test_an_undefined_side_leaves_the_difference_undefined() -> None:
    """Where one side has no kappa there is no difference, and it is said which side and why."""
    one, other = rated(drawn(7)), rated(["aa", "aa", "aa"])
    kappa, observed = difference(one, other, ["kappa", "observed"], HOW)
    assert (kappa.value, kappa.interval) == (None, None)
    assert kappa.why == "other: both raters used only the category a"
    assert observed.value is not None


def test_a_coefficient_that_one_side_lacks_is_passed_over() -> None:
    """Cohen's kappa of two raters is not compared with anything of three."""
    three = rated(["aaa", "aab", "bbb", "bba"])
    found = difference(rated(drawn(8)), three, ["kappa", "ac1"], HOW)
    assert [each.one_estimate.name for each in found] == ["ac1"]


def test_the_level_asked_for_is_the_alpha_compared() -> None:
    """Of two alphas the one at the level asked for is compared."""
    how = replace(HOW, level="ordinal", draws=200)
    [found] = difference(rated(drawn(9)), rated(drawn(10)), ["alpha"], how)
    assert found.one_estimate.weights == "ordinal"


def test_known_measures_are_not_computed_again() -> None:
    """Estimates that the caller has already are the ones that stand in the comparison."""
    one, other = rated(drawn(11)), rated(drawn(12))
    known = (measure(one, HOW), measure(other, HOW))
    [found] = difference(one, other, ["ac1"], HOW, measured=known)
    assert found.one_estimate is known[0].estimate("ac1")
    assert found.value == difference(one, other, ["ac1"], HOW)[0].value
    assert difference(one, other, ["ac1"], HOW) == difference(one, other, ["ac1"], HOW)


def test_nothing_resampled_no_interval() -> None:
    """Without resamples the difference stands alone."""
    [found] = difference(rated(drawn(1)), rated(drawn(2)), ["ac1"], replace(HOW, draws=0))
    assert found.value is not None
    assert found.interval is None


def test_a_table_of_counts_pairs_with_nothing() -> None:
    """Two confusion matrices hold units without ids: each is resampled on its own."""
    one = Ratings.from_table([[40, 5], [5, 40]], ["a", "b"])
    other = Ratings.from_table([[30, 10], [10, 30]], ["a", "b"])
    [found] = difference(one, other, ["observed"], HOW)
    assert not found.paired
    assert found.interval is not None
    assert found.value == pytest.approx(80 / 90 - 60 / 80)
    assert found.interval.low < 80 / 90 - 60 / 80 < found.interval.high
