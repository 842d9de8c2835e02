"""The same attacks on the fallback, JupyterLab's own page, whose socket is let say more.

Its application asks the kernel which widgets there are; that is all it may do besides.
"""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.attacks.victims import CARD, custom, envelope, to_widget
from tests.serving.served import Server, lay_project, run_apart, running

pytestmark = pytest.mark.kernel

BINARY = "v1.kernel.websocket.jupyter.org"
UNCHANGED = {"item": "DEMO-T1-001", "colour": None, "widgets": 2, "name": "as it was"}
Frame = str | bytes
OTHER = "reveal"
"""Another template that Voila brings."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str, str]]:
    """Give the attacker's own page: its server, its kernel and its cookie."""
    root = lay_project(tmp_path_factory.mktemp("project"), CARD)
    notebook = root / "notebooks" / "01_review.ipynb"
    fields = json.loads(notebook.read_text(encoding="utf-8"))
    fields["metadata"]["voila"] = {"template": OTHER, "theme": "dark"}
    notebook.write_text(json.dumps(fields), encoding="utf-8")
    with running(root, template="lab") as one:
        cookie = one.let_in(one.book.make("demo", "first", "mallory"))
        yield one, one.open_page(cookie)[1], cookie


@asynccontextmanager
async def socket_to(
    page: tuple[Server, str, str], protocol: str = "", session: str = "s1"
) -> AsyncGenerator[WebSocketClientConnection]:
    """Open the page's socket, in the protocol of texts or in that of binary frames."""
    server, kernel_id, cookie = page
    address = f"ws://127.0.0.1:{server.port}/api/kernels/{kernel_id}/channels?session_id={session}"
    connection = await websocket_connect(
        HTTPRequest(address, headers={"Cookie": cookie}, connect_timeout=20),
        subprotocols=[protocol] if protocol else None,
    )
    try:
        yield connection
    finally:
        connection.close()


async def told(connection: WebSocketClientConnection, kind: str) -> dict[str, Any]:
    """Return the content of the next message of a kind; nothing of that in a binary frame."""
    while True:
        frame = await asyncio.wait_for(connection.read_message(), 15)
        assert frame is not None, "the socket has ended"
        if isinstance(frame, bytes):
            if kind.encode() in frame:
                return {}
        elif json.loads(frame)["header"]["msg_type"] == kind:
            return json.loads(frame)["content"]


async def state_of_card(page: tuple[Server, str, str]) -> dict[str, Any]:
    """Find the card as JupyterLab's application does, and ask it how it is."""
    async with socket_to(page, session="owner") as connection:
        await connection.write_message(fresh(envelope("comm_info_request", {})))
        widgets = (await told(connection, "comm_info_reply"))["comms"]
        for each in widgets:
            await connection.write_message(fresh(custom(each, kind="ping", id=1)))
        while True:
            message = await told(connection, "comm_msg")
            said = message["data"]
            if said.get("method") == "custom":
                return {**said["content"], "widget": message["comm_id"], "all": sorted(widgets)}


def fresh(message: dict[str, Any]) -> str:
    """Return the message with an id of its own: a kernel hears no message twice."""
    return json.dumps({**message, "header": {**message["header"], "msg_id": uuid4().hex}})


def binary(kind: str, content: object, channel: str = "shell") -> bytes:
    """Return a message as the protocol of binary frames has it."""
    header = json.loads(fresh(envelope(kind, content)))["header"]
    told = (json.dumps(each).encode() for each in (header, {}, {"version": "2.1.0"}, content))
    parts = [channel.encode(), *told]
    at = [8 * 7]
    for each in parts:
        at.append(at[-1] + len(each))
    return struct.pack("<7Q", 6, *at) + b"".join(parts)


def old_binary(message: dict[str, Any]) -> bytes:
    """Return a message as the protocol before that has it."""
    return struct.pack("!II", 1, 8) + fresh(message).encode()


def attacks(widget: str, layout: str) -> Iterator[tuple[str, object, str]]:
    """Yield kind, content and channel of every message that the page may not say."""
    code = {"code": "name = 'changed'", "silent": False, "store_history": False}
    for channel in ("shell", "control", "stdin", "iopub"):
        yield "execute_request", code, channel
    for channel in ("shell", "control"):
        yield "shutdown_request", {"restart": True}, channel
    slider = {
        "_model_module": "@jupyter-widgets/controls", "_model_name": "IntSliderModel",
        "_model_module_version": "2.0.0",
    }  # fmt: skip
    opened = {"comm_id": "a" * 32, "target_name": "jupyter.widget", "data": {"state": slider}}
    yield "comm_open", opened, "shell"
    for name, state in ((widget, {"item": "changed"}), (layout, {"border_top": "9px solid red"})):
        update = {"method": "update", "state": state, "buffer_paths": []}
        yield "comm_msg", {"comm_id": name, "data": update}, "shell"
    yield "comm_close", {"comm_id": widget, "data": {}}, "shell"


@pytest.mark.parametrize("protocol", ["", BINARY])
def test_what_only_a_hostile_page_says(page: tuple[Server, str, str], protocol: str) -> None:
    """Code, shutdown, made widgets, set traits and a closed card: in texts and in binary frames."""

    async def attempt() -> None:
        before = await state_of_card(page)
        (layout,) = {*before["all"]} - {before["widget"]}
        async with socket_to(page, protocol) as connection:
            for kind, content, channel in attacks(before["widget"], layout):
                if protocol:
                    await connection.write_message(binary(kind, content, channel), binary=True)
                else:
                    message = envelope(kind, content, channel, metadata={"version": "2.1.0"})
                    await connection.write_message(fresh(message))
            # the socket hears what follows: all of the above has been dealt with
            info = "comm_info_request", {}
            last = binary(*info) if protocol else fresh(envelope(*info))
            await connection.write_message(last, binary=bool(protocol))
            await told(connection, "comm_info_reply")
        after = await state_of_card(page)
        assert {name: after[name] for name in UNCHANGED} == UNCHANGED
        assert after["all"] == before["all"]
        assert after["pid"] == before["pid"]

    run_apart(attempt())


def test_frames_that_are_read_in_two_ways(page: tuple[Server, str, str]) -> None:
    """A frame of the other protocol, one with parts without number, and half of one do nothing."""

    async def attempt() -> None:
        before = await state_of_card(page)
        update = {"method": "update", "state": {"item": "changed"}, "buffer_paths": []}
        change = to_widget(before["widget"], update)
        hostile: dict[str, list[Frame]] = {
            "": [old_binary(change), binary("comm_msg", change["content"]), b"\xff" * 64],
            BINARY: [fresh(change), old_binary(change), b"", b"\xff" * 64, b"\x06" * 7,
                     struct.pack("<7Q", 6, *[2**63] * 6)],
        }  # fmt: skip
        for protocol, frames in hostile.items():
            async with socket_to(page, protocol) as connection:
                for frame in frames:
                    await connection.write_message(frame, binary=isinstance(frame, bytes))
                assert (await state_of_card(page))["item"] == before["item"]
        assert page[0].process.poll() is None

    run_apart(attempt())


def test_template_and_theme_override_on_the_stock_page(page: tuple[Server, str, str]) -> None:
    """Neither the address nor the notebook chooses how the page looks."""
    server, _, cookie = page
    for query in ("", f"?voila-template={OTHER}&voila-theme=dark", f"?template={OTHER}&theme=dark"):
        html, _ = server.open_page(cookie, f"/{query}")
        assert OTHER not in html
        assert "theme-light" in html
        assert "theme-dark" not in html
