"""The doors: what a rater hands in, and what becomes of it."""

from __future__ import annotations

import pytest

from reviewkit.decisions import (
    NOTE_LIMIT,
    CardChanged,
    ClickReused,
    NotReady,
    PassLocked,
    PassNotComplete,
    RecordRefused,
    effective_decisions,
    is_locked,
    lock_pass,
    open_cards,
    reopen_pass,
    skip_card,
    submit_decision,
)

CARD = "a" * 64
WHO = {"study": "demo", "round_": "1", "pass_": "first", "rater": "amal", "origin": "cli"}
FAILED = {"one_variable": "no", "same_length": "yes", "no_harm": "yes"}


@pytest.mark.parametrize(
    ("over", "verdict"),
    [
        ({}, "accepted"),
        ({"answers": FAILED, "note": "two words differ"}, "needs_fix"),
        ({"answers": FAILED, "note": "beyond repair", "escalated": True}, "rejected"),
        ({"answers": {**FAILED, "no_harm": "no"}, "note": "may hurt"}, "rejected"),
    ],
)
def test_the_verdict_is_derived(ledger, submission, form, over, verdict):
    """The record carries the derived verdict, the rule version and what it was given on."""
    record = submit_decision(ledger, **submission(**over))
    assert record.verdict == verdict
    assert record.rule_version == "1"
    assert (record.form, record.form_version, record.form_digest) == ("t1", "1", form.digest)
    assert record.asked == ("one_variable", "same_length", "no_harm")
    assert ledger.records() == (record,)


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"answers": {}}, "check one_variable is unanswered; check same_length is unanswered"),
        ({"answers": FAILED}, "a failed check needs a note"),
        ({"answers": FAILED, "note": "\u200f"}, "a failed check needs a note"),
        ({"answers": {**FAILED, "dialect_true": "yes"}, "note": "x"}, "does not apply"),
        ({"answers": {**FAILED, "colour": "yes"}, "note": "x"}, "the form has no check colour"),
        ({"answers": {**FAILED, "no_harm": "N"}, "note": "x"}, "neither yes nor no"),
        ({"escalated": True}, "nothing to escalate"),
    ],
)
def test_what_is_not_ready_is_not_recorded(ledger, submission, over, said):
    """Answers at fault raise every fault and leave no file."""
    with pytest.raises(NotReady, match=said) as raised:
        submit_decision(ledger, **submission(**over))
    assert raised.value.outcome.faults
    assert "\n" not in str(raised.value)
    assert not ledger.path.exists()


@pytest.mark.parametrize(
    "over",
    [
        {"answers": ["yes"]},
        {"answers": {"one_variable": 1}},
        {"note": None},
        {"escalated": "yes"},
        {"seconds": "long"},
        {"note": "x" * (NOTE_LIMIT + 1)},
        {"click_id": "../../etc"},
        {"click_id": 7},
        {"click_id": ["click-00000001"]},
        {"card_id": ""},
        {"rater": "a/b"},
    ],
)
def test_hostile_values_are_refused(ledger, submission, over):
    """Values of another kind than expected are refused in words; nothing is recorded."""
    with pytest.raises(RecordRefused, match=r"^not recorded: "):
        submit_decision(ledger, **submission(**over))
    assert ledger.records() == ()


@pytest.mark.parametrize("seconds", [-5, 10**9, float("nan"), float("inf")])
def test_a_strange_clock_costs_no_decision(ledger, submission, seconds):
    """Time spent is brought into a day: a closed laptop does not lose a decision."""
    record = submit_decision(ledger, **submission(seconds=seconds))
    assert 0 <= record.seconds <= 86_400


def test_a_card_changed_between_draft_and_submit(ledger, submission):
    """Answers given on other content, or on another form, are refused and nothing is recorded."""
    with pytest.raises(CardChanged, match=r"the card changed since .*the draft is kept"):
        submit_decision(ledger, **submission(current_digest="c" * 64))
    with pytest.raises(CardChanged, match="the form t1@1 changed"):
        submit_decision(ledger, **submission(form_digest="c" * 64))
    assert ledger.records() == ()


