"""The answer to ``/healthz``: looked up once, in time, and from what the folder really is."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reviewkit.decisions.stores import store_of
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.desk.server import health
from reviewkit.desk.server.health import Folder, Health, answers, look
from reviewkit.workspace import Workspace
from tests.postgres import Postgres
from tests.serving.served import run_apart


def _health(look_now: Any, *, stopping: bool = False, patience: float = 2.0) -> Health:
    lifetime: Any = SimpleNamespace(stopping=stopping, uptime=7)
    return Health(look_now, lambda: (3, 2), lifetime, patience=patience)


@pytest.mark.parametrize(
    ("folder", "stopping", "status", "word"),
    [
        (Folder(writable=True, room=True), False, 200, "ok"),
        (Folder(writable=True, room=True, database=True), False, 200, "ok"),
        (Folder(writable=False, room=True), False, 503, "unusable"),
        (Folder(writable=True, room=False), False, 503, "unusable"),
        (Folder(writable=True, room=True, database=False), False, 503, "unusable"),
        (Folder(writable=True, room=True), True, 503, "stopping"),
    ],
)
def test_the_status_says_whether_people_can_work(
    folder: Folder, stopping: bool, status: int, word: str
) -> None:
    """200 when an answer would be kept, 503 for each reason that it would not."""
    given, told = run_apart(_health(lambda: folder, stopping=stopping).now())
    assert (given, told["status"], told["uptime_seconds"]) == (status, word, 7)
    assert (told["kernels"], told["connections"]) == (3, 2)
    assert told.get("database_reachable") is folder.database


def test_many_who_ask_cause_one_look() -> None:
    """A look is kept for a second, and while it takes place nobody starts another."""
    looks: list[int] = []

    def count() -> Folder:
        looks.append(1)
        time.sleep(0.05)
        return Folder(writable=True, room=True)

    async def ask() -> list[int]:
        asked = _health(count)
        first = await asyncio.gather(*(asked.now() for _ in range(20)))
        return [status for status, _ in [*first, await asked.now()]]

    assert run_apart(ask()) == [200] * 21
    assert len(looks) == 1


def test_a_folder_that_hangs_keeps_nobody_waiting() -> None:
    """A share that does not answer makes the answer 503, and the loop goes on meanwhile."""

    def hang() -> Folder:
        time.sleep(0.6)
        return Folder(writable=True, room=True)

    async def ask() -> tuple[int, int, int]:
        asked = _health(hang, patience=0.1)
        turns = 0
        waiting = asyncio.ensure_future(asked.now())
        while not waiting.done():
            turns += 1
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.8)
        return waiting.result()[0], turns, (await asked.now())[0]

    status, turns, later = run_apart(ask())
    assert status == 503
    assert turns > 3
    assert later == 200, "the look that took too long is used once it has come"


def test_what_a_look_finds(demo: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound folder is writable and has room; a look leaves nothing behind."""
    demo.private.mkdir()
    before = sorted(demo.root.rglob("*"))
    assert look(demo, "demo") == Folder(writable=True, room=True)
    assert sorted(demo.root.rglob("*")) == before
    monkeypatch.setattr(health, "ROOM", 10**18)
    assert look(demo, "demo") == Folder(writable=True, room=False)


def test_a_ledger_folder_that_is_none(demo: Workspace) -> None:
    """A file where the ledgers of a study belong is found."""
    folder = demo.study_folder("demo")
    folder.rename(Path(f"{folder}-away"))
    folder.write_text("x", encoding="utf-8")
    assert look(demo, "demo").writable is False


def test_a_database_that_is_away(demo: Workspace) -> None:
    """A database that answers is reachable; one that cannot be opened is not."""
    (demo.rulings / "store.yaml").write_text(f"url: sqlite:///{demo.root}/lines.db\n", "utf-8")
    assert answers(store_of(demo).kept) is True
    away = f"url: sqlite:///{demo.root}/no/such/folder/lines.db\n"
    (demo.rulings / "store.yaml").write_text(away, "utf-8")
    assert answers(store_of(demo).kept) is False


@pytest.mark.database
def test_a_database_that_may_only_be_read(
    tmp_path: Path, postgres: Postgres, database_url: str
) -> None:
    """It answers and keeps nothing: nobody can work until it may be written again."""
    kept = sql_store(Workspace(tmp_path), database_url).kept
    (name,) = re.findall(r"/(test_\d+)\?", database_url)

    def begin_anew(settings: str) -> None:
        gone = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        postgres.run_sql("postgres", f"ALTER DATABASE {name} {settings}", gone)

    assert answers(kept) is True
    begin_anew("SET default_transaction_read_only = on")
    assert answers(kept) is False
    begin_anew("RESET default_transaction_read_only")
    assert answers(kept) is True
