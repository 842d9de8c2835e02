"""What reaches a desk although it is not its rater's, or is only half a character."""

from __future__ import annotations

import shutil

from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down

FIRST, SECOND = "first-reviewer", "second-reviewer"


def test_what_another_person_typed_in_the_same_tab_is_not_taken_in(demo: Workspace) -> None:
    """A tab that had the first link keeps its unsaved words; the second desk leaves them alone."""
    card = sit_down(demo, FIRST).card
    pending = {
        "whose": f"demo/first/{FIRST}", "card_id": card["card_id"],
        "card_digest": card["card_digest"], "answers": {card["questions"][0]["id"]: "no"},
        "note": "words of the first", "escalated": False, "typed_at": 1.0,
    }  # fmt: skip
    other = sit_down(demo, SECOND, pending=pending)
    assert other.card["draft"] == {
        "answers": {}, "note": "", "escalated": False, "defects": {},
    }  # fmt: skip
    assert not demo.ledger("demo", "second", SECOND).with_suffix(".draft.json").exists()


def test_half_an_emoji_is_kept_and_recorded(demo: Workspace) -> None:
    """A lone surrogate, as a keyboard leaves it for a moment, neither stops a draft nor a save."""
    page = sit_down(demo, FIRST)
    check = page.card["questions"][0]["id"]
    assert page.draft({check: "no"}, "half \ud83d")["kind"] == "outcome"
    assert page.submit(check, note="half \ud83d")["kind"] == "recorded"


def test_another_raters_ledger_in_place_of_mine_is_not_shown(demo: Workspace) -> None:
    """A ledger copied over another opens nothing: the page says what is wrong and shows no card."""
    other = sit_down(demo, SECOND)
    other.submit(other.card["questions"][0]["id"], note="words of the second")
    mine = demo.ledger("demo", "first", FIRST)
    mine.parent.mkdir()
    shutil.copy(demo.ledger("demo", "second", SECOND), mine)
    page = sit_down(demo, FIRST)
    assert page.view["state"] == "nobody"
    assert f"the ledger is of demo/first/{FIRST}" in page.view["message"]
    assert "words of the second" not in str(page.heard)


def test_a_writer_mark_nested_too_deep_is_no_mark(demo: Workspace) -> None:
    """A mark that cannot be read is free."""
    mark = demo.ledger("demo", "first", FIRST).with_suffix(".writer.json")
    mark.parent.mkdir()
    mark.write_text("[" * 100_000, encoding="utf-8")
    assert sit_down(demo, FIRST).view["state"] == "writing"


def test_pins_nested_too_deep_are_named(demo: Workspace) -> None:
    """Pins that cannot be read are a sentence and not a bug."""
    demo.pins("demo", "1").write_text("[" * 100_000, encoding="utf-8")
    page = sit_down(demo, FIRST)
    assert "the pins of the round cannot be read" in page.view["message"]
