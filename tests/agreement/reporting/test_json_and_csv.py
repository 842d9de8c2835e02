"""The report as data: JSON with everything, and a long table with a row a figure."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from reviewkit import __version__
from reviewkit.agreement.measures.estimates import RaterShare
from reviewkit.agreement.reporting.csv_rows import COLUMNS, csv_for_excel, csv_text, rows_of
from reviewkit.agreement.reporting.json_data import json_text
from reviewkit.agreement.reporting.model import AgreementReport, Point


def read(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV as any reader sees them."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_json_holds_figures_in_full_precision(paradox: AgreementReport) -> None:
    """Values are not rounded, parts keep their mapping, the paragraph and version are there."""
    data = json.loads(json_text(paradox))
    whole, binary = data["parts"]
    kappa = next(each for each in whole["estimates"] if each["name"] == "kappa")
    assert kappa["value"] == pytest.approx(-3 / 47, abs=1e-12)
    assert (kappa["n"], kappa["q"], kappa["raters"], kappa["insufficient"]) == (25, 3, 2, False)
    assert binary["mapping"] == {
        "accepted": ["accepted"], "not accepted": ["needs_fix", "rejected"],
    }  # fmt: skip
    assert binary["excluded"][0]["count"] == 9
    assert data["version"] == __version__
    assert data["method"].startswith("Agreement between two reviewers")
    assert whole["sentence"] == data["sentences"][0]


def test_json_has_no_nan(nothing: AgreementReport) -> None:
    """What is undefined is null with its sentence; the text is strict JSON."""

    def refuse(constant: str) -> Any:
        raise AssertionError(constant)

    data = json.loads(json_text(nothing), parse_constant=refuse)
    estimates = data["parts"][0]["estimates"]
    assert all(each["value"] is None and each["why"] for each in estimates)


def test_json_keeps_letters(five: AgreementReport) -> None:
    """Arabic is written as it is and has no marks of direction in it."""
    text = json_text(five)
    assert "بشرى" in text
    assert "\u2068" not in text


def test_json_has_what_a_study_adds(study: AgreementReport) -> None:
    """Differences, disagreements with notes, candidates, consistency and time are all there."""
    data = json.loads(json_text(study))
    assert data["differences"][0]["one"] == "round:2"
    assert data["differences"][0]["one_estimate"]["insufficient"] is False
    assert data["disagreements"][0]["notes"][0] == "يبدو طبيعيا"
    assert data["candidates"][0]["kind"] == "ruling"
    assert data["consistency"][0]["agree"] == 9
    assert [each["agree"] for each in data["over_time"]] == [12, 13]


def test_a_row_a_figure_with_all_it_rests_on(paradox: AgreementReport) -> None:
    """One row cut out of the table still says what was measured on what, and how."""
    rows = read(csv_text(paradox))
    (ac1,) = (each for each in rows if each["part"] == "whole" and each["figure"] == "ac1")
    assert float(ac1["value"]) == pytest.approx(0.731062, abs=1e-6)
    assert {
        name: ac1[name]
        for name in ("title", "n", "of", "raters", "rater_names", "q", "categories", "declared",
                     "source", "insufficient", "version", "unit", "report")
    } == {
        "title": "Gwet's AC1", "n": "25", "of": "25", "raters": "2",
        "rater_names": '["ann", "bob"]', "q": "3",
        "categories": '["accepted", "needs_fix", "rejected"]', "declared": "true",
        "source": "Gwet 2008", "insufficient": "false", "version": __version__, "unit": "card",
        "report": "Agreement on verdicts",
    }  # fmt: skip
    assert "units with two or more ratings" in ac1["missing"]
    assert ac1["interval_method"]
    (observed,) = (
        each for each in rows if each["part"] == "collapse:accepted"
        if each["figure"] == "observed"
    )  # fmt: skip
    assert (observed["value"], observed["agree"], observed["n"]) == ("0.8", "20", "25")
    assert observed["interval_method"] == "wilson"


def test_no_figure_is_left_out(five: AgreementReport, study: AgreementReport) -> None:
    """Pairs, shares, leaving one out, categories, differences, consistency and time have rows."""
    measured = five.parts[0].measured
    rows = rows_of(five)
    by_figure: dict[str, int] = {}
    for row in rows:
        by_figure[row["figure"]] = by_figure.get(row["figure"], 0) + 1
    assert by_figure["pair_observed"] == by_figure["pair_kappa"] == 10
    assert by_figure["rater_share"] == 5 * 3
    assert by_figure["without_rater:alpha"] == 5
    assert by_figure["category_agreement"] == by_figure["category_share"] == 3
    assert by_figure["light"] == 1
    assert all(by_figure[each.name] == 1 for each in measured.estimates)
    kinds = [each["kind"] for each in rows_of(study)]
    assert [kinds.count(each) for each in ("difference", "consistency", "time")] == [1, 1, 2]
    (differs,) = (each for each in rows_of(study) if each["kind"] == "difference")
    assert differs["about"] == '["round:2", "round:1"]'
    assert (differs["n"], differs["interval_over"]) == ("12", "clusters of template")


def test_every_row_of_a_part_has_its_rule_for_missing_ratings(five: AgreementReport) -> None:
    """Pairs, shares and categories rest on other ratings than the coefficients do."""
    rows = [each for each in rows_of(five) if each["part"]]
    assert all(each["missing"] and each["categories"] and each["n"] for each in rows)
    (pair, *_) = (each for each in rows if each["figure"] == "pair_kappa")
    assert pair["missing"] == "only units that both raters rated"
    assert pair["insufficient"] == ("true" if int(pair["n"]) < 25 else "false")


def test_what_stands_beside_every_figure_is_in_every_row(study: AgreementReport) -> None:
    """A row cut out of the table still says that the labels were opened early."""
    notices = ("Opened early by the lead on 2026-01-01: =1+1", "Not locked yet: second.")
    rows = read(csv_text(replace(study, notices=notices)))
    assert {each["notices"] for each in rows} == {json.dumps(notices)}
    assert {each["notices"] for each in read(csv_text(replace(study, notices=())))} == {""}


def test_leaving_one_out_names_those_that_stay(five: AgreementReport) -> None:
    """The figure without a rater does not carry that rater's name as one of its own."""
    row = next(each for each in rows_of(five) if each["figure"] == "without_rater:alpha")
    assert row["about"] == "ann"
    assert json.loads(row["rater_names"]) == ["بشرى", "cy", "dee", "eve"]
    assert row["raters"] == "4"


