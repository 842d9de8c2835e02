"""Lines in a database: what a disk's tests ask of a file, asked of rows, locks and a server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from reviewkit.decisions import (
    CannotRead,
    CannotWrite,
    Chain,
    ChainLine,
    LedgerBroken,
    verify_chain,
)
from reviewkit.decisions.disk import OutcomeUnknown
from reviewkit.decisions.stores import StoreUnusable
from reviewkit.decisions.stores.database import Database
from reviewkit.decisions.stores.tables import TABLES_VERSION
from tests.decisions.sql_places import SqlPlace
from tests.postgres import OWNER


class Saying(ChainLine):
    text: str


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.database)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a database of this test alone."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'own.db'}"
    return str(request.getfixturevalue("database_url"))


@pytest.fixture
def place(url: str) -> SqlPlace:
    """Return where the lines stand; writers wait for each other for a second."""
    return SqlPlace(url, "rulings/log.jsonl", lock_seconds=1)


def _chain(place: SqlPlace) -> Chain[Saying]:
    return Chain(place.lines(), "", Saying)


def _say(chain: Chain[Saying], said: str, click: str = "") -> Saying:
    return chain.append({"click_id": click or f"click-{said:>8}".replace(" ", "0"), "text": said})


def _by_hand(place: SqlPlace, *statements: str) -> None:
    """Change rows as an administrator does who has switched the guards off."""
    database = place.store.database
    with database.engine.begin() as connection:
        if database.is_sqlite:
            for name in ("changed", "removed"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS lines_are_not_{name}"))
        else:
            connection.execute(text("ALTER TABLE lines DISABLE TRIGGER USER"))
        for each in statements:
            connection.execute(text(each))


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE lines SET line = (SELECT line FROM lines WHERE seq = 3) WHERE seq = 2",
            "record 3",
        ),
        ("DELETE FROM lines WHERE seq = 2", "the line is missing"),
        ("UPDATE lines SET seq = seq + 1 WHERE seq = 3", "the line is missing"),
    ],
)
def test_rows_that_were_changed_are_noticed(place, statement, said):
    """Edited, removed and moved rows are named by place and line, by whoever reads them anew."""
    chain = _chain(place)
    for each in ("one", "two", "three"):
        _say(chain, each)
    _by_hand(place, statement)
    line = 3 if "seq + 1" in statement else 2
    with pytest.raises(LedgerBroken, match=rf"^rulings/log.jsonl:{line}: .*{said}.*the database"):
        _chain(place).lines()
    (problem,) = verify_chain(_chain(place)).problems
    assert problem.where == f"rulings/log.jsonl:{line}"
    with pytest.raises(LedgerBroken):
        _say(_chain(place), "four")


def test_what_was_acknowledged_must_stay(place):
    """Rows that went away are noticed by the process that wrote them, also one still running."""
    chain = _chain(place)
    _say(chain, "one")
    _say(chain, "two")
    _by_hand(place, "DELETE FROM lines WHERE seq = 2")
    with pytest.raises(LedgerBroken, match=r"log\.jsonl:2: record 2, which was safely"):
        chain.lines()
    with pytest.raises(LedgerBroken):
        _say(chain, "three")


@pytest.mark.parametrize("change", ["UPDATE lines SET seq = 7", "DELETE FROM lines"])
def test_the_database_refuses_changes(place, change):
    """A line is neither changed nor removed by a statement of anybody who may write."""
    _say(_chain(place), "one")
    with pytest.raises(DBAPIError, match="only added"), place.store.database.engine.begin() as by:
        by.execute(text(change))
    assert len(_chain(place).lines()) == 1


def test_a_newer_database_is_refused(place):
    """Tables of a newer reviewkit are neither read nor written, with the remedy to upgrade."""
    _say(_chain(place), "one")
    _by_hand(place, f"UPDATE reviewkit_store SET version = {TABLES_VERSION + 1}")
    code = _child(lambda: _chain(SqlPlace(place.url, place.name)).lines())
    assert code == "StoreUnusable"


def _child(work: Callable[[], object]) -> str:
    """Run ``work`` in a forked process; return the name of what it raised, or nothing."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        said = ""
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - the parent reads its name
            said = type(error).__name__
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    said = os.read(reader, 200).decode()
    os.close(reader)
    os.waitpid(child, 0)
    return said


def test_a_fork_makes_its_own_connection(place):
    """A child that was forked with a connection open uses one of its own; the parent's goes on."""
    chain = _chain(place)
    _say(chain, "one")
    for number in range(3):
        assert _child(lambda n=number: _say(chain, f"child{n}")) == ""
        _say(chain, f"parent{number}")
    assert [each.text for each in _chain(place).lines()] == [
        "one", "child0", "parent0", "child1", "parent1", "child2", "parent2",
    ]  # fmt: skip


def test_another_writer_holds_the_lock(place):
    """A lock that is not freed in time is told; nothing is recorded, and the next call works."""
    _say(_chain(place), "one")
    database = Database(place.url)
    with (
        database.writing("x", place.name),
        pytest.raises(CannotWrite, match=r"nothing was recorded: another writer .* for 1 s"),
    ):
        _say(_chain(place), "two")
    assert _say(_chain(place), "two").seq == 2


class _Lost(Exception):
    sqlstate = "08006"


def _commit_lost(monkeypatch: pytest.MonkeyPatch, *, done: bool, times: int = 1) -> None:
    """Have the answer to the next commits lost, after or before the database took them."""
    real = Connection.commit
    left = [times]

    def commit(self: Connection) -> None:
        if not left[0]:
            return real(self)
        left[0] -= 1
        if done:
            real(self)
        raise DBAPIError("COMMIT", {}, _Lost(), connection_invalidated=False)

    monkeypatch.setattr(Connection, "commit", commit)


