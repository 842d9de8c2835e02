"""The second reviewer's desk: nothing of the first review is sent, and his process reads none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewkit.authoring import start_second_review, widen_second_review
from reviewkit.rulings import RulingEntry, RulingsLog
from reviewkit.workspace import Workspace
from tests.authoring.second_reviews import (
    FIRST,
    copy_of,
    first_review,
    found,
    judge,
    judge_open,
    lay,
    sit,
)
from tests.desk.talk import sit_down

SECRET = "the first reviewer's private note"
GENERAL = "A village and a town quarter are values of one axis."
ON_A_GROUP = "This pair is settled: the value is a place."
OUTSIDE = "A group that nobody draws taught us this."
LATER = "A rule that came while he judged."
RETURNED = "DEMO-T1-002"


def rule(ws: Workspace, text: str, *items: str, number: int) -> None:
    """File a ruling of the first reviewer on the check of every T1 card."""
    RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page).file(
        RulingEntry(
            click_id=f"click-{number:04d}", type="ruling", text=text, item_ids=items,
            checks=("t1/natural",), author=FIRST, study="demo", pass_="first",
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a demo with a first review full of notes and rulings, and a second review begun."""
    ws = lay(tmp_path_factory.mktemp("once") / "project")
    first_review(ws, RETURNED)
    rule(ws, GENERAL, number=1)
    rule(ws, OUTSIDE, f"{RETURNED}-a", number=2)
    start_second_review(ws, "again", "basim", 7)
    sampled = found(ws).sampled
    rule(ws, ON_A_GROUP, f"{sampled[0]}-a", number=3)
    undrawn = next(each for each in found(ws).population if each not in sampled)
    rule(ws, f"{ON_A_GROUP} Not drawn yet.", f"{undrawn}-a", number=4)
    rule(ws, f"As in {sampled[1]}, it is sound.", number=5)
    return ws


@pytest.fixture
def begun(once: Workspace, tmp_path: Path) -> Workspace:
    """Return a copy of it."""
    return copy_of(once, tmp_path / "project")


def heard(page: Any) -> str:
    """Return everything that was ever sent to a page, as text."""
    return json.dumps(page.heard, ensure_ascii=False)


def through(page: Any, *failing: str) -> None:
    """Judge card after card to the end, as the second reviewer."""
    while page.view["card"] is not None:
        checks = [page.card["questions"][0]["id"]] if page.card["card_id"] in failing else []
        reply = page.submit(*checks, note="mine" if checks else "")
        assert reply["kind"] == "recorded", reply


def test_he_judges_and_locks_like_any_pass(begun: Workspace) -> None:
    """His eight cards in the demo's desk, one after the other, and the lock at the end."""
    page = sit_down(begun, "basim", study="again")
    through(page)
    assert page.view["progress"]["done"] == page.view["progress"]["total"] == 7
    assert page.say("lock", click_id=page.click())["kind"] == "recorded"
    assert found(begun).locked


def test_nothing_of_the_first_review_is_ever_sent(begun: Workspace) -> None:
    """No verdict, note or ruling on a group that he may come to judge; general rules are seen."""
    for text in (ON_A_GROUP, "As in"):
        assert text in begun.rulings_log.read_text(encoding="utf-8")
    page = sit_down(begun, "basim", study="again")
    for each in page.view["cards"]:
        assert each["status"] == "open"
    rule(begun, LATER, number=9)
    through(page)
    said = heard(page)
    assert GENERAL in said
    assert OUTSIDE in said
    for closed in (ON_A_GROUP, "As in DEMO", LATER, "seen", FIRST):
        assert closed not in said


def test_he_sees_the_rulings_that_he_files(begun: Workspace) -> None:
    """His own on his own card, at once."""
    page = sit_down(begun, "basim", study="again")
    while (
        page.card["questions"][0]["id"] != "one_variable" and page.card["card_id"][:7] != "DEMO-T1"
    ):
        page.submit()
    page.say(
        "ruling", token=page.card["token"], click_id=page.click(), type="ruling",
        text="My own rule.", checks=["natural"], supersedes="",
    )  # fmt: skip
    assert "My own rule." in json.dumps(page.view)


def test_a_widening_shows_nothing_that_was_closed(begun: Workspace) -> None:
    """On the newly drawn groups no ruling stands that was filed on them before they were drawn."""
    judge_open(begun, "again", "basim", found(begun).sampled)
    widen_second_review(begun, "again")
    page = sit_down(begun, "basim", study="again")
    assert page.view["progress"]["total"] == len(found(begun).sampled) > 8
    through(page)
    assert ON_A_GROUP not in heard(page)


def test_a_card_that_was_edited_shows_his_own_earlier_text_alone(begun: Workspace) -> None:
    """What changed is told against the text he judged, never against the first reviewer's."""
    card = found(begun).sampled[0]
    walk = sit(begun, "again", "basim")
    judge(walk, card, fails=True, note="mine")
    path = begun.groups / f"{card}.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('text: "', 'text: "Y ', 2), encoding="utf-8"
    )
    page = sit_down(begun, "basim", study="again")
    page.say("go", to=card)
    assert page.card["changed"]
    assert page.card["draft"]["note"] == "mine"
    assert "seen" not in json.dumps(page.view)


PROGRAM = """
import json, sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from pathlib import Path
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down
page = sit_down(Workspace(Path(sys.argv[1])), "basim", study="again")
while page.view["card"] is not None:
    page.submit()
page.say("lock", click_id=page.click())
print(json.dumps([each for each in opened if "/rulings/" in each]))
"""


def test_his_process_opens_no_file_of_the_first_review(begun: Workspace) -> None:
    """From the first card to the lock: his own study, the rulings, what was retired, no more."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(begun.root)], capture_output=True, text=True,
        check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    inside = [each for each in json.loads(done.stdout) if each.startswith(str(begun.rulings))]
    opened = {Path(each).relative_to(begun.rulings).as_posix() for each in inside}
    assert {"again/study.yaml", "again/cards.jsonl", "again/second/basim.jsonl"} <= opened
    # which groups left the bank is asked of every study; the log of rulings is filtered
    known = ("again/", "rulings.jsonl", "retirements.jsonl")
    assert [each for each in sorted(opened - {"again"}) if not each.startswith(known)] == []
    assert "again/second-review.jsonl" not in opened


def test_the_first_reviewers_ledger_need_not_be_there(begun: Workspace) -> None:
    """With the whole first review taken away the desk opens and judges as before."""
    for path in sorted(begun.study_folder("demo").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    through(sit_down(begun, "basim", study="again"))
    assert SECRET not in begun.rulings_log.read_text(encoding="utf-8")
