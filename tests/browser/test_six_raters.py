"""Six people code at the same moment on one machine: nothing lost, doubled or misfiled."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from reviewkit.bank.responses import open_responses
from reviewkit.decisions import FileLedger
from reviewkit.workspace import Workspace
from tests.browser.coder import Row, seats
from tests.browser.studies import (
    chained,
    lay_studies,
    lay_study,
    lay_table,
    ledger_path,
    lines_of,
    link_for,
    run_command,
    serving,
)

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

SIX = tuple(f"six{n}" for n in range(1, 7))
STUDY = "crowd"
CARDS, EACH = 40, 20


def code_of(rater: str, card_id: str) -> str:
    """Return the code that this rater gives to the card: whoever else's would show."""
    return ("E", "QE", "N", "D", "R")[(SIX.index(rater) + crc32(card_id.encode())) % 5]


def lay_crowd(root: Path) -> Workspace:
    """Lay a study of 40 responses in which each of six people has 20 cards."""
    ws = lay_studies(root)
    rows = [
        {"id": f"C-{n:02}", "request": "Tell.", "response": f"Answer {n}: some say so. " * 6}
        for n in range(1, CARDS + 1)
    ]
    lay_table(ws, STUDY, rows)
    lay_study(ws, STUDY, "rationale@1", SIX, each_card=EACH * len(SIX) // CARDS)
    return ws


def test_six_at_once_lose_double_and_misfile_nothing(browser: Any, tmp_path: Path) -> None:
    """Six pages press at the same moment, 20 times: 120 records, each where it belongs.

    Every save that a page was told of is on disk by then, under the click that asked for it.
    """
    ws = lay_crowd(tmp_path / "project")
    with serving(ws, STUDY) as server, seats(browser) as seat:
        coders = {rater: seat() for rater in SIX}
        for rater, coder in coders.items():
            coder.open(link_for(server, rater))
        walked = {rater: list[str]() for rater in SIX}
        for turn in range(EACH):
            for rater, coder in coders.items():
                card = coder.card
                walked[rater].append(card)
                coder.press(_key(coder.rows()[0], code_of(rater, card)))
                coder.press("t")
                coder.page.keyboard.insert_text(f"{rater} on {card}")
            for coder in coders.values():
                coder.save()
            for rater, coder in coders.items():
                coder.leaves(walked[rater][-1])
                told = coder.acknowledged()
                on_disk = [each["click_id"] for each in lines_of(ws, STUDY, rater, "decision")]
                assert told == on_disk
                assert len(told) == turn + 1
        for coder in coders.values():
            coder.lock()
    _nothing_is_lost(ws, walked)


def _key(row: Row, code: str) -> str:
    return next(key for name, key in row.codes if name == code)


def _nothing_is_lost(ws: Workspace, walked: dict[str, list[str]]) -> None:
    times = Counter[str]()
    clicks: list[str] = []
    digests = open_responses(ws, STUDY).digests
    for rater in SIX:
        records = lines_of(ws, STUDY, rater)
        assert Counter(each["kind"] for each in records) == {
            "start": 1,
            "decision": EACH,
            "lock": 1,
        }
        assert chained(records)
        path = ledger_path(ws, STUDY, rater)
        assert len(FileLedger(path, str(path)).records()) == len(records)
        decisions = [each for each in records if each["kind"] == "decision"]
        assert [each["card_id"] for each in decisions] == walked[rater]
        for each in decisions:
            card = each["card_id"]
            assert (each["rater"], each["pass"]) == (rater, f"p-{rater}")
            assert each["answers"] == {"rationale": code_of(rater, card)}
            assert each["note"] == f"{rater} on {card}"
            assert each["card_digest"] == digests[card]
        times.update(walked[rater])
        clicks += [each["click_id"] for each in records]
    assert len(set(clicks)) == len(clicks)
    # each response was coded by as many people as the study file asks for
    assert len(times) == CARDS
    assert set(times.values()) == {EACH * len(SIX) // CARDS}
    assert run_command(ws, "verify", "ledger").count(" sound") == len(SIX) + 1
