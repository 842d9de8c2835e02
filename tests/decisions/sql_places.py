"""A place in a database that tests use as they use the path of a file."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from reviewkit.decisions import ChainedLedger, FileLedger
from reviewkit.decisions.stores.sql_lines import SqlLines
from reviewkit.decisions.stores.sql_store import SqlStore
from reviewkit.decisions.stores.tables import LINES
from reviewkit.workspace import Workspace


class SqlPlace:
    """The lines of one name in a database, read as the bytes that their file would hold."""

    def __init__(self, url: str, name: str, lock_seconds: float = 10) -> None:
        self.url = url
        self.name = name
        self.store = SqlStore(Workspace(Path("/nowhere")), url, lock_seconds)

    def lines(self) -> SqlLines:
        """Return the lines anew, as another process opens them."""
        return SqlLines(self.store.database, self.name)

    def read_bytes(self) -> bytes:
        """Return every line with its newline."""
        query = select(LINES.c.line).where(LINES.c.name == self.name).order_by(LINES.c.seq)
        with self.store.database.reading(self.name) as connection:
            return b"".join(bytes(each) + b"\n" for each in connection.execute(query).scalars())

    def exists(self) -> bool:
        """Return whether there is any line."""
        return self.lines().exists()


class SqlLedger(ChainedLedger):
    """A ledger in a database that is made as a ``FileLedger`` is."""

    def __init__(self, path: SqlPlace, shown: str = "", **more) -> None:
        self._place = path
        super().__init__(path.lines(), **more)

    @property
    def path(self) -> SqlPlace:
        """The place, to be opened again."""
        return self._place


def ledger_at(path: Path | SqlPlace, shown: str = "", **more) -> ChainedLedger:
    """Return a ledger of its own at a place that another object may have open."""
    return (SqlLedger if isinstance(path, SqlPlace) else FileLedger)(path, shown, **more)


def lines_at(path: Path | SqlPlace) -> Path | SqlLines:
    """Return what a chain is opened with."""
    return path.lines() if isinstance(path, SqlPlace) else path
