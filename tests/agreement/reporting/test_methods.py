"""How the figures were made, for a table, for a row and for a paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reviewkit import __version__
from reviewkit.agreement.measures.estimates import Interval
from reviewkit.agreement.measures.names import DESCRIBED
from reviewkit.agreement.reporting.methods import (
    categories_line,
    interval_rule,
    intervals_line,
    method_grid,
    method_points,
    methods_paragraph,
    raters_line,
)
from reviewkit.agreement.reporting.model import AgreementReport, Part
from reviewkit.agreement.reporting.references import REFERENCES, references

OfTable = Callable[..., Part]
MakeReport = Callable[..., AgreementReport]


def test_the_paragraph_can_be_pasted(paradox: AgreementReport) -> None:
    """It names what was measured, over which categories, how missing was taken, and no rater."""
    told = methods_paragraph(paradox)
    assert told.startswith("Agreement between two reviewers was measured on 25 cards with two")
    for part in (
        "Cohen's kappa (Cohen 1960)", "PABAK (Byrt, Bishop and Carlin 1993)",
        "Gwet's AC1 (Gwet 2008)", "3 declared categories (accepted, needs_fix, rejected)",
        "not accepted holds needs_fix and rejected", "No rating is missing.",
        "Confidence intervals (95 %) are Wilson score intervals over units",
        "over units (Fleiss, Cohen and Everitt 1969; Gwet 2008) for the others.",
        "Figures on fewer than 25 units with two ratings, or on fewer than 5 clusters, are called",
        f"Computed with reviewkit {__version__}.",
    ):  # fmt: skip
        assert part in told
    assert "ann" not in told
    assert "bob" not in told


def test_several_fields_are_told_one_by_one(of_table: OfTable, make_report: MakeReport) -> None:
    """Without a whole each field has its units and categories, and each figure is named once."""
    parts = [
        of_table([[9, 1, 0], [1, 8, 0], [0, 0, 7]], ("a", "b", "N"), id="field:x", title="stance",
                 kind="field"),
        of_table([[20, 1], [1, 30]], id="field:y", title="refused", kind="field"),
    ]  # fmt: skip
    report = make_report(*parts, rater_word="coder")
    told = methods_paragraph(report)
    assert told.startswith(
        "Agreement between two coders was measured on stance, 26 cards with two ratings"
    )
    assert "over 3 declared categories (a, b, N); on refused, 52 cards" in told
    assert told.count("Brennan-Prediger (Brennan and Prediger 1981)") == 1
    grid = method_grid(report)
    assert {row[0] for row in grid.rows} == {"stance", "refused"}
    assert grid.header[:2] == ("of", "figure")


def test_the_rule_for_missing_ratings_is_told_where_any_is_missing(five: AgreementReport) -> None:
    """Each rule is told once, with the coefficients that follow it."""
    told = methods_paragraph(five)
    assert "Agreement among five raters was measured on 59 units" in told
    assert "missing, this holds: for observed agreement, " in told
    assert "for Krippendorff's alpha, units with one rating are left out" in told
    assert "No rating is missing" not in told


def test_clusters_are_told(broader: AgreementReport) -> None:
    """When units share a template the paragraph says why clusters were resampled."""
    whole = broader.parts[0]
    clustered = replace(whole, measured=replace(whole.measured, clusters=("template", 1073)))
    told = methods_paragraph(replace(broader, parts=(clustered,)))
    assert (
        "Cards of one template are not independent, so whole clusters were resampled (1,073)."
        in (told)
    )


def test_every_figure_has_its_own_row(broader: AgreementReport) -> None:
    """n, rule for missing ratings, interval and source stand for each coefficient."""
    grid = method_grid(broader)
    assert len(grid.rows) == len(broader.parts[0].measured.estimates)
    rows = {row[0]: row[1:] for row in grid.rows}
    assert rows["Observed agreement"] == (
        "282", "282", "units with fewer than two ratings are left out",
        "Wilson score interval over units", "Gwet 2014",
    )  # fmt: skip
    assert all(all(row) for row in grid.rows)


def test_points_say_in_a_few_lines_what_the_rows_say(five: AgreementReport) -> None:
    """Figures with one missing rule or one source are told together, and none is left out."""
    told = " ".join(method_points(five).items)
    assert "59 of 60 units with two ratings or more" in told
    assert "5 raters (ann, \u2068بشرى\u2069, cy, dee, eve), 3 categories, as found" in told
    assert "units with one rating are left out, every other rating counts for alpha" in told
    assert "none among these" not in told
    for row in method_grid(five).rows:
        assert row[3] in told
        assert not any(map(str.isdigit, row[5])) or row[5] in told
    for each in five.parts[0].measured.estimates:
        assert each.short.split("(")[0] in told
    assert f"reviewkit {__version__}" in told


def test_rows_with_cut_ends_are_told_in_points(paradox: AgreementReport) -> None:
    """What one interval has apart from its rule stands with its part."""
    told = method_points(paradox).items
    assert any("none among these; where one is, units with fewer" in each for each in told)
    whole = paradox.parts[0]
    first, *rest = whole.measured.estimates
    held = Interval(0.1, 1.0, 0.95, "percentile", "units", 1990, 10, 7, clipped=True)
    measured = replace(whole.measured, estimates=(replace(first, intervals=(held,)), *rest))
    told = method_points(replace(paradox, parts=(replace(whole, measured=measured),))).items
    assert (
        "Verdict, interval of observed: 10 draws without a value, cut at the end of the scale."
        in told
    )


def test_the_last_rule_holds_for_the_others(broader: AgreementReport) -> None:
    """Two rules need one list of names; figures under both are always named."""
    estimates = broader.parts[0].measured.estimates
    assert intervals_line(estimates).endswith(
        "Wilson score interval over units for observed; analytic standard error with t(n - 1) over"
        " units for the others"
    )
    drawn = Interval(0.1, 0.9, 0.95, "bca", "clusters of card", 500, 0, 1)
    both = (*estimates, *(replace(each, intervals=(drawn,)) for each in estimates))
    assert "the others" not in intervals_line(both)


def test_parts_with_other_intervals_are_told_apart(
    of_table: OfTable, make_report: MakeReport
) -> None:
    """The paragraph says of which part an interval method is, when parts have different ones."""
    whole = of_table([[20, 3], [2, 5]], ("accepted", "rejected"), title="verdict")
    pooled = of_table([[74, 33], [17, 19]], id="pooled", title="all checks", kind="pooled")
    drawn = Interval(0.1, 0.9, 0.95, "bca", "clusters of card", 500, 0, 1)
    estimates = tuple(replace(each, intervals=(drawn,)) for each in pooled.measured.estimates)
    clustered = replace(pooled, measured=replace(pooled.measured, estimates=estimates))
    told = methods_paragraph(make_report(whole, clustered))
    assert "Confidence intervals (95 %) of verdict are Wilson score intervals over units" in told
    assert (
        "Confidence intervals (95 %) of all checks are from a BCa bootstrap over clusters of card"
        " (Efron 1987; Efron and Tibshirani 1993; 500 draws, seed 1)." in told
    )


def test_an_interval_says_how_it_was_drawn() -> None:
    """Method, what varied, draws and seed; a formula has neither draws nor seed."""
    drawn = Interval(0.1, 0.9, 0.95, "bca", "clusters of template", 1990, 10, 7)
    assert interval_rule(drawn) == "BCa bootstrap over clusters of template, 2,000 draws, seed 7"
    assert interval_rule(Interval(0.1, 0.9, 0.95, "wilson", "units")) == (
        "Wilson score interval over units"
    )


def test_draws_without_a_value_and_cut_ends_are_told(broader: AgreementReport) -> None:
    """An interval that left draws out, or was cut, says so in its row."""
    whole = broader.parts[0]
    first, *rest = whole.measured.estimates
    held = Interval(0.1, 1.0, 0.95, "percentile", "units", 1990, 10, 7, clipped=True)
    changed = replace(first, intervals=(held,))
    none = replace(rest[0], intervals=(), no_interval="fewer than two clusters")
    measured = replace(whole.measured, estimates=(changed, none))
    grid = method_grid(replace(broader, parts=(replace(whole, measured=measured),)))
    assert grid.rows[0][4].endswith("10 draws without a value, cut at the end of the scale")
    assert grid.rows[1][4] == "fewer than two clusters"


def test_lines_of_a_caption(five: AgreementReport, paradox: AgreementReport) -> None:
    """Names stand while they are few; categories say whether a scheme declared them."""
    measured = five.parts[0].measured
    assert raters_line([measured], "coder") == "5 coders (ann, \u2068بشرى\u2069, cy, dee, eve)"
    assert categories_line([measured]) == (
        "3 categories, as found (\u2068نعم\u2069, \u2068لا\u2069, maybe)"
    )
    assert raters_line([replace(measured, raters=())], "coder") == "coders not known by name"
    many = replace(measured, raters=tuple(f"r{at}" for at in range(40)))
    assert raters_line([many], "coder") == "40 coders"
    scheme = replace(measured, categories=tuple(f"c{at}" for at in range(20)), declared=True)
    assert categories_line([scheme]).endswith("c10, c11 and 8 more)")
    both = [each.measured for each in paradox.parts]
    assert categories_line(both) == "q is the number of categories"
    assert intervals_line(()) == "no intervals"


def test_every_source_is_a_reference(five: AgreementReport, broader: AgreementReport) -> None:
    """No short source of a coefficient stands without the work that it means."""
    for described in DESCRIBED.values():
        for source in described.source.split("; "):
            assert source in REFERENCES or not any(map(str.isdigit, source))
    told = references(five)
    assert list(told) == sorted(told)
    assert any(each.startswith("Light, R. J. (1971)") for each in told)
    assert not any("Light" in each for each in references(broader))
