"""The small values that a database keeps, all of them, for the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from reviewkit.decisions.stores.sql_store import SqlStore
from reviewkit.decisions.stores.tables import KEPT

if TYPE_CHECKING:
    from reviewkit.decisions.stores.file_store import FileStore


def kept_values(store: SqlStore | FileStore) -> list[tuple[str, bytes]]:
    """Return name and value of everything that is kept there; CannotRead when it is away."""
    if not isinstance(store, SqlStore):
        return []
    with store.database.reading("kept values") as connection:
        rows = connection.execute(select(KEPT.c.name, KEPT.c.value)).all()
    return [(str(name), bytes(value)) for name, value in rows]
