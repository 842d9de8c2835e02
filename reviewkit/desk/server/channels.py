"""The socket between a page and its kernel: what may pass, how much of it, and for how long.

A page of ours says two things: a custom message, or a request for the state, to a widget that the
kernel has opened. Of what else a browser may send nothing reaches the kernel, and of what the
kernel says only the answers to those two reach the browser. What passes is packed afresh here, so
that no field of the sender's own is handed on.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple, cast

from jupyter_client.session import DELIM
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.ioloop import IOLoop
from tornado.iostream import StreamBufferFullError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from reviewkit.decisions.disk import CannotRead
from reviewkit.desk.server.identity import Visitor, door_of, why_ended
from reviewkit.desk.server.kernels import OwnedKernels
from reviewkit.desk.server.logs import log_of
from reviewkit.study.links import Link

FRAME_LIMIT = 1_000_000
"""Bytes of one message; the longest legal one has 400,000 characters, of two bytes in Arabic."""
MESSAGES_PER_SECOND = 100.0
MESSAGES_AT_ONCE = 400.0
"""What a socket may say in a row. A quick keyboard makes some fifteen messages a second."""
CHARACTERS_PER_MESSAGE = 20_000
"""A long message counts as several."""
PATIENCE_PER_SECOND = 30.0
PATIENCE_AT_ONCE = 1_000.0
"""Who says more than this, however slowed, is no person: the socket is closed."""
UNREAD_LIMIT = 8_000_000
"""Bytes that may wait for a browser that reads nothing; the longest page has some 100,000."""
SOCKETS_PER_KERNEL = 4
"""A page has one, and for a moment a second while it comes back."""

CLOSING_SECONDS = 10.0
LOOK_SECONDS = 20.0
"""So long a revoked link may keep an idle page open."""

REVOKED = 1008
"""The close code by which the page knows that coming back is of no use."""
KERNEL_GONE = 4001
TOO_MANY = 4008

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FROM_THE_KERNEL = frozenset({"comm_msg", "comm_close"})
_CONTROL = "jupyter.widget.control"
_BINARY = "v1.kernel.websocket.jupyter.org"
"""The protocol in which frames are binary, where a page has asked for it."""
_SIX_OFFSETS = (6).to_bytes(8, "little")
"""How such a frame begins that holds a channel and a message of four parts, without buffers."""


class Bucket:
    """How much a sender may say: tokens that come back with time."""

    def __init__(
        self, per_second: float, at_once: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._clock = clock
        self._per_second = per_second
        self._at_once = at_once
        self._left = at_once
        self._looked = clock()

    def take(self, cost: float) -> float:
        """Take tokens and return the seconds to wait until they are there."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._looked) * self._per_second)
        self._looked = now
        self._left -= cost
        return max(0.0, -self._left / self._per_second)


class Said(NamedTuple):
    """What a page may say to one of its widgets."""

    comm_id: str
    data: dict[str, Any]


