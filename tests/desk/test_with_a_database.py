"""The desk on a database: only where one is configured, and each rater's page reads its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from reviewkit.decisions.stores import store_of
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.desk.board import BoardSession
from reviewkit.release.ledger_copy import copy_to_database
from reviewkit.workspace import Workspace
from tests.desk.talk import Page, sit_down

REPOSITORY = Path(__file__).parents[2]
FIRST, SECOND = "first-reviewer", "second-reviewer"
WORDS = "words of the second reviewer"
SHARED = {
    "rulings/log.jsonl", "rulings/demo/lead.jsonl", "rulings/demo/cards.jsonl",
    "rulings/demo/round-1.pins.json",
}  # fmt: skip
OWN = {f"rulings/demo/first/{FIRST}.{end}" for end in ("jsonl", "draft.json", "writer.json")}

Asked = list[tuple[str, tuple[str, ...]]]


def judge_all(page: Page) -> None:
    """Answer every card, with a draft before each, and lock the pass."""
    while not (page.view["done"] and page.view["done"]["can_lock"]):
        page.draft(page.answers(), "half")
        assert page.submit(note="mine")["kind"] == "recorded"
    assert page.say("lock", click_id=page.click())["kind"] == "recorded"


@pytest.fixture
def on_database(demo: Workspace, tmp_path: Path) -> Workspace:
    """Return the demo after the second reviewer wrote, in a database."""
    sit_down(demo, SECOND).submit(note=WORDS)
    copy_to_database(demo, sql_store(demo, f"sqlite:///{tmp_path / 'desk.db'}"), switch=True)
    return demo


@pytest.fixture
def asked(on_database: Workspace) -> Iterator[Asked]:
    """Return what is asked of the database: each statement with the names that it gives."""
    del on_database
    statements: Asked = []

    def note(_c: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        values = given.values() if isinstance(given, dict) else given
        names = tuple(v for v in values if isinstance(v, str) and v.startswith("rulings/"))
        statements.append((statement, names))

    event.listen(Engine, "before_cursor_execute", note)
    yield statements
    event.remove(Engine, "before_cursor_execute", note)


def test_a_raters_page_reads_no_ledger_but_its_own(on_database: Workspace, asked: Asked) -> None:
    """From the first look to the lock; what has no name of its own reads no line."""
    page = sit_down(on_database, FIRST)
    judge_all(page)
    names = {name for _, given in asked for name in given if not name.endswith("/")}
    assert f"rulings/demo/first/{FIRST}.jsonl" in names
    assert names <= OWN | SHARED
    for statement, given in asked:
        if re.search(r"SELECT.*\b(lines\.line|kept\.value)\b", statement, re.DOTALL):
            assert given
            assert not any(name.endswith("/") for name in given), statement
    assert WORDS not in str(page.heard)


def test_the_board_shows_what_it_shows_of_files(demo: Workspace, tmp_path: Path) -> None:
    """Counts, times and states, the same ones, and no word of a rater before the labels open."""
    sit_down(demo, SECOND).submit(note=WORDS)
    hello = {"kind": "hello", "id": 1, "tab": "lead-tab", "language": "en"}
    of_files = BoardSession(demo).receive(hello)
    copy_to_database(demo, sql_store(demo, f"sqlite:///{tmp_path / 'desk.db'}"), switch=True)
    of_database = BoardSession(demo).receive(hello)
    assert store_of(demo).is_shared
    assert of_files["view"]["studies"][0]["rounds"][0]["passes"]
    assert of_database["view"]["studies"] == of_files["view"]["studies"]
    assert WORDS not in str(of_database)


def test_without_a_database_nothing_of_it_is_loaded(demo: Workspace) -> None:
    """A whole sitting with files: the packages need not even be installed."""
    code = (
        "import sys\n"
        "from reviewkit.workspace import Workspace\n"
        "from tests.desk.talk import sit_down\n"
        "import reviewkit.desk.review, reviewkit.archives, reviewkit.cli.app\n"
        "page = sit_down(Workspace(__import__('pathlib').Path(sys.argv[1])), 'first-reviewer')\n"
        "assert page.submit()['kind'] == 'recorded'\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('sqlalchemy', 'psycopg')])\n"
    )
    path = os.pathsep.join([str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", code, str(demo.root)], check=False, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path}, timeout=120,
    )  # fmt: skip
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


@pytest.mark.database
def test_a_server_that_does_not_force_to_the_disk_is_told(
    demo: Workspace, database_url: str
) -> None:
    """The server of the tests runs with ``fsync`` off, which is what is to be found."""
    store = sql_store(demo, database_url)
    found = store.dangers()
    assert [each.wrong.partition(":")[0] for each in found] == [
        "fsync is off", "full_page_writes is off",
    ]  # fmt: skip
    assert "reviewkit_tests" not in str(found)
    store.database.engine.dispose()
