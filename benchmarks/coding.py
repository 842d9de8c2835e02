"""Six coders at once on one machine: ``python benchmarks/coding.py [--quick]``.

Each codes 20 cards on a real page. Prints the time from the press that saves to the next card on
the screen, which is shown only when the record is on the disk, and what a coder costs in memory.
Exits 1 when an aim is missed. Needs Chromium; nothing leaves the machine.
"""

from __future__ import annotations

import compileall
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the flags of the suite's Chromium

from benchmarks.desk import load_of_machine, percentile, spread
from benchmarks.judging.browsing import NEW_CARD_MS, Browser, Tab, chromium
from benchmarks.judging.responses import (
    code_with_keys,
    coding_server,
    lay_folder,
    lay_study,
    lay_table,
)
from benchmarks.judging.servers import REPOSITORY, Served, until

SAVE_LIMIT_MS = 250
MEMORY_LIMIT_MB = 60
BACK_WITHIN_S = 60
STUDY = "crowd"


@dataclass(frozen=True)
class Size:
    """How many code at once, and how many cards each."""

    coders: int
    cards: int


FULL = Size(coders=6, cards=20)
QUICK = Size(coders=6, cards=6)


@dataclass
class Table:
    """The rows measured so far, and whether all aims are met."""

    met: bool = True
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(
        self, what: str, value: str, measured: str = "", aim: str = "", good: bool | None = None
    ) -> None:
        """Add a row and print it at once."""
        verdict = "" if good is None else "met" if good else "MISSED"
        self.met = self.met and good is not False
        self.rows.append((what, value, measured, aim, verdict))
        widths = (44, 30, 22, 22, 6)
        line = "".join(f"{cell:<{wide}}" for cell, wide in zip(self.rows[-1], widths, strict=True))
        print(line.rstrip(), flush=True)


def press(tab: Tab) -> int:
    """Code the card and save it, waiting for nothing; return how many cards there were."""
    before = int(tab.page.evaluate("bench.cards"))
    tab.judge(tab.page)
    return before


def shown_after(tab: Tab, before: int) -> float:
    """Wait for the next card; return the milliseconds since the press."""
    tab.page.evaluate("cards => bench.after(cards)", before)
    return float(tab.page.evaluate("bench.shown - bench.pressed"))


def saves(tabs: list[Tab], cards: int, *, together: bool) -> list[float]:
    """Let everybody code so many cards; return every save time.

    Together: all codes are given first and then Enter is pressed on every page before any answer
    is waited for. Otherwise each codes and saves without waiting for the others.
    """
    took: list[float] = []
    for _ in range(cards):
        if together:
            before = [int(tab.page.evaluate("bench.cards")) for tab in tabs]
            for tab in tabs:
                tab.page.keyboard.press("1")
            tabs[0].page.wait_for_timeout(NEW_CARD_MS)
            for tab in tabs:
                tab.page.keyboard.press("Enter")
        else:
            before = [press(tab) for tab in tabs]
        took += [shown_after(tab, count) for tab, count in zip(tabs, before, strict=True)]
        tabs[0].page.wait_for_timeout(NEW_CARD_MS)
    return took


def limited(table: Table, what: str, took: list[float], *, aimed: bool = True) -> None:
    """Add the rows of save times, as shares of the limit."""
    high = percentile(took, 95)
    share = high / SAVE_LIMIT_MS
    table.add(
        f"{what}, p50 of {len(took)}", spread(took, "ms"),
        f"{statistics.median(took) / SAVE_LIMIT_MS:.2f} of the limit",
    )  # fmt: skip
    table.add(
        f"{what}, p95", f"{high:.0f} ms", f"{share:.2f} of the limit",
        f"under {SAVE_LIMIT_MS} ms" if aimed else "", share < 1 if aimed else None,
    )  # fmt: skip


def measure(browser: Browser, server: Served, links: list[str], size: Size, table: Table) -> None:
    """Measure one coder alone, then all of them, and what they leave."""
    alone = server.megabytes()
    single = browser.new_tab(code_with_keys, links[-1])
    single.open(server.url)
    limited(table, "one alone, press to next card", saves([single], size.cards, together=False))
    single.close()
    if not until(lambda: not server.kernels(), BACK_WITHIN_S):
        raise AssertionError("the kernel of a closed tab is still there")
    before = server.megabytes()
    tabs = [browser.new_tab(code_with_keys, link) for link in links[:-1]]
    for tab in tabs:
        tab.open(server.url)
    half = size.cards // 2
    judged = server.judged()
    limited(table, f"{size.coders} at once", saves(tabs, half, together=False))
    limited(
        table, f"{size.coders} press in the same moment",
        saves(tabs, size.cards - half, together=True), aimed=False,
    )  # fmt: skip
    judged = server.judged() - judged
    wanted = size.coders * size.cards
    table.add(
        "records on disk", str(judged), f"{judged} of {wanted}", "all, none twice", judged == wanted
    )
    taken = server.megabytes()
    each = (taken - before) / size.coders
    table.add(
        "memory a coder (PSS)", f"{each:.0f} MB", f"{each / MEMORY_LIMIT_MB:.2f} of the limit",
        f"at most {MEMORY_LIMIT_MB} MB", each <= MEMORY_LIMIT_MB,
    )  # fmt: skip
    table.add("server and all kernels (PSS)", f"{taken:.0f} MB, alone {alone:.0f} MB")
    for tab in tabs:
        tab.close()
    gone = until(lambda: not server.kernels(), BACK_WITHIN_S)
    table.add(
        "kernels left when the tabs are closed", str(len(server.kernels())), "",
        f"none after {BACK_WITHIN_S} s", gone,
    )  # fmt: skip


def main(size: Size) -> int:
    """Measure everything; return 1 when an aim is missed."""
    began = time.monotonic()
    # an installed package has byte code; a checkout under PYTHONDONTWRITEBYTECODE has none
    compileall.compile_dir(REPOSITORY / "reviewkit", quiet=2)
    print(f"{size.coders} coders, {size.cards} cards each; {load_of_machine()}")
    raters = [f"r{number}" for number in range(size.coders + 1)]
    table = Table()
    table.add("", "ours", "measured", "aim")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        ws = lay_folder(folder / "project")
        # everybody has every card, and each of six of them codes as many as in a study of 40
        lay_table(ws, STUDY, 40)
        lay_study(ws, STUDY, STUDY, "rationale@1", raters)
        server, links = stack.enter_context(coding_server(ws, STUDY, raters))
        measure(stack.enter_context(chromium()), server, links, size, table)
    print(f"{time.monotonic() - began:.0f} s; {load_of_machine()}")
    return int(not table.met)


if __name__ == "__main__":
    sys.exit(main(QUICK if "--quick" in sys.argv[1:] else FULL))
