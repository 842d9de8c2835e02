"""The ledger of a pass: what is acknowledged is on the disk, and nothing is lost."""

from __future__ import annotations

import functools
import json
import os
import signal

import pytest

from reviewkit.decisions import (
    ChainedLedger,
    ClickReused,
    Entry,
    FileLedger,
    Ledger,
    LedgerBroken,
    PassLocked,
    RecordRefused,
    lock_details,
    lock_pass,
    pass_state,
    verify_ledger,
)
from tests.decisions.sql_places import ledger_at


def _again(ledger: ChainedLedger) -> ChainedLedger:
    return ledger_at(ledger.path, ledger.shown)


def _lock_entry(ledger: ChainedLedger, entry) -> Entry:
    state = pass_state(ledger.records())
    return entry("lock", card_id=None, card_digest=None, details=lock_details(state.judged))


def test_a_record_is_one_line_that_people_can_read(ledger, entry):
    """A record is one line of JSON with sorted keys, its letters unescaped, and reads back."""
    store: Ledger = ledger
    record = store.append(entry())
    raw = ledger.path.read_bytes()
    assert raw.count(b"\n") == 1
    fields = json.loads(raw)
    assert list(fields) == sorted(fields)
    assert fields["pass"] == "first"
    assert fields["note"] == "الاسم ليس الفرق الوحيد"
    assert "الاسم".encode() in raw
    assert _again(ledger).records() == (record,)


def test_two_tabs_interleave(ledger, entry):
    """Two objects on one file take turns without losing or repeating a record."""
    tabs = (ledger, _again(ledger))
    made = [tabs[turn % 2].append(entry(note=f"turn {turn}")) for turn in range(6)]
    assert [record.seq for record in made] == [1, 2, 3, 4, 5, 6]
    assert tabs[0].records() == tabs[1].records() == tuple(made)


def test_a_double_click_is_one_record(ledger, entry):
    """The same click again, from any tab and with more time spent, gives the first record."""
    given = entry()
    first = ledger.append(given)
    assert _again(ledger).append(given.model_copy(update={"seconds": 99.0})) == first
    with pytest.raises(ClickReused):
        ledger.append(given.model_copy(update={"note": "another note"}))
    assert len(ledger.records()) == 1
    assert ledger.find(given.click_id) == first
    assert ledger.find("never-clicked") is None


def test_a_record_from_elsewhere_gets_a_new_place(ledger, entry, tmp_path):
    """A record handed in as an entry keeps what it says and gets this ledger's place and time."""
    other = FileLedger(tmp_path / "other.jsonl")
    other.append(entry())
    record = other.append(entry(card_id="DEMO-T1-002"))
    taken = ledger.append(record)
    assert (record.seq, taken.seq, taken.card_id) == (2, 1, "DEMO-T1-002")


def test_unchecked_entries_are_checked(ledger, entry):
    """An entry that was built past its own checks is checked at the door."""
    sound = entry().model_dump()
    for wrong in (
        {"verdict": "accepted"},
        {"note": ""},
        {"kind": "wish"},
        {"details": {"x": object()}},
    ):
        forged = Entry.model_construct(**{**sound, **wrong})
        with pytest.raises(RecordRefused):
            ledger.append(forged)
    with pytest.raises(RecordRefused):
        ledger.append(Entry.model_construct(kind="skip"))
    with pytest.raises(RecordRefused, match=r"half a character|valid string"):
        ledger.append(Entry.model_construct(**{**sound, "note": "half \ud83d"}))
    with pytest.raises(RecordRefused):
        ledger.append(Entry.model_construct(**{**sound, "details": {"x": float("inf")}}))
    assert ledger.records() == ()


def test_another_rater_is_refused(ledger, entry):
    """A ledger takes the judgements of one rater in one pass, and acts of the lead beside them."""
    ledger.append(entry())
    for other in ({"rater": "badr"}, {"pass": "second"}, {"study": "pilot"}):
        with pytest.raises(RecordRefused, match="the ledger is of demo/first/amal"):
            ledger.append(entry(**other))
    assert ledger.append(entry("late_note", rater="lead")).seq == 2


def test_a_locked_pass_takes_no_judgement(ledger, entry):
    """After a lock every judgement is refused, a late note is taken, a reopening lifts it."""
    ledger.append(entry())
    stale = _lock_entry(ledger, entry)
    ledger.append(entry("skip", card_id="DEMO-T1-002"))
    with pytest.raises(RecordRefused, match="does not fit the decisions"):
        ledger.append(stale)
    lock = ledger.append(_lock_entry(ledger, entry))
    assert lock.details["decided"] == 1
    assert lock.details["skipped"] == 1
    before = ledger.path.read_bytes()
    for refused in (entry(), entry("skip"), _lock_entry(ledger, entry)):
        for tab in (ledger, _again(ledger)):
            with pytest.raises(PassLocked, match="ask the lead to reopen it"):
                tab.append(refused)
    assert ledger.path.read_bytes() == before
    ledger.append(entry("late_note", note="seen again, no change"))
    ledger.append(entry("reopen", reason="a form was corrected"))
    assert ledger.append(entry()).kind == "decision"
    with pytest.raises(RecordRefused, match="the pass is not locked"):
        ledger.append(entry("reopen", reason="twice"))


def test_a_recorded_click_is_acknowledged_after_the_lock(ledger, entry):
    """A retry of a click that was recorded before the lock is told so, not refused."""
    given = entry()
    first = ledger.append(given)
    ledger.append(_lock_entry(ledger, entry))
    assert _again(ledger).append(given) == first


# --- torn tails ----------------------------------------------------------------------------------


