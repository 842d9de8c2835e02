"""What a served page is besides its card: its title and language, and what of it comes on paper."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.conftest import Open
from tests.desk.harness.play import press

pytestmark = pytest.mark.browser

TITLES = """document.documentElement.dataset.titles =
  JSON.stringify({ en: "Review", ar: "المراجعة" })"""


def _named(page: Any) -> list[str]:
    return page.evaluate("[document.title, document.documentElement.lang]")


def test_title_and_language_follow_the_reader(open_card: Open) -> None:
    """A screen reader speaks the page, and the tab is called, in the language that is shown."""
    page = open_card()
    page.evaluate(TITLES)
    press(page, "l")
    page.wait_for_selector(".rk-root[dir=rtl]")
    assert _named(page) == ["المراجعة", "ar"]
    press(page, "l")
    page.wait_for_selector(".rk-root[dir=ltr]")
    assert _named(page) == ["Review", "en"]


def test_a_page_of_somebody_else_keeps_its_title(open_card: Open) -> None:
    """In JupyterLab the tab and the language of the window are not ours."""
    page = open_card()
    before = _named(page)
    press(page, "l")
    page.wait_for_selector(".rk-root[dir=rtl]")
    assert _named(page) == before


@pytest.mark.parametrize("width", [720, 1280])
def test_the_whole_card_comes_on_paper(open_card: Open, width: int) -> None:
    """Nothing is cut off where the window ended, and no button is printed."""
    page = open_card(viewport={"width": width, "height": 560})
    cut = "e => e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== 'visible'"
    panes = ".rk-frame, .rk-body, .rk-texts, .rk-form"
    find = f"[...document.querySelectorAll('{panes}')].filter({cut}).length"
    assert page.evaluate(find) > 0
    page.emulate_media(media="print")
    assert page.evaluate(find) == 0
    box = page.locator(".rk-note").bounding_box()
    frame = page.locator(".rk-frame").bounding_box()
    assert box["y"] + box["height"] <= frame["y"] + frame["height"]
    assert page.locator(".rk-foot button:visible").count() == 0
    assert page.locator(".rk-verdict").is_visible()
