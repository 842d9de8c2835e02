"""Small named values in a database: each replaced whole, in a transaction."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, delete, literal_column, select, update
from sqlalchemy.dialects import postgresql, sqlite

from reviewkit.decisions.disk import CannotWrite
from reviewkit.decisions.stores.database import WAIT_SECONDS, Database
from reviewkit.decisions.stores.tables import KEPT

_POSTGRES_CLOCK = "extract(epoch from clock_timestamp())"
_SQLITE_CLOCK = "((julianday('now') - 2440587.5) * 86400.0)"


class SqlKept:
    """The values of one database; a name is a path in the project folder, with slashes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        clock = _SQLITE_CLOCK if database.is_sqlite else _POSTGRES_CLOCK
        self._clock = literal_column(clock, KEPT.c.changed.type)
        self._insert = sqlite.insert if database.is_sqlite else postgresql.insert
        self._held = threading.local()

    def read(self, name: str) -> bytes | None:
        """Return the value, or None when there is none; CannotRead when it cannot be known."""
        with self._reading(name) as connection:
            value = connection.execute(select(KEPT.c.value).where(KEPT.c.name == name)).scalar()
        return None if value is None else bytes(value)

    def write(self, name: str, value: bytes) -> None:
        """Replace the value; CannotWrite when that is not possible."""
        new = self._insert(KEPT).values(name=name, value=value, changed=self._clock)
        put = new.on_conflict_do_update(
            index_elements=[KEPT.c.name],
            set_={"value": new.excluded.value, "changed": new.excluded.changed},
        )
        with self._writing(name) as connection:
            connection.execute(put)

    def first(self, name: str, value: bytes, *, secret: bool = False) -> bytes:
        """Keep ``value`` unless there is one already, and return the one that stands.

        A secret is as safe as the database is. Raises CannotWrite or CannotRead.
        """
        del secret
        found = self.read(name)
        if found is not None:
            return found
        new = self._insert(KEPT).values(name=name, value=value, changed=self._clock)
        with self._writing(name) as connection:
            connection.execute(new.on_conflict_do_nothing(index_elements=[KEPT.c.name]))
            stands = connection.execute(select(KEPT.c.value).where(KEPT.c.name == name)).scalar()
        return bytes(stands or value)

    def remove(self, name: str) -> None:
        """Take the value away, if there is one; CannotWrite when that is not possible."""
        with self._writing(name) as connection:
            connection.execute(delete(KEPT).where(KEPT.c.name == name))

    def set_aside(self, name: str) -> str:
        """Give what cannot be used another name and return its last part; CannotWrite."""
        with self._writing(name) as connection:
            start = f"{name}.bad-"
            query = select(KEPT.c.name).where(KEPT.c.name.startswith(start, autoescape=True))
            taken = set(connection.execute(query).scalars())
            number = next(n for n in range(1, len(taken) + 2) if f"{start}{n}" not in taken)
            connection.execute(
                update(KEPT).where(KEPT.c.name == name).values(name=f"{start}{number}")
            )
        return f"{start}{number}".rpartition("/")[2]

    def touch(self, name: str) -> None:
        """Say that the value still holds; what is not there is not made."""
        with suppress(CannotWrite), self._writing(name) as connection:
            connection.execute(update(KEPT).where(KEPT.c.name == name).values(changed=self._clock))

    def changed(self, name: str) -> float | None:
        """Return when the value was last written or touched, by the database's clock, in seconds.

        Raises CannotRead.
        """
        with self._reading(name) as connection:
            return connection.execute(select(KEPT.c.changed).where(KEPT.c.name == name)).scalar()

    def now(self) -> float:
        """Return the database's clock, in seconds since the epoch; CannotRead."""
        with self._reading(self._database.shown) as connection:
            return float(connection.execute(select(self._clock)).scalar_one())

    @contextmanager
    def exclusive(self, name: str, seconds: float = WAIT_SECONDS) -> Generator[None]:
        """Hold the lock of this name between machines; what is written within is kept together.

        How long is waited is the database's affair. Raises CannotWrite.
        """
        del seconds
        with self._database.writing(name, name) as connection:
            before: Connection | None = getattr(self._held, "by", None)
            self._held.by = connection
            try:
                yield
            finally:
                self._held.by = before

    @contextmanager
    def _reading(self, name: str) -> Generator[Connection]:
        held: Connection | None = getattr(self._held, "by", None)
        if held is not None:
            yield held
            return
        with self._database.reading(name) as connection:
            yield connection

    @contextmanager
    def _writing(self, name: str) -> Generator[Connection]:
        held: Connection | None = getattr(self._held, "by", None)
        if held is not None:
            self._database.must_be_open(held, name)
            yield held
            return
        with self._database.writing(name, name) as connection:
            self._database.must_be_open(connection, name)
            yield connection
