"""One database: its engine, its locks, and its faults in words.

An engine is made at the first use and never before a fork: a kernel that was forked from a warm
parent makes its own, and leaves the connections of the parent alone.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, select, text
from sqlalchemy.exc import SQLAlchemyError

from reviewkit.decisions.disk import CannotRead, CannotWrite, OutcomeUnknown
from reviewkit.decisions.stores import database_faults, tables
from reviewkit.decisions.stores.store_file import shown_url

CONNECT_SECONDS = 5
WAIT_SECONDS = 10
"""How long a statement may run or wait for a lock; an append takes milliseconds."""
STORE_LOCK = "reviewkit:store"
"""Held by everybody who writes, shared; alone by who closes the database to copy it back."""

_ENGINES: dict[str, tuple[int, Engine]] = {}
_making = threading.Lock()


def _after_fork() -> None:
    global _making  # noqa: PLW0603 - a lock that another thread held at the fork is never freed
    _making = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


class Database:
    """The database at one address.

    Args:
        url: its address, with the driver.
        lock_seconds: how long to wait for another writer.
        look: looks once, before anything else is asked, whether it is the right one, and raises.
    """

    def __init__(
        self,
        url: str,
        lock_seconds: float = WAIT_SECONDS,
        look: Callable[[Connection], None] | None = None,
    ) -> None:
        self.url = url
        self.shown = shown_url(url)
        self.is_sqlite = url.startswith("sqlite")
        self._lock_seconds = lock_seconds
        self._look = look

    @property
    def engine(self) -> Engine:
        """The engine of this process; its tables are made when they are not there.

        Raises SQLAlchemyError when the database does not answer, StoreUnusable when its tables are
        of a newer reviewkit or it is another project's.
        """
        engine = self._engine()
        look = self._look
        if look is not None:
            with engine.connect() as connection:
                look(connection)
            self._look = None
        return engine

    def _engine(self) -> Engine:
        with _making:
            pid, engine = _ENGINES.get(self.url, (0, None))
            if engine is not None and pid == os.getpid():
                return engine
            if engine is not None:
                engine.dispose(close=False)
            engine = _made(self.url)
            try:
                self._prepare(engine)
            except BaseException:
                engine.dispose()
                raise
            _ENGINES[self.url] = (os.getpid(), engine)
            return engine

    @contextmanager
    def reading(self, shown: str) -> Generator[Connection]:
        """Give a connection to read with; CannotRead, naming ``shown``, when there is none."""
        try:
            engine = self.engine
            if not self.is_sqlite:
                # one statement sees one moment; a transaction around it is two journeys more
                engine = engine.execution_options(isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            why, remedy = self.told(error)
            raise CannotRead(shown, why, remedy) from error

    @contextmanager
    def writing(self, shown: str, name: str, *, alone: bool = False) -> Generator[Connection]:
        """Give a transaction that holds the lock of ``name`` between machines; commit at its end.

        What the body raises rolls it back. With ``alone`` nobody else writes anything meanwhile.
        Raises CannotWrite, naming ``shown``; OutcomeUnknown when the commit was not answered.
        """
        try:
            with self.engine.connect() as connection:
                self._lock(connection, name, alone)
                try:
                    yield connection
                except BaseException:
                    connection.rollback()
                    raise
                try:
                    connection.commit()
                except SQLAlchemyError as error:
                    why, _ = self.told(error)
                    raise OutcomeUnknown(shown, why) from error
        except SQLAlchemyError as error:
            raise CannotWrite(shown, *self.told(error)) from error

    def told(self, error: SQLAlchemyError) -> tuple[str, str]:
        """Return what is wrong and what to do, quoting no address, account or statement."""
        return database_faults.told(error, self.shown, self._lock_seconds)

    def must_be_open(self, connection: Connection, shown: str) -> None:
        """Raise CannotWrite when what the database holds was, or is being, copied back to files.

        To be asked in a transaction of ``writing``.
        """
        closed = connection.execute(select(tables.STORE.c.closed)).scalar()
        if closed:
            raise CannotWrite(shown, closed, CLOSED_REMEDY)

    def _lock(self, connection: Connection, name: str, alone: bool) -> None:
        if self.is_sqlite:
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(self._lock_seconds * 1000)}")
            # one writer at a time in the whole file
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        connection.execute(
            text(
                "SELECT set_config('lock_timeout', :wait, true), set_config('synchronous_commit',"
                " CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'"
                " ELSE current_setting('synchronous_commit') END, true)"
            ),
            {"wait": f"{int(self._lock_seconds * 1000)}ms"},
        )
        how = "" if alone else "_shared"
        connection.execute(
            text(f"SELECT pg_advisory_xact_lock{how}(:store), pg_advisory_xact_lock(:name)"),
            {"store": _lock_number(STORE_LOCK), "name": _lock_number(name)},
        )

    def _prepare(self, engine: Engine) -> None:
        """Make the tables when they are not there, and refuse those of a newer reviewkit."""
        with engine.connect() as connection:
            if tables.are_made(connection):
                tables.must_be_known(connection, self.shown)
                return
            connection.rollback()
            self._lock(connection, STORE_LOCK, alone=True)
            if not tables.are_made(connection):
                tables.make(connection)
            tables.must_be_known(connection, self.shown)
            connection.commit()


CLOSED_REMEDY = (
    "open this page or notebook again when that has ended; if the copy was broken off, whoever"
    " keeps the project runs it again (`reviewkit ledger copy --from-database --switch`), or opens"
    " the database with `reviewkit ledger copy --to-database --switch`"
)


def _lock_number(name: str) -> int:
    """Return the number that PostgreSQL locks in place of a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _made(url: str) -> Engine:
    if url.startswith("sqlite"):
        return _made_sqlite(url)
    settings = {
        "statement_timeout": f"{WAIT_SECONDS}s",
        "lock_timeout": f"{WAIT_SECONDS}s",
        "idle_in_transaction_session_timeout": "60s",
    }
    return create_engine(
        url,
        # a page of a rater asks one thing at a time, and there may be a hundred pages
        pool_size=1,
        max_overflow=4,
        pool_timeout=WAIT_SECONDS,
        pool_pre_ping=True,
        # a lock that is waited for must be followed by a look at what its holder left
        isolation_level="READ COMMITTED",
        hide_parameters=True,
        connect_args={
            "connect_timeout": CONNECT_SECONDS,
            "application_name": "reviewkit",
            "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
            "keepalives_idle": 30,
            "tcp_user_timeout": WAIT_SECONDS * 1000,
            # a pooler between us and the database knows no prepared statements
            "prepare_threshold": None,
        },
    )


def _made_sqlite(url: str) -> Engine:
    engine = create_engine(
        url,
        pool_size=1,
        max_overflow=4,
        pool_timeout=WAIT_SECONDS,
        hide_parameters=True,
        connect_args={"timeout": WAIT_SECONDS},
    )

    @event.listens_for(engine, "do_connect")
    def make_private(*_: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        # it holds the secret that signs cookies; what SQLite lays beside it has the same rights
        with suppress(OSError):  # it is there, or SQLite says why it cannot be made
            os.close(os.open(str(engine.url.database), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        # transactions are begun by us, in words: sqlite3 begins them too late for a lock
        connection.isolation_level = None
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    return engine


def _use_wal(connection: sqlite3.Connection) -> None:
    """Let readers and a writer go on side by side; the mode is the file's and set once."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            # changing the mode does not wait for others as a transaction does
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return
