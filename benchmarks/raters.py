"""Fifty raters on one machine, in peace and in trouble: ``python benchmarks/raters.py [--quick]``.

Most are clients on sockets that speak as the page does, six are pages in Chromium. Afterwards every
ledger is read back and compared with what its rater meant and was told. Then the same with killed
kernels, a killed server, cut and slow lines, second tabs and a full disk, all from one seed.
Prints shares of the limits and exits 1 when an aim is missed. Loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import compileall
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the flags of the suite's Chromium

from tornado.httpclient import AsyncHTTPClient

from benchmarks.coding import Table
from benchmarks.crowd import potato
from benchmarks.crowd.browser_rater import BrowserRater, chromium
from benchmarks.crowd.ledgers import Findings, read_back
from benchmarks.crowd.meaning import Diary
from benchmarks.crowd.place import STUDY, Costs, Place, card_ids, lay_place, links_for
from benchmarks.crowd.size import Size
from benchmarks.crowd.slow_line import Line, Proxy
from benchmarks.crowd.socket_rater import SocketRater
from benchmarks.crowd.troubles import Disk, Troubles
from benchmarks.desk import POTATO_CARD_MS, load_of_machine, percentile
from benchmarks.judging.servers import REPOSITORY

SAVE_LIMIT_MS = 150
MEMORY_LIMIT_MB = 60
SLOW = Line(delay=0.15, rate=60_000)
POTATO_READY_S = (0.7, 0.3)
"""Page ready, cold and warm, measured once on this kind of machine with one person."""


@dataclass
class Part:
    """One run of everybody: what was measured, and what the ledgers say."""

    diaries: list[Diary] = field(default_factory=list)
    pages: list[Diary] = field(default_factory=list)
    alone: Costs = field(default_factory=lambda: Costs(0.0, 0))
    full: Costs = field(default_factory=lambda: Costs(0.0, 0))
    processor: float = 0.0
    seconds: float = 0.0
    found: Findings = field(default_factory=Findings)
    troubles: Troubles | None = None
    in_time: bool = True


def names(size: Size) -> list[str]:
    """Return the names of the raters; the last ones sit in front of a browser."""
    return [f"r{number:02}" for number in range(size.raters)]


async def run_part(folder: Path, size: Size, more: tuple[str, ...], *, trouble: bool) -> Part:
    """Let everybody walk through all cards on a fresh folder, and read the ledgers back."""
    people = names(size)
    ws = lay_place(folder / ("trouble" if trouble else "peace"), people, size.cards)
    disk = Disk(ws.root / "rulings" / STUDY) if trouble else None
    if disk is not None:
        disk.mount()
    place, links, part = Place(ws, more), links_for(ws, people), Part()
    began = time.monotonic()
    try:
        place.start()
        await asyncio.sleep(1.0)
        part.alone, part.processor = place.costs(), -place.processor_seconds()
        async with AsyncExitStack() as stack:
            proxies = [Proxy(place.port, line) for line in (Line(), SLOW)] if trouble else []
            for proxy in proxies:
                await proxy.start()
                stack.push_async_callback(proxy.stop)
            ports = [proxy.port for proxy in proxies] or [place.port]
            browser = await stack.enter_async_context(chromium()) if size.pages else None
            raters: list[SocketRater | BrowserRater] = []
            for number, name in enumerate(people):
                port = ports[-1] if number % 7 == 3 else ports[0]
                url = f"http://127.0.0.1:{port}/"
                link = f"{url}go/{links[name]}"
                if browser is not None and number >= size.raters - size.pages:
                    raters.append(
                        BrowserRater(browser, name, link, url, seed=size.seed, think=size.think)
                    )
                    continue
                second = ("take over", "look")[number // 5 % 2] if number % 5 == 0 else ""
                raters.append(
                    SocketRater(
                        name, link, url, seed=size.seed, think=size.think,
                        second_tab=second if trouble else "",
                    )
                )  # fmt: skip
            part.diaries = [each.diary for each in raters]
            part.pages = [each.diary for each in raters if isinstance(each, BrowserRater)]
            await _let_them_work(raters, place, proxies, disk, part, size, trouble=trouble)
            part.processor += place.processor_seconds()
    finally:
        place.stop()
        if disk is not None:
            disk.take_back()
    part.seconds = time.monotonic() - began
    part.found = read_back(ws, STUDY, size.seed, card_ids(size.cards), part.diaries)
    return part


async def _let_them_work(
    raters: list[SocketRater | BrowserRater], place: Place, proxies: list[Proxy],
    disk: Disk | None, part: Part, size: Size, *, trouble: bool,
) -> None:  # fmt: skip
    step = size.arrive / len(raters)
    working = [asyncio.ensure_future(each.rate(n * step)) for n, each in enumerate(raters)]
    beside = [asyncio.ensure_future(_look_at_costs(place, part, size.arrive + 5.0))]
    if trouble:
        part.troubles = Troubles(
            place, proxies, part.diaries, size.raters * size.cards, size.seed, disk
        )
        plan = _plan(part.troubles, size.raters)
        beside.append(asyncio.ensure_future(part.troubles.happen(plan)))
    done, late = await asyncio.wait(working, timeout=size.limit)
    part.in_time = not late
    for each in (*late, *beside):
        each.cancel()
    await asyncio.gather(*late, *beside, return_exceptions=True)
    for each in done:
        each.result()


def _plan(troubles: Troubles, raters: int) -> list[tuple[float, Callable[[], Awaitable[None]]]]:
    """Return what happens when so great a share of all cards is recorded."""
    chance = troubles.chance
    kills = [(chance.uniform(0.1, 0.9), troubles.kill_kernel) for _ in range(max(3, raters // 5))]
    cuts = [(chance.uniform(0.1, 0.9), troubles.cut) for _ in range(5)]
    return [*kills, *cuts, (0.4, troubles.restart_server), (0.7, troubles.full_disk)]


async def _look_at_costs(place: Place, part: Part, everybody_there: float) -> None:
    """Note the processor now and then (a process that has ended tells no more), memory once."""
    began, looked = time.monotonic(), False
    while True:
        await asyncio.sleep(4.0)
        await asyncio.to_thread(place.look)
        if not looked and time.monotonic() - began > everybody_there:
            looked = True
            part.full = await asyncio.to_thread(place.costs)


def _percent(table: Table, what: str, took: list[float], limit: int | None, *shares: int) -> None:
    for share in shares:
        high = percentile(took, share) * 1000
        part = "" if limit is None else f"{high / limit:.2f} of the limit"
        aimed = limit is not None and share == 95
        table.add(
            f"{what}, p{share} of {len(took)}", f"{high:.0f} ms", part,
            f"under {limit} ms" if aimed else "", high < limit if aimed else None,
        )  # fmt: skip


def tell(table: Table, part: Part, size: Size) -> None:
    """Print what was measured in one part."""
    trouble, found = part.troubles, part.found
    limit = None if trouble else SAVE_LIMIT_MS
    sockets = [each for each in part.diaries if each not in part.pages]
    ready = [took for each in part.diaries for took in each.ready]
    saves = [press.waited for each in sockets for press in each.acknowledged]
    wired = [press.waited for each in part.pages for press in each.acknowledged]
    shown = [took for each in part.pages for took in each.shown]
    if ready:
        _percent(table, "page ready", ready, None, 50, 95)
    if saves:
        _percent(table, "press to acknowledgement", saves, limit, 50, 95, 99)
    if wired:
        _percent(table, "the same in Chromium, on the wire", wired, limit, 50, 95)
    if shown:
        _percent(table, "press to next card on the screen", shown, None, 50, 95)
    if not trouble and part.full.processes:
        each = (part.full.total_mb - part.alone.total_mb) / size.raters
        table.add(
            "memory a rater (PSS)", f"{each:.0f} MB", f"{each / MEMORY_LIMIT_MB:.2f} of the limit",
            f"at most {MEMORY_LIMIT_MB} MB", each <= MEMORY_LIMIT_MB,
        )  # fmt: skip
        table.add(
            "server and all kernels (PSS)",
            f"{part.full.total_mb:.0f} MB, alone {part.alone.total_mb:.0f}",
            f"{part.full.processes} processes",
        )
    table.add(
        "processor of server and kernels", f"{part.processor:.0f} s in {part.seconds:.0f} s",
        f"{1000 * part.processor / max(1, found.decisions):.0f} ms a card, page opened included",
    )  # fmt: skip
    told = sum(len(each.acknowledged) for each in part.diaries)
    wanted = size.raters * size.cards
    table.add(
        "decisions on disk", str(found.decisions), f"{found.decisions} of {wanted}",
        "all, none twice", found.decisions == wanted,
    )  # fmt: skip
    for what, faults in (
        ("lost", found.lost), ("doubled", found.doubled), ("misfiled", found.misfiled),
        ("ledgers at fault", found.unsound), ("raters who did not finish", found.unfinished),
    ):  # fmt: skip
        table.add(what, str(len(faults)), f"of {told} acknowledged", "none", not faults)
        for fault in faults[:5]:
            print(f"  {fault}")
    reloads = sum(each.reloads for each in part.diaries)
    lost = sum(each.lost for each in part.diaries)
    table.add(
        "red bars, reloads", f"{lost}, {reloads}", "", "" if trouble else "none",
        None if trouble else reloads == 0,
    )  # fmt: skip
    if trouble:
        _tell_troubles(table, part, trouble)
    table.add("ended in time", f"{part.seconds:.0f} s", "", f"{size.limit:.0f} s", part.in_time)


def _tell_troubles(table: Table, part: Part, trouble: Troubles) -> None:
    elsewhere = sum(each.elsewhere for each in part.diaries)
    both = sum("BOTH TABS WRITE" in each.refused for each in part.diaries)
    table.add("kernels killed, servers killed", f"{trouble.kernels_killed}, {trouble.restarts}")
    table.add("connections cut", str(sum(each.cut for each in trouble.proxies)))
    table.add("tabs told that another one writes", str(elsewhere))
    table.add("two tabs that both write", str(both), "", "none", both == 0)
    table.add(
        "told of what a full disk did not take", str(len(trouble.untrue)),
        f"{trouble.refused_on_full_disk} refusals", "none", not trouble.untrue,
    )  # fmt: skip
    for each in trouble.happened:
        print(f"  {each}")


def tell_potato(table: Table, part: Part, folder: Path, size: Size, command: str | None) -> None:
    """Let the same crowd use Potato where it is installed, else print figures of an earlier day."""
    wired = [press.waited for each in part.diaries for press in each.acknowledged]
    why = "is not installed here"
    if command is not None:
        sockets = [each for each in part.diaries if each not in part.pages]
        ours = potato.Ours(
            [took for each in sockets for took in each.ready],
            [press.waited for each in sockets for press in each.acknowledged],
            part.full.total_mb,
        )
        try:
            potato.tell(table, command, folder, size, ours)
        except (OSError, RuntimeError) as error:
            why = f"does not start here: {error}"
        else:
            return
    shown = [took for each in part.pages for took in each.shown]
    middle = statistics.median(shown or wired or [0.0]) * 1000
    table.add(
        "  beside Potato, one person alone", f"{POTATO_CARD_MS} ms a card",
        f"{POTATO_CARD_MS / middle:.1f} times under" if middle else "",
    )  # fmt: skip
    cold, warm = POTATO_READY_S
    table.add("  its page ready, cold and warm", f"{cold} s, {warm} s")
    print(
        f"  (Potato {why}; its figures are those of an earlier day on this kind of machine. To "
        "measure them now: `pip install potato-annotation` in an environment of its own, then "
        "`--potato THERE/bin/potato`)"
    )


def main(size: Size, parts: list[str], more: tuple[str, ...], command: str | None) -> int:
    """Run the parts; return 1 when an aim is missed."""
    # an installed package has byte code; a checkout under PYTHONDONTWRITEBYTECODE has none
    compileall.compile_dir(REPOSITORY / "reviewkit", quiet=2)
    AsyncHTTPClient.configure(None, max_clients=4 * size.raters, max_body_size=10_000_000)
    print(
        f"{size.raters} raters ({size.pages} in Chromium), {size.cards} cards each, "
        f"{size.think:g} s of thinking a card, seed {size.seed}; {load_of_machine()}"
    )
    table = Table()
    with tempfile.TemporaryDirectory(prefix="crowd-") as folder:
        for name in parts:
            table.add(f"-- in {name}", "ours", "measured", "aim")
            part = asyncio.run(run_part(Path(folder), size, more, trouble=name == "trouble"))
            tell(table, part, size)
            if name == "peace":
                tell_potato(table, part, Path(folder), size, command)
            print(f"  {load_of_machine()}")
    return int(not table.met)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--raters", type=int)
    parser.add_argument("--pages", type=int, help="how many of them sit in front of Chromium")
    parser.add_argument("--cards", type=int)
    parser.add_argument("--think", type=float, help="mean seconds of thinking a card")
    parser.add_argument("--arrive", type=float, help="seconds in which everybody opens the link")
    parser.add_argument("--limit", type=float, help="longest seconds of a part")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--part", choices=("peace", "trouble"), help="only this one")
    parser.add_argument("--quick", action="store_true", help="8 raters, 8 cards, 2 in Chromium")
    parser.add_argument("--potato", help="the command `potato`, when it is not on the path")
    parser.add_argument("--serve", nargs="*", default=[], help="options for `reviewkit serve`")
    return parser.parse_args()


if __name__ == "__main__":
    given = _arguments()
    quick = {"raters": 8, "pages": 2, "cards": 8, "think": 2.0, "arrive": 8.0, "limit": 150.0}
    chosen = dict(quick) if given.quick else {}
    for name in ("raters", "pages", "cards", "think", "arrive", "limit", "seed"):
        if getattr(given, name) is not None:
            chosen[name] = getattr(given, name)
    size = Size(**chosen)
    parts = [given.part] if given.part else ["peace", "trouble"]
    found = shutil.which(given.potato or "potato")
    if given.potato and found is None:
        sys.exit(f"--potato {given.potato}: no such command; name the file that `pip` installed")
    # the server runs in a folder of its own
    command = str(Path(found).absolute()) if found else None
    sys.exit(main(size, parts, tuple(f"--{each}" for each in given.serve), command))
