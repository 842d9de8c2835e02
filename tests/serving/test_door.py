"""The door of a served study: who gets in, and what is served to those who do."""

from __future__ import annotations

import json
import re
import shutil
import socket
from pathlib import Path

import pytest

from tests.serving.served import (
    NOBODYS_KERNEL,
    SOURCE_SECRET,
    Server,
    alive,
    launch,
    lay_project,
    person_of,
    running,
    start_server,
    until,
)

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/voila/static/voila.js"),
        ("GET", "/voila/labextensions/anywidget/package.json"),
        ("GET", "/voila/files/01_review.ipynb"),
        ("GET", "/login"),
        ("GET", "/api/kernels"),
        ("GET", f"/api/kernels/{NOBODYS_KERNEL}"),
        ("DELETE", f"/api/kernels/{NOBODYS_KERNEL}"),
        ("GET", f"/api/kernels/{NOBODYS_KERNEL}/channels"),
        ("POST", f"/voila/api/shutdown/{NOBODYS_KERNEL}"),
    ],
)
def test_nobody_gets_the_same_page_everywhere(server: Server, method: str, path: str) -> None:
    """Without a known person every address refuses in both languages and no kernel starts."""
    before = len(server.kernels())
    reply = server.ask(path, method=method)

    assert reply.status == 403
    assert "Open the personal link that you were sent." in reply.text
    assert "افتح الرابط الشخصي" in reply.text
    assert "demo" not in reply.text
    assert len(server.kernels()) == before


def test_a_browser_cannot_say_who_it_is(server: Server) -> None:
    """A header sent by the browser is replaced by what the cookie stands for."""
    cookie = server.let_in(server.book.make("demo", "first", "honest"))
    claimed = '{"study": "demo", "pass": "second", "rater": "victim"}'
    page, kernel_id = server.open_page(cookie)
    reply = server.ask("/", cookie=cookie, X_Reviewkit_Person=claimed, x_reviewkit_person=claimed)

    assert reply.status == 200
    named = [person_of(kernel) for kernel in server.kernels()]
    assert not [who for who in named if "victim" in who]
    assert '{"pass": "first", "rater": "honest", "study": "demo"}' in named
    assert kernel_id in page


@pytest.mark.parametrize(
    "path",
    [
        "/voila/files/01_review.ipynb",
        "/voila/files/../.reviewkit/links.jsonl",
        "/voila/static/../../../../../../../etc/passwd",
        "/voila/static/%2e%2e/%2e%2e/index.html.j2",
        "/voila/static//etc/passwd",
        "/voila/labextensions/../../../../../../etc/passwd",
        "/voila/templates/reviewkit/static/../index.html.j2",
        "/voila/templates/../static/x",
        "/voila/tree",
        "/voila/render/01_review.ipynb",
        "/voila/api/contents/",
        "/voila/query/" + NOBODYS_KERNEL,
        "/01_review.ipynb",
        "/.reviewkit/secret",
        "/api/me",
        "/api/contents",
        "/login",
    ],
)
def test_no_file_is_served(server: Server, path: str) -> None:
    """A known person gets the page and its scripts, and not one file beside them."""
    if not [link for link in server.book.list() if link.person.rater == "curious"]:
        server.book.make("demo", "first", "curious")
    cookie = server.let_in(server.book.renew("demo", "first", "curious"))
    before = len(server.kernels())
    reply = server.ask(path, cookie=cookie)

    assert reply.status in (403, 404)
    assert "There is nothing at this address." in reply.text
    assert "root:" not in reply.text
    assert len(server.kernels()) == before


def test_page_settings_cannot_be_overridden_by_the_address(server: Server) -> None:
    """Template, theme and token in the query change nothing, and the page holds no source."""
    cookie = server.let_in(server.book.make("demo", "first", "plain"))
    page, _ = server.open_page(cookie, "/?template=lab&theme=dark&token=x")

    assert "Opening your cards…" in page
    assert "جارٍ فتح بطاقاتك…" in page
    assert "jsdelivr" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page
    assert SOURCE_SECRET not in page


def test_the_page_forbids_requests_to_other_hosts(server: Server) -> None:
    """The browser itself is told to ask no other host, whatever a widget would like."""
    cookie = server.let_in(server.book.make("demo", "first", "fenced"))
    policy = server.ask("/", cookie=cookie).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "connect-src 'self'" in policy
    assert "http" not in policy