def test_a_retry_after_the_card_changed(ledger, submission):
    """A retry of what was recorded is acknowledged, though the card changed in between."""
    given = submission()
    record = submit_decision(ledger, **given)
    assert submit_decision(ledger, **{**given, "current_digest": "c" * 64}) == record
    with pytest.raises(ClickReused):
        submit_decision(ledger, **{**given, "note": "other"})


def test_a_changed_mind_is_a_new_record(ledger, submission):
    """The latest decision is in force, the earlier one stays; a skip puts it out of force."""
    submit_decision(ledger, **submission())
    second = submit_decision(ledger, **submission(answers=FAILED, note="seen now"))
    assert len(ledger.records()) == 2
    assert effective_decisions(ledger.records()) == {"DEMO-T1-001": second}
    _skip(ledger, "DEMO-T1-001", "click-skip-1")
    assert effective_decisions(ledger.records()) == {}


def _skip(ledger, card_id, click_id):
    return skip_card(
        ledger, card_id=card_id, card_digest=CARD, reason="", seconds=1, click_id=click_id, **WHO
    )


def test_locking_and_reopening(ledger, submission):
    """A pass locks when every card is judged or skipped, and only the lead's reason opens it."""
    cards = {"DEMO-T1-001": CARD, "DEMO-T1-002": CARD, "DEMO-T1-003": CARD}
    submit_decision(ledger, **submission())
    with pytest.raises(PassNotComplete, match=r"2 of 3 cards .*\(DEMO-T1-002, DEMO-T1-003\)"):
        lock_pass(ledger, cards=cards, click_id="click-lock-0", **WHO)
    submit_decision(ledger, **submission(card_id="DEMO-T1-002"))
    _skip(ledger, "DEMO-T1-003", "click-skip-1")
    lock = lock_pass(ledger, cards=cards, click_id="click-lock-1", **WHO)
    assert (lock.details["decided"], lock.details["skipped"], lock.details["cards"]) == (2, 1, 3)
    assert lock_pass(ledger, cards=cards, click_id="click-lock-1", **WHO) == lock
    with pytest.raises(PassLocked):
        lock_pass(ledger, cards=cards, click_id="click-lock-2", **WHO)
    with pytest.raises(PassLocked):
        submit_decision(ledger, **submission())
    with pytest.raises(PassLocked):
        _skip(ledger, "DEMO-T1-001", "click-skip-2")
    with pytest.raises(RecordRefused, match="needs a reason"):
        reopen_pass(ledger, reason=" ", by="lead", click_id="click-open-0", **WHO)
    for _ in range(2):
        opened = reopen_pass(ledger, reason="key moved", by="lead", click_id="click-open-1", **WHO)
    assert opened.details == {"by": "lead", "lock": lock.digest}
    assert not is_locked(ledger.records())
    submit_decision(ledger, **submission(card_id="DEMO-T1-003"))
    second = lock_pass(ledger, cards=cards, click_id="click-lock-3", **WHO)
    assert second.details["digest"] != lock.details["digest"]


def test_a_decision_on_old_content_leaves_the_card_open(ledger, submission):
    """A card that was edited after its decision must be judged again before the lock."""
    submit_decision(ledger, **submission())
    assert open_cards(ledger.records(), {"DEMO-T1-001": CARD}) == ()
    assert open_cards(ledger.records(), {"DEMO-T1-001": "c" * 64}) == ("DEMO-T1-001",)


def test_a_judgement_slips_in_while_locking(ledger, submission):
    """A lock seals also what another tab decided after the locker had last looked."""
    submit_decision(ledger, **submission())
    other = type(ledger)(ledger.path, ledger.shown)

    class Slow(type(ledger)):
        def append(self, given):
            if given.kind == "lock" and len(self.records()) == 1:
                submit_decision(other, **submission(answers=FAILED, note="late"))
            return super().append(given)

    lock = lock_pass(Slow(ledger.path), cards={"DEMO-T1-001": CARD}, click_id="click-lock-1", **WHO)
    assert lock.seq == 3
    assert lock.details["decided"] == 1
