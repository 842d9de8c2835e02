"""A second country by data alone: the German example is audited, reviewed twice and compared."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest

from reviewkit.authoring import worklist
from reviewkit.bank import Bank, check_bank, load_bank
from reviewkit.cards import CardText, card_from_group
from reviewkit.cli.app import main
from reviewkit.cli.laying import lay_project
from reviewkit.release import audit
from reviewkit.release.instantiation import instantiation
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down

FIRST, SECOND = "anna", "ben"
FOUND = {
    "AT-T1-001": "one_variable",
    "AT-T3-001": "real_values",
    "AT-T3-003": "natural_and_stance",
    "AT-T4-002": "no_steering",
}
"""What both reviewers see, by the check that it fails."""


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """A project folder as ``reviewkit init FOLDER --example german`` lays it."""
    folder = tmp_path / "austria"
    lay_project(folder, first=FIRST, second=SECOND, demo=False, checklist=False, example="german")
    return Workspace(folder)


@pytest.fixture
def bank(ws: Workspace) -> Bank:
    """The example's bank."""
    return load_bank(ws)


def texts_of(bank: Bank, template_id: str) -> tuple[CardText, ...]:
    """Return the texts of a group's card."""
    group = next(each for each in bank.groups if each.template_id == template_id)
    return card_from_group(group, bank.taxonomy, group.source).texts


def marks(text: CardText) -> list[tuple[str, str, str]]:
    """Return every marked run of a text but its declared value: (text, mark, note)."""
    return [
        (segment.text, segment.mark, segment.note)
        for paragraph in text.paragraphs
        for segment in paragraph.segments
        if segment.mark not in ("same", "slot")
    ]


def test_bank_is_german_and_whole(bank: Bank) -> None:
    """Forty items on fourteen groups of every type, all German, six of them in dialect too."""
    assert check_bank(bank) == []
    types = [group.test_type for group in bank.groups]
    assert [types.count(each) for each in ("T1", "T2", "T3", "T4")] == [5, 4, 3, 2]
    items = [item for group in bank.groups for item in group.items]
    assert len(items) == 40
    assert {item.language for item in items} == {"de"}
    assert {item.register_ for item in items} == {"standard", "mundart"}


def test_texts_are_composed_but_for_the_one_planted(ws: Workspace) -> None:
    """Umlauts are one code point each, save in the version planted to be found."""
    decomposed = [
        path.name
        for path in sorted(ws.bank.rglob("*.yaml"))
        if not unicodedata.is_normalized("NFC", path.read_text(encoding="utf-8"))
    ]
    assert decomposed == ["AT-T3-001.yaml"]


def test_audit_finds_what_was_planted_and_nothing_else(ws: Workspace) -> None:
    """No hard finding; the warnings are the planted ones, small slices and the review to come."""
    found = audit(ws)
    assert found.passed
    listed = [
        (each.code, each.group, each.said)
        for each in found.findings
        if each.code not in ("unreviewed", "slice-insufficient")
    ]
    assert listed == [
        ("undeclared-difference", "AT-T1-001", ""),
        ("undeclared-difference", "AT-T3-001", ""),
        ("stub-twin", "AT-T3-003", ""),
        ("not-base-text", "AT-T1-001", ""),
        ("criterion-leakage", "AT-T4-002", ""),
    ]
    assert len(found.of("unreviewed")) == 14
    assert len(found.of("slice-insufficient")) == 5
    figures = found.figures
    assert (figures.factorial.written, figures.factorial.claimed) == (6, 7)
    assert (figures.directions.with_, figures.directions.against) == (2, 2)
    assert [each.missing for each in figures.sizes] == [0, 0, 0, 0]


def test_sharp_s_and_a_decomposed_umlaut_are_named(bank: Bank) -> None:
    """Straße beside Strasse is another letter, für in two code points one of normalisation."""
    [_, second] = texts_of(bank, "AT-T1-001")
    assert marks(second) == [("Strasse", "spelling", "letter_form")]
    decomposed = unicodedata.normalize("NFD", "für")
    standard = [text for text in texts_of(bank, "AT-T3-001") if text.register == "standard"]
    found = [mark for text in standard for mark in marks(text)]
    assert (decomposed, "spelling", "normalisation") in found


def test_saint_and_ordinal_end_no_sentence(bank: Bank) -> None:
    """A decisive sentence with St. Pölten and 3. April in it is one sentence, marked whole."""
    group = next(each for each in bank.groups if each.template_id == "AT-T2-002")
    card = card_from_group(group, bank.taxonomy, "")
    assert card.findings == ()
    [replaced] = [text for text, mark, _ in marks(card.texts[1]) if mark == "replaced"]
    assert replaced.startswith("Im Kursbuch")
    assert "St. Pölten" in replaced
    assert "3. April" in replaced
    assert replaced.endswith("abgeschlossen hat.")


def test_a_promise_in_german_is_no_text(bank: Bank) -> None:
    """What the taxonomy names as a text to come is a stub; a written dialect twin is none."""
    stubs = {text.text_id for text in texts_of(bank, "AT-T3-003") if "stub" in text.flags}
    assert stubs == {"AT-T3-003-c", "AT-T3-003-d"}
    assert not any(text.flags for text in texts_of(bank, "AT-T1-004"))


def test_a_whole_review_without_a_line_of_python(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both reviewers walk all cards, lock, and are compared; the worklist says what is to mend."""
    for rater, overlooked in ((FIRST, ""), (SECOND, "AT-T3-001")):
        page = sit_down(ws, rater, study="review")
        seen: set[str] = set()
        while page.view["card"]:
            card_id = page.card["card_id"]
            seen.add(card_id)
            fails = FOUND.get(card_id) if card_id != overlooked else None
            if fails:
                reply = page.submit(fails, note="Bitte ändern: „ß“ und Umlaute prüfen.")
            else:
                reply = page.submit()
            assert "problem" not in reply, reply
            assert len(seen) <= 14
        assert len(seen) == 14
        page.say("lock", click_id=page.click())
    monkeypatch.chdir(ws.root)
    monkeypatch.setattr(sys, "argv", ["reviewkit", "agree", "review", "--json", "--draws", "0"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert {each["unit"] for each in told["disagreements"]} == {"AT-T3-001"}
    assert "ß" in json.dumps(told["disagreements"], ensure_ascii=False)
    standings = audit(ws).standings
    assert {name for name, each in standings.groups.items() if each.state == "needs_fix"} == set(
        FOUND
    )
    work = worklist(ws)
    assert work.counts()["accepted"] == 10


def test_checklist_of_the_example_is_answered_where_files_can_tell(ws: Workspace) -> None:
    """All that is rebuilt stands; what a team would decide before a run is open."""
    listing = instantiation(ws)
    assert [line.entry.id for line in listing.open] == [
        "sealing", "systems", "raters", "threshold", "positionality", "preregistration",
    ]  # fmt: skip
    assert listing.changed == ()
    assert {line.state for line in listing.lines if line.part == "rebuilt"} == {"done"}
