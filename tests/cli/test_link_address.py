"""What a new link begins with: the server that runs for its study, wherever it listens."""

from __future__ import annotations

import json

import pytest

from reviewkit.desk.server.listening import listed
from reviewkit.study.links import LinkBook
from reviewkit.workspace import Workspace

FIRST, SECOND = "first-reviewer", "second-reviewer"


def test_a_link_opens_at_the_server_that_runs(run, demo: Workspace) -> None:
    """Port and sub-path are the running server's; with several the last, and the other is named."""
    with listed(demo, "demo", "127.0.0.1", 9001, "/review/", "http://127.0.0.1:9001/review"):
        status, out, _ = run("link", "new", FIRST, "--study", "demo")
        assert status == 0
        assert out.startswith("http://127.0.0.1:9001/review/go/")
        with listed(demo, "demo", "127.0.0.1", 9002, "/", "https://rate.example"):
            out = run("link", "new", SECOND, "--study", "demo")[1]
            assert "/go/" in out
            assert "that server runs too" in out
        named = run(
            "link", "renew", FIRST, "--study", "demo", "--url", "https://x.example/", "--json"
        )
        assert json.loads(named[1])["url"].startswith("https://x.example/go/")


def test_without_a_server_the_usual_address_is_said_to_be_one(run) -> None:
    """Nobody sends a link to a port where nothing listens without being told."""
    out = run("link", "new", FIRST, "--study", "demo")[1]
    assert out.startswith("http://127.0.0.1:8866/go/")
    assert "No server of demo is running here" in out


@pytest.mark.parametrize(
    "url", ["review.example.org", "ftp://x.example", "https://", "http://x/?a"]
)
def test_an_address_that_opens_nothing_makes_no_link(run, demo: Workspace, url: str) -> None:
    """Nobody is sent an address that no browser opens; the links of before go on."""
    for command in (["link", "new", FIRST, "--url"], ["serve", "--new-links", "--public-url"]):
        status, out, err = run(*command, url)
        assert status == 2
        assert "https://review.example.org/review" in err
        assert "/go/" not in out
    assert not LinkBook(demo.links).list()


def test_links_that_cannot_be_kept_are_named_by_their_place(run, demo: Workspace) -> None:
    """The file is below the project folder and hidden: its name alone would not be found."""
    demo.links.mkdir(parents=True)
    status, _out, err = run("link", "new", FIRST, "--study", "demo")
    assert status == 1
    assert ".reviewkit/links.jsonl: nothing was recorded" in err
