"""Kernels whose beginning and end are in the log, with the reason and without the person."""

from __future__ import annotations

import logging
from functools import partial
from time import monotonic
from typing import Any, ClassVar

from reviewkit.desk.server.kernels import OwnedKernels
from reviewkit.desk.server.logs import ServerLog

PAGE_CLOSED = "its page was closed"
PAGE_GONE = "its page did not come back"
IDLE = "nobody used it"
STOPPING = "the server stops"
DIED = "its process was gone"


class WatchedKernels(OwnedKernels):
    """Tells of each kernel when and why it began, was started again, and ended."""

    log_to: ClassVar[ServerLog | None] = None
    """The log of this process's one server: Voila makes this object by its class alone."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._began_at: dict[str, float] = {}
        self._why: dict[str, str] = {}

    def _tell(self, event: str, kernel_id: str, level: int = logging.INFO, **fields: Any) -> None:
        log = type(self).log_to
        if log is not None:
            log.totals[event] += 1
            # who knows a kernel's id is half way to its channels
            log.tell(event, level, kernel=log.pseudonym("kernel", kernel_id), **fields)

    async def start_kernel(self, **kwargs: Any) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Start a kernel and say how long that took."""
        began = monotonic()
        kernel_id = await super().start_kernel(**kwargs)
        self._began_at[kernel_id] = monotonic()
        self._tell("kernel_started", kernel_id, ms=round(1000 * (monotonic() - began), 1))
        for event, happened in (("restart", self._restarted), ("dead", self._died)):
            self.add_restart_callback(kernel_id, partial(happened, kernel_id), event)
        return kernel_id

    def say(self, event: str, why: str) -> None:
        """Log that a kernel came up otherwise than it should."""
        log = type(self).log_to
        if log is None:
            super().say(event, why)
        else:
            log.tell(event, logging.WARNING, why=why)

    def _restarted(self, kernel_id: str) -> None:
        self._tell("kernel_restarted", kernel_id, logging.WARNING, why=DIED)

    def _died(self, kernel_id: str) -> None:
        self._tell("kernel_died", kernel_id, logging.ERROR, why=DIED)

    def _handle_kernel_died(self, kernel_id: str) -> None:
        # it is removed here, before those who asked to hear of its death are told
        self._why[kernel_id] = DIED
        super()._handle_kernel_died(kernel_id)

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel that has ended, and say why it did."""
        began = self._began_at.pop(kernel_id, None)
        why = self._why.pop(kernel_id, PAGE_CLOSED)
        if began is not None:
            self._tell("kernel_ended", kernel_id, why=why, seconds=round(monotonic() - began, 1))
        return super().remove_kernel(kernel_id)

    async def shutdown_all(self, now: bool = False) -> None:  # pyright: ignore[reportIncompatibleVariableOverride,reportIncompatibleMethodOverride]
        """End every kernel."""
        self._why.update(dict.fromkeys(self.list_kernel_ids(), STOPPING))
        await super().shutdown_all(now=now)

    async def _end_if_left(self, kernel_id: str) -> None:
        await self._because(PAGE_GONE, kernel_id, super()._end_if_left(kernel_id))

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel that nobody used for long."""
        await self._because(IDLE, kernel_id, super().cull_kernel_if_idle(kernel_id))

    async def _because(self, why: str, kernel_id: str, ending: Any) -> None:
        self._why.setdefault(kernel_id, why)
        try:
            await ending
        finally:
            if self._why.get(kernel_id) == why:
                del self._why[kernel_id]
