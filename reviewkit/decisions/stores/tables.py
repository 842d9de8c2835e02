"""The tables of the database, how they come to be, and that lines are only ever added.

``lines`` holds every ledger: the bytes that its file would hold, line by line. ``kept`` holds the
small values that are replaced whole. ``reviewkit_store`` is one row: the version of these tables,
whose they are, and whether what they hold has been copied back to files.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    inspect,
    select,
)

from reviewkit.decisions.stores.store_file import StoreUnusable

TABLES_VERSION = 1
"""Counts up when the tables change; an older reviewkit refuses what a newer one has made."""

METADATA = MetaData()

STORE = Table(
    "reviewkit_store",
    METADATA,
    Column("one", Integer, CheckConstraint("one = 1"), primary_key=True),
    Column("version", Integer, nullable=False),
    # the id of the project; none before its folder has switched to the database
    Column("project", Text, nullable=True),
    # why nothing may be added, when nothing may
    Column("closed", Text, nullable=True),
)

LINES = Table(
    "lines",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("seq", BigInteger, CheckConstraint("seq > 0"), primary_key=True, autoincrement=False),
    # the line as its file would hold it, without the newline
    Column("line", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

KEPT = Table(
    "kept",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    # seconds since the epoch by the clock of the database
    Column("changed", Double, nullable=False),
)

_ONLY_ADDED = "reviewkit: lines are only added, never changed or removed"
_GUARDS = {
    "postgresql": (
        (
            "CREATE FUNCTION lines_are_only_added() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION '{_ONLY_ADDED}'; END $$"
        ),
        (
            "CREATE TRIGGER lines_are_only_added BEFORE UPDATE OR DELETE ON lines"
            " FOR EACH ROW EXECUTE FUNCTION lines_are_only_added()"
        ),
        (
            "CREATE TRIGGER lines_are_not_emptied BEFORE TRUNCATE ON lines"
            " FOR EACH STATEMENT EXECUTE FUNCTION lines_are_only_added()"
        ),
    ),
    "sqlite": (
        (
            "CREATE TRIGGER lines_are_not_changed BEFORE UPDATE ON lines"
            f" BEGIN SELECT RAISE(ABORT, '{_ONLY_ADDED}'); END"
        ),
        (
            "CREATE TRIGGER lines_are_not_removed BEFORE DELETE ON lines"
            f" BEGIN SELECT RAISE(ABORT, '{_ONLY_ADDED}'); END"
        ),
    ),
}


def are_made(connection: Connection) -> bool:
    """Return whether the tables are there; an older or newer reviewkit may have made them."""
    return inspect(connection).has_table(STORE.name)


def make(connection: Connection) -> None:
    """Make the tables; called in a transaction that keeps others from doing so meanwhile."""
    METADATA.create_all(connection)
    for statement in _GUARDS[connection.dialect.name]:
        connection.exec_driver_sql(statement)
    connection.execute(STORE.insert().values(one=1, version=TABLES_VERSION, closed=None))


def must_be_known(connection: Connection, shown: str) -> None:
    """Raise StoreUnusable when the tables are of another version than this reviewkit knows."""
    version = connection.execute(select(STORE.c.version)).scalar()
    if version is None or version < TABLES_VERSION:
        raise StoreUnusable(
            f"{shown}: its tables are of version {version}, this reviewkit needs"
            f" {TABLES_VERSION}; restore the database from a backup"
        )
    if version > TABLES_VERSION:
        raise StoreUnusable(
            f"{shown}: its tables were made by a newer reviewkit (version {version}; this one"
            f" knows {TABLES_VERSION}); upgrade reviewkit"
        )
