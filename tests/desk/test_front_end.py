"""The card in a real browser, judged with the keyboard against a played Python side."""

from __future__ import annotations

import re

import pytest

from tests.desk.harness.play import Open, focused_check, press, sent, shows

PRESS_BY_PLACE = """([code, key]) => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true }))"""
REFUSE_SUBMIT = """model.refuse = { submit: {
  text: 'The disk is full.', problems: [{ check_id: 'natural', text: 'Look again.' }] } }"""


@pytest.mark.browser
def test_a_card_is_judged_with_the_keyboard_alone(open_card: Open) -> None:
    """Focus opens on the first check, y answers and moves on, Enter records."""
    page = open_card()
    assert focused_check(page) == "one_variable"
    press(page, "y")
    assert focused_check(page) == "gradable"
    press(page, "yyyyy")
    page.wait_for_selector("[data-tone=accepted]")
    assert page.inner_text(".rk-saved").strip() == "✓ saved 14:02:07"
    page.keyboard.press("Enter")
    shows(page, "DEMO-T2-003")
    assert focused_check(page) == "no_cue"
    (submit,) = sent(page, "submit")
    assert set(submit["answers"].values()) == {"yes"}
    assert len(submit["answers"]) == 6
    assert re.fullmatch(r"[0-9a-f]{32}", submit["click_id"])
    assert submit["seconds"] > 0


@pytest.mark.browser
def test_a_failed_check_needs_a_note_before_the_card_is_recorded(open_card: Open) -> None:
    """Enter without the note goes to it, red with its sentence; Ctrl+Enter records."""
    page = open_card()
    press(page, "nyyyyy")
    page.wait_for_selector(".rk-note-box[data-missing]")
    assert page.inner_text(".rk-note-label") == "A note is needed because check 1 fails"
    page.wait_for_function("model.log.filter(m => m.kind === 'draft').length >= 2")
    page.wait_for_timeout(60)
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.matches('textarea.rk-note')")
    assert sent(page, "submit") == []
    page.keyboard.type("yn: the last letter differs")  # letters are words here, not answers
    page.wait_for_selector(".rk-note-box:not([data-missing])")
    page.keyboard.press("Control+Enter")
    shows(page, "DEMO-T2-003")
    (submit,) = sent(page, "submit")
    assert submit["note"] == "yn: the last letter differs"
    assert submit["answers"]["one_variable"] == "no"


@pytest.mark.browser
def test_enter_on_an_unfinished_card_shows_what_is_missing_and_goes_there(open_card: Open) -> None:
    """Each open check says so beside itself and focus moves to the first of them."""
    page = open_card()
    press(page, "y3y")
    page.wait_for_timeout(60)
    page.keyboard.press("6")
    page.keyboard.press("Enter")
    assert focused_check(page) == "gradable"
    assert page.locator(".rk-problem:visible").all_inner_texts() == [
        f"Answer check {n}" for n in (2, 4, 5, 6)
    ]
    press(page, "y")
    assert page.locator(".rk-problem:visible").count() == 3
    assert sent(page, "submit") == []


@pytest.mark.browser
def test_a_refusal_is_shown_and_nothing_moves(open_card: Open) -> None:
    """What Python refuses is said in the bar and beside its check, on the same card."""
    page = open_card()
    press(page, "yyyyyy")
    page.wait_for_selector("[data-tone=accepted]")
    page.evaluate(REFUSE_SUBMIT)
    page.keyboard.press("Enter")
    page.wait_for_selector(".rk-bar-refused:visible")
    assert page.inner_text(".rk-bar-refused") == "The disk is full."
    assert focused_check(page) == "natural"
    assert page.inner_text(".rk-title") == "DEMO-T1-007"
    page.evaluate("model.refuse = null")
    page.keyboard.press("Enter")
    shows(page, "DEMO-T2-003")


@pytest.mark.browser
def test_a_draft_that_finds_no_room_keeps_nobody_from_saving(open_card: Open) -> None:
    """The refusal of the last draft tells what the answers come to, so Enter saves later."""
    page = open_card()
    press(page, "yyyyy")
    page.wait_for_timeout(60)
    page.evaluate("model.full = true")
    press(page, "y")
    page.wait_for_selector(".rk-bar-refused:visible")
    page.evaluate("model.full = false")
    page.keyboard.press("Enter")
    shows(page, "DEMO-T2-003")


