"""The same crowd in front of Potato, for the benchmark that wants a peer beside our figures.

Afterwards the file of every rater is read back and compared with what he meant and was told. Then
a second, short walk is ended by ``kill -9`` in the middle of saves: what was acknowledged and is
not on the disk is lost.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.coding import Table
from benchmarks.crowd.ledgers import Findings
from benchmarks.crowd.meaning import Diary
from benchmarks.crowd.place import card_ids
from benchmarks.crowd.potato_page import PotatoRater, five, potato_server
from benchmarks.crowd.size import Size
from benchmarks.desk import percentile
from benchmarks.judging.servers import Served

EVERYBODY_THERE = 5.0
"""Seconds after the last one has opened the page at which the memory is looked at."""
EVERYBODY_GONE = 15.0
"""Seconds in which those who met a server that is gone have ended by themselves."""
KILLED = {"cards": 6, "think": 0.5, "arrive": 3.0, "limit": 90.0}
"""The walk that is killed: short, so that many saves are under way at once."""


@dataclass(frozen=True)
class Ours:
    """Our own figures of the same run: seconds of page and save, megabytes of everything."""

    ready: list[float]
    saves: list[float]
    total_mb: float


@dataclass
class Walk:
    """What was measured while everybody walked through all items."""

    diaries: list[Diary] = field(default_factory=list)
    alone_mb: float = 0.0
    full_mb: float = 0.0
    """Proportional memory (PSS) of the server when everybody is there; 0 when nobody looked."""
    processor: float = 0.0
    seconds: float = 0.0
    in_time: bool = True
    found: Findings = field(default_factory=Findings)
    greatest_kb: float = 0.0
    """The greatest file of one rater at the end."""


def version_of(command: str) -> str:
    """Return what Potato says of itself; OSError when it cannot be started."""
    asked = [command, "--version"]
    said = subprocess.run(asked, check=False, capture_output=True, text=True, timeout=60)
    return said.stdout.strip().partition("\n")[0] or "potato"


def walk(command: str, folder: Path, size: Size, kill_after: int | None = None) -> Walk:
    """Let everybody walk, or kill the server when so many saves were acknowledged; read back."""
    with potato_server(command, folder, size.cards, size.seed) as served:
        one = asyncio.run(_walk(served, size, kill_after))
    one.found = read_back(served.answers, size, one.diaries)
    files = list(served.answers.glob("*/user_state.json"))
    one.greatest_kb = max((each.stat().st_size for each in files), default=0) / 1000
    return one


async def _walk(served: Served, size: Size, kill_after: int | None) -> Walk:
    raters = [PotatoRater(f"r{n:02}", served.url, size) for n in range(size.raters)]
    one = Walk([each.diary for each in raters], alone_mb=served.megabytes())
    began, used = time.monotonic(), served.processor_seconds()
    step = size.arrive / len(raters)
    working = [asyncio.ensure_future(each.rate(n * step)) for n, each in enumerate(raters)]
    looking = asyncio.ensure_future(_look(served, one, size.arrive + EVERYBODY_THERE))
    if kill_after is None:
        _done, late = await asyncio.wait(working, timeout=size.limit)
        one.in_time = not late
        one.processor = served.processor_seconds() - used
    else:
        await _kill(served, one.diaries, kill_after, size.limit)
        one.in_time = served.process.poll() is not None
        await asyncio.wait(working, timeout=EVERYBODY_GONE)
    for each in (*working, looking):
        each.cancel()
    ends = await asyncio.gather(*working, looking, return_exceptions=True)
    for end, diary in zip(ends, one.diaries, strict=False):
        if isinstance(end, Exception):
            diary.last += f": {end}"
    one.seconds = time.monotonic() - began
    return one


async def _look(served: Served, one: Walk, after: float) -> None:
    await asyncio.sleep(after)
    one.full_mb = await asyncio.to_thread(served.megabytes)


async def _kill(served: Served, diaries: list[Diary], after: int, limit: float) -> None:
    """End the server as a power cut would, once so many saves were acknowledged."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if sum(len(each.acknowledged) for each in diaries) >= after:
            served.process.kill()
            served.process.wait(10)
            return
        await asyncio.sleep(0.02)


