"""The links as the server last saw them: a database is asked beside the loop, never in it.

A file tells at once whether it has grown, so it is asked each time. A database may take its time,
or hang: then one question waits in a thread of its own, and everybody but who asked goes on.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TypeVar

from reviewkit.decisions.disk import CannotRead
from reviewkit.study.links import Link, LinkBook

RECENT_SECONDS = 1.0
"""So old may be what a message on an open socket is judged by."""
PATIENCE_SECONDS = 1.0
"""So long a message waits for the database; what it said last holds until it answers."""
ANSWER_SECONDS = 8.0
"""So long a request waits; to connect takes up to 5 s."""

T = TypeVar("T")


def ask_beside(ask: Callable[[], T]) -> asyncio.Future[T]:
    """Ask in a thread of its own, which keeps neither the loop nor the end of the server waiting.

    The threads of an executor are few, and each is waited for when the process ends.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def tell(found: T | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(found)  # pyright: ignore[reportArgumentType]

    def work() -> None:
        found: T | None = None
        failed: BaseException | None = None
        try:
            found = ask()
        except BaseException as error:  # noqa: BLE001 - told to who asked
            failed = error
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, found, failed)

    threading.Thread(target=work, daemon=True, name="asks").start()
    return answer


class LinksAsRead(LinkBook):
    """What a book of links said once; it is not asked again."""

    def __init__(self, book: LinkBook) -> None:
        super().__init__(book.path)
        self._as_read = {link.link: link for link in book.list()}

    def _read(self) -> Mapping[str, Link]:
        return self._as_read


class SeenLinks:
    """The links of the server's project folder, for code that runs in its loop.

    Args:
        book: the links.
        shared: whether they are in a database.
    """

    def __init__(self, book: LinkBook, *, shared: bool) -> None:
        self._book = book
        self._shared = shared
        self._reading: asyncio.Future[LinksAsRead] | None = None
        self._asked_at = self._seen_at = monotonic()
        self._seen: LinkBook = LinksAsRead(book) if shared else book

    @property
    def last(self) -> LinkBook:
        """What was seen last, at once: of a file, what it says now."""
        return self._seen

    async def anew(self) -> LinkBook:
        """Return what the links are after this was called; CannotRead when nobody says."""
        asked = monotonic()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while self._shared and self._seen_at < asked:
                    await asyncio.shield(self._read())
        except TimeoutError:
            raise CannotRead("links", "the database does not answer", "try again soon") from None
        return self._seen

    async def lately(self) -> LinkBook:
        """Return what the links were a moment ago, or what is known while a database is silent."""
        if self._shared and monotonic() - self._seen_at > RECENT_SECONDS:
            reading = self._read()
            left = self._asked_at + PATIENCE_SECONDS - monotonic()
            if left > 0:
                await asyncio.wait({reading}, timeout=left)
        return self._seen

    def _read(self) -> asyncio.Future[LinksAsRead]:
        """Ask, one question at a time."""
        if self._reading is None:
            self._asked_at = monotonic()
            self._reading = asyncio.ensure_future(self._ask())
            # whoever asked may be gone, and then nobody else hears of a failure
            self._reading.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        return self._reading

    async def _ask(self) -> LinksAsRead:
        """Ask, and note the answer before anybody can see that there is one.

        Who waited for one that is there and not noted would wait for it again, and as that takes
        no time, the loop would never come to the noting.
        """
        asked_at = self._asked_at
        try:
            self._seen = found = await ask_beside(partial(LinksAsRead, self._book))
            self._seen_at = asked_at
        finally:
            self._reading = None
        return found
