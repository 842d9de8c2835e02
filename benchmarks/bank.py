"""A bank of BBQ's size, 58,000 items on 14,500 blocks: ``python benchmarks/bank.py [--quick]``.

Imports the set, audits the bank from the shell, opens the first card from a fresh Python, and walks
it beside a bank of ten blocks. Exits 1 when an aim is missed. Nothing leaves the machine.
"""

from __future__ import annotations

import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.coding import Table
from benchmarks.desk import load_of_machine, spread
from benchmarks.judging.large_bank import BLOCKS, write_set
from benchmarks.judging.servers import REPOSITORY
from benchmarks.responses import Desk, sit
from reviewkit.workspace import Workspace

TOGETHER_LIMIT_S = 10.0
MEMORY_LIMIT_MB = 1_000
SLOWER_AT_MOST = 1.25
SMALL = 10
RATERS = ("first", "second")
AUDIT = ("-m", "reviewkit.cli.app", "audit")
_OPEN = (
    "from pathlib import Path\n"
    "from reviewkit.desk.session import Session\n"
    "from reviewkit.rulings import RulingsLog\n"
    "from reviewkit.study import Walk\n"
    "from reviewkit.workspace import find_workspace\n"
    "ws = find_workspace(Path())\n"
    "walk = Walk(ws, 'review', 'first', origin='lab')\n"
    "log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page)\n"
    "page = Session(walk, log).receive({'kind': 'hello', 'id': 1, 'tab': 'tab'})\n"
    "assert page['view']['card']['texts'], page\n"
)
FIRST_CARD = ("-c", _OPEN)


@dataclass(frozen=True)
class Size:
    """How many blocks, how often it is opened, and how many cards are walked."""

    blocks: int
    times: int
    cards: int


FULL = Size(blocks=BLOCKS, times=3, cards=100)
QUICK = Size(blocks=2_000, times=1, cards=30)


@dataclass(frozen=True)
class Ran:
    """What a process took."""

    wall: float
    processor: float
    megabytes: float


