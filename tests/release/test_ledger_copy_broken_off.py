"""Copies that are killed, run twice at once, or given up: nothing is lost, and it is said how."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from reviewkit.cli.app import app
from reviewkit.decisions import CannotWrite
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.decisions.stores.store_row import EMPTYING, LEFT, change_closed, store_row
from reviewkit.problems import ProblemsFound
from reviewkit.release import ledger_copy
from reviewkit.release.ledger_copy import CopyRefused, copy_from_database, copy_to_database
from reviewkit.study.ledgers import ledger_of
from reviewkit.workspace import Workspace
from tests.release.copied import DRAFTS, empty_database, lay_judged, save_draft, skip

POINTS = {"sqlite": 5, "postgresql+psycopg": 3}
"""Moments of death, each way; PostgreSQL adds only what a dead connection leaves."""
WATCHED = ("ledger_copy.py", "kept_copy.py", "store_row.py", "file_kept.py", "disk.py")
BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.database)]


@pytest.fixture
def judged(demo: Workspace) -> Workspace:
    """Return a folder in which two people and the lead wrote."""
    return lay_judged(demo)


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return an empty database."""
    return empty_database(request, tmp_path)


def run_apart(*arguments: str, kill_at: int = 0) -> tuple[int, int]:
    """Run the command in a process, killed before a line of the copying; (status, lines)."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        lines = 0

        def trace(frame: FrameType, what: str, _: Any) -> Any:
            nonlocal lines
            if not frame.f_code.co_filename.endswith(WATCHED):
                return None
            if what == "line":
                lines += 1
                if lines == kill_at:
                    os.kill(os.getpid(), signal.SIGKILL)
            return trace

        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.settrace(trace)
            app(arguments, standalone_mode=False)
            status = 0
        finally:
            sys.settrace(None)
            os.write(writing, str(lines).encode())
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        lines = int(pipe.read() or 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), lines


def test_killed_at_any_moment(judged, url, monkeypatch):
    """After each death people can work or are told what to run; run again, the copy is whole."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(judged.root))
    written, points = 3, POINTS[url.partition(":")[0]]
    refused = ""
    both = ("--to-database", "--from-database")
    ways = {way: ("ledger", "copy", way, url, "--switch") for way in both}
    whole = {way: run_apart(*command) for way, command in ways.items()}
    assert [status for status, _ in whole.values()] == [0, 0]
    for point in range(points):
        for way, command in ways.items():
            kill_at = 1 + whole[way][1] * point // points
            assert run_apart(*command, kill_at=kill_at)[0] == -signal.SIGKILL
            try:
                ledger_of(judged, "demo", "first", "amal").append(skip(written))
                written += 1
            except CannotWrite as error:
                refused = str(error)
                assert "reviewkit ledger copy --from-database --switch" in refused
            assert run_apart(*command)[0] == 0, (way, kill_at)
            assert judged.store_file.exists() == (way == "--to-database")
            cards = [e.card_id for e in ledger_of(judged, "demo", "first", "amal").records()]
            assert cards == [f"C-{number}" for number in range(written)]
    assert "copied back to files since" in refused
    assert written > 4


def test_a_copy_back_is_given_up(judged, url):
    """The database that a killed copy back closed is opened again, and people go on in it."""
    store = sql_store(judged, url)
    copy_to_database(judged, store, switch=True)
    # what a copy back leaves that is killed in the middle
    change_closed(store.database, None, f"{EMPTYING} 2026-01-02T03:04:05")
    desk = ledger_of(judged, "demo", "first", "amal")
    with pytest.raises(CannotWrite, match="--to-database --switch"):
        desk.append(skip(3))
    copy_to_database(judged, store, switch=True)
    assert desk.append(skip(3)).seq == 4


def test_what_was_copied_back_is_not_opened(judged, url):
    """From another checkout it would be a second history: refused, and nothing is opened."""
    store = sql_store(judged, url)
    copy_to_database(judged, store, switch=True)
    named = judged.store_file.read_text()
    copy_from_database(judged, store, switch=True)
    judged.store_file.write_text(named, encoding="utf-8")
    with pytest.raises(CopyRefused, match=r"copied back to files on .*--from-database --switch"):
        copy_to_database(judged, store, switch=True)
    with pytest.raises(CannotWrite, match="copied back to files on"):
        ledger_of(judged, "demo", "first", "amal").append(skip(3))
    path = judged.ledger("demo", "first", "amal")
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"C-1", b"C-7"))
    with pytest.raises(ProblemsFound):
        copy_from_database(judged, store, switch=True)
    closed = store_row(store.database).closed
    assert closed is not None
    assert closed.startswith(LEFT)


def test_two_copies_at_once(judged, url, monkeypatch):
    """Somebody opens the database while it is copied back: that copy switches nothing."""
    store = sql_store(judged, url)
    copy_to_database(judged, store, switch=True)

    def meanwhile(*_: object) -> None:
        copy_to_database(judged, sql_store(judged, url), switch=True)
        ledger_of(judged, "demo", "first", "amal").append(skip(3))

    monkeypatch.setattr(ledger_copy, "kept_from_database", meanwhile)
    with pytest.raises(CannotWrite, match="another `reviewkit ledger copy`"):
        copy_from_database(judged, store, switch=True)
    assert judged.store_file.exists()
    assert ledger_of(judged, "demo", "first", "amal").append(skip(4)).seq == 5


def test_small_values_that_differ(judged, url):
    """The newer one stays; what would put an older one over it is refused, naming both times."""
    store = sql_store(judged, url)
    copy_to_database(judged, store)
    save_draft(judged, "newer in the file")
    copy_to_database(judged, store)
    assert b"newer in the file" in (store.kept.read(DRAFTS) or b"")

    store.kept.write(DRAFTS, b"newest, in the database")
    path = judged.root / DRAFTS
    os.utime(path, (1_000_000_000, 1_000_000_000))
    with pytest.raises(ProblemsFound, match=r"amal.draft.json.*the database has another value.*"):
        copy_to_database(judged, store, switch=True)
    assert store.kept.read(DRAFTS) == b"newest, in the database"
    assert not judged.store_file.exists()
    assert store_row(store.database).closed is None

    os.utime(path, (4_000_000_000, 4_000_000_000))
    before = path.read_bytes()
    with pytest.raises(ProblemsFound, match="the file has another value, changed later"):
        copy_from_database(judged, store)
    assert path.read_bytes() == before
    os.utime(path, (1_000_000_000, 1_000_000_000))
    copy_from_database(judged, store)
    assert path.read_bytes() == b"newest, in the database"
    copy_to_database(judged, store, switch=True)
