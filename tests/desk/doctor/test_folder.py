"""What the doctor says of rights, room, locks, git and the last record."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reviewkit.desk.doctor.disk_trials import (
    Locking,
    Syncing,
    check_file_system,
    check_locking,
    check_syncing,
    look_locking,
    look_syncing,
)
from reviewkit.desk.doctor.finding import State
from reviewkit.desk.doctor.folder import (
    Git,
    Private,
    Rights,
    Room,
    check_git,
    check_private,
    check_rights,
    check_room,
    look_git,
    look_last_record,
    look_rights,
)
from reviewkit.workspace import Workspace
from tests.attacks.bounded import told_by


def test_rights() -> None:
    """Each kind of wrong right is a fault of its own that names the files."""
    assert [each.state for each in check_rights(Rights(looked_at=9))] == [State.OK]
    found = list(check_rights(Rights(("bank/a",), ("rulings",), ("rulings/x.jsonl",), ("bank",))))
    assert [each.state for each in found] == [State.FAULT] * 4
    named = [each.found.rpartition(": ")[2] for each in found]
    assert named == ["bank/a", "rulings", "rulings/x.jsonl", "bank"]
    many = next(check_rights(Rights(open_to_all=tuple("abcde"))))
    assert many.found.endswith("a, b, c and 2 more")


def test_rights_are_read_from_the_folder(demo: Workspace) -> None:
    """What anybody may change, and a ledger that is a link; the rest of the demo is sound."""
    assert look_rights(demo, ["demo"]).looked_at > 50
    assert next(check_rights(look_rights(demo, ["demo"]))).state is State.OK
    demo.bank.chmod(0o777)
    ledger = demo.ledger("demo", "first", "amal")
    ledger.parent.mkdir()
    ledger.symlink_to(demo.root / "elsewhere.jsonl")
    found = look_rights(demo, ["demo"])
    assert found.open_to_all == ("bank",)
    assert found.odd == ("rulings/demo/first/amal.jsonl",)


@pytest.mark.parametrize(
    ("private", "states"),
    [
        (Private(None), [State.OK]),
        (Private(0o700, (("secret", 0o600),)), [State.OK]),
        (Private(0o755, (("secret", 0o600),)), [State.WARNING]),
        (Private(0o770), [State.FAULT]),
        (Private(0o700, (("secret", 0o640),)), [State.FAULT]),
        (Private(0o755, (("secret", 0o644),)), [State.FAULT, State.WARNING]),
    ],
)
def test_the_private_folder(private: Private, states: list[State]) -> None:
    """A secret that others may read is a fault, a folder that they may list a warning."""
    assert [each.state for each in check_private(private)] == states


@pytest.mark.parametrize(
    ("room", "state"),
    [
        (Room(10**10, 10**6), State.OK),
        (Room(10**10, None), State.OK),
        (Room(10**8, None), State.WARNING),
        (Room(10**10, 500), State.WARNING),
        (Room(10**7, 10**6), State.FAULT),
        (Room(10**10, 99), State.FAULT),
    ],
)
def test_room(room: Room, state: State) -> None:
    """Bytes and inodes, by the limits at which the health page gives up."""
    assert check_room(room).state is state


@pytest.mark.parametrize(
    ("locking", "state"),
    [
        (Locking("held", "free"), State.OK),
        (Locking("free", "free"), State.FAULT),
        (Locking("held", "held"), State.FAULT),
        (Locking("NotImplementedError", ""), State.FAULT),
        (Locking("", "", "No locks available"), State.FAULT),
    ],
)
def test_locking(locking: Locking, state: State) -> None:
    """Only a lock that keeps the other out, and lets go, is one."""
    assert check_locking(locking).state is state


@pytest.mark.process
def test_the_trials_leave_nothing_behind(tmp_path: Path) -> None:
    """A real lock between two processes, and real fsyncs; a folder that is not there is a fault."""
    assert check_locking(look_locking(tmp_path)).state is State.OK
    assert check_syncing(look_syncing(tmp_path)).state is not State.FAULT
    assert list(tmp_path.iterdir()) == []
    assert check_syncing(look_syncing(tmp_path / "nowhere")).state is State.FAULT


def test_fsync_and_file_systems() -> None:
    """Slow disks, shares and memory are worth a word."""
    assert check_syncing(Syncing(3.0)).state is State.OK
    assert check_syncing(Syncing(250.0)).state is State.WARNING
    assert check_syncing(Syncing(0.0, "read-only file system")).state is State.FAULT
    for kind, state in (
        ("ext4", State.OK), ("", State.OK), ("nfs4", State.WARNING), ("CIFS", State.WARNING),
        ("fuse.sshfs", State.WARNING), ("tmpfs", State.WARNING),
    ):  # fmt: skip
        assert [each.state for each in check_file_system(kind)] == [state]


def test_the_last_record_is_the_youngest_of_all_ledgers(demo: Workspace) -> None:
    """A torn line, nonsense and a time without a zone count for nothing."""
    assert look_last_record(demo, ["demo"]) is None
    for rater, text in (
        ("a", json.dumps({"time": "2027-03-01T10:00:00Z"}) + "\n" + '{"time": "2029'),
        ("b", json.dumps({"time": "2027-02-01T10:00:00Z"}) + "\n"),
        ("c", "nonsense\n"),
        ("d", json.dumps({"time": "2031-02-01T10:00:00"}) + "\n"),
    ):
        path = demo.ledger("demo", "first", rater)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = look_last_record(demo, ["demo"])
    assert found == (datetime(2027, 3, 1, 10, tzinfo=UTC), "rulings/demo/first/a.jsonl")


@pytest.mark.parametrize("name", ["pipe", "device"])
def test_a_pipe_or_a_device_for_a_ledger_is_not_read(demo: Workspace, name: str) -> None:
    """What never ends is passed over in a moment."""
    odd = demo.study_folder("demo") / "odd.jsonl"
    if name == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to("/dev/zero")
    assert told_by(lambda: look_last_record(demo, ["demo"]), seconds=5) == "read"


def test_what_git_means() -> None:
    """No checkout, one that keeps everything, one that forgets ledgers or would show secrets."""
    for git, state in (
        (Git(checkout=False), State.OK),
        (Git(checkout=True), State.OK),
        (Git(checkout=False, refused="git is not installed"), State.OK),
        (Git(checkout=True, refused="dubious ownership"), State.WARNING),
        (Git(checkout=True, ignored=(("a.jsonl", ".gitignore:1"),)), State.WARNING),
        (Git(checkout=True, secrets_ignored=False), State.WARNING),
    ):
        assert [each.state for each in check_git(git)] == [state]


@pytest.mark.process
def test_git_is_asked(demo: Workspace) -> None:
    """A rule that hides ledgers is named with file and line; one that lets them in again is not."""
    kept, lost = demo.ledger("demo", "first", "amal"), demo.ledger("demo", "second", "basim")
    assert look_git(demo, [kept]) == Git(checkout=False)
    subprocess.run(["git", "init", "-q", str(demo.root)], check=True)
    assert look_git(demo, [kept]) == Git(checkout=True, secrets_ignored=False)
    rules = ".reviewkit/\n*.jsonl\n!amal.jsonl\n"
    (demo.root / ".gitignore").write_text(rules, encoding="utf-8")
    found = look_git(demo, [kept, lost])
    assert found.ignored == (("rulings/demo/second/basim.jsonl", ".gitignore:2"),)
    assert found.secrets_ignored
