"""Analytic standard errors: published values, and what they must agree with."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reviewkit.agreement.measures.errors import (
    analytic_interval,
    kappa_null_error,
    standard_errors,
)
from reviewkit.agreement.measures.estimates import Name, Settings
from reviewkit.agreement.measures.patterns import Patterns, patterns_of
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.measures.resampling import resample
from reviewkit.agreement.measures.sums import Sums

GOLDEN = {
    each["id"]: each
    for each in json.loads(
        (Path(__file__).parent / "golden_intervals.json").read_text(encoding="utf-8")
    )
}
NAMES: dict[str, Name] = {
    "po": "observed",
    "pa": "observed",
    "cohen": "kappa",
    "kappa": "kappa",
    "scott": "scott",
    "fleiss": "fleiss",
    "conger": "conger",
    "alpha": "alpha",
    "krippendorff": "alpha",
    "ac1": "ac1",
    "bp": "brennan_prediger",
}


def of_table(table: list[list[int]]) -> Patterns:
    """Return the patterns of a confusion matrix."""
    return patterns_of(Ratings.from_table(table, [f"c{at}" for at in range(len(table))]))


def of_rows(rows: list[list[Any]]) -> Ratings:
    """Return ratings of labels as written, None where there is none."""
    labels = [[None if each is None else str(each) for each in row] for row in rows]
    seen = sorted({each for row in labels for each in row if each is not None})
    return Ratings.from_labels(labels, seen, [f"r{at}" for at in range(len(rows[0]))])


def test_errors_of_a_published_table() -> None:
    """The table of two abstractors has the errors that R's irrCAC prints for tables."""
    entry = GOLDEN["pub.irrcac.3x3.se_table"]
    patterns = of_table(entry["inputs"]["table"])
    names = [NAMES[key] for key in entry["expected"]]
    found = standard_errors(patterns, np.eye(3), names, form="table")
    for key, expected in entry["expected"].items():
        assert found[NAMES[key]] == pytest.approx(expected, abs=entry["tolerance"]), key


def test_errors_of_four_raters_with_blanks() -> None:
    """Four raters with blanks have the errors that R's irrCAC prints."""
    entry = GOLDEN["pub.irrcac.raw4.se"]
    patterns = patterns_of(of_rows(entry["inputs"]["ratings"]))
    names = [NAMES[key] for key in entry["expected"]]
    found = standard_errors(patterns, np.eye(5), names, form="raw")
    for key, expected in entry["expected"].items():
        assert found[NAMES[key]] == pytest.approx(expected, abs=entry["tolerance"]), key


def test_ac1_of_the_seed_has_its_interval() -> None:
    """AC1 of the seed's table has the linearised error and the interval by t(n - 1)."""
    entry = GOLDEN["qistas.verdict.gwet_se_raw"]
    patterns = of_table(entry["inputs"]["table"])
    error = standard_errors(patterns, np.eye(3), ["ac1"])["ac1"]
    expected = entry["expected"]
    assert error == pytest.approx(expected["se"], abs=entry["tolerance"])
    units = int(patterns.times.sum())
    interval = analytic_interval(expected["ac1"], error, units, 0.95, -1, 1)
    assert interval is not None
    ends = (interval.low, interval.high)
    wanted = (expected["ci_low"], expected["ci_high"])
    assert ends == pytest.approx(wanted, abs=entry["tolerance"])
    assert not interval.clipped


def test_kappa_has_the_errors_that_sas_prints() -> None:
    """Cohen's kappa has SAS's error, interval by the normal, and error, z and p under kappa 0."""
    entry = GOLDEN["pub.sas.kappa"]
    patterns = of_table(entry["inputs"]["table"])
    expected, near = entry["expected"], entry["tolerance"]
    error = standard_errors(patterns, np.eye(3), ["kappa"])["kappa"]
    assert error == pytest.approx(expected["se"], abs=near)
    kappa = 107 / 221  # by hand (19 * 13 - 140) / (19 * 19 - 140)
    interval = analytic_interval(kappa, error, None, 0.95, -1, 1)
    assert interval is not None
    assert interval.low == pytest.approx(expected["ci_low"], abs=near)
    assert interval.high == pytest.approx(expected["ci_high"], abs=near)
    null = kappa_null_error(patterns)
    assert null == pytest.approx(expected["se_null"], abs=near)
    assert null is not None
    z = kappa / null
    assert z == pytest.approx(expected["z"], abs=near)
    p = 2 * (1 - NormalDist().cdf(z))
    assert p == pytest.approx(expected["p_two_sided"], abs=near)


