"""A demo folder with a review of record that has begun, and a group that was edited afterwards."""

from __future__ import annotations

import shutil
from pathlib import Path

from reviewkit.workspace import Workspace
from tests.browser.places import ROOT
from tests.browser.studies import sit_at

AUTHOR = "author"
RULING = "A registry entry is named in full the first time."
WAS, IS = "أول وظيفة له", "أوّل عمل له"
"""What the reviewed text of the edited group said, and what it says now."""


def lay_reviewed(root: Path) -> Workspace:
    """Lay the demo bank; the author accepts the first group, fails the second, edits the first."""
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(ROOT / name, root / name)
    ws = Workspace(root)
    text = (ROOT / "rulings" / "demo" / "study.yaml").read_text(encoding="utf-8")
    path = ws.study_file("demo")
    path.parent.mkdir(parents=True)
    path.write_text(
        text[: text.index("    passes:")]
        + f"    passes:\n      - {{pass: first, rater: {AUTHOR}}}\n",
        encoding="utf-8",
    )
    page = sit_at(ws, "demo", AUTHOR)
    assert page.card["card_id"] == "DEMO-T1-001"
    page.submit()
    assert page.card["card_id"] == "DEMO-T1-002"
    page.say(
        "ruling", token=page.card["token"], click_id=page.click(), text=RULING,
        checks=["one_variable"], type="ruling", supersedes="",
    )  # fmt: skip
    page.submit("one_variable", note="a mark", defects={"one_variable": "hidden-character"})
    edited = ws.root / "bank" / "groups" / "DEMO-T1-001.yaml"
    before = edited.read_text(encoding="utf-8")
    assert before.count(WAS) > 1
    edited.write_text(before.replace(WAS, IS), encoding="utf-8")
    return ws
