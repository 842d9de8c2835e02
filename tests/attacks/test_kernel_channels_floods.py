"""Too long, too many, too often: a flood harms its sender alone, no honest page meets a limit."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, suppress

import pytest
from tornado.httpclient import HTTPClientError
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError

from reviewkit.desk.gate import MESSAGE_LIMIT
from reviewkit.desk.server.channels import (
    CHARACTERS_PER_MESSAGE,
    KERNEL_GONE,
    MESSAGES_AT_ONCE,
    MESSAGES_PER_SECOND,
    PATIENCE_AT_ONCE,
    PATIENCE_PER_SECOND,
    SOCKETS_PER_KERNEL,
    TOO_MANY,
    Bucket,
)
from tests.attacks.victims import Card, asked, custom, hears, socket_to, unharmed
from tests.serving.served import Server, kernel_of, run_apart

pytestmark = pytest.mark.kernel


def test_a_note_of_ten_megabytes(card: Card, victim: Card) -> None:
    """The socket ends before the note is in memory; the longest legal message passes."""

    async def attempt() -> None:
        async with socket_to(card) as connection:
            for letter in ("x", "م", "\n"):
                answer = await asked(connection, card, note=letter * MESSAGE_LIMIT)
                assert answer["length"] == MESSAGE_LIMIT
            long = json.dumps(custom(card.widget, kind="ping", note="x" * 10_000_000))
            with suppress(WebSocketClosedError, StreamClosedError):
                await connection.write_message(long)
            assert await hears(connection) == {}
            assert connection.close_code in (1009, None)
        assert await unharmed(card)
        assert await unharmed(victim)

    run_apart(attempt())


def test_a_hundred_thousand_messages(server: Server, card: Card, victim: Card) -> None:
    """They wait, so that others do not; in time the socket ends, and says why."""
    frame = json.dumps(custom(card.widget, kind="ping", id=1))

    async def flood() -> int | None:
        async with socket_to(card) as connection:

            async def send() -> None:
                for _ in range(100_000):
                    await connection.write_message(frame)

            sending = asyncio.ensure_future(send())
            while await connection.read_message() is not None:
                pass
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            return connection.close_code

    async def attempt() -> None:
        flooding = asyncio.ensure_future(asyncio.wait_for(flood(), 100))
        rounds = 0
        while not flooding.done():
            answer = await asyncio.wait_for(unharmed(victim), 10)
            assert answer["item"] == "DEMO-T1-001"
            rounds += 1
            await asyncio.sleep(0.2)
        assert rounds > 2
        assert await flooding == TOO_MANY
        heard = (await unharmed(card))["heard"]
        assert heard < 10_000, "the rest never reached the kernel"

    run_apart(attempt())


def test_a_browser_that_reads_nothing(card: Card, victim: Card) -> None:
    """Answers that nobody fetches do not heap up in the server."""

    async def attempt() -> None:
        async with socket_to(card, session="deaf") as connection:
            try:
                for _ in range(200):
                    await connection.write_message(json.dumps(custom(card.widget, kind="long")))
                    await asyncio.sleep(0.02)
            except WebSocketClosedError:
                pass
            arrived = 0
            while text := await asyncio.wait_for(connection.read_message(), 15):
                arrived += len(text)
            assert arrived < 100_000_000, "the socket was cut long before the 200th answer"
        assert await unharmed(victim)

    run_apart(attempt())


async def room(card: Card) -> bool:
    """Wait until all sockets of a card are gone but the one that asks."""
    for _ in range(100):
        try:
            answer = await unharmed(card)
        except HTTPClientError:
            answer = {}
        if answer:
            return True
        await asyncio.sleep(0.1)
    return False


def test_more_sockets_than_a_page_needs(card: Card) -> None:
    """A fifth socket to one kernel is refused; when the others are gone there is room again."""

    async def attempt() -> None:
        async with AsyncExitStack() as opened:
            codes: list[int] = []
            for number in range(SOCKETS_PER_KERNEL + 1):
                try:
                    await opened.enter_async_context(socket_to(card, session=f"n{number}"))
                except HTTPClientError as error:
                    codes.append(error.code)
            assert codes
            assert set(codes) == {429}
        assert await room(card)

    run_apart(attempt())


@pytest.mark.parametrize("session", ["x" * 300, "a%20b", "%00", "..%2f", "%ff"])
def test_session_ids_that_are_none(card: Card, session: str) -> None:
    """What is no name of a session is refused before it names anything."""

    async def attempt() -> int:
        try:
            async with socket_to(card, session=session):
                return 101
        except HTTPClientError as error:
            return error.code

    assert run_apart(attempt()) == 400
    assert run_apart(unharmed(card))


def test_the_fastest_honest_page_never_waits() -> None:
    """Six answers a second with a draft, a check and a ping each, for ten minutes: no wait.

    A machine that is as fast as the limit and never tires does wait.
    """
    now = 0.0
    bucket = Bucket(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE, lambda: now)
    patience = Bucket(PATIENCE_PER_SECOND, PATIENCE_AT_ONCE, lambda: now)
    waits: list[float] = []
    for _ in range(6 * 3 * 600):
        now += 1 / 18
        waits.append(bucket.take(1 + 2_000 / CHARACTERS_PER_MESSAGE) + patience.take(1))
    assert not any(waits)
    assert any(bucket.take(1) for _ in range(1 + int(MESSAGES_AT_ONCE)))


def test_a_kernel_that_is_killed_ends_the_socket(server: Server, victim: Card) -> None:
    """The page hears of it within seconds, and no empty kernel takes the place."""

    async def attempt() -> int | None:
        async with socket_to(victim) as connection:
            assert await asked(connection, victim)
            kernel_of(server, "amal").kill()
            while await asyncio.wait_for(connection.read_message(), 15) is not None:
                pass
            return connection.close_code

    assert run_apart(attempt()) == KERNEL_GONE
    stands = server.ask(f"/here/{victim.kernel_id}", cookie=victim.cookie)
    assert json.loads(stands.text) == {"link": True, "kernel": False}