def test_a_commit_that_was_not_answered(place, monkeypatch):
    """It is looked up before anything is said: recorded when it stands, else nothing was."""
    chain = _chain(place)
    _say(chain, "one")
    with monkeypatch.context() as patch:
        _commit_lost(patch, done=True)
        assert _say(chain, "two").seq == 2
    with monkeypatch.context() as patch:
        _commit_lost(patch, done=False)
        with pytest.raises(CannotWrite, match=r"nothing was recorded: .* does not answer"):
            _say(chain, "three")
    assert _say(chain, "three").seq == 3
    assert [each.text for each in _chain(place).lines()] == ["one", "two", "three"]


def test_an_outcome_that_stays_unknown(place, monkeypatch):
    """When nobody can tell, that is said; the same click again is recorded once."""
    chain = _chain(place)
    _say(chain, "one")
    monkeypatch.setattr("reviewkit.decisions.stores.sql_lines.WAIT_SECONDS", 0)
    with monkeypatch.context() as patch:
        _commit_lost(patch, done=True, times=9)
        with pytest.raises(OutcomeUnknown, match=r"not known whether .* not recorded twice"):
            _say(chain, "two")
    assert _say(chain, "two").seq == 2
    assert len(_chain(place).lines()) == 2


def test_no_database_there(tmp_path):
    """A database that does not answer is told with nothing of its address but host and name."""
    url = f"postgresql+psycopg://amal@/rulings?host={tmp_path}&connect_timeout=1"
    place = SqlPlace(url, "rulings/log.jsonl")
    with pytest.raises(CannotRead, match="does not answer") as read:
        _chain(place).lines()
    with pytest.raises(CannotWrite, match=r"nothing was recorded: .* does not answer"):
        _say(_chain(place), "one")
    assert "amal" not in str(read.value)


@pytest.mark.database
def test_no_connection_free(postgres, database_url):
    """A database that is full says so: waiting or closing pages helps, and it is not away."""
    _say(_chain(SqlPlace(database_url, "rulings/log.jsonl")), "one")
    postgres.run_sql("postgres", "CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
    place = SqlPlace(database_url.replace(f"//{OWNER}@", "//crowded@"), "rulings/log.jsonl")
    with pytest.raises(CannotRead, match="has no connection free; close pages"):
        _chain(place).lines()
    with pytest.raises(CannotWrite, match=r"nothing was recorded: .* has no connection free"):
        _say(_chain(place), "two")


def _crowd(place: SqlPlace, told: Path) -> Iterator[int]:
    """Yield processes that append until they are killed, and note what they were told is safe."""
    for me in range(3):
        child = os.fork()
        if child == 0:
            chain = _chain(SqlPlace(place.url, place.name))
            for turn in range(100_000):
                click = f"click-{me}-{os.getpid()}-{turn:06d}"
                for _ in range(200):
                    try:
                        said = chain.append({"click_id": click, "text": "كلمة" * (turn % 50)})
                    except (CannotWrite, CannotRead):
                        time.sleep(0.05)
                    else:
                        break
                else:
                    os._exit(1)
                with told.open("ab") as file:
                    file.write(f"{click} {said.digest}\n".encode())
            os._exit(0)
        yield child


def _must_hold(place: SqlPlace, told: Path) -> int:
    """Check that all that was acknowledged stands once, and the chain is sound."""
    assert verify_chain(_chain(place)).problems == ()
    lines = _chain(place).lines()
    there = {each.click_id: each.digest for each in lines}
    assert len(there) == len(lines)
    acknowledged = dict(each.split() for each in told.read_text().splitlines())
    assert {click: there.get(click) for click in acknowledged} == acknowledged
    return len(acknowledged)


def _wait_for_more(told: Path) -> None:
    """Return once a dozen more were acknowledged."""
    wanted = told.read_bytes().count(b"\n") + 12
    end = time.monotonic() + 30
    while told.read_bytes().count(b"\n") < wanted:
        assert time.monotonic() < end, "nobody gets on"
        time.sleep(0.05)


@pytest.mark.stress
def test_killed_at_random(place, tmp_path):
    """Writers of one ledger that are killed at any moment lose nothing acknowledged."""
    told = tmp_path / "told"
    told.touch()
    _say(_chain(place), "one")
    for round_ in range(4):
        children = list(_crowd(place, told))
        _wait_for_more(told)
        time.sleep(0.07 * round_)
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    assert _must_hold(place, told) > 10


@pytest.mark.stress
@pytest.mark.database
def test_the_server_dies_while_people_write(postgres, tmp_path):
    """PostgreSQL stopped at once and started again: nothing lost or doubled, writers go on."""
    place = SqlPlace(postgres.fresh(), "rulings/log.jsonl")
    _say(_chain(place), "one")
    told = tmp_path / "told"
    told.touch()
    children = list(_crowd(place, told))
    try:
        for _ in range(2):
            _wait_for_more(told)
            postgres.stop(signal.SIGQUIT)
            time.sleep(0.3)
            postgres.start()
        _wait_for_more(told)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    assert _must_hold(place, told) > 10


def test_the_tables_are_checked_in_words(place):
    """A database whose own row is gone is refused, with what to do."""
    _say(_chain(place), "one")
    _by_hand(place, "DELETE FROM reviewkit_store")
    assert _child(lambda: _chain(SqlPlace(place.url, place.name)).lines()) == StoreUnusable.__name__
