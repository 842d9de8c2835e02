"""Attacks on the header in which a proxy names people: sent by others, twice, misspelt, garbled."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from unittest.mock import Mock

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import Application, RequestHandler, create_signed_value

from reviewkit.desk.server.identity import Door, Refusal
from reviewkit.desk.server.links_seen import SeenLinks
from reviewkit.desk.server.people import PeopleUnusable, networks, people_named
from reviewkit.study.links import LinkBook
from tests.serving.served import Server, kernel_of, lay_project, refused, run_apart, running

SEAL = b"a" * 64
HEADER = "X-Forwarded-User"


@pytest.fixture
def book(tmp_path: Path) -> LinkBook:
    """Return links by which amal may do one thing and bo two."""
    book = LinkBook(tmp_path / ".reviewkit" / "links.jsonl")
    book.make("demo", "first", "amal")
    book.make("demo", "second", "bo")
    book.make("demo", "lead", "bo")
    book.make("pilot", "first", "guest")
    book.make("demo", "first", "late", expires=datetime.now(UTC) - timedelta(seconds=1))
    return book


def look(
    book: LinkBook,
    *sent: tuple[str, str],
    peer: str = "127.0.0.1",
    people: str = f"header:{HEADER}",
) -> str:
    """Return who comes in with these headers from this address, or why nobody does."""
    trusted = [ip_network("127.0.0.0/8"), ip_network("::1"), ip_network("10.0.0.5")]
    door = Door(
        SeenLinks(book, shared=False),
        "demo",
        "/",
        "",
        SEAL,
        proxies=trusted,
        people=people_named(people, trusted),
    )
    headers = HTTPHeaders({"Host": "x"})
    for name, value in sent:
        headers.add(name, value)
    start = RequestStartLine("GET", "/", "HTTP/1.1")
    request = HTTPServerRequest(start_line=start, headers=headers, connection=Mock())
    request.remote_ip = peer
    found = run_apart(door.look(RequestHandler(Application(), request)))
    if isinstance(found, Refusal):
        return f"refused: {found.why}"
    assert found.person is not None
    return f"{found.username} {found.person.pass_}"


def cookie_of(book: LinkBook, rater: str, pass_name: str) -> tuple[str, str]:
    """Return the signed cookie that names one link of a person."""
    (link,) = [each for each in book.of("demo", rater) if each.person.pass_ == pass_name]
    name = Door(SeenLinks(book, shared=False), "demo", "/", "", SEAL).cookie
    return "Cookie", f"{name}={create_signed_value(SEAL, name, link.link).decode()}"


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "10.0.0.5"])
def test_the_proxy_is_believed(book: LinkBook, peer: str) -> None:
    """The name that a configured address writes comes in with the link of that name."""
    assert look(book, (HEADER, "amal"), peer=peer) == "amal first"
    assert look(book, (HEADER.lower(), "amal"), peer=peer) == "amal first"


@pytest.mark.parametrize("peer", ["10.0.0.6", "192.168.0.1", "::2", "::ffff:10.0.0.6", "", "unix"])
def test_a_header_from_elsewhere_is_not_looked_at(book: LinkBook, peer: str) -> None:
    """Who reaches the server past the proxy cannot name himself."""
    assert look(book, (HEADER, "amal"), peer=peer) == "refused: unnamed"
    assert look(book, (HEADER, "amal"), ("X-Forwarded-For", "127.0.0.1"), peer=peer) == (
        "refused: unnamed"
    )


@pytest.mark.parametrize(
    "sent",
    [
        [(HEADER, "amal"), (HEADER, "bo")],
        [(HEADER, "amal"), (HEADER, "amal")],
        [(HEADER, "amal"), (HEADER.lower(), "bo")],
        [(HEADER, "amal,bo")],
        [(HEADER, "amal, amal")],
        [(HEADER, "amal"), ("X_Forwarded_User", "bo")],
        [("X_Forwarded_User", "amal")],
        [("x-forwarded_user", "amal")],
    ],
)
def test_a_header_of_two_minds_is_refused(book: LinkBook, sent: list[tuple[str, str]]) -> None:
    """Twice, with commas or with underscores: somebody behind the proxy wrote one himself."""
    assert look(book, *sent) == "refused: not_believed"


def test_other_headers_name_nobody(book: LinkBook) -> None:
    """Similar headers, and ours from another day, mean nothing."""
    others = [(f"{HEADER}name", "amal"), ("Remote-User", "amal"), ("X-Reviewkit-Person", "amal")]
    assert look(book, *others) == "refused: unnamed"
    assert look(book, (HEADER, "")) == "refused: unnamed"


def test_without_the_setting_the_header_is_ignored(book: LinkBook) -> None:
    """By default links open the desk, whatever a header says."""
    assert look(book, (HEADER, "amal"), people="links") == "refused: nobody"


@pytest.mark.parametrize(
    "name",
    [
        "amal@example.org", "Amal K", "أمل", "аmal", "am\u200bal", "../amal", "-amal", "a" * 65,
        "<b>amal</b>", "amal;bo", "%61mal",
    ],
)  # fmt: skip
def test_names_that_no_rater_can_have_are_refused(book: LinkBook, name: str) -> None:
    """Addresses, spaces, look-alike letters and paths are nobody's name."""
    on_the_wire = name.encode("utf-8").decode("latin-1")
    assert look(book, (HEADER, on_the_wire)) == "refused: no_name"


