"""What is measured on one set of ratings, and what is said where a figure does not exist."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewkit.agreement import Table, all_figures
from reviewkit.agreement.measures.estimates import Measured, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.patterns import patterns_of
from reviewkit.agreement.measures.ratings import Ratings, clusters_of
from reviewkit.problems import ProblemsFound

GOLDEN = Path(__file__).parent / "golden.json"
POINTS = Settings(draws=0)
QUICK = Settings(draws=200)


def _rated(rows: list[str], categories: str = "yn", **more: Any) -> Ratings:
    """Return ratings of one-letter labels, a string a unit; ``.`` is no rating."""
    labels = [[None if each == "." else each for each in row] for row in rows]
    raters = [f"rater {at + 1}" for at in range(len(rows[0]))]
    return Ratings.from_labels(labels, tuple(categories), raters, **more)


def _codes(measured: Measured) -> set[str]:
    return {each.code for each in measured.remarks}


@given(st.integers(1, 4).flatmap(lambda q: st.lists(
    st.lists(st.sampled_from((0, 0, 1, 2, 9)), min_size=q, max_size=q), min_size=q, max_size=q,
)))  # fmt: skip
@settings(max_examples=80)
def test_the_desk_and_the_report_compute_the_same(counts: list[list[int]]) -> None:
    """The exact figures of the board equal those of the report, undefined ones included."""
    categories = "abcd"[: len(counts)]
    measured = measure(Ratings.from_table(counts, categories), POINTS)
    for figure in all_figures(Table.from_counts(counts, categories)):
        found = measured.estimate(figure.name)
        if figure.value is None:
            assert found.value is None
            assert found.why
        else:
            assert found.value == pytest.approx(figure.value, abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(1, 4))
@settings(max_examples=40)
def test_patterns_are_the_rows(seed: int, raters: int, q: int) -> None:
    """Each row is the pattern it is said to have, and patterns are counted once each."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, q, size=(50, raters)).astype(np.int32)
    ratings = Ratings(tuple(map(str, range(q))), tuple(map(str, range(raters))), codes)
    found = patterns_of(ratings)
    assert found.codes is not None
    assert (found.codes[found.of_row] == codes).all()
    assert len(np.unique(found.codes, axis=0)) == len(found.codes)
    assert found.times.sum() == 50
    assert (found.counts.sum(axis=1) == (found.codes >= 0).sum(axis=1)).all()


def test_many_raters_have_patterns_too() -> None:
    """With more raters than a key can hold, rows are still told apart."""
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 9, size=(30, 40)).astype(np.int32)
    raters = tuple(map(str, range(40)))
    found = patterns_of(Ratings(tuple("abcdefghi"), raters, codes))
    assert found.codes is not None
    assert (found.codes[found.of_row] == codes).all()


def test_one_label_throughout_is_undefined_and_says_so() -> None:
    """Both raters gave one label: 100 %, AC1 and PABAK 1, kappa, pi and alpha a sentence."""
    measured = measure(_rated(["yy"] * 40), QUICK)
    assert measured.estimate("observed").value == 1
    for name in ("kappa", "scott", "alpha"):
        found = measured.estimate(name)
        assert found.value is None
        assert "only the category y" in found.why
        assert found.intervals == ()
    for name in ("ac1", "pabak", "brennan_prediger"):
        found = measured.estimate(name)
        assert found.value == 1
        assert found.interval is None
        assert found.no_interval


def test_one_label_of_three_raters() -> None:
    """The same rule for Fleiss, Conger and alpha, without a traceback."""
    measured = measure(_rated(["yyy"] * 5), QUICK)
    for name in ("fleiss", "conger", "alpha"):
        assert measured.estimate(name).value is None
        assert measured.estimate(name).why


def test_a_second_label_only_where_one_rated() -> None:
    """A label that no pair has leaves alpha undefined, and AC1 with a value."""
    measured = measure(_rated(["yy", "yy", "n."]), POINTS)
    assert measured.estimate("alpha").value is None
    assert measured.estimate("ac1").value is not None


def test_one_declared_category() -> None:
    """With one category declared nothing can differ; with one seen, declare the others."""
    declared = measure(_rated(["yy", "yy"], "y"), QUICK)
    assert "declared" in declared.estimate("ac1").why
    assert "one_category" in _codes(declared)
    codes = np.zeros((4, 2), dtype=np.int32)
    seen = measure(Ratings(("y",), ("a", "b"), codes), QUICK)
    assert "declare every category" in seen.estimate("pabak").why