def read_back(out: Path, size: Size, diaries: list[Diary]) -> Findings:
    """Compare the file of every rater with what he meant and was told."""
    found = Findings()
    for diary in diaries:
        who, kept = diary.rater, dict[str, list[Any]]()
        try:
            state = json.loads((out / who / "user_state.json").read_text("utf-8"))
            kept = state["instance_id_to_label_to_value"]
        except (OSError, ValueError, KeyError) as error:
            if diary.acknowledged:
                found.unsound.append(f"{who}: {error}")
        told = {press.card_id for press in diary.acknowledged}
        wanted = {*card_ids(size.cards)} if diary.done else told
        found.lost += [f"{who}, {card}: not on the disk" for card in sorted(wanted - {*kept})]
        found.misfiled += [
            f"{who}: {card} is none of his" for card in {*kept} - {*card_ids(size.cards)}
        ]
        found.decisions += len(told & {*kept})
        for card in sorted(told & {*kept}):
            times = Counter(label["schema"] for label, _value in kept[card])
            stands = {label["schema"]: value for label, value in kept[card]}
            right = five(size.seed, who, card)
            said = {**right["answers"], **({"note": right["note"]} if right["note"] else {})}
            found.doubled += [
                f"{who}, {card}: {n} times {name}" for name, n in times.items() if n > 1
            ]
            if stands != said:
                found.misfiled.append(f"{who}, {card}: not what he meant to say")
        if not diary.done:
            found.unfinished.append(f"{who}: last seen: {diary.last}")
    return found


def tell(table: Table, command: str, folder: Path, size: Size, ours: Ours) -> None:
    """Walk, kill, and print it all beside our own figures."""
    table.add(f"-- beside {version_of(command)}, no browser", "its own", "beside ours")
    one = walk(command, folder / "potato", size)
    ready = [took for each in one.diaries for took in each.ready]
    saves = [press.waited for each in one.diaries for press in each.acknowledged]
    shown = [took for each in one.diaries for took in each.shown]
    for what, its, our in (
        ("page ready", ready, ours.ready), ("press to acknowledgement", saves, ours.saves),
        ("press to next card, page loaded", shown, ours.saves),
    ):  # fmt: skip
        _times(table, what, its, our)
    times = one.full_mb / ours.total_mb if ours.total_mb else 0.0
    table.add(
        "server (PSS)", f"{one.full_mb:.0f} MB, alone {one.alone_mb:.0f}",
        f"{times:.2f} times ours, kernels included" if times and one.full_mb else "",
    )  # fmt: skip
    cost = 1000 * one.processor / max(1, one.found.decisions)
    table.add(
        "processor of the server", f"{one.processor:.0f} s in {one.seconds:.0f} s",
        f"{cost:.0f} ms a card, page opened included",
    )  # fmt: skip
    table.add("greatest file of a rater", f"{one.greatest_kb:.0f} kB", "written anew by each save")
    wanted = size.raters * size.cards
    table.add("decisions on disk", str(one.found.decisions), f"{one.found.decisions} of {wanted}")
    _faults(table, one, ("lost", "doubled", "misfiled", "unsound", "unfinished"))
    short = replace(size, **KILLED)
    ended = walk(command, folder / "potato-killed", short, size.raters * short.cards // 2)
    table.add("server killed in the middle of saves", "yes" if ended.in_time else "NOT IN TIME")
    _faults(table, ended, ("lost", "doubled", "misfiled", "unsound"))
    print(
        "  (our acknowledgement brings the next card; Potato, as read in 2.12.1, writes and syncs "
        "the whole file of a rater before it answers)"
    )


def _times(table: Table, what: str, its: list[float], ours: list[float]) -> None:
    for share in (50, 95) if its else ():
        value = percentile(its, share)
        beside = f"{value / percentile(ours, share):.1f} times ours" if ours else ""
        table.add(f"{what}, p{share} of {len(its)}", f"{value * 1000:.0f} ms", beside)


def _faults(table: Table, one: Walk, kinds: tuple[str, ...]) -> None:
    told = sum(len(each.acknowledged) for each in one.diaries)
    for kind in kinds:
        faults: list[str] = getattr(one.found, kind)
        table.add(f"  {kind}", str(len(faults)), f"of {told} acknowledged")
        for fault in faults[:5]:
            print(f"  {fault}")
