"""The store of a project folder with ``rulings/store.yaml``: one database for all its servers."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

from sqlalchemy import Connection, func, select

from reviewkit.decisions.stores.database import WAIT_SECONDS, Database
from reviewkit.decisions.stores.durability import durability_faults
from reviewkit.decisions.stores.sql_kept import SqlKept
from reviewkit.decisions.stores.sql_lines import SqlLines
from reviewkit.decisions.stores.tables import LINES
from reviewkit.problems import Problem
from reviewkit.workspace import Workspace


class SqlStore:
    """What people wrote in one project, in a database.

    Args:
        ws: the project folder; names in the database are names in it.
        url: the address of the database, with the driver.
        lock_seconds: how long to wait for another writer.
        look: looks once whether it is the right database, and raises.
    """

    is_shared = True

    def __init__(
        self,
        ws: Workspace,
        url: str,
        lock_seconds: float = WAIT_SECONDS,
        look: Callable[[Connection], None] | None = None,
    ) -> None:
        self._ws = ws
        self.database = Database(url, lock_seconds, look)
        self.kept = SqlKept(self.database)

    def lines(self, path: Path) -> SqlLines:
        """Return the lines that a path of the folder names."""
        return SqlLines(self.database, self._ws.shown(path))

    def logs(self, folder: Path, pattern: str = "*.jsonl") -> tuple[Path, ...]:
        """Return the paths below ``folder`` that hold lines and match, part by part, sorted."""
        start = f"{self._ws.shown(folder)}/"
        wanted = pattern.split("/")
        query = select(LINES.c.name).where(
            LINES.c.seq == 1, LINES.c.name.startswith(start, autoescape=True)
        )
        with self.database.reading(start) as connection:
            names = [str(name) for name in connection.execute(query).scalars()]
        found: list[Path] = []
        for name in sorted(names):
            parts = name.removeprefix(start).split("/")
            if len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted)):
                found.append(self._ws.root / name)
        return tuple(found)

    def changes(self, folder: Path) -> str:
        """Return how many lines each log below ``folder`` has."""
        start = f"{self._ws.shown(folder)}/"
        query = (
            select(LINES.c.name, func.max(LINES.c.seq))
            .where(LINES.c.name.startswith(start, autoescape=True))
            .group_by(LINES.c.name)
            .order_by(LINES.c.name)
        )
        with self.database.reading(start) as connection:
            return "|".join(f"{name}:{count}" for name, count in connection.execute(query))

    def dangers(self) -> list[Problem]:
        """Return what of the server's settings may lose what was said to be safe; CannotRead."""
        return durability_faults(self.database)
