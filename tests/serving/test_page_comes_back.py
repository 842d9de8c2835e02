"""The page when something ends under it: kernel, server, link, script; and before there is one."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving.served import (
    SOURCE_SECRET,
    TINY_WIDGET,
    Server,
    kernel_of,
    lay_project,
    running,
    start_server,
    until,
)

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

OPENED = 60_000
FAILED = ("Your cards could not be opened", "تعذّر فتح بطاقاتك")
Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, server: Server) -> Iterator[Open]:
    """Return a function that opens a rater's page in a fresh profile."""
    contexts: list[Any] = []

    def open_one(rater: str, at: Server = server, waits_for: str = "#who") -> Any:
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.goto(f"{at.url}go/{at.book.make('demo', 'first', rater)}", timeout=OPENED)
        page.locator(waits_for).first.wait_for(timeout=OPENED)
        return page

    yield open_one
    for context in contexts:
        context.close()


def told(page: Any) -> str:
    """Ask the card, and return which kernel answers."""
    page.locator("#ask").click()
    page.locator("#told", has_text="kernel").wait_for(timeout=30_000)
    return page.inner_text("#told")


def marked(page: Any) -> None:
    """Mark this load of the page, so that the next one is told apart."""
    page.evaluate("window.marked = true")


def comes_back(page: Any) -> None:
    """Wait for another load of the page, with its card."""
    page.wait_for_function("!window.marked && document.querySelector('#who')", timeout=OPENED)


def test_the_first_line_comes_before_the_kernel(server: Server) -> None:
    """The head and a line of text are in the browser while no kernel of this person runs."""
    cookie = server.let_in(server.book.make("demo", "first", "early"))
    before = len(server.kernels())
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", "/", headers={"Cookie": cookie})
    reply = connection.getresponse()
    first = reply.read1(100_000).decode()
    assert "Opening your cards" in first
    assert "kernelId" not in first
    connection.close()  # and who leaves before there is a card leaves no kernel behind
    assert until(lambda: len(server.kernels()) <= before, 20)
    time.sleep(1)
    assert until(lambda: len(server.kernels()) <= before, 20)


