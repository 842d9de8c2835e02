"""A study of accounts of an event: terms of a watchlist, three raters, cards given out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from reviewkit.bank.import_responses import import_responses
from reviewkit.decisions import Record
from reviewkit.questions import AnswerValue, Span
from reviewkit.study import Walk, find_round, load_study
from reviewkit.study.drawing import draw_cards
from reviewkit.workspace import Workspace
from tests.study.coding_people import click

ROOT = Path(__file__).parents[2]
LAMPS = "lamps"
TEXT = "The removal of line {n} was called vandalism."
"""Holds two terms of the watchlist."""

WATCHLIST = """\
watchlist: lamps
edition: "1"
language: en
title: {en: Lamps, ar: مصابيح}
terms:
  - {term: removal, term_class: neutral}
  - {term: vandalism, term_class: loaded_a}
"""

STUDY_FILE = """\
study: lamps
codebook: framing@1
responses: lamps
watchlist: lamps@1
assignment: {seed: 5, raters_per_card: 2}
adjudication: {adjudicator: cleo}
rounds:
  - round: "1"
    passes:
      - {pass: first, rater: ada}
      - {pass: second, rater: bo}
      - {pass: third, rater: dee}
"""

PRACTICE = """\
cards:
  - id: one
    language: en
    texts: {response: The removal was vandalism.}
    answers:
      terms:
        - {start: "4", end: "11", code: neutral, source: watchlist, term: removal}
        - {start: "16", end: "25", code: loaded_a, source: watchlist, term: vandalism}
    reason: {en: Nobody else is said to have called it that., ar: لم يُنسب القول إلى أحد.}
  - id: two
    language: en
    texts: {response: Nothing happened.}
    answers: {}
    reason: {en: No term names the event., ar: لا لفظ يسمّي الحدث.}
"""


def import_lamps(ws: Workspace, cards: int = 9, **changed: str) -> None:
    """Import a table of so many responses, some with another text."""
    rows = [
        {"id": f"c{n}", "text": changed.get(f"c{n}", TEXT.format(n=n)), "model": f"model-{n % 2}"}
        for n in range(1, cards + 1)
    ]
    source = ws.root / "lamps.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    mapping = ws.root / "lamps.yaml"
    mapping.write_text(
        "responses: lamps\nid: id\ntexts: {response: text}\nlanguage_is: en\n"
        "hidden: {model: model}\n",
        encoding="utf-8",
    )
    import_responses(ws, source, mapping)


def lay_lamps(
    root: Path, study: str = STUDY_FILE, *, practice: str = "", cards: int = 9, draw: bool = True
) -> Workspace:
    """Lay the folder, and give the cards out unless told not to."""
    ws = Workspace(root)
    ws.bank.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "checklists", ws.checklists, dirs_exist_ok=True)
    (ws.bank / "watchlists").mkdir(exist_ok=True)
    (ws.bank / "watchlists" / "lamps.yaml").write_text(WATCHLIST, encoding="utf-8")
    import_lamps(ws, cards)
    ws.study_folder(LAMPS).mkdir(parents=True, exist_ok=True)
    ws.study_file(LAMPS).write_text(study, encoding="utf-8")
    if practice:
        (ws.study_folder(LAMPS) / "practice.yaml").write_text(practice, encoding="utf-8")
    if draw:
        chosen = load_study(ws, LAMPS)
        draw_cards(ws, chosen, find_round(chosen, None))
    return ws


def walk_of(ws: Workspace, rater: str, pass_name: str | None = None) -> Walk:
    """Return a rater at his desk."""
    walk = Walk(ws, LAMPS, rater, pass_name=pass_name, origin="cli")
    walk.start(0)
    return walk


def confirmed(walk: Walk, card: str, **over: str) -> dict[str, AnswerValue]:
    """Return the answer that settles every match under its own class, or another one."""
    deck: Any = walk.deck_of(card)
    spans = tuple(
        Span(
            start=each.start, end=each.end, code=over.get(each.term, each.term_class),
            term=each.term, source="watchlist",
        )
        for each in deck.matches(card)["terms"]
    )  # fmt: skip
    return {"terms": spans}


def code_card(walk: Walk, card: str, *, unsure: bool = False, **over: str) -> Record:
    """Let a rater settle the terms of a card."""
    return walk.submit(
        card, walk.digest(card), confirmed(walk, card, **over), "", escalated=False, seconds=2.0,
        click_id=click(), unsure=unsure,
    )  # fmt: skip


def code_all(walk: Walk, *, lock: bool = True, **over: str) -> None:
    """Let a rater settle every card, and lock."""
    for card in walk.card_ids:
        code_card(walk, card, **over)
    if lock:
        walk.lock(click_id=click())
