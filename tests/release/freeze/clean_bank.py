"""A small, clean bank on disk, with people who review it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

import yaml
from pydantic import BaseModel

from reviewkit.bank import Group, render_group
from reviewkit.study import Walk
from reviewkit.workspace import Workspace
from tests.release import small_bank

STUDY = """\
study: review
of_record: "yes"
groups: all
forms: {T1: t1@1, T2: t2@1, T3: t3@2, T4: t4@1}
rounds:
  - round: "1"
    passes:
      - {pass: first, rater: amal}
      - {pass: second, rater: badr}
"""


def _yaml(path: Path, model: BaseModel) -> None:
    fields = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    path.write_text(_text(fields), encoding="utf-8", newline="\n")


def _text(fields: object) -> str:
    return yaml.safe_dump(fields, allow_unicode=True, sort_keys=False)


def lay(root: Path, groups: Iterable[Group] = ()) -> Workspace:
    """Lay a project folder with the sound bank and a study of two reviewers."""
    ws = Workspace(root)
    ws.groups.mkdir(parents=True)
    ws.checklists.mkdir()
    for name in ("t1", "t2", "t3_v2", "t4"):
        shutil.copy(small_bank.ROOT / "checklists" / f"{name}.yaml", ws.checklists)
    shutil.copytree(small_bank.ROOT / "checklists" / "defects", ws.checklists / "defects")
    shutil.copytree(small_bank.ROOT / "bank" / "leakage", ws.leakage)
    _yaml(ws.taxonomy, small_bank.TAXONOMY)
    _yaml(ws.registry, small_bank.REGISTRY)
    _yaml(ws.axes, small_bank.AXES)
    _yaml(ws.plan, small_bank.PLAN)
    for each in groups or small_bank.sound():
        put(ws, each)
    ws.study_folder("review").mkdir(parents=True)
    ws.study_file("review").write_text(STUDY, encoding="utf-8")
    return ws


def put(ws: Workspace, group: Group) -> Path:
    """Write the file of a group."""
    path = ws.groups / f"{group.template_id}.yaml"
    path.write_text(render_group(group), encoding="utf-8", newline="\n")
    return path


def click() -> str:
    """Return a click id of its own."""
    return secrets.token_hex(8)


def review(
    ws: Workspace, rater: str, *failing: str, study: str = "review", only: Iterable[str] = (),
    lock: bool = True, pass_name: str | None = None,
) -> Walk:  # fmt: skip
    """Judge every card of a pass, or some; those that are named fail at their first check."""
    walk = Walk(ws, study, rater, pass_name=pass_name, origin="cli")
    walk.start(0)
    for card in [*only] or walk.card_ids:
        asked = walk.outcome(card, {}, "").asked
        answers = dict.fromkeys(asked, "yes")
        if card in failing:
            answers[asked[0]] = "no"
        note = "seen" if card in failing else ""
        walk.submit(
            card, walk.digest(card), answers, note, escalated=False, seconds=1.0, click_id=click()
        )
    if lock:
        walk.lock(click_id=click())
    return walk


def reviewed(root: Path) -> Workspace:
    """Lay the bank and let both reviewers accept all of it."""
    ws = lay(root)
    for rater in ("amal", "badr"):
        review(ws, rater)
    return ws
