"""The state of a pass as a pure function of its records."""

from __future__ import annotations

from reviewkit.decisions import (
    effective_decisions,
    effective_judgements,
    is_locked,
    lock_details,
    lock_in_force,
    pass_state,
)
from reviewkit.digests import digest_of


def test_an_empty_pass():
    """A pass without records is open and has no decision."""
    assert not is_locked(())
    assert lock_in_force(()) is None
    assert effective_decisions(()) == {}


def test_the_digest_of_a_lock(ledger, entry):
    """The digest covers card id and record digest of every decision in force, and nothing else."""
    ledger.append(entry())
    one = ledger.append(entry(note="changed mind"))
    ledger.append(entry("skip", card_id="DEMO-T1-002"))
    two = ledger.append(entry(card_id="DEMO-T1-003"))
    expected = digest_of({"DEMO-T1-001": one.digest, "DEMO-T1-003": two.digest})
    judged = effective_judgements(ledger.records())
    assert lock_details(judged) == {"digest": expected, "decided": 2, "skipped": 1}


def test_records_after_a_lock_are_not_in_force(ledger, entry):
    """Of records from any source, a judgement after the lock does not count until a reopening."""
    first = ledger.append(entry())
    judged = pass_state(ledger.records()).judged
    lock = ledger.append(entry("lock", details=lock_details(judged)))
    late = first.model_copy(update={"seq": 3, "note": "too late"})
    assert effective_decisions((first, lock, late)) == {"DEMO-T1-001": first}
    opened = ledger.append(entry("reopen", reason="a form was corrected"))
    assert effective_decisions((first, lock, opened, late)) == {"DEMO-T1-001": late}
