"""Attacks on personal links: guessed, stale, leaked, borrowed and replayed ones."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import quote

import psutil
import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import Application, RequestHandler, create_signed_value

from reviewkit.desk.server.identity import Door, Visitor
from reviewkit.desk.server.links_seen import SeenLinks
from reviewkit.study.links import LinkBook
from tests.serving.served import Server, connect, lay_project, message, run_apart, running, until

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give one server to all tests of the file."""
    with running(lay_project(tmp_path_factory.mktemp("project"))) as one:
        yield one


def soon(seconds: float) -> datetime:
    """Return a moment so many seconds from now."""
    return datetime.now(UTC) + timedelta(seconds=seconds)


def parts(cookie: str) -> set[str]:
    """Return the parts of a Set-Cookie header."""
    return {part.strip() for part in cookie.split(";")}


def escaped(token: str) -> str:
    """Return the token with every letter written as an escape."""
    return "".join(f"%{ord(letter):02x}" for letter in token)


def test_the_cookie_is_as_narrow_as_can_be(server: Server) -> None:
    """A good link gives a cookie for this path that no script reads, and a clean address."""
    token = server.book.make("demo", "first", "exchange")
    reply = server.ask(f"/go/{token}")

    assert (reply.status, reply.headers["Location"]) == (302, "/")
    (cookie,) = reply.headers.get_all("Set-Cookie") or []
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= parts(cookie)
    assert not parts(cookie) & {"Secure"}
    assert "Domain" not in cookie
    assert token not in str(reply.headers)
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Referrer-Policy"] == "no-referrer"
    behind_https = server.ask(f"/go/{token}", X_Forwarded_Proto="https")
    assert "Secure" in parts(behind_https.headers["Set-Cookie"])


def test_links_that_open_nothing_say_what_to_do(server: Server) -> None:
    """Unknown, revoked, expired and foreign links each get their sentence, and none a cookie."""
    revoked = server.book.make("demo", "first", "gone")
    server.book.revoke("demo", "gone")
    foreign = server.book.make("pilot", "first", "guest")
    expired = server.book.make("demo", "first", "late", expires=soon(-1))

    for token, sentence in [
        ("", "This link opens nothing here."),
        ("nonsense", "This link opens nothing here."),
        (revoked, "This link no longer works."),
        (expired, "The time of this link is over."),
        (foreign, "This link is for another study."),
    ]:
        reply = server.ask(f"/go/{token}")
        assert reply.status == 403
        assert sentence in reply.text
        assert 'lang="ar"' in reply.text
        assert "Set-Cookie" not in reply.headers
        assert reply.headers["Referrer-Policy"] == "no-referrer"
        assert not token or token not in reply.text


@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: token + "%00",
        lambda token: "%00" + token,
        lambda token: token + "%ff",
        lambda token: token + "%0a",
        lambda token: token + "%2f",
        lambda token: token.swapcase(),
        lambda token: token[:-1],
        lambda token: token + quote("é؀\U0001f512"),
        lambda token: token + "A" * 20_000,
        lambda token: token + " ".join(["%20"] * 50),
        lambda token: "..%2f" + token,
        lambda token: escaped(escaped(token)),
    ],
)  # fmt: skip
def test_garbled_secrets_open_nothing(server: Server, spoil: Callable[[str], str]) -> None:
    """NUL, bad UTF-8, line breaks, long tails and look-alikes are unknown links, not faults."""
    token = server.book.renew("demo", "first", "exchange")
    reply = server.ask(f"/go/{spoil(token).replace(' ', '')}")
    assert reply.status == 403
    assert "This link opens nothing here." in reply.text
    assert "Set-Cookie" not in reply.headers


def test_a_scanner_of_mails_uses_nothing_up(server: Server) -> None:
    """HEAD and GET by a scanner, escapes by a mail program, two browsers: the link still opens."""
    token = server.book.make("demo", "first", "scanned")
    first = server.let_in(token)
    assert server.ask(f"/go/{token}", method="HEAD").status == 302
    assert server.ask(f"/go/{token}", Purpose="prefetch").status == 302
    assert server.ask(f"/go/{escaped(token)}").status == 302
    second = server.let_in(token)
    for cookie in (first, second):
        server.open_page(cookie)


