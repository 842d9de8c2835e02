"""A server in operation: its health, its log without a word of anybody, its address, its end."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewkit.desk.server.listening import listed, running_servers, stale_entries
from reviewkit.workspace import Workspace
from tests.browser.places import lay_demo
from tests.serving.served import (
    TINY_WIDGET,
    Server,
    alive,
    connect,
    lay_project,
    message,
    refused,
    run_apart,
    running,
    start_server,
    until,
)

pytestmark = pytest.mark.kernel

RATER = "amal-who-is-not-in-the-log"
CANARY = "canary-of-a-note-Xq7"
KEYS = {
    "status", "version", "uptime_seconds", "kernels", "connections", "ledgers_writable",
    "disk_has_room",
}  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on the demo bank, at a sub-path, whose log is a file."""
    place = tmp_path_factory.mktemp("operation")
    ws = lay_demo(place / "project", (RATER,))
    with running(ws.root, base_url="/review/", log=place / "log.jsonl") as server:
        yield server


def _lines(server: Server) -> list[dict[str, Any]]:
    text = (server.root.parent / "log.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _health(server: Server, path: str = "/healthz") -> tuple[int, dict[str, Any]]:
    reply = server.ask(path)
    return reply.status, json.loads(reply.text)


def test_health_is_for_anybody_and_says_nothing_of_anybody(served: Server) -> None:
    """Without a login, below the base URL as well, and by HEAD: numbers and yes or no."""
    status, told = _health(served)
    assert (status, told["status"], told["ledgers_writable"]) == (200, "ok", True)
    assert set(told) == KEYS
    assert all(isinstance(each, bool | int) for name, each in told.items() if name in KEYS - {
        "status", "version"})  # fmt: skip
    assert _health(served, "/review/healthz")[0] == 200
    head = served.ask("/healthz", method="HEAD")
    assert (head.status, head.text) == (200, "")
    assert head.headers["Cache-Control"] == "no-store"


def test_it_says_where_its_health_is(served: Server) -> None:
    """The address that is printed at the start answers."""
    found = re.search(r"^Health: http://127\.0\.0\.1:(\d+)(/\S+);", served.log, re.MULTILINE)
    assert found
    assert found[1] == str(served.port)
    assert _health(served, found[2])[0] == 200


def test_a_folder_that_takes_nothing_is_unhealthy_until_it_does(served: Server) -> None:
    """When records cannot be kept the answer is 503, and 200 once they can."""
    study = served.root / "rulings" / "demo"
    study.rename(study.with_name("away"))
    study.write_text("a file in the place of the folder", encoding="utf-8")
    try:
        assert until(lambda: _health(served)[0] == 503, 5)
        assert _health(served)[1]["ledgers_writable"] is False
    finally:
        study.unlink()
        study.with_name("away").rename(study)
    assert until(lambda: _health(served)[0] == 200, 5)


async def _say(server: Server, page: str, cookie: str, *contents: dict[str, Any]) -> list[Any]:
    """Speak to the desk of a page as its script does, and return what it answered."""
    kernel_id = re.search(r'"kernelId": "([0-9a-f-]{36})"', page)
    model = re.search(r'data-widget="([0-9a-f]{32})"', page)
    assert kernel_id
    assert model, page
    connection = await connect(server, kernel_id[1], cookie)
    heard: list[Any] = []
    token = ""
    for number, content in enumerate(contents, start=1):
        said = json.loads(message("comm_msg"))
        said["header"]["msg_id"] = f"m{number}"
        about = {"id": number, "tab": "t1", **({"token": token} if "answers" in content else {})}
        custom = {"method": "custom", "content": {**about, **content}}
        said["content"] = {"comm_id": model[1], "data": custom}
        await connection.write_message(json.dumps(said))
        while True:
            received = json.loads(await asyncio.wait_for(connection.read_message(), 30) or "{}")
            data = received.get("content", {}).get("data", {})
            if (
                received.get("header", {}).get("msg_type") == "comm_msg"
                and data.get("method") == "custom"
            ):
                heard.append(data["content"])
                card = data["content"].get("view", {}).get("card") or {}
                token = card.get("token", token)
                break
    connection.close()
    return heard


def test_a_whole_session_leaves_no_word_in_the_log(served: Server) -> None:
    """Link, page, draft, note, submission, nonsense, a fault: counted, and no word of them."""
    link = served.book.make("demo", f"p-{RATER}", RATER)
    cookie = served.let_in(link)
    page, kernel_id = served.open_page(cookie)
    checks = {"natural": "no"}
    heard = run_apart(
        _say(
            served, page, cookie,
            {"kind": "hello"},
            {"kind": "draft", "answers": checks, "note": f"draft {CANARY}"},
            {"kind": "submit", "click_id": "click-0001", "answers": checks, "note": CANARY},
            {"kind": CANARY},
        )
    )  # fmt: skip
    assert len(heard) == 4
    drafts = served.root / "rulings" / "demo" / f"p-{RATER}" / f"{RATER}.draft.json"
    assert f"draft {CANARY}" in drafts.read_text(encoding="utf-8")
    served.ask(f"/review/go/{CANARY}?{CANARY}")
    served.ask(f"/review/{CANARY}?q={CANARY}", cookie=cookie, Referer=CANARY, User_Agent=CANARY)
    served.ask(f"/review/api/kernels/{kernel_id}/{CANARY}", cookie=cookie, method="POST")

    def hostile() -> Any:
        async def send() -> None:
            connection = await connect(served, kernel_id, cookie)
            for _ in range(3):
                await connection.write_message(message("execute_request"))
            await connection.write_message(CANARY)
            await asyncio.sleep(0.5)
            connection.close()

        return send()

    run_apart(hostile())
    assert served.process.poll() is None
    text = json.dumps(_lines(served)) + served.log
    card = json.dumps(heard[0], ensure_ascii=False)
    texts = re.findall(r'"text": "([^"\\\\]{20,})"', card)
    assert texts
    secret = (served.root / ".reviewkit" / "secret").read_text()
    for word in (CANARY, RATER, link, kernel_id, secret, cookie.partition("=")[2], *texts):
        assert word not in text
    told = [each for each in _lines(served) if each["event"] == "request"]
    routes = {each["route"] for each in told}
    assert {"/review/go/{}", "/review/api/kernels/{}/channels"} <= routes
    assert all(re.fullmatch(r"[0-9a-f]{8}", each["request"]) for each in told)
    visitors = {each["visitor"] for each in told if "visitor" in each}
    assert len(visitors) == 1
    assert {"kernel_started", "server_started"} <= {each["event"] for each in _lines(served)}


def test_a_kernel_that_was_killed_did_not_end_with_its_page(served: Server) -> None:
    """The log says of one kernel that it died, and then for the same reason that it ended."""
    others = {each.pid for each in served.kernels()}
    served.open_page(served.let_in(served.book.make("demo", "lead", "lead")))
    (kernel,) = [each for each in served.kernels() if each.pid not in others]
    kernel.kill()

    def told(event: str) -> dict[str, Any]:
        return {each["kernel"]: each["why"] for each in _lines(served) if each["event"] == event}

    assert until(lambda: told("kernel_died"), 10)
    ((name, why),) = told("kernel_died").items()
    assert told("kernel_ended")[name] == why == "its process was gone"


def test_a_log_that_was_moved_away_is_opened_anew(served: Server) -> None:
    """After SIGHUP, as logrotate sends it, lines go to a new file of the same name."""
    log = served.root.parent / "log.jsonl"
    moved = log.rename(log.with_suffix(".1"))
    before = moved.read_bytes()
    served.process.send_signal(signal.SIGHUP)
    assert until(log.exists, 5)
    served.ask("/review/go/nonsense")
    assert until(lambda: '"status": 403' in log.read_text(), 5)
    assert moved.read_bytes() == before


def test_a_link_begins_with_the_address_of_the_running_server(served: Server) -> None:
    """The server writes down where it listens; a file of a dead process counts for nothing."""
    ws = Workspace(served.root)
    (mine,) = running_servers(ws, "demo")
    assert mine.links_start == f"http://127.0.0.1:{served.port}/review"
    assert running_servers(ws, "other") == ()
    path = ws.servers / "1-1.json"
    path.write_text(json.dumps({**json.loads(_entry(ws).read_text()), "pid": 999_999_999}))
    assert running_servers(ws, "demo") == (mine,)
    assert stale_entries(ws) == (path,)
    assert _entry(ws).stat().st_mode & 0o777 == 0o600
    with listed(ws, "other", "127.0.0.1", 1, "/", "http://there"):
        assert [each.study for each in running_servers(ws)] == ["demo", "other"]
        assert not path.exists(), "the next server clears away what is stale"
    assert len(list(ws.servers.iterdir())) == 1


def _entry(ws: Workspace) -> Path:
    return next(each for each in ws.servers.iterdir() if not each.name.startswith("1-"))


STUBBORN = (
    "import signal; get_ipython().kernel.control_handlers.pop('shutdown_request'); "
    "signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)"
)
"""Makes a kernel that hears neither the polite request nor the polite signal."""


def test_an_orderly_stop(tmp_path: Path) -> None:
    """Pages are told, nobody new comes in, kernels and files are gone, the status is 0."""
    place = tmp_path / "t"
    place.mkdir()
    os.environ["TMPDIR"], before = str(place), os.environ.get("TMPDIR")
    try:
        server = start_server(lay_project(tmp_path / "project"))
    finally:
        os.environ.pop("TMPDIR")
        if before is not None:
            os.environ["TMPDIR"] = before
    try:
        cookie = server.let_in(server.book.make("demo", "first", "amal"))
        _, kernel_id = server.open_page(cookie)
        (kernel,) = server.kernels()
        assert any(place.iterdir())

        async def told() -> int | None:
            connection = await connect(server, kernel_id, cookie)
            server.process.send_signal(signal.SIGTERM)
            while await asyncio.wait_for(connection.read_message(), 15) is not None:
                pass
            return connection.close_code

        assert run_apart(told()) == 1001
        reply = server.ask("/", cookie=cookie)
        assert (reply.status, reply.headers["Retry-After"]) == (503, "10")
        assert "being restarted" in reply.text
        assert 'lang="ar"' in reply.text
        assert refused(server, kernel_id, cookie) == 503
        assert server.ask(f"/here/{kernel_id}", cookie=cookie).status == 503
        assert _health(server)[1]["status"] == "stopping"
        assert server.process.wait(20) == 0
        assert until(lambda: not alive(kernel.pid), 5)
        assert list(place.iterdir()) == []
        assert list((server.root / ".reviewkit" / "servers").iterdir()) == []
    finally:
        server.stop()


def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    """Whoever does not want to wait for a busy kernel presses Ctrl+C twice."""
    source = TINY_WIDGET.replace("\nTiny()\n", f"\n{STUBBORN}\nTiny()\n")
    server = start_server(lay_project(tmp_path / "project", source))
    try:
        server.open_page(server.let_in(server.book.make("demo", "first", "amal")))
        (kernel,) = server.kernels()
        server.process.send_signal(signal.SIGINT)
        assert until(lambda: "server_stopping" in server.log, 5)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(10) == 128 + signal.SIGINT
        assert until(lambda: not alive(kernel.pid), 5)
    finally:
        server.stop()
