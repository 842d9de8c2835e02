"""A kernel client that begins as soon as the kernel listens, without a fixed wait."""

from __future__ import annotations

import time
from queue import Empty
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient

FIRST_ASK_AGAIN = 0.05
LONGEST_ASK_AGAIN = 1.0
"""Seconds between two questions whether the kernel is there."""


class PromptClient(AsyncKernelClient):
    """Waits for the kernel's answer and for its broadcasts, and then for nothing more.

    The stock client goes on to empty the broadcast channel until 0.2 s pass without a message.
    nbclient has no use for that: it takes from that channel only messages that name its own
    request as their parent, and from the shell channel only the reply to it.
    """

    async def wait_for_ready(self, timeout: float | None = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride]
        """Return once the kernel has answered and this client hears its broadcasts.

        The second matters: outputs are broadcast, and before the subscription has reached the
        kernel they would go unheard. Raises RuntimeError when the kernel died or ``timeout``
        seconds have passed.
        """
        end = time.monotonic() + (float("inf") if timeout is None else timeout)
        wait = FIRST_ASK_AGAIN
        answered = heard = False
        while True:
            self.kernel_info()
            answered = answered or await _next(self.shell_channel, wait) == "kernel_info_reply"
            heard = answered and bool(await _next(self.iopub_channel, wait))
            if heard:
                return
            wait = min(2 * wait, LONGEST_ASK_AGAIN)
            if not await self.is_alive():
                raise RuntimeError("Kernel died before replying to kernel_info")
            if time.monotonic() > end:
                raise RuntimeError(f"Kernel didn't respond in {timeout:.0f} seconds")


async def _next(channel: Any, wait: float) -> str:
    """Return the kind of the next message, nothing when none comes in time."""
    try:
        message = await channel.get_msg(timeout=wait)
    except Empty:
        return ""
    return str(message["msg_type"])