def test_a_name_without_a_working_link_comes_to_nothing(book: LinkBook) -> None:
    """The grant is in the links: none, of another study, expired, revoked, in other letters."""
    assert look(book, (HEADER, "stranger")) == "refused: no_grant"
    assert look(book, (HEADER, "guest")) == "refused: no_grant"
    assert look(book, (HEADER, "Amal")) == "refused: no_grant"
    assert look(book, (HEADER, "late")) == "refused: expired"
    book.revoke("demo", "amal")
    assert look(book, (HEADER, "amal")) == "refused: revoked"


def test_a_choice_is_made_among_ones_own(book: LinkBook) -> None:
    """Somebody with two parts is asked; a cookie chooses one of his own and nobody else's."""
    assert look(book, (HEADER, "bo")) == "refused: choose"
    lead = cookie_of(book, "bo", "lead")
    assert look(book, (HEADER, "bo"), lead) == "bo lead"
    assert look(book, (HEADER, "bo"), cookie_of(book, "amal", "first")) == "refused: choose"
    assert look(book, (HEADER, "amal"), lead) == "amal first", "the one who is logged in now"
    assert look(book, lead) == "refused: unnamed", "the cookie alone opens nothing"
    book.renew("demo", "lead", "bo")
    assert look(book, (HEADER, "bo"), lead) == "refused: choose"


@pytest.mark.parametrize(
    "people",
    ["header:", "header:X Y", "header:X-É", "header:Cookie", "header:X-Reviewkit-Person", "Links",
     "header:X\nY", ""],
)  # fmt: skip
def test_settings_that_mean_nothing_are_refused(people: str) -> None:
    """What cannot be a header, or is one already, stops the start with a sentence."""
    with pytest.raises(PeopleUnusable, match=r"(?s)--people .*X-Forwarded-User"):
        people_named(people, ())


def test_a_proxy_needs_an_address() -> None:
    """A name of a host could be anybody's, so it is no proxy."""
    assert [str(each) for each in networks(["10.0.0.0/24", "::1"])] == ["10.0.0.0/24", "::1/128"]
    with pytest.raises(PeopleUnusable, match=r"--proxy: .*proxy\.example.* give the address"):
        networks(["proxy.example"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve people whom a header names."""
    root = lay_project(tmp_path_factory.mktemp("project"))
    with running(root, people=f"header:{HEADER}", base_url="/r/") as one:
        yield one


@pytest.mark.kernel
def test_the_header_leads_to_ones_own_cards(server: Server) -> None:
    """Two names get two kernels, neither reaches the other's, and links open nothing here."""
    secret = server.book.make("demo", "first", "amal")
    server.book.make("demo", "second", "badr")
    kernels: dict[str, str] = {}
    for name in ("amal", "badr"):
        reply = server.ask("/r/", X_Forwarded_User=name)
        assert reply.status == 200
        kernels[name] = reply.text.partition('"kernelId": "')[2][:36]
        assert kernel_of(server, name).is_running()
    assert server.ask(f"/r/api/kernels/{kernels['amal']}", X_Forwarded_User="badr").status == 403
    assert server.ask(f"/r/api/kernels/{kernels['amal']}", X_Forwarded_User="amal").status == 200
    assert refused(server, kernels["amal"], "") == 403
    reply = server.ask(f"/r/go/{secret}", X_Forwarded_User="badr")
    assert (reply.status, "Set-Cookie" in reply.headers) == (404, False)
    assert "Log in first." in server.ask("/r/").text
    stranger = server.ask("/r/", X_Forwarded_User="stranger")
    assert (stranger.status, "no part of this study is yours" in stranger.text) == (403, True)
    hostile = server.ask("/r/", X_Forwarded_User="<script>alert(1)</script>")
    assert "<script>alert" not in hostile.text
    assert "&lt;script&gt;alert(1)" in hostile.text


@pytest.mark.kernel
def test_somebody_with_two_parts_chooses(server: Server) -> None:
    """The page offers both, a click remembers one, and the links of others cannot be chosen."""
    server.book.make("demo", "first", "bo")
    server.book.make("demo", "lead", "bo")
    server.book.make("demo", "third", "eve")
    page = server.ask("/r/", X_Forwarded_User="bo")
    assert (page.status, "As whom do you come?" in page.text) == (200, True)
    links = {each.person.pass_: each.link for each in server.book.of("demo", "bo")}
    assert f'href="/r/as/{links["lead"]}"' in page.text
    # each part by what is done there, in both languages, and a rater's by its pass as well
    assert "<bdi>lead</bdi>" not in page.text
    for shown in ("The lead&#39;s board", "لوحة المنسق", "Review", "المراجعة", "<bdi>first</bdi>"):
        assert shown in page.text
    reply = server.ask(f"/r/as/{links['first']}", X_Forwarded_User="bo")
    assert (reply.status, reply.headers["Location"]) == (302, "/r/")
    cookie = reply.headers["Set-Cookie"].split(";")[0]
    assert server.ask("/r/", cookie=cookie, X_Forwarded_User="bo").status == 200
    assert server.ask("/r/", cookie=cookie).status == 403
    for asked in (f"/r/as/{links['lead']}", "/r/as/", "/r/as/nonsense", "/r/as/%ff"):
        taken = server.ask(asked, X_Forwarded_User="eve")
        assert "Set-Cookie" not in taken.headers, asked
        assert links["lead"] not in taken.text
    assert "As whom" in server.ask("/r/as/", cookie=cookie, X_Forwarded_User="bo").text


@pytest.mark.kernel
def test_an_address_with_nothing_sends_nobody_to_a_link(server: Server) -> None:
    """People who log in have no personal link: the page names the way that they came."""
    reply = server.ask("/r/go/" + "x" * 43)
    assert reply.status == 404
    assert "log in if you are asked to" in reply.text
    assert "personal link" not in reply.text
    assert "رابطك الشخصي" not in reply.text
