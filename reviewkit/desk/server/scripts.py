"""Scripts and style sheets of the pages, under addresses that name their content.

A widget's script reaches the browser with its state, through the kernel's socket, each time anew.
Here it lies under its digest instead, packed once: the browser loads it while the kernel starts,
and has it in its cache the next time.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import OrderedDict
from typing import Any, NamedTuple, cast

from tornado.web import HTTPError, RequestHandler

KEPT = 64
"""Files kept: a handful of widgets, and those of earlier versions while a notebook is edited."""

_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


class Usual(NamedTuple):
    """The addresses that a notebook's page needed last time."""

    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()


class Shelf:
    """The files of one server."""

    def __init__(self) -> None:
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._usual: dict[str, Usual] = {}

    def lay(self, kind: str, text: str) -> str:
        """Keep a text and return its address below the base URL."""
        plain = text.encode("utf-8")
        name = f"{hashlib.sha256(plain).hexdigest()[:32]}.{kind}"
        if name not in self._packed:
            self._packed[name] = gzip.compress(plain, 6, mtime=0)
            while len(self._packed) > KEPT:
                self._packed.popitem(last=False)
        self._packed.move_to_end(name)
        return f"desk/{name}"

    def packed(self, name: str) -> bytes | None:
        """Return a file, compressed with gzip."""
        return self._packed.get(name)

    def usual(self, notebook: str) -> Usual:
        """Return what the page of a notebook needed last time: the browser may fetch it early."""
        return self._usual.get(notebook, Usual())

    def remember(self, notebook: str, usual: Usual) -> None:
        """Note what the page of a notebook needed."""
        self._usual[notebook] = usual


def shelf_of(handler: RequestHandler) -> Shelf:
    """Return the shelf of the server that the request came to."""
    return cast("Shelf", handler.settings["reviewkit_shelf"])


class ShelvedFile(RequestHandler):
    """``desk/<digest>.js``: one file, to be kept by the browser for good."""

    async def get(self, name: str) -> None:
        """Send it packed to every browser; unpacked to whoever cannot unpack."""
        packed = shelf_of(self).packed(name)
        if packed is None:
            raise HTTPError(404)
        self.set_header("Content-Type", _TYPES[name.rsplit(".", 1)[-1]])
        self.set_header("Cache-Control", "private, max-age=31536000, immutable")
        self.set_header("Vary", "Accept-Encoding")
        content: Any = packed
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
        else:
            content = gzip.decompress(packed)
        await self.finish(content)
