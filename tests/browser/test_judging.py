"""Judging at the real served page: what can be recorded, and what cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reviewkit.workspace import Workspace
from tests.browser.places import link_of, records
from tests.browser.reader import FORGE, Reader
from tests.serving.served import Server

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

MARKUP = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script><b>&amp;</b>"
SPEAKS_ARABIC = "try { localStorage.setItem('reviewkit.language', 'ar') } catch {}"


@contextmanager
def edited(path: Path, old: str, new: str) -> Iterator[None]:
    """Save an edit of a file as an editor does, and take it back afterwards."""
    before = path.read_text(encoding="utf-8")
    assert old in before
    path.write_text(before.replace(old, new), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def test_all_cards_are_walked_in_arabic_with_the_keyboard_and_locked(
    sit: Callable[..., Reader], served: Server, place: Workspace, rater: str
) -> None:
    """25 groups by keys alone, every verdict on disk; after the lock the page only reads."""
    reader = sit()
    reader.context.add_init_script(SPEAKS_ARABIC)
    reader.open(link_of(served, rater))
    walked: list[str] = []
    expected: dict[str, str] = {}
    while len(walked) < 25:
        card_id = reader.card
        reader.shows(card_id)
        walked.append(card_id)
        failing = reader.checks()[:1] if len(walked) % 4 == 0 else []
        reader.answer(*failing, note="خلل في الصياغة" if failing else "")
        expected[card_id] = "needs_fix" if failing else "accepted"
        reader.page.wait_for_selector("[data-tone=needs_fix], [data-tone=accepted]")
        reader.save()
        reader.leaves(card_id)
    assert reader.page.get_attribute(".rk-root", "dir") == "rtl"
    assert walked == sorted(walked)
    assert len(set(walked)) == 25
    decided = {each["card_id"]: each["verdict"] for each in records(place, rater, "decision")}
    assert len(records(place, rater, "decision")) == 25
    # a check that rejects turns "needs fix" into "rejected": the form says so, not the page
    assert {c for c, v in decided.items() if v == "accepted"} == {
        c for c, v in expected.items() if v == "accepted"
    }
    assert set(decided.values()) <= {"accepted", "needs_fix", "rejected"}

    reader.sees(".rk-panel-done")
    reader.page.keyboard.press("Enter")  # the Enter of one card too many locks nothing
    assert reader.page.locator("dialog[open]").count() == 0
    reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Enter")
    reader.sees("dialog[open]")
    assert records(place, rater, "lock") == []
    reader.page.keyboard.press("Tab")  # focus is on Cancel: two quick Enters seal nothing
    reader.page.keyboard.press("Enter")
    reader.sees(".rk-panel-locked")
    assert len(records(place, rater, "lock")) == 1

    reader.go_to("DEMO-T1-001")
    before = records(place, rater)
    answered = reader.answered()
    reader.press("nnes")
    reader.press("m")
    reader.page.keyboard.type("late words")
    reader.save()
    reader.page.wait_for_timeout(700)
    assert reader.answered() == answered
    assert reader.note() == ""
    assert reader.page.locator("dialog[open], .rk-save:visible").count() == 0
    assert records(place, rater) == before


def test_a_failed_check_without_a_note_is_not_recorded(
    reader: Reader, place: Workspace, rater: str
) -> None:
    """The page goes to the note and says why; with the words it is on disk as needs fix."""
    reader.answer(reader.checks()[0])
    reader.sees(".rk-note-box[data-missing]")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_function("document.activeElement.matches('textarea.rk-note')")
    assert records(place, rater, "decision") == []
    assert reader.page.inner_text(".rk-note-label") == "A note is needed because check 1 fails"
    reader.page.keyboard.type("   ")
    reader.save()
    reader.page.wait_for_timeout(500)
    assert records(place, rater, "decision") == []
    reader.page.keyboard.press("Control+a")
    reader.page.keyboard.type("the town has another name")
    reader.save()
    reader.shows("DEMO-T1-002")
    (decision,) = records(place, rater, "decision")
    assert (decision["verdict"], decision["note"]) == ("needs_fix", "the town has another name")


def test_a_contradictory_verdict_cannot_be_recorded(
    sit: Callable[..., Reader], served: Server, place: Workspace, rater: str
) -> None:
    """A page that lies about its answers gets a refusal, and the ledger stays as it was."""
    reader = sit()
    reader.context.add_init_script(FORGE)
    reader.open(link_of(served, rater))
    reader.shows("DEMO-T1-001")
    checks = reader.checks()
    reader.answer()
    reader.sees("[data-tone=accepted]")
    reader.wait_saved()
    refusals = []
    for lie in (
        {"answers": dict.fromkeys(checks, "yes") | {checks[0]: "no"}, "note": ""},
        {"answers": dict.fromkeys(checks[1:], "yes")},
        {"verdict": "accepted"},
    ):
        reader.page.evaluate("lie => { window.forged = lie; }", lie)
        reader.save()
        refusals.append(reader.sees(".rk-bar-refused").inner_text())
        assert reader.card == "DEMO-T1-001"
        assert records(place, rater, "decision") == []
        reader.page.evaluate("document.querySelector('.rk-bar-refused').hidden = true")
    assert len(set(refusals)) == 3
    reader.page.evaluate("window.forged = null")
    reader.save()
    reader.shows("DEMO-T1-002")
    assert [each["verdict"] for each in records(place, rater, "decision")] == ["accepted"]


def test_a_double_click_records_one_card(reader: Reader, place: Workspace, rater: str) -> None:
    """Two quick clicks, or a key that bounces, record one decision and answer nothing else."""
    reader.answer()
    reader.sees("[data-tone=accepted]")
    reader.page.locator(".rk-save").dblclick()
    reader.shows("DEMO-T1-002")
    assert reader.answered() == {}
    reader.answer()
    reader.sees("[data-tone=accepted]")
    for _ in range(4):
        reader.page.keyboard.press("Enter")
    reader.shows("DEMO-T1-003")
    assert reader.answered() == {}
    assert [each["card_id"] for each in records(place, rater, "decision")] == [
        "DEMO-T1-001", "DEMO-T1-002",
    ]  # fmt: skip


def test_markup_in_an_item_and_in_a_note_stays_text(
    reader: Reader, place: Workspace, rater: str
) -> None:
    """An item, a note and a ruling full of HTML and script are shown letter by letter."""
    path = place.groups / "DEMO-T4-002.yaml"
    text = next(line for line in path.read_text("utf-8").splitlines() if " text:" in line)
    with edited(path, text, f'{text.rstrip()[:-1]} {MARKUP}"'):
        reader.go_to("DEMO-T4-002")
        assert MARKUP in reader.page.inner_text(".rk-text-body")
        reader.answer(reader.checks()[0], note=MARKUP)
        reader.save()
        reader.leaves("DEMO-T4-002")
        reader.go_to("DEMO-T4-002")
        assert reader.note() == MARKUP
        reader.press("r")
        reader.sees("dialog[open]")
        reader.page.keyboard.type(MARKUP)
        reader.page.keyboard.press("Control+Enter")
        assert MARKUP in reader.sees(".rk-ruling").inner_text()
        with edited(path, MARKUP, MARKUP.replace("x", "y")):
            assert MARKUP in reader.sees(".rk-changed").inner_text()
            inside = ".rk-root :is(img, script, b:not(.rk-ruling b, .rk-option b))"
            assert reader.page.locator(inside).count() == 0
            assert reader.page.evaluate("window.hacked") is None
    (decision,) = records(place, rater, "decision")
    assert decision["note"] == MARKUP


def test_a_saved_edit_shows_on_the_card_with_what_changed(
    reader: Reader, place: Workspace, rater: str
) -> None:
    """An editor's save reaches the open card by itself: what stood there, what stands there now."""
    reader.go_to("DEMO-T1-005")
    reader.answer("one_variable", note="morning is worded twice")
    reader.save()
    reader.shows("DEMO-T1-006")
    reader.go_to("DEMO-T1-005")
    assert reader.page.locator(".rk-chip-decided").count() == 1
    with edited(place.groups / "DEMO-T1-005.yaml", "المبكر", "الباكر"):
        changed = reader.sees(".rk-changed")
        before, after = changed.locator(".rk-change-side .rk-original").all_inner_texts()
        assert "المبكر" in before
        assert "المبكر" not in after
        assert reader.page.locator(".rk-tone-stray").count() == 0
        assert reader.answered() == {}
        assert reader.note() == "morning is worded twice"
        assert reader.page.locator(".rk-chip-decided").count() == 0
        reader.answer()
        reader.save()
        reader.shows("DEMO-T1-006")
    assert len(records(place, rater, "decision")) == 2
