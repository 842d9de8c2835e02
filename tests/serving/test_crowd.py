"""Six people at once, and all that goes wrong: nothing lost, doubled or misfiled."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient

from benchmarks.crowd.ledgers import Findings, read_back
from benchmarks.crowd.meaning import Diary, meant
from benchmarks.crowd.place import STUDY, Place, card_ids, lay_place, links_for
from benchmarks.crowd.slow_line import Line, Proxy
from benchmarks.crowd.socket_rater import SocketRater
from benchmarks.crowd.troubles import Troubles
from reviewkit.workspace import Workspace
from tests.serving.served import run_apart

pytestmark = [pytest.mark.kernel, pytest.mark.stress]

CARDS, SEED, LONGEST = 6, 6, 120.0
SIX = [f"r{number}" for number in range(6)]


async def rate_in_trouble(place: Place, links: dict[str, str]) -> tuple[list[Diary], Troubles]:
    """Let six people walk through their cards while kernel, server and sockets die."""
    AsyncHTTPClient.configure(None, max_clients=50)
    proxy = Proxy(place.port, Line())
    await proxy.start()
    url = f"http://127.0.0.1:{proxy.port}/"
    second = {"r1": "take over", "r2": "look"}
    raters = [
        SocketRater(
            name, f"{url}go/{links[name]}", url, seed=SEED, think=0.5,
            second_tab=second.get(name, ""),
        )
        for name in SIX
    ]  # fmt: skip
    troubles = Troubles(place, [proxy], [each.diary for each in raters], CARDS * len(SIX), SEED)
    happening = asyncio.ensure_future(
        troubles.happen(
            [
                (0.2, troubles.kill_kernel),
                (0.3, troubles.cut),
                (0.5, troubles.restart_server),
                (0.8, lambda: troubles.cut(1.0)),
            ]
        )
    )
    try:
        diaries = await asyncio.wait_for(asyncio.gather(*(each.rate() for each in raters)), LONGEST)
    finally:
        happening.cancel()
        await proxy.stop()
    return diaries, troubles


def test_six_in_trouble_lose_double_and_misfile_nothing(tmp_path: Path) -> None:
    """A kernel and the server die, sockets are cut: each ledger says what was meant and told."""
    ws = lay_place(tmp_path / "project", SIX, CARDS, characters=400)
    place, links = Place(ws), links_for(ws, SIX)
    place.start()
    try:
        diaries, troubles = run_apart(rate_in_trouble(place, links))
    finally:
        place.stop()

    found = read_back(ws, STUDY, SEED, card_ids(CARDS), diaries)
    assert found.faults == []
    assert found.decisions == CARDS * len(SIX)
    assert all(diary.locked for diary in diaries)
    # and there was trouble
    assert (troubles.kernels_killed, troubles.restarts) == (1, 1)
    # some may be loading their page anew at that moment, hold no socket and lose no page
    assert troubles.proxies[0].cut >= len(SIX) // 2
    assert sum(diary.reloads for diary in diaries) >= len(SIX) // 2
    assert [diary for diary in diaries if "BOTH TABS WRITE" in diary.refused] == []


def _findings(ws: Workspace, diary: Diary) -> Findings:
    return read_back(ws, STUDY, SEED, card_ids(1), [diary])


def test_the_reading_back_sees_each_fault(tmp_path: Path) -> None:
    """A lost, a doubled, a misfiled and a missing record are each told from the ledger alone."""
    from reviewkit.study import Walk

    ws = lay_place(tmp_path / "project", ["r0"], 1, characters=400)
    walk, (card,) = Walk(ws, STUDY, "r0", origin="voila"), card_ids(1)
    walk.start(0)
    right, diary = meant(SEED, "r0", card), Diary("r0")
    diary.done = True
    assert len(_findings(ws, diary).lost) == 1

    def record(click: str, note: str) -> None:
        walk.submit(
            card, walk.digest(card), right.answers, note, escalated=False, seconds=1.0,
            click_id=click,
        )  # fmt: skip

    diary.press("click-0001", card, dict(right.answers), right.note).hear("recorded")
    assert len(_findings(ws, diary).lost) == 2
    record("click-0001", right.note)
    assert _findings(ws, diary).faults == []
    diary.press("click-0002", card, dict(right.answers), "other words").hear("refused")
    record("click-0002", "other words")
    found = _findings(ws, diary)
    assert (len(found.lost), len(found.doubled), len(found.misfiled)) == (0, 1, 2)
