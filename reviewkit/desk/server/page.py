"""The page: its first line at once, then the kernel, then the widgets with their state.

The template is one of Voila's (``kernel_start`` and ``cell_generator`` in it are Voila's words),
but the notebook does not go through nbconvert, and the head is on its way before a kernel is asked
for. From there on nothing can be answered with a status: what fails is said on the page.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Awaitable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jupyter_core.utils import ensure_async
from nbclient.exceptions import CellExecutionError
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError
from voila.execute import VoilaExecutor
from voila.tornado.handler import TornadoVoilaHandler

from reviewkit.desk.server.identity import door_of
from reviewkit.desk.server.logs import log_of
from reviewkit.desk.server.scripts import Shelf, Usual, shelf_of

SIGN_OF_LIFE_SECONDS = 10.0
"""A proxy that hears nothing for a minute closes the line."""

_VIEW = "application/vnd.jupyter.widget-view+json"
_FILES = {"_esm": "js", "_css": "css"}
_T = TypeVar("_T")


class CardsPage(TornadoVoilaHandler):
    """The page itself, and nothing below it."""

    is_page = True
    """Who is not known is sent to log in, where there is such a place."""
    _left = False

    async def get(self, path: str | None = None) -> None:
        """Show the visitor's notebook at the address itself, or one that stands beside it for him.

        Anything else does not exist, nor does a page of another role.
        """
        if path and f"/{path}/" == self.base_url:
            self.redirect(self.base_url)
            return
        mine = door_of(self).notebook_of(self.current_user, path or "")
        if path and mine is None:
            raise HTTPError(404)
        self.set_header("Referrer-Policy", "same-origin")
        if mine is not None:
            # as Voila names it: from the folder that the server looks at
            self.notebook_path = os.path.relpath(mine, self.settings["reviewkit_root"])
        if self.settings["reviewkit_stock_template"] or mine is None:
            page: Any = super().get(None)  # tornado's decorator hides that it is awaited
            await page
            return
        await self._stream(Path(mine))

    def on_connection_close(self) -> None:
        """Note that nobody waits for this page any more."""
        self._left = True
        super().on_connection_close()

    # the stream

    async def _stream(self, notebook: Path) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        writing = _Writing(self, notebook)
        try:
            async for text in writing.text():
                self.write(text)
        except StreamClosedError:
            pass
        except Exception as error:  # noqa: BLE001 - half a page is open and must not stay so
            log_of(self).tell_fault(self, error)
            self.write(writing.fault())
            await writing.end_kernel()
        if self._left:
            await writing.end_kernel()
        elif not self._finished:
            await self.finish()

    def kernel_environment(self) -> dict[str, str]:
        """Return what the kernel may know of the request: who asks, and that it is served."""
        known = {**os.environ, "SERVER_SOFTWARE": "voila/reviewkit", "SCRIPT_NAME": self.base_url}
        for name in self.voila_configuration.http_header_envs:
            value = self.request.headers.get(name)
            if value is not None:
                known[f"HTTP_{name.upper().replace('-', '_')}"] = value
        return known

    async def awaited(self, slow: Awaitable[_T]) -> _T:
        """Send what is written so far, and a sign of life now and then, while something is slow."""
        task = asyncio.ensure_future(slow)
        await self.flush()
        while not task.done():
            await asyncio.wait({task}, timeout=SIGN_OF_LIFE_SECONDS)
            if not task.done():
                self.write("\n")
                try:
                    await self.flush()
                except StreamClosedError:
                    break
        return await task


class _Writing:
    """One page on its way: the template's words, and the kernel that it has started."""

    def __init__(self, page: CardsPage, notebook: Path) -> None:
        self._page = page
        self._notebook = notebook
        self._kernels: Any = page.kernel_manager
        self._kernel_id = ""
        self._executor: Any = None
        self._folder = Path(page.settings["reviewkit_templates"])
        self._shelf: Shelf = shelf_of(page)

    def text(self) -> AsyncGenerator[str]:
        """Yield the page piece by piece."""
        script = (self._folder / "host.js").read_text(encoding="utf-8")
        template = _templates(self._folder).get_template("index.html.j2")
        titles = door_of(self._page).titles_of(str(self._notebook))
        return cast(
            "AsyncGenerator[str]",
            template.generate_async(
                nb=nbformat.read(self._notebook, as_version=4),
                resources={"base_url": self._page.base_url, "titles": dict(titles)},
                host=self._address("js", script),
                usual=self._shelf.usual(str(self._notebook)),
                kernel_start=self._kernel_start,
                cell_generator=self._cells,
            ),
        )

    def fault(self) -> str:
        """Return what closes a page that could not be written to its end."""
        return (self._folder / "fault.html").read_text(encoding="utf-8")

    async def end_kernel(self) -> None:
        """End the kernel of a page that nobody will see."""
        if self._kernel_id and self._kernel_id in self._kernels:
            await ensure_async(self._kernels.shutdown_kernel(self._kernel_id, now=True))

    def _address(self, kind: str, text: str) -> str:
        return self._page.base_url + self._shelf.lay(kind, text)

    async def _kernel_start(self, nb: Any) -> str:
        return await self._page.awaited(self._ready_kernel(nb))

    async def _ready_kernel(self, nb: Any) -> str:
        self._kernel_id = await ensure_async(
            self._kernels.start_kernel(
                kernel_name="python3",
                path=str(Path(self._page.notebook_path).parent),
                env=self._page.kernel_environment(),
            )
        )
        self._executor = VoilaExecutor(
            nb, km=self._kernels.get_kernel(self._kernel_id), config=self._page.traitlet_config
        )
        client = self._kernels.ready_client(self._kernel_id)
        if client is None:
            client = await self._executor.async_start_new_kernel_client()
        client.allow_stdin = False
        self._executor.kc = client
        return self._kernel_id

    async def _cells(self, nb: Any, _kernel_id: str) -> AsyncGenerator[dict[str, Any]]:
        """Run the cells and yield what each shows: widgets with their state, or that it failed."""
        usual = Usual()
        try:
            for number, cell in enumerate(nb.cells):
                if cell.cell_type != "code":
                    continue
                cell.outputs = []
                try:
                    await self._page.awaited(
                        self._executor.async_execute_cell(cell, number, store_history=False)
                    )
                except CellExecutionError as error:
                    log_of(self._page).tell("cell_failed", logging.ERROR, error=error.ename[:60])
                    yield {"failed": True, "widgets": []}
                    return
                widgets = [
                    self._widget(output) for output in cell.outputs if _VIEW in _data(output)
                ]
                for widget in widgets:
                    usual = Usual(
                        (*usual.scripts, widget["files"].get("_esm", "")),
                        (*usual.styles, widget["files"].get("_css", "")),
                    )
                yield {"failed": False, "widgets": widgets}
            self._shelf.remember(str(self._notebook), usual)
        finally:
            await ensure_async(self._executor.kc.stop_channels())

    def _widget(self, output: Any) -> dict[str, Any]:
        """Return a widget's state as its kernel sent it, with its files by their addresses."""
        model_id = _data(output)[_VIEW]["model_id"]
        state = dict(self._executor.widget_state.get(model_id, {}))
        files = {
            name: self._address(kind, state.pop(name))
            for name, kind in _FILES.items()
            if isinstance(state.get(name), str) and state[name]
        }
        return {"id": model_id, "state": state, "files": files}


def _data(output: Any) -> dict[str, Any]:
    return (
        output.get("data", {}) if output.output_type in ("display_data", "execute_result") else {}
    )


@lru_cache(maxsize=2)
def _templates(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        enable_async=True,
    )
