"""A demo folder whose first review is over: everything accepted but what a test says."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Collection
from pathlib import Path

from reviewkit.authoring import SecondReview, find_second_review, standings_of
from reviewkit.bank import load_bank
from reviewkit.decisions import Record
from reviewkit.study import Walk
from reviewkit.workspace import Workspace

ROOT = Path(__file__).parents[2]
FIRST, SECOND = "first-reviewer", "second-reviewer"


def lay(root: Path) -> Workspace:
    """Lay the demo bank and its study in a new folder."""
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(ROOT / name, root / name)
    ws = Workspace(root)
    ws.study_folder("demo").mkdir(parents=True)
    shutil.copy(ROOT / "rulings" / "demo" / "study.yaml", ws.study_folder("demo"))
    return ws


def copy_of(ws: Workspace, root: Path) -> Workspace:
    """Return a copy of a whole project folder."""
    shutil.copytree(ws.root, root)
    return Workspace(root)


def alone(ws: Workspace) -> None:
    """Make the demo a study of one reviewer, who cannot be anybody's second."""
    path = ws.study_file("demo")
    text = path.read_text(encoding="utf-8")
    passes = "      - {pass: second, rater: second-reviewer}\n"
    assert passes in text
    path.write_text(text.replace(passes, ""), encoding="utf-8")


def sit(ws: Workspace, study: str, rater: str) -> Walk:
    """Return a rater's walk, begun."""
    walk = Walk(ws, study, rater, origin="cli")
    walk.start(0)
    return walk


def judge(walk: Walk, card: str, *, fails: bool = False, note: str = "seen") -> Record:
    """Answer every check of a card with yes, or the first with no."""
    asked = walk.outcome(card, {}, "").asked
    answers = dict.fromkeys(asked, "yes") | ({asked[0]: "no"} if fails else {})
    return walk.submit(
        card, walk.digest(card), answers, note if fails else "", escalated=False, seconds=1.0,
        click_id=secrets.token_hex(8),
    )  # fmt: skip


def judge_open(ws: Workspace, study: str, rater: str, failing: Collection[str] = ()) -> Walk:
    """Judge every card that is open or was edited, and lock."""
    walk = sit(ws, study, rater)
    for card, status in walk.statuses().items():
        if status in ("open", "changed"):
            judge(walk, card, fails=card in failing)
    walk.lock(click_id=secrets.token_hex(8))
    return walk


def first_review(ws: Workspace, *failing: str) -> None:
    """Let the one reviewer of the demo accept everything but the groups named."""
    alone(ws)
    judge_open(ws, "demo", FIRST, failing)


def found(ws: Workspace, name: str = "again") -> SecondReview:
    """Return where a second review stands."""
    return find_second_review(ws, load_bank(ws), name)


def state(ws: Workspace, card: str) -> tuple[str, str]:
    """Return what stands on a group, and by whom."""
    standing = standings_of(ws, load_bank(ws)).of(card)
    return standing.state, standing.by


def edit(ws: Workspace, card: str) -> None:
    """Edit the first text of a group as an author would."""
    path = ws.groups / f"{card}.yaml"
    text, times = re.subn(
        r'( {4}(?:text|context): ")', r"\1X ", path.read_text(encoding="utf-8"), count=1
    )
    assert times == 1
    path.write_text(text, encoding="utf-8")
