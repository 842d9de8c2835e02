"""The review desk beside the barest card: ``python benchmarks/desk.py [--quick]``.

Ours, a bare anywidget card and a card of plain ipywidgets, the peers in a stock Voila, take turns
in one run, so that a busy machine slows all alike. Prints one table of ratios against the bare card
or shares of a limit, and exits 1 when an aim is missed. Needs Chromium; nothing leaves the machine.
"""

from __future__ import annotations

import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the flags of the suite's Chromium

from benchmarks.judging.browsing import (
    Browser,
    BrowserError,
    Tab,
    chromium,
    judge_with_clicks,
    judge_with_keys,
)
from benchmarks.judging.peers import BARE, PLAIN, write_notebook
from benchmarks.judging.servers import REPOSITORY, Served, our_server, stock_voila, until

KINDS = ("ours", "bare", "plain")
POTATO_CARD_MS = 323
"""Per card, measured once on this kind of machine; Potato is not installed for a benchmark."""
IMPORT_LIMIT_S = 0.4
MEMORY_LIMIT_MB = 60
REQUESTS_LIMIT, KILOBYTES_LIMIT = 10, 100
"""Of a first visit, the link included."""
CROWD_WITHIN_S = 60
BACK_WITHIN_S = 60
CRUMBS_MB = 1.0
"""A rater may leave this much in the server: Python returns memory to the machine in pieces."""


@dataclass(frozen=True)
class Size:
    """How much is measured, and how long the two long parts may take: a busy machine gets fewer."""

    cards: int
    loads: int
    at_once: int
    imports: int
    card_seconds: float
    load_seconds: float


FULL = Size(cards=50, loads=5, at_once=10, imports=9, card_seconds=100, load_seconds=50)
QUICK = Size(cards=10, loads=1, at_once=3, imports=3, card_seconds=20, load_seconds=15)


@dataclass(frozen=True)
class Crowd:
    """What people did who came at the same moment, and what they cost in megabytes."""

    ready: list[float]
    judged: int
    taken: float
    left: float
    kernels: int
    """Those that still run when the tabs are closed."""


