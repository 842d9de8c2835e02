"""The socket between a page and its kernel: what may pass, and for how long."""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

from reviewkit.desk.server.identity import Visitor, door_of


class LiveChannels(ZMQChannelsWebsocketConnection):
    """A connection that ends with the link it was opened by."""

    def connect(self) -> Any:
        """Open it so that small frames go at once.

        A kernel's answer is several frames; with Nagle's algorithm on, the second waits for the
        browser to acknowledge the first, which takes 40 ms.
        """
        handler: Any = self.websocket_handler
        handler.set_nodelay(True)
        return super().connect()

    def handle_incoming_message(self, incoming_msg: str) -> None:
        """Pass a message on while the visitor's link works."""
        handler: Any = self.websocket_handler
        visitor = handler.current_user
        if not isinstance(visitor, Visitor) or not door_of(handler).book.working(visitor.link):
            handler.close(1008, "link revoked")
            return
        super().handle_incoming_message(incoming_msg)
