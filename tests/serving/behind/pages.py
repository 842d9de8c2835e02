"""A page that came through a proxy: its kernel, its widget, and what the widget answers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from tests.serving.served import run_apart


@dataclass(frozen=True)
class Page:
    """What somebody's browser has been given."""

    address: str
    """Where the page is, as ``http://host:port/sub-path/``."""
    html: str
    cookie: str

    def _found(self, pattern: str) -> str:
        found = re.search(pattern, self.html)
        assert found, self.html
        return found.group(1)

    @property
    def kernel_id(self) -> str:
        """The kernel that was started for the page."""
        return self._found(r'"kernelId": "([0-9a-f-]{36})"')

    def ask(self, *, origin: str | None = None, cookie: str | None = None) -> str:
        """Return what the widget answers over the socket, or the status of a refusal."""
        widget = self._found(r'"id": "([0-9a-f]+)"')
        header = {
            "msg_id": "m", "msg_type": "comm_msg", "session": "s1", "username": "",
            "version": "5.3", "date": "2026-01-01T00:00:00Z",
        }  # fmt: skip
        data = {"method": "custom", "content": {"kind": "ping"}}
        said = {
            "channel": "shell", "header": header, "parent_header": {}, "metadata": {},
            "content": {"comm_id": widget, "data": data}, "buffers": [],
        }  # fmt: skip
        sub_path = re.sub("^http", "ws", self.address)
        host = re.match(r"https?://[^/]+", self.address)
        headers = {
            "Cookie": self.cookie if cookie is None else cookie,
            "Origin": origin or (host.group() if host else ""),
        }
        address = f"{sub_path}api/kernels/{self.kernel_id}/channels?session_id=s1"

        async def answer() -> str:
            try:
                channels = await websocket_connect(HTTPRequest(address, headers=headers))
            except HTTPClientError as error:
                return f"refused with {error.code}"
            await channels.write_message(json.dumps(said))
            while reply := await channels.read_message():
                told = json.loads(reply)["content"].get("data", {}).get("content", {})
                if "answer" in told:
                    channels.close()
                    return str(told["answer"])
            return "closed"

        return run_apart(answer())
