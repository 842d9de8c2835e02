"""When figures carry no claim: few units, few clusters; told in every form, with the interval."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from reviewkit.agreement.measures.estimates import Differs, Interval, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.reporting.colours import BLUE, PAPER
from reviewkit.agreement.reporting.csv_rows import rows_of
from reviewkit.agreement.reporting.model import AgreementReport, Part
from reviewkit.agreement.reporting.plots import drawing
from reviewkit.agreement.reporting.render import render
from reviewkit.agreement.reporting.sufficiency import too_few, too_few_to_differ
from reviewkit.agreement.reporting.wording import difference_sentence, part_sentence, remarks

OfTable = Callable[..., Part]
MakeReport = Callable[..., AgreementReport]


def in_clusters(number: int, **part: str) -> Part:
    """Return 40 cards that lie in so many templates, six of them with different labels."""
    rows = [("yes", "yes") if at % 3 else ("no", "no") for at in range(40)]
    for at in (1, 8, 11, 22, 29, 35):
        rows[at] = ("yes", "no")
    ratings = Ratings.from_labels(
        rows, ("yes", "no"), ("ann", "bob"), unit="card", cluster="template",
        clusters=[f"t{at % number}" for at in range(40)],
    )  # fmt: skip
    told = {"id": "whole", "title": "labels", "kind": "whole", **part}
    return Part(measured=measure(ratings, Settings(draws=200)), **told)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("number", "why"),
    [(2, "fewer than 5 clusters (template)"), (4, "fewer than 5 clusters (template)"), (5, "")],
)
def test_under_five_clusters_nothing_is_claimed(number: int, why: str) -> None:
    """Forty units in two clusters are two: their short interval is printed and called so."""
    part = in_clusters(number)
    assert too_few(part.measured) == why
    told = part_sentence(part.measured)
    assert "34 of 40 cards, 85.0 %, 95 % CI" in told
    said = f"Insufficient: the cards lie in {number} clusters (template), fewer than 5"
    assert (said in told) == bool(why)
    # what the sentence says is not said again
    assert any("clusters" in each for each in remarks(part)) == (not why)


def test_few_units_come_before_few_clusters(of_table: OfTable) -> None:
    """One reason is enough, and it names what is counted."""
    measured = of_table([[8, 1], [1, 0]]).measured
    assert too_few(measured) == "fewer than 25 cards with two ratings"
    assert too_few(replace(measured, clusters=("template", 2))).startswith("fewer than 25 cards")
    assert not too_few(of_table([[20, 1], [1, 3]]).measured)


def test_few_clusters_are_marked_in_tables(make_report: MakeReport) -> None:
    """A row on two clusters has the mark, and below stands why."""
    parts = [
        in_clusters(20),
        in_clusters(2, id="group:source:press", title="press", kind="group"),
        in_clusters(20, id="group:source:radio", title="radio", kind="group"),
    ]
    report = make_report(*parts)
    text = render(report)
    press = next(line for line in text.splitlines() if line.startswith("press"))
    radio = next(line for line in text.splitlines() if line.startswith("radio"))
    assert "34/40*" in press
    assert "34/40 " in radio
    assert "* Insufficient, fewer than 5 clusters (template): press." in text
    assert "| 40 \\* |" in render(report, "md")
    figures = [row for row in rows_of(report) if row["figure"] == "kappa"]
    assert [row["insufficient"] for row in figures] == ["false", "true", "false"]
    held = json.loads(render(report, "json"))["parts"]
    assert [bool(each["insufficient"]) for each in held] == [False, True, False]
    assert held[1]["estimates"][0]["insufficient"] is True


def test_few_clusters_are_hollow_in_plots_and_tiles(make_report: MakeReport) -> None:
    """Marks are empty inside, the caption says why, and each tile has the word."""
    report = make_report(in_clusters(3))
    found = drawing(report, "coefficients:whole")
    assert found is not None
    assert found.caption.endswith("Hollow: insufficient, fewer than 5 clusters (template).")
    inside = {
        line.get_markerfacecolor()
        for line in found.draw().axes[0].lines
        if line.get_marker() == "o"
    }
    assert inside == {PAPER}
    enough = drawing(make_report(in_clusters(5)), "coefficients:whole")
    assert enough is not None
    assert "Hollow" not in enough.caption
    assert BLUE in {line.get_markerfacecolor() for line in enough.draw().axes[0].lines}
    page = render(report, "html")
    assert page.count('class="rka-few">insufficient<') == 6


def test_a_difference_on_few_units_claims_nothing(study: AgreementReport) -> None:
    """The interval is printed with the word; whether it holds 0 is a claim, and is not said."""
    (differs,) = study.differences
    few = too_few_to_differ(differs)
    assert few == "fewer than 25 units with two ratings on a side"
    told = difference_sentence(differs, "round 2", "round 1", few)
    assert "95 % CI -5.0 to 28.0; paired" in told
    assert told.endswith("Insufficient: fewer than 25 units with two ratings on a side.")
    assert "hold" not in told
    text = " ".join(render(study).split())
    assert "which holds 0" not in text
    assert "12 shared, insufficient" in render(study, "md")
    (row,) = (each for each in rows_of(study) if each["kind"] == "difference")
    assert row["insufficient"] == "true"
    assert json.loads(render(study, "json"))["differences"][0]["insufficient"] == few


def test_a_difference_over_few_clusters_claims_nothing(study: AgreementReport) -> None:
    """Shared clusters count, those of the sides count, and enough of all make a claim."""
    (held,) = study.differences
    first = replace(held.one_estimate, n=80)
    differs: Differs = replace(held, one_estimate=first, other_estimate=first, shared=4)
    assert too_few_to_differ(differs) == "fewer than 5 clusters (template)"
    enough = replace(differs, shared=5)
    assert too_few_to_differ(enough) == ""
    assert too_few_to_differ(enough, in_clusters(2).measured).startswith("fewer than 5 clusters")
    over_units = Interval(0.1, 0.2, 0.95, "percentile", "units", 200, 0, 1)
    assert too_few_to_differ(replace(differs, interval=over_units)) == ""


def test_few_repeated_cards_and_short_stretches_are_marked(study: AgreementReport) -> None:
    """Wherever an interval stands on fewer than 25, so does the mark and what it means."""
    text = render(study)
    assert "10 *" in text
    assert "* Insufficient, fewer than 25 judged more than once." in text
    assert "* Insufficient, fewer than 25 in a stretch." in text
