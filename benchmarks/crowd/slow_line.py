"""A small proxy between raters and server: it delays, trickles, and cuts connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

PIECE = 4_096


@dataclass
class Line:
    """What a network does to the bytes.

    Args:
        delay: seconds that every piece is under way, in each direction.
        rate: bytes a second, or 0 for as fast as it goes.
    """

    delay: float = 0.0
    rate: float = 0.0


@dataclass
class Proxy:
    """Carries connections to one port of this machine."""

    target: int
    line: Line
    port: int = 0
    cut: int = 0
    """How many connections were cut."""
    _server: asyncio.Server | None = None
    _open: set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def start(self) -> None:
        """Listen on a free port of this machine."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Cut everything and listen no more."""
        if self._server is not None:
            self._server.close()
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut_some(self, chance: random.Random, share: float) -> int:
        """Cut this share of the open connections, as a network that goes away; return how many."""
        pairs = sorted(self._open, key=lambda pair: id(pair[0]))
        chosen = chance.sample(pairs, round(len(pairs) * share))
        for pair in chosen:
            for writer in pair:
                writer.transport.abort()
        self.cut += len(chosen)
        return len(chosen)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        pair = (writer, to_server)
        self._open.add(pair)
        task = asyncio.current_task()
        with self._noted(task):
            pumps = [
                asyncio.ensure_future(self._pump(reader, to_server)),
                asyncio.ensure_future(self._pump(from_server, writer)),
            ]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                await asyncio.wait(pumps, timeout=self.line.delay + 0.5)
            except asyncio.CancelledError:
                # asyncio reports a connection whose task was cancelled as a fault
                pass
            finally:
                self._open.discard(pair)
                for pump in pumps:
                    pump.cancel()
                for each in pair:
                    each.close()

    @contextmanager
    def _noted(self, task: asyncio.Task[None] | None) -> Generator[None]:
        if task is not None:
            self._tasks.add(task)
        try:
            yield
        finally:
            if task is not None:
                self._tasks.discard(task)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one direction; pieces overlap on a long way, as on a real one."""
        loop = asyncio.get_running_loop()
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(64)

        async def arrive() -> None:
            while True:
                due, piece = await under_way.get()
                if not piece:
                    return
                if (wait := due - loop.time()) > 0:
                    await asyncio.sleep(wait)
                writer.write(piece)
                await writer.drain()

        arriving = asyncio.ensure_future(arrive())
        try:
            with suppress(OSError):
                while piece := await reader.read(PIECE):
                    if self.line.rate:
                        await asyncio.sleep(len(piece) / self.line.rate)
                    await under_way.put((loop.time() + self.line.delay, piece))
                await under_way.put((loop.time(), b""))
                await arriving
        finally:
            arriving.cancel()
