"""A reviewer's browser at a served study, from the link to the closed tab."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.serving.served import Server, lay_project, running, until

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

OPENED = 60_000
"""Milliseconds a busy machine may take for the first card."""


class Visit:
    """One browser profile at one server, and all that it asked for."""

    def __init__(self, browser: Any, server: Server) -> None:
        self.context = browser.new_context()
        self.server = server
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.context.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def open(self, address: str) -> Any:
        """Open an address in a new tab and wait for the card."""
        page = self.context.new_page()
        page.goto(address, timeout=OPENED)
        page.locator("#who").wait_for(timeout=OPENED)
        return page

    def hosts(self) -> set[str]:
        """Return every host that was asked, beside data and blob addresses."""
        parts = [urlsplit(url) for url in self.asked]
        return {part.netloc for part in parts if part.scheme not in ("data", "blob")}


def _kernel_told(page: Any) -> int:
    page.locator("#ask").click()
    told = page.locator("#told")
    told.filter(has_text="kernel").wait_for(timeout=20_000)
    return int(told.inner_text().removeprefix("kernel "))


def test_from_the_link_to_the_card(browser: Any, server: Server) -> None:
    """The link leads to the person's card; no script and no address bar shows the secret."""
    token = server.book.make("demo", "first", "amal")
    visit = Visit(browser, server)
    page = visit.open(f"{server.url}go/{token}")

    assert page.url == server.url
    assert page.locator("#who").inner_text() == (
        '{"pass": "first", "rater": "amal", "study": "demo"}'
    )
    assert _kernel_told(page) in [kernel.pid for kernel in server.kernels()]
    assert not page.locator("#opening").is_visible()
    assert token not in page.evaluate("document.documentElement.outerHTML + document.referrer")
    (cookie,) = [c for c in visit.context.cookies() if c["name"].startswith("reviewkit-")]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
    assert "reviewkit" not in page.evaluate("document.cookie")
    assert visit.complaints == []
    assert visit.hosts() == {f"127.0.0.1:{server.port}"}
    visit.context.close()


def test_reload_and_second_tab_stay_with_the_person(browser: Any, server: Server) -> None:
    """A reload gives its kernel back at once; a second tab has a kernel of its own."""
    visit = Visit(browser, server)
    page = visit.open(f"{server.url}go/{server.book.make('demo', 'first', 'badr')}")
    first = _kernel_told(page)
    page.reload(timeout=OPENED)
    page.locator("#who").wait_for(timeout=OPENED)
    second = _kernel_told(page)
    assert '"badr"' in page.locator("#who").inner_text()
    assert first != second
    assert until(lambda: first not in [kernel.pid for kernel in server.kernels()], 10)

    tab = visit.open(server.url)
    third = _kernel_told(tab)
    assert third != second
    assert _kernel_told(page) == second
    tab.close(run_before_unload=True)
    assert until(lambda: third not in [kernel.pid for kernel in server.kernels()], 10)
    page.close(run_before_unload=True)
    assert until(lambda: second not in [kernel.pid for kernel in server.kernels()], 10)
    visit.context.close()


def test_two_people_at_once_are_told_apart(browser: Any, server: Server) -> None:
    """Two profiles see two people, and no page, script or message of one names the other."""
    pages = {}
    for rater in ("carim", "dana"):
        visit = Visit(browser, server)
        received: list[str] = []
        visit.context.on(
            "page",
            lambda page, received=received: page.on(
                "websocket",
                lambda ws: ws.on("framereceived", lambda frame: received.append(str(frame))),
            ),
        )
        page = visit.open(f"{server.url}go/{server.book.make('demo', 'first', rater)}")
        pages[rater] = (visit, page, received)
    kernels = {rater: _kernel_told(page) for rater, (_, page, _) in pages.items()}

    assert kernels["carim"] != kernels["dana"]
    for rater, other in (("carim", "dana"), ("dana", "carim")):
        visit, page, received = pages[rater]
        assert f'"{rater}"' in page.locator("#who").inner_text()
        assert received
        assert not [frame for frame in received if other in frame]
        assert rater in page.content()
        assert other not in page.content()
        visit.context.close()


def test_a_restart_of_the_server_keeps_the_person(browser: Any, tmp_path: Path) -> None:
    """After the server came back, loading the page again shows the same person."""
    root = lay_project(tmp_path / "project")
    with running(root) as server:
        port = server.port
        visit = Visit(browser, server)
        page = visit.open(f"{server.url}go/{server.book.make('demo', 'first', 'amal')}")
    with running(root, port=port):
        page.reload(timeout=OPENED)
        page.locator("#who").wait_for(timeout=OPENED)
        assert '"amal"' in page.locator("#who").inner_text()
        _kernel_told(page)
        visit.context.close()


def test_a_revoked_reviewer_sees_what_to_do(browser: Any, server: Server) -> None:
    """Revocation while the page is open: no answer arrives, the page says why, and so a reload."""
    visit = Visit(browser, server)
    page = visit.open(f"{server.url}go/{server.book.make('demo', 'first', 'eve')}")
    _kernel_told(page)
    server.book.revoke("demo", "eve")
    page.evaluate("document.getElementById('told').textContent = ''")
    page.locator("#ask").click()
    time.sleep(1)
    assert page.locator("#told").inner_text() == ""
    page.reload()
    assert "This link no longer works." in page.inner_text("body")
    assert "لم يعد هذا الرابط يعمل" in page.inner_text("body")
    visit.context.close()


def test_the_page_works_below_a_path(browser: Any, tmp_path: Path) -> None:
    """Under a base URL the card opens, answers, and gives its kernel back."""
    with running(lay_project(tmp_path / "project"), base_url="/r/") as server:
        visit = Visit(browser, server)
        page = visit.open(f"{server.url}go/{server.book.make('demo', 'first', 'amal')}")
        assert page.url.endswith("/r/")
        _kernel_told(page)
        outside = [url for url in visit.asked if not re.match(r"(data|blob):", url)]
        assert [url for url in outside if not urlsplit(url).path.startswith("/r/")] == []
        page.close(run_before_unload=True)
        assert until(lambda: not server.kernels(), 10)
        visit.context.close()


def test_the_stock_template_still_works(browser: Any, tmp_path: Path) -> None:
    """Voila's own page shows the same card, and its CDN icons are stopped in the browser."""
    with running(lay_project(tmp_path / "project"), template="lab") as server:
        visit = Visit(browser, server)
        answered: list[str] = []
        visit.context.on("response", lambda response: answered.append(response.url))
        page = visit.open(f"{server.url}go/{server.book.make('demo', 'first', 'amal')}")
        _kernel_told(page)
        assert {urlsplit(url).netloc for url in answered if url.startswith("http")} == {
            f"127.0.0.1:{server.port}"
        }
        assert [text for text in visit.complaints if "Content Security Policy" in text]
        visit.context.close()
