"""Two app servers, each with a checkout of its own, on one PostgreSQL: one dies, nothing is lost.

People are the clients of the load test: they read, type, press, and reload when the page says so.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from benchmarks.crowd import place, socket_page
from benchmarks.crowd.ledgers import pass_of
from benchmarks.crowd.meaning import FIELD, meant
from benchmarks.crowd.place import STUDY, Place, card_ids, lay_place
from benchmarks.crowd.socket_page import Cookies, SocketPage, ask_server
from benchmarks.crowd.socket_rater import SocketRater
from reviewkit.decisions import Record
from reviewkit.decisions.stores import store_file_text
from reviewkit.study.ledgers import ledger_of
from reviewkit.study.links import link_book
from reviewkit.workspace import Workspace
from tests.postgres import Postgres
from tests.serving.served import run_apart

pytestmark = [pytest.mark.database, pytest.mark.stress]

PEOPLE = [f"r{number:02}" for number in range(20)]
DRAFTER = "drafter"
CARDS = 3
SEED = 6
THINK = 0.3
"""Seconds a card; a person takes minutes, and the order of what happens is the same."""
SECONDS = 150


def two_checkouts(folder: Path, url: str) -> tuple[Workspace, Workspace]:
    """Lay the same project twice, as two clones of one repository are, on one database."""
    one = lay_place(folder / "one", [*PEOPLE, DRAFTER], CARDS, 400)
    one.store_file.write_text(store_file_text(url), encoding="utf-8")
    shutil.copytree(one.root, folder / "two")
    return one, Workspace(folder / "two")


def url_of(server: Place) -> str:
    """Return the address of a server."""
    return f"http://127.0.0.1:{server.port}/"


def power_cut(server: Place) -> None:
    """End a server and everything it started, as when its machine dies."""
    assert server.process is not None
    process = psutil.Process(server.process.pid)
    started = process.children(recursive=True)
    for each in (process, *started):
        each.kill()
    server.process.wait(20)


async def until(look: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait until ``look`` is true."""
    async with asyncio.timeout(seconds):
        while not look():
            await asyncio.sleep(0.1)


async def hello(page: SocketPage) -> dict[str, Any]:
    """Open a page and return what it shows."""
    await page.load()
    return (await page.ask("hello", language=None, narrow=False, pending=None))["view"]


async def begin_a_card(one: Place, token: str, note: str) -> tuple[Cookies, str, SocketPage]:
    """Answer and write on the second card of the drafter and do not save it."""
    cookies = Cookies()
    await ask_server(f"{url_of(one)}go/{token}", cookies)
    page = SocketPage(url_of(one), cookies, "a" * 32)
    await hello(page)
    card = (await page.ask("go", to="next"))["view"]["card"]
    judgement = {"answers": {FIELD: "E"}, "note": note, "escalated": False, "unsure": False}
    reply = await page.ask("draft", token=card["token"], seconds=1.0, **judgement)
    assert reply["kind"] == "outcome"
    return cookies, card["card_id"], page


def acknowledged(raters: list[SocketRater]) -> int:
    """Return how many saves all of them were told of."""
    return sum(len(each.diary.acknowledged) for each in raters)


