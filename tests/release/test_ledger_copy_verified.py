"""What is copied is verified on both sides: a place that keeps other bytes is found at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from reviewkit.decisions import disk
from reviewkit.decisions.stores.sql_store import SqlStore
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.problems import ProblemsFound
from reviewkit.release.ledger_copy import CopyRefused, copy_from_database, copy_to_database
from reviewkit.workspace import Workspace
from tests.release.copied import empty_database, lay_judged

AMAL = "rulings/demo/first/amal.jsonl"
LAST = f"NEW.name = '{AMAL}' AND NEW.seq = 3"
FORGETFUL = {
    "sqlite": (
        f"CREATE TRIGGER forgets BEFORE INSERT ON lines WHEN {LAST}"
        " BEGIN SELECT RAISE(IGNORE); END;"
    ),
    "postgresql": (
        "CREATE FUNCTION forgets() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RETURN NULL; END $$;"
        "CREATE TRIGGER forgets BEFORE INSERT ON lines FOR EACH ROW"
        f" WHEN ({LAST}) EXECUTE FUNCTION forgets()"
    ),
}
UNGUARDED = {
    "sqlite": "DROP TRIGGER lines_are_not_changed",
    "postgresql": "ALTER TABLE lines DISABLE TRIGGER USER",
}


@pytest.fixture
def judged(demo: Workspace) -> Workspace:
    """Return a folder in which two people and the lead wrote."""
    return lay_judged(demo)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.database)])
def store(request: pytest.FixtureRequest, tmp_path: Path, judged: Workspace) -> SqlStore:
    """Return an empty database with its tables."""
    store = sql_store(judged, empty_database(request, tmp_path))
    store.kept.now()
    return store


def _by_hand(store: SqlStore, statement: str) -> None:
    with store.database.engine.begin() as connection:
        connection.exec_driver_sql(statement)


def _edited(raw: bytes) -> bytes:
    """Return the same lines with a word of the second one changed: no longer a chain."""
    assert raw.count(b"C-1") == 1
    return raw.replace(b"C-1", b"C-7")


def test_a_database_that_keeps_less_than_it_was_given(judged: Workspace, store: SqlStore) -> None:
    """Each record that stands there is sound, and the last is not there: nothing is switched."""
    _by_hand(store, FORGETFUL[store.database.engine.dialect.name])
    with pytest.raises(CopyRefused, match=r"amal\.jsonl: it is not the same on both sides"):
        copy_to_database(judged, store, switch=True)
    assert not judged.store_file.exists()


def test_a_folder_that_keeps_less_than_it_was_given(
    judged: Workspace, store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that loses the last line: the database stays in use."""
    copy_to_database(judged, store, switch=True)
    path = judged.root / AMAL
    path.unlink()
    append = disk.append_whole

    def lose(descriptor: int, raw: bytes) -> None:
        append(descriptor, b"".join(raw.splitlines(keepends=True)[:-1]))

    monkeypatch.setattr(disk, "append_whole", lose)
    with pytest.raises(CopyRefused, match=r"amal\.jsonl: it is not the same on both sides"):
        copy_from_database(judged, store, switch=True)
    assert judged.store_file.exists()


def test_a_file_that_was_edited_is_not_copied(judged: Workspace, store: SqlStore) -> None:
    """A broken chain is named, and none of it reaches the database."""
    path = judged.root / AMAL
    path.write_bytes(_edited(path.read_bytes()))
    with pytest.raises(ProblemsFound, match=r"amal\.jsonl:2"):
        copy_to_database(judged, store, switch=True)
    assert not judged.store_file.exists()
    with store.database.reading(AMAL) as connection:
        assert not connection.execute(text(f"SELECT 1 FROM lines WHERE name = '{AMAL}'")).all()


def test_a_row_that_was_edited_is_not_gone_on_with(judged: Workspace, store: SqlStore) -> None:
    """A broken chain in the database is named, and files do not take its place."""
    copy_to_database(judged, store, switch=True)
    (judged.root / AMAL).unlink()
    with store.database.reading(AMAL) as connection:
        line = connection.execute(
            text(f"SELECT line FROM lines WHERE name = '{AMAL}' AND seq = 2")
        ).scalar_one()
    _by_hand(store, UNGUARDED[store.database.engine.dialect.name])
    with store.database.engine.begin() as connection:
        connection.execute(
            text(f"UPDATE lines SET line = :line WHERE name = '{AMAL}' AND seq = 2"),
            {"line": _edited(bytes(line))},
        )
    with pytest.raises(ProblemsFound, match=r"amal\.jsonl:2"):
        copy_from_database(judged, store, switch=True)
    assert judged.store_file.exists()