def test_a_guesser_waits_and_a_class_does_not(server: Server) -> None:
    """Failures from one address end in 429 there; fifty good links behind it open meanwhile."""
    for name in range(50):
        server.book.make("demo", "first", f"pupil{name}")
    tokens = [server.book.renew("demo", "first", f"pupil{name}") for name in range(50)]
    school, guesser = "203.0.113.7", "198.51.100.9"
    with ThreadPoolExecutor(10) as many:
        opened = many.map(lambda each: server.ask(f"/go/{each}", X_Forwarded_For=school), tokens)
        assert {reply.status for reply in opened} == {302}

    def guess(number: int) -> int:
        return server.ask(f"/go/guess{number}", X_Forwarded_For=f"{school}, {guesser}").status

    with ThreadPoolExecutor(10) as many:
        answers = list(many.map(guess, range(160)))
    assert set(answers) == {403, 429}
    good = server.ask(f"/go/{tokens[0]}", X_Forwarded_For=guesser)
    assert good.status == 302, "one who fails without end keeps nobody of his university out"
    reply = server.ask("/go/another-guess", X_Forwarded_For=guesser)
    assert reply.status == 429
    assert 1 <= int(reply.headers["Retry-After"]) <= 400
    assert "Too many links were tried from here." in reply.text
    assert "جُرّبت من هنا روابط كثيرة" in reply.text
    assert server.ask(f"/go/{tokens[0]}", X_Forwarded_For=school).status == 302
    assert server.ask("/go/%ff", X_Forwarded_For=guesser).status == 429


def test_a_cookie_made_up_opens_nothing(server: Server) -> None:
    """The name of a link, known or guessed, is worth nothing without the server's signature."""
    cookie = server.let_in(server.book.make("demo", "first", "forged"))
    name, _, value = cookie.partition("=")
    (link,) = server.book.of("demo", "forged")

    signature = value.strip('"').rpartition("|")
    for wrong in (link.link, f"{signature[0]}|{'0' * 64}", "", value.strip('"')[:-1], "é"):
        assert server.ask("/", cookie=f'{name}="{wrong}"').status == 403


def test_a_planted_session_is_replaced_or_nobodys(server: Server) -> None:
    """Who planted his own cookie in a browser does not get the judgements of its owner."""
    mallory = server.let_in(server.book.make("demo", "first", "mallory"))
    token = server.book.make("demo", "first", "victim")

    reply = server.ask(f"/go/{token}", cookie=mallory)
    victim = reply.headers["Set-Cookie"].split(";")[0]
    assert victim.partition("=")[0] == mallory.partition("=")[0], "it takes the other's place"
    assert victim != mallory
    # planted for a longer path, both are sent, in an order that no one of us decides
    for both in (f"{mallory}; {victim}", f"{victim}; {mallory}"):
        assert server.ask("/", cookie=both).status == 403
    again = server.ask(f"/go/{token}", cookie=f"{mallory}; {victim}")
    cleared = [each for each in again.headers.get_all("Set-Cookie") or [] if "Max-Age=0" in each]
    assert len(cleared) == 1
    server.open_page(f"{victim}; {victim}")


def test_a_session_ends_with_its_link(server: Server) -> None:
    """The cookie lives as long as its link at most, and an open page hears the honest reason."""
    token = server.book.make("demo", "first", "brief", expires=soon(12))
    reply = server.ask(f"/go/{token}")
    ends = re.search(r"expires=([^;]+)", reply.headers["Set-Cookie"])
    assert ends
    until_ = datetime.strptime(ends[1], "%a, %d %b %Y %H:%M:%S %Z").replace(tzinfo=UTC)
    assert until_ <= soon(12)
    cookie = reply.headers["Set-Cookie"].split(";")[0]
    _, kernel_id = server.open_page(cookie)

    async def idle() -> tuple[int | None, str | None]:
        connection = await connect(server, kernel_id, cookie)
        while await asyncio.wait_for(connection.read_message(), 30) is not None:
            pass
        return connection.close_code, connection.close_reason

    assert run_apart(idle()) == (1008, "link expired")
    late = server.ask("/", cookie=cookie)
    assert late.status == 403
    assert "The time of this link is over." in late.text


def test_a_revoked_link_closes_its_page(server: Server) -> None:
    """After a revocation link, page and socket are shut, each with the honest reason."""
    token = server.book.make("demo", "first", "withdrawn2")
    cookie = server.let_in(token)
    _, kernel_id = server.open_page(cookie)

    async def reason() -> tuple[int | None, str | None]:
        connection = await connect(server, kernel_id, cookie)
        server.book.revoke("demo", "withdrawn2")
        await connection.write_message(message("comm_info_request"))
        while await asyncio.wait_for(connection.read_message(), 30) is not None:
            pass
        return connection.close_code, connection.close_reason

    assert run_apart(reason()) == (1008, "link revoked")
    for path in ("/", f"/go/{token}"):
        assert "This link no longer works." in server.ask(path, cookie=cookie).text


