"""The widget of a page: carries custom messages to a session and its answers back.

A browser can set any synced trait, so none of ours carries truth and every state update from the
browser is dropped; answers come as custom messages alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget

from reviewkit.desk.script import joined_script, style_sheet

Receive = Callable[[Any], dict[str, Any]]


class Carrier(anywidget.AnyWidget):
    """A widget whose ``receive`` answers each message of the page; subclasses bring the script.

    ``afterwards`` is called when an answer is on its way, for what the page need not wait for.
    ``closed`` says why it was not opened, when all it can do is say so.
    """

    def __init__(
        self,
        receive: Receive,
        *,
        afterwards: Callable[[], None] = lambda: None,
        closed: str = "",
    ) -> None:
        super().__init__()
        self._receive = receive
        self._afterwards = afterwards
        self._closed = closed
        self.on_msg(self._on_page_message)

    def _on_page_message(self, _widget: object, content: Any, _buffers: object) -> None:
        self.send(self._receive(content))
        self._afterwards()

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take nothing: a page has no state that Python would believe."""

    def __repr__(self) -> str:
        # no object address: a notebook test compares it, and must notice a desk that stayed closed
        return f"reviewkit desk, closed: {self._closed}" if self._closed else "reviewkit desk"


class Desk(Carrier):
    """The desk of a rater or an adjudicator."""

    _esm = joined_script()
    _css = style_sheet()
