"""Kernels of a served study: whose they are, what they know, and when they end."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import pytest

from reviewkit.desk.server.transport import transport
from tests.serving.served import (
    ENVIRONMENT_SECRET,
    NOBODYS_KERNEL,
    Server,
    alive,
    connect,
    kernel_of,
    lay_project,
    memory_of,
    message,
    refused,
    run_apart,
    start_server,
    until,
)

pytestmark = pytest.mark.kernel


def test_a_websocket_needs_a_person(server: Server) -> None:
    """No kernel channel opens without a cookie."""
    assert refused(server, NOBODYS_KERNEL, "") == 403


def test_the_kernel_gets_no_secret(server: Server) -> None:
    """A kernel knows its person and folder, and neither the server's secrets nor any link."""
    tokens = [server.book.make("demo", "first", rater) for rater in ("lean", "other")]
    cookie = server.let_in(tokens[0])
    # somebody has pasted his secret behind the address of the page
    server.open_page(cookie, f"/?link={tokens[0]}")
    kernel = kernel_of(server, "lean")
    assert Path(kernel.cwd()) == server.root / "notebooks"
    secret = (server.root / ".reviewkit" / "secret").read_text()
    hashes = [link.sha256 for link in server.book.list()]
    memory = b"".join(memory_of(kernel.pid))
    assert f"REVIEWKIT_WORKSPACE={server.root}".encode() in memory
    assert not [
        word for word in (*tokens, *hashes, secret, ENVIRONMENT_SECRET) if word.encode() in memory
    ]
    shown = json.dumps(kernel.environ()) + json.dumps(kernel.cmdline())
    assert ENVIRONMENT_SECRET not in shown


@pytest.mark.skipif(transport() == "tcp", reason="the temporary folder has too long a path")
def test_a_kernel_is_spoken_to_over_files(server: Server) -> None:
    """What it hears and says goes over files of the server's account, and not over ports."""
    server.open_page(server.let_in(server.book.make("demo", "first", "quiet")))
    heard = kernel_of(server, "quiet").net_connections("unix")
    assert len({each.laddr for each in heard if "-ipc-" in str(each.laddr)}) == 5


def test_a_kernel_is_small(server: Server) -> None:
    """A kernel with a card's libraries keeps well under the 60 MB that a rater may cost."""
    server.open_page(server.let_in(server.book.make("demo", "first", "small")))
    kernel = kernel_of(server, "small")
    assert kernel.memory_full_info().pss < 60_000_000


def test_nobody_reaches_the_kernel_of_another(server: Server) -> None:
    """One rater can neither open, read, delete nor shut down the kernel of another."""
    amal = server.let_in(server.book.make("demo", "first", "owner"))
    badr = server.let_in(server.book.make("demo", "second", "stranger"))
    _, kernel_id = server.open_page(amal)
    xsrf = {"Cookie": "_xsrf=00", "X_XSRFToken": "00"}

    assert refused(server, kernel_id, badr) == 403
    assert refused(server, NOBODYS_KERNEL, badr) == 403
    assert server.ask(f"/api/kernels/{kernel_id}", cookie=badr).status == 403
    for method, path in [
        ("DELETE", f"/api/kernels/{kernel_id}"),
        ("POST", f"/voila/api/shutdown/{kernel_id}"),
    ]:
        assert server.ask(path, cookie=badr, method=method, **xsrf).status == 403
    assert server.ask(f"/api/kernels/{kernel_id}", cookie=amal).status == 200
    assert refused(server, kernel_id, amal) == 101
    goodbye = f"/voila/api/shutdown/{kernel_id}"
    assert server.ask(goodbye, cookie=amal, method="POST").status == 403, "needs the xsrf token"
    assert server.ask(goodbye, cookie=amal, method="POST", **xsrf).status == 204
    assert server.ask(f"/api/kernels/{kernel_id}", cookie=amal).status == 403


def test_revoking_ends_sessions_and_open_channels(server: Server) -> None:
    """After a revocation the next request is refused and the next message closes the channel."""
    cookie = server.let_in(server.book.make("demo", "first", "withdrawn"))
    _, kernel_id = server.open_page(cookie)

    async def last_code() -> int | None:
        connection = await connect(server, kernel_id, cookie)
        server.book.revoke("demo", "withdrawn")
        await connection.write_message(message("comm_info_request"))
        while await asyncio.wait_for(connection.read_message(), 15) is not None:
            pass
        return connection.close_code

    assert run_apart(last_code()) == 1008
    reply = server.ask("/", cookie=cookie)
    assert reply.status == 403
    assert "This link no longer works." in reply.text
    assert refused(server, kernel_id, cookie) == 403


@pytest.mark.stress
def test_a_crashed_tab_gives_its_kernel_back_within_a_minute(server: Server) -> None:
    """A channel that ends without the goodbye of the page ends its kernel in time."""
    cookie = server.let_in(server.book.make("demo", "first", "crashed"))
    _, kernel_id = server.open_page(cookie)
    kernel = kernel_of(server, "crashed")

    async def come_and_go() -> None:
        (await connect(server, kernel_id, cookie)).close()
        await asyncio.sleep(30)
        assert alive(kernel.pid), "a hiccup of the network costs nothing"
        (await connect(server, kernel_id, cookie)).close()
        await asyncio.sleep(30)
        assert alive(kernel.pid), "coming back starts the wait anew"

    run_apart(come_and_go())
    assert until(lambda: not alive(kernel.pid), 30)


def test_ctrl_c_ends_server_and_kernels(tmp_path: Path) -> None:
    """An interrupt from the terminal leaves no process and no traceback behind."""
    server = start_server(lay_project(tmp_path / "project"))
    try:
        server.open_page(server.let_in(server.book.make("demo", "first", "amal")))
        (kernel,) = server.kernels()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0
        assert until(lambda: not alive(kernel.pid), 5)
        assert "Traceback" not in server.log
    finally:
        server.stop()