def test_a_restart_forgets_nobody(tmp_path: Path) -> None:
    """The same cookie opens the same person's page after the server was stopped and started."""
    root = lay_project(tmp_path / "project")
    with running(root) as first:
        port = first.port
        cookie = first.let_in(first.book.make("demo", "first", "amal"))
        first.open_page(cookie)
        pids = [kernel.pid for kernel in first.kernels()]
    assert pids
    assert until(lambda: not [pid for pid in pids if alive(pid)], 10), "kernels end with the server"
    second = start_server(root, port=port)
    try:
        second.open_page(cookie)
        (kernel,) = second.kernels()
        assert '"amal"' in person_of(kernel)
    finally:
        second.stop()


@pytest.mark.parametrize("prefix", ["/r/", "/"])
def test_a_proxy_may_keep_or_strip_the_prefix(tmp_path: Path, prefix: str) -> None:
    """Under a base URL, page, link and channel answer with the prefix and without it."""
    with running(lay_project(tmp_path / "project"), base_url="/r/") as server:
        token = server.book.make("demo", "first", "amal")
        reply = server.ask(f"{prefix}go/{token}")
        assert (reply.status, reply.headers["Location"]) == (302, "/r/")
        assert "Path=/r/" in reply.headers["Set-Cookie"]
        cookie = reply.headers["Set-Cookie"].split(";")[0]
        page, kernel_id = server.open_page(cookie, prefix)
        assert 'data-base="/r/"' in page
        assert server.ask(f"{prefix}api/kernels/{kernel_id}", cookie=cookie).status == 200
        bare = server.ask("/r", cookie=cookie)
        assert (bare.status, bare.headers["Location"]) == (302, "/r/")
        assert server.ask("/r/elsewhere", cookie=cookie).status == 404


def test_a_failing_cell_shows_one_sentence(tmp_path: Path) -> None:
    """A fault in the notebook shows neither traceback nor source nor path, but what to do."""
    source = f"# {SOURCE_SECRET}\nprint('noise')\nraise ValueError('{SOURCE_SECRET}')"
    with running(lay_project(tmp_path / "project", source)) as server:
        cookie = server.let_in(server.book.make("demo", "first", "amal"))
        page, _ = server.open_page(cookie)

    assert "Your cards could not be opened." in page
    assert "تعذّر فتح بطاقاتك" in page
    for word in ("Traceback", "ValueError", SOURCE_SECRET, "show_tracebacks", str(tmp_path)):
        assert word not in page


def test_other_jupyter_settings_cannot_open_the_door(tmp_path: Path) -> None:
    """A voila.json beside the notebook or a kernel spec of the user weakens nothing."""
    root = lay_project(tmp_path / "project")
    loose = {"VoilaConfiguration": {"file_allowlist": [".*"], "show_tracebacks": True}}
    loose["Voila"] = {"authorizer_class": "jupyter_server.auth.authorizer.AllowAllAuthorizer"}
    (root / "notebooks" / "voila.json").write_text(json.dumps(loose), encoding="utf-8")
    with running(root) as server:
        amal = server.let_in(server.book.make("demo", "first", "amal"))
        badr = server.let_in(server.book.make("demo", "second", "badr"))
        _, kernel_id = server.open_page(amal)
        assert server.ask(f"/api/kernels/{kernel_id}", cookie=badr).status == 403
        assert server.ask("/voila/files/01_review.ipynb", cookie=amal).status == 404
        (kernel,) = server.kernels()
        ours = ("lean_kernel.py", "zygote.py")
        assert [part for part in kernel.cmdline() if part.endswith(ours)]


def test_a_taken_port_is_said_plainly(tmp_path: Path) -> None:
    """A port in use stops the start with one sentence instead of moving to another port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server = launch(lay_project(tmp_path / "project"), port=taken.getsockname()[1])
        assert server.process.wait(30) == 1
    assert re.search(r"PortTaken: .*choose another with --port\n$", server.log)


def test_a_project_without_apps_uses_the_shipped_ones(tmp_path: Path) -> None:
    """A folder that was laid without voila_apps is served with the installed template."""
    root = lay_project(tmp_path / "project")
    shutil.rmtree(root / "voila_apps")
    with running(root) as server:
        page, _ = server.open_page(server.let_in(server.book.make("demo", "first", "amal")))
    assert "Opening your cards…" in page