def test_no_unit_has_two_ratings() -> None:
    """Single ratings alone give no figure, and the reason is said once."""
    measured = measure(_rated(["y.", ".n", "y."]), QUICK)
    assert all(each.value is None for each in measured.estimates)
    assert _codes(measured) == {"no_second"}
    assert (measured.rated, measured.paired) == (3, 0)


def test_no_unit_at_all() -> None:
    """An empty table measures to sentences and not to a fault."""
    empty = Ratings(("y", "n"), ("a", "b"), np.empty((0, 2), dtype=np.int32))
    measured = measure(empty, QUICK)
    assert (measured.rows, measured.paired, measured.ratings) == (0, 0, 0)
    assert all(each.value is None and each.why for each in measured.estimates)


def test_alpha_is_0_though_one_rating_in_22_differs() -> None:
    """Alpha stays 0, its companions stand beside it, and the dominating category is named."""
    rows = ["33333", "33333", "3331.", "333..", "33333"]
    measured = measure(_rated(rows, "13"), QUICK)
    assert measured.estimate("alpha").value == pytest.approx(0, abs=1e-9)
    assert measured.estimate("observed").value == pytest.approx(0.9, abs=0.05)
    assert (measured.estimate("ac1").value or 0) > 0.85
    (remark,) = (each for each in measured.remarks if each.code == "skewed")
    assert "3" in remark.text
    assert "AC1" in remark.text


def test_the_prevalence_paradox_is_named() -> None:
    """Eight joint yes and two crossed: kappa is -0.11, and the remark says why."""
    measured = measure(_rated(["yy"] * 8 + ["yn", "ny"]), QUICK)
    values = {name: measured.estimate(name).value for name in ("observed", "kappa", "pabak", "ac1")}
    assert values == pytest.approx(
        {"observed": 0.8, "kappa": -1 / 9, "pabak": 0.6, "ac1": 0.756098}, abs=1e-6
    )
    (remark,) = (each for each in measured.remarks if each.code == "skewed")
    assert "-0.11" in remark.text
    assert "prevalence paradox" in remark.text
    assert "BP(2) 0.60" in remark.text


def test_a_low_kappa_without_skew_is_no_paradox() -> None:
    """Plain disagreement is not excused."""
    measured = measure(_rated(["yy", "nn", "yn", "ny"] * 10), QUICK)
    assert "skewed" not in _codes(measured)


def test_one_constant_rater_gives_kappa_0() -> None:
    """Kappa is 0 whatever the agreement, and the remark names who gave one label."""
    measured = measure(_rated(["yy"] * 28 + ["yn"] * 2), QUICK)
    assert measured.estimate("kappa").value == pytest.approx(0, abs=1e-12)
    (remark,) = (each for each in measured.remarks if each.code == "one_value")
    assert "rater 1 used only y" in remark.text


def test_kappa_uses_complete_pairs_and_says_how_many() -> None:
    """59 units with 14 blanks: kappa is that of the 45 complete ones, n and N are told."""
    complete = ["yy"] * 25 + ["nn"] * 12 + ["yn"] * 5 + ["ny"] * 3
    measured = measure(_rated([*complete, *["y."] * 14]), POINTS)
    alone = measure(_rated(complete), POINTS)
    kappa = measured.estimate("kappa")
    assert kappa.value == alone.estimate("kappa").value
    assert (kappa.n, kappa.of) == (45, 59)
    assert "both raters rated" in kappa.missing
    assert measured.per_unit == ((1, 14), (2, 45))


def test_alpha_with_blanks_counts_only_pairable_ratings() -> None:
    """Units with one rating add nothing to alpha."""
    with_singles = measure(_rated(["yy", "nn", "yn", "y.", ".n"]), POINTS)
    without = measure(_rated(["yy", "nn", "yn"]), POINTS)
    assert with_singles.estimate("alpha").value == without.estimate("alpha").value


def test_a_category_nobody_used_changes_what_depends_on_q() -> None:
    """AC1 and Brennan-Prediger take q from the scheme; observed agreement and kappa do not."""
    two = measure(_rated(["yy", "nn", "yn", "yy"], "yn"), POINTS)
    five = measure(_rated(["yy", "nn", "yn", "yy"], "ynabc"), POINTS)
    assert two.estimate("kappa").value == five.estimate("kappa").value
    assert two.estimate("ac1").value != five.estimate("ac1").value
    assert five.estimate("brennan_prediger").short == "BP(5)"
    assert five.categories == ("y", "n", "a", "b", "c")


