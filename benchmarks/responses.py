"""Ten thousand responses beside ten: ``python benchmarks/responses.py [--quick]``.

Opens tables of 4,000 characters a response, and walks them through the session that a page talks
to, the large one and the small one in turn. No browser is needed: ``benchmarks/coding.py`` has one.
Exits 1 when an aim is missed.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.coding import Table
from benchmarks.desk import load_of_machine, spread
from benchmarks.judging.responses import CHARACTERS, lay_folder, lay_study, lay_table
from reviewkit.bank.responses import index_file, open_responses
from reviewkit.desk.session import Session
from reviewkit.questions import load_forms
from reviewkit.rulings import RulingsLog
from reviewkit.study import Walk, load_study, study_progress
from reviewkit.study.dealing import cards_of_pass, coding_material
from reviewkit.workspace import Workspace

OPEN_LIMIT_S = 1.0
STATUS_LIMIT_S = 1.0
SLOWER_AT_MOST = 1.25
SMALL = 10
CODEBOOKS = ("rationale@1", "framing@1")


@dataclass(frozen=True)
class Size:
    """How many responses, how many coders walk each table, and how long one of them walks."""

    large: int
    coders: int
    long_walk: int


FULL = Size(large=10_000, coders=8, long_walk=1_000)
QUICK = Size(large=2_000, coders=4, long_walk=100)


@dataclass
class Desk:
    """A session, and what a page would send and hear; times in milliseconds."""

    session: Session
    view: dict[str, Any] = field(default_factory=dict)
    heard: int = 0
    """Bytes of the last reply."""
    ids: count[int] = field(default_factory=lambda: count(1))

    def say(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send one message and return the reply."""
        reply = self.session.receive({"kind": kind, "id": next(self.ids), "tab": "tab", **fields})
        self.heard = len(json.dumps(reply).encode())
        self.view = reply.get("view", self.view)
        return reply

    def code(self) -> float:
        """Code the card as a page does, a draft and then the record; return the time it took."""
        card = self.view["card"]
        answers: dict[str, Any] = {}
        for question in card["questions"]:
            if question["type"] != "spans":
                answers[question["id"]] = question["codes"][0]["id"]
                continue
            answers[question["id"]] = [
                {"start": each["start"], "end": each["end"], "code": each["code"], "flags": {},
                 "term": each["term"], "source": "watchlist"}
                for each in card["found"][question["id"]]["matches"]
            ]  # fmt: skip
        said = {"token": card["token"], "answers": answers, "note": ""}
        began = time.perf_counter()
        self.say("draft", **said)
        reply = self.say("submit", **said, click_id=f"click-{next(self.ids):06d}", seconds=2.0)
        took = 1_000 * (time.perf_counter() - began)
        if reply["kind"] != "recorded":
            raise AssertionError(reply)
        return took


