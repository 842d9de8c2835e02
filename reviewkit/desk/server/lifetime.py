"""From the first request to the last: how a server is told to stop, and how it does.

On the first signal pages that are opened get a 503 in every language, those that are open are told
by the close code 1001 that the server goes away and come back by themselves, kernels end, and the
process ends with 0, all within ten seconds. Drafts need no rescue: the kernel has them on the disk
at every change. A second signal ends everything at once.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import Any, cast

from jupyter_client.manager import KernelManager
from jupyter_core.utils import ensure_async
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.ioloop import IOLoop
from tornado.web import RequestHandler

from reviewkit.desk.server.logs import ServerLog

LAST_MESSAGES_SECONDS = 0.3
"""How long kernels may answer what reached them before the sockets closed."""
KERNELS_SECONDS = 6.0
"""How long kernels may take to end by themselves; then they are killed."""
RETRY_AFTER_SECONDS = 10
GOING_AWAY = 1001


class Lifetime:
    """How long a server has been there, and whether it is going."""

    def __init__(self, log: ServerLog) -> None:
        self.log = log
        self.began = monotonic()
        self.stopping = False
        self._end: Callable[[], object] | None = None
        self._kernels: Any = None
        self._folder = ""
        self._task: asyncio.Task[None] | None = None

    @property
    def uptime(self) -> int:
        """Whole seconds since the server began."""
        return int(monotonic() - self.began)

    def watch_signals(self) -> None:
        """Hear SIGTERM, SIGINT and SIGHUP from now on; to be called in the main thread."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._asked_to_stop)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self._asked_to_reopen)

    def runs_with(self, kernels: Any, folder: str, end: Callable[[], object]) -> None:
        """Say what there is to end: the kernels, the folder of their connections, the loop."""
        self._kernels, self._folder, self._end = kernels, folder, end

    def _asked_to_reopen(self, _number: int, _frame: FrameType | None) -> None:
        if self._end is None:
            self.log.reopen()
        else:
            IOLoop.current().add_callback_from_signal(self.log.reopen)

    def _asked_to_stop(self, number: int, _frame: FrameType | None) -> None:
        if self._end is None:
            raise KeyboardInterrupt
        if self.stopping:
            self._end_at_once(number)
        self.stopping = True
        IOLoop.current().add_callback_from_signal(self._begin_to_stop, number)

    def _begin_to_stop(self, number: int) -> None:
        self.log.tell("server_stopping", why=signal.Signals(number).name)
        self._task = asyncio.ensure_future(self._wind_down())

    async def _wind_down(self) -> None:
        try:
            close_pages()
            await asyncio.sleep(LAST_MESSAGES_SECONDS)
            try:
                await asyncio.wait_for(ensure_async(self._kernels.shutdown_all()), KERNELS_SECONDS)
            except TimeoutError:
                self.log.tell("kernels_killed", logging.WARNING)
                _kill(self._kernels)
        except Exception as error:  # noqa: BLE001 - whatever it is, the server has to end
            self.log.tell("stop_failed", logging.ERROR, error=type(error).__name__)
            _kill(self._kernels)
        finally:
            if self._end is not None:
                self._end()

    def _end_at_once(self, number: int) -> None:
        _kill(self._kernels)
        shutil.rmtree(self._folder, ignore_errors=True)
        self.log.tell("server_stopped", logging.WARNING, why="second signal")
        os._exit(128 + number)


def close_pages() -> None:
    """Close every socket so that its page knows that the server goes, and comes back by itself."""
    for connection in list(ZMQChannelsWebsocketConnection._open_sockets):  # noqa: SLF001
        with suppress(Exception):  # one that is closing already
            cast("Any", connection.websocket_handler).close(GOING_AWAY, "server stopping")


def _kill(kernels: Any) -> None:
    for kernel_id in list(kernels.list_kernel_ids()):
        with suppress(Exception):  # it may be half started or half gone
            kernel: KernelManager = kernels.get_kernel(kernel_id)
            process = getattr(kernel.provisioner, "process", None)
            if process is not None:
                process.kill()


def lifetime_of(handler: RequestHandler) -> Lifetime:
    """Return the lifetime of the server that the request came to."""
    return cast("Lifetime", handler.settings["reviewkit_lifetime"])