@dataclass
class Running:
    """A process that was started, and when."""

    process: subprocess.Popen[bytes]
    began: float

    def ended(self) -> Ran:
        """Wait for it; raises AssertionError when it failed."""
        _pid, status, used = os.wait4(self.process.pid, 0)
        wall = time.perf_counter() - self.began
        code = self.process.returncode = os.waitstatus_to_exitcode(status)
        if code:
            raise AssertionError(f"exit status {code}")
        return Ran(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def start(folder: Path, *command: str) -> Running:
    """Start Python on our checkout in a project folder."""
    process = subprocess.Popen(
        [sys.executable, *command], cwd=folder, stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    return Running(process, time.perf_counter())


def lay_project(root: Path, blocks: int) -> tuple[Workspace, Ran]:
    """Lay a folder, import a set of so many blocks, and return how long the import took."""
    names = ("--first", RATERS[0], "--second", RATERS[1])
    start(root.parent, "-m", "reviewkit.cli.app", "init", str(root), *names).ended()
    items = write_set(root.parent / f"{root.name}.jsonl", blocks)
    options = ("--category", "value-laden")
    command = ("-m", "reviewkit.cli.app", "import", "items", str(items), *options)
    imported = start(root, *command).ended()
    items.unlink()
    return Workspace(root), imported


def opening(ws: Workspace, size: Size, table: Table) -> None:
    """Measure audit and first card, one after the other and side by side on two cores."""
    alone: dict[str, list[Ran]] = {"audit": [], "first card": []}
    both: list[float] = []
    for _ in range(size.times):
        for what, command in (("audit", AUDIT), ("first card", FIRST_CARD)):
            alone[what].append(start(ws.root, *command).ended())
        began = time.perf_counter()
        at_once = [start(ws.root, *AUDIT), start(ws.root, *FIRST_CARD)]
        for each in at_once:
            each.ended()
        both.append(time.perf_counter() - began)
    for what, ran in alone.items():
        wall = statistics.median(each.wall for each in ran)
        memory = max(each.megabytes for each in ran)
        processor = statistics.median(each.processor for each in ran)
        table.add(
            f"{what}, from a fresh Python", f"{wall:.1f} s", f"{processor:.1f} s of processor"
        )
        table.add(
            "  memory", f"{memory:.0f} MB", f"{memory / MEMORY_LIMIT_MB:.2f} of the limit",
            f"under {MEMORY_LIMIT_MB} MB", memory < MEMORY_LIMIT_MB,
        )  # fmt: skip
    total = sum(max(each.megabytes for each in ran) for ran in alone.values())
    middle = statistics.median(both)
    table.add(
        "both at once: loaded, audited, first card", f"{middle:.1f} s",
        f"{middle / TOGETHER_LIMIT_S:.2f} of the limit", f"under {TOGETHER_LIMIT_S:.0f} s",
        middle < TOGETHER_LIMIT_S,
    )  # fmt: skip
    table.add(
        "  memory of both", f"{total:.0f} MB", f"{total / MEMORY_LIMIT_MB:.2f} of the limit",
        f"under {MEMORY_LIMIT_MB} MB", total < MEMORY_LIMIT_MB,
    )  # fmt: skip


def judge(desk: Desk) -> float:
    """Accept the card as a page does, a draft and then the record; return the milliseconds."""
    card = desk.view["card"]
    checks = [each["id"] for each in card["questions"]]
    said: dict[str, Any] = {
        "token": card["token"], "answers": dict.fromkeys(checks, "yes"), "note": "",
    }  # fmt: skip
    began = time.perf_counter()
    desk.say("draft", **said)
    reply = desk.say("submit", **said, click_id=f"click-{next(desk.ids):06d}", seconds=2.0)
    took = 1_000 * (time.perf_counter() - began)
    if reply["kind"] != "recorded":
        raise AssertionError(reply)
    return took


def walking(large: Workspace, small: Path, size: Size, table: Table) -> None:
    """Walk the large bank and copies of a small one in turn, and compare."""
    took: dict[str, list[float]] = {"small": [], "large": []}
    desk = sit(large, "review", RATERS[1])
    for round_ in range(-(-size.cards // (SMALL - 1))):
        copy = small.with_name(f"copy-{round_}")
        shutil.copytree(small, copy)
        beside = sit(Workspace(copy), "review", RATERS[1])
        for _ in range(SMALL - 1):
            took["small"].append(judge(beside))
            took["large"].append(judge(desk))
    ratio = statistics.median(took["large"]) / statistics.median(took["small"])
    table.add(f"press to next card, {SMALL} blocks", spread(took["small"], "ms"))
    table.add(
        f"  of {size.blocks:,}", spread(took["large"], "ms"), f"{ratio:.2f} x {SMALL} blocks",
        f"at most {SLOWER_AT_MOST} x", ratio <= SLOWER_AT_MOST,
    )  # fmt: skip


def main(size: Size) -> int:
    """Measure everything; return 1 when an aim is missed."""
    began = time.monotonic()
    compileall.compile_dir(REPOSITORY / "reviewkit", quiet=2)
    print(f"{4 * size.blocks:,} items on {size.blocks:,} blocks; {load_of_machine()}")
    table = Table()
    table.add("", "ours", "measured", "aim")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        large, imported = lay_project(Path(folder) / "large", size.blocks)
        table.add("import items", f"{imported.wall:.1f} s", f"{imported.megabytes:.0f} MB")
        opening(large, size, table)
        small, _ = lay_project(Path(folder) / "small", SMALL)
        walking(large, small.root, size, table)
    print(f"{time.monotonic() - began:.0f} s; {load_of_machine()}")
    return int(not table.met)


if __name__ == "__main__":
    sys.exit(main(QUICK if "--quick" in sys.argv[1:] else FULL))