def test_unequal_numbers_of_raters() -> None:
    """Units with two, three and five ratings go into one Fleiss' kappa."""
    measured = measure(_rated(["yy...", "yyn..", "nnnnn", "yn...", "yyyyy"]), QUICK)
    fleiss = measured.estimate("fleiss")
    assert fleiss.value is not None
    assert measured.per_unit == ((2, 2), (3, 1), (5, 2))
    assert "two or more" in fleiss.missing


def test_positive_and_negative_agreement() -> None:
    """Of two categories: 2a / (2a + b + c) and 2d / (2d + b + c)."""
    measured = measure(Ratings.from_table([[20, 5], [10, 15]], ("yes", "no")), QUICK)
    yes, no = measured.by_category
    assert yes.value == pytest.approx(40 / 55)
    assert no.value == pytest.approx(30 / 45)
    assert (yes.ratings, no.ratings) == (55, 45)
    assert yes.interval is not None


def test_pairs_shares_and_leave_one_out() -> None:
    """Of three raters: each pair with its n, what each gave, and the figures without each."""
    measured = measure(_rated(["yyn", "nnn", "yy.", "nny", "yyy", ".yy"]), QUICK)
    assert [(each.one, each.other, each.n) for each in measured.pairs] == [
        ("rater 1", "rater 2", 5),
        ("rater 1", "rater 3", 4),
        ("rater 2", "rater 3", 5),
    ]
    assert measured.pairs[0].agree == 5
    assert measured.pairs[0].kappa == 1
    assert [each.counts for each in measured.shares] == [(3, 2), (4, 2), (3, 2)]
    assert [each.rater for each in measured.without] == ["rater 1", "rater 2", "rater 3"]
    best = measured.without[2]
    assert next(e.value for e in best.estimates if e.name == "kappa") == 1
    assert best.n == 5


def test_sets_of_labels_have_two_distances() -> None:
    """Sets are compared by Jaccard and MASI, and no coefficient with a list of categories."""
    sets = (frozenset({"a"}), frozenset({"a", "b"}), frozenset({"c"}))
    codes = np.array([[0, 1], [1, 1], [2, 2], [0, 0]], dtype=np.int32)
    measured = measure(Ratings(("a", "a, b", "c"), ("x", "y"), codes, sets=sets), QUICK)
    assert [(each.name, each.weights) for each in measured.estimates] == [
        ("observed", ""),
        ("alpha", "jaccard"),
        ("alpha", "masi"),
    ]
    jaccard, masi = measured.estimates[1:]
    # by hand: one pair differs by 1/2 (MASI 2/3); expected over the 56 ordered pairs of 8 ratings
    assert jaccard.value == pytest.approx(1 - 7 * 2 * 0.5 / (2 * (9 * 0.5 + 6 + 6)))
    assert masi.value == pytest.approx(1 - 7 * 2 * (2 / 3) / (2 * (9 * (2 / 3) + 6 + 6)))
    assert measured.by_category == ()


def test_numbers_are_needed_for_the_interval_level() -> None:
    """Words at the interval level are refused with the word and the remedy."""
    with pytest.raises(ProblemsFound, match="'y' is no number"):
        measure(_rated(["yy", "yn"]), Settings(level="interval", draws=0))


def test_clusters_widen_the_interval_and_are_named() -> None:
    """Twins that agree together carry less than as many units on their own."""
    rows = ["yy", "yn", "nn", "ny", "yy", "nn"] * 12
    twins = [f"t{at // 6}" for at in range(6 * 12)]
    blocks = sorted(rows)
    alone = measure(_rated(blocks), Settings(draws=2000))
    clustered = measure(_rated(blocks, clusters=twins, cluster="template"), Settings(draws=2000))
    one, other = alone.estimate("kappa").interval, clustered.estimate("kappa").interval
    assert one is not None
    assert other is not None
    assert other.high - other.low > 1.5 * (one.high - one.low)
    assert "template" in other.over
    assert clustered.clusters == ("template", 12)
    assert {each.method for each in clustered.estimate("kappa").intervals} == {"bca", "percentile"}


def test_observed_agreement_of_two_has_wilson_and_names_its_seed() -> None:
    """Exchangeable units: Wilson first, the bootstraps after it with draws and seed."""
    observed = measure(_rated(["yy"] * 30 + ["yn"] * 9), Settings(seed=7)).estimate("observed")
    assert [each.method for each in observed.intervals] == ["wilson", "bca", "percentile"]
    assert {each.seed for each in observed.intervals[1:]} == {7}
    again = measure(_rated(["yy"] * 30 + ["yn"] * 9), Settings(seed=7)).estimate("observed")
    assert again == observed


