"""Consent is withdrawn: the records stay, the labels leave, and nothing waits for the pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.decisions import FileLedger
from reviewkit.decisions.passes import PassWithdrawn
from reviewkit.study import (
    LabelsClosed,
    Walk,
    find_round,
    load_study,
    open_round,
    study_progress,
    unblind,
)
from reviewkit.study.hearing import NoCodingLeft
from reviewkit.study.opening import withdraw
from reviewkit.workspace import Workspace
from tests.study.coding_people import CARDS, STUDY, click, code, coding_study, hearing, say


def withdraw_pass(ws: Workspace, rater: str) -> None:
    """Record that a rater withdraws consent."""
    study = load_study(ws, STUDY)
    round_, each = study.find_pass(rater)
    withdraw(ws, study, round_, each, by="rater")


def test_a_withdrawn_pass_is_not_waited_for_and_not_read(tmp_path: Path) -> None:
    """The labels open without it, with a notice that names the pass and nobody."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N D R E")
    code(ws, "bo", "E . . . . .", lock=False)
    study = load_study(ws, STUDY)
    round_ = find_round(study, None)
    with pytest.raises(LabelsClosed, match="second") as closed:
        open_round(ws, study, round_)
    assert closed.value.waiting == ("second",)
    withdraw_pass(ws, "bo")
    opened = open_round(ws, study, round_)
    assert [each.pass_ for each in opened.passes] == ["first"]
    (notice,) = opened.notices
    assert notice.startswith("Pass second is left out: consent was withdrawn on ")
    assert "bo" not in notice.split()
    kinds = [r.kind for r in FileLedger(ws.ledger(STUDY, "second", "bo")).records()]
    assert kinds == ["start", "decision", "withdrawal"]


def test_the_progress_says_that_a_pass_was_withdrawn(tmp_path: Path) -> None:
    """The lead sees since when, and that nothing is awaited of it."""
    ws = coding_study(tmp_path)
    code(ws, "bo", "E N - D R E", lock=False)
    study = load_study(ws, STUDY)
    withdraw_pass(ws, "bo")
    _, second = study_progress(ws, study, CARDS)
    assert (second.state, second.seconds_left) == ("withdrawn", None)


def test_a_withdrawn_pass_takes_no_judgement(tmp_path: Path) -> None:
    """A page that is still open cannot save, skip or lock."""
    ws = coding_study(tmp_path)
    walk = Walk(ws, STUDY, "bo", origin="cli")
    walk.start(0)
    say(walk, "r1", "E")
    withdraw_pass(ws, "bo")
    with pytest.raises(PassWithdrawn, match="consent to pass second was withdrawn"):
        say(walk, "r2", "E")
    with pytest.raises(PassWithdrawn):
        walk.skip("r2", click_id=click())
    assert walk.judgements() == {}


def test_a_second_withdrawal_is_the_first_one(tmp_path: Path) -> None:
    """It is recorded once, also before the pass has begun and after a lock."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N D R E")
    study = load_study(ws, STUDY)
    for rater in ("ada", "bo"):
        round_, each = study.find_pass(rater)
        one = withdraw(ws, study, round_, each)
        assert withdraw(ws, study, round_, each, "said twice") == one
        assert one.reason == ""
    assert open_round(ws, study, find_round(study, None)).passes == ()


def test_a_replacement_takes_its_place(tmp_path: Path) -> None:
    """A pass added to the round is waited for, compared and adjudicated in its stead."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N D R E")
    code(ws, "bo", "E QE N D R N")
    withdraw_pass(ws, "bo")
    assert set(hearing(ws).card_ids) == set()
    path = ws.study_file(STUDY)
    text = path.read_text(encoding="utf-8").rstrip()
    path.write_text(f"{text}\n      - {{pass: third, rater: dina}}\n", encoding="utf-8")
    with pytest.raises(LabelsClosed, match="still open: third"):
        hearing(ws)
    code(ws, "dina", "E E N N R E")
    assert set(hearing(ws).card_ids) == {"r4"}


def test_what_was_adjudicated_stays_when_a_coder_withdraws(tmp_path: Path) -> None:
    """A label less is no changed code; another label in its place is one when it is new."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N D R E")
    code(ws, "bo", "E QE N D R N")
    sitting = hearing(ws)
    for card in ("r2", "r6"):
        say(sitting, card, "E")
        say(sitting, card, "E")
    withdraw_pass(ws, "bo")
    assert sitting.statuses() == dict.fromkeys(sitting.card_ids, "coded")
    assert set(sitting.card_ids) == {"r2", "r6"}
    assert len(sitting.codings("r2")) == 1
    path = ws.study_file(STUDY)
    text = path.read_text(encoding="utf-8").rstrip()
    path.write_text(f"{text}\n      - {{pass: third, rater: dina}}\n", encoding="utf-8")
    code(ws, "dina", "E QE N D R D")
    assert hearing(ws).statuses() == {"r2": "coded", "r6": "changed"}


def test_with_nobody_left_nothing_is_settled(tmp_path: Path) -> None:
    """A card whose coders have all withdrawn cannot be adjudicated anew."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N D R E")
    code(ws, "bo", "E QE N D R N")
    sitting = hearing(ws)
    say(sitting, "r2", "E")
    for rater in ("ada", "bo"):
        withdraw_pass(ws, rater)
    with pytest.raises(NoCodingLeft, match="ask the lead"):
        say(sitting, "r2", "E")
    assert hearing(ws).card_ids == ("r2",)


def test_an_early_opening_does_not_list_it_as_open(tmp_path: Path) -> None:
    """What is not locked yet is named without the pass that will never be."""
    ws = coding_study(tmp_path)
    study = load_study(ws, STUDY)
    round_ = find_round(study, None)
    withdraw_pass(ws, "bo")
    unblind(ws, study, round_, "a look at the first cards")
    assert "Not locked yet: first." in open_round(ws, study, round_).notices
