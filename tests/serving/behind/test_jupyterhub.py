"""The example for JupyterHub, as it is in the repository: who logs in gets his own cards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
import requests
from tornado.web import create_signed_value

from tests.serving.behind.hub import OTHERS_TOKEN, SERVICE, Hub, hub
from tests.serving.behind.pages import Page
from tests.serving.served import until

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """Give one Hub to all tests of this file; amal and badr have parts in its study."""
    with hub(tmp_path_factory.mktemp("hub")) as one:
        one.book.make("demo", "first", "amal")
        one.book.make("demo", "second", "badr")
        yield one


def page_of(started: Hub, browser: requests.Session, reply: requests.Response) -> Page:
    """Return the page that somebody got."""
    assert (reply.status_code, reply.url) == (200, started.study), reply.text
    sent = requests.Request("GET", started.study, cookies=browser.cookies)
    cookie = browser.prepare_request(sent).headers["Cookie"]
    return Page(started.study, reply.text, cookie)


def test_each_who_logs_in_gets_his_own_cards(started: Hub) -> None:
    """Two people log in, each page runs for its person, and each socket is its owner's alone."""
    pages: list[Page] = []
    for name, part in (("amal", "first"), ("badr", "second")):
        browser, reply = started.log_in(name)
        page = page_of(started, browser, reply)
        pages.append(page)
        person = json.dumps({"pass": part, "rater": name, "study": "demo"})
        assert json.dumps(person) in page.html.replace("\\u0022", '\\"'), page.html
        ours = [each for each in browser.cookies if each.path == SERVICE]
        token = next(each for each in ours if each.name == "service-reviewkit")
        assert token.has_nonstandard_attr("HttpOnly")
        assert token.expires is None, "the session ends with the browser"
    assert re.fullmatch(r"kernel \d+", pages[0].ask())
    assert pages[0].ask(cookie=pages[1].cookie) == "refused with 403"
    assert pages[0].ask(cookie="") == "refused with 403"
    assert pages[1].ask(origin="http://evil.example") == "refused with 403"


def test_a_login_without_a_part_opens_nothing(started: Hub) -> None:
    """Somebody whom the Hub knows and the study does not is told so, and starts no kernel."""
    before = started.kernels()
    _, reply = started.log_in("stranger")
    assert (reply.status_code, reply.url) == (403, started.study)
    assert "no part of this study is yours" in reply.text
    assert "stranger" in reply.text
    assert started.kernels() == before


def test_who_has_not_logged_in_is_sent_to_the_hub(started: Hub) -> None:
    """A page leads to the login, whatever is in its address; scripts and sockets are refused."""
    page = requests.get(f"{started.study}?x=1", allow_redirects=False, timeout=30)
    assert page.status_code == 302
    assert page.headers["Location"].startswith("/hub/api/oauth2/authorize?")
    assert "code_challenge=" in page.headers["Location"]
    for path in ("api/kernels", "voila/api/shutdown/x", "go/nonsense", "/other.example"):
        reply = requests.get(started.study + path, allow_redirects=False, timeout=30)
        assert reply.status_code in (403, 404), path
    made_up = {"code": "x", "state": "y"}
    back = requests.get(
        f"{started.study}oauth_callback", params=made_up, allow_redirects=False, timeout=30
    )
    assert (back.status_code, "Log in first." in back.text) == (403, True)
    assert "service-reviewkit" not in str(back.headers.get("Set-Cookie", ""))


def test_who_logs_out_at_the_hub_is_out(started: Hub) -> None:
    """The page that is opened next leads to the login again."""
    started.book.make("demo", "third", "celia")
    browser, reply = started.log_in("celia")
    assert reply.status_code == 200
    browser.get(f"{started.url}/hub/logout", timeout=30)
    again = browser.get(started.study, timeout=30)
    assert "/hub/login" in again.url


def test_a_token_of_another_service_opens_nothing(started: Hub) -> None:
    """Not in a header, not in an address, not in a cookie, not even in one that we had signed."""
    started.book.make("demo", "fourth", "dana")
    started.log_in("dana")
    name = "service-reviewkit"
    tokens = [OTHERS_TOKEN, started.token_of("dana", "read:users!user=dana")]
    seal = (started.root / ".reviewkit" / "secret").read_bytes().strip()
    before = started.kernels()
    for token in tokens:
        for sent in (
            {"headers": {"Authorization": f"token {token}"}},
            {"headers": {"Authorization": f"Bearer {token}"}},
            {"params": {"token": token}},
            {"cookies": {name: token}},
        ):
            reply = requests.get(started.study, allow_redirects=False, timeout=30, **sent)
            assert reply.status_code == 302, sent
        signed = {name: create_signed_value(seal, name, token).decode()}
        reply = requests.get(started.study, cookies=signed, allow_redirects=False, timeout=30)
        assert reply.status_code == 403
        assert "It cannot be said who you are." in reply.text
    assert started.kernels() == before


def test_nothing_secret_is_logged(started: Hub) -> None:
    """Neither the Hub's code nor a token nor a name stands in what the service prints."""
    browser, refusal = started.log_in("esther")
    assert refusal.status_code == 403
    assert until(lambda: refusal.headers["X-Request-Id"] in started.log), "it is told"
    said = "\n".join(line for line in started.log.splitlines() if line.startswith("{"))
    assert "code=" not in said
    assert "esther" not in said
    assert not [each.value for each in browser.cookies if each.value and each.value in said]