def test_every_row_has_every_column(study: AgreementReport, nothing: AgreementReport) -> None:
    """The table is rectangular, and no cell is a NaN."""
    for report in (study, nothing):
        for row in rows_of(report):
            assert list(row) == list(COLUMNS)
            assert "nan" not in {each.lower() for each in row.values()}
            assert row["value"] or row["why"]


def test_undefined_rows_have_their_reason(study: AgreementReport) -> None:
    """An empty value never stands without a sentence."""
    (kappa,) = (
        each for each in rows_of(study)
        if each["part"] == "check:fields" and each["figure"] == "kappa"
    )  # fmt: skip
    assert kappa["value"] == ""
    assert kappa["why"] == "both raters used only the category yes"


def test_csv_round_trips_any_text(broader: AgreementReport) -> None:
    """Commas, quotes, line ends and Arabic in a title come back as they were."""
    title = 'a "b", c\r\nد'
    (row, *_) = read(csv_text(replace(broader, title=title)))
    assert row["report"] == title


def test_excel_opens_it_as_utf8_and_runs_nothing(broader: AgreementReport) -> None:
    """The mark is there, a title like a formula is text, a number stays one, and it round-trips."""
    report = replace(broader, title="=HYPERLINK(1)", over_time=(Point("-1 to 5", 1, 2, None),))
    raw = csv_for_excel(report)
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = read(raw.decode("utf-8-sig"))
    assert {each["report"] for each in rows} == {"'=HYPERLINK(1)"}
    assert rows[-1]["about"] == "'-1 to 5"
    plain = read(csv_text(report))
    for guarded, exact in zip(rows, plain, strict=True):
        assert {name: cell.removeprefix("'") for name, cell in guarded.items()} == exact


def test_negative_numbers_are_not_guarded(paradox: AgreementReport) -> None:
    """A kappa below zero is a number in Excel and no text."""
    rows = read(csv_for_excel(paradox).decode("utf-8-sig"))
    kappa = next(each for each in rows if each["figure"] == "kappa")
    assert float(kappa["value"]) < 0
    assert float(kappa["low"]) < 0


def test_a_rater_without_ratings_has_no_share(five: AgreementReport) -> None:
    """A share of nothing is a sentence in the table too."""
    whole = five.parts[0]
    empty = (RaterShare("ann", 0, (0, 0, 0)),)
    report = replace(five, parts=(replace(whole, measured=replace(whole.measured, shares=empty)),))
    rows = [each for each in rows_of(report) if each["figure"] == "rater_share"]
    assert {(each["value"], each["why"]) for each in rows} == {("", "the rater gave no rating")}
