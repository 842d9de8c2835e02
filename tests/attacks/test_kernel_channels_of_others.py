"""What one person may try on the kernel of another: his id, his session, his doors."""

from __future__ import annotations

import asyncio
import json

import pytest
from tornado.httpclient import HTTPClientError

from tests.attacks.victims import Card, asked, custom, hears, open_card, socket_to, unharmed
from tests.serving.served import NOBODYS_KERNEL, Server, run_apart

pytestmark = pytest.mark.kernel

XSRF = {"Cookie": "_xsrf=00", "X_XSRFToken": "00"}


@pytest.fixture(scope="module")
def attacker(server: Server) -> Card:
    """Give the card of somebody else."""
    return open_card(server, "mallory")


def _attempt(card: Card, **how: str) -> int:
    async def attempt() -> int:
        try:
            async with socket_to(card, **how):
                return 101
        except HTTPClientError as error:
            return error.code

    return run_apart(attempt())


def test_a_foreign_kernel_id(victim: Card, attacker: Card) -> None:
    """The socket of another is refused, with every session id, his own among them."""
    for session in ("s1", "owner", "mine"):
        assert _attempt(victim, cookie=attacker.cookie, session=session) == 403
    assert run_apart(unharmed(victim))


@pytest.mark.parametrize("guess", [NOBODYS_KERNEL, "0", "..%2f..%2f", "%00", "a" * 2000, "{}", "*"])
def test_a_guessed_kernel_id(attacker: Card, guess: str) -> None:
    """A kernel that is not there gets the same no; what is no kernel's name has no address."""
    assert _attempt(attacker, kernel_id=guess) in (403, 404)
    assert run_apart(unharmed(attacker))


def test_no_cookie_and_a_forged_one(victim: Card) -> None:
    """Without a good cookie no socket opens."""
    name, value = victim.cookie.split("=", 1)
    forged = (f"{name}={value[:-4]}0000", f"{name}=", "_xsrf=00")
    assert [_attempt(victim, cookie=each) for each in ("", *forged)] == [403] * 4
    assert run_apart(unharmed(victim))


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_foreign_origin(victim: Card, origin: str) -> None:
    """A page of another site cannot open the socket, though the browser sends the cookie."""
    assert _attempt(victim, Origin=origin) == 403
    assert _attempt(victim, Origin=f"http://127.0.0.1:{victim.server.port}") == 101
    assert run_apart(unharmed(victim))


def test_a_session_id_of_somebody_else(victim: Card, attacker: Card) -> None:
    """What the server keeps for a socket that comes back goes to its owner alone.

    The attacker names the victim's session, on his own kernel and on the victim's.
    """

    async def attempt() -> None:
        async with socket_to(victim, session="kept") as connection:
            await connection.write_message(
                json.dumps(custom(victim.widget, kind="later", seconds=0.5, id=7))
            )
            await asked(connection, victim)
        await asyncio.sleep(1.0)
        with pytest.raises(HTTPClientError):
            async with socket_to(victim, cookie=attacker.cookie, session="kept"):
                pass
        async with socket_to(attacker, session="kept") as connection:
            heard = await asked(connection, attacker)
            assert "late" not in heard
            with pytest.raises(TimeoutError):
                await hears(connection, 0.3)
        async with socket_to(victim, session="kept") as connection:
            assert await hears(connection) == {"late": 7}
        assert await unharmed(victim)

    run_apart(attempt())


def test_two_sockets_with_one_session_id(victim: Card, attacker: Card) -> None:
    """The later one of the same person replaces the earlier; neither hears for another person."""

    async def attempt() -> None:
        async with (
            socket_to(attacker, session="twin") as foreign,
            socket_to(victim, session="twin") as first,
        ):
            assert await asked(first, victim)
            async with socket_to(victim, session="twin") as second:
                assert (await asked(second, victim))["item"] == "DEMO-T1-001"
                assert await hears(first) == {}, "the first has ended"
            assert await asked(foreign, attacker)
        assert await unharmed(victim)

    run_apart(attempt())


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/kernels"),
        ("POST", "/api/kernels"),
        ("GET", "/api/kernels/{id}"),
        ("DELETE", "/api/kernels/{id}"),
        ("POST", "/api/kernels/{id}/interrupt"),
        ("POST", "/api/kernels/{id}/restart"),
        ("POST", "/voila/api/shutdown/{id}"),
        ("GET", "/voila/query/{id}"),
        ("GET", "/api/sessions"),
        ("GET", "/api/kernelspecs"),
        ("GET", "/api/contents"),
        ("GET", "/here/{id}"),
    ],
)
def test_the_rest_doors_of_a_kernel(
    server: Server, victim: Card, attacker: Card, method: str, path: str
) -> None:
    """Nobody lists, ends, restarts or looks at the kernel of another."""
    address = path.format(id=victim.kernel_id)
    reply = server.ask(address, cookie=attacker.cookie, method=method, **XSRF)
    if path.startswith("/here/"):
        assert json.loads(reply.text) == {"link": True, "kernel": False}
    else:
        assert reply.status in (403, 404, 405), reply.text
    assert victim.kernel_id not in reply.text
    assert run_apart(unharmed(victim))
