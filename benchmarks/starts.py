"""How soon a page is there and what a kernel costs: forked, from a pool, ordinary, and stock Voila.

Each page is opened in turn in one run, so that all see the same machine. Cold is a new browser
profile, warm a second load in it. ``python benchmarks/starts.py [--quick]``; exits with 1 when an
aim is missed.
"""

from __future__ import annotations

import asyncio
import compileall
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the flags of the suite's Chromium

from traitlets.config import Config

from benchmarks.judging.browsing import Browser, chromium, judge_with_keys
from benchmarks.judging.peers import BARE, write_notebook
from benchmarks.judging.servers import REPOSITORY, Served, our_server, stock_voila, until
from reviewkit.desk.server.kernels import OneKernelSpec, OwnedKernels
from reviewkit.desk.server.warm.client import PromptClient
from reviewkit.study.links import PERSON_VARIABLE, Person

UNFORKED = (
    "import reviewkit.desk.server.kernels as k; k.OwnedKernels.forked.default_value = False; "
)
POOL = 2
FILL_S = 12.0
"""Time that a pool gets to fill up before each load."""
TIMES_FASTER, MEMORY_SHARE, BURST_SHARE, POOLED_MS = 4.0, 0.6, 1 / 3, 250.0
PLAIN_TIMES_FASTER = {"cold": 2.5, "warm": 2.0}
"""What the light page alone is worth, with an ordinary kernel and no pool."""


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    loads: int
    at_once: int
    open: int


FULL, QUICK = Size(5, 50, 15), Size(2, 10, 8)


@dataclass
class Verdict:
    """Whether every aim was met so far."""

    met: bool = True

    def line(self, what: str, got: str, aim: str, *, good: bool) -> None:
        """Print one figure beside its aim."""
        self.met &= good
        print(f"{what:52} {got:24} aim {aim:22} {'met' if good else 'MISSED'}", flush=True)


def pages(browser: Browser, folder: Path, size: Size, verdict: Verdict, stack: ExitStack) -> None:
    """Open each kind of page in turn; compare medians, and the memory of the kernels."""
    kinds = {"forked": ((), ""), "pooled": (("--pool", str(POOL)), ""), "plain": ((), UNFORKED)}
    stock = stack.enter_context(stock_voila(folder, write_notebook(folder / "bare.ipynb", BARE)))
    served: dict[str, Served] = {}
    links: dict[str, list[str]] = {}
    for kind, (options, before) in kinds.items():
        place = folder / kind
        place.mkdir()
        served[kind], links[kind] = stack.enter_context(
            our_server(place, "--pool", "0", *options, before=before)
        )
    cold: dict[str, list[float]] = {kind: [] for kind in ("stock", *kinds)}
    warm: dict[str, list[float]] = {kind: [] for kind in cold}
    for turn in range(size.loads + 1):  # the first is not counted: it fills the system's caches
        for kind in cold:
            url = stock.url if kind == "stock" else served[kind].url
            link = "" if kind == "stock" else links[kind][turn]
            tab = browser.new_tab(judge_with_keys, link)
            for times in (cold, warm):
                if kind == "pooled":
                    _wait_filled(served[kind])
                took = tab.open(url)
                if turn:
                    times[kind].append(took)
            tab.close()
    for name, times in (("cold", cold), ("warm", warm)):
        middle = {kind: statistics.median(each) for kind, each in times.items()}
        shown = ", ".join(f"{kind} {each:.0f} ms" for kind, each in middle.items())
        print(f"page, {name}: {shown}")
        ratio = middle["stock"] / middle["forked"]
        verdict.line(
            f"page, {name}: forked against stock Voila", f"{ratio:.1f} times faster",
            f"{TIMES_FASTER:.0f} times", good=ratio >= TIMES_FASTER,
        )  # fmt: skip
        ratio, aim = middle["stock"] / middle["plain"], PLAIN_TIMES_FASTER[name]
        verdict.line(
            f"page, {name}: ordinary kernel against stock Voila", f"{ratio:.1f} times faster",
            f"{aim:g} times", good=ratio >= aim,
        )  # fmt: skip
        verdict.line(
            f"page, {name}: from a filled pool", f"{middle['pooled']:.0f} ms",
            f"under {POOLED_MS:.0f} ms", good=middle["pooled"] < POOLED_MS,
        )  # fmt: skip
    held = {kind: _held(served[kind], links[kind][: size.open]) for kind in ("forked", "plain")}
    verdict.line(
        f"memory (PSS) of a kernel, {size.open} first cards open",
        f"{held['forked']:.0f} / {held['plain']:.0f} MB = {held['forked'] / held['plain']:.0%}",
        f"at most {MEMORY_SHARE:.0%}", good=held["forked"] <= held["plain"] * MEMORY_SHARE,
    )  # fmt: skip


