"""Verification reports, and never raises, what is wrong with a ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.decisions import (
    Chain,
    ChainLine,
    lock_details,
    pass_state,
    submit_decision,
    verify_chain,
    verify_ledger,
)
from tests.decisions.sql_places import lines_at


def test_a_sound_ledger(ledger, entry):
    """A sound ledger is reported with its size, its tip and its locks, also those lifted."""
    ledger.append(entry())
    judged = pass_state(ledger.records()).judged
    first = ledger.append(entry("lock", details=lock_details(judged)))
    ledger.append(entry("reopen", reason="a form was corrected"))
    second = ledger.append(entry("lock", details=lock_details(judged)))
    report = verify_ledger(lines_at(ledger.path), ledger.shown)
    assert report.sound
    assert report.locked
    assert (report.records, report.tip, report.pending) == (4, second.digest, None)
    assert [(lock.seq, lock.in_force) for lock in report.locks] == [(2, False), (4, True)]
    assert report.locks[0].record == first.digest
    assert report.locks[1].digest == lock_details(judged)["digest"]


def test_a_missing_or_empty_ledger(tmp_path: Path):
    """A missing file is a problem, an empty one is a ledger without records."""
    path = tmp_path / "amal.jsonl"
    assert "there is no such file" in str(verify_ledger(path).problems[0])
    assert "there is no such file" in str(verify_ledger(tmp_path / "no" / "amal.jsonl").problems[0])
    path.touch()
    assert verify_ledger(path).sound
    assert verify_ledger(path).records == 0


@pytest.mark.files_only
def test_a_pending_tail_is_no_fault(ledger, entry):
    """A last line without its end is reported, and verification changes nothing."""
    ledger.append(entry())
    with ledger.path.open("ab") as file:
        file.write(b'{"torn')
    before = ledger.path.read_bytes()
    report = verify_ledger(lines_at(ledger.path), ledger.shown)
    assert report.sound
    assert "first/amal.jsonl:2: the last line was cut off" in str(report.pending)
    assert ledger.path.read_bytes() == before


@pytest.mark.files_only
def test_an_unreadable_or_newer_ledger(ledger, entry, tmp_path):
    """A link and a line of a newer version are problems with what to do, not exceptions."""
    ledger.append(entry())
    link = tmp_path / "link.jsonl"
    link.symlink_to(ledger.path)
    assert "cannot be read" in str(verify_ledger(link, "link.jsonl").problems[0])
    ledger.path.write_text(
        ledger.path.read_text().replace('"schema_version":3', '"schema_version":4')
    )
    (problem,) = verify_ledger(ledger.path, ledger.shown).problems
    assert str(problem) == "first/amal.jsonl:1: written by a newer reviewkit; upgrade reviewkit"


def test_a_softened_verdict_is_found(ledger, entry, submission, form):
    """A verdict that the form does not allow is found, though its record is sound by itself."""
    submit_decision(ledger, **submission())
    for softer in (
        entry(
            form_digest=form.digest, asked=("no_harm",), answers={"no_harm": "no"}, card_id="X-2"
        ),
        entry(form_digest=form.digest, verdict="rejected", card_id="X-3"),
        entry(form_digest=form.digest, asked=("odd",), answers={"odd": "no"}, card_id="X-4"),
        entry(form_digest=form.digest, card_id="X-5"),
        entry(card_id="X-6"),
    ):
        ledger.append(softer)
    known = {form.digest: form}
    report = verify_ledger(lines_at(ledger.path), ledger.shown, known.get)
    said = [str(problem).split(";")[0] for problem in report.problems]
    assert [each[each.index("first/") :] for each in said] == [
        "first/amal.jsonl:2: the verdict is needs_fix, the answers make it rejected",
        "first/amal.jsonl:3: the verdict is rejected, the answers make it needs_fix",
        "first/amal.jsonl:4: the form t1@1 has no check odd",
    ]
    assert verify_ledger(lines_at(ledger.path)).sound


def test_any_chain_can_be_verified(tmp_path: Path):
    """The same verification serves chained files of other kinds."""
    chain = Chain(tmp_path / "log.jsonl", "log.jsonl", ChainLine)
    chain.append({"click_id": "click-00000001"})
    assert verify_chain(chain).records == 1
    chain.path.write_bytes(b"\n")
    (problem,) = verify_chain(Chain(chain.path, "log.jsonl", ChainLine)).problems
    assert str(problem).startswith("log.jsonl:1: the line is blank; put the file back")