async def live_through_it(
    one: Place, two: Place, tokens: dict[str, str], postgres: Postgres
) -> list[SocketRater]:
    """Let everybody work; kill one server, later the database, and see what each is told."""
    raters = [
        SocketRater(
            name, f"{url_of(server)}go/{tokens[name]}", url_of(server), seed=SEED, think=THINK
        )
        for number, name in enumerate(PEOPLE)
        for server in [(one, two)[number % 2]]
    ]
    working = asyncio.gather(*(each.rate(n * 0.2) for n, each in enumerate(raters)))
    try:
        cookies, card_id, page = await begin_a_card(one, tokens[DRAFTER], "half a sentence")
        await until(lambda: acknowledged(raters) >= len(PEOPLE))

        await asyncio.to_thread(power_cut, one)
        moved = {each: len(each.diary.ready) for each in raters if each.url == url_of(one)}
        for each in moved:
            # the same cookie, another server; whoever had not come yet opens his link there
            each.url, each.link = url_of(two), f"{url_of(two)}go/{tokens[each.name]}"
            for page_there in (each.page, each.opening):
                if page_there is not None:
                    page_there.gone = True
        await page.close(goodbye=False)
        again = SocketPage(url_of(two), cookies, "a" * 32)
        card = (await hello(again))["card"]
        assert (card["card_id"], card["draft"]["note"]) == (card_id, "half a sentence")
        assert card["draft"]["answers"] == {FIELD: "E"}
        await until(lambda: all(len(r.diary.ready) > n or r.diary.done for r, n in moved.items()))

        await asyncio.to_thread(postgres.stop, signal.SIGQUIT)
        try:
            click = {"click_id": "c" * 16, "token": card["token"], "seconds": 1.0}
            judgement = {"answers": {FIELD: "E"}, "note": "", "escalated": False, "unsure": False}
            refused = await again.ask("submit", **click, **judgement)
        finally:
            await asyncio.to_thread(postgres.start)
        assert refused["kind"] == "refused"
        assert "nothing was recorded" in refused["text"]
        assert "does not answer" in refused["text"]
        assert "@" not in refused["text"]
        assert (await again.ask("submit", **click, **judgement))["kind"] == "recorded"
        await again.close()
        async with asyncio.timeout(SECONDS):
            await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    return raters


def compared(rater: SocketRater, records: tuple[Record, ...]) -> list[str]:
    """Return every difference between what one meant, what he was told and what is recorded."""
    faults: list[str] = []
    who = rater.name
    by_click = {each.click_id: each for each in records}
    for press in rater.diary.acknowledged:
        record = by_click.get(press.click_id)
        if record is None or (record.card_id, record.note) != (press.card_id, press.note):
            faults.append(f"{who}, {press.card_id}: told that it is recorded, and it is not so")
    decisions = [each for each in records if each.kind == "decision"]
    cards = Counter(each.card_id for each in decisions)
    if cards != Counter(card_ids(CARDS)):
        faults.append(f"{who}: decisions on {dict(cards)}")
    for each in decisions:
        right = meant(SEED, who, each.card_id or "")
        if (dict(each.answers), each.note) != (right.answers, right.note):
            faults.append(f"{who}, {each.card_id}: not what he meant to say")
        if (each.rater, each.pass_) != (who, pass_of(who)):
            faults.append(f"{who}, {each.card_id}: in the name of {each.rater}")
    return faults


def test_a_server_and_the_database_die_and_nothing_is_lost(
    tmp_path: Path, postgres: Postgres, database_url: str, monkeypatch: pytest.MonkeyPatch
):
    """Whoever was on the dead server goes on at the same card on the other, draft and all."""
    # twenty kernels start at once on two cores: these people wait before they press Reload
    monkeypatch.setattr(socket_page, "PATIENCE", 60.0)
    monkeypatch.setattr(place, "START_SECONDS", 120.0)
    here, there = two_checkouts(tmp_path, database_url)
    book = link_book(here)
    tokens = {who: book.make(STUDY, pass_of(who), who) for who in [*PEOPLE, DRAFTER]}
    one, two = Place(here), Place(there)
    try:
        with ThreadPoolExecutor() as both:
            list(both.map(Place.start, (one, two)))
        raters = run_apart(live_through_it(one, two, tokens, postgres))
    finally:
        one.stop()
        two.stop()

    ledgers = {
        each.name: ledger_of(there, STUDY, pass_of(each.name), each.name).records()
        for each in raters
    }
    faults = [fault for each in raters for fault in compared(each, ledgers[each.name])]
    clicks = Counter(each.click_id for records in ledgers.values() for each in records)
    assert faults == []
    assert [click for click, times in clicks.items() if times > 1] == []
    drafter = ledger_of(there, STUDY, pass_of(DRAFTER), DRAFTER).records()
    assert [each.kind for each in drafter] == ["start", "decision"]
    # nothing of all this went past the database into a folder
    for ws in (here, there):
        assert not [*(ws.root / "rulings" / STUDY).rglob("*.json*")]
        assert not ws.links.exists()
