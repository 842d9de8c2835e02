"""Potato, another annotation tool, as a server and as a page without a browser.

Each item asks five yes/no questions and takes a note. A rater asks for what Potato's own page asks
for (seen with 2.12.1 in Chromium): the page with its scripts and styles, nine small questions after
each load, a mark for every change, a save at each pause, what was clicked, and at Next a save, the
step and the next page. Nothing of Potato is imported.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, time
from typing import Any

from tornado.httpclient import HTTPResponse

from benchmarks.crowd.meaning import Diary, meant
from benchmarks.crowd.place import card_ids
from benchmarks.crowd.size import Size
from benchmarks.crowd.socket_page import Cookies, PageGone, ask_server
from benchmarks.crowd.socket_rater import PRESS_AGAIN
from benchmarks.judging.responses import CHARACTERS, WORDS
from benchmarks.judging.servers import Served, _free_port, _running

QUESTIONS = tuple(f"q{number}" for number in range(1, 6))
AT_ONCE = 6
"""Connections that a browser opens to one server."""
CARD = re.compile(r'id="instance_id"[^>]*value="([^"]+)"')
FILE = re.compile(r'(?:src|href)="/(static/[^"]+\.(?:js|css)[^"]*)"')


@contextmanager
def potato_server(command: str, folder: Path, cards: int, seed: int) -> Generator[Served]:
    """Start Potato on this machine, with a login by name alone; ``answers`` is where it writes."""
    folder.mkdir()
    chance = random.Random(f"potato {seed}")
    with (folder / "items.jsonl").open("w", encoding="utf-8") as file:
        for card in card_ids(cards):
            text = " ".join(chance.choices(WORDS, k=CHARACTERS // 5)).ljust(CHARACTERS, ".")
            row = {"id": card, "text": text[:CHARACTERS]}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    questions: list[dict[str, Any]] = [
        {
            "annotation_type": "radio", "name": name, "labels": ["yes", "no"],
            "description": f"Is it well built ({name})?", "label_requirement": {"required": True},
        }
        for name in QUESTIONS
    ]  # fmt: skip
    questions.append({"annotation_type": "text", "name": "note", "description": "Note"})
    task = {
        "annotation_task_name": "crowd", "task_dir": str(folder), "data_files": ["items.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"}, "output_annotation_dir": "out",
        "require_password": False, "num_annotators_per_item": 0,
        "assignment_strategy": "fixed_order", "annotation_schemes": questions,
    }  # fmt: skip
    (folder / "config.yaml").write_text(json.dumps(task), encoding="utf-8")
    port = _free_port()
    # our own PYTHONPATH is not for its Python
    run = ["env", "-u", "PYTHONPATH", command, "start", "config.yaml", "--host", "127.0.0.1"]
    with _running([*run, "--port", str(port)], folder, port, folder / "out") as served:
        yield served


class PotatoRater:
    """One rater who enters his name and walks to the end, at the pace of the one on a socket."""

    def __init__(self, name: str, url: str, size: Size) -> None:
        self.name, self.url, self.size = name, url, size
        self.chance = random.Random(f"{size.seed} {name} pace")
        self.diary = Diary(name)
        self._cookies, self._held, self._card = Cookies(), set[str](), ""
        self._line = asyncio.Semaphore(AT_ONCE)

    async def rate(self, begin_after: float) -> None:
        """Open the page, judge every card that it shows; PageGone when there is no page."""
        await asyncio.sleep(begin_after)
        began = monotonic()
        await self._ask("auth", body=f"action=login&email={self.name}")
        await self._open()
        self.diary.ready.append(monotonic() - began)
        while self._card:
            await self._ask_beside()
            self.diary.last = f"card {self._card}"
            await self._judge(self._card, **five(self.size.seed, self.name, self._card))
        self.diary.done = True

    async def _ask(self, path: str, *, body: str | None = None, **sent: Any) -> HTTPResponse:
        more = {} if body is None else {"method": "POST", "body": body}
        if sent:
            more = {"method": "POST", "body": json.dumps(sent)}
        kind = {"Content-Type": "application/json", "X-Potato-Navigation": "1"} if sent else {}
        async with self._line:
            return await ask_server(f"{self.url}{path}", self._cookies, headers=kind, **more)

    async def _open(self) -> None:
        """Load the page and the files that the browser does not hold yet."""
        page = await self._ask("annotate")
        if page.code == 302:  # after the last card
            page = await self._ask("")
        if page.code != 200:
            raise PageGone(f"no page ({page.code})")
        html = page.body.decode()
        files = {each.replace("&amp;", "&") for each in FILE.findall(html)} - self._held
        await asyncio.gather(*map(self._ask, files))
        self._held |= files
        card = CARD.search(html)
        self._card = card.group(1) if card else ""

    async def _ask_beside(self) -> None:
        card = self._card
        often = [f"api/keyword_highlights/{card}"] * 3 + [f"api/spans/{card}"] * 2
        asked = ["api/colors", "api/colors", "pocket/api/routing", "api/schemas", *often]
        await asyncio.gather(*map(self._ask, asked))

    async def _judge(self, card: str, answers: dict[str, str], note: str) -> None:
        await asyncio.sleep(self.size.think * self.chance.uniform(0.2, 1.4))
        written: dict[str, str] = {}
        half = len(note) // 2
        for typed in dict.fromkeys(("", note[:half], note)):
            for name, value in {**answers, **({"note": typed} if typed else {})}.items():
                if written.get(name) != value:
                    await self._mark(card, name, value)
                    written[name] = value
            await self._save(card, written)
            await asyncio.sleep(self.size.think * self.chance.uniform(0.0, 0.1))
        await self._ask("api/track_interactions", **_trace(card, answers))
        while True:
            press = self.diary.press(f"{self.name} {card}", card, dict(answers), note)
            press.hear("recorded" if await self._save(card, written) else "refused")
            if press.told == "recorded":
                break
            await asyncio.sleep(PRESS_AGAIN)
        await self._ask("annotate", action="next_instance", instance_id=card)
        await self._open()
        self.diary.shown.append(monotonic() - press.began)

    async def _mark(self, card: str, name: str, value: str) -> None:
        await self._ask(
            "api/track_annotation_change", instance_id=card, schema_name=name, old_value=None,
            label_name="text_box" if name == "note" else value, new_value=value, source="user",
            action="update" if name == "note" else "select", old_label=None,
        )  # fmt: skip

    async def _save(self, card: str, written: dict[str, str]) -> bool:
        said = {
            f"{name}:{'text_box' if name == 'note' else value}": value
            for name, value in written.items()
        }
        response = await self._ask(
            "updateinstance", instance_id=card, annotations=said, cleared_schemas=[],
            span_annotations=[], client_timestamp=datetime.now(UTC).isoformat(),
            response_time_seconds=1.0,
        )  # fmt: skip
        return response.code == 200 and json.loads(response.body).get("status") == "success"


def five(seed: int, rater: str, card: str) -> dict[str, Any]:
    """Return what this rater means to say of the item: nobody else says the same of all."""
    chance = random.Random(f"{seed} {rater} {card} five")
    answers = {name: chance.choice(("yes", "no")) for name in QUESTIONS}
    return {"answers": answers, "note": meant(seed, rater, card).note}


def _trace(card: str, answers: dict[str, str]) -> dict[str, Any]:
    """Return what the page reports of focus and clicks, which Potato keeps with the answers."""
    kinds = ("focus_in", "click", "annotation_change", "focus_out")
    steps = [(kind, f"label:{name}:{answers[name]}") for name in answers for kind in kinds]
    events = [
        {
            "event_type": kind, "target": target, "timestamp": time(), "instance_id": card,
            "client_timestamp": int(time() * 1000), "metadata": {"x": 234, "y": 359},
        }
        for kind, target in [("navigation", "instance_load"), *steps, ("save", f"instance:{card}")]
    ]  # fmt: skip
    focus = {f"label:{name}:{value}": 250 for name, value in answers.items()}
    return {"instance_id": card, "events": events, "focus_time": focus, "scroll_depth": 90.4}
