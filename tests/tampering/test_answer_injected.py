"""Threat: somebody forges a whole record, digests and chain included."""

from __future__ import annotations

import json

import pytest

from reviewkit.decisions import LedgerBroken, effective_decisions, lock_details, pass_state


def _lines_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"verdict": "accepted"}, "contradicts 1 failed checks"),
        ({"note": ""}, "needs a note"),
        ({"note": "\u200c"}, "needs a note"),
        ({"answers": {}}, "answers every asked check"),
        ({"colour": "red"}, "colour"),
        ({"schema_version": 0}, "no known schema version"),
        ({"schema_version": True}, "no known schema version"),
        ({"schema_version": "1"}, "no known schema version"),
        ({"rater": "badr"}, "the ledger is of demo/first/amal"),
        ({"click_id": "click-00000001"}, "repeats click"),
    ],
)
def test_a_forged_record_must_still_be_one(*, path, reopened, judged, forge, over, said):
    """What cannot be recorded through a door cannot be read either, however well chained."""
    lines = _lines_of(path)
    lines[2] |= over
    path.write_bytes(forge(lines))
    before = path.read_bytes()
    with pytest.raises(LedgerBroken, match=rf"first/amal\.jsonl:3: .*{said}"):
        reopened().records()
    with pytest.raises(LedgerBroken):
        reopened().append(judged(4))
    assert path.read_bytes() == before


def test_an_answer_after_the_lock(path, reopened, judged, forge):
    """A judgement that was written into a locked pass is named, though its chain is right."""
    ledger = reopened()
    details = lock_details(pass_state(ledger.records()).judged)
    lock = {"kind": "lock", "asked": (), "answers": {}, "verdict": None, "details": details}
    ledger.append(judged(4).model_copy(update=lock))
    lines = _lines_of(path)
    path.write_bytes(forge([*lines, {**lines[0], "click_id": "click-00000009"}]))
    with pytest.raises(LedgerBroken, match=r":5: pass first of amal was locked at"):
        reopened().records()


def test_a_changed_answer_under_a_running_desk(path, reopened, judged, forge):
    """A re-chained file does not pass for the one this process wrote."""
    desk = reopened()
    desk.append(judged(4))
    lines = _lines_of(path)
    lines[0]["note"] = "never said"
    path.write_bytes(forge(lines))
    with pytest.raises(LedgerBroken, match=r":4: another record stands where record 4 was written"):
        effective_decisions(desk.records())
