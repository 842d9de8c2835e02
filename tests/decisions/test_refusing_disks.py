"""Disks and folders that refuse: the rater is told, and nothing that was there is lost."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import pytest

from reviewkit.decisions import CannotWrite, FileLedger, Record

pytestmark = pytest.mark.files_only


def _again(ledger: FileLedger) -> FileLedger:
    return FileLedger(ledger.path, ledger.shown)


def test_a_disk_without_room(ledger, entry, in_child):
    """When a line finds only part of its room the file is as before, and the rater is told."""
    ledger.append(entry())
    before = ledger.path.read_bytes()

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, resource.RLIM_INFINITY))
        writer = _again(ledger)
        for _ in range(2):
            with pytest.raises(CannotWrite, match=r"nothing was recorded: .*free some room"):
                writer.append(entry())
            assert ledger.path.read_bytes() == before
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        assert writer.append(entry()).seq == 2

    assert in_child(fill) == 0
    assert [record.seq for record in ledger.records()] == [1, 2]


def test_no_room_to_set_a_tail_aside(ledger, entry, in_child):
    """When the torn tail finds no room of its own it stays where it is."""
    ledger.append(entry())
    with ledger.path.open("ab") as file:
        file.write(b"x" * 500)
    before = ledger.path.read_bytes()

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
        with pytest.raises(CannotWrite, match="free some room"):
            _again(ledger).append(entry())

    assert in_child(fill) == 0
    assert ledger.path.read_bytes() == before
    assert ledger.recover()[0].size == 500


def test_a_file_where_a_folder_belongs(tmp_path, entry):
    """A file in the place of a folder is named as the reason; it is not touched."""
    (tmp_path / "first").write_text("a file")
    ledger = FileLedger(tmp_path / "first" / "amal.jsonl", "first/amal.jsonl")
    assert ledger.records() == ()
    with pytest.raises(CannotWrite, match=r"first/amal.jsonl: nothing was recorded.* move it away"):
        ledger.append(entry())
    assert (tmp_path / "first").read_text() == "a file"


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_that_may_only_be_read(tmp_path, entry, in_child, there):
    """In a folder without the right to write, reading works and saving says whom to ask."""
    ledger = FileLedger(tmp_path / "first" / "amal.jsonl", "first/amal.jsonl")
    ledger.path.parent.mkdir()
    if there:
        ledger.append(entry())
        ledger.path.chmod(0o444)
        Path(f"{ledger.path}.lock").unlink(missing_ok=True)
    ledger.path.parent.chmod(0o555)
    _open_the_way_to(ledger.path.parent)

    def try_it() -> None:
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        assert len(_again(ledger).records()) == int(there)
        with pytest.raises(CannotWrite, match=r"nothing was recorded: .*let this account write"):
            _again(ledger).append(entry())

    try:
        assert in_child(try_it) == 0
    finally:
        ledger.path.parent.chmod(0o755)
    assert len(_again(ledger).records()) == int(there)


def _open_the_way_to(folder: Path) -> None:
    for each in folder.parents:
        if each.stat().st_uid == os.getuid() and not each.stat().st_mode & 0o001:
            each.chmod(each.stat().st_mode | 0o011)


def test_replaced_while_writing(ledger, entry, monkeypatch):
    """A file that is swapped under the writer does not swallow an acknowledgement."""
    ledger.append(entry())
    copy = ledger.path.read_bytes()
    real = os.fsync

    def swap(descriptor: int) -> None:
        real(descriptor)
        new = ledger.path.with_name("new")
        new.write_bytes(copy)
        new.replace(ledger.path)

    given = entry()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", swap)
        with pytest.raises(CannotWrite, match="replaced at that moment; save again"):
            ledger.append(given)
    assert ledger.append(given).seq == 2
    assert [type(record) for record in _again(ledger).records()] == [Record, Record]


def test_acknowledged_only_after_the_disk_has_it(ledger, entry, monkeypatch):
    """A record is one write and then an fsync; a new file's folder is on the disk before that."""
    done: list[str] = []
    real_write, real_fsync = os.write, os.fsync

    def write(descriptor: int, raw: bytes) -> int:
        done.append("write line" if raw.endswith(b"}\n") else "write part")
        return real_write(descriptor, raw)

    def fsync(descriptor: int) -> None:
        folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        done.append("fsync folder" if folder else "fsync file")
        real_fsync(descriptor)

    ledger.path.parent.mkdir(parents=True)
    given = entry()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        patch.setattr(os, "fsync", fsync)
        ledger.append(given)
        assert done == ["fsync folder", "write line", "fsync file"]
        done.clear()
        ledger.append(entry())
        assert done == ["write line", "fsync file"]
        done.clear()
        _again(ledger).append(given)
        assert done == ["fsync file", "fsync folder"]


def test_a_failing_fsync_takes_the_line_back(ledger, entry, monkeypatch):
    """A line that the disk would not confirm is taken back and not acknowledged."""
    ledger.append(entry())
    before = ledger.path.read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    given = entry()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(CannotWrite, match="input/output error; check the disk"):
            ledger.append(given)
    assert ledger.path.read_bytes() == before
    assert ledger.append(given).seq == 2
