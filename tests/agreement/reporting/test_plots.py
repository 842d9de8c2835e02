"""Plots of a report: what they show, what stands below them, and how they are written."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from reviewkit.agreement.measures.estimates import Interval
from reviewkit.agreement.reporting.canvas import style
from reviewkit.agreement.reporting.colours import BLUE, PAPER, SERIES, VERMILION
from reviewkit.agreement.reporting.forests import Mark, Row, forest
from reviewkit.agreement.reporting.matrices import compact
from reviewkit.agreement.reporting.model import Part, Point
from reviewkit.agreement.reporting.plots import drawing, drawings_of
from tests.agreement.reporting.drawn_plots import drawn, texts
from tests.agreement.reporting.page_reports import (
    arabic_report,
    estimate,
    measured,
    one_part,
    rows_of,
    study_report,
)


def marks(figure: Figure) -> list[tuple[float, str, str, str]]:
    """Return (value, shape, edge, inside) of each mark, from top to bottom."""
    found = [
        (line.get_ydata()[0], line.get_xdata()[0], line.get_marker(),
         to_hex(line.get_markeredgecolor()), to_hex(line.get_markerfacecolor()))
        for line in figure.axes[0].lines
        if line.get_marker() not in {"None", None, ""}
    ]  # fmt: skip
    return [(round(value, 6), *rest) for _, value, *rest in sorted(found)]


def spans(figure: Figure) -> list[tuple[float, float]]:
    """Return the ends of each interval that is drawn, from top to bottom."""
    found = [
        (line.get_ydata()[0], *line.get_xdata())
        for line in figure.axes[0].lines
        if len(line.get_xdata()) == 2 and line.get_linewidth() == 1.8
    ]
    return [(low, high) for _, low, high in sorted(found)]


# --- what there is ---------------------------------------------------------------------------


def test_a_study_has_every_kind_of_plot() -> None:
    """Coefficients, confusion, label shares, parts, checks and time; each under one id."""
    ids = [each.id for each in drawings_of(study_report())]
    assert ids == [
        "coefficients:whole", "confusion:whole", "shares:whole",
        "coefficients:collapse:accepted", "confusion:collapse:accepted",
        "parts:domain", "checks:all", "time:whole",
    ]  # fmt: skip
    assert "raters:whole" in [each.id for each in drawings_of(arabic_report())]


def test_every_caption_says_what_its_plot_rests_on() -> None:
    """Raters, n and version everywhere; interval method and seed where there are figures."""
    for report in (study_report(), arabic_report()):
        for each in drawings_of(report):
            assert f"reviewkit {report.version}." in each.caption, each.id
            assert f"{len(report.raters)} {report.rater_word}s" in each.caption, each.id
            assert re.search(r"\bn\b", each.caption), each.id
            assert each.alt.endswith("."), each.id
            assert "nan" not in each.caption.lower().split(), each.id
    held = {each.id: each.caption for each in drawings_of(study_report())}
    for plot_id in ("coefficients:whole", "parts:domain"):
        assert "BCa bootstrap over clusters of template, 2,000 draws, seed 1" in held[plot_id]
    assert "missing ratings as told under Method" in held["coefficients:whole"]
    assert "missing ratings" not in held["parts:domain"]
    assert "271 of 282 cards" in held["coefficients:whole"]
    assert "Wilson" in held["checks:all"]


def test_alternative_words_carry_the_figures() -> None:
    """Whoever does not see a plot hears its values, its diagonal, its ends."""
    held = {each.id: each.alt for each in drawings_of(study_report())}
    assert "260 of 271 agree" in held["confusion:whole"]
    assert "needs_fix against accepted, 6" in held["confusion:whole"]
    assert "Cohen's kappa 0.920" in held["coefficients:whole"]
    assert held["time:whole"].startswith("Observed agreement over time: cards 1–36 83.3 %")
    assert "17 checks" in held["checks:all"]


def test_nothing_to_compare_draws_nothing() -> None:
    """Without a unit that two rated, or with unnamed raters, there is no empty plot."""
    alone = one_part([["a", None], [None, "b"]], ("a", "b"), ("x", "y"))
    assert drawings_of(alone) == ()
    report = one_part([["a", "b"], ["a", "a"]], ("a", "b"), ("x", "y"))
    whole = replace(report.parts[0].measured, raters=(), pairs=(), shares=())
    unnamed = replace(report, parts=(replace(report.parts[0], measured=whole),))
    assert [each.id for each in drawings_of(unnamed)] == ["coefficients:whole"]


@pytest.mark.process
def test_listing_plots_loads_no_matplotlib() -> None:
    """A report as text or JSON asks which plots there are and must not pay for drawing them."""
    code = (
        "import sys\n"
        "from tests.agreement.reporting.page_reports import study_report\n"
        "from reviewkit.agreement.reporting.plots import drawings_of\n"
        "assert len(drawings_of(study_report())) == 8\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


# --- forests ---------------------------------------------------------------------------------


def test_marks_and_intervals_stand_at_their_values() -> None:
    """Each coefficient is one mark at its value on a line from the lower end to the upper."""
    report = study_report()
    figure = drawn(report, "coefficients:whole")
    shown = report.parts[0].measured.estimates
    assert [each[0] for each in marks(figure)] == [
        round(each.value, 6) for each in shown if each.value is not None
    ]
    assert spans(figure) == [
        (each.interval.low, each.interval.high) for each in shown if each.interval is not None
    ]
    assert "0.920 [0.865 to 0.947]" in texts(figure)


def test_an_undefined_coefficient_has_no_mark_and_says_so() -> None:
    """It is a row with the word, and neither a mark at 0 nor one at 1."""
    figure = drawn(one_part([["a", "a"]] * 30, ("a", "b"), ("x", "y")), "coefficients:whole")
    assert texts(figure).count("undefined") == 2
    assert {value for value, *_ in marks(figure)} == {1.0}
    assert len(marks(figure)) == 4


def test_too_few_units_are_hollow_and_named() -> None:
    """A mark on fewer than 25 units is empty inside, and its row says insufficient."""
    figure = drawn(study_report(), "parts:domain")
    inside = [each[3] for each in marks(figure)[3:]]  # the first three are the legend's
    assert inside[6:9] == [PAPER] * 3
    assert PAPER not in inside[:6] + inside[9:]
    assert "n 12, insufficient" in texts(figure)


def test_a_negative_coefficient_widens_the_scale() -> None:
    """The scale begins at 0, or a half step below the lowest end; an end beyond -1 is cut there."""

    def begins(low: float) -> float:
        interval = Interval(low, 0.5, 0.95, "bca", "units")
        with style():
            figure = forest([Row("kappa", "", (Mark(0.2, interval, 0),))])
        return figure.axes[0].get_xlim()[0]

    assert [begins(low) for low in (0.0, 0.1, -0.01, -0.5, -0.51, -1.0)] == [
        0.0, 0.0, -0.5, -0.5, -1.0, -1.0,
    ]  # fmt: skip


def test_series_differ_in_shape_as_well_as_colour() -> None:
    """No two series share a shape or a colour, so a grey print tells them apart."""
    assert len({shape for _, shape in SERIES}) == len({colour for colour, _ in SERIES}) == 6
    legend = marks(drawn(study_report(), "parts:domain"))[:3]
    assert [(shape, edge) for _, shape, edge, _ in legend] == [
        (shape, colour) for colour, shape in SERIES[:3]
    ]


def test_checks_are_ordered_and_their_heaps_hold_each_once() -> None:
    """Named checks fall from the highest agreement; above, each nature's marks are all there."""
    report = study_report()
    figure = drawn(report, "checks:all")
    checks = report.of_kind("check")
    shares = {part.title: part.measured.agree / part.measured.paired for part in checks}
    named = [value for value, *_ in marks(figure)[-len(checks) :]]
    assert named == sorted(named, reverse=True)
    assert sorted(named) == sorted(round(each, 6) for each in shares.values())
    piles = [line for line in figure.axes[0].lines if line.get_markersize() == 6.5]
    in_heaps = {
        shape: sum(len(line.get_xdata()) for line in piles if line.get_marker() == shape)
        for _, shape in SERIES[:2]
    }
    assert in_heaps == {
        SERIES[0][1]: sum(part.nature == "structural" for part in checks),
        SERIES[1][1]: sum(part.nature == "judgement" for part in checks),
    }


