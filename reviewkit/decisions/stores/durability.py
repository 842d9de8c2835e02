"""Whether a database keeps through a power cut what it has said is safe."""

from __future__ import annotations

from sqlalchemy import text

from reviewkit.decisions.stores.database import Database
from reviewkit.problems import Problem

_SETTINGS = {
    "fsync": "a power cut can lose records that people were told are safe, or the whole database",
    "full_page_writes": "a power cut can leave pages of the database half written",
}


def durability_faults(database: Database) -> list[Problem]:
    """Return what endangers records in a database, or keeps them out; CannotRead.

    ``synchronous_commit`` is none: reviewkit asks for ``on`` in each transaction of its own. A
    SQLite file is written with ``synchronous = FULL`` by each connection that is made here.
    """
    if database.is_sqlite:
        return []
    found: list[Problem] = []
    with database.reading(database.shown) as connection:
        for name, danger in _SETTINGS.items():
            if connection.execute(text(f"SHOW {name}")).scalar() != "on":
                remedy = f"set `{name} = on` in postgresql.conf and start PostgreSQL again"
                found.append(Problem(database.shown, f"{name} is off: {danger}", remedy))
        if connection.execute(text("SELECT pg_is_in_recovery()")).scalar():
            remedy = "name the primary server in rulings/store.yaml"
            found.append(
                Problem(database.shown, "this is a standby, which takes no record", remedy)
            )
    return found