def test_the_figures_are_json() -> None:
    """Nothing in the JSON is NaN, and undefined is null with its reason."""
    measured = measure(_rated(["yyy", "yy.", "yyy"]), QUICK)
    text = json.dumps(measured.as_json(), allow_nan=False)
    fleiss = next(e for e in json.loads(text)["estimates"] if e["name"] == "fleiss")
    assert fleiss["value"] is None
    assert fleiss["why"]


def test_collapsing_leaves_out_what_has_no_class() -> None:
    """A category outside the collapse becomes missing, and its units leave the denominator."""
    ratings = _rated(["aa", "ab", "bc", "cc", "ca"], "abc")
    coarse = ratings.collapsed({"a": "low", "b": "low"})
    measured = measure(coarse, POINTS)
    assert coarse.categories == ("low",)
    assert measured.paired == 2
    both = measure(ratings.collapsed({"a": "low", "b": "low", "c": "high"}), POINTS)
    assert (both.paired, both.agree) == (5, 3)


def test_only_keeps_clusters_and_groups_in_step() -> None:
    """Chosen rows keep their ids, clusters and groups."""
    ratings = _rated(["yy", "yn", "nn"], units=("u1", "u2", "u3"), clusters=["a", "b", "b"])
    few = ratings.only(np.array([False, True, True]))
    assert few.units == ("u2", "u3")
    assert few.clusters is not None
    assert few.clusters.number == 1
    assert not math.isnan(measure(few, POINTS).estimate("observed").value or 0)


def test_ratings_refuse_what_does_not_fit() -> None:
    """Codes for other raters, counts for other categories, and no category are told at once."""
    with pytest.raises(ProblemsFound, match="one column a rater"):
        Ratings(("y",), ("a",), np.zeros((2, 2), dtype=np.int32))
    with pytest.raises(ProblemsFound, match="either"):
        Ratings(("y",), ("a",))
    with pytest.raises(ProblemsFound, match="'z' not among"):
        _rated(["yz"])
    assert clusters_of(["a", "b", "a"], "template").of_unit.tolist() == [0, 1, 0]


def test_a_rater_without_a_rating_changes_nothing() -> None:
    """A blank column leaves every coefficient as it is without the column."""
    rows = ["yyn", "nnn", "yy.", "nny", "yyy"]
    with_blank = measure(_rated([f"{row}." for row in rows]), QUICK)
    without = measure(_rated(rows), QUICK)
    values = [[each.value for each in found.estimates] for found in (with_blank, without)]
    assert values[0] == pytest.approx(values[1])


def test_the_published_interval_of_gwet_s_four_raters() -> None:
    """One unit in twelve has a single rating: AC1 has Gwet's own error, 0.46081 to 1."""
    entry = next(each for each in json.loads(GOLDEN.read_text()) if each["id"] == "pub.irrcac.raw4")
    rows = ["".join("." if each is None else str(each) for each in row)
            for row in entry["inputs"]["ratings"]]  # fmt: skip
    measured = measure(_rated(rows, "12345"), QUICK)
    interval = measured.estimate("ac1").interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.46081, 1), abs=1e-5)
    assert interval.clipped
    assert "singles" not in _codes(measured)


def test_many_single_ratings_change_the_error_and_it_is_said() -> None:
    """With one unit in four rated once, the published error is too wide and another stands."""
    rows = [*["yy"] * 20, *["nn"] * 20, *["yn"] * 5, *["y."] * 15]
    measured = measure(_rated(rows), QUICK)
    (remark,) = (each for each in measured.remarks if each.code == "singles")
    assert "15 of 60" in remark.text
    analytic, bca, _ = measured.estimate("ac1").intervals
    assert analytic.high - analytic.low == pytest.approx(bca.high - bca.low, rel=0.15)


def test_an_error_of_0_is_why_there_is_no_interval() -> None:
    """Perfect disagreement has no analytic interval, and that is no matter of resampling."""
    labels = [("x", "y") if at % 2 else ("y", "x") for at in range(30)]
    ratings = Ratings.from_labels(labels, ("x", "y"), ("a", "b"))
    found = {each.name: each for each in measure(ratings, Settings(draws=0)).estimates}
    assert found["ac1"].value == -1
    assert found["ac1"].no_interval == "its analytic error is 0, as the units do not vary"
