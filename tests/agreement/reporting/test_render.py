"""One report in every form."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from reviewkit.agreement.reporting.blocks import GRID_WIDTH, blocks_as_text, display_width
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.plots import drawings_of
from reviewkit.agreement.reporting.render import FORMS, render
from reviewkit.agreement.reporting.sections import blocks_of

REPORTS = ("study", "paradox", "five", "nothing", "broader")


@pytest.mark.parametrize("name", REPORTS)
def test_no_line_of_a_terminal_is_too_long(name: str, request: pytest.FixtureRequest) -> None:
    """Tables fold before they run over the edge."""
    text = render(request.getfixturevalue(name), "text")
    assert max(map(display_width, text.splitlines())) <= GRID_WIDTH
    assert text.count("\u2068") == text.count("\u2069")


@pytest.mark.parametrize("form", [each for each in FORMS if each != "html"])
@pytest.mark.parametrize("name", REPORTS)
def test_every_form_says_the_same_and_never_nan(
    name: str, form: str, request: pytest.FixtureRequest
) -> None:
    """Each form ends with a line end and holds no NaN, whatever is undefined."""
    told = render(request.getfixturevalue(name), form)
    assert told.endswith("\n")
    assert not re.search(r"\bnan\b", told, re.IGNORECASE)


def test_the_first_screen_is_enough(paradox: AgreementReport) -> None:
    """The sentence, the paradox and the coefficients stand in the first forty lines."""
    first = "\n".join(render(paradox, "text").splitlines()[:40])
    for told in ("Two reviewers agreed on 19 of 25 cards", "prevalence paradox", "Gwet's AC1"):
        assert told in first


def test_markdown_shows_the_plots_it_is_given(paradox: AgreementReport) -> None:
    """A plot with a file is a picture after its table; without files there are none."""
    first = drawings_of(paradox)[0].id
    told = render(paradox, "md", {first: "plots/one.svg"})
    assert told.count("](plots/one.svg)") == 1
    assert "![" not in render(paradox, "md")


def test_a_sentence_that_begins_in_arabic_reads_from_left_to_right_in_every_form(
    study: AgreementReport,
) -> None:
    """A reason, a remark and what was read begin with a name, and only the name is isolated."""
    sentence = "نعم stands beside لا on 3 cards"
    candidate = replace(study.candidates[0], reason=sentence)
    report = replace(study, candidates=(candidate,), understood=(f"{sentence}.",))
    text, markdown = render(report), render(report, "md")
    isolated = "\u2068نعم\u2069 stands beside \u2068لا\u2069 on 3 cards"
    assert f"- \u200e{isolated}." in text
    assert f"- \u200e{isolated}." in markdown
    assert f"| {isolated} |" in markdown
    assert r"\textarabic{نعم} stands beside \textarabic{لا} on 3 cards" in render(report, "latex")
    assert "<bdi>نعم</bdi> stands beside <bdi>لا</bdi> on 3 cards" in render(report, "html")


def test_a_terminal_has_every_fact_once_and_the_rest_elsewhere(five: AgreementReport) -> None:
    """Method, n, raters, rules, categories, intervals, seed and version are told; no references."""
    told = " ".join(render(five).split())
    for fact in (
        "analytic standard error with t(n - 1) over", "59 of 60 units with two ratings or more",
        "5 raters (ann,", "3 categories, as found", "units with one rating are left out, every",
        "Krippendorff 2011", f"reviewkit {five.version}",
    ):  # fmt: skip
        assert fact in told
    assert "University of Pennsylvania" not in told
    assert "University of Pennsylvania" in render(five, "md")
    assert told.count("5 raters (ann,") == 2  # above the table, and under Method


def test_a_study_is_short_in_a_terminal(study: AgreementReport) -> None:
    """Differences are told in sentences alone, and checks in one table of a screen's width."""
    text = render(study)
    whole = blocks_as_text(blocks_of(study))
    assert len(text.splitlines()) < 0.75 * len(whole.splitlines())
    head, *_ = (line for line in text.splitlines() if line.startswith("check  "))
    assert head.split()[:4] == ["check", "nature", "agree", "share"]
    assert "alpha" in head
    assert "figure      one" not in text


def test_negative_numbers_can_be_copied_and_are_set_with_a_minus(paradox: AgreementReport) -> None:
    """A hyphen stands in every form that is copied from, a minus in LaTeX, and ids stay ids."""
    for form in ("text", "md", "html", "csv", "json"):
        assert "\u2212" not in render(paradox, form)
    assert "-0.06" in render(paradox)
    latex = render(paradox, "latex")
    assert "kappa $-$0.06" in latex
    assert "$-$0.179 to 0.051" in latex
    assert "D{-}1" in latex


def test_markdown_keeps_names_as_text(study: AgreementReport) -> None:
    """Signs of markup in a note are escaped, in a cell as anywhere."""
    told = render(study, "md")
    assert "reads as \\<translated\\> \\& stiff" in told
