"""The browser's side: opens pages, judges cards, and notes on the page itself when they show.

A card counts as shown when the frame that has its name laid out is painted. Each page shows the
next card only when Python has answered, and Python answers only when the line is on the disk: so
"shown" is "shown, and the decision durable".
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page, sync_playwright

from tests.conftest import CHROMIUM_FLAGS, chromium_path

__all__ = ["Browser", "BrowserError", "Tab", "chromium", "judge_with_clicks", "judge_with_keys"]

PAUSE_MS = 50
"""Between two keys: fast for a person, slow enough that none waits for the one before."""
NEW_CARD_MS = 320
"""Our page takes no submission in the first 300 ms of a card."""
PAGE_MS = 90_000

WATCH = """
(() => {
  const bench = window.bench = { id: "", cards: 0, ready: 0, pressed: 0, shown: 0, waiting: [] };
  const look = () => {
    const node = document.querySelector(".bench-id, .rk-title");
    const id = node && node.offsetHeight ? node.textContent : "";
    if (!id || id === bench.id) return;
    bench.id = id;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      bench.shown = performance.now();
      bench.ready ||= bench.shown;
      bench.cards += 1;
      for (const tell of bench.waiting.splice(0)) tell();
    }));
  };
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document, all);
  bench.after = cards => new Promise((tell, fail) => {
    if (bench.cards > cards) return tell();
    bench.waiting.push(tell);
    setTimeout(() => fail(new Error(`no card after ${bench.id}`)), 30000);
  });
  const press = event => {
    const saves = event.key === "Enter" || event.target.closest?.(".bench-save");
    if (saves) bench.pressed = event.timeStamp;
  };
  addEventListener("keydown", press, true);
  addEventListener("click", press, true);
})();
"""


def judge_with_keys(page: Page) -> None:
    """Say yes to every question, one key each, and save with Enter."""
    questions = page.locator(".rk-check[data-check]").count() or 5
    for _ in range(questions):
        page.keyboard.press("y")
        page.wait_for_timeout(PAUSE_MS)
    page.keyboard.press("Enter")


def judge_with_clicks(page: Page) -> None:
    """Click yes on every question, and Save: plain controls hear no keys."""
    for each in page.locator(".widget-toggle-buttons").all():
        each.locator("button").first.click()
        page.wait_for_timeout(PAUSE_MS)
    page.locator(".bench-save").click()


@dataclass
class Traffic:
    """What the pages of one kind asked for."""

    requests: int = 0
    kilobytes: float = 0.0
    far: list[str] = field(default_factory=list)


@dataclass
class Tab:
    """One person's page."""

    page: Page
    judge: Callable[[Page], None]
    traffic: Traffic

    def open(self, url: str) -> float:
        """Load the page and return the milliseconds from navigation to the first card shown."""
        self.traffic.requests, self.traffic.kilobytes = 0, 0.0
        self.page.goto(url, wait_until="commit", timeout=PAGE_MS)
        return self.wait_ready()

    def start_opening(self, url: str) -> None:
        """Begin to load the page and wait for nothing."""
        self.page.evaluate("url => { setTimeout(() => location.assign(url)) }", url)

    def is_ready(self) -> bool:
        """Return whether the first card shows."""
        try:
            return bool(self.page.evaluate("window.bench?.ready > 0"))
        except BrowserError:  # the page before it is just going
            return False

    def says(self) -> str:
        """Return how the text of the page begins."""
        return self.page.inner_text("body")[:80]

    def wait_ready(self, longest: float = PAGE_MS) -> float:
        """Return the milliseconds to the first card shown, as soon as there is one."""
        self.page.wait_for_function("window.bench?.ready > 0", polling=200, timeout=longest)
        return float(self.page.evaluate("bench.ready"))

    def judge_card(self) -> float:
        """Judge the card; return the milliseconds from the last press to the next card shown."""
        self.page.wait_for_timeout(NEW_CARD_MS)
        before = self.page.evaluate("bench.cards")
        self.judge(self.page)
        self.page.evaluate("cards => bench.after(cards)", before)
        return float(self.page.evaluate("bench.shown - bench.pressed"))

    def close(self) -> None:
        """Close the tab as a person does, so that the page may say goodbye."""
        self.page.close(run_before_unload=True)


@dataclass
class Browser:
    """A headless Chromium that reaches nothing but this machine."""

    running: Any

    def new_tab(self, judge: Callable[[Page], None], link: str = "") -> Tab:
        """Return a blank tab of a fresh profile, let in by ``link`` if there is one."""
        context = self.running.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(30_000)
        context.add_init_script(WATCH)
        if link:
            context.request.get(link, max_redirects=0)
        page = context.new_page()
        traffic = Traffic()
        network = context.new_cdp_session(page)
        network.send("Network.enable")

        def asked(event: dict[str, Any]) -> None:
            url = event["request"]["url"] if "request" in event else event["url"]
            parts = urlsplit(url)
            if parts.scheme in ("data", "blob"):
                return
            traffic.requests += 1
            if not _is_here(parts.hostname or ""):
                traffic.far.append(url)

        def came(event: dict[str, Any]) -> None:
            traffic.kilobytes += event["encodedDataLength"] / 1000

        network.on("Network.requestWillBeSent", asked)
        network.on("Network.webSocketCreated", asked)
        network.on("Network.loadingFinished", came)
        return Tab(page, judge, traffic)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def chromium() -> Generator[Browser]:
    """Start the browser for the length of a block."""
    path = chromium_path() or shutil.which("chrome")
    if path is None:
        raise FileNotFoundError("no Chromium: apt-get install chromium")
    flags = [*CHROMIUM_FLAGS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield Browser(running)
        finally:
            running.close()
