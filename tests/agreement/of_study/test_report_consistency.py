"""One rater against himself: repeated texts, cards of one group, and never before the lock."""

from __future__ import annotations

from typing import Any

from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.of_study.consistency import GROUPED, REPEATED
from reviewkit.agreement.of_study.report import passes_report
from reviewkit.agreement.reporting.model import AgreementReport, Consistency
from tests.agreement.of_study.study_material import checklist, coded, decided, material, one_round
from tests.agreement.passes.test_codings import SELECTION

FORM = checklist("t1", {"one_variable": "structural", "natural": "judgement"})
NONE = Settings(draws=0)


def rows(report: AgreementReport) -> dict[tuple[str, str], Consistency]:
    """Return (pass, what) -> the row."""
    return {(each.rater, each.what): each for each in report.consistency}


def selection(card: str, code: str, **more: Any) -> Any:
    """Return a coding."""
    return coded(SELECTION, card, {"selection": code}, **more)


def test_a_card_judged_again_in_a_later_round_is_repeated() -> None:
    """The same person, content and form: verdicts and checks are set side by side."""
    old = {"a": decided(FORM, "a"), "b": decided(FORM, "b"), "c": decided(FORM, "c")}
    new = {
        "a": decided(FORM, "a"),
        "b": decided(FORM, "b", ["natural"]),
        "c": decided(FORM, "c", card_digest="e" * 64),  # changed in between
    }
    other = {card: decided(FORM, card) for card in "abc"}
    report = passes_report(
        material(
            one_round(
                {"new": new, "beside": other}, "2", raters={"new": "amal", "beside": "basim"}
            ),
            [FORM],
            others=[one_round({"old": old}, "1", raters={"old": "Amal"})],
        ),
        NONE,
    )
    found = rows(report)
    assert set(found) == {("new", f"verdict, {REPEATED}"), ("new", f"check decisions, {REPEATED}")}
    verdict = found["new", f"verdict, {REPEATED}"]
    assert (verdict.agree, verdict.n, verdict.differ) == (1, 2, ("b",))
    assert verdict.interval is not None
    checks = found["new", f"check decisions, {REPEATED}"]
    assert (checks.agree, checks.n, checks.differ) == (3, 4, ("b natural",))
    assert checks.interval is None


def test_one_text_under_several_ids_is_repeated() -> None:
    """Equal texts in one table are a test of the coder, whatever their ids."""
    first = {"a": selection("a", "counter"), "b": selection("b", "neither"),
             "c": selection("c", "counter"), "d": selection("d", "counter")}  # fmt: skip
    second = {card: selection(card, "counter") for card in "abcd"}
    found = rows(
        passes_report(
            material(
                one_round({"first": first, "second": second}, codebook=SELECTION),
                texts={"a": "one", "b": "one", "c": "two", "d": "two"},
            ),
            NONE,
        )
    )
    row = found["first", f"selection, {REPEATED}"]
    assert (row.agree, row.n, row.differ) == (1, 2, ("a = b",))
    assert found["first", f"evidence, {REPEATED}"].agree == 2
    assert found["second", f"selection, {REPEATED}"].agree == 2


def test_cards_of_one_group_are_told_apart_from_repetitions() -> None:
    """Their texts differ, so the row says so; equal texts are no twins."""
    codes = {"a": "counter", "b": "neither", "c": "counter", "d": "counter", "e": "neither"}
    passes = {
        name: {card: selection(card, code) for card, code in codes.items()}
        for name in ("first", "second")
    }
    found = rows(
        passes_report(
            material(
                one_round(passes, codebook=SELECTION),
                groups={"a": "g1", "b": "g1", "c": "g2", "d": "g2", "e": ""},
                texts={card: card for card in codes},
            ),
            NONE,
        )
    )
    row = found["first", f"selection, {GROUPED}"]
    assert (row.agree, row.n, row.differ) == (1, 2, ("a = b",))
    assert ("first", f"selection, {REPEATED}") not in found


def test_nothing_is_shown_before_the_lock() -> None:
    """A pass that the lead opened early has no row, in its own round or from an earlier one."""
    passes = {
        name: {card: selection(card, "counter") for card in "ab"} for name in ("first", "second")
    }
    texts = {"a": "one", "b": "one"}
    report = passes_report(
        material(one_round(passes, codebook=SELECTION, unlocked=["second"]), texts=texts),
        NONE,
    )
    assert {each.rater for each in report.consistency} == {"first"}
    assert "How consistent second is is not shown before the lock." in report.understood
    assert "second (2 of 2 coded, not locked)" in report.understood[0]
    earlier = one_round(
        {"old": {"a": selection("a", "neither")}}, "0", codebook=SELECTION, unlocked=["old"],
        raters={"old": "rater of first"},
    )  # fmt: skip
    one = {name: {"a": selection("a", "counter")} for name in ("first", "second")}
    later = passes_report(material(one_round(one, codebook=SELECTION), others=[earlier]), NONE)
    assert later.consistency == ()
