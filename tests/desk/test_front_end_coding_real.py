"""The coding card in a real browser before real sessions: two coders, then the adjudicator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import FileLedger
from reviewkit.desk.session import Session
from reviewkit.rulings import RulingsLog
from reviewkit.study import Walk
from reviewkit.study.hearing import Hearing
from reviewkit.workspace import Workspace
from tests.desk.harness.play import ORIGIN, serve
from tests.study.coding_people import CARDS, STUDY, code, coding_study

REFUSED = "log.filter(each => each.kind === 'refused').map(each => each.text)"


def sit(page: Any, ws: Workspace, walk: Walk | Hearing) -> None:
    """Open the card before a fresh session."""
    page.set_default_timeout(5_000)
    session = Session(walk, RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page))
    page.expose_function("toPython", session.receive)
    page.route(f"{ORIGIN}/**", serve)
    page.goto(f"{ORIGIN}/real.html")
    page.wait_for_selector(".rk-code")
    page.wait_for_timeout(320)


def moved_on(page: Any, before: str) -> None:
    """Wait until another card, or the end, is on the screen."""
    page.wait_for_function(
        "before => document.querySelector('.rk-title').textContent !== before", arg=before
    )
    page.wait_for_timeout(320)


@pytest.mark.browser
def test_a_coder_walks_and_locks_a_pass_with_the_keyboard(browser: Any, tmp_path: Path) -> None:
    """A digit and Enter a card; codes, the unsure mark and a question to the lead are on disk."""
    ws = coding_study(tmp_path / "project")
    context = browser.new_context()
    page = context.new_page()
    sit(page, ws, Walk(ws, STUDY, "ada", origin="voila"))
    for number in range(len(CARDS)):
        title = page.inner_text(".rk-title")
        if number == 1:
            page.keyboard.press("u")
            page.keyboard.press("w")
            page.keyboard.type("Is this a hedge?")
            page.keyboard.press("Control+Enter")
            page.wait_for_selector(".rk-lead")
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        moved_on(page, title)
    page.get_by_role("button", name="Lock the pass…").click()
    page.get_by_role("button", name="Lock for good").click()
    page.wait_for_selector(".rk-panel-locked")
    assert page.evaluate(REFUSED) == []
    context.close()
    records = FileLedger(ws.ledger(STUDY, "first", "ada"), "ledger").records()
    codings = [record for record in records if record.kind == "decision"]
    assert [record.answers for record in codings] == [{"rationale": "D"}] * len(CARDS)
    assert [record.unsure for record in codings] == [False, True, *[False] * 4]
    assert sum(record.kind == "question" for record in records) == 1
    assert records[-1].kind == "lock"


@pytest.mark.browser
def test_an_adjudicator_labels_first_keeps_and_changes(browser: Any, tmp_path: Path) -> None:
    """One label is kept without a word, one changed with its reason, one card is excluded."""
    more = ", exclusions: [truncated, uncodable]"
    ws = coding_study(tmp_path / "project", more=more)
    code(ws, "ada", "E D N D E D")
    code(ws, "bo", "N N E D E D")
    context = browser.new_context()
    page = context.new_page()
    sit(page, ws, Hearing(ws, STUDY, "cleo", origin="voila"))
    title = page.inner_text(".rk-title")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rk-coding")
    assert page.locator(".rk-coding").count() == 2
    page.wait_for_timeout(320)
    page.keyboard.press("Enter")
    moved_on(page, title)
    title = page.inner_text(".rk-title")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rk-coding")
    page.wait_for_timeout(320)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.matches('.rk-reason-field')")
    page.keyboard.type("It only reports the saying.")
    page.keyboard.press("Control+Enter")
    moved_on(page, title)
    page.keyboard.press("x")
    page.get_by_role("radio").last.check()
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".rk-panel")
    assert page.evaluate(REFUSED) == []
    context.close()
    ledger = FileLedger(ws.ledger(STUDY, "adjudication", "cleo"), "ledger").records()
    kinds = [record.kind for record in ledger]
    assert kinds.count("first_label") == 2
    assert kinds.count("exclusion") == 1
    final = [record for record in ledger if record.kind == "adjudication"]
    assert [record.answers for record in final] == [{"rationale": "E"}, {"rationale": "N"}]