@pytest.mark.files_only
def test_a_tail_cut_inside_an_arabic_letter(ledger, entry):
    """A tail cut inside a letter is set aside and reported with its line; the next save works."""
    first = ledger.append(entry())
    ledger.append(entry())
    whole = ledger.path.read_bytes()
    cut = whole.rindex("الفرق".encode()) + 1
    ledger.path.write_bytes(whole[:cut])
    fresh = _again(ledger)
    third = fresh.append(entry(note="after the crash"))
    assert fresh.records() == (first, third)
    assert third.seq == 2
    (torn,) = fresh.torn
    assert (torn.line, torn.kept_in) == (2, "first/amal.jsonl.torn-2")
    kept = ledger.path.with_name("amal.jsonl.torn-2")
    assert kept.read_bytes() == whole[whole.index(b"\n") + 1 : cut]
    assert "first/amal.jsonl:2" in str(torn)
    report = verify_ledger(ledger.path)
    assert report.sound
    assert report.set_aside == ("amal.jsonl.torn-2",)


@pytest.mark.files_only
@pytest.mark.parametrize("missing", [2, 3, 40, 400])
def test_a_last_line_without_its_end_was_never_acknowledged(ledger, entry, missing):
    """However little is missing, the tail is set aside whole and every whole line stays."""
    first = ledger.append(entry())
    lost = ledger.append(entry())
    whole = ledger.path.read_bytes()
    ledger.path.write_bytes(whole[:-missing])
    fresh = _again(ledger)
    assert fresh.records() == (first,)
    assert fresh.recover()[0].size == len(whole) - len(whole.splitlines(True)[0]) - missing
    assert fresh.recover() == fresh.torn
    retried = fresh.append(Entry.model_validate(lost.model_dump(include=set(Entry.model_fields))))
    assert fresh.records() == (first, retried)


@pytest.mark.files_only
def test_a_whole_last_line_gets_its_newline_back(ledger, entry):
    """An editor that strips the last newline of a locked ledger does not lift the lock."""
    ledger.append(entry())
    lock_pass(
        ledger, cards={ledger.records()[0].card_id: ledger.records()[0].card_digest},
        click_id="lock-00000001", study="demo", round_="1", pass_="first", rater="amal",
        origin="cli",
    )  # fmt: skip
    whole = ledger.path.read_bytes()
    ledger.path.write_bytes(whole[:-1])
    fresh = _again(ledger)
    with pytest.raises(PassLocked):
        fresh.append(entry())
    assert ledger.path.read_bytes() == whole
    assert fresh.torn == ()


@pytest.mark.files_only
def test_torn_twice_at_one_line(ledger, entry):
    """A second torn tail at the same line gets a file of its own; no earlier one is overwritten."""
    ledger.append(entry())
    for number, tail in enumerate((b'{"first', b'{"second', b'{"second'), start=1):
        with ledger.path.open("ab") as file:
            file.write(tail)
        _again(ledger).recover()
        names = sorted(each.name for each in ledger.path.parent.glob("*.torn-*"))
        assert names == ["amal.jsonl.torn-2", "amal.jsonl.torn-2-2"][: min(number, 2)]
    assert ledger.path.with_name("amal.jsonl.torn-2").read_bytes() == b'{"first'
    assert ledger.path.with_name("amal.jsonl.torn-2-2").read_bytes() == b'{"second'


@pytest.mark.files_only
def test_only_a_torn_line(ledger, entry):
    """A file that holds nothing but a torn first line is taken up again."""
    ledger.path.parent.mkdir(parents=True)
    ledger.path.write_bytes(b'{"answers":{')
    assert ledger.append(entry()).seq == 1
    assert ledger.torn[0].line == 1


@pytest.mark.files_only
def test_a_bad_line_above_keeps_the_tail_in_place(ledger, entry):
    """When a whole line is bad nothing is changed, the torn tail included."""
    ledger.append(entry())
    with ledger.path.open("ab") as file:
        file.write(b'not a record\n{"torn')
    before = ledger.path.read_bytes()
    with pytest.raises(LedgerBroken, match=r"first/amal.jsonl:2: the line is not JSON"):
        _again(ledger).append(entry())
    assert ledger.path.read_bytes() == before
    assert not list(ledger.path.parent.glob("*.torn-*"))


STEPS = ("write", "fsync", "ftruncate", "rename")


def _die_at(step: int, moment: str) -> None:
    """Have the process killed at its ``step``-th system call that changes the disk."""
    done = 0
    real = {name: getattr(os, name) for name in STEPS}

    def wrapped(name: str):
        def call(*args, **kwargs):
            nonlocal done
            done += 1
            if done == step:
                if moment == "after":
                    real[name](*args, **kwargs)
                elif name == "write":
                    real[name](args[0], args[1][: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real[name](*args, **kwargs)

        return call

    for name in STEPS:
        setattr(os, name, wrapped(name))


@pytest.mark.files_only
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_every_step(ledger, entry, in_child, moment):
    """Killed before or after any system call of an append, no byte and no record is lost."""
    first = ledger.append(entry())
    tail = '{"note":"مقطو'.encode()[:-1]
    given = entry(note="written while dying")
    sound = ledger.path.read_bytes()

    def work(step: int) -> None:
        _die_at(step, moment)
        _again(ledger).append(given)

    step, ended = 0, -signal.SIGKILL
    while ended == -signal.SIGKILL:
        step += 1
        for old in ledger.path.parent.glob("*.torn*"):
            old.unlink()
        ledger.path.write_bytes(sound + tail)
        ended = in_child(functools.partial(work, step))
        survivor = _again(ledger)
        record = survivor.append(given)
        assert survivor.records() == (first, record)
        assert tail in [each.read_bytes() for each in ledger.path.parent.glob("*.torn-*")]
    assert ended == 0
    assert step > 8
