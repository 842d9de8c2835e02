"""Threat: a line of a ledger is dropped."""

from __future__ import annotations

import json

import pytest

from reviewkit.decisions import LedgerBroken, lock_details, pass_state, verify_ledger


@pytest.mark.parametrize("line", [1, 2])
def test_a_line_dropped_from_the_middle(path, reopened, judged, line):
    """A dropped line is named by the place where the numbers no longer fit."""
    lines = path.read_bytes().splitlines(keepends=True)
    del lines[line - 1]
    path.write_bytes(b"".join(lines))
    with pytest.raises(
        LedgerBroken, match=rf":{line}: the line holds record {line + 1}, not {line}"
    ):
        reopened().append(judged(4))
    assert path.read_bytes() == b"".join(lines)


def test_the_last_line_dropped_under_a_running_desk(path, reopened, judged):
    """The process that was told that a record is safe notices when it goes away."""
    desk = reopened()
    desk.append(judged(4))
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(LedgerBroken, match=r":4: record 4, which was safely on the disk, is gone"):
        desk.append(judged(5))


def test_a_decision_dropped_before_the_lock(path, reopened, judged, forge):
    """From the lock on a dropped decision shows, however well the file is forged."""
    ledger = reopened()
    details = lock_details(pass_state(ledger.records()).judged)
    lock = {"kind": "lock", "asked": (), "answers": {}, "verdict": None, "details": details}
    ledger.append(judged(4).model_copy(update=lock))
    given_out = verify_ledger(path).locks[0].digest
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    del lines[1]
    path.write_bytes(forge(lines))
    with pytest.raises(LedgerBroken, match=r":3: the lock does not fit the decisions it seals"):
        reopened().records()
    # A forger who corrects the lock as well is left with another digest than was given out.
    path.write_bytes(forge(lines[:2]))
    lines[2]["details"] = lock_details(pass_state(reopened().records()).judged)
    path.write_bytes(forge(lines))
    assert verify_ledger(path).sound
    assert verify_ledger(path).locks[0].digest != given_out
