"""The kind of defect on the card: shown when a check fails, chosen by key or mouse, kept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.harness.play import Open, focused_check, last_draft, press, sent, shows

pytestmark = pytest.mark.browser

LIST = "[data-check={check}] select.rk-defect-list"


def _list(page: Any, check: str) -> Any:
    return page.locator(LIST.format(check=check))


def test_a_failed_check_shows_what_it_suggests(open_card: Open) -> None:
    """The list stands beside a failed check alone, with the suggestion chosen and what mends it."""
    page = open_card()
    assert page.locator(".rk-defect:visible").count() == 0
    press(page, "nn")
    assert page.locator(".rk-defect:visible").count() == 2
    first, second = _list(page, "one_variable"), _list(page, "gradable")
    assert first.input_value() == "undeclared-difference"
    assert first.evaluate("list => list.title").startswith("The versions differ")
    assert (
        page.locator("[data-check=one_variable] .rk-defect-fix")
        .inner_text()
        .startswith("mechanical")
    )
    # a check that suggests nothing names nothing, and only that one may be left so
    assert second.input_value() == ""
    assert first.locator("option").count() == 3
    assert second.locator("option").count() == 4
    assert last_draft(page)["defects"] == {}
    page.locator("[data-check=one_variable] .rk-choice-yes").click()
    assert page.locator(".rk-defect:visible").count() == 1


def test_the_keys_reach_the_list_and_leave_it(open_card: Open) -> None:
    """After n the key d goes to the check just failed; Enter goes on where the eyes were."""
    page = open_card()
    press(page, "nd")
    assert page.evaluate("document.activeElement.matches('select.rk-defect-list')")
    assert focused_check(page) == "one_variable"
    page.keyboard.press("ArrowDown")
    assert _list(page, "one_variable").input_value() == "hidden-character"
    press(page, "y")  # a letter in the list answers nothing
    assert last_draft(page)["answers"] == {"one_variable": "no"}
    page.keyboard.press("Enter")
    assert sent(page, "submit") == []
    assert focused_check(page) == "gradable"
    press(page, "y")
    assert last_draft(page)["defects"] == {"one_variable": "hidden-character"}
    press(page, "d")
    page.keyboard.press("Escape")
    assert focused_check(page) == "one_variable"
    press(page, "j")
    shows(page, "DEMO-T2-003")
    press(page, "d")  # nothing failed here: the key does nothing
    assert focused_check(page) == "no_cue"


def test_a_choice_is_submitted_and_comes_back(open_card: Open) -> None:
    """Ctrl+Enter inside the list records it; the card opens with it again, in every language."""
    page = open_card()
    press(page, "nyyyyy")
    page.wait_for_selector(".rk-note-box[data-missing]")
    press(page, "m")
    page.keyboard.type("a mark")
    page.keyboard.press("Escape")
    press(page, "d")
    page.keyboard.press("p")  # the list's own search by letter
    page.keyboard.press("Control+Enter")
    shows(page, "DEMO-T2-003")
    (submit,) = sent(page, "submit")
    assert submit["defects"] == {"one_variable": "placeholder-value"}
    press(page, "k")
    shows(page, "DEMO-T1-007")
    assert _list(page, "one_variable").input_value() == "placeholder-value"
    page.keyboard.press("l")
    page.wait_for_selector(".rk-root[dir=rtl] .rk-defect-list")
    assert _list(page, "one_variable").input_value() == "placeholder-value"
    assert page.locator("[data-check=one_variable] .rk-defect-fix").inner_text() == (
        "تأليف: بنود جديدة"
    )


def test_a_choice_survives_a_check_that_is_taken_back_and_failed_again(open_card: Open) -> None:
    """Only failed checks send a family; what was chosen is not lost by a change of mind."""
    page = open_card()
    press(page, "n")
    _list(page, "one_variable").select_option("hidden-character")
    assert last_draft(page)["defects"] == {"one_variable": "hidden-character"}
    page.locator("[data-check=one_variable] .rk-choice-yes").click()
    assert last_draft(page)["defects"] == {}
    page.locator("[data-check=one_variable] .rk-choice-no").click()
    assert last_draft(page)["defects"] == {"one_variable": "hidden-character"}


def test_a_locked_pass_shows_the_family_and_takes_no_other(open_card: Open) -> None:
    """The list of a sealed card is there to be read."""
    page = open_card("locked")
    page.evaluate(
        "model.drafts.set(model.cards[0].card_id, { answers: { one_variable: 'no' }, note: 'x',"
        " defects: { one_variable: 'hidden-character' } }); model.reply(model.page())"
    )
    page.wait_for_selector(".rk-defect-list")
    assert _list(page, "one_variable").is_disabled()
    assert _list(page, "one_variable").input_value() == "hidden-character"
