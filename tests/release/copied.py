"""A folder with ledgers to copy, an empty database, and who writes one more record."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.decisions import Drafts, Entry, store_of
from reviewkit.study.ledgers import lead_ledger_of, ledger_of
from reviewkit.workspace import Workspace

CARD = "a" * 64
DRAFTS = "rulings/demo/first/amal.draft.json"


def skip(number: int, rater: str = "amal", pass_: str = "first") -> Entry:
    """Return an entry that passes over a card."""
    return Entry.model_validate(
        {
            "kind": "skip", "click_id": f"click-{rater}-{number:05d}", "study": "demo",
            "round": "1", "pass": pass_, "rater": rater, "origin": "cli",
            "card_id": f"C-{number}", "card_digest": CARD,
        }
    )  # fmt: skip


def save_draft(ws: Workspace, note: str) -> None:
    """Keep a draft of amal where the folder keeps such."""
    Drafts(DRAFTS, store_of(ws).kept).save(
        "C-9", card_digest=CARD, form_digest=CARD, answers={}, note=note, escalated=False
    )


def lay_judged(ws: Workspace) -> Workspace:
    """Let two people and the lead write in the demo study."""
    for number in range(3):
        ledger_of(ws, "demo", "first", "amal").append(skip(number))
    ledger_of(ws, "demo", "second", "badr").append(skip(0, "badr", "second"))
    lead_ledger_of(ws, "demo").append(
        skip(0, "lead", "lead").model_copy(
            update={"kind": "unblinding", "reason": "a trial", "card_id": None, "card_digest": None}
        )
    )
    save_draft(ws, "half")
    return ws


def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database of the kind that the fixture is asked for."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'copy.db'}"
    return str(request.getfixturevalue("database_url"))
