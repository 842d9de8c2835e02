"""The PostgreSQL of the tests: databases of their own, honest about what it acknowledged."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sqlalchemy

from tests.postgres import Postgres

ROOT = Path(__file__).parent.parent

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


def test_tests_that_are_killed_leave_no_server(postgres: Postgres):
    """A run that is killed cannot clean up; its server ends all the same."""
    code = (
        "import os, signal, sys; sys.path.insert(0, sys.argv[1]);"
        "from tests.postgres import Postgres, programs;"
        "one = Postgres(programs()); one.make(); one.start();"
        "print(one.folder, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT)], check=False, capture_output=True, text=True
    )
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("rk-pg-")
    end = time.monotonic() + 20
    while folder.exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert not folder.exists()