def readable(frame: str | bytes) -> Said | None:
    """Return what a page of ours says in a frame; None for anything else, whatever it is."""
    if not isinstance(frame, str) or len(frame) > FRAME_LIMIT:
        return None
    try:
        message = json.loads(frame, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    header, content = _part(message, "header"), _part(message, "content")
    if message.get("channel") != "shell" if isinstance(message, dict) else True:
        return None
    data, comm_id = _part(content, "data"), content.get("comm_id")
    if header.get("msg_type") != "comm_msg" or not _named(comm_id) or message.get("buffers"):
        return None
    if data.get("method") == "request_state":
        return Said(cast("str", comm_id), {"method": "request_state"})
    if data.get("method") != "custom" or not isinstance(data.get("content"), dict):
        return None
    said = data["content"]
    if "\\ud" in frame.lower():
        try:
            said = _mended(said)
        except RecursionError:
            return None
    return Said(cast("str", comm_id), {"method": "custom", "content": said})


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _part(message: object, name: str) -> dict[str, Any]:
    part = cast("dict[str, Any]", message).get(name) if isinstance(message, dict) else None
    return cast("dict[str, Any]", part) if isinstance(part, dict) else {}


def _named(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _mended(value: Any) -> Any:
    """Return the value with halves of characters replaced: as such they cannot be sent on."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mended(key): _mended(each) for key, each in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_mended(each) for each in cast("list[Any]", value)]
    return value


class PageSocket(VoilaKernelWebsocketHandler):
    """The socket of a page: the next message is read when the last one has been dealt with."""

    async def pre_get(self) -> None:
        """Refuse the names of sessions that cannot be one."""
        session = self.get_argument("session_id", None)
        if session is not None and not _named(session):
            raise HTTPError(400, "not a session id")
        waiting: Any = super().pre_get()
        await waiting

    def on_message(self, ws_message: str | bytes) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Hand the message on; tornado waits for what is returned."""
        connection = cast("LiveChannels | None", self.connection)
        return None if connection is None else connection.take(ws_message)


class LiveChannels(ZMQChannelsWebsocketConnection):
    """A connection that ends with the link it was opened by, or with its kernel."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._bucket = Bucket(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE)
        self._patience = Bucket(PATIENCE_PER_SECOND, PATIENCE_AT_ONCE)
        self._refused = 0
        self._next_look: Any = None
        self._controls: set[str] = set()

    @property
    def _handler(self) -> Any:
        return self.websocket_handler

    @property
    def _stock(self) -> bool:
        return bool(self._handler.settings.get("reviewkit_stock_template"))

    async def prepare(self) -> None:
        """Refuse the socket that no page needs: each holds four more to the kernel."""
        kernels: Any = self.multi_kernel_manager
        if kernels.sockets(self.kernel_id) >= SOCKETS_PER_KERNEL:
            raise HTTPError(429, "too many sockets")
        await super().prepare()

    def connect(self) -> Any:
        """Open it so that small frames go at once.

        A kernel's answer is several frames; with Nagle's algorithm on, the second waits for the
        browser to acknowledge the first, which takes 40 ms.
        """
        self._handler.set_nodelay(True)
        self._handler.ws_connection.stream.max_write_buffer_size = UNREAD_LIMIT
        self._watch()
        return super().connect()

    def _ended(self) -> bool:
        """Close the socket and say why, if the visitor's link no longer works.

        While a database does not say, what it said last holds: the kernel asks the same database,
        so the page hears from it that nothing is recorded.
        """
        visitor = self._handler.current_user
        try:
            link = self._link(visitor.link) if isinstance(visitor, Visitor) else None
        except CannotRead:
            return False
        if link is not None and link.works():
            return False
        self._handler.close(REVOKED, f"link {why_ended(link)}")
        return True

    def _link(self, name: str) -> Link | None:
        return door_of(self.websocket_handler).links.last.find(name)

    def _watch(self) -> None:
        """Look again and again whether the link still works, also under somebody who only reads."""
        if self._ended():
            return
        left = None
        with suppress(CannotRead):
            link = self._link(self._handler.current_user.link)
            left = link.seconds_left() if link is not None else None
        pause = LOOK_SECONDS if left is None else min(LOOK_SECONDS, left + 0.01)
        self._next_look = IOLoop.current().call_later(pause, self._look_again)

    async def _look_again(self) -> None:
        await door_of(self.websocket_handler).links.lately()
        if self._next_look is not None:
            self._watch()

    def disconnect(self) -> None:
        """Stop looking when the socket has closed."""
        if self._next_look is not None:
            IOLoop.current().remove_timeout(self._next_look)
            self._next_look = None
        super().disconnect()

    async def take(self, frame: str | bytes) -> None:
        """Let a message pass as fast as a person can want it; a flood waits, and in time ends."""
        wait = self._bucket.take(1 + len(frame) / CHARACTERS_PER_MESSAGE)
        if self._patience.take(1):
            self._handler.close(TOO_MANY, "too many messages")
            # nothing more is read; tornado cuts the line when the closing is not answered in time
            await asyncio.sleep(CLOSING_SECONDS)
            return
        if wait:
            await asyncio.sleep(wait)
        # what is in a database is looked up here, at most once a second for everybody
        await door_of(self.websocket_handler).links.lately()
        self.handle_incoming_message(frame)

    def handle_incoming_message(self, incoming_msg: str | bytes) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Pass on what a page may say, while the visitor's link works."""
        if self._ended() or not self.channels:
            return
        if self._stock:
            if self._stock_says(incoming_msg):
                super().handle_incoming_message(cast("str", incoming_msg))
            else:
                self._refuse()
            return
        said = readable(incoming_msg)
        if said is None:
            self._refuse()
            return
        content = {"comm_id": said.comm_id, "data": said.data}
        try:
            self.session.send(self.channels["shell"], "comm_msg", content=content)
        except (ValueError, RecursionError):
            self._refuse()

    def _refuse(self) -> None:
        self._refused += 1
        if self._refused == 1:
            # nothing of what was sent is told, and of many such messages the first alone
            log_of(self._handler).tell("message_refused", logging.WARNING)

    def _stock_says(self, frame: str | bytes) -> bool:
        """Return whether JupyterLab's application needs this message to show a widget.

        A frame that the library would read otherwise than it is read here is refused, and so is one
        that says it has more parts than a message without buffers: they would be counted for ever.
        """
        binary = isinstance(frame, bytes)
        if binary is not (self.subprotocol == _BINARY):
            return False
        buffers: object = False
        try:
            if isinstance(frame, bytes):
                if not frame.startswith(_SIX_OFFSETS):
                    return False
                channel, parts = deserialize_msg_from_ws_v1(frame)
                header, content = json.loads(parts[0]), json.loads(parts[3])
            else:
                message = json.loads(frame)
                channel, header, content = message["channel"], message["header"], message["content"]
                buffers = message.get("buffers")
            kind, comm_id = header["msg_type"], content.get("comm_id")
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return False
        if channel != "shell" or buffers:
            return False
        if kind in ("kernel_info_request", "comm_info_request"):
            return True
        if not _named(comm_id):
            return False
        if kind == "comm_open" and content.get("target_name") == _CONTROL:
            # the one comm that a page opens: it asks for all states at once
            self._controls.add(comm_id)
            return len(self._controls) < 10
        if kind == "comm_close":
            return comm_id in self._controls
        asked = _part(content, "data").get("method")
        return kind == "comm_msg" and asked in ("custom", "request_state", "request_states")

    # from the kernel

    def create_stream(self) -> None:
        """Connect what a page of ours needs: what it asks goes one way, what it hears the other."""
        if self._stock:
            super().create_stream()
            return
        for channel in ("iopub", "shell"):
            connect: Any = getattr(self.kernel_manager, f"connect_{channel}")
            stream = connect(identity=self.session.bsession)
            stream.channel = channel
            self.channels[channel] = stream

    def handle_outgoing_message(self, stream: Any, outgoing_msg: list[Any]) -> None:
        """Pass on what a widget says, and nothing else that a kernel tells its clients.

        The content goes on as the kernel wrote it: taken apart and put together again it would be
        the same, for twice the price of all else that the server does for a message.
        """
        if self._stock:
            super().handle_outgoing_message(stream, outgoing_msg)
            return
        if stream.closed():
            self.disconnect()
            return
        text = self.told_by_widget(outgoing_msg)
        if text is None:
            return
        cast("OwnedKernels", self.multi_kernel_manager).note_activity(self.kernel_id)
        try:
            self.write_message(text)
        except WebSocketClosedError:
            pass
        except StreamBufferFullError:
            self._handler.ws_connection.stream.close()

    def told_by_widget(self, frames: list[bytes]) -> str | None:
        """Return the message for the page; None for what is not for it or not its kernel's."""
        start = frames.index(DELIM) + 1 if DELIM in frames else len(frames)
        if len(frames) != start + 5:  # a widget of ours sends no buffers
            return None
        signature, header, *_, content = frames[start:]
        if b"comm_" not in header:
            return None
        kind = json.loads(header).get("msg_type")
        if kind not in _FROM_THE_KERNEL:
            return None
        if self.session.auth is not None and not hmac.compare_digest(
            signature, self.session.sign(frames[start + 1 :])
        ):
            return None
        # half a character in a text leaves the kernel as bytes that no browser would take
        said = content.decode("utf-8", "replace")
        return f'{{"channel":"iopub","header":{{"msg_type":"{kind}"}},"content":{said}}}'

    def _on_zmq_reply(self, stream: Any, msg_list: Any) -> None:
        """Hand on to JupyterLab's application, which a slow line may keep from reading."""
        try:
            super()._on_zmq_reply(stream, msg_list)
        except StreamBufferFullError:
            self._handler.ws_connection.stream.close()

    def on_restart_failed(self) -> None:
        """Tell the page at once that its kernel has died: it comes back with a new one."""
        self._handler.close(KERNEL_GONE, "kernel gone")
