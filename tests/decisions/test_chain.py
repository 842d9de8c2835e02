"""The chained file by itself, with lines that are not judgements."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

import pytest
from filelock import FileLock

from reviewkit.decisions import (
    FIRST,
    CannotRead,
    CannotWrite,
    Chain,
    ChainLine,
    ClickReused,
    LedgerBroken,
    NewerRecord,
    RecordRefused,
)
from reviewkit.decisions.lines import as_it_is
from tests.decisions.sql_places import SqlPlace, lines_at


class Saying(ChainLine):
    """A line with a running number of its own."""

    text: str
    number: str = ""


@pytest.fixture
def path(stands_in) -> Path | SqlPlace:
    """Return where the chain lies."""
    return stands_in("log.jsonl")


def _open_chain(path: Path | SqlPlace, **more) -> Chain[Saying]:
    return Chain(lines_at(path), path.name, Saying, **more)


def _say(chain: Chain[Saying], text: str, click: str = "") -> Saying:
    click = click or f"click-{text}-{len(chain.lines()):06d}"
    return chain.append({"click_id": click, "text": text})


def test_each_line_names_the_one_before(path):
    """Numbers run from 1 and each line carries the digest of its predecessor."""
    chain = _open_chain(path)
    one, two = _say(chain, "one"), _say(chain, "two")
    assert (one.seq, one.previous) == (1, FIRST)
    assert (two.seq, two.previous) == (2, one.digest)
    assert _open_chain(path).lines() == (one, two)


def test_a_running_number_is_given_under_the_lock(path):
    """Two objects that number their lines by what is already there never give a number twice."""
    chains = [_open_chain(path), _open_chain(path)]

    def number(lines):
        return {"number": f"R-{len(lines) + 1:03d}"}

    def work(me: int) -> None:
        for turn in range(10):
            chains[me].append({"click_id": f"click-{me}-{turn}", "text": str(me)}, number)

    threads = [threading.Thread(target=work, args=(me,)) for me in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [line.number for line in _open_chain(path).lines()] == [
        f"R-{number:03d}" for number in range(1, 21)
    ]


def test_threads_share_one_object(path):
    """Threads that share one chain lose nothing."""
    chain = _open_chain(path)

    def work(me: int) -> None:
        for turn in range(10):
            chain.append({"click_id": f"click-{me}-{turn}", "text": f"{me}.{turn}"})

    threads = [threading.Thread(target=work, args=(me,)) for me in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {line.text for line in _open_chain(path).lines()} == {
        f"{me}.{turn}" for me in range(3) for turn in range(10)
    }


def test_a_click_comes_twice(path):
    """The same click gives its first line again; with other content it is refused."""
    chain = _open_chain(path)
    first = _say(chain, "one", "click-00000001")
    before = path.read_bytes()
    assert _say(_open_chain(path), "one", "click-00000001") == first
    with pytest.raises(ClickReused, match="record 1, with other content"):
        _say(chain, "two", "click-00000001")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        {"text": "half \ud83d", "click_id": "click-00000001"},
        {"text": object(), "click_id": "click-00000001"},
        {"text": "no click"},
        {"text": "x", "click_id": "click-00000001", "colour": "red"},
        {"text": "x" * 1_000_001, "click_id": "click-00000001"},
    ],
)
def test_what_has_no_form_is_refused(path, content):
    """Content that cannot be a line is refused in words and leaves no line."""
    with pytest.raises(RecordRefused, match=r"^not recorded: "):
        _open_chain(path).append(content)
    assert _open_chain(path).lines() == ()


def test_earlier_versions_stay_readable(path):
    """Lines of an earlier schema version are upgraded on reading, their bytes and digests stay."""
    old = _say(_open_chain(path), "old")

    def upgrade(fields):
        return {**fields, "schema_version": 2, "number": "R-000"}

    newer = _open_chain(path, upgraders={1: upgrade, 2: as_it_is})
    new = newer.append({"click_id": "click-00000002", "text": "new", "number": "R-001"})
    assert [line.number for line in newer.lines()] == ["R-000", "R-001"]
    assert newer.lines()[0].digest == old.digest == new.previous
    assert (new.schema_version, newer.lines()[0].schema_version) == (2, 2)


def test_a_newer_version_is_refused(path):
    """A line of a newer schema version stops reading and writing with the remedy to upgrade."""
    newer = _open_chain(path, upgraders={1: as_it_is, 2: as_it_is})
    _say(newer, "new")
    before = path.read_bytes()
    with pytest.raises(NewerRecord, match=r"log.jsonl:1: written by a newer .* upgrade reviewkit"):
        _open_chain(path).lines()
    with pytest.raises(NewerRecord):
        _open_chain(path).append({"click_id": "click-00000002", "text": "x"})
    assert path.read_bytes() == before


@pytest.mark.files_only
def test_another_writer_holds_the_lock(path):
    """A lock that is not freed in time is named, with whom to look for; nothing is written."""
    chain = _open_chain(path, lock_seconds=0.05)
    with (
        FileLock(f"{path}.lock"),
        pytest.raises(CannotWrite, match=r"log.jsonl.lock has been held .* another tab"),
    ):
        chain.append({"click_id": "click-00000001", "text": "x"})
    assert not path.exists()
    assert _say(chain, "x").seq == 1


@pytest.mark.files_only
def test_a_left_lock_file_hinders_nobody(path):
    """A lock file that a dead writer left behind does not have to be deleted."""
    Path(f"{path}.lock").write_text("left behind")
    assert _say(_open_chain(path), "x").seq == 1


@pytest.mark.files_only
def test_a_symbolic_link_is_not_followed(path, tmp_path):
    """A linked file is neither read nor written; a linked folder is fine."""
    real = tmp_path / "real" / "log.jsonl"
    _say(_open_chain(real), "one")
    path.symlink_to(real)
    with pytest.raises(CannotRead, match="cannot be read"):
        _open_chain(path).lines()
    with pytest.raises(CannotWrite, match="symbolic link"):
        _open_chain(path).append({"click_id": "click-00000002", "text": "x"})
    (tmp_path / "linked").symlink_to(real.parent)
    assert _say(_open_chain(tmp_path / "linked" / "log.jsonl"), "two").seq == 2


@pytest.mark.files_only
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_a_folder_is_no_ledger(path, make):
    """What is not a regular file is refused at once, without waiting on it."""
    make(path)
    with pytest.raises(CannotRead):
        _open_chain(path).lines()
    with pytest.raises(CannotWrite):
        _open_chain(path).append({"click_id": "click-00000001", "text": "x"})


@pytest.mark.files_only
def test_what_was_acknowledged_must_stay(path):
    """A file that became shorter, or went away, is noticed by the process that wrote it."""
    chain = _open_chain(path)
    _say(chain, "one")
    one = path.read_bytes()
    _say(chain, "two")
    path.write_bytes(one)
    with pytest.raises(LedgerBroken, match=r"log.jsonl:2: record 2, which was safely"):
        chain.lines()
    path.unlink()
    with pytest.raises(LedgerBroken):
        chain.append({"click_id": "click-00000003", "text": "three"})
    assert not path.exists()


@pytest.mark.files_only
def test_another_history_is_noticed(path, tmp_path):
    """A sound file of another history in place of the known one is noticed, though longer."""
    chain, other = _open_chain(path), _open_chain(tmp_path / "other.jsonl")
    _say(chain, "one")
    for text in ("uno", "due", "tre"):
        _say(other, text)
    other.path.replace(path)
    with pytest.raises(LedgerBroken, match="another record stands where record 1 was written"):
        chain.lines()


def test_readers_follow_writers(path):
    """A reader sees what another object appended, and keeps its view when nothing changed."""
    reader, writer = _open_chain(path), _open_chain(path)
    assert reader.lines() == ()
    for count in (1, 2, 3):
        _say(writer, "x")
        assert len(reader.lines()) == count
    assert reader.lines() is reader.lines()


@pytest.mark.files_only
def test_a_line_that_was_taken_back(path):
    """A reader that saw a line which its writer had to take back follows what came instead."""
    writer, reader = _open_chain(path), _open_chain(path)
    one = _say(writer, "one")
    size = path.stat().st_size
    _say(writer, "never-confirmed")
    assert len(reader.lines()) == 2
    os.truncate(path, size)
    other = _open_chain(path)
    two, three = _say(other, "two"), _say(other, "three")
    assert path.stat().st_size > size
    assert reader.lines() == (one, two, three)


@pytest.mark.files_only
def test_a_reader_waits_for_the_end_of_a_line(path):
    """A line that is just being written is not read and not touched."""
    chain = _open_chain(path)
    _say(chain, "one")
    with path.open("ab") as file:
        file.write(b'{"seq":2,')
    assert len(chain.lines()) == 1
    assert re.search("cut off .9 bytes", str(chain.pending))
    assert path.read_bytes().endswith(b'{"seq":2,')


@pytest.mark.files_only
def test_an_edit_that_keeps_size_and_time_is_noticed(path):
    """An edit in place is noticed by a running process even when size and mtime are as before."""
    chain = _open_chain(path)
    _say(chain, "one")
    _say(chain, "two")
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b'"one"', b'"eno"'))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(LedgerBroken, match=r"log.jsonl:1: the line does not match its own digest"):
        chain.append({"click_id": "click-00000003", "text": "three"})
