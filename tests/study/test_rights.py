"""The rights that docs/many-machines.md gives to the app's role are enough to rate, and no more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reviewkit.decisions.stores.sql_store import SqlStore
from reviewkit.study.links import LinkBook
from reviewkit.study.writer import WriterMark
from reviewkit.workspace import Workspace
from tests.postgres import Postgres

PAGE = Path(__file__).parents[2] / "docs" / "many-machines.md"
pytestmark = pytest.mark.database


def test_the_apps_role_writes_and_can_change_no_line(
    tmp_path: Path, postgres: Postgres, database_url: str
):
    """It makes links and marks; a line can be neither changed nor removed, by the owner neither."""
    ws = Workspace(tmp_path)
    # the owner makes the tables
    assert SqlStore(ws, database_url).kept.read("rulings/none") is None
    database = re.search(r"@/(\w+)\?", database_url)[1]
    grants = re.search(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    postgres.run_sql(database, "CREATE ROLE reviewkit_app LOGIN", *grants.strip().split("\n"))

    store = SqlStore(ws, postgres.url(database, "reviewkit_app"))
    book = LinkBook(ws.links, store.lines(ws.links))
    token = book.make("demo", "first", "amal")
    book.revoke("demo", "amal")
    mark = WriterMark("rulings/demo/first/amal.writer.json", store.kept)
    assert mark.claim("tab")
    assert mark.holds()
    assert book.who(token) is None

    for statement in ("UPDATE lines SET line = ''", "DELETE FROM lines", "TRUNCATE lines"):
        with pytest.raises(RuntimeError, match="permission denied"):
            postgres.run_sql(database, "SET ROLE reviewkit_app", statement)
        with pytest.raises(RuntimeError, match="only added"):
            postgres.run_sql(database, statement)
    assert len(book.list()) == 1
    store.database.engine.dispose()
