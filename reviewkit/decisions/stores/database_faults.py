"""What went wrong in a database, in a sentence that quotes no address, account or statement."""

from __future__ import annotations

import re

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_AGAIN = "save again in a moment; if it goes on, tell whoever keeps the database"
_KEEPER = "ask whoever keeps the database to mend it, then save again"
_ANOTHER = "look for another tab or command that writes for this person, then save again"

_BY_STATE = {
    "53100": ("the disk of the database is full", "free some room there, then save again"),
    "53300": (
        "the database has no connection free",
        "close pages that nobody uses, or have max_connections raised, then save again",
    ),
    "25006": ("the database may only be read", _KEEPER),
    "42501": ("this account may not do that in the database", _KEEPER),
    "28P01": ("the database does not take the password", "set PGPASSWORD or ~/.pgpass"),
    "28000": ("the database does not let this account in", _KEEPER),
    "3D000": ("there is no such database", "make it with `createdb`, or mend the address"),
    "42P01": ("its tables are gone", "restore the database from a backup"),
}
_NO_CONNECTION = re.compile(r"too many (clients|connections)|remaining connection slots")
"""What PostgreSQL says to who comes then; psycopg gives no state for it."""
_BY_SQLITE_NAME = {
    "SQLITE_FULL": ("the disk is full", "free some room on the disk, then save again"),
    "SQLITE_READONLY": (
        "the file of the database may only be read",
        "ask whoever keeps the project folder to let this account write there",
    ),
    "SQLITE_CANTOPEN": (
        "the file of the database cannot be opened",
        "look whether its folder is there and may be written, then save again",
    ),
    "SQLITE_NOTADB": ("the file is no SQLite database", "put the database back from a backup"),
    "SQLITE_CORRUPT": ("the file is damaged", "put the database back from a backup"),
}


def told(error: SQLAlchemyError, shown: str, lock_seconds: float) -> tuple[str, str]:
    """Return what is wrong and what to do.

    Args:
        error: what SQLAlchemy raised.
        shown: the database as messages name it.
        lock_seconds: how long a lock was waited for.
    """
    waited = (f"another writer has held its lock for {lock_seconds:g} s", _ANOTHER)
    if isinstance(error, PoolTimeout):
        return f"{shown} is too busy", _AGAIN
    original: object = error.orig if isinstance(error, DBAPIError) else None
    state = getattr(original, "sqlstate", None)
    if state is None and _NO_CONNECTION.search(str(original)):
        state = "53300"
    if state in ("55P03", "57014"):
        return waited
    if state in _BY_STATE:
        why, remedy = _BY_STATE[state]
        return f"{shown}: {why}", remedy
    name = str(getattr(original, "sqlite_errorname", ""))
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return waited
    for known, (why, remedy) in _BY_SQLITE_NAME.items():
        if name.startswith(known):
            return f"{shown}: {why}", remedy
    if _is_lost(error, state):
        return f"{shown} does not answer", _AGAIN
    kind = type(original or error).__name__
    return f"{shown} refuses it ({', '.join(each for each in (kind, state or name) if each)})", (
        _KEEPER
    )


def _is_lost(error: SQLAlchemyError, state: object) -> bool:
    """Return whether the connection is gone or never came."""
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    if state is None:
        # psycopg has no state for a server that is not there
        return type(error.orig).__module__.startswith("psycopg")
    return str(state).startswith(("08", "57P"))
