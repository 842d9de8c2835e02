"""The socket between a page and its kernel: what may pass, and for how long."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.ioloop import IOLoop

from reviewkit.decisions.disk import CannotRead
from reviewkit.desk.server.identity import Visitor, door_of, why_ended
from reviewkit.study.links import Link

POLICY_VIOLATED = 1008
"""The close code by which the page knows that coming back is of no use."""
LOOK_SECONDS = 20.0
"""So long a revoked link may keep an idle page open."""


class LiveChannels(ZMQChannelsWebsocketConnection):
    """A connection that ends with the link it was opened by."""

    _next_look: Any = None

    def connect(self) -> Any:
        """Open it so that small frames go at once.

        A kernel's answer is several frames; with Nagle's algorithm on, the second waits for the
        browser to acknowledge the first, which takes 40 ms.
        """
        handler: Any = self.websocket_handler
        handler.set_nodelay(True)
        self._watch()
        return super().connect()

    def _ended(self) -> bool:
        """Close the socket and say why, if the visitor's link no longer works.

        While a database does not say, what it said last holds: the kernel asks the same database,
        so the page hears from it that nothing is recorded.
        """
        handler: Any = self.websocket_handler
        visitor = handler.current_user
        try:
            link = self._link(visitor.link) if isinstance(visitor, Visitor) else None
        except CannotRead:
            return False
        if link is not None and link.works():
            return False
        handler.close(POLICY_VIOLATED, f"link {why_ended(link)}")
        return True

    def _link(self, name: str) -> Link | None:
        return door_of(self.websocket_handler).book.find(name)

    def _watch(self) -> None:
        """Look again and again whether the link still works, also under somebody who only reads."""
        if self._ended():
            return
        handler: Any = self.websocket_handler
        left = None
        with suppress(CannotRead):
            link = self._link(handler.current_user.link)
            left = link.seconds_left() if link is not None else None
        pause = LOOK_SECONDS if left is None else min(LOOK_SECONDS, left + 0.01)
        self._next_look = IOLoop.current().call_later(pause, self._watch)

    def disconnect(self) -> None:
        """Stop looking when the socket has closed."""
        if self._next_look is not None:
            IOLoop.current().remove_timeout(self._next_look)
            self._next_look = None
        super().disconnect()

    def handle_incoming_message(self, incoming_msg: str) -> None:
        """Pass a message on while the visitor's link works."""
        if not self._ended():
            super().handle_incoming_message(incoming_msg)
