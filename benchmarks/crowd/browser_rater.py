"""A person with a real Chromium page: presses keys, looks at the screen, loads again when told."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as BrowserError

from benchmarks.crowd.meaning import Diary, Press, meant
from benchmarks.judging.browsing import NEW_CARD_MS, WATCH
from tests.conftest import CHROMIUM_FLAGS, chromium_path

READY_MS = 45_000
LOOK_EVERY = 0.1
RELOAD_AFTER = 3.0
"""Seconds of a red bar after which this person presses Reload."""

SCREEN = """() => {
  const seen = name => [...document.querySelectorAll(name)].some(node => node.offsetHeight);
  const title = document.querySelector(".rk-title");
  const row = document.querySelector(".rk-check[data-check]");
  return {
    card: seen(".rk-form") && title ? title.textContent : "",
    answer: row?.dataset.answer ?? "",
    key: Object.fromEntries([...(row?.querySelectorAll("[data-code]") ?? [])]
      .map(code => [code.dataset.code, code.getAttribute("aria-keyshortcuts")])),
    note: document.querySelector(".rk-note")?.value ?? "",
    decided: seen(".rk-chip-decided"),
    lost: seen(".rk-bar-lost"),
    refused: seen(".rk-bar-refused") ? document.querySelector(".rk-bar-refused").textContent : "",
    elsewhere: seen(".rk-panel-elsewhere"),
    done: seen(".rk-panel-done"),
    locked: seen(".rk-panel-locked"),
    failed: seen(".rk-panel-failed") || seen(".rk-page-fault") || !seen(".rk-frame"),
    cards: window.bench ? bench.cards : 0,
  };
}"""


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    """Start one headless browser that reaches nothing but this machine."""
    path = chromium_path() or shutil.which("chrome")
    if path is None:
        raise FileNotFoundError("no Chromium: apt-get install chromium")
    flags = [*CHROMIUM_FLAGS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield running
        finally:
            await running.close()


class BrowserRater:
    """One rater in a browser profile of his own; the same walk as the one on a socket."""

    def __init__(
        self, browser: Browser, name: str, link: str, url: str, *, seed: int, think: float
    ) -> None:
        self.browser, self.name, self.link, self.url = browser, name, link, url
        self.seed, self.think = seed, think
        self.chance = random.Random(f"{seed} {name} pace")
        self.diary = Diary(name)
        self._page: Page | None = None
        self._pressed: dict[str, Press] = {}
        self._cards: dict[str, str] = {}

    @property
    def page(self) -> Page:
        """The page that is open."""
        assert self._page is not None
        return self._page

    async def rate(self, begin_after: float = 0.0) -> Diary:
        """Open the link, walk, lock, close the tab."""
        await asyncio.sleep(begin_after)
        context = await self.browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(15_000)
        await context.add_init_script(WATCH)
        self._page = await context.new_page()
        self.page.on("websocket", self._listen)
        try:
            await self._load(self.link)
            while not self.diary.done:
                try:
                    await self._look_and_act()
                except (BrowserError, TimeoutError) as error:
                    # the page is just going, or did not do what was pressed: look again
                    self.diary.last = str(error)
                    await asyncio.sleep(LOOK_EVERY)
        finally:
            with suppress(BrowserError):
                await self.page.close(run_before_unload=True)
                await asyncio.sleep(0.5)
                await context.close()
        return self.diary

    async def _load(self, address: str) -> None:
        while True:
            began = monotonic()
            self.diary.last = f"loading {address}"
            try:
                await self.page.goto(address, wait_until="commit", timeout=READY_MS)
                self.diary.last = "loaded, waiting for the card"
                await self.page.wait_for_function(
                    "document.querySelector('.rk-frame')", polling=200, timeout=READY_MS
                )
            except BrowserError as error:
                self.diary.last = f"could not load: {error}"
                self.diary.reloads += 1
                await asyncio.sleep(RELOAD_AFTER * self.chance.random())
            else:
                self.diary.ready.append(monotonic() - began)
                return

    async def _look_and_act(self) -> None:
        page, screen = self.page, await self.page.evaluate(SCREEN)
        self.diary.last = str({name: each for name, each in screen.items() if each})
        if screen["lost"] or screen["failed"]:
            if screen["lost"]:
                self.diary.lost += 1
            await asyncio.sleep(RELOAD_AFTER)
            again = await page.evaluate(SCREEN)
            if again["lost"] or again["failed"]:
                self.diary.reloads += 1
                await self._load(self.url)
        elif screen["locked"]:
            self.diary.done = True
        elif screen["elsewhere"]:
            self.diary.elsewhere += 1
            await page.click(".rk-panel-elsewhere .rk-primary")
            await asyncio.sleep(1.0)
        elif screen["done"]:
            await self._lock()
        elif screen["card"]:
            await self._card(screen)
        else:
            await asyncio.sleep(LOOK_EVERY)

    async def _card(self, screen: dict[str, Any]) -> None:
        page, card = self.page, screen["card"]
        right = meant(self.seed, self.name, card)
        if screen["decided"] and (screen["answer"], screen["note"]) == (right.code, right.note):
            await page.keyboard.press("j")
            await self._wait_for_another(screen)
            return
        await asyncio.sleep(max(NEW_CARD_MS / 1000, self.think * self.chance.uniform(0.2, 1.4)))
        if screen["answer"] != right.code:
            await page.keyboard.press(screen["key"][right.code])
        if screen["note"] != right.note:
            await page.keyboard.press("t")
            await page.keyboard.press("Control+a")
            half = len(right.note) // 2
            await page.keyboard.insert_text(right.note[:half])
            await asyncio.sleep(self.think * self.chance.uniform(0.0, 0.1))
            await page.keyboard.insert_text(right.note[half:])
            await page.keyboard.press("Escape")
        now = await page.evaluate(SCREEN)
        if (now["card"], now["answer"], now["note"]) != (card, right.code, right.note):
            self.diary.last += f"; could not fill in {right}: {now}"
            return
        await page.keyboard.press("Enter")
        if await self._wait_for_another(now):
            shown = await page.evaluate("bench.shown - bench.pressed")
            self.diary.shown.append(shown / 1000)
        else:
            self.diary.last += "; pressed Enter, and no other card came"

    async def _wait_for_another(self, screen: dict[str, Any]) -> bool:
        """Wait for the next card; return whether it came before anything went wrong."""
        end = monotonic() + 30.0
        while monotonic() < end:
            now = await self.page.evaluate(SCREEN)
            if now["done"] or now["locked"]:
                return False
            if now["card"] != screen["card"]:
                return True
            if now["lost"] or now["elsewhere"] or now["failed"]:
                return False
            if now["refused"] and now["refused"] != screen["refused"]:
                self.diary.refused.append(now["refused"])
                await asyncio.sleep(2.0)
                return False
            await asyncio.sleep(LOOK_EVERY / 2)
        return False

    async def _lock(self) -> None:
        await self.page.click(".rk-panel-done [data-acts=lock]")
        await self.page.wait_for_selector("dialog[open]")
        await self.page.keyboard.press("Tab")
        await self.page.keyboard.press("Enter")
        await self.page.wait_for_selector(".rk-panel-locked", timeout=8_000)

    # what goes over the wire

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        if not isinstance(frame, str) or '"comm_msg"' not in frame:
            return
        said = json.loads(frame)["content"]["data"].get("content") or {}
        click = said.get("click_id", "")
        if said.get("kind") == "submit" and click not in self._pressed:
            card = self._cards.get(said["token"], "")
            self._pressed[click] = self.diary.press(click, card, said["answers"], said["note"])
        if said.get("kind") == "lock":
            self._cards[click] = "lock"

    def _received(self, frame: str | bytes) -> None:
        if not isinstance(frame, str) or '"custom"' not in frame:
            return
        data = json.loads(frame)["content"].get("data") or {}
        said = data.get("content") or {}
        view = said.get("view") or {}
        if view.get("card"):
            self._cards[view["card"]["token"]] = view["card"]["card_id"]
        press = self._pressed.get(said.get("click_id", ""))
        if press is not None:
            press.hear(said["kind"])
        elif said.get("kind") == "recorded" and self._cards.get(said.get("click_id")) == "lock":
            self.diary.locked = said["click_id"]