def test_the_secret_is_in_no_log_process_or_error(server: Server) -> None:
    """However it is spelt and whatever fails, neither log, process nor kernel holds the secret."""
    good = server.book.make("demo", "first", "logged")
    cookie = server.let_in(good)
    server.open_page(cookie)
    half = f"%{ord(good[0]):02x}{good[1:]}"
    for path in (f"/go/{good}?x=1", f"/go/almost-{good}", f"//go/{good}", f"/r/go/{good}",
                 f"/g%6f/{good}", f"/GO/{half}", f"/go/{good}/x", f"/{good}", f"/go/{half}%ff",
                 f"/go/{good[:20]}%ff{good[20:]}", f"/elsewhere?next=/go/{good}"):  # fmt: skip
        for method in ("GET", "HEAD", "POST", "BREW"):
            server.ask(path, method=method, cookie=cookie, Referer=f"http://x.example/go/{good}")
    assert until(lambda: '"route": "/go/{}"' in server.log)
    # a fault of ours: the links cannot be read
    links = server.book.path
    kept = links.read_bytes()
    links.write_bytes(b"broken\n" + kept)
    reply = server.ask(f"/go/{good}")
    links.write_bytes(kept)
    assert reply.status == 500
    assert "Something went wrong on the server." in reply.text
    assert "Traceback" not in reply.text

    assert until(lambda: "LinksBroken" in server.log)
    processes = [psutil.Process(server.process.pid), *server.kernels()]
    said = [
        server.log,
        reply.text,
        *(" ".join(each.cmdline()) + str(each.environ()) for each in processes),
    ]
    for text in said:
        for piece in (good, good[:20], good[20:], good[1:]):
            assert piece not in text
    (secret,) = (server.root / ".reviewkit").glob("secret")
    assert secret.stat().st_mode & 0o777 == 0o600
    assert secret.read_text() not in server.log


@pytest.mark.browser
def test_the_secret_does_not_stay_in_the_browser(browser: object, server: Server) -> None:
    """After the redirect neither address, referrer, history nor script knows the secret."""
    token = server.book.make("demo", "first", "surfer")
    context = browser.new_context()  # type: ignore[attr-defined]
    page = context.new_page()
    try:
        heard: list[str] = []
        page.on("request", lambda request: heard.append(str(request.headers.get("referer"))))
        page.goto("about:blank")
        page.goto(f"{server.url}go/{token}")
        page.wait_for_selector("#who")
        assert page.url == server.url
        assert page.evaluate("[document.referrer, document.cookie, history.length]")[::2] == ["", 2]
        assert token not in page.evaluate("document.cookie + document.documentElement.outerHTML")
        entries = page.context.new_cdp_session(page).send("Page.getNavigationHistory")["entries"]
        # what a person typed himself the browser remembers as typed; a link from a mail it does not
        assert token not in str([(entry["url"], entry["title"]) for entry in entries])
        assert heard
        assert token not in str(heard)
    finally:
        context.close()


def test_the_cookie_of_another_study_is_nothing_here(tmp_path: Path) -> None:
    """A person let in to one study is nobody at another study's server or another folder's."""
    root = lay_project(tmp_path / "project")
    seal, other_seal = (b"a" * 64, b"b" * 64)
    book = LinkBook(root / ".reviewkit" / "links.jsonl")
    link = book.admit(book.make("demo", "first", "amal"), "demo")
    seen = SeenLinks(book, shared=False)
    here = Door(seen, "demo", "/", "", seal)
    others = (Door(seen, "pilot", "/", "", seal), Door(seen, "demo", "/", "", other_seal))
    assert len({each.cookie for each in (here, *others)}) == 3, "all ports of a host share cookies"

    def visitor(door: Door, name: str) -> str | None:
        value = create_signed_value(seal, here.cookie, link.link).decode()
        start = RequestStartLine("GET", "/", "HTTP/1.1")
        headers = HTTPHeaders({"Host": "x", "Cookie": f"{name}={value}"})
        request = HTTPServerRequest(start_line=start, headers=headers, connection=Mock())
        found = run_apart(door.look(RequestHandler(Application(), request)))
        return found.username if isinstance(found, Visitor) else None

    assert visitor(here, here.cookie) == "amal"
    for other in others:
        assert visitor(other, here.cookie) is None
        assert visitor(other, other.cookie) is None
