"""One report in every form."""

from __future__ import annotations

import re

import pytest

from reviewkit.agreement.reporting.blocks import GRID_WIDTH, display_width
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.plots import drawings_of
from reviewkit.agreement.reporting.render import FORMS, render

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


def test_markdown_keeps_names_as_text(study: AgreementReport) -> None:
    """Signs of markup in a note are escaped, in a cell as anywhere."""
    told = render(study, "md")
    assert "reads as \\<translated\\> \\& stiff" in told
