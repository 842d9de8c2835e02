"""The one row of ``reviewkit_store``: whose the database is, and whether it takes records.

While a copy of everything runs the database is closed; a copy that was killed leaves it so. Each
change says what it expects to find, so that of two copies at once one is refused.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy import select, update

from reviewkit.decisions.disk import CannotWrite
from reviewkit.decisions.stores.database import STORE_LOCK, Database
from reviewkit.decisions.stores.tables import STORE

FILLING = "it is being copied from files since"
EMPTYING = "it is being copied back to files since"
LEFT = "it was copied back to files on"


@dataclass(frozen=True, slots=True)
class StoreRow:
    """What the row says."""

    project: str | None
    """The id of the project that has switched to this database; None before any has."""
    closed: str | None
    """Why it takes no records; None while it does."""

    @property
    def is_left(self) -> bool:
        """Whether everything was copied back: files are in use, and go on from there."""
        return self.closed is not None and self.closed.startswith(LEFT)


def store_row(database: Database) -> StoreRow:
    """Return what the row says now; CannotRead."""
    with database.reading(database.shown) as connection:
        project, closed = connection.execute(select(STORE.c.project, STORE.c.closed)).one()
    return StoreRow(project, closed)


def change_closed(database: Database, was: str | None, closed: str | None) -> None:
    """Close the database, or open it with None, unless another copy was there first: CannotWrite.

    Whoever writes at that moment is waited for, and nobody writes afterwards.
    """
    with database.writing(STORE_LOCK, STORE_LOCK, alone=True) as connection:
        here = connection.execute(select(STORE.c.closed)).scalar()
        if here != was:
            raise CannotWrite(
                database.shown,
                "another `reviewkit ledger copy` has opened or closed it meanwhile",
                "look who runs one; when it has ended, run this one again",
            )
        connection.execute(update(STORE).values(closed=closed))


def claim(database: Database, project: str = "") -> str:
    """Return the id of the project whose the database is; the first claim makes it.

    Args:
        database: the database.
        project: the id to give it when it has none; a new one by default.
    """
    with database.writing(STORE_LOCK, STORE_LOCK, alone=True) as connection:
        theirs = connection.execute(select(STORE.c.project)).scalar()
        if theirs is None:
            theirs = project or secrets.token_hex(8)
            connection.execute(update(STORE).values(project=theirs))
    return theirs
