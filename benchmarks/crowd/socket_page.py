"""A page without a browser: it loads, opens the kernel's socket and speaks as ours does.

What ``host.js`` and ``connection.js`` do is done here: silences, tries, repeated messages.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClientConnection, websocket_connect

SILENCE = 4.0
RETRY_AFTER = (1.5, 2.0, 3.0, 5.0, 8.0)
RECONNECT_AFTER = (0.3, 0.7, 1.5, 3.0, 5.0)
ASK_AGAIN = 3.0
PING_EVERY = 5.0
KERNEL_GONE = (4001,)
"""How the server closes the socket of a kernel that has died."""
PATIENCE = 12.0
"""Seconds of a lost connection after which a person presses Reload."""
LOAD_SECONDS = 90.0
Message = dict[str, Any]


class PageGone(Exception):
    """The page is of no use any more: its kernel is gone, or nothing answers."""


@dataclass
class Cookies:
    """What the browser of one person holds."""

    held: dict[str, str] = field(default_factory=lambda: {"_xsrf": secrets.token_hex(16)})

    @property
    def header(self) -> str:
        """The line that a browser sends."""
        return "; ".join(f"{name}={value}" for name, value in self.held.items())

    def take(self, response: HTTPResponse) -> None:
        """Keep what a response sets."""
        for line in response.headers.get_list("Set-Cookie"):
            name, _, value = line.split(";")[0].partition("=")
            self.held[name.strip()] = value.strip()


async def ask_server(
    url: str, cookies: Cookies, headers: dict[str, str] | None = None, **more: Any
) -> HTTPResponse:
    """Send one request as the browser would, following nothing."""
    request = HTTPRequest(
        url, headers={**(headers or {}), "Cookie": cookies.header}, follow_redirects=False,
        connect_timeout=20, request_timeout=LOAD_SECONDS, **more,
    )  # fmt: skip
    response = await AsyncHTTPClient().fetch(request, raise_error=False)
    cookies.take(response)
    return response


class SocketPage:
    """One load of the page: one kernel, one widget, one socket that comes back when it is lost.

    Args:
        url: the address of the study.
        cookies: the person's cookies; the link has been opened with them.
        tab: the id of the browser tab: the same over a reload.
        on_lost: called when the page would show that the connection is lost.
    """

    def __init__(
        self, url: str, cookies: Cookies, tab: str, on_lost: Callable[[], None] = lambda: None
    ) -> None:
        self.url, self.cookies, self.tab, self.on_lost = url, cookies, tab, on_lost
        self.session = secrets.token_hex(16)
        self.kernel = self.model = ""
        self.state: Message = {}
        self.gone = False
        self._socket: WebSocketClientConnection | None = None
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._ready = asyncio.Event()
        self._ids = random.SystemRandom().randrange(1_000_000) * 1_000_000
        self._reading: asyncio.Task[None] | None = None
        self._last_asked = monotonic()

    async def load(self) -> None:
        """Load the page and wait for the widget; PageGone when there is none."""
        try:
            response = await ask_server(self.url, self.cookies)
        except (OSError, HTTPClientError) as error:
            raise PageGone(f"no page: {error}") from error
        html = response.body.decode("utf-8", "replace") if response.code == 200 else ""
        kernel = re.search(r'"kernelId": ?"([0-9a-f-]{36})"', html)
        model = re.search(r'data-widget="([0-9a-f-]+)"', html)
        if kernel is None or model is None:
            raise PageGone(f"no widget on the page ({response.code})")
        self.kernel, self.model = kernel.group(1), model.group(1)
        self._reading = asyncio.ensure_future(self._stay_connected())
        end = monotonic() + LOAD_SECONDS
        while not self._ready.is_set():
            if self.gone or monotonic() > end:
                raise PageGone("the widget sent no state")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), ASK_AGAIN)
            if not self._ready.is_set():
                self._post_data({"method": "request_state"})

    async def ask(self, kind: str, **body: Any) -> Message:
        """Send a message and return its reply; PageGone when a person would reload.

        Silence is a lost connection, and what would be lost is sent again, the same to the letter.
        """
        self._ids += 1
        message = {"kind": kind, "id": self._ids, "tab": self.tab, **body}
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[self._ids] = answer
        self._last_asked = monotonic()
        try:
            self._post(message)
            waits = iter((SILENCE, *RETRY_AFTER))
            end = monotonic() + SILENCE + PATIENCE
            while True:
                done, _ = await asyncio.wait(
                    {answer}, timeout=min(next(waits, RETRY_AFTER[-1]), end - monotonic())
                )
                if done:
                    return answer.result()
                self.on_lost()
                if self.gone or monotonic() >= end:
                    raise PageGone(f"no answer to {kind}")
                if kind == "go" and body.get("to") in ("next", "back"):
                    # a step sent twice would be two steps: the page asks where it is
                    return await self.ask("hello", language=None, narrow=False, pending=None)
                self._post(message)
        finally:
            del self._waiting[message["id"]]

    async def idle(self, seconds: float) -> Message | None:
        """Let time pass as on an open page, which asks now and then whether Python is there.

        Returns a fresh page, if the answer to such a question was one.
        """
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            due = self._last_asked + PING_EVERY - monotonic()
            await asyncio.sleep(max(0.0, min(left, due)))
            if monotonic() >= self._last_asked + PING_EVERY:
                reply = await self.ask("ping")
                if reply["kind"] != "pong":
                    return reply
        return None

    def drop(self) -> None:
        """Lose the socket, as a network that goes away does."""
        if self._socket is not None and self._socket.protocol is not None:
            stream = getattr(self._socket.protocol, "stream", None)
            if stream is not None:
                stream.close()

    async def close(self, *, goodbye: bool = True) -> None:
        """Close the page; with its goodbye the kernel ends at once."""
        self.gone = True
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
        if goodbye and self.kernel:
            body = urlencode({"_xsrf": self.cookies.held["_xsrf"]})
            address = f"{self.url}voila/api/shutdown/{self.kernel}"
            with suppress(OSError, HTTPClientError):
                await ask_server(address, self.cookies, method="POST", body=body)
        if self._socket is not None:
            self._socket.close()

    # the socket

    async def _stay_connected(self) -> None:
        tries = 0
        base = self.url.replace("http", "ws", 1)
        address = f"{base}api/kernels/{self.kernel}/channels?session_id={self.session}"
        while not self.gone:
            try:
                request = HTTPRequest(
                    address, headers={"Cookie": self.cookies.header}, connect_timeout=20
                )
                self._socket = await websocket_connect(request)
            except HTTPClientError as error:
                # the server is there and knows no such kernel
                if error.code in (403, 404):
                    self.gone = True
                    return
            except OSError:
                pass
            else:
                tries = 0
                if not self._ready.is_set():
                    self._post_data({"method": "request_state"})
                await self._read(self._socket)
                if self._socket.close_code in KERNEL_GONE:
                    self.gone = True
                    return
            self._socket = None
            await asyncio.sleep(RECONNECT_AFTER[min(tries, len(RECONNECT_AFTER) - 1)])
            tries += 1

    async def _read(self, socket: WebSocketClientConnection) -> None:
        while (text := await socket.read_message()) is not None:
            if not isinstance(text, str):
                continue
            # most frames are statuses and echoes: not worth their parsing
            if '"comm_msg"' not in text:
                continue
            heard = json.loads(text)
            content = heard["content"]
            if heard["header"]["msg_type"] == "comm_msg" and content["comm_id"] == self.model:
                self._hear(content["data"])

    def _hear(self, data: Message) -> None:
        if data.get("method") == "update":
            self.state |= data["state"]
            if "_esm" in self.state:
                self._ready.set()
        elif data.get("method") == "custom":
            answer = self._waiting.get(data["content"].get("re"))
            if answer is not None and not answer.done():
                answer.set_result(data["content"])

    def _post(self, message: Message) -> None:
        self._post_data({"method": "custom", "content": message})

    def _post_data(self, data: Message) -> None:
        """Send; what cannot be sent now is dropped and said again when no reply comes."""
        if self._socket is None:
            return
        header = {
            "msg_id": secrets.token_hex(16), "msg_type": "comm_msg", "session": self.session,
            "username": "", "date": "2026-01-01T00:00:00.000Z", "version": "5.3",
        }  # fmt: skip
        whole = {
            "header": header, "parent_header": {}, "metadata": {}, "channel": "shell",
            "buffers": [], "content": {"comm_id": self.model, "data": data},
        }  # fmt: skip
        sending = asyncio.ensure_future(_send(self._socket, json.dumps(whole)))
        sending.add_done_callback(lambda _: None)


async def _send(socket: WebSocketClientConnection, text: str) -> None:
    with suppress(Exception):  # a closed socket: silence tells
        await socket.write_message(text)
