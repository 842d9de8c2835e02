"""Drafts survive a refresh, a crash and each other, and never stop a rater."""

from __future__ import annotations

import os
import resource
import signal

import pytest

from reviewkit.decisions import CannotWrite, Drafts, RecordRefused
from reviewkit.decisions.stores.file_kept import FileKept

CARD, FORM = "a" * 64, "b" * 64


@pytest.fixture
def drafts(tmp_path):
    """Return the drafts of a rater, none yet."""
    return Drafts("first/amal.draft.json", FileKept(tmp_path))


@pytest.fixture
def path(tmp_path):
    """Return the file of the drafts."""
    return tmp_path / "first" / "amal.draft.json"


def _again(drafts: Drafts) -> Drafts:
    return Drafts(drafts.name, drafts.kept)


def _save(drafts: Drafts, card_id: str, note: str = "", **over):
    given = {"card_digest": CARD, "form_digest": FORM, "answers": {"one_variable": "no"}, **over}
    return drafts.save(card_id, note=note, escalated=False, **given)


def test_drafts_survive_a_refresh(drafts):
    """A new object finds each card's draft as it was typed, and the one to come back to."""
    _save(drafts, "A", "أول", seq=3)
    _save(drafts, "B", "second")
    kept = _save(drafts, "A", "أول ثم", seq=4)
    fresh = _again(drafts)
    assert fresh.load("A") == kept
    assert (kept.note, kept.answers, kept.seq) == ("أول ثم", {"one_variable": "no"}, 4)
    assert fresh.latest() == kept
    assert [draft.card_id for draft in fresh.all()] == ["B", "A"]
    fresh.clear("A")
    fresh.clear("never")
    assert drafts.load("A") is None
    assert [draft.card_id for draft in drafts.all()] == ["B"]


def test_no_drafts_yet(drafts, path):
    """Without a file there is no draft, and looking makes none."""
    assert drafts.load("A") is None
    assert drafts.latest() is None
    drafts.clear("A")
    assert not path.parent.exists()


def test_two_tabs_keep_both_drafts(drafts):
    """Two tabs on two cards do not overwrite each other's draft."""
    other = _again(drafts)
    for turn in range(5):
        _save(drafts, "A", f"{turn}")
        _save(other, "B", f"{turn}")
    assert {draft.card_id: draft.note for draft in drafts.all()} == {"A": "4", "B": "4"}


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", '{"drafts": "مق'.encode()[:-1], b"[]", b'{"version": 2, "drafts": []}', b"7"],
)
def test_a_corrupt_file_is_set_aside(drafts, path, raw):
    """A file that is no file of drafts is kept under another name and reported; work goes on."""
    path.parent.mkdir()
    for number in (1, 2):
        path.write_bytes(raw)
        assert drafts.load("A") is None
        assert path.with_name(f"amal.draft.json.bad-{number}").read_bytes() == raw
    assert len(drafts.set_aside) == 2
    assert "kept in amal.draft.json.bad-1" in str(drafts.set_aside[0])
    _save(drafts, "A")
    assert _again(drafts).load("A") is not None


def test_a_bad_draft_does_not_cost_the_good_ones(drafts, path):
    """One draft that cannot be read leaves the others in use."""
    _save(drafts, "A", "good")
    _save(drafts, "B")
    path.write_text(path.read_text().replace('"card_id": "B"', '"card": "B"'))
    fresh = _again(drafts)
    assert [draft.card_id for draft in fresh.all()] == ["A"]
    assert len(fresh.set_aside) == 1
    assert fresh.latest().note == "good"
    assert len(fresh.set_aside) == 1


def test_half_a_character_is_kept(drafts):
    """Half of a surrogate pair, as a text field gives while typing, does not stop the saving."""
    _save(drafts, "A", "smile \ud83d")
    assert _again(drafts).load("A").note == "smile \ufffd"


def test_what_is_no_draft_is_refused(drafts, path):
    """A draft without its digests, or longer than any record, is refused in words."""
    with pytest.raises(RecordRefused, match="card_digest"):
        _save(drafts, "A", card_digest="none")
    with pytest.raises(RecordRefused, match="longer than a record"):
        _save(drafts, "A", "x" * 1_000_001)
    assert not path.exists()


def test_a_disk_without_room_keeps_the_last_draft(drafts, path, in_child):
    """When there is no room for the new draft, the one before stays and the rater is told."""
    _save(drafts, "A", "before")

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        with pytest.raises(CannotWrite, match="free some room"):
            _save(_again(drafts), "A", "x" * 1000)

    assert in_child(fill) == 0
    assert _again(drafts).load("A").note == "before"
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "amal.draft.json",
        "amal.draft.json.lock",
    ]


@pytest.mark.parametrize("step", ["write", "replace"])
def test_killed_while_saving(drafts, in_child, step):
    """A process killed in the middle of a save leaves the draft before it whole."""
    _save(drafts, "A", "before")

    def die(*args, **kwargs) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        setattr(os, step, die)
        _save(_again(drafts), "A", "after")

    assert in_child(work) == -signal.SIGKILL
    assert _again(drafts).load("A").note == "before"
    _save(drafts, "A", "after")
    assert _again(drafts).load("A").note == "after"