@pytest.mark.parametrize("table", [[[5, 0], [0, 0]], [[0, 0], [0, 0]], [[1, 0], [0, 0]]])
def test_no_error_where_kappa_is_undefined(table: list[list[int]]) -> None:
    """One category throughout, no unit, or one unit: kappa, pi and alpha have no error."""
    patterns = of_table(table)
    found = standard_errors(patterns, np.eye(2), ["kappa", "scott", "alpha", "conger"])
    assert found == dict.fromkeys(found)
    assert kappa_null_error(patterns) is None


def test_no_spread_is_an_error_of_zero_and_no_interval() -> None:
    """Complete agreement on one value: AC1 is 1, its error exactly 0, and it has no interval."""
    found = standard_errors(of_table([[5, 0], [0, 0]]), np.eye(2), ["ac1", "observed", "pabak"])
    assert found == {"ac1": 0.0, "observed": 0.0, "pabak": 0.0}
    assert analytic_interval(1.0, 0.0, 5, 0.95, -1, 1) is None
    assert analytic_interval(1.0, None, 5, 0.95, -1, 1) is None
    assert analytic_interval(0.5, 0.1, 1, 0.95, -1, 1) is None


def test_complete_disagreement_has_no_error_either() -> None:
    """Where a library prints NaN, disagreement throughout gives an error of exactly 0."""
    found = standard_errors(of_table([[0, 5], [5, 0]]), np.eye(2), ["ac1", "kappa"], form="table")
    assert found == {"ac1": 0.0, "kappa": 0.0}


def test_an_interval_is_cut_at_what_is_possible() -> None:
    """An interval that reaches beyond 1 or below the least value ends there and says so."""
    above = analytic_interval(0.9, 0.2, 10, 0.95, -1, 1)
    below = analytic_interval(0.05, 0.2, 10, 0.95, 0, 1)
    assert above is not None
    assert below is not None
    assert (above.high, above.clipped, below.low, below.clipped) == (1, True, 0, True)


def test_a_name_without_published_error_has_none() -> None:
    """All-agree has no error of this kind; AC1 with one declared category has none."""
    patterns = of_table([[3, 1], [1, 3]])
    assert standard_errors(patterns, np.eye(2), ["all_agree"]) == {"all_agree": None}
    assert standard_errors(of_table([[4]]), np.eye(1), ["ac1"]) == {"ac1": None}


def test_forms_for_two_raters_only() -> None:
    """The table form and kappa's null error need two known raters; kappa of three has no error."""
    three = patterns_of(of_rows([["a", "b", "a"], ["a", "a", "b"]]))
    with pytest.raises(ValueError, match="two raters"):
        standard_errors(three, np.eye(2), ["ac1"], form="table")
    with pytest.raises(ValueError, match="two raters"):
        kappa_null_error(three)
    assert standard_errors(three, np.eye(2), ["kappa"]) == {"kappa": None}
    counts = Ratings(("a", "b"), counts=np.array([[2, 1], [1, 1], [0, 3]], dtype=np.int64))
    found = standard_errors(patterns_of(counts), np.eye(2), ["conger", "kappa", "fleiss"])
    assert found["conger"] is None
    assert found["kappa"] is None
    assert found["fleiss"] is not None


def test_a_rater_without_ratings_changes_nothing() -> None:
    """A column that is blank throughout leaves every error as it is."""
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"], ["a", "b", None], ["b", "a", "b"]]
    names: list[Name] = ["observed", "conger", "fleiss", "ac1", "alpha", "brennan_prediger"]
    plain = standard_errors(patterns_of(of_rows(rows)), np.eye(2), names)
    blank = of_rows([[*row, None] for row in rows])
    assert standard_errors(patterns_of(blank), np.eye(2), names) == pytest.approx(plain)


