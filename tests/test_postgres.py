"""The PostgreSQL of the tests: databases of their own, honest about what it acknowledged."""

from __future__ import annotations

import signal

import pytest
import sqlalchemy

from tests.postgres import Postgres

pytestmark = pytest.mark.database


def test_each_test_has_a_database_of_its_own(postgres: Postgres):
    """A table of one address is not in the other."""
    ours, theirs = (sqlalchemy.create_engine(postgres.fresh()) for _ in range(2))
    with ours.begin() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE said (word TEXT)"))
    assert sqlalchemy.inspect(ours).has_table("said")
    assert not sqlalchemy.inspect(theirs).has_table("said")
    ours.dispose()
    theirs.dispose()


def test_what_was_committed_survives_a_crash_of_the_server(postgres: Postgres, database_url: str):
    """An immediate stop loses nothing that was acknowledged, and the address stays the same."""
    engine = sqlalchemy.create_engine(database_url, pool_pre_ping=True)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE said (word TEXT)"))
        connection.execute(sqlalchemy.text("INSERT INTO said VALUES ('kept')"))
    postgres.stop(signal.SIGQUIT)
    postgres.start()
    with engine.connect() as connection:
        assert connection.scalar(sqlalchemy.text("SELECT word FROM said")) == "kept"
    engine.dispose()
