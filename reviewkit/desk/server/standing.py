"""What a page asks that has lost its kernel: does my link still work, is my kernel still there?

A browser cannot read why a socket was refused. The answer tells the asker about himself alone.
"""

from __future__ import annotations

from typing import Any

from jupyter_core.utils import ensure_async
from tornado.web import RequestHandler

from reviewkit.desk.server.identity import Visitor, door_of
from reviewkit.desk.server.lifetime import lifetime_of


class Standing(RequestHandler):
    """``here/<kernel id>``: where the page stands."""

    async def get(self, kernel_id: str) -> None:
        """Answer ``link`` and ``kernel``, each true or false; 503 while the server stops.

        A server that stops has ended the kernel: the page has to wait for the next one, as one
        that loads itself again now would find nobody.
        """
        if lifetime_of(self).stopping:
            self.set_status(503)
            return
        seen = await door_of(self).look(self)
        visitor = seen if isinstance(seen, Visitor) else None
        kernels: Any = self.settings["kernel_manager"]
        owner = kernels.owner(kernel_id) if kernel_id in kernels else None
        mine = visitor is not None and owner is not None and owner == visitor.person
        runs = bool(await ensure_async(kernels.get_kernel(kernel_id).is_alive())) if mine else False
        self.set_header("Cache-Control", "no-store")
        await self.finish({"link": visitor is not None, "kernel": runs})
