"""Folders with tables of responses for the coding benchmarks, and the server that opens one."""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.judging.browsing import PAUSE_MS
from benchmarks.judging.servers import REPOSITORY, SERVE, Served, _free_port, _running
from reviewkit.bank.import_responses import import_responses
from reviewkit.study.links import LinkBook
from reviewkit.workspace import Workspace

CHARACTERS = 4_000
WORDS = (
    "river", "council", "lamp", "bridge", "winter", "answer", "reason", "custom", "market", "ferry",
    "school", "garden", "letter", "بعض", "الناس", "يقولون", "جواب", "سبب", "مدينة", "عادة", "سوق",
)  # fmt: skip
TERMS = ("blackout", "removal", "dispute", "clean-up")


def lay_folder(root: Path) -> Workspace:
    """Copy the project folder without its studies."""
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(REPOSITORY / name, root / name)
    return Workspace(root)


def lay_table(ws: Workspace, name: str, count: int, characters: int = CHARACTERS) -> None:
    """Import a table of ``count`` responses of ``characters`` characters, the same every time."""
    chance = random.Random(f"{name} {count}")
    table, mapping = ws.root / f"{name}.jsonl", ws.root / f"{name}.yaml"
    with table.open("w", encoding="utf-8") as file:
        for number in range(count):
            words = " ".join(chance.choices(WORDS, k=characters // 5))
            text = f"{TERMS[number % len(TERMS)]} {words} " * 2
            row = {
                "id": f"R-{number:05}", "request": "What do people say of it?",
                "response": text[:characters].ljust(characters, "."), "model": f"m{number % 4}",
            }  # fmt: skip
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    mapping.write_text(
        f"responses: {name}\nid: id\ntexts: {{request: request, response: response}}\n"
        "language_is: en\nhidden: {model: model}\n",
        encoding="utf-8",
    )
    import_responses(ws, table, mapping)
    table.unlink()


def lay_study(
    ws: Workspace, name: str, table: str, codebook: str, raters: Iterable[str], each_card: int = 0
) -> None:
    """Write a study on a table, with a pass for every rater."""
    passes = "".join(f"      - {{pass: p-{rater}, rater: {rater}}}\n" for rater in raters)
    given = f"assignment: {{seed: 7, raters_per_card: {each_card}}}\n" if each_card else ""
    listed = "watchlist: lantern@1\n" if codebook.startswith("framing") else ""
    folder = ws.root / "rulings" / name
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        f"study: {name}\ntitle: Benchmark\ncodebook: {codebook}\nresponses: {table}\n"
        f"{given}{listed}"
        f'rounds:\n  - round: "1"\n    passes:\n{passes}',
        encoding="utf-8",
    )


@contextmanager
def coding_server(
    ws: Workspace, study: str, raters: Iterable[str]
) -> Generator[tuple[Served, list[str]]]:
    """Serve a study of responses; give the server and one personal link for each rater."""
    book = LinkBook(ws.links)
    tokens = [book.make(study, f"p-{rater}", rater) for rater in raters]
    port = _free_port()
    command = [sys.executable, "-c", SERVE, "serve", study, "--port", str(port)]
    with _running(command, ws.root, port, ws.root / "rulings" / study) as served:
        yield served, [f"{served.url}go/{token}" for token in tokens]


def code_with_keys(page: Page) -> None:
    """Give the first code and save, as fast as a hand that knows the card."""
    page.keyboard.press("1")
    page.wait_for_timeout(PAUSE_MS)
    page.keyboard.press("Enter")