def timed(act: Callable[[], object]) -> float:
    """Return how many seconds something takes."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def sit(ws: Workspace, study: str, rater: str) -> Desk:
    """Open the desk as a fresh kernel does, up to the first card."""
    walk = Walk(ws, study, rater, origin="voila")
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page)
    desk = Desk(Session(walk, log))
    desk.say("hello", language="en")
    return desk


def opening(ws: Workspace, size: Size, table: Table) -> None:
    """Measure how long the large table takes to open, alone and with the whole desk."""
    times = [timed(lambda: open_responses(ws, "large")) for _ in range(5)]
    middle = statistics.median(times)
    table.add(
        f"open {size.large:,} responses", spread([1_000 * each for each in times], "ms"),
        f"{middle / OPEN_LIMIT_S:.2f} of the limit", f"under {OPEN_LIMIT_S:.0f} s",
        middle < OPEN_LIMIT_S,
    )  # fmt: skip
    index_file(ws, "large").unlink()
    first = timed(lambda: open_responses(ws, "large"))
    table.add(
        "  with no index, as after a clone", f"{first:.2f} s",
        f"{first / OPEN_LIMIT_S:.2f} of the limit",
    )  # fmt: skip
    study = f"large-{CODEBOOKS[0].partition('@')[0]}"
    times = [timed(lambda: sit(ws, study, "opener")) for _ in range(5)]
    middle = statistics.median(times)
    table.add(
        "  a desk on it, to the first card", spread([1_000 * each for each in times], "ms"),
        f"{middle / OPEN_LIMIT_S:.2f} of the limit", f"under {OPEN_LIMIT_S:.0f} s",
        middle < OPEN_LIMIT_S,
    )  # fmt: skip


def walking(ws: Workspace, size: Size, table: Table, codebook: str) -> None:
    """Walk both tables in turn, each coder a few cards of each, and compare."""
    name = codebook.partition("@")[0]
    took: dict[str, list[float]] = {"small": [], "large": []}
    bytes_: dict[str, list[int]] = {"small": [], "large": []}
    for number in range(size.coders):
        desks = {kind: sit(ws, f"{kind}-{name}", f"r{number}") for kind in took}
        for _ in range(SMALL - 1):
            for kind, desk in desks.items():
                took[kind].append(desk.code())
                bytes_[kind].append(desk.heard)
    middle = {kind: statistics.median(values) for kind, values in took.items()}
    ratio = middle["large"] / middle["small"]
    table.add(f"{name}: press to next card, {SMALL} responses", spread(took["small"], "ms"))
    table.add(
        f"  of {size.large:,}", spread(took["large"], "ms"), f"{ratio:.2f} x {SMALL} responses",
        f"at most {SLOWER_AT_MOST} x", ratio <= SLOWER_AT_MOST,
    )  # fmt: skip
    heavy = {kind: statistics.median(values) for kind, values in bytes_.items()}
    ratio = heavy["large"] / heavy["small"]
    table.add(
        "  bytes to the page a card", f"{heavy['large']:,.0f} of {heavy['small']:,.0f}",
        f"{ratio:.2f} x {SMALL} responses", "at most 1.05 x", ratio <= 1.05,
    )  # fmt: skip


def long_walk(ws: Workspace, size: Size, table: Table) -> None:
    """Walk the large table far, then go on in turn with somebody who has only begun."""
    study = f"large-{CODEBOOKS[0].partition('@')[0]}"
    far, fresh = sit(ws, study, "walker"), sit(ws, study, "opener")
    for _ in range(size.long_walk):
        far.code()
    took: dict[str, list[float]] = {"far": [], "fresh": []}
    for _ in range(50):
        took["far"].append(far.code())
        took["fresh"].append(fresh.code())
    ratio = statistics.median(took["far"]) / statistics.median(took["fresh"])
    table.add("rationale: the first 50 cards of a walk", spread(took["fresh"], "ms"))
    table.add(
        f"  50 cards after {size.long_walk:,}", spread(took["far"], "ms"),
        f"{ratio:.2f} x the first", "at most 1.5 x", ratio <= 1.5,
    )  # fmt: skip
    statuses = [timed(walk_statuses(far)) for _ in range(5)]
    table.add("  statuses() of the walk", spread([1_000 * each for each in statuses], "ms"))


def walk_statuses(desk: Desk) -> Callable[[], object]:
    """Return what a session asks for with every card."""
    return desk.session._walk.statuses  # noqa: SLF001 - what is measured is inside


def status(ws: Workspace, table: Table) -> None:
    """Measure what ``reviewkit status`` computes."""
    study = load_study(ws, f"large-{CODEBOOKS[0].partition('@')[0]}")

    def progress() -> None:
        responses, _codebook, _watchlist = coding_material(ws, study, load_forms(ws.checklists))
        passes = [each.pass_ for round_ in study.rounds for each in round_.passes]
        cards = {name: cards_of_pass(ws, study, name, responses.ids) for name in passes}
        study_progress(ws, study, cards)

    times = [timed(progress) for _ in range(3)]
    middle = statistics.median(times)
    table.add(
        f"status of {len(study.rounds[0].passes)} passes", spread([1_000 * t for t in times], "ms"),
        f"{middle / STATUS_LIMIT_S:.2f} of the limit", f"under {STATUS_LIMIT_S:.0f} s",
        middle < STATUS_LIMIT_S,
    )  # fmt: skip


def main(size: Size) -> int:
    """Measure everything; return 1 when an aim is missed."""
    began = time.monotonic()
    print(f"{size.large:,} responses of {CHARACTERS:,} characters; {load_of_machine()}")
    table = Table()
    table.add("", "ours", "measured", "aim")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        ws = lay_folder(Path(folder) / "project")
        raters = [*(f"r{number}" for number in range(size.coders)), "opener", "walker"]
        lay_table(ws, "small", SMALL)
        imported = timed(lambda: lay_table(ws, "large", size.large))
        table.add(f"import {size.large:,} responses", f"{imported:.1f} s")
        for codebook in CODEBOOKS:
            for kind in ("small", "large"):
                lay_study(ws, f"{kind}-{codebook.partition('@')[0]}", kind, codebook, raters)
        opening(ws, size, table)
        for codebook in CODEBOOKS:
            walking(ws, size, table, codebook)
        long_walk(ws, size, table)
        status(ws, table)
    print(f"{time.monotonic() - began:.0f} s; {load_of_machine()}")
    return int(not table.met)


if __name__ == "__main__":
    sys.exit(main(QUICK if "--quick" in sys.argv[1:] else FULL))
