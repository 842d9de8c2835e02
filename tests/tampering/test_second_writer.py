"""Threat: something else writes to a ledger, past the lock and the chain."""

from __future__ import annotations

import shutil

import pytest

from reviewkit.decisions import FileLedger, LedgerBroken


def test_a_line_from_another_program(path, reopened, judged):
    """A line that another program added stops a running desk and a new one alike."""
    desk = reopened()
    assert len(desk.records()) == 3
    with path.open("ab") as file:
        file.write(b'{"item":"T1-04","ruling":"fine"}\n')
    before = path.read_bytes()
    for ledger in (desk, reopened()):
        with pytest.raises(LedgerBroken, match=r":4: the line does not match its own digest"):
            ledger.append(judged(4))
    assert path.read_bytes() == before


def test_two_histories_merged(path, reopened, judged, tmp_path):
    """Lines of a copy that went its own way do not fit in, though each is sound by itself."""
    copy = tmp_path / "copy.jsonl"
    shutil.copy(path, copy)
    reopened().append(judged(4, note="here"))
    other = FileLedger(copy)
    other.append(judged(5, note="there"))
    other.append(judged(6, note="there"))
    tail = copy.read_bytes().splitlines(keepends=True)
    path.write_bytes(path.read_bytes() + tail[-1])
    with pytest.raises(LedgerBroken, match=r":5: the line does not follow the one before it"):
        reopened().records()
    path.write_bytes(path.read_bytes().replace(tail[-1], tail[-2]))
    with pytest.raises(LedgerBroken, match=r":5: the line holds record 4, not 5"):
        reopened().records()


def test_a_merge_conflict(path, reopened, judged):
    """The marks of a git conflict are named as the damage and not cleaned away."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"<<<<<<< HEAD\n", lines[2], b"=======\n"]))
    before = path.read_bytes()
    with pytest.raises(LedgerBroken, match=r":3: the line is not JSON"):
        reopened().append(judged(4))
    assert path.read_bytes() == before


def test_halves_of_two_writers_interleaved(path, reopened, judged):
    """Two objects glued on one line are corruption, not two records."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[1].rstrip(b"\n"), lines[2]]))
    with pytest.raises(LedgerBroken, match=r":2: the line is not JSON"):
        reopened().append(judged(4))
