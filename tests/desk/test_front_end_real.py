"""The card in a real browser before a real session on the demo bank."""

from __future__ import annotations

from typing import Any

import pytest

from reviewkit.decisions import FileLedger
from reviewkit.desk.session import Session
from reviewkit.rulings import RulingsLog
from reviewkit.study import Walk
from reviewkit.workspace import Workspace
from tests.desk.harness.play import ORIGIN, serve

RATER = "first-reviewer"
HIDDEN = "[...document.querySelectorAll('.rk-hidden')].map(each => each.dataset.name)"
MARKED = "document.querySelectorAll('.rk-mark.rk-stray, .rk-hidden').length"


def sit(page: Any, ws: Workspace) -> None:
    """Open the card before a fresh session, as a new kernel would."""
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page)
    session = Session(Walk(ws, "demo", RATER, origin="lab"), log)
    page.expose_function("toPython", session.receive)
    page.route(f"{ORIGIN}/**", serve)
    page.goto(f"{ORIGIN}/real.html")
    page.wait_for_selector(".rk-title")


@pytest.mark.browser
def test_a_whole_pass_is_walked_and_locked_by_keyboard(browser: Any, demo: Workspace) -> None:
    """Keys y and Enter alone walk 25 cards onto the disk, and the lock seals the pass."""
    context = browser.new_context(viewport={"width": 1240, "height": 760})
    page = context.new_page()
    page.set_default_timeout(5_000)
    sit(page, demo)
    marked = 0
    for _ in range(25):
        title = page.inner_text(".rk-title")
        marked += page.evaluate(MARKED)
        hidden = page.evaluate(HIDDEN)
        # the legend shows a name that stands on this card
        assert page.locator(".rk-hidden-sample").all_inner_texts() == hidden[:1]
        for _check in range(page.locator("[role=radiogroup]").count()):
            page.keyboard.press("y")
        page.wait_for_selector("[data-tone=accepted]")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "before => document.querySelector('.rk-title').textContent !== before", arg=title
        )
    assert marked > 0
    page.get_by_role("button", name="Lock the pass…").click()
    page.get_by_role("button", name="Lock for good").click()
    page.wait_for_selector(".rk-panel-locked")
    context.close()
    records = FileLedger(demo.ledger("demo", "first", RATER), "ledger").records()
    assert sum(record.kind == "decision" for record in records) == 25
    assert records[-1].kind == "lock"


@pytest.mark.browser
def test_a_ruling_language_and_draft_hold_before_a_real_session(
    browser: Any, demo: Workspace
) -> None:
    """Answers survive a language change and a filed ruling, and a new kernel shows the draft."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(5_000)
    sit(page, demo)
    page.keyboard.press("n")
    page.keyboard.press("m")
    page.keyboard.type("The last letter differs.")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    page.wait_for_selector(".rk-root[dir=rtl]")
    page.keyboard.press("1")
    page.keyboard.press("r")
    page.keyboard.type("Compare letter by letter.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".rk-ruling:has-text('R-001')")
    assert page.input_value("textarea.rk-note") == "The last letter differs."
    page.wait_for_function("sessionStorage.getItem('reviewkit.pending') === null")
    refused = page.evaluate("log.filter(each => each.kind === 'refused').map(each => each.text)")
    assert refused == []
    tab = page.evaluate("sessionStorage.getItem('reviewkit.tab')")
    page.close()
    again = context.new_page()
    again.set_default_timeout(5_000)
    again.add_init_script(
        f"sessionStorage.setItem('reviewkit.tab', '{tab}');"
        "sessionStorage.setItem('reviewkit.tab.left', '1')"
    )
    sit(again, demo)
    assert again.input_value("textarea.rk-note") == "The last letter differs."
    assert again.locator("[role=radio][aria-checked=true]").count() == 1
    context.close()