@st.composite
def codes(draw: st.DrawFn, *, blanks: bool = False) -> Ratings:
    """Draw ratings of 2 to 4 raters over 2 or 3 categories, complete or with blanks."""
    raters, q = draw(st.integers(2, 4)), draw(st.integers(2, 3))
    label: st.SearchStrategy[str | None] = st.sampled_from("abc"[:q])
    if blanks:
        label |= st.none()
    row = st.lists(label, min_size=raters, max_size=raters)
    rows = draw(st.lists(row, min_size=5, max_size=40))
    return Ratings.from_labels(rows, "abc"[:q], [f"r{at}" for at in range(raters)])


@given(st.booleans().flatmap(lambda blanks: codes(blanks=blanks)), st.sampled_from(
    ("", "linear", "quadratic")
))  # fmt: skip
def test_errors_are_first_order_jackknife_errors(ratings: Ratings, weights: Any) -> None:
    """Each error is the linear part of what leaving units out does, with blanks as without.

    Drawn anew with 100 times the units, the jackknife's remainder shrinks and the two agree.
    """
    patterns = patterns_of(ratings)
    # where all pairs are alike, nothing but alpha's correction for finite size is left
    assume(int((patterns.rated >= 2).sum()) > 1)
    many = Patterns(patterns.codes, patterns.counts, patterns.times * 100, patterns.of_row)
    sums = Sums(ratings, many, Settings(weights=weights))
    drawn = resample(sums.features, many.times, sums.evaluate, draws=0, seed=1)
    for at, (name, kind) in enumerate(sums.keys):
        if name == "all_agree" or math.isnan(drawn.estimates[at]):
            continue
        matrix = sums.weights if name.startswith("weighted_") or name == "ac2" else np.eye(sums.q)
        error = standard_errors(many, matrix, [name])[name]
        jackknife = drawn.jackknife_error(at)
        assert error is not None
        # where the linear part is 0, the jackknife keeps a remainder of the order of 1/n
        assert error == pytest.approx(jackknife, rel=0.05, abs=1e-3), (name, kind)


@given(codes())
def test_the_table_form_divides_by_n(ratings: Ratings) -> None:
    """For two raters without blanks the two forms differ by the square root of (n - 1) / n."""
    two = Ratings(ratings.categories, ratings.raters[:2], ratings.codes[:, :2])
    patterns = patterns_of(two)
    names: list[Name] = ["observed", "ac1", "scott", "brennan_prediger", "conger"]
    raw = standard_errors(patterns, np.eye(two.q), names)
    table = standard_errors(patterns, np.eye(two.q), names, form="table")
    ratio = math.sqrt((two.rows - 1) / two.rows)
    for name in names:
        error = raw[name]
        if error is None:
            assert table[name] is None
        else:
            assert table[name] == pytest.approx(error * ratio, abs=1e-12)
    kappa = standard_errors(patterns, np.eye(two.q), ["kappa"])["kappa"]
    assert kappa == pytest.approx(table["conger"], abs=1e-12)


def test_single_ratings_do_not_widen_the_error() -> None:
    """Units with one rating tell nothing of agreement, and leave its error as it was.

    The raw form, as published, takes them for units that agree no more than by chance.
    """
    pairs = [["a", "a"]] * 40 + [["b", "b"]] * 30 + [["a", "b"]] * 6 + [["b", "a"]] * 4
    alone = patterns_of(of_rows(pairs))
    mixed = patterns_of(of_rows([*pairs, *[["a", None], [None, "b"]] * 40]))
    names: list[Name] = ["observed", "pabak", "brennan_prediger"]
    before, after = (standard_errors(each, np.eye(2), names) for each in (alone, mixed))
    raw = standard_errors(mixed, np.eye(2), names, form="raw")
    for name in names:
        assert after[name] == pytest.approx(before[name], rel=0.01)
        assert (raw[name] or 0) > 1.2 * (after[name] or 0)
