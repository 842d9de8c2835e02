"""Ledgers copied to a database and back: the same bytes, nothing overwritten, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from reviewkit.cli.app import app
from reviewkit.decisions import CannotRead, CannotWrite, Drafts, disk, store_of
from reviewkit.decisions.stores import MustBeFiles, must_be_files
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.problems import ProblemsFound
from reviewkit.release.freeze.chains import ledger_reports
from reviewkit.release.ledger_copy import (
    copy_from_database,
    copy_to_database,
    left_in_files,
)
from reviewkit.study.ledgers import ledger_of
from reviewkit.workspace import Workspace
from tests.release.copied import empty_database, lay_judged, skip


@pytest.fixture
def judged(demo: Workspace) -> Workspace:
    """Return a folder in which two people and the lead wrote."""
    return lay_judged(demo)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.database)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return an empty database."""
    return empty_database(request, tmp_path)


def _bytes(ws: Workspace) -> dict[str, bytes]:
    return {ws.shown(path): path.read_bytes() for path in ws.rulings.rglob("*.jsonl")}


def test_there_and_back(judged, url):
    """Both ways the bytes are the same; who has the old place open is refused and loses nothing."""
    old_desk = ledger_of(judged, "demo", "first", "amal")
    before = _bytes(judged)
    reports = ledger_reports(judged)
    copied = copy_to_database(judged, sql_store(judged, url), switch=True)
    assert {each.name: each.tip for each in copied} == {each.file: each.tip for each in reports}
    assert ledger_reports(judged) == reports
    with pytest.raises(CannotWrite, match="in a database now; open this page"):
        old_desk.append(skip(7))
    with pytest.raises(CannotRead, match="in a database now"):
        old_desk.records()
    assert _bytes(judged) == before
    with pytest.raises(MustBeFiles, match="--from-database --switch"):
        must_be_files(judged, "a freeze")

    desk = ledger_of(judged, "demo", "first", "amal")
    assert desk.append(skip(3)).seq == 4
    drafts = Drafts("rulings/demo/first/amal.draft.json", store_of(judged).kept)
    assert drafts.load("C-9").note == "half"

    copied = copy_from_database(judged, sql_store(judged, url), switch=True)
    assert {each.name: each.added for each in copied}["rulings/demo/first/amal.jsonl"] == 1
    assert not judged.store_file.exists()
    with pytest.raises(CannotWrite, match="copied back to files"):
        desk.append(skip(8))
    now = _bytes(judged)
    assert now.keys() == before.keys()
    assert all(now[name].startswith(before[name]) for name in before)
    back = ledger_of(judged, "demo", "first", "amal")
    assert [each.card_id for each in back.records()] == ["C-0", "C-1", "C-2", "C-3"]
    assert back.append(skip(4)).seq == 5


def test_a_copy_may_be_repeated(judged, url):
    """Without a switch people go on in files; a repetition adds what is new and nothing else."""
    store = sql_store(judged, url)
    assert sum(each.added for each in copy_to_database(judged, store)) == 5
    assert sum(each.added for each in copy_to_database(judged, store, study="demo")) == 0
    ledger_of(judged, "demo", "first", "amal").append(skip(3))
    assert sum(each.added for each in copy_to_database(judged, store)) == 1
    assert sum(each.added for each in copy_from_database(judged, store)) == 0


def test_what_is_there_is_not_overwritten(judged, url):
    """Two histories under one name: refused, naming the first record that differs."""
    store = sql_store(judged, url)
    copy_to_database(judged, store)
    path = judged.ledger("demo", "first", "amal")
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"\n") + 1])
    ledger_of(judged, "demo", "first", "amal").append(skip(6))
    for copy in (copy_to_database, copy_from_database):
        changed = path.read_bytes()
        with pytest.raises(ProblemsFound, match=r"first/amal.jsonl:2: .* different records here"):
            copy(judged, store)
        assert path.read_bytes() == changed
    path.write_bytes(whole[: whole.index(b"\n") + 1])
    with pytest.raises(ProblemsFound, match=r"amal.jsonl:2: the database has a record here and"):
        copy_to_database(judged, store, switch=True)
    assert not judged.store_file.exists()
    assert {each.name: each.added for each in copy_from_database(judged, store)}[
        "rulings/demo/first/amal.jsonl"
    ] == 2
    assert path.read_bytes() == whole


def test_broken_off_at_the_switch(judged, url, monkeypatch):
    """A copy that dies before the switch has switched nothing; again, it ends what it began."""
    store = sql_store(judged, url)
    with monkeypatch.context() as patch:
        patch.setattr(disk, "write_new", _no_room)
        with pytest.raises(CannotWrite, match="free some room"):
            copy_to_database(judged, store, switch=True)
    assert ledger_of(judged, "demo", "first", "amal").append(skip(3)).seq == 4
    copy_to_database(judged, store, switch=True)
    with monkeypatch.context() as patch:
        patch.setattr("reviewkit.release.ledger_copy._from_database", _no_room)
        with pytest.raises(OSError, match="no room"):
            copy_from_database(judged, store, switch=True)
    assert ledger_of(judged, "demo", "first", "amal").append(skip(4)).seq == 5
    path = judged.ledger("demo", "first", "amal")
    with path.open("ab") as file:
        file.write(b'{"a copy was killed')
    copy_from_database(judged, store, switch=True)
    assert path.with_name("amal.jsonl.torn-5").read_bytes() == b'{"a copy was killed'
    assert len(ledger_of(judged, "demo", "first", "amal").records()) == 5


def _no_room(*_: object) -> None:
    raise OSError(28, "no room")


def test_what_came_into_files_after_all(judged, url):
    """A file that has what the database has not is named by a verification."""
    store = sql_store(judged, url)
    copy_to_database(judged, store, switch=True)
    assert left_in_files(judged, store) == []
    judged.store_file.rename(judged.store_file.with_suffix(".off"))
    ledger_of(judged, "demo", "first", "amal").append(skip(3))
    judged.store_file.with_suffix(".off").rename(judged.store_file)
    (problem,) = left_in_files(judged, store)
    assert problem.where == "rulings/demo/first/amal.jsonl:4"


def test_the_command(judged, tmp_path, monkeypatch):
    """The command says which way, prints every log, and refuses a password on its line."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(judged.root))
    run = CliRunner().invoke
    done = run(app, ["ledger", "copy", "--to-database", f"sqlite:///{tmp_path}/c.db", "--switch"])
    assert done.exit_code == 0, done.output
    assert "rulings/demo/first/amal.jsonl: 3 records, 3 new, tip " in done.output
    assert "from now on everything is in sqlite://" in done.output
    assert run(app, ["verify", "ledger"]).exit_code == 0
    back = run(app, ["ledger", "copy", "--from-database", "--switch"])
    assert back.exit_code == 0, back.output
    assert "amal.jsonl: 3 records, 0 new" in back.output
    with pytest.raises(ProblemsFound, match="add --to-database or --from-database"):
        run(app, ["ledger", "copy"], catch_exceptions=False)
    with pytest.raises(ProblemsFound, match="holds a password") as refused:
        run(
            app, ["ledger", "copy", "--to-database", "postgresql://a:hush@h/d"],
            catch_exceptions=False,
        )  # fmt: skip
    assert "hush" not in str(refused.value)
