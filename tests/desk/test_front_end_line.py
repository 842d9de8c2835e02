"""What the host of a served page says of its line, on the desk: one bar, and no words lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.conftest import Open
from tests.desk.harness.play import press, sent

pytestmark = pytest.mark.browser

MAY_LEAVE = "document.dispatchEvent(new CustomEvent('reviewkit-leave', { cancelable: true }))"


def tell(page: Any, **state: object) -> None:
    """Say to the desk what the host would."""
    page.evaluate("state => model.hearLine(state)", state)


def test_a_line_that_is_away_is_said_at_once_and_comes_back(open_card: Open) -> None:
    """No four seconds of silence: the bar is there at once; what waited goes when it is back."""
    page = open_card()
    page.evaluate("model.mute = true")
    press(page, "y")
    tell(page, up=False, why="away")
    assert "keeps trying" in page.inner_text(".rk-bar-lost")
    # it would end on the browser's error page, which never comes back
    assert page.get_by_role("button", name="Reload").count() == 0
    assert page.is_disabled(".rk-save")
    drafts = len(sent(page, "draft"))
    page.wait_for_timeout(2500)
    assert len(sent(page, "draft")) == drafts, "nothing is said into a line that is away"
    page.evaluate("model.mute = false")
    tell(page, up=True)
    page.wait_for_selector(".rk-bar-lost", state="hidden")
    assert sent(page, "draft")[-1]["answers"] == sent(page, "draft")[0]["answers"]
    assert page.is_enabled("[data-check=fields] .rk-choice-yes")


@pytest.mark.parametrize(
    ("why", "words"),
    [("revoked", "no longer works"), ("gone", "started anew"), ("failed", "several times")],
)
def test_an_end_has_its_own_sentence(open_card: Open, why: str, words: str) -> None:
    """One bar, one sentence, in the words of what ended."""
    page = open_card()
    tell(page, up=False, why="away")
    tell(page, up=False, why=why)
    assert words in page.inner_text(".rk-bar-lost")
    assert page.get_by_role("button", name="Reload").is_enabled()
    assert page.locator("[role=alert]:visible").count() == 1
    press(page, "l")
    assert page.locator("[role=alert]:visible").count() == 1


def test_a_window_with_words_holds_the_new_page_back(open_card: Open) -> None:
    """An open dialog keeps its words; when it is closed the page may be loaded again."""
    page = open_card()
    assert page.evaluate(MAY_LEAVE)
    press(page, "s")
    page.wait_for_selector("dialog[open]")
    tell(page, up=False, why="gone")
    assert not page.evaluate(MAY_LEAVE)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    assert page.evaluate(MAY_LEAVE)


@pytest.mark.parametrize(("why", "words"), [("away", "keeps trying"), ("revoked", "Load it again")])
def test_a_line_that_is_lost_before_the_first_card_is_said(
    open_card: Open, why: str, words: str
) -> None:
    """Nobody's language is known yet: both are there, and the bar goes when the line is back."""
    page = open_card()
    page.evaluate(
        "() => { leave(); model.mute = true; renderAgain(document.getElementById('card')); }"
    )
    tell(page, up=False, why="away")
    tell(page, up=False, why=why)
    said = page.inner_text(".rk-bar-lost")
    assert words in said
    assert "الصفحة" in said
    assert page.locator(".rk-bar-lost").count() == 1
    if why == "away":
        page.evaluate("model.mute = false")
        tell(page, up=True)
        page.wait_for_selector(".rk-title")
        assert page.is_hidden(".rk-bar-lost")


@pytest.mark.parametrize(
    "window", [{"width": 1280, "height": 620}, {"width": 390, "height": 700}], ids=["wide", "phone"]
)
def test_the_bar_moves_nothing_under_the_finger(open_card: Open, window: dict[str, int]) -> None:
    """What is read or about to be pressed stays in its place when the bar comes, and goes."""
    page = open_card(viewport=window)
    page.locator(".rk-choice-yes").nth(3).scroll_into_view_if_needed()
    page.evaluate(
        "document.querySelectorAll('.rk-body, .rk-form').forEach(p => { p.scrollTop -= 60; })"
    )
    aim = "document.querySelectorAll('.rk-choice-yes')[2].getBoundingClientRect().top"
    before = page.evaluate(aim)
    tell(page, up=False, why="away")
    assert page.is_visible(".rk-bar-lost")
    assert abs(page.evaluate(aim) - before) <= 1
    tell(page, up=True)
    page.wait_for_selector(".rk-bar-lost", state="hidden")
    assert abs(page.evaluate(aim) - before) <= 1


def test_the_bar_stays_in_sight_of_a_page_that_is_zoomed_in(open_card: Open) -> None:
    """At 200 % the page scrolls as a whole; who reads its end still sees that the line is lost."""
    page = open_card(viewport={"width": 640, "height": 400})
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    tell(page, up=False, why="revoked")
    box = page.locator(".rk-bar-lost").bounding_box()
    assert 0 <= box["y"] < 100
