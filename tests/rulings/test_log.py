"""The rulings log: numbers, what is superseded, who sees what, and the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.decisions import LedgerBroken
from reviewkit.rulings import (
    Pin,
    RulingEntry,
    RulingRefused,
    RulingsLog,
    verify_rulings,
    visible_rulings,
)


@pytest.fixture
def log(tmp_path: Path) -> RulingsLog:
    """Return an empty log."""
    return RulingsLog(tmp_path / "rulings.jsonl", "rulings/rulings.jsonl", tmp_path / "RULINGS.md")


def entry(text: str, click: str, author: str = "amal", **more: object) -> RulingEntry:
    """Return a ruling to file."""
    return RulingEntry.model_validate(
        {"click_id": f"click-{click}", "type": "ruling", "text": text, "author": author, **more}
    )


def test_numbers_run_on_by_kind(log: RulingsLog) -> None:
    """Rulings and design disagreements are numbered apart, each from 001."""
    assert log.file(entry("One.", "0001")).number == "R-001"
    assert log.file(entry("Two.", "0002", type="disagreement")).number == "D-001"
    assert log.file(entry("Three.", "0003")).number == "R-002"


def test_the_same_click_is_one_ruling(log: RulingsLog) -> None:
    """A double click files once."""
    assert log.file(entry("One.", "0001")).number == log.file(entry("One.", "0001")).number
    assert len(log.all()) == 1


def test_an_empty_ruling_is_refused(log: RulingsLog) -> None:
    """A ruling of spaces and invisible characters says nothing and is not filed."""
    with pytest.raises(RulingRefused, match="no text"):
        log.file(entry(" \u200b ", "0001"))
    assert log.all() == ()


def test_only_what_exists_can_be_superseded(log: RulingsLog) -> None:
    """Superseding an unknown number is refused; a known one leaves force and stays in the log."""
    with pytest.raises(RulingRefused, match="R-009"):
        log.file(entry("New.", "0001", supersedes="R-009"))
    log.file(entry("Old.", "0002"))
    log.file(entry("New.", "0003", supersedes="R-001"))
    assert [each.number for each in visible_rulings(log.all(), None, "amal")] == ["R-002"]
    assert "superseded by R-002" in (log._page or Path()).read_text(encoding="utf-8")


def test_a_pinned_pass_sees_the_pinned_rulings_and_its_own(log: RulingsLog) -> None:
    """In a blind pass another rater's later ruling is invisible, and supersedes nothing."""
    log.file(entry("Before.", "0001", "lead"))
    log.file(entry("Mine.", "0002", "amal"))
    log.file(entry("His.", "0003", "basim", supersedes="R-001"))
    assert [each.text for each in visible_rulings(log.all(), Pin(1), "amal")] == [
        "Before.", "Mine.",
    ]  # fmt: skip
    assert [each.text for each in visible_rulings(log.all(), None, "amal")] == ["Mine.", "His."]


def test_the_page_shows_markup_as_text(log: RulingsLog) -> None:
    """A ruling full of HTML and Markdown stays a quote of plain text on the page."""
    log.file(entry("<script>alert(1)</script>\n# heading [x](y)", "0001"))
    page = (log._page or Path()).read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "\n# heading" not in page


def test_an_edited_line_is_found(log: RulingsLog, tmp_path: Path) -> None:
    """A ruling changed by hand breaks the chain, with its line named."""
    log.file(entry("One.", "0001"))
    log.file(entry("Two.", "0002"))
    path = tmp_path / "rulings.jsonl"
    path.write_bytes(path.read_bytes().replace(b"One.", b"Eno."))
    report = verify_rulings(path, "rulings/rulings.jsonl")
    assert not report.sound
    assert report.problems[0].where == "rulings/rulings.jsonl:1"
    with pytest.raises(LedgerBroken):
        RulingsLog(path, "x").all()


def test_a_name_that_a_ruling_is_about_stays_a_name(log: RulingsLog) -> None:
    """No sign in a check or an item id ends the code it stands in."""
    nasty = "x`<script>\n\n# heading"
    log.file(entry("A rule.", "0001", checks=(nasty,), item_ids=(nasty,)))
    page = (log._page or Path()).read_text(encoding="utf-8")
    assert "- governs `x<script> # heading`\n- taken on `x<script> # heading`\n" in page