@pytest.mark.browser
def test_keys_work_on_an_arabic_keyboard(open_card: Open) -> None:
    """The place of the key counts when its letter is Arabic."""
    page = open_card(language="ar")
    for code, letter in (("KeyY", "غ"), ("KeyN", "ى"), ("Digit5", "٥"), ("KeyN", "ى")):
        page.evaluate(PRESS_BY_PLACE, [code, letter])
    page.wait_for_function(
        "model.log.filter(m => m.kind === 'draft').some(m => m.answers.dialect_same)"
    )
    last = sent(page, "draft")[-1]["answers"]
    assert last == {"one_variable": "yes", "gradable": "no", "dialect_same": "no"}
    assert page.get_attribute(".rk-root", "dir") == "rtl"
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.rk-texts')).borderLeftWidth")
        != "0px"
    )


@pytest.mark.browser
def test_no_key_escapes_the_card_and_none_is_heard_outside_it(open_card: Open) -> None:
    """The host hears nothing typed on the card, and the card nothing typed elsewhere."""
    page = open_card()
    page.evaluate("window.heard = []; document.addEventListener('keydown', e => heard.push(e.key))")
    press(page, "ynm")
    page.keyboard.type("a")
    page.keyboard.press("Escape")
    assert page.evaluate("heard") == []
    assert focused_check(page) != ""
    assert page.get_attribute(".rk-root", "data-lm-suppress-shortcuts") == "true"
    page.evaluate("document.activeElement.blur()")
    drafts = len(sent(page, "draft"))
    press(page, "y")
    assert page.evaluate("heard") == ["y"]
    assert len(sent(page, "draft")) == drafts


@pytest.mark.browser
def test_back_next_skip_escalate_and_language_have_keys(open_card: Open) -> None:
    """k, j, s, e and l do what their controls do, and a skip asks no explanation."""
    page = open_card()
    press(page, "j")
    shows(page, "DEMO-T2-003")
    press(page, "k")
    shows(page, "DEMO-T1-007")
    press(page, "n")
    page.wait_for_selector(".rk-escalate:visible")
    press(page, "e")
    page.wait_for_selector("[data-tone=rejected]")
    assert page.get_attribute(".rk-escalate", "aria-pressed") == "true"
    press(page, "e")
    page.wait_for_selector("[data-tone=needs_fix]")
    press(page, "l")
    page.wait_for_selector(".rk-root[dir=rtl]")
    assert page.get_attribute("[data-check=one_variable]", "data-answer") == "no"
    press(page, "l")
    page.wait_for_selector(".rk-root[dir=ltr]")
    press(page, "s")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Enter")
    shows(page, "DEMO-T2-003")
    (skip,) = sent(page, "skip")
    assert skip["reason"] == ""


@pytest.mark.browser
def test_a_ruling_is_filed_from_the_keyboard_and_appears_beside_its_check(open_card: Open) -> None:
    """The focused check is preselected; closing keeps the words, filing the answers."""
    page = open_card()
    press(page, "y3r")
    page.keyboard.type("Name both towns.")
    page.keyboard.press("Escape")
    assert focused_check(page) == "no_bait"
    press(page, "r")
    assert page.input_value("dialog textarea") == "Name both towns."
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("[data-check=no_bait] .rk-ruling:has-text('R-009')")
    (ruling,) = sent(page, "ruling")
    assert ruling["checks"] == ["no_bait"]
    assert (ruling["type"], ruling["supersedes"]) == ("ruling", "")
    assert page.get_attribute("[data-check=one_variable]", "data-answer") == "yes"
    assert page.locator("dialog").count() == 0


@pytest.mark.browser
def test_the_pass_is_locked_only_after_a_confirmation(open_card: Open) -> None:
    """The lock button opens a question; only its answer sends the lock."""
    page = open_card("done")
    page.get_by_role("button", name="Lock the pass…").click()
    assert sent(page, "lock") == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Lock the pass…").click()
    page.get_by_role("button", name="Lock for good").click()
    page.wait_for_selector(".rk-panel-locked")
    assert len(sent(page, "lock")) == 1


@pytest.mark.browser
def test_the_list_of_two_thousand_cards_opens_filters_and_is_walked(open_card: Open) -> None:
    """The list is built when it opens, is searched while typing, and Enter goes to the card."""
    page = open_card("many")
    assert page.locator(".rk-card-link").count() == 0
    press(page, "/")
    assert page.locator(".rk-card-link").count() == 2000
    page.keyboard.type("0777")
    assert page.locator(".rk-card-link:visible").all_inner_texts()[0].startswith("DEMO-T2-0777")
    page.keyboard.press("Enter")
    page.wait_for_function("model.log.some(m => m.kind === 'go')")
    assert sent(page, "go")[0]["to"] == "DEMO-T2-0777"
    assert page.locator("dialog").count() == 0
