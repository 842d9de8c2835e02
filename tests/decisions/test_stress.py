"""Writers that are killed, crowd each other or run out of disk: what was acknowledged is there.

The seeds are fixed; how the processes interleave is up to the machine, and every outcome must hold.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewkit.decisions import (
    CannotWrite,
    Drafts,
    FileLedger,
    PassLocked,
    RecordRefused,
    lock_pass,
    submit_decision,
    verify_ledger,
)
from reviewkit.decisions.stores.file_kept import FileKept

pytestmark = [pytest.mark.stress, pytest.mark.files_only]

CARD = "a" * 64
WHO = {"study": "demo", "round_": "1", "pass_": "first", "rater": "amal", "origin": "voila"}
LETTERS = "نص عربي طويل بحروف متصلة "


def _start(work: Callable[[], None]) -> int:
    """Run ``work`` in a process of its own and return its id."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - the parent reads the exit code
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
        os._exit(0)
    return child


def _ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Acknowledged:
    """What the writers were told is safe, kept apart from the ledger under test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    def note(self, click_id: str, digest: str) -> None:
        """Add one acknowledgement."""
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        os.write(descriptor, f"{click_id} {digest}\n".encode())
        os.close(descriptor)

    def all(self) -> dict[str, str]:
        """Return the digest that was acknowledged for each click."""
        return dict(line.split() for line in self.path.read_text().splitlines())


@pytest.fixture
def acknowledged(tmp_path: Path) -> Acknowledged:
    """Return an empty list of acknowledgements."""
    return Acknowledged(tmp_path / "acknowledged")


def _must_hold(path: Path, acknowledged: Acknowledged) -> int:
    """Check the whole ledger against the acknowledgements; return the number of records."""
    report = verify_ledger(path)
    assert report.problems == ()
    records = FileLedger(path).records()
    there = {record.click_id: record.digest for record in records}
    assert len(there) == len(records)
    told = acknowledged.all()
    assert {click_id: there.get(click_id) for click_id in told} == told
    for record in records:
        writer = record.click_id.split("-")[1]
        assert record.note == "" or set(record.note) <= set(LETTERS + f"{writer}|")
    return len(records)


def test_killed_at_random(ledger, entry, acknowledged):
    """Writers killed by SIGKILL at any moment lose no acknowledged record and leave no wreck."""
    chance = random.Random(20)
    path = ledger.path

    def write(round_: int, me: int) -> None:
        mine = FileLedger(path)
        for turn in range(100_000):
            click_id = f"click-{me}-{round_:03d}-{turn:06d}"
            note = f"{me}|" + LETTERS * chance.randrange(1, 200)
            record = mine.append(entry(click_id=click_id, note=note))
            acknowledged.note(click_id, record.digest)

    for round_ in range(40):
        children = [_start(lambda r=round_, m=me: write(r, m)) for me in range(3)]
        for child in children:
            time.sleep(chance.uniform(0.005, 0.05))
            os.kill(child, signal.SIGKILL)
        assert {_ended(child) for child in children} == {-signal.SIGKILL}
        if round_ % 8 == 7:
            with path.open("ab") as file:
                file.write('{"note":"مقطوع'.encode()[: -chance.randrange(1, 6)])
    written = _must_hold(path, acknowledged)
    assert written >= len(acknowledged.all()) > 40
    last = FileLedger(path)
    last.append(entry())
    assert len(last.records()) == written + 1


def test_thousands_from_several_processes(ledger, entry, acknowledged):
    """Four processes add thousands of records, some of 5,000 letters; all are there, none mixed."""
    each = 500
    path = ledger.path

    def write(me: int) -> None:
        mine = FileLedger(path)
        for turn in range(each):
            click_id = f"click-{me}-{turn:06d}"
            note = f"{me}|" + LETTERS * (200 if turn % 10 == 0 else 1)
            record = mine.append(entry(click_id=click_id, note=note))
            acknowledged.note(click_id, record.digest)

    children = [_start(lambda m=me: write(m)) for me in range(4)]
    assert [_ended(child) for child in children] == [0, 0, 0, 0]
    assert len(acknowledged.all()) == 4 * each
    assert _must_hold(path, acknowledged) == 4 * each
    began = time.perf_counter()
    assert len(FileLedger(path).records()) == 4 * each
    assert time.perf_counter() - began < 3


def test_cuts_all_over_the_last_line(ledger, entry):
    """Cut anywhere, inside each letter of the note too, the last line is set aside."""
    first = ledger.append(entry())
    ledger.append(entry())
    whole = ledger.path.read_bytes()
    start_of_last = whole.index(b"\n") + 1
    given = entry()
    note = whole.rindex("الاسم".encode())
    cuts = {*range(start_of_last + 1, len(whole) - 1, 9), *range(note, note + 45)}
    for cut in sorted({*cuts, len(whole) - 3, len(whole) - 2}):
        ledger.path.write_bytes(whole[:cut])
        fresh = FileLedger(ledger.path, ledger.shown)
        record = fresh.append(given)
        assert fresh.records() == (first, record)
        kept = ledger.path.with_name(fresh.torn[0].kept_in.rpartition("/")[2])
        assert kept.read_bytes() == whole[start_of_last:cut]
        kept.unlink()


def test_locking_while_others_judge(ledger, submission, acknowledged):
    """A lock amid writers seals every acknowledged judgement; each writer then meets the lock."""
    path = ledger.path
    submit_decision(ledger, **submission())

    def judge(me: int) -> None:
        mine = FileLedger(path)
        for turn in range(100_000):
            click_id = f"click-{me}-{turn:06d}"
            try:
                record = submit_decision(mine, **submission(click_id=click_id, card_id=f"C-{me}"))
            except PassLocked:
                return
            acknowledged.note(click_id, record.digest)

    children = [_start(lambda m=me: judge(m)) for me in range(3)]
    time.sleep(0.3)
    lock = None
    while lock is None:
        # Refused while the others are quicker; the writers would go on for minutes.
        with contextlib.suppress(RecordRefused):
            lock = lock_pass(
                FileLedger(path), cards={"DEMO-T1-001": CARD}, click_id="lock-000001", **WHO
            )
    assert [_ended(child) for child in children] == [0, 0, 0]
    assert _must_hold(path, acknowledged) == lock.seq
    assert FileLedger(path).records()[-1] == lock


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, bool]]:
    """Return a folder on a disk of 256 kB where this account may mount one, else a plain folder."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    mounted = subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0
    yield folder, mounted
    if mounted:
        subprocess.run(["umount", str(folder)], check=True)


