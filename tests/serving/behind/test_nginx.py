"""The example for nginx, as it is in the repository: links, sockets, logs, and a login."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.behind.nginx import Nginx, nginx
from tests.serving.behind.pages import Page
from tests.serving.served import Server, kernel_of, lay_project, running, until

pytestmark = pytest.mark.kernel

BASE = "/r/"
LOGIN = {
    '# auth_basic           "reviewkit";': 'auth_basic "reviewkit";',
    "# auth_basic_user_file": "auth_basic_user_file",
    'X-Forwarded-User  "";': "X-Forwarded-User  $remote_user;",
}


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    """Give one server of personal links behind nginx."""
    folder = tmp_path_factory.mktemp("behind")
    with (
        running(lay_project(folder / "project"), base_url=BASE) as server,
        nginx(folder / "nginx", server) as front,
    ):
        yield front


def wrong_link(port: int, made_up: str) -> int:
    """Open a wrong link from an address of this machine's own and return the status."""
    connection = http.client.HTTPConnection("127.0.0.1", port, source_address=("127.0.0.9", 0))
    connection.request("GET", f"{BASE}go/wrong", headers={"X-Forwarded-For": made_up})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_personal_link_opens_the_page_and_its_socket(behind: Nginx) -> None:
    """The link, the page, the socket and the health of the server work below the sub-path."""
    server = behind.server
    reply = server.ask(f"{BASE}go/{server.book.make('demo', 'first', 'amal')}")
    assert (reply.status, reply.headers["Location"]) == (302, BASE)
    assert f"Path={BASE}" in reply.headers["Set-Cookie"]
    assert "Secure" not in reply.headers["Set-Cookie"], "nginx says that this is not https"
    cookie = reply.headers["Set-Cookie"].split(";")[0]
    page = Page(server.url, server.open_page(cookie)[0], cookie)
    assert page.ask() == f"kernel {kernel_of(server, 'amal').pid}"
    assert page.ask(origin="http://evil.example") == "refused with 403"
    health = server.ask(f"{BASE}healthz")
    assert (health.status, json.loads(health.text)["status"]) == (200, "ok")
    assert server.ask("/healthz").status == 404, "nothing of ours is above the sub-path"


def test_what_the_reader_says_of_himself_is_replaced(behind: Nginx) -> None:
    """Neither an address nor a name nor a scheme that a client sends reaches the server."""
    server = behind.server
    assert server.ask(BASE, X_Forwarded_User="amal").status == 403
    reply = server.ask(
        f"{BASE}go/{server.book.make('demo', 'first', 'basim')}", X_Forwarded_Proto="https"
    )
    assert "Secure" not in reply.headers["Set-Cookie"]
    answers: list[int] = []
    while 429 not in answers and len(answers) < 250:
        answers.append(wrong_link(server.port, f"203.0.113.{len(answers)}"))
    assert answers[-1] == 429, "the addresses that the client made up count as one"
    assert server.ask(f"{BASE}go/wrong").status == 403, "and another reader's as another"


def test_the_log_shows_no_secret(behind: Nginx, tmp_path: Path) -> None:
    """Not of a good link, a wrong one, one that is spelt oddly, nor while the server is away."""
    server = behind.server
    secret = server.book.make("demo", "first", "celia")
    odd = [f"/r//go/{secret}", f"/r/%67o/{secret}", f"/r/./go/{secret}/", f"/R/GO/{secret}",
           f"/go/{secret}", f"/r/?link=/r/go/{secret}"]  # fmt: skip
    for path in [f"/r/go/{secret}", *odd]:
        server.ask(path, Referer=f"http://127.0.0.1/r/go/{secret}")
    away = Server(tmp_path, server.process, 1, BASE, server.log_path)
    with nginx(tmp_path / "nginx", away) as alone:
        for path in [f"/r/go/{secret}", *odd[:3]]:
            assert alone.server.ask(path).status == 502
        assert alone.server.ask("/r/").status == 502
        assert until(lambda: alone.log.count(" 502 ") == 5, 5), alone.log
        assert "Connection refused" in alone.log, "a fault that is no link's is told"
        assert secret not in alone.log
    assert until(lambda: behind.log.count("GET /go/... ") >= 6, 5), behind.log
    assert secret not in behind.log


def test_nginx_says_who_has_logged_in(tmp_path: Path) -> None:
    """With the example's login lines the password decides, and no header of the client's."""
    passwords = tmp_path / "passwords"
    passwords.write_text("amal:{PLAIN}one\nbo:{PLAIN}two\n", encoding="utf-8")
    changes = LOGIN | {"/etc/nginx/reviewkit.passwords": str(passwords)}
    project = lay_project(tmp_path / "project")
    with (
        running(project, base_url=BASE, people="header:X-Forwarded-User") as plain,
        nginx(tmp_path / "nginx", plain, changes) as front,
    ):
        server = front.server
        server.book.make("demo", "first", "amal")
        amal, bo, liar = (
            "Basic " + base64.b64encode(each).decode()
            for each in (b"amal:one", b"bo:two", b"amal:no")
        )
        assert server.ask(BASE, X_Forwarded_User="amal").status == 401
        assert server.ask(BASE, Authorization=liar).status == 401
        assert server.ask(BASE, Authorization=amal).status == 200
        assert kernel_of(server, "amal").is_running()
        for header in ("X-Forwarded-User", "x-forwarded-user", "X_Forwarded_User"):
            reply = server.ask(BASE, Authorization=bo, **{header: "amal"})
            assert (reply.status, "no part of this study" in reply.text) == (403, True), header
        assert len(server.kernels()) == 1
