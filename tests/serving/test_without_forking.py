"""A server on a machine where nothing can be forked: a kernel is kept ready, and that is said."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from reviewkit.desk.server import settings
from reviewkit.desk.server.settings import usual_pool
from tests.attacks.victims import custom
from tests.serving.served import (
    Server,
    connect,
    lay_project,
    person_of,
    run_apart,
    running,
    until,
)

THREAD = """
import sys, threading, time
if "zygote.py" in str(sys.orig_argv):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
"""
"""Found by every Python of the server: makes its warm parent one that must not fork."""


def test_a_pool_is_the_way_where_nothing_can_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default some kernels are kept ready there, and none elsewhere."""
    for why_not, kept in (("", 0), ("this is darwin", settings.POOL_WITHOUT_FORKING)):
        monkeypatch.setattr(settings, "why_not_fork", lambda why_not=why_not: why_not)
        assert usual_pool() == kept
    assert settings.POOL_WITHOUT_FORKING > 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a server that cannot fork and keeps one kernel ready."""
    hindered = tmp_path_factory.mktemp("hindered")
    (hindered / "sitecustomize.py").write_text(THREAD, encoding="utf-8")
    paths = os.pathsep.join(filter(None, (str(hindered), os.environ.get("PYTHONPATH"))))
    root = lay_project(tmp_path_factory.mktemp("project"))
    with running(root, pool=1, environment={"PYTHONPATH": paths}) as one:
        yield one


async def answer(server: Server, html: str, kernel_id: str, cookie: str) -> str:
    """Press the button of the card, and return what its kernel says."""
    _, _, rest = html.partition('data-widget="')
    connection = await connect(server, kernel_id, cookie)
    await connection.write_message(json.dumps(custom(rest[:32], kind="ping")))
    while text := await connection.read_message():
        said = json.loads(text)["content"]["data"]
        if said.get("method") == "custom":
            connection.close()
            return str(said["content"]["answer"])
    return ""


@pytest.mark.kernel
def test_each_visitor_gets_his_own_card_from_a_kernel_that_was_ready(server: Server) -> None:
    """A kernel that waited knew nobody and becomes one visitor's; the next gets another."""
    mine: list[int] = []
    had_waited = False
    for number in range(12):
        assert until(lambda: len(server.kernels()) > len(mine), 60)
        waiting = [each for each in server.kernels() if each.pid not in mine]
        assert all("-f" in each.cmdline() for each in waiting), "started anew"
        assert [person_of(each) for each in waiting] == [""] * len(waiting)
        rater = f"rater-{number}"
        cookie = server.let_in(server.book.make("demo", "first", rater))
        html, kernel_id = server.open_page(cookie)
        assert f'\\"rater\\": \\"{rater}\\"' in html
        assert html.count("rater-") == 1
        told = run_apart(answer(server, html, kernel_id, cookie))
        mine.append(int(told.removeprefix("kernel ")))
        if had_waited:
            break
        # one that has only just been started is not ready: the visitor gets a fresh one beside it
        had_waited = mine[-1] in [each.pid for each in waiting]
    assert had_waited
    assert len(mine) == len(set(mine))


@pytest.mark.kernel
def test_the_log_says_why_kernels_are_ordinary(server: Server) -> None:
    """Once for each reason, as an event of its own."""
    lines = [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]
    whys = [each["why"] for each in lines if each["event"] == "kernel_not_forked"]
    assert whys == ["the warm parent did not start: threads besides the first: 1"]
    assert "1 kept ready" in server.log