def test_many_parts_show_those_with_least_agreement() -> None:
    """Past forty rows the plot keeps the lowest and says how many there are."""
    whole = study_report()
    parts = [
        Part(f"domain:{at}", f"domain {at}", "domain",
             measured([["a", "a"]] * (60 - at) + [["a", "b"]] * at, ("a", "b"), ("ann", "bob")),
             of="whole")
        for at in range(50)
    ]  # fmt: skip
    found = drawing(replace(whole, parts=(whole.parts[0], *parts)), "parts:domain")
    assert found is not None
    assert "the 40 of 50 with the least agreement" in found.caption
    told = texts(found.draw())
    assert "domain 49" in told
    assert "domain 9" not in told


def test_groups_are_drawn_by_the_column_that_makes_them() -> None:
    """Two columns give two plots, whatever stands in their values and however they are named."""
    whole = study_report()
    rows = rows_of(30, ("a", "b"), 2, 0.8, 4)
    one = measured(rows, ("a", "b"), ("ann", "bob"))

    def ids(*parts: tuple[str, str]) -> list[str]:
        made = [Part(part_id, part_id, "group", one, of=of) for part_id, of in parts]
        report = replace(whole, parts=(whole.parts[0], *made))
        return [each.id for each in drawings_of(report) if each.id.startswith("parts:")]

    assert ids(
        ("group:source:a:b", "whole"), ("group:source:c", "whole"), ("group:month:May", "whole"),
        ("group:month:June", "whole"), ("group:alone:x", "whole"),
    ) == ["parts:group:source", "parts:group:month"]  # fmt: skip
    assert ids(
        ("group:tone:source:a", "question:tone"), ("group:tone:source:b", "question:tone"),
        ("group:topic:source:a", "question:topic"), ("group:topic:source:b", "question:topic"),
    ) == ["parts:group:source:question:tone", "parts:group:source:question:topic"]  # fmt: skip
    assert ids(("term:f/a", "field:f"), ("term:f/b", "field:f")) == ["parts:group:term"]


