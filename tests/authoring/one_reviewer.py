"""A bank that one person reviews: the demo, or groups made in Python, and what he says of them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from reviewkit.bank import Group, render_group
from reviewkit.decisions import Record
from reviewkit.study import Walk
from reviewkit.workspace import Workspace
from tests.release.small_bank import REGISTRY, ROOT, TAXONOMY

REVIEWER = "first-reviewer"


def alone(ws: Workspace) -> None:
    """Make the demo a study of one reviewer, whose verdicts stand at once."""
    path = ws.study_file("demo")
    text = path.read_text(encoding="utf-8")
    passes = "      - {pass: second, rater: second-reviewer}\n"
    assert passes in text
    path.write_text(text.replace(passes, ""), encoding="utf-8")


def sit(ws: Workspace, study: str = "demo") -> Walk:
    """Return the reviewer's walk, begun; a later one sees what was edited in between."""
    walk = Walk(ws, study, REVIEWER, origin="cli")
    walk.start(0)
    return walk


def judge(
    walk: Walk, card: str, *failed: str, note: str = "seen",
    defects: Mapping[str, str] | None = None,
) -> Record:  # fmt: skip
    """Answer every check that applies, those named with no."""
    asked = walk.outcome(card, {}, "").asked
    assert set(failed) <= set(asked), (card, asked)
    answers = {check: "no" if check in failed else "yes" for check in asked}
    return walk.submit(
        card, walk.digest(card), answers, note if failed else "", escalated=False, seconds=1.0,
        click_id=secrets.token_hex(8), defects=defects or {},
    )  # fmt: skip


def edit(ws: Workspace, card: str, before: str, after: str) -> None:
    """Edit the file of a group."""
    path = ws.groups / f"{card}.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text, card
    path.write_text(text.replace(before, after), encoding="utf-8", newline="\n")


def mend(ws: Workspace, *cards: str) -> None:
    """Change a word of every item of these groups, as an author who was sent back does."""
    for card in cards:
        path = ws.groups / f"{card}.yaml"
        read = yaml.safe_load(path.read_text(encoding="utf-8"))
        for item in read["items"]:
            name = "context" if "context" in item else "text"
            item[name] = f"{item[name]} (2)"
        group = Group.model_validate(read)
        path.write_text(render_group(group), encoding="utf-8", newline="\n")


def lay(folder: Path, groups: Iterable[Group]) -> Workspace:
    """Return a project folder with these groups and a study of record of one reviewer."""
    ws = Workspace(folder / "made")
    ws.groups.mkdir(parents=True)
    (ws.root / "checklists").symlink_to(ROOT / "checklists")
    for path, model in ((ws.taxonomy, TAXONOMY), (ws.registry, REGISTRY)):
        fields = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        path.write_text(yaml.safe_dump(fields, allow_unicode=True), encoding="utf-8")
    for group in groups:
        path = ws.groups / f"{group.template_id}.yaml"
        path.write_text(render_group(group), encoding="utf-8", newline="\n")
    ws.study_folder("demo").mkdir(parents=True)
    ws.study_file("demo").write_text(
        "study: demo\nof_record: yes\nforms: {T1: t1@1, T2: t2@1, T3: t3@2, T4: t4@1}\n"
        f'rounds: [{{round: "1", passes: [{{pass: first, rater: {REVIEWER}}}]}}]\n',
        encoding="utf-8",
    )
    return ws
