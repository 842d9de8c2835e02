"""Cards on a real server, and the raw socket of somebody who means them harm."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.serving.served import Server

CARD = '''
import os, sys, time, anywidget, ipywidgets, traitlets
from tornado.ioloop import IOLoop
class Card(anywidget.AnyWidget):
    """As trusting as a widget can be: whatever is refused, the server has refused."""
    _esm = "export default { render() {} };"
    _css = "p { color: red }"
    item = traitlets.Unicode("DEMO-T1-001").tag(sync=True)
    heard = 0
    def hear(self, _widget, content, _buffers):
        self.heard += 1
        if content.get("kind") == "later":
            IOLoop.current().call_later(content["seconds"], self.send, {"late": content["id"]})
        if content.get("kind") == "long":
            self.send({"long": "x" * 1_000_000})
        if content.get("kind") == "ping":
            self.send({
                "re": content["id"], "pid": os.getpid(), "heard": self.heard, "item": self.item,
                "files": [self._esm, self._css], "colour": self.layout.border_top,
                "widgets": len(ipywidgets.widgets.widget._instances),
                "name": getattr(sys.modules["__main__"], "name", "as it was"),
                "length": len(content.get("note", "")),
            })
    def __init__(self):
        super().__init__()
        self.on_msg(self.hear)
Card()
'''


@dataclass
class Card:
    """One person's open page: the kernel, the widget in it, and the cookie that opens both."""

    server: Server
    cookie: str
    kernel_id: str
    widget: str

    @property
    def layout(self) -> str:
        """The second widget that every widget brings."""
        html, _ = self.server.open_page(self.cookie)
        return re.findall(r"IPY_MODEL_([0-9a-f]+)", html)[0]


def open_card(server: Server, rater: str) -> Card:
    """Open the page of a rater who is new to the server."""
    cookie = server.let_in(server.book.make("demo", "first", rater))
    html, kernel_id = server.open_page(cookie)
    found = re.search(r'"id": "([0-9a-f]+)"', html)
    assert found, html
    return Card(server, cookie, kernel_id, found.group(1))


def envelope(kind: str, content: object, channel: object = "shell", **more: Any) -> dict[str, Any]:
    """Return a message as the channels carry it."""
    header = {
        "msg_id": "m", "msg_type": kind, "session": "s", "username": "", "version": "5.3",
        "date": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    rest = {"parent_header": {}, "metadata": {}, "channel": channel, "buffers": [], **more}
    return {"header": header, "content": content, **rest}


def to_widget(widget: str, data: object, **more: Any) -> dict[str, Any]:
    """Return a comm message to a widget."""
    return envelope("comm_msg", {"comm_id": widget, "data": data}, **more)


def custom(widget: str, **content: Any) -> dict[str, Any]:
    """Return what a page of ours says."""
    return to_widget(widget, {"method": "custom", "content": content})


@asynccontextmanager
async def socket_to(
    card: Card,
    *,
    cookie: str | None = None,
    session: str = "s1",
    kernel_id: str = "",
    **headers: str,
) -> AsyncGenerator[WebSocketClientConnection]:  # fmt: skip
    """Open the socket of a card, as its owner or as somebody else."""
    server = card.server
    address = f"ws://127.0.0.1:{server.port}/api/kernels/{kernel_id or card.kernel_id}/channels"
    sent = {"Cookie": card.cookie if cookie is None else cookie, **headers}
    request = HTTPRequest(
        f"{address}?session_id={session}", headers={k: v for k, v in sent.items() if v},
        connect_timeout=20,
    )  # fmt: skip
    connection = await websocket_connect(request)
    try:
        yield connection
    finally:
        connection.close()


async def hears(connection: WebSocketClientConnection, seconds: float = 15) -> dict[str, Any]:
    """Return the next custom message; an empty one when the socket has ended."""
    while True:
        text = await asyncio.wait_for(connection.read_message(), seconds)
        if text is None:
            return {}
        data = json.loads(text).get("content", {}).get("data", {})
        if data.get("method") == "custom":
            return data["content"]


async def asked(connection: WebSocketClientConnection, card: Card, **more: Any) -> dict[str, Any]:
    """Ask the card how it is, and return what it says."""
    number = hash(object())
    said = json.dumps(custom(card.widget, kind="ping", id=number, **more), ensure_ascii=False)
    if "\ud83d" in said:  # a browser writes half a character as its number
        said = json.dumps(json.loads(said))
    await connection.write_message(said)
    while answer := await hears(connection):
        if answer.get("re") == number:
            return answer
    return {}


async def unharmed(card: Card) -> dict[str, Any]:
    """Ask over a socket of its owner's own."""
    async with socket_to(card, session="owner") as connection:
        return await asked(connection, card)
