"""A small study of responses in a folder of its own, and people who code and adjudicate it."""

from __future__ import annotations

import json
import shutil
from itertools import count
from pathlib import Path

from reviewkit.bank.import_responses import import_responses
from reviewkit.decisions import Record
from reviewkit.study import Walk, find_round, load_study, reopen
from reviewkit.study.hearing import Hearing
from reviewkit.workspace import Workspace

ROOT = Path(__file__).parents[2]
STUDY = "ferry"
CARDS = ("r1", "r2", "r3", "r4", "r5", "r6")
_clicks = count(1)

STUDY_FILE = """
study: ferry
title: Explanations about two ferry lines
codebook: rationale@1
responses: ferry
adjudication: {{adjudicator: cleo, queue: {queue}{more}}}
{welfare}
rounds:
  - round: "1"
    passes:
      - {{pass: first, rater: ada}}
      - {{pass: second, rater: bo}}
"""


def click() -> str:
    """Return a click id that nobody had before."""
    return f"click-{next(_clicks):08d}"


def coding_study(
    root: Path, queue: str = "fields", more: str = "", welfare: str = "", texts: str = ""
) -> Workspace:
    """Lay a folder with six responses and a study that two code and cleo adjudicates."""
    ws = Workspace(root)
    ws.bank.mkdir(parents=True, exist_ok=True)
    if not ws.checklists.exists():
        shutil.copytree(ROOT / "checklists", ws.checklists)
    import_texts(ws, {card: texts or f"The pilots of line {card} are late." for card in CARDS})
    ws.study_file(STUDY).parent.mkdir(parents=True, exist_ok=True)
    text = STUDY_FILE.format(queue=queue, more=more, welfare=welfare)
    ws.study_file(STUDY).write_text(text, encoding="utf-8")
    return ws


def import_texts(ws: Workspace, texts: dict[str, str]) -> None:
    """Import a table of responses, in the place of an earlier one."""
    source = ws.root / "ferry.jsonl"
    rows = [{"id": card, "text": text, "judge": "E"} for card, text in texts.items()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    mapping = ws.root / "ferry.yaml"
    mapping.write_text(
        "responses: ferry\nid: id\ntexts: {response: text}\nlanguage_is: en\n"
        "hidden: {judge: judge}\n",
        encoding="utf-8",
    )
    import_responses(ws, source, mapping)


def code(ws: Workspace, rater: str, codes: str, *, lock: bool = True) -> None:
    """Let a rater code the cards in order, one code each; ``-`` skips, ``.`` leaves it open."""
    walk = Walk(ws, STUDY, rater, origin="cli")
    walk.start(0)
    for card, given in zip(CARDS, codes.split(), strict=True):
        if given == ".":
            continue
        if given == "-":
            walk.skip(card, click_id=click())
            continue
        say(walk, card, given)
    if lock:
        walk.lock(click_id=click())


def say(who: Walk | Hearing, card: str, given: str, **more: str) -> Record:
    """Let a coder or the adjudicator give a card a code; ``E?`` is an unsure E."""
    given, unsure = given.removesuffix("?"), given.endswith("?")
    return who.submit(
        card, who.digest(card), {"rationale": given}, "it breaks off" if given == "Abstain" else "",
        escalated=False, seconds=3.0, click_id=click(), unsure=unsure, **more,
    )  # fmt: skip


def code_again(ws: Workspace, rater: str, changes: dict[str, str]) -> None:
    """Reopen a pass, let its rater give some cards codes again, and lock it."""
    study = load_study(ws, STUDY)
    round_, each = study.find_pass(rater)
    reopen(ws, study, find_round(study, round_.round), each, "the guide was mended")
    walk = Walk(ws, STUDY, rater, origin="cli")
    for card, given in changes.items():
        if given == "-":
            walk.skip(card, click_id=click())
        else:
            say(walk, card, given)
    walk.lock(click_id=click())


def hearing(ws: Workspace, name: str = "cleo") -> Hearing:
    """Return the adjudicator at his desk."""
    sitting = Hearing(ws, STUDY, name, origin="voila")
    sitting.start(0)
    return sitting