def test_seven_raters_share_one_series() -> None:
    """There are six shapes; more raters are shown as one cloud with its ends in words."""
    names = [f"r{at}" for at in range(7)]
    report = one_part(rows_of(40, ("a", "b"), 7, 0.7, 9), ("a", "b"), names)
    figure = drawn(report, "shares:whole")
    assert {each[1] for each in marks(figure)} == {SERIES[0][1]}
    assert "r0" not in texts(figure)
    assert sum(" to " in each for each in texts(figure)) == 2


# --- matrices --------------------------------------------------------------------------------


def test_a_confusion_matrix_shows_every_count() -> None:
    """Agreement is blue and framed, disagreement orange; the fullest of each is the darkest."""
    rows = [["a", "a"]] * 50 + [["b", "b"]] * 10 + [["a", "b"]] * 4 + [["b", "a"]]
    figure = drawn(one_part(rows, ("a", "b"), ("x", "y")), "confusion:whole")
    assert [each for each in texts(figure) if each.isdigit()] == ["50", "4", "1", "10"]
    tints = [
        (to_hex(each.get_facecolor()), round(each.get_facecolor()[3], 3))
        for each in figure.axes[0].patches
        if each.get_fill()
    ]
    assert tints == [(BLUE, 0.5), (VERMILION, 0.5), (VERMILION, 0.125), (BLUE, 0.1)]
    framed = [
        to_hex(each.get_edgecolor()) for each in figure.axes[0].patches if not each.get_fill()
    ]
    assert [each == BLUE for each in framed] == [True, False, False, True]


def test_more_than_two_raters_count_both_ways_round() -> None:
    """No rater owns the rows then, so the table is symmetric and says what it counts."""
    report = one_part([["a", "b", "b"]] * 30, ("a", "b"), ("x", "y", "z"))
    figure = drawn(report, "confusion:whole")
    assert [each for each in texts(figure) if each.isdigit()] == ["0", "60", "60", "60"]
    found = drawing(report, "confusion:whole")
    assert found is not None
    assert "counted both ways round" in found.caption


def test_of_many_categories_the_confused_ones_are_shown() -> None:
    """Twelve fit; they are those with the most disagreements, in the order of the scheme."""
    names = tuple(f"c{at:02}" for at in range(30))
    rows = [[name, name] for name in names] + [["c03", "c29"]] * 9 + [["c29", "c17"]] * 5
    report = one_part(rows, names, ("x", "y"))
    found = drawing(report, "confusion:whole")
    assert found is not None
    assert "the 12 of 30 categories with the most disagreements" in found.caption
    assert "c03 against c29, 9" in found.alt
    told = texts(found.draw())
    assert [each for each in told if each in {"c03", "c17", "c29"}][:3] == ["c03", "c17", "c29"]
    assert "c28" not in told


def test_raters_against_each_other() -> None:
    """Below the diagonal the share of equal labels, above it how many units both rated."""
    rows = [["a", "a", None]] * 6 + [["a", "b", "a"]] * 2
    figure = drawn(one_part(rows, ("a", "b"), ("x", "y", "z")), "raters:whole")
    assert [each for each in texts(figure) if each.isdigit()] == ["8", "2", "75", "2", "100", "0"]


def test_counts_fit_their_cells() -> None:
    """Small counts are exact; large ones are rounded, the exact ones stand in the table."""
    told = [compact(each) for each in (0, 9_999, 12_345, 99_960, 250_000, 1_240_000, 34_000_000)]
    assert told == ["0", "9999", "12k", "100k", "250k", "1.2M", "34M"]


# --- time ------------------------------------------------------------------------------------


def test_a_stretch_without_units_is_a_gap() -> None:
    """The line breaks there: agreement on nothing is neither 0 nor what stood beside it."""
    points = (Point("May", 9, 10, None), Point("June", 0, 0, None), Point("July", 5, 10, None))
    report = one_part([["a", "b"], ["a", "a"]], ("a", "b"), ("x", "y"), over_time=points)
    figure = drawn(report, "time:whole")
    assert len(marks(figure)) == 2
    line = next(each for each in figure.axes[0].lines if len(each.get_xdata()) == 3)
    assert [str(each) for each in line.get_ydata()].count("nan") == 1
    assert {"May", "June", "July", "n 0"} <= set(texts(figure))


def test_an_estimate_without_an_interval_is_a_mark_alone() -> None:
    """Nothing is drawn that was not computed."""
    report = one_part([["a", "b"], ["a", "a"], ["b", "b"]], ("a", "b"), ("x", "y"))
    bare = replace(estimate("kappa", 0.4, 3, 3, 2, 2), intervals=(), no_interval="too few")
    part = replace(report.parts[0], measured=replace(report.parts[0].measured, estimates=(bare,)))
    figure = drawn(replace(report, parts=(part,)), "coefficients:whole")
    assert [value for value, *_ in marks(figure)] == [0.4]
    assert spans(figure) == []
