"""The kind of defect of a failed check: where it may stand, and what it never touches."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from reviewkit.decisions import (
    Drafts,
    Entry,
    FileLedger,
    RecordRefused,
    is_locked,
    submit_decision,
)
from reviewkit.decisions.stores.file_kept import FileKept
from reviewkit.decisions.verify import verify_ledger
from tests.decisions.sql_places import ledger_at, lines_at

OLD = Path(__file__).parent / "ledger_of_version_2.jsonl"
FAILED = {"one_variable": "no", "same_length": "yes", "no_harm": "yes"}
KNOWN = frozenset({"hidden-character", "wrong-key"})
OWNER = ("demo", "first", "amal")
Maker = Callable[..., dict[str, Any]]


def test_a_defect_is_recorded_beside_the_verdict_that_it_does_not_change(
    ledger: FileLedger, submission: Maker
) -> None:
    """The same answers with and without a family have one verdict; the family is on disk."""
    over = {"answers": FAILED, "note": "a mark is hidden"}
    plain = submit_decision(ledger, **submission(**over))
    named = submit_decision(
        ledger,
        **submission(**over, defects={"one_variable": "hidden-character"}, families=KNOWN),
    )
    assert (plain.verdict, plain.defects) == (named.verdict, {})
    (_, again) = ledger_at(ledger.path).records()
    assert again.defects == {"one_variable": "hidden-character"}
    assert again.schema_version == 3


@pytest.mark.parametrize(
    ("defects", "said"),
    [
        ({"same_length": "wrong-key"}, "check same_length did not fail"),
        ({"dialect_true": "wrong-key"}, "check dialect_true did not fail"),
        ({"colour": "wrong-key"}, "check colour did not fail"),
        ({"one_variable": "of-my-own"}, "no family of defects 'of-my-own'"),
        ({"one_variable": 7}, "no family of defects '7'"),
        ({"one_variable": ""}, "no family of defects ''"),
    ],
)
def test_the_door_refuses_a_defect_that_is_none(
    ledger: FileLedger, submission: Maker, defects: dict[str, Any], said: str
) -> None:
    """A check that passed has no defect, and a family that nobody listed is not recorded."""
    given = submission(answers=FAILED, note="x", defects=defects, families=KNOWN)
    with pytest.raises(RecordRefused, match=said):
        submit_decision(ledger, **given)
    assert not ledger.path.exists()


def test_without_a_list_of_families_no_defect_passes_the_door(
    ledger: FileLedger, submission: Maker
) -> None:
    """A door that does not know the families records none."""
    given = submission(answers=FAILED, note="x", defects={"one_variable": "wrong-key"})
    with pytest.raises(RecordRefused, match="no family"):
        submit_decision(ledger, **given)


@pytest.mark.parametrize(
    "over",
    [
        {"defects": {"same_length": "wrong-key"}},
        {"defects": {"one_variable": "Wrong Key"}},
        {"defects": {"one_variable": "a" * 65}},
        {"kind": "skip", "defects": {"one_variable": "wrong-key"}},
        {"kind": "question", "reason": "why?", "defects": {"one_variable": "wrong-key"}},
        {"form_kind": "codebook", "verdict": None, "defects": {"one_variable": "wrong-key"}},
    ],
)
def test_no_record_can_hold_a_defect_of_what_did_not_fail(
    entry: Callable[..., Entry], over: dict[str, Any]
) -> None:
    """Whatever door made it, a defect stands on a failed check of a verdict or nowhere."""
    with pytest.raises(ValidationError):
        entry(**over)


def test_a_family_that_was_taken_off_the_list_stays_readable(
    ledger: FileLedger, submission: Maker
) -> None:
    """The list may change later; a ledger is read and verified without it."""
    submit_decision(
        ledger,
        **submission(
            answers=FAILED, note="x", defects={"one_variable": "once-known"},
            families={"once-known"},
        ),
    )  # fmt: skip
    assert verify_ledger(lines_at(ledger.path), ledger.shown).sound


@pytest.fixture
def old(tmp_path: Path) -> FileLedger:
    """Return a ledger that the reviewkit of before defects wrote and locked."""
    path = tmp_path / "rulings" / "demo" / "first" / "amal.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copy(OLD, path)
    return FileLedger(path, "first/amal.jsonl", owner=OWNER)


def test_records_of_version_2_are_read_and_verified(old: FileLedger) -> None:
    """Every line means what it meant, names no family, and its lock holds."""
    records = old.records()
    assert [record.schema_version for record in records] == [2, 2, 2]
    assert [record.verdict for record in records] == ["accepted", "needs_fix", None]
    assert [record.defects for record in records] == [{}, {}, {}]
    assert is_locked(records)
    assert verify_ledger(old.path, old.shown, owner=OWNER).sound


def test_a_click_repeated_over_the_upgrade_is_the_record_of_version_2(
    old: FileLedger, submission: Maker
) -> None:
    """The page of today names a family; the lost acknowledgement is given all the same."""
    second = old.records()[1]
    given = submission(
        card_id="DEMO-T1-002", answers=FAILED, note="a letter differs", click_id=second.click_id,
        defects={"one_variable": "wrong-key"}, families=KNOWN,
    )  # fmt: skip
    assert submit_decision(old, **given) == second
    assert len(old.records()) == 3


def test_a_draft_keeps_the_family_that_was_chosen(tmp_path: Path) -> None:
    """A fresh process reads it, and a draft of before is one without a choice."""
    given = {"card_digest": "a" * 64, "form_digest": "b" * 64, "note": "", "escalated": False}
    path = tmp_path / "amal.draft.json"
    first = Drafts(path.name, FileKept(tmp_path))
    first.save("X-1", answers=FAILED, defects={"one_variable": "wrong-key"}, **given)
    kept = Drafts(path.name, FileKept(tmp_path)).load("X-1")
    assert kept is not None
    assert kept.defects == {"one_variable": "wrong-key"}
    path.write_text(
        path.read_text(encoding="utf-8").replace('"defects": {"one_variable": "wrong-key"}, ', ""),
        encoding="utf-8",
    )
    before = Drafts(path.name, FileKept(tmp_path)).load("X-1")
    assert before is not None
    assert before.defects == {}
