"""A database holds one project: another folder that is pointed at it is refused in a sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reviewkit.decisions import store_of
from reviewkit.decisions.stores import StoreUnusable, store_file_text
from reviewkit.decisions.stores.store_file import load_store_file
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.release.ledger_copy import CopyRefused, copy_to_database
from reviewkit.study.ledgers import ledger_of
from reviewkit.workspace import Workspace
from tests.release.copied import empty_database, lay_judged, skip


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.database)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return an empty database."""
    return empty_database(request, tmp_path)


@pytest.fixture
def first(demo: Workspace, url: str) -> Workspace:
    """Return a project that keeps its ledgers in the database."""
    copy_to_database(lay_judged(demo), sql_store(demo, url), switch=True)
    return demo


def other(first: Workspace, tmp_path: Path, study: str = "demo") -> Workspace:
    """Return another project: the same forms, nothing written, and no database of its own."""
    shutil.copytree(first.root, tmp_path / "other", ignore=shutil.ignore_patterns("*.db*"))
    ws = Workspace(tmp_path / "other")
    shutil.rmtree(ws.rulings)
    ws.study_file(study).parent.mkdir(parents=True)
    text = first.study_file("demo").read_text("utf-8").replace("study: demo", f"study: {study}")
    ws.study_file(study).write_text(text, encoding="utf-8")
    return ws


def test_a_checkout_of_the_project_is_let_in(first, tmp_path):
    """The file that the first copy wrote says whose the database is, and goes with the project."""
    shutil.copytree(first.root, tmp_path / "checkout", ignore=shutil.ignore_patterns("*.db*"))
    there = Workspace(tmp_path / "checkout")
    assert ledger_of(there, "demo", "first", "amal").append(skip(3)).seq == 4
    assert ledger_of(first, "demo", "first", "amal").append(skip(4)).seq == 5


def test_another_project_with_the_same_names_is_refused(first, url, tmp_path):
    """Its file was written by hand with a wrong address, or names an id of its own."""
    ws = other(first, tmp_path)
    for project, said in (("", "names no project"), ("another", "says another")):
        ws.store_file.write_text(store_file_text(url, project), encoding="utf-8")
        with pytest.raises(StoreUnusable, match=f"belongs to the project with id .*{said}"):
            ledger_of(ws, "demo", "first", "amal").append(skip(3))
    assert len(ledger_of(first, "demo", "first", "amal").records()) == 3


def test_a_file_that_was_copied_from_another_project_is_refused(first, tmp_path):
    """The id is that of the database, and the studies are others."""
    ws = other(first, tmp_path, "birds")
    shutil.copy(first.store_file, ws.store_file)
    with pytest.raises(StoreUnusable, match="holds ledgers of study demo, and none of a study of"):
        ledger_of(ws, "birds", "first", "amal").records()


def test_a_database_that_was_emptied_is_refused(first, tmp_path):
    """Raters would begin anew without a word; the files of the folder may fill it again."""
    found = load_store_file(first)
    assert found is not None
    empty = f"sqlite:///{tmp_path / 'empty.db'}"
    first.store_file.write_text(store_file_text(empty, found.project), encoding="utf-8")
    with pytest.raises(StoreUnusable, match="is new or was emptied"):
        ledger_of(first, "demo", "first", "amal").records()
    copy_to_database(first, sql_store(first, empty), switch=True)
    assert store_of(first).is_shared
    assert ledger_of(first, "demo", "first", "amal").append(skip(3)).seq == 4


def test_a_copy_into_the_database_of_another_is_refused(first, url, tmp_path):
    """It would mix two projects: what the database has, the folder has not."""
    ws = other(first, tmp_path, "birds")
    with pytest.raises(CopyRefused, match=r"holds rulings/demo/\S+, which this folder has not"):
        copy_to_database(ws, sql_store(ws, url), switch=True)
    assert not ws.store_file.exists()