def test_a_browser_without_scripts_is_told_what_to_do(browser: Any, server: Server) -> None:
    """It does not wait for cards that cannot come."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}go/{server.book.make('demo', 'first', 'still')}", timeout=OPENED)
    seen = page.inner_text("body")
    assert "Allow it for this address" in seen
    assert "اسمح بها" in seen
    assert "Opening" not in seen
    context.close()


def test_a_killed_kernel_is_replaced_but_not_for_ever(server: Server, open_page: Open) -> None:
    """The page comes back by itself with a new kernel; when that goes on, it stops and says so."""
    page = open_page("killed")
    for _ in range(3):
        before = told(page)
        marked(page)
        kernel_of(server, "killed").kill()
        comes_back(page)
        assert told(page) != before
    marked(page)
    kernel_of(server, "killed").kill()
    page.locator("#opening", has_text=FAILED[0]).wait_for(timeout=20_000)
    page.wait_for_timeout(1500)
    assert page.evaluate("window.marked")
    assert page.locator(".rk-line-bar:visible, .rk-page-fault:visible").count() == 1


def test_a_page_that_may_store_nothing_comes_back(browser: Any, server: Server) -> None:
    """Where the browser forbids storage, a killed kernel is replaced without a hand as well."""
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException(); } })"
    )
    page = context.new_page()
    page.goto(f"{server.url}go/{server.book.make('demo', 'first', 'stores-nothing')}")
    page.locator("#who").wait_for(timeout=OPENED)
    marked(page)
    kernel_of(server, "stores-nothing").kill()
    comes_back(page)
    context.close()


def test_a_restarted_server_is_found_again(open_page: Open, tmp_path: Path) -> None:
    """While the server is away one bar says so; when it is back the page is, without a hand."""
    root = lay_project(tmp_path / "project")
    server = start_server(root)
    try:
        page = open_page("amal", server)
        told(page)
        marked(page)
        server.stop()
        page.locator(".rk-line-bar", has_text="The page keeps trying").wait_for(timeout=20_000)
        assert page.locator(".rk-line-bar:visible").count() == 1
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.wait_for_timeout(4000)
        assert 1 <= len(asked) <= 5, "each round waits longer"
        server = start_server(root, port=server.port)
        comes_back(page)
        told(page)
        assert not page.locator("#opening").is_visible()
    finally:
        server.stop()


def test_a_revoked_link_is_said_and_asked_for_no_more(server: Server, open_page: Open) -> None:
    """The next message ends the socket with the reason, and the page does not try again."""
    page = open_page("revoked")
    told(page)
    server.book.revoke("demo", "revoked")
    page.locator("#ask").click()
    page.locator("#opening", has_text="This link no longer works").wait_for(timeout=20_000)
    assert "لم يعد هذا الرابط يعمل" in page.inner_text("#opening")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.wait_for_timeout(3000)
    assert asked == []


def test_a_dropped_socket_is_opened_again(browser: Any, server: Server) -> None:
    """A socket that breaks costs neither kernel nor page, nor what is said at that moment."""
    context = browser.new_context()
    page = context.new_page()
    sockets: list[Any] = []

    def join(socket: Any) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    page.route_web_socket("**/channels*", join)
    page.goto(f"{server.url}go/{server.book.make('demo', 'first', 'dropped')}", timeout=OPENED)
    page.locator("#who").wait_for(timeout=OPENED)
    before = told(page)
    marked(page)
    for dropped in (1, 2):
        page.evaluate("document.getElementById('told').textContent = ''")
        sockets[-1].close(code=4000)
        assert told(page) == before
        assert len(sockets) == dropped + 1
    assert page.evaluate("window.marked")
    assert not page.locator("#opening").is_visible()
    context.close()


def test_a_slow_line_is_given_more_and_more_time(browser: Any, server: Server) -> None:
    """A silent socket is exchanged; where that brings nothing, the next one is waited for longer.

    A long answer on a slow line would otherwise be cut off each time before its end.
    """
    context = browser.new_context()
    page = context.new_page()
    page.clock.install()
    opened: list[Any] = []

    def join(socket: Any) -> None:
        opened.append(socket)
        behind = socket.connect_to_server()
        if len(opened) > 1:
            behind.on_message(lambda _: None)

    page.route_web_socket("**/channels*", join)
    page.goto(f"{server.url}go/{server.book.make('demo', 'first', 'slow')}", timeout=OPENED)
    page.locator("#who").wait_for(timeout=OPENED)
    opened[0].on_message(lambda _: None)  # from now on nothing is heard

    def exchanged_after(seconds: int, times: int) -> bool:
        page.locator("#ask").click()
        page.clock.fast_forward(seconds * 1000)
        for _ in range(40):
            page.wait_for_timeout(100)
            if len(opened) == times:
                return True
        return False

    assert exchanged_after(7, 2)
    assert exchanged_after(16, 3)
    assert not exchanged_after(16, 4), "by now it may take 24 seconds"
    assert exchanged_after(10, 4)
    context.close()


def test_a_script_that_cannot_be_fetched_comes_from_the_kernel(
    browser: Any, server: Server
) -> None:
    """Whoever answers another 404, the card opens."""
    context = browser.new_context()
    page = context.new_page()

    def answer(route: Any) -> None:
        reply = route.fetch()
        if "export default" in reply.text():
            route.fulfill(status=404, body="")
        else:
            route.fulfill(response=reply)

    page.route("**/desk/*.js", answer)
    page.goto(f"{server.url}go/{server.book.make('demo', 'first', 'lost')}", timeout=OPENED)
    page.locator("#who").wait_for(timeout=OPENED)
    assert told(page)
    context.close()


@pytest.mark.parametrize(
    ("fault", "by"),
    [
        ("raise RuntimeError('a text of the study')", "cell"),
        ("import os; os._exit(1)", "kernel"),
        (TINY_WIDGET.replace("export default", "export defect"), "module"),
        (TINY_WIDGET.replace("const who =", "throw new Error('render'); const who ="), "render"),
        ("'nothing to show'", "empty"),
    ],
    ids=["cell", "kernel", "module", "render", "empty"],
)
def test_a_fault_is_drawn(open_page: Open, tmp_path: Path, fault: str, by: str) -> None:
    """Whatever failed, a plain sentence in two languages, no path, no code, no traceback."""
    with running(lay_project(tmp_path / "project", fault)) as server:
        page = open_page("amal", server, waits_for=".rk-page-fault, #opening:has-text('could not')")
        seen = page.inner_text("body")
        assert all(sentence in seen for sentence in FAILED), by
        assert seen.count(FAILED[0]) == 1
        assert "Opening" not in seen
        html = page.content()
        secrets = ("Traceback", "RuntimeError", "a text of the study", "/tmp", SOURCE_SECRET)
        assert [word for word in secrets if word in html] == []
