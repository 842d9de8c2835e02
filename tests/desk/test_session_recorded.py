"""What is on disk is never called unrecorded, whatever fails after it."""

from __future__ import annotations

import re

from reviewkit.decisions import CannotWrite, Drafts, FileLedger
from reviewkit.workspace import Workspace
from tests.desk.talk import Page, sit_down

FIRST = "first-reviewer"


def decided(ws: Workspace) -> int:
    """Return how many decisions are on disk."""
    records = FileLedger(ws.ledger("demo", "first", FIRST)).records()
    return sum(record.kind == "decision" for record in records)


def finish(page: Page) -> None:
    """Judge every card that is left."""
    while page.view["card"]:
        page.submit()


def test_a_disk_that_fills_up_after_the_record_is_no_lost_record(
    demo: Workspace, monkeypatch
) -> None:
    """The draft cannot be cleared any more, and the page still hears that it is recorded."""

    def full(*_: object, **__: object) -> None:
        raise CannotWrite("a draft", "no space left on device", "free some room")

    page = sit_down(demo, FIRST)
    monkeypatch.setattr(Drafts, "clear", full)
    assert page.submit()["kind"] == "recorded"
    assert decided(demo) == 1


def test_a_disk_that_takes_no_draft_still_tells_what_the_answers_come_to(
    demo: Workspace, monkeypatch
) -> None:
    """The page saves by that; when there is room again the card can be saved at once."""
    page = sit_down(demo, FIRST)

    def full(*_: object, **__: object) -> None:
        raise CannotWrite("a draft", "no space left on device", "free some room")

    with monkeypatch.context() as patch:
        patch.setattr(Drafts, "save", full)
        reply = page.draft(page.answers())
    assert reply["kind"] == "refused"
    assert "no space left" in reply["text"]
    assert reply["token"] == page.card["token"]
    assert reply["outcome"]["ready"]
    assert page.submit()["kind"] == "recorded"


def test_a_private_folder_that_is_a_file_is_no_lost_record(demo: Workspace) -> None:
    """Contents that cannot be kept are missed later and are no bug now."""
    page = sit_down(demo, FIRST)
    demo.private.write_text("a file", encoding="utf-8")
    assert page.submit()["kind"] == "recorded"


def test_a_rulings_log_that_breaks_meanwhile_is_no_lost_record(demo: Workspace) -> None:
    """The decision is acknowledged, and the page says why it shows no further card."""
    page = sit_down(demo, FIRST)
    demo.rulings_log.write_text("not a ruling\n", encoding="utf-8")
    reply = page.submit()
    assert reply["kind"] == "recorded"
    assert reply["view"]["state"] == "nobody"
    assert "is recorded" in reply["view"]["message"]
    assert "rulings.jsonl:1" in reply["view"]["message"]
    assert decided(demo) == 1


def test_a_page_of_rulings_that_cannot_be_written_is_no_lost_ruling(demo: Workspace) -> None:
    """The log has the ruling; the page beside it is rendered again with the next one."""
    page = sit_down(demo, FIRST)
    demo.rulings_page.mkdir()
    reply = page.say("ruling", token=page.card["token"], click_id=page.click(), text="a rule")
    assert (reply["kind"], reply["ruling"]) == ("recorded", "R-001")


def test_a_pass_folder_that_is_a_file_is_said(demo: Workspace) -> None:
    """A page that may not write anything names the place and what to do."""
    demo.ledger("demo", "first", FIRST).parent.write_text("a file", encoding="utf-8")
    page = sit_down(demo, FIRST)
    assert page.view["state"] == "nobody"
    assert "a file stands where a folder belongs" in page.view["message"]


def test_a_group_that_turns_into_a_type_without_a_form_is_a_fault_of_its_file(
    demo: Workspace,
) -> None:
    """The page names the file; the other cards go on."""
    path = demo.study_file("demo")
    text = path.read_text(encoding="utf-8").replace("T3: t3@2, ", "")
    path.write_text(
        text.replace("groups: all", "groups: [DEMO-T1-001, DEMO-T1-002]"), encoding="utf-8"
    )
    page = sit_down(demo, FIRST)
    other = (demo.groups / "DEMO-T3-001.yaml").read_text(encoding="utf-8")
    turned = other.replace("DEMO-T3-001", "DEMO-T1-001")
    (demo.groups / "DEMO-T1-001.yaml").write_text(turned, encoding="utf-8")
    assert page.say("ping")["kind"] == "page"
    reply = page.submit()
    assert reply["kind"] == "refused"
    assert "no form for T3" in reply["text"]
    page.say("go", to="DEMO-T1-002")
    assert page.submit()["kind"] == "recorded"


def test_a_pass_is_not_locked_while_a_new_form_has_open_checks(demo: Workspace) -> None:
    """The form's new edition re-opens its cards; the lock waits for them through every door."""
    finish(sit_down(demo, FIRST))
    form = (demo.checklists / "t1.yaml").read_text(encoding="utf-8")
    newer = re.sub(r"(?m)^version: .*$", 'version: "2"', form)
    (demo.checklists / "t1_v2.yaml").write_text(newer, encoding="utf-8")
    study = demo.study_file("demo")
    study.write_text(study.read_text(encoding="utf-8").replace("t1@1", "t1@2"), encoding="utf-8")
    page = sit_down(demo, FIRST)
    reply = page.say("lock", click_id=page.click())
    assert reply["kind"] == "refused"
    assert "not locked" in reply["text"]


def test_on_a_slow_line_what_is_said_twice_makes_nothing_stale(demo: Workspace) -> None:
    """A page that said hello, a draft or a save again is still on the same card, and may save."""
    page = sit_down(demo, FIRST)
    token, answers, click = page.card["token"], page.answers(), page.click()
    page.say("hello", language="en")
    assert page.draft(answers, token=token)["kind"] == "outcome"
    assert page.submit(token=token, answers=answers, click_id=click)["kind"] == "recorded"
    after = page.card["token"]
    for late in (
        page.draft(answers, token=token), page.submit(token=token, answers=answers, click_id=click),
    ):  # fmt: skip
        assert late["view"]["card"]["token"] == after
    assert page.submit(token=after)["kind"] == "recorded"
    assert decided(demo) == 2


def test_a_draft_is_under_way_while_a_ruling_or_a_question_is_filed(demo: Workspace) -> None:
    """Neither moves the screen: what the page says before it hears of them still counts."""
    page = sit_down(demo, FIRST)
    token, answers = page.card["token"], page.answers()
    page.say("ruling", token=token, click_id=page.click(), text="a rule")
    assert page.draft(answers, token=token)["kind"] == "outcome"
    page.say("question", token=token, click_id=page.click(), text="is it one?")
    assert page.submit(token=token, answers=answers)["kind"] == "recorded"
