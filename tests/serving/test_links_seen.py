"""A database that hangs: the loop goes on, what was known holds, and a revocation counts soon."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions.disk import CannotRead
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.desk.server import links_seen
from reviewkit.desk.server.health import Folder, Health, answers
from reviewkit.desk.server.lifetime import Lifetime
from reviewkit.desk.server.links_seen import SeenLinks
from reviewkit.desk.server.logs import ServerLog
from reviewkit.study.links import Link, LinkBook, LinkRevoked
from reviewkit.workspace import Workspace
from tests.serving.served import run_apart


@pytest.fixture
def silent() -> Iterator[tuple[str, socket.socket]]:
    """Return the address of a database that takes connections and never says a word."""
    pytest.importorskip("psycopg")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"postgresql+psycopg://r@127.0.0.1:{listener.getsockname()[1]}/x", listener


async def turns(number: int) -> int:
    """Let the loop turn so many times."""
    for _ in range(number):
        await asyncio.sleep(0)
    return number


def book_in(folder: Path, url: str) -> LinkBook:
    """Return a book of links that is kept in a database."""
    ws = Workspace(folder)
    return LinkBook(ws.links, sql_store(ws, url).lines(ws.links))


class Hanging(LinkBook):
    """A book that is asked elsewhere once it has been opened."""

    elsewhere: LinkBook | None = None

    def list(self) -> tuple[Link, ...]:
        """Return the links of the other place, if there is one."""
        return self.elsewhere.list() if self.elsewhere else super().list()


def test_a_database_that_hangs_stops_nobody_but_who_asks(
    tmp_path: Path, silent: tuple[str, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question waits in a thread; open sockets go by what was seen; who comes is told."""
    url, listener = silent
    book = Hanging(tmp_path / "links.jsonl")
    name = book.admit(book.make("demo", "first", "amal"), "demo").link
    monkeypatch.setattr(links_seen, "RECENT_SECONDS", -1.0)
    monkeypatch.setattr(links_seen, "PATIENCE_SECONDS", 0.05)

    async def go() -> None:
        seen = SeenLinks(book, shared=True)
        book.elsewhere = book_in(tmp_path, url)
        asking = asyncio.ensure_future(seen.anew())
        connection, _ = await asyncio.to_thread(listener.accept)
        assert await turns(100) == 100
        assert not asking.done()
        # messages on open sockets wait a moment and are then judged by what is known
        assert (await seen.lately()).working(name) is not None
        assert not asking.done()
        connection.close()
        listener.close()
        with pytest.raises(CannotRead):
            await asking

    run_apart(go())


def test_healthz_says_that_the_database_is_silent(
    tmp_path: Path, silent: tuple[str, socket.socket]
) -> None:
    """The answer comes while the question still waits, and blames neither folder nor disk."""
    url, _ = silent
    kept = sql_store(Workspace(tmp_path), url).kept

    async def go() -> tuple[int, dict[str, Any]]:
        health = Health(
            lambda: Folder(writable=True, room=True), lambda: (0, 0), Lifetime(ServerLog()),
            database=lambda: answers(kept), patience=0.05,
        )  # fmt: skip
        return await health.now()

    status, told = run_apart(go())
    assert (status, told["database_reachable"]) == (503, False)
    assert told["ledgers_writable"]
    assert told["disk_has_room"]


def test_a_revocation_in_a_database_counts_at_the_next_request(tmp_path: Path) -> None:
    """A request asks anew; a message goes by what is at most RECENT_SECONDS old."""
    url = f"sqlite:///{tmp_path / 'links.db'}"
    lead, server = book_in(tmp_path, url), book_in(tmp_path, url)
    token = lead.make("demo", "first", "amal")

    async def go() -> None:
        seen = SeenLinks(server, shared=True)
        link = (await seen.anew()).admit(token, "demo").link
        lead.revoke("demo", "amal")
        # known from a moment ago, and not asked
        assert seen.last.working(link) is not None
        with pytest.raises(LinkRevoked):
            (await seen.anew()).admit(token, "demo")
        assert seen.last.working(link) is None

    run_apart(go())


def test_who_comes_as_the_answer_does_never_stops_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that is there and not yet noted is waited for by nobody in one endless turn."""
    seen = SeenLinks(LinkBook(tmp_path / "links.jsonl"), shared=True)
    late: list[asyncio.Future[LinkBook]] = []

    def ask_in_the_loop(ask: Callable[[], LinkBook]) -> asyncio.Future[LinkBook]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[LinkBook] = loop.create_future()
        if not late:
            loop.call_soon(lambda: late.append(asyncio.ensure_future(seen.anew())))
        loop.call_soon(answer.set_result, ask())
        return answer

    monkeypatch.setattr(links_seen, "ask_beside", ask_in_the_loop)

    async def two_come() -> None:
        await seen.anew()
        await late[0]
        late.append(late[0])

    # a loop that turns no more can be stopped by nobody: its thread is left behind
    apart = threading.Thread(target=asyncio.run, args=(two_come(),), daemon=True)
    apart.start()
    apart.join(20)
    assert len(late) == 2
