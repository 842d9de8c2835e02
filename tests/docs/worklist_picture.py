"""Draws docs/worklist.png: ``python tests/docs/worklist_picture.py``.

The demo bank is reviewed by a script, some of it is mended and judged again, and two groups leave.
"""

from __future__ import annotations

import secrets
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from reviewkit.authoring import retire, worklist
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import alone, judge, mend, sit
from tests.authoring.second_reviews import lay
from tests.conftest import CHROMIUM_FLAGS, chromium_path

PICTURE = Path(__file__).parents[2] / "docs" / "worklist.png"
SHOWN = 3
"""Sections that are shown: where the groups stand, kinds of defects, batches."""

BATCHES = {
    "places": ("2026-11-02", [f"DEMO-T1-{number:03}" for number in range(1, 11)]),
    "paths": ("2026-11-16", [f"DEMO-T1-{number:03}" for number in range(11, 18)]),
    "evidence": (
        "2026-11-23", [f"DEMO-{n}" for n in ("T2-001", "T2-002", "T2-003", "T3-001", "T3-002",
                                             "T3-003", "T4-001", "T4-002")],
    ),
}  # fmt: skip
FAILED: Mapping[str, tuple[str, ...]] = {
    "DEMO-T1-001": ("natural",),
    "DEMO-T1-002": ("one_variable",),
    "DEMO-T1-004": ("no_bait", "natural"),
    "DEMO-T1-006": ("fields_complete",),
    "DEMO-T1-007": ("bounded_request",),
    "DEMO-T1-010": ("one_variable", "bounded_request"),
    "DEMO-T1-012": ("natural",),
    "DEMO-T1-013": ("bounded_request", "natural"),
    "DEMO-T1-014": ("fields_complete",),
    "DEMO-T1-016": ("one_variable",),
    "DEMO-T2-002": ("twins_identical", "key_position"),
    "DEMO-T3-001": ("no_harm",),
    "DEMO-T4-001": ("watchlist_complete",),
}
NAMED = {
    "DEMO-T1-002": {"one_variable": "hidden-character"},
    "DEMO-T1-004": {"no_bait": "negated-descriptor"},
}
SKIPPED, LEFT_OPEN = ("DEMO-T3-003",), ("DEMO-T2-003", "DEMO-T4-002")
MENDED = ("DEMO-T1-001", "DEMO-T1-002", "DEMO-T1-006", "DEMO-T1-010", "DEMO-T4-001")
EDITED = ("DEMO-T1-003", "DEMO-T1-014")


def reviewed(root: Path) -> Workspace:
    """Lay the demo bank and let one person review it, twice where it was mended."""
    ws = lay(root)
    alone(ws)
    ws.batches.write_text(
        "batches:\n"
        + "".join(
            f'  - {{id: {name}, authored_on: "{day}", groups: [{", ".join(groups)}]}}\n'
            for name, (day, groups) in BATCHES.items()
        ),
        encoding="utf-8",
    )
    walk = sit(ws)
    for card in walk.card_ids:
        if card in SKIPPED:
            walk.skip(card, click_id=secrets.token_hex(8))
        elif card not in LEFT_OPEN:
            judge(walk, card, *FAILED.get(card, ()), defects=NAMED.get(card))
    retire(
        ws, "DEMO-T1-013", reason="Far more is written about one side.", name="amal",
        merged_into="DEMO-T1-012",
    )  # fmt: skip
    retire(ws, "DEMO-T1-017", reason="No neutral wording was found.", name="amal")
    mend(ws, *MENDED, *EDITED)
    walk = sit(ws)
    for card in MENDED:
        judge(walk, card, *(("bounded_request",) if card == "DEMO-T1-010" else ()))
    return ws


def draw(markup: str, picture: Path) -> None:
    """Draw the head and the first sections of the list, light, 1200 pixels wide."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme="light")
        page.set_content(markup)
        last = page.locator(".rka-section").nth(SHOWN - 1).bounding_box()
        assert last is not None
        clip = {"x": 0, "y": 0, "width": 1200, "height": last["y"] + last["height"]}
        page.screenshot(path=picture, full_page=True, clip=clip)
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        draw(worklist(reviewed(Path(folder) / "project")).as_html(), PICTURE)
