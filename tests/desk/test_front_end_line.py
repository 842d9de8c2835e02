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