@dataclass
class Table:
    """The rows measured so far, and whether all aims are met."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    met: bool = True

    def add(
        self, what: str, values: dict[str, str], *, measured: str = "", aim: str = "",
        good: bool | None = None,
    ) -> None:  # fmt: skip
        """Add a row and print it at once: a run that is stopped has shown what it had."""
        verdict = "" if good is None else "met" if good else "MISSED"
        self.met = self.met and good is not False
        row = (what, *(values.get(kind, "") for kind in KINDS), measured, aim, verdict)
        self.rows.append(row)
        self.show(row)

    @staticmethod
    def show(row: tuple[str, ...]) -> None:
        """Print one row."""
        widths = (32, 24, 24, 24, 27, 22, 6)
        line = "".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        print(line.rstrip(), flush=True)


@dataclass
class Bench:
    """The three servers, the browser, and the table."""

    browser: Browser
    servers: dict[str, Served]
    links: list[str]
    size: Size
    table: Table
    far: set[str] = field(default_factory=set)

    def new_tab(self, kind: str) -> Tab:
        """Return a blank tab of a new person."""
        judge = judge_with_clicks if kind == "plain" else judge_with_keys
        return self.browser.new_tab(judge, self.links.pop() if kind == "ours" else "")

    def close(self, kind: str, tab: Tab) -> None:
        """Close a tab; what ours asked of other machines is kept for the last row."""
        if kind == "ours":
            self.far |= {*tab.traffic.far, *self.servers["ours"].far_connections()}
        tab.close()

    # what is measured

    def cards(self) -> None:
        """Judge cards on the three pages in turn."""
        tabs = {kind: self.new_tab(kind) for kind in KINDS}
        for kind, tab in tabs.items():
            tab.open(self.servers[kind].url)
            tab.judge_card()
        took: dict[str, list[float]] = {kind: [] for kind in KINDS}
        used = {kind: -server.processor_seconds() for kind, server in self.servers.items()}
        judged = {kind: -server.judged() for kind, server in self.servers.items()}
        end = time.monotonic() + self.size.card_seconds
        for _ in range(self.size.cards - 1):
            if time.monotonic() > end:
                break
            for kind, tab in tabs.items():
                took[kind].append(tab.judge_card())
        for kind, server in self.servers.items():
            used[kind] += server.processor_seconds()
            judged[kind] += server.judged()
            if judged[kind] != len(took[kind]):
                raise AssertionError(f"{kind}: {judged[kind]} cards of {len(took[kind])} on disk")
            self.close(kind, tabs[kind])
        middle = {kind: statistics.median(values) for kind, values in took.items()}
        high = {kind: percentile(values, 95) for kind, values in took.items()}
        ratio = middle["ours"] / middle["bare"]
        self.table.add(
            f"press to next card, p50 of {len(took['ours'])}",
            {kind: spread(took[kind], "ms") for kind in KINDS},
            measured=f"{ratio:.2f} x bare", aim="at most 1.5 x bare", good=ratio <= 1.5,
        )  # fmt: skip
        ratio = high["ours"] / high["bare"]
        self.table.add(
            "press to next card, p95", {kind: f"{value:.0f} ms" for kind, value in high.items()},
            measured=f"{ratio:.2f} x bare", aim="at most 1.5 x bare", good=ratio <= 1.5,
        )  # fmt: skip
        under = POTATO_CARD_MS / middle["ours"]
        self.table.add(
            "  beside Potato's 323 ms", {}, measured=f"{under:.1f} times under",
            aim="at least 8", good=under >= 8,
        )  # fmt: skip
        each = {kind: 1000 * used[kind] / len(took[kind]) for kind in KINDS}
        self.table.add(
            "processor of the server a card", {kind: f"{ms:.0f} ms" for kind, ms in each.items()},
            measured=f"{each['ours'] / each['bare']:.1f} x bare",
        )  # fmt: skip

    def page(self) -> None:
        """Load the page in a fresh profile and once more in the same, the kinds in turn."""
        loads: dict[tuple[str, str], list[float]] = {}
        asked: dict[str, tuple[int, float]] = {}
        end = time.monotonic() + self.size.load_seconds
        for number in range(self.size.loads):
            if number and time.monotonic() > end:
                break
            for kind in KINDS:
                tab, url = self.new_tab(kind), self.servers[kind].url
                loads.setdefault((kind, "cold"), []).append(tab.open(url))
                tab.page.wait_for_timeout(300)  # for what the page still fetches
                asked[kind] = tab.traffic.requests, tab.traffic.kilobytes
                tab.judge_card()  # the kernel is then at work as a person's is
                loads.setdefault((kind, "warm"), []).append(tab.open(url))
                self.close(kind, tab)
        for state in ("cold", "warm"):
            middle = {kind: statistics.median(loads[kind, state]) for kind in KINDS}
            ratio = middle["ours"] / middle["bare"]
            self.table.add(
                f"page to first card, {state} ({len(loads['ours', state])})",
                {kind: spread(loads[kind, state], "ms") for kind in KINDS},
                measured=f"{ratio:.2f} x bare", aim="at most 1 x bare", good=ratio <= 1,
            )  # fmt: skip
        requests = {kind: each[0] for kind, each in asked.items()}
        kilobytes = {kind: each[1] for kind, each in asked.items()}
        self.table.add(
            "requests of a cold page", {kind: str(each) for kind, each in requests.items()},
            measured=f"{requests['ours'] / requests['bare']:.2f} x bare",
            aim=f"under {REQUESTS_LIMIT}", good=requests["ours"] < REQUESTS_LIMIT,
        )  # fmt: skip
        self.table.add(
            "bytes of a cold page", {kind: f"{each:.0f} kB" for kind, each in kilobytes.items()},
            measured=f"{kilobytes['ours'] / kilobytes['bare']:.2f} x bare",
            aim=f"under {KILOBYTES_LIMIT} kB", good=kilobytes["ours"] < KILOBYTES_LIMIT,
        )  # fmt: skip

    def at_once(self) -> None:
        """Let people open the page at the same moment, judge a card each, and leave."""
        count = self.size.at_once
        ours, bare = (self._crowd(kind) for kind in ("ours", "bare"))
        if not ours.ready or not bare.ready:
            raise AssertionError("no page at all opened when all were opened at once")
        ratio = statistics.median(ours.ready) / statistics.median(bare.ready)
        both = {"ours": ours, "bare": bare}
        self.table.add(
            f"{count} open at once, first card",
            {kind: spread(each.ready, "ms") for kind, each in both.items()},
            measured=f"{ratio:.2f} x bare",
        )  # fmt: skip
        self.table.add(
            "  who then judged a card", {kind: str(each.judged) for kind, each in both.items()},
            measured=f"{ours.judged} of {count}", aim="all", good=ours.judged == count,
        )  # fmt: skip
        self.table.add(
            "memory a rater (PSS)",
            {kind: f"{each.taken / count:.0f} MB" for kind, each in both.items()},
            measured=f"{ours.taken / count / MEMORY_LIMIT_MB:.2f} of the limit",
            aim=f"at most {MEMORY_LIMIT_MB} MB", good=ours.taken / count <= MEMORY_LIMIT_MB,
        )  # fmt: skip
        self.table.add(
            "  left when the tabs are closed",
            {kind: f"{each.left:.0f} MB, {each.kernels} kernels" for kind, each in both.items()},
            measured=f"{ours.left / ours.taken:.2f} of what was taken",
            aim=f"none after {BACK_WITHIN_S} s",
            good=ours.kernels == 0 and ours.left / count <= CRUMBS_MB,
        )  # fmt: skip

    def _crowd(self, kind: str) -> Crowd:
        server = self.servers[kind]
        if kind == "ours" and not until(lambda: not server.kernels(), BACK_WITHIN_S):
            raise AssertionError("kernels of tabs closed earlier are still there")
        alone = server.megabytes()
        kernels_before, judged_before = len(server.kernels()), server.judged()
        tabs = [self.new_tab(kind) for _ in range(self.size.at_once)]
        for tab in tabs:
            tab.start_opening(server.url)
        ready: list[float] = []
        until(lambda: all(tab.is_ready() for tab in tabs), CROWD_WITHIN_S)
        for tab in tabs:
            try:
                ready.append(tab.wait_ready(1_000))
                tab.judge_card()
            except BrowserError:
                print(f"  {kind}, a page that cannot be used: {tab.says()!r}")
        judged, taken = server.judged() - judged_before, server.megabytes() - alone
        for tab in tabs:
            self.close(kind, tab)
        # a stock Voila keeps its kernels: there is nothing to wait for
        until(
            lambda: len(server.kernels()) <= kernels_before, BACK_WITHIN_S if kind == "ours" else 3
        )
        left = server.megabytes() - alone
        return Crowd(ready, judged, taken, left, len(server.kernels()) - kernels_before)

    def imports(self) -> None:
        """Time the imports of a kernel, each less the start of Python itself."""
        statements = {"start": "pass", "ours": "import reviewkit.desk", "bare": "import anywidget"}
        took: dict[str, list[float]] = {name: [] for name in statements}
        for number in range(self.size.imports + 1):
            for name, statement in statements.items():
                began = time.perf_counter()
                subprocess.run([sys.executable, "-c", statement], check=True, cwd=REPOSITORY)
                if number:
                    took[name].append(time.perf_counter() - began)
        start = statistics.median(took["start"])
        middle = {kind: statistics.median(took[kind]) - start for kind in ("ours", "bare")}
        share = middle["ours"] / IMPORT_LIMIT_S
        self.table.add(
            "import of the judging path",
            {kind: f"{1000 * seconds:.0f} ms [{1000 * (min(took[kind]) - start):.0f}-"
                   f"{1000 * (max(took[kind]) - start):.0f}]" for kind, seconds in middle.items()},
            measured=f"{share:.2f} of the limit", aim="under 400 ms", good=share < 1,
        )  # fmt: skip

    def far_requests(self) -> None:
        """Say whether a page, the server or a kernel of ours spoke to another machine."""
        self.table.add(
            "requests to other machines", {"ours": str(len(self.far))}, aim="none",
            good=not self.far,
        )  # fmt: skip
        for each in sorted(self.far):
            print(f"  {each}")


def percentile(values: list[float], share: int) -> float:
    """Return the value that ``share`` percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, -(-len(ordered) * share // 100) - 1)]


def spread(values: list[float], unit: str) -> str:
    """Return the median with the least and the greatest value."""
    return f"{statistics.median(values):.0f} {unit} [{min(values):.0f}-{max(values):.0f}]"


def load_of_machine() -> str:
    """Return how busy the machine is: seconds mean little when it is."""
    return f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())} on {os.cpu_count()} cores"


def main(size: Size) -> int:
    """Measure everything; return 1 when an aim is missed."""
    began = time.monotonic()
    # an installed package has byte code; a checkout under PYTHONDONTWRITEBYTECODE has none
    compileall.compile_dir(REPOSITORY / "reviewkit", quiet=2)
    table = Table()
    print(
        f"{size.cards} cards, {size.loads} page loads; median [least-greatest]; {load_of_machine()}"
    )
    table.show(("", "ours", "bare anywidget", "plain ipywidgets", "measured", "aim", ""))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        ours, links = stack.enter_context(our_server(folder))
        servers = {"ours": ours}
        for kind, source in (("bare", BARE), ("plain", PLAIN)):
            notebook = write_notebook(folder / f"{kind}.ipynb", source)
            servers[kind] = stack.enter_context(stock_voila(folder, notebook))
        bench = Bench(stack.enter_context(chromium()), servers, links, size, table)
        bench.cards()
        bench.page()
        bench.at_once()
        bench.imports()
        bench.far_requests()
    print(f"{time.monotonic() - began:.0f} s; {load_of_machine()}")
    return int(not table.met)


if __name__ == "__main__":
    sys.exit(main(QUICK if "--quick" in sys.argv[1:] else FULL))