def test_writers_fill_the_disk(small_disk, entry, acknowledged):
    """When several writers fill a disk each is told, nothing acknowledged goes, saving resumes."""
    folder, mounted = small_disk
    path = folder / "amal.jsonl"
    ballast = folder / "ballast"
    ballast.write_bytes(b"x" * 65_536)

    def write(me: int) -> None:
        if not mounted:
            resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
        mine = FileLedger(path)
        refused = 0
        for turn in range(10_000):
            click_id = f"click-{me}-{turn:06d}"
            try:
                record = mine.append(
                    entry(click_id=click_id, note=f"{me}|" + LETTERS * (turn % 60))
                )
            except CannotWrite as error:
                if "free some room" not in str(error):
                    raise
                refused += 1
                if refused == 5:
                    return
            else:
                acknowledged.note(click_id, record.digest)
        raise AssertionError("the disk never filled")

    children = [_start(lambda m=me: write(m)) for me in range(3)]
    assert [_ended(child) for child in children] == [0, 0, 0]
    assert _must_hold(path, acknowledged) > 20
    assert verify_ledger(path).pending is None
    ballast.unlink()
    FileLedger(path).append(entry())


def test_a_disk_that_turns_read_only(small_disk, entry, in_child):
    """A file system that turns read-only under a desk gives a clear refusal and loses nothing."""
    folder, mounted = small_disk
    ledger = FileLedger(folder / "amal.jsonl", "first/amal.jsonl")
    drafts = Drafts("amal.draft.json", FileKept(folder))
    given = {"card_digest": CARD, "form_digest": CARD, "answers": {}, "escalated": False}
    ledger.append(entry())
    drafts.save("A", note="before", **given)

    def refuse() -> None:
        for _ in range(2):
            with pytest.raises(CannotWrite, match="let this account write"):
                ledger.append(entry())
        with pytest.raises(CannotWrite, match="let this account write"):
            drafts.save("A", note="after", **given)
        assert drafts.load("A").note == "before"
        assert len(ledger.records()) == 1

    def remount(how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)

    if mounted:
        remount("ro")
        refuse()
        remount("rw")
    else:
        for each in folder.iterdir():
            each.chmod(0o444)
        folder.chmod(0o555)
        refuse()
        folder.chmod(0o755)
        for each in folder.iterdir():
            each.chmod(0o644)
    assert ledger.append(entry()).seq == 2