def _held(served: Served, links: list[str]) -> float:
    """Return the megabytes of a kernel among several whose pages are open; print the parent's."""
    until(lambda: not served.kernels(), FILL_S)
    for link in links:
        where = urlsplit(link)
        door = HTTPConnection(where.hostname or "", where.port, timeout=60)
        door.request("GET", where.path)
        let_in = door.getresponse()
        let_in.read()
        cookie = (let_in.getheader("Set-Cookie") or "").split(";")[0]
        door.request("GET", "/", headers={"Cookie": cookie})
        if b"data-widget" not in door.getresponse().read():
            raise RuntimeError("the page has no card")
        door.close()
    kernels = served.kernels()
    if len(kernels) != len(links):
        raise RuntimeError(f"{len(links)} pages, {len(kernels)} kernels")
    parents = {each.ppid() for each in kernels} - {served.process.pid}
    for pid in parents:
        parent = psutil.Process(pid).memory_full_info().pss / 1e6
        print(f"the warm parent beside them: {parent:.0f} MB")
    return sum(each.memory_full_info().pss for each in kernels) / 1e6 / len(kernels)


def _wait_filled(served: Served) -> None:
    until(lambda: len(served.kernels()) >= POOL, FILL_S)
    time.sleep(FILL_S / 3)


async def burst(folder: Path, number: int, *, forked: bool) -> tuple[float, float]:
    """Start many kernels at once; return the seconds until all have a card's imports, and MB."""
    config = Config(
        {
            "KernelManager": {"transport": "ipc"},
            "AsyncKernelManager": {"client_factory": PromptClient},
            "OwnedKernels": {"forked": forked},
        }
    )
    kernels = OwnedKernels(
        config=config, kernel_spec_manager=OneKernelSpec(), root_dir=str(REPOSITORY),
        connection_dir=tempfile.mkdtemp(dir=folder),
    )  # fmt: skip

    async def one(rater: str) -> int:
        person = Person(study="bench", pass_="first", rater=rater)
        kernel = await kernels.start_kernel(env={**os.environ, PERSON_VARIABLE: person.to_text()})
        manager = kernels.get_kernel(kernel)
        client = manager.client()
        client.start_channels()
        await client.wait_for_ready(timeout=300)
        reply = await client.execute_interactive("import reviewkit.desk.review", timeout=300)
        client.stop_channels()
        if reply["content"]["status"] != "ok":
            raise RuntimeError(str(reply["content"]))
        return int(manager.provisioner.pid)

    try:
        await one("first")  # the server is up before they come
        began = time.monotonic()
        pids = await asyncio.gather(*(one(f"r{each}") for each in range(number)))
        took = time.monotonic() - began
        mothers = [kernels.warm.pid] if kernels.warm and kernels.warm.pid else []
        total = sum(psutil.Process(pid).memory_full_info().pss for pid in (*pids, *mothers))
        return took, total / 1e6
    finally:
        await kernels.shutdown_all(now=True)


def bursts(folder: Path, size: Size, verdict: Verdict) -> None:
    """Compare a room full of people who come at the same moment."""
    ordinary, ordinary_mb = asyncio.run(burst(folder, size.at_once, forked=False))
    forked, forked_mb = asyncio.run(burst(folder, size.at_once, forked=True))
    verdict.line(
        f"{size.at_once} kernels at once, forked / ordinary",
        f"{forked:.1f} s / {ordinary:.1f} s = {forked / ordinary:.0%}",
        f"at most {BURST_SHARE:.0%}", good=forked <= ordinary * BURST_SHARE,
    )  # fmt: skip
    print(f"their memory (PSS, warm parent included): {forked_mb:.0f} MB / {ordinary_mb:.0f} MB")


def main(size: Size) -> int:
    """Measure; return 1 when an aim is missed."""
    # an installed package has byte code; a checkout under PYTHONDONTWRITEBYTECODE has none
    compileall.compile_dir(REPOSITORY / "reviewkit", quiet=2)
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{size.loads} loads of each kind; load {load} on {os.cpu_count()} cores")
    verdict = Verdict()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rkb-")))
        bursts(folder, size, verdict)
        pages(stack.enter_context(chromium()), folder, size, verdict, stack)
    return int(not verdict.met)


if __name__ == "__main__":
    sys.exit(main(QUICK if "--quick" in sys.argv[1:] else FULL))
