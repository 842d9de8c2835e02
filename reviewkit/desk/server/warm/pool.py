"""Kernels that run before anybody has come: they know no person, and show nothing."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from jupyter_client.manager import KernelManager

PAUSE_SECONDS = 1.0
"""Between one start and the next: the page that has just been opened needs the processor more."""
RETRY_SECONDS = 30.0
"""Pause after a start that failed."""
ANSWER_SECONDS = 3.0
"""How long a kernel of the pool may take to become a person's; it answers in some ms."""
START_SECONDS = 60.0

AHEAD = (
    "import reviewkit.desk.codes_view, reviewkit.desk.server.warm.ahead as _; _.read_ahead(); del _"
)
"""Done ahead: imports, and the study's files; a forked kernel finds both in what it came from."""


class NotTaken(Exception):
    """The kernel did not become the person's."""


class Pool:
    """A few kernels ahead of their visitors, filled up one at a time.

    ``start`` makes a kernel for nobody and returns its id, ``manager`` gives its manager, ``end``
    ends it at once, ``say`` logs an event with its reason.
    """

    def __init__(
        self,
        size: int,
        start: Callable[[], Awaitable[str]],
        manager: Callable[[str], KernelManager],
        end: Callable[[str], Awaitable[object]],
        say: Callable[[str, str], None],
    ) -> None:
        self.size = size
        self.ready: deque[str] = deque()
        self._clients: dict[str, Any] = {}
        self._start, self._manager, self._end, self._say = start, manager, end, say
        self._filling: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    def __contains__(self, kernel_id: object) -> bool:
        return kernel_id in self.ready

    def fill(self) -> None:
        """Begin to fill it up, unless that is under way."""
        if self._filling is None or self._filling.done():
            self._filling = asyncio.get_running_loop().create_task(self._fill())

    async def close(self) -> None:
        """Start no more."""
        self.size = 0
        if self._filling is not None:
            self._filling.cancel()
            with suppress(asyncio.CancelledError):
                await self._filling

    async def take(self, environment: dict[str, str], folder: str | None) -> str | None:
        """Return a kernel that has become the one of ``environment``; None when there is none.

        From then on the pool does not know it. One that does not answer is ended.
        """
        try:
            while self.ready:
                kernel_id = self.ready.popleft()
                try:
                    await self._become(kernel_id, environment, folder)
                except Exception as error:  # noqa: BLE001 - then the next one, or a fresh one
                    self._say("pooled_kernel_useless", _reason(error))
                    await self._discard(kernel_id)
                else:
                    return kernel_id
            return None
        finally:
            self.fill()

    def client(self, kernel_id: str) -> Any:
        """Return the client that the pool spoke to a kernel with, None when there is none.

        It has been heard and hears: whoever takes it need not wait for that again, and stops it.
        """
        return self._clients.pop(kernel_id, None)

    def let_go(self, kernel_id: str) -> None:
        """Stop the client of a kernel that was taken, if nobody asked for it."""
        if kernel_id not in self.ready and (client := self.client(kernel_id)) is not None:
            client.stop_channels()

    def drop(self, kernel_id: str) -> None:
        """Take out one that has died or that the server has restarted, and replace it."""
        if kernel_id in self.ready:
            self.ready.remove(kernel_id)
            ending = asyncio.get_running_loop().create_task(self._discard(kernel_id))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            self.fill()

    async def _fill(self) -> None:
        while len(self.ready) < self.size:
            pause = PAUSE_SECONDS
            await asyncio.sleep(pause)
            try:
                kernel_id = await self._start()
            except Exception as error:  # noqa: BLE001 - nobody waits for it; visitors get a fresh one
                self._say("pooled_kernel_not_started", _reason(error))
                await asyncio.sleep(RETRY_SECONDS)
                continue
            try:
                client: Any = self._manager(kernel_id).client()
                client.start_channels()
                self._clients[kernel_id] = client
                await client.wait_for_ready(timeout=START_SECONDS)
                await _run(client, AHEAD, START_SECONDS)
            except Exception as error:  # noqa: BLE001
                self._say("pooled_kernel_not_started", _reason(error))
                await self._discard(kernel_id)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            self.ready.append(kernel_id)

    async def _become(self, kernel_id: str, env: dict[str, str], folder: str | None) -> None:
        manager = self._manager(kernel_id)
        # in hexadecimal: IPython reads marks like ? and ! as commands of its own
        told = json.dumps([env, folder]).encode().hex()
        code = (
            "(lambda os, env, folder: (os.environ.clear(), os.environ.update(env),"
            " folder and os.chdir(folder)))"
            f"(__import__('os'), *__import__('json').loads(bytes.fromhex('{told}')))"
        )
        client = self._clients[kernel_id]
        if not await client.is_alive():
            raise NotTaken("it has ended")
        await _run(client, code, ANSWER_SECONDS)
        # a restart of this kernel gives it the same person
        manager.update_env(env=env)

    async def _discard(self, kernel_id: str) -> None:
        self.let_go(kernel_id)
        with suppress(Exception):
            await self._end(kernel_id)


def _reason(error: Exception) -> str:
    """Return a reason that may stand in the log: nothing of an environment."""
    return str(error) if isinstance(error, NotTaken) else type(error).__name__


async def _run(client: Any, code: str, seconds: float) -> None:
    """Run a silent statement; raises NotTaken or TimeoutError when it did not."""
    async with asyncio.timeout(seconds):
        asked = client.execute(code, silent=True, store_history=False)
        while True:
            reply = await client.get_shell_msg(timeout=seconds)
            if reply["parent_header"].get("msg_id") == asked:
                break
    if reply["content"]["status"] != "ok":
        raise NotTaken(str(reply["content"].get("ename")))
