"""A person on a socket: reads, thinks, types, presses, and reloads when the page is of no use."""

from __future__ import annotations

import asyncio
import random
import secrets
from contextlib import suppress
from time import monotonic, time
from typing import Any

from benchmarks.crowd.meaning import Diary, Meant, meant
from benchmarks.crowd.socket_page import Cookies, Message, PageGone, SocketPage, ask_server

PRESS_AGAIN = 2.0
"""Seconds after a refusal in which a person reads it and presses once more."""
OPEN_AGAIN = 1.5


class SocketRater:
    """One rater, who walks through all his cards and locks his pass.

    Args:
        name: the rater.
        link: his personal link.
        url: where the page is that the link leads to.
        seed: what he means to say and how long he thinks.
        think: mean seconds of reading and thinking a card.
        second_tab: what he does in the middle: ``take over`` from a second tab, open one that he
            only ``look``s at, or nothing.
    """

    def __init__(
        self, name: str, link: str, url: str, *, seed: int, think: float, second_tab: str = ""
    ) -> None:
        self.name, self.link, self.url = name, link, url
        self.seed, self.think, self.second_tab = seed, think, second_tab
        self.chance = random.Random(f"{seed} {name} pace")
        self.diary = Diary(name)
        self.page: SocketPage | None = None
        self.opening: SocketPage | None = None
        """The page that was asked for last; it may not be there yet."""
        self._cookies = Cookies()
        self._tab = secrets.token_hex(16)
        self._pending: Message | None = None
        self._view: Message = {}
        self._made = 0

    async def rate(self, begin_after: float = 0.0) -> Diary:
        """Open the link, walk, lock, say goodbye."""
        await asyncio.sleep(begin_after)
        try:
            while not self.diary.done:
                try:
                    await self._arrive()
                    await self._walk()
                except PageGone as error:
                    self.diary.last = str(error)
                    self.diary.reloads += 1
                    await self._leave()
                    await asyncio.sleep(OPEN_AGAIN * (0.5 + self.chance.random()))
        finally:
            await self._leave()
        return self.diary

    # coming and going

    async def _arrive(self) -> None:
        began = monotonic()
        if len(self._cookies.held) == 1:
            try:
                await ask_server(self.link, self._cookies)
            except Exception as error:
                raise PageGone(str(error)) from error
        self.page = await self._open(self._tab)
        self._view = (await self._hello(self.page))["view"]
        if self._view["state"] == "elsewhere":
            self.diary.elsewhere += 1
            self._view = (await self.page.ask("take_over"))["view"]
        if self._view["state"] == "nobody":
            raise PageGone(str(self._view["message"]))
        self.diary.ready.append(monotonic() - began)

    async def _open(self, tab: str) -> SocketPage:
        page = self.opening = SocketPage(self.url, self._cookies, tab, self._count_lost)
        try:
            await page.load()
        except BaseException:
            await page.close()
            raise
        return page

    async def _hello(self, page: SocketPage) -> Message:
        pending = self._pending
        reply = await page.ask("hello", language=None, narrow=False, pending=pending)
        if self._pending is pending:
            self._pending = None
        return reply

    async def _leave(self) -> None:
        page, self.page = self.page, None
        if page is not None:
            await page.close()

    def _count_lost(self) -> None:
        self.diary.lost += 1

    # the walk

    async def _walk(self) -> None:
        while True:
            view, card = self._view, self._view["card"]
            self.diary.last = f"{view['state']}, card {card and card['card_id']}"
            if view["state"] == "elsewhere":
                self.diary.elsewhere += 1
                self._view = (await self._page.ask("take_over"))["view"]
            elif view["state"] == "locked" or (view["done"] and view["done"]["can_lock"]):
                await self._lock(view)
                return
            elif card is None:
                # nothing under the filter, or a card that could not be shown
                await self._idle(PRESS_AGAIN)
                self._view = (await self._hello(self._page))["view"]
            else:
                await self._card(card)

    @property
    def _page(self) -> SocketPage:
        if self.page is None:
            raise PageGone("closed")
        return self.page

    async def _card(self, card: Message) -> None:
        right = meant(self.seed, self.name, card["card_id"])
        stands = (card["draft"]["answers"], card["draft"]["note"])
        if card["decided"] and stands == (right.answers, right.note):
            await self._adopt(await self._page.ask("go", to="next"))
            return
        if await self._idle(self.think * self.chance.uniform(0.2, 1.4)):
            return
        if not await self._fill_in(card, right):
            return
        if self.second_tab and self._made >= 2:
            await self._in_two_tabs(card, right)
            return
        await self._press(card, right)

    async def _idle(self, seconds: float) -> bool:
        """Let time pass; return whether another page came meanwhile."""
        reply = await self._page.idle(seconds)
        return await self._adopt(reply) if reply is not None else False

    async def _fill_in(self, card: Message, right: Meant) -> bool:
        """Answer and type, a draft for each pause; return whether the card is still there."""
        half = len(right.note) // 2
        for note in dict.fromkeys(("", right.note[:half], right.note)):
            if not await self._draft(card, right, note):
                return False
            await asyncio.sleep(self.think * self.chance.uniform(0.0, 0.1))
        return True

    async def _draft(self, card: Message, right: Meant, note: str) -> bool:
        self._pending = {
            "whose": f"{self._view['who']['study']}/{self._view['who']['pass']}/{self.name}",
            "card_id": card["card_id"], "card_digest": card["card_digest"],
            "answers": right.answers, "note": note, "escalated": False, "unsure": False,
            "typed_at": time(),
        }  # fmt: skip
        pending = self._pending
        while True:
            reply = await self._page.ask("draft", token=card["token"], **_judgement(right, note))
            if reply["kind"] == "outcome":
                if self._pending is pending:
                    self._pending = None
                return True
            if reply["kind"] == "refused" and "view" not in reply:
                # not kept: a disk without room, say; the page keeps the words and goes on
                self.diary.refused.append(reply["text"])
                return True
            if await self._adopt(reply, same_as=card):
                return False

    async def _adopt(self, reply: Message, same_as: Message | None = None) -> bool:
        """Show what came; return whether it is something else than ``same_as``."""
        if reply["kind"] == "refused":
            self.diary.refused.append(reply["text"])
        if reply["kind"] == "elsewhere":
            self._view = {**self._view, "state": "elsewhere"}
            return True
        if "view" not in reply:
            return False
        self._view = reply["view"]
        card = self._view["card"]
        if card and same_as and card["card_digest"] == same_as["card_digest"]:
            same_as.update(token=card["token"])
            return card["card_id"] != same_as["card_id"]
        return True

    async def _press(self, card: Message, right: Meant) -> None:
        """Press Save and wait for the acknowledgement."""
        click = secrets.token_hex(16)
        press = self.diary.press(click, card["card_id"], dict(right.answers), right.note)
        reply = await self._page.ask(
            "submit", click_id=click, token=card["token"], **_judgement(right, right.note)
        )
        press.hear(reply["kind"])
        if reply["kind"] == "recorded":
            self._made += 1
            self._pending = None
            self._view = reply["view"]
        elif reply["kind"] == "elsewhere" or "view" in reply:
            await self._adopt(reply)
        else:
            self.diary.refused.append(reply["text"])
            await self._idle(PRESS_AGAIN * (0.5 + self.chance.random()))

    async def _in_two_tabs(self, card: Message, right: Meant) -> None:
        """Open the page once more: that tab must be refused, or take over, and nothing is lost."""
        wanted, self.second_tab = self.second_tab, ""
        second = await self._open(secrets.token_hex(16))
        view = (await second.ask("hello", language=None, narrow=False, pending=None))["view"]
        if view["state"] == "elsewhere":
            self.diary.elsewhere += 1
        if wanted != "take over":
            await second.close()
            await self._press(card, right)
            return
        first = self._page
        # at the same moment a press in the first tab and the take-over in the second
        pressed, taken = await asyncio.gather(
            self._press(card, right), second.ask("take_over"), return_exceptions=True
        )
        with suppress(PageGone):
            reply = await first.ask("draft", token=card["token"], **_judgement(right, right.note))
            if reply["kind"] == "outcome":
                self.diary.refused.append("BOTH TABS WRITE")
        await first.close()
        self.page, self._tab = second, second.tab
        for fault in (pressed, taken):
            if isinstance(fault, BaseException):
                raise fault if isinstance(fault, PageGone) else PageGone(str(fault))
        assert isinstance(taken, dict)
        self._view = taken["view"]

    async def _lock(self, view: Message) -> None:
        if view["state"] != "locked":
            click = secrets.token_hex(16)
            reply = await self._page.ask("lock", click_id=click)
            if reply["kind"] != "recorded":
                self.diary.refused.append(reply.get("text", ""))
                await self._idle(PRESS_AGAIN)
                self._view = (await self._hello(self._page))["view"]
                return
            self.diary.locked = click
        self.diary.done = True


def _judgement(right: Meant, note: str) -> dict[str, Any]:
    return {
        "answers": right.answers, "note": note, "escalated": False, "unsure": False,
        "seconds": 1.0,
    }  # fmt: skip
