"""Lines in a database: the same bytes as in a file, one row each.

An append is one transaction: the lock of these lines, which holds between machines; catch up; one
insert; commit. Only then is it said to be safe. A commit that was not answered is looked up again
under the same lock before anything is said.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, insert, literal, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from reviewkit.decisions.disk import CannotWrite, OutcomeUnknown
from reviewkit.decisions.lines import LedgerBroken, LineError, NewerRecord
from reviewkit.decisions.stores.database import WAIT_SECONDS, Database
from reviewkit.decisions.stores.protocols import Fold, Torn
from reviewkit.decisions.stores.tables import LINES, STORE

_PAUSE = 0.25
"""Seconds between two looks at a database that is not back yet."""


class SqlLines:
    """The lines of one name.

    Args:
        database: where they stand.
        name: their name: the path in the project folder, with slashes; also shown in messages.
    """

    def __init__(self, database: Database, name: str) -> None:
        self.shown = name
        self.database = database
        self._start_over()

    def _start_over(self) -> None:
        # how many lines of the fold the rows stand for, and the bytes of the last of them
        self._count = 0
        self._last = b""

    @property
    def torn(self) -> tuple[Torn, ...]:
        """Nothing: a row is there whole or not at all."""
        return ()

    @property
    def pending(self) -> Torn | None:
        """Nothing: a row is there whole or not at all."""
        return None

    def set_aside(self) -> tuple[str, ...]:
        """Return nothing: a row is there whole or not at all."""
        return ()

    def exists(self) -> bool:
        """Return whether there is any line."""
        query = select(literal(1)).where(LINES.c.name == self.shown).limit(1)
        with self.database.reading(self.shown) as connection:
            return connection.execute(query).first() is not None

    def catch_up(self, fold: Fold) -> None:
        """Read what others appended: one query, which also sees that the last line is as it was."""
        with self.database.reading(self.shown) as connection:
            self._follow(connection, fold)

    @contextmanager
    def writing(self, fold: Fold) -> Generator[_SqlPen]:
        """Hold the lock of these lines in a transaction, with everything read."""
        with self.database.writing(self.shown, self.shown) as connection:
            self._follow(connection, fold)
            yield _SqlPen(self, connection, fold.count + 1)

    def insert(self, connection: Connection, number: int, raw: bytes) -> None:
        """Add a row and commit; return once the database has said that it is safe."""
        is_open = select(literal(self.shown), literal(number), literal(raw)).where(
            select(STORE.c.closed).scalar_subquery().is_(None)
        )
        try:
            added = connection.execute(insert(LINES).from_select(["name", "seq", "line"], is_open))
        except IntegrityError as error:
            raise CannotWrite(
                self.shown, "another line was put in its place at that moment", "save again"
            ) from error
        if added.rowcount != 1:
            self.database.must_be_open(connection, self.shown)
        try:
            connection.commit()
        except SQLAlchemyError as error:
            with suppress(SQLAlchemyError):
                connection.invalidate()
                connection.rollback()
            self._settle(number, raw, error)
        self._count = number
        self._last = raw

    def _settle(self, number: int, raw: bytes, error: SQLAlchemyError) -> None:
        """Return when the row is there after all; CannotWrite when it is not."""
        end = time.monotonic() + WAIT_SECONDS
        query = select(LINES.c.line).where(LINES.c.name == self.shown, LINES.c.seq == number)
        while True:
            try:
                # whoever has the lock knows that the transaction before has come to its end
                with self.database.writing(self.shown, self.shown) as connection:
                    stands = connection.execute(query).scalar()
                break
            except CannotWrite as still:
                if time.monotonic() > end:
                    raise OutcomeUnknown(self.shown, still.why) from error
                time.sleep(_PAUSE)
        if stands is None or bytes(stands) != raw:
            raise CannotWrite(self.shown, *self.database.told(error)) from error

    def _follow(self, connection: Connection, fold: Fold) -> None:
        if not (self._count and self._count == fold.count and self._grew(connection, fold)):
            self._forget(fold)
            try:
                self._fold(self._rows(connection, 1), fold)
                fold.must_hold()
            except LineError as bad:
                self._forget(fold)
                raise LedgerBroken(self.shown, bad.line, bad.why, in_database=True) from None
            except (NewerRecord, LedgerBroken):
                self._forget(fold)
                raise

    def _grew(self, connection: Connection, fold: Fold) -> bool:
        """Take the rows that are new; return False when only a whole reading can tell."""
        rows = self._rows(connection, self._count)
        if not rows or rows[0].seq != self._count or bytes(rows[0].line) != self._last:
            return False
        try:
            self._fold(rows[1:], fold)
        except LineError:
            return False
        except NewerRecord:
            self._forget(fold)
            raise
        return True

    def _rows(self, connection: Connection, first: int) -> Sequence[Any]:
        query = (
            select(LINES.c.seq, LINES.c.line)
            .where(LINES.c.name == self.shown, LINES.c.seq >= first)
            .order_by(LINES.c.seq)
        )
        return connection.execute(query).all()

    def _fold(self, rows: Iterable[Any], fold: Fold) -> None:
        for row in rows:
            number = fold.count + 1
            if row.seq != number:
                raise LineError(number, f"the line is missing; the next one there is {row.seq}")
            raw = bytes(row.line)
            fold.read(raw)
            self._count = fold.count
            self._last = raw

    def _forget(self, fold: Fold) -> None:
        fold.forget()
        self._start_over()


class _SqlPen:
    """The right to add the next row, while its lock is held."""

    def __init__(self, lines: SqlLines, connection: Connection, number: int) -> None:
        self._lines = lines
        self._connection = connection
        self._number = number

    def add(self, raw: bytes) -> None:
        """Add the line and commit."""
        self._lines.insert(self._connection, self._number, raw)

    def confirm(self) -> None:
        """Return at once: a row that can be seen was committed, and a commit is on the disk."""
