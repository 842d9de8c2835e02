"""The adapter report: the published counts come out of two reviewers' and final labels."""

from __future__ import annotations

import json

import pytest

from reviewkit.labels import AdapterReport, Coding, FinalLabel, adapter_report

QUESTIONS = ["equivalent", "roles", "no_leakage", "natural"]
FAILED = {
    # question: cards that reviewer 1, reviewer 2 and the final label answer no
    "equivalent": (range(1), range(7), range(7)),
    "roles": (range(1), range(1), range(1)),
    "no_leakage": (range(4, 6), range(7, 15), range(7, 15)),
    "natural": (range(20, 35), range(20, 34), range(20, 35)),
}
# 6 and 17 flagged, 18 by either, 5 by both; 17 in the end, of 12 sources
FLAGGED = (range(6), [*range(5), *range(6, 18)], range(1, 18))


def _label(card: int, field: str, values: tuple[str, str, str]) -> FinalLabel:
    one, two, final = values
    source = card % 12 if card < 18 else 12 + card % 100
    codings = tuple(
        Coding(name, f"rater-{i}", "coded", value)
        for i, (name, value) in enumerate((("first", one), ("second", two)), start=1)
    )
    route = "agreed" if one == two == final else "adjudicated"
    return FinalLabel(f"a-{card:03}", f"s-{source:03}", field, final, route, codings)


def _three(card: int, noes: tuple[range, ...], no: str = "no", yes: str = "yes") -> tuple[str, ...]:
    return tuple(no if card in cards else yes for cards in noes)


@pytest.fixture
def report() -> AdapterReport:
    """Return the report on 200 adapters with the published counts."""
    labels: list[FinalLabel] = []
    for card in range(200):
        labels += [_label(card, name, _three(card, FAILED[name])) for name in QUESTIONS]
        labels.append(_label(card, "critical", _three(card, FLAGGED, "yes", "no")))
    return adapter_report(labels, questions=QUESTIONS, flag="critical")


def test_the_published_counts_are_printed(report: AdapterReport) -> None:
    """Counts per question and reviewer, the flag by either and by both, agreement and kappa."""
    counted = {one.field: [str(count) for count in one.reviewers] for one in report.questions}
    assert counted == {
        "equivalent": ["199/200 (99.5 %)", "193/200 (96.5 %)"],
        "roles": ["199/200 (99.5 %)", "199/200 (99.5 %)"],
        "no_leakage": ["198/200 (99.0 %)", "192/200 (96.0 %)"],
        "natural": ["185/200 (92.5 %)", "186/200 (93.0 %)"],
    }
    finals = [one.final.yes for one in report.questions]
    assert finals == [193, 199, 192, 185]
    assert [count.yes for count in report.flag.reviewers] == [6, 17]
    assert (report.either, report.both, str(report.flag.final)) == (18, 5, "17/200 (8.5 %)")
    text = report.as_text()
    assert "Agreement on the flag: 187/200 (93.5 %); kappa 0.409." in text
    assert "either 18/200 (9.0 %)" in " ".join(text.split())
    markdown = report.as_markdown()
    assert "| natural | 185/200 (92.5 %) | 186/200 (93.0 %) | 185/200 (92.5 %) |" in markdown


def test_the_exclusion_lists_name_items_and_sources(report: AdapterReport) -> None:
    """17 adapters, or every card of their 12 sources; each row says who flagged it and why."""
    assert len(report.items.rows) == 17
    assert len(report.sources.rows) == 12
    first = report.items.rows[0]
    assert (first["card"], first["group"], first["flagged_by"]) == (
        "a-001",
        "s-001",
        "first second",
    )
    assert (first["failed"], first["route"]) == ("equivalent", "agreed")
    source = next(row for row in report.sources.rows if row["group"] == "s-001")
    assert (source["flagged"], source["cards"]) == ("2", "a-001 a-013")
    said = report.as_json()
    assert [row["card"] for row in said["exclude_items"]] == [r["card"] for r in report.items.rows]
    assert said["flag"]["kappa"] == pytest.approx(0.4086, abs=1e-4)
    assert json.loads(json.dumps(said))["flag"]["both"] == 5


def test_cards_without_a_flag_are_named_and_in_no_count() -> None:
    """A skipped card is not compared, and a card without a final flag is on no list."""
    skipped = FinalLabel(
        "a-2", "s", "critical", "", "missing",
        (Coding("first", "rater-1", "coded", "yes"), Coding("second", "rater-2", "skipped")),
    )  # fmt: skip
    out = FinalLabel("a-3", "s", "critical", "", "excluded", (), reason="uncodable")
    report = adapter_report(
        [_label(1, "critical", ("no", "no", "no")), skipped, out], questions=[], flag="critical"
    )
    text = " ".join(report.as_text().split())
    assert "Not compared, 1: no flag from second (a-2)" in text
    assert "No final flag, 1: excluded (uncodable) (a-3)" in text
    assert "Kappa is not defined, because both sides hold only no" in text
    assert report.kappa.value is None
    assert "None." in text
    assert str(report.flag.final) == "0/1 (0.0 %)"


def test_of_three_reviewers_each_has_a_count_and_each_cards_two_are_compared() -> None:
    """With an overlap of two among three passes, the two who had the card are compared."""
    pairs = [("one", "two"), ("two", "three"), ("one", "three")]
    labels = [
        FinalLabel(
            f"a-{i}", "", "critical", "yes", "agreed",
            tuple(Coding(name, name, "coded", "yes") for name in names),
        )
        for i, names in enumerate(pairs)
    ]  # fmt: skip
    report = adapter_report(labels, questions=[], flag="critical")
    assert report.reviewers == ("one", "two", "three")
    assert [count.n for count in report.flag.reviewers] == [2, 2, 2]
    assert (report.table.n, report.both) == (3, 3)
    assert report.sources.rows == ()


def test_nothing_reviewed_is_a_report_of_nothing() -> None:
    """No label makes a report whose kappa is a sentence, and no fault."""
    report = adapter_report([], questions=["natural"], flag="critical")
    assert "because no card has both labels" in report.as_text()
    assert report.as_json()["flag"]["agreement"] is None
