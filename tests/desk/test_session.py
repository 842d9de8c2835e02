"""The desk without a browser: what a page says and what it is answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewkit.decisions import FileLedger
from reviewkit.rulings import RulingEntry, RulingsLog
from reviewkit.workspace import Workspace
from tests.desk.talk import Page, sit_down

FIRST, SECOND = "first-reviewer", "second-reviewer"


def ledger(ws: Workspace, rater: str = FIRST) -> FileLedger:
    """Return the ledger file of a rater of the demo."""
    return FileLedger(ws.ledger("demo", "first" if rater == FIRST else "second", rater))


def decisions(ws: Workspace, rater: str = FIRST) -> list:
    """Return the decisions on disk."""
    return [record for record in ledger(ws, rater).records() if record.kind == "decision"]


def test_a_whole_pass_ends_in_a_lock(demo: Workspace) -> None:
    """Walking all cards leads to the done panel, and locking seals the pass."""
    page = sit_down(demo, FIRST)
    walked = 0
    while page.view["card"]:
        reply = page.submit()
        assert reply["kind"] == "recorded"
        walked += 1
    assert walked == 25
    assert page.view["done"]["can_lock"]
    reply = page.say("lock", click_id=page.click())
    assert reply["kind"] == "recorded"
    assert page.view["state"] == "locked"
    page.say("go", to="DEMO-T1-001")
    assert page.submit()["kind"] == "refused"
    assert len(decisions(demo)) == 25


def test_a_failed_check_needs_a_note(demo: Workspace) -> None:
    """A no without a note is refused with the sentence beside it, and nothing is written."""
    page = sit_down(demo, FIRST)
    failing = page.card["questions"][0]["id"]
    reply = page.submit(failing)
    assert reply["kind"] == "refused"
    assert "note" in reply["text"].lower()
    assert decisions(demo) == []
    assert page.submit(failing, note="The two texts differ.")["kind"] == "recorded"
    assert decisions(demo)[0].verdict == "needs_fix"


def test_missing_answer_is_refused(demo: Workspace) -> None:
    """A card with one check open cannot be saved."""
    page = sit_down(demo, FIRST)
    answers = page.answers()
    answers.popitem()
    reply = page.submit(answers=answers)
    assert reply["kind"] == "refused"
    assert reply["problems"]
    assert decisions(demo) == []


def test_the_same_click_twice_is_one_record(demo: Workspace) -> None:
    """A double click neither doubles the decision nor labels the next card."""
    page = sit_down(demo, FIRST)
    click_id, token, answers = page.click(), page.card["token"], page.answers()
    first = page.submit(click_id=click_id, token=token, answers=answers)
    again = page.submit(click_id=click_id, token=token, answers=answers)
    assert first["kind"] == again["kind"] == "recorded"
    assert len(decisions(demo)) == 1


def test_a_ruling_sent_again_is_one_ruling(demo: Workspace) -> None:
    """When the acknowledgement got lost, the repeated message hears that it is recorded."""
    page = sit_down(demo, FIRST)
    fields = {
        "token": page.card["token"], "click_id": page.click(), "text": "One rule.", "checks": [],
    }  # fmt: skip
    assert page.say("ruling", **fields)["kind"] == "recorded"
    assert page.say("ruling", **fields)["kind"] == "recorded"
    assert len(RulingsLog(demo.rulings_log, "rulings.jsonl").all()) == 1


def test_a_torn_tail_is_told_at_once(demo: Workspace) -> None:
    """A ledger cut in an Arabic letter opens, says what was set aside, and goes on."""
    page = sit_down(demo, FIRST)
    page.submit(page.card["questions"][0]["id"], note="ملاحظة")
    path = demo.ledger("demo", "first", FIRST)
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex("ظ".encode()) + 1])
    back = sit_down(demo, FIRST)
    assert "torn" in back.view["message"]
    assert list(path.parent.glob("*.torn-*"))
    assert back.submit()["kind"] == "recorded"


def test_a_ledger_edited_by_hand_is_said_on_the_page(demo: Workspace) -> None:
    """A page whose ledger breaks while it is open names file and line, and records nothing."""
    page = sit_down(demo, FIRST)
    page.submit()
    page.submit()
    path = demo.ledger("demo", "first", FIRST)
    path.write_bytes(path.read_bytes().replace(b'"yes"', b'"no"', 1))
    reply = page.submit()
    assert reply["kind"] == "refused"
    assert "first-reviewer.jsonl:2" in reply["text"]
    again = page.say("hello", language="en")
    assert again["view"]["state"] == "nobody"
    assert "first-reviewer.jsonl:2" in again["view"]["message"]


def test_a_late_message_cannot_label_the_next_card(demo: Workspace) -> None:
    """A submit under an old token is refused, whatever click it comes with."""
    page = sit_down(demo, FIRST)
    token, answers = page.card["token"], page.answers()
    page.submit()
    reply = page.submit(token=token, answers=answers)
    assert reply["kind"] == "refused"
    assert len(decisions(demo)) == 1


def test_a_draft_survives_a_new_kernel(demo: Workspace) -> None:
    """A fresh process lands on the same card with the same answers and note."""
    page = sit_down(demo, FIRST)
    page.submit()
    card_id = page.card["card_id"]
    check = page.card["questions"][0]["id"]
    page.draft({check: "no"}, "half a sent")
    back = sit_down(demo, FIRST)
    assert back.card["card_id"] == card_id
    assert back.card["draft"] == {
        "answers": {check: "no"}, "note": "half a sent", "escalated": False, "defects": {},
    }  # fmt: skip


def test_what_a_tab_kept_is_taken_in(demo: Workspace) -> None:
    """Keystrokes that never reached the old kernel come with the hello of the reloaded page."""
    page = sit_down(demo, FIRST)
    card = page.card
    pending = {
        "whose": f"demo/first/{FIRST}", "card_id": card["card_id"],
        "card_digest": card["card_digest"], "answers": {},
        "note": "typed offline", "escalated": False, "typed_at": 1.0,
    }  # fmt: skip
    back = sit_down(demo, FIRST, pending=pending)
    assert back.card["card_id"] == card["card_id"]
    assert back.card["draft"]["note"] == "typed offline"


def test_a_second_tab_must_take_over(demo: Workspace) -> None:
    """Only one tab writes; the other says so, and after a take-over the first one does."""
    one = sit_down(demo, FIRST, tab="tab-one")
    two = sit_down(demo, FIRST, tab="tab-two")
    assert two.view["state"] == "elsewhere"
    assert two.view["card"] is None
    assert one.submit()["kind"] == "recorded"
    two.say("take_over")
    assert two.view["state"] == "writing"
    assert one.submit()["kind"] == "elsewhere"
    assert two.submit()["kind"] == "recorded"
    assert len(decisions(demo)) == 2


def test_a_reload_needs_no_take_over(demo: Workspace) -> None:
    """The same tab coming back with a new kernel simply goes on."""
    sit_down(demo, FIRST, tab="tab-one")
    assert sit_down(demo, FIRST, tab="tab-one").view["state"] == "writing"


def edit(ws: Workspace, card_id: str, before: str, after: str) -> Path:
    """Change a word in a group file, as an author would."""
    path = ws.groups / f"{card_id}.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    return path


def test_a_saved_edit_shows_with_what_changed(demo: Workspace) -> None:
    """After a verdict an edit of the file re-opens the card and shows before and after."""
    page = sit_down(demo, FIRST)
    card_id = page.card["card_id"]
    page.submit()
    page.say("go", to=card_id)
    assert page.card["decided"]
    edit(demo, card_id, "expected_length:", "expected_length: exactly #")
    assert page.say("ping")["kind"] == "page"
    assert page.card["decided"] is None
    assert page.card["changed"]
    statuses = {each["card_id"]: each["status"] for each in page.view["cards"]}
    assert statuses[card_id] == "changed"


def test_a_card_changed_between_draft_and_submit_is_refused(demo: Workspace) -> None:
    """Answers given on a text that was edited meanwhile are not recorded; the note is kept."""
    page = sit_down(demo, FIRST)
    card_id = page.card["card_id"]
    page.draft(page.answers(), "a note worth keeping")
    edit(demo, card_id, "expected_length:", "expected_length: exactly #")
    reply = page.submit(note="a note worth keeping")
    assert reply["kind"] == "refused"
    assert "edited" in reply["text"]
    assert decisions(demo) == []
    assert page.card["draft"]["note"] == "a note worth keeping"


def test_a_broken_file_is_said_and_mends_without_a_restart(demo: Workspace) -> None:
    """A YAML fault in the card's file is shown with file and line; mended, the card goes on."""
    page = sit_down(demo, FIRST)
    path = demo.groups / f"{page.card['card_id']}.yaml"
    sound = path.read_text(encoding="utf-8")
    path.write_text(sound + "nonsense: [\n", encoding="utf-8")
    page.say("ping")
    assert f"{page.card['card_id']}.yaml" in page.card["notice"]
    assert page.submit()["kind"] == "refused"
    path.write_text(sound, encoding="utf-8")
    page.say("ping")
    assert page.submit()["kind"] == "recorded"


def test_nothing_of_the_other_rater_reaches_a_page(demo: Workspace) -> None:
    """No reply to one rater holds a word of the other's notes, rulings or verdicts."""
    mark = "a-word-only-the-second-wrote"
    two = sit_down(demo, SECOND)
    two.submit(two.card["questions"][0]["id"], note=mark)
    two.say("ruling", token=two.card["token"], click_id=two.click(), text=f"{mark} rule", checks=[])
    one = sit_down(demo, FIRST)
    for _ in range(5):
        one.submit()
    one.say("go", to="DEMO-T1-001")
    said = json.dumps(one.heard, ensure_ascii=False)
    assert mark not in said
    assert SECOND not in said


def test_rulings_stand_beside_their_check_at_once_for_the_author(demo: Workspace) -> None:
    """A ruling appears beside its check for its author; the other blind pass never sees it."""
    page = sit_down(demo, FIRST)
    check = page.card["questions"][2]["id"]
    reply = page.say(
        "ruling", token=page.card["token"], click_id=page.click(),
        text="Use parallel positive descriptors.", checks=[check],
    )  # fmt: skip
    assert reply["ruling"] == "R-001"
    beside = page.card["questions"][2]["rulings"]
    assert beside == [
        {"number": "R-001", "text": "Use parallel positive descriptors.", "mine": True}
    ]
    assert "R-001" in demo.rulings_page.read_text(encoding="utf-8")
    assert sit_down(demo, SECOND).card["questions"][2]["rulings"] == []


def test_a_ruling_of_the_lead_is_seen_by_passes_that_start_later(demo: Workspace) -> None:
    """A ruling filed before a pass starts stands beside its check; one filed later does not."""
    log = RulingsLog(demo.rulings_log, "rulings.jsonl", demo.rulings_page)
    form_check = "t1/" + sit_down(demo, FIRST).card["questions"][0]["id"]
    log.file(
        RulingEntry(
            click_id="click-0001", type="ruling", text="Early.", checks=(form_check,), author="lead"
        )
    )
    assert sit_down(demo, FIRST).card["questions"][0]["rulings"] == []
    assert [r["text"] for r in sit_down(demo, SECOND).card["questions"][0]["rulings"]] == ["Early."]


def test_skip_goes_on_without_a_verdict(demo: Workspace) -> None:
    """A skipped card is its own state and can be come back to."""
    page = sit_down(demo, FIRST)
    card_id = page.card["card_id"]
    page.say("skip", token=page.card["token"], click_id=page.click(), reason="")
    assert page.card["card_id"] != card_id
    statuses = {each["card_id"]: each["status"] for each in page.view["cards"]}
    assert statuses[card_id] == "skipped"
    page.say("filter", to="skipped")
    assert page.card["card_id"] == card_id
    page.submit()
    assert len(decisions(demo)) == 1


@pytest.mark.parametrize(
    "message",
    [
        None,
        {},
        {"kind": "submit"},
        {"kind": "format_disk", "id": 1, "tab": "tab-one"},
        {"kind": "go", "id": 1, "tab": "tab-one", "to": "../../etc/passwd"},
        {"kind": "filter", "id": 1, "tab": "tab-one", "to": "everything"},
        {"kind": "ping", "id": "x" * 500_000, "tab": "tab-one"},
        {"kind": "draft", "id": 1, "tab": "tab-one", "token": "t", "answers": {"a": True},
         "note": "", "escalated": False},
    ],
)  # fmt: skip
def test_hostile_messages_are_refused(demo: Workspace, message: object) -> None:
    """Whatever a page sends that ours would not is refused and changes nothing."""
    page = sit_down(demo, FIRST)
    assert page.session.receive(message)["kind"] == "refused"
    assert page.submit()["kind"] == "recorded"


def test_arabic_interface_is_complete_and_mirrored(demo: Workspace) -> None:
    """Every string has its Arabic wording and the page says so."""
    page = sit_down(demo, FIRST)
    page.say("language", to="ar")
    assert page.view["direction"] == "rtl"
    assert all(page.view["strings"].values())
    assert page.card["chips"][0].startswith("T1")


def test_escalation_makes_a_fix_a_rejection(demo: Workspace) -> None:
    """needs_fix can be made rejected, never the other way round."""
    page = sit_down(demo, FIRST)
    failing = page.card["questions"][0]["id"]
    page.submit(failing, note="beyond repair", escalated=True)
    assert decisions(demo)[0].verdict == "rejected"
    reply = page.submit(escalated=True)
    assert reply["kind"] == "refused"


def test_a_page_of_another_tab_hears_nothing_it_could_act_on(demo: Workspace) -> None:
    """Two pages on one kernel: the one that does not write is told so for every message."""
    page = sit_down(demo, FIRST)
    other = Page(page.session, "tab-two")
    assert other.say("hello", language="en")["view"]["state"] == "elsewhere"
    assert other.say("ping")["kind"] == "elsewhere"
    assert page.say("ping")["kind"] == "pong"


def test_one_file_in_the_middle_of_an_edit_locks_nobody_out(demo: Workspace) -> None:
    """A broken group file leaves its card out, says so, and keeps the pass from being locked."""
    path = demo.groups / "DEMO-T1-003.yaml"
    path.write_text("template_id: [\n", encoding="utf-8")
    page = sit_down(demo, FIRST)
    assert "DEMO-T1-003.yaml" in page.view["message"]
    assert page.view["progress"]["total"] == 24
    while page.view["card"]:
        assert page.submit()["kind"] == "recorded"
    assert page.say("lock", click_id=page.click())["kind"] == "refused"


def with_welfare(ws: Workspace, lines: str) -> None:
    """Give the demo study a welfare section."""
    path = ws.study_file("demo")
    text = path.read_text(encoding="utf-8").replace("rounds:", f"welfare:\n{lines}rounds:")
    path.write_text(text, encoding="utf-8")


def test_the_warning_comes_before_the_first_card(demo: Workspace) -> None:
    """No card is shown until the rater goes on, which is recorded; he is asked once."""
    with_welfare(demo, "  content_warning: {en: Some cards touch on conflicts.}\n")
    page = sit_down(demo, FIRST)
    assert page.view["card"] is None
    assert page.view["done"]["text"] == "Some cards touch on conflicts."
    page.say("go", to="DEMO-T1-003")
    assert page.view["card"] is None
    assert page.say("consent", click_id=page.click())["kind"] == "recorded"
    assert page.card["card_id"] == "DEMO-T1-001"
    assert [each.kind for each in ledger(demo).records()] == ["start", "consent"]
    assert sit_down(demo, FIRST).view["card"]


def test_the_daily_limit_ends_the_day(demo: Workspace) -> None:
    """After the day's decisions no open card is shown; what was decided can be looked at."""
    with_welfare(demo, "  daily_limit: 2\n")
    page = sit_down(demo, FIRST)
    page.submit()
    page.submit()
    assert page.view["card"] is None
    assert page.view["done"]["pause"] == "enough"
    page.say("go", to="DEMO-T1-009")
    assert page.view["card"] is None
    page.say("go", to="DEMO-T1-001")
    assert page.card["decided"]


def test_a_long_sitting_is_told_to_rest(demo: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the set time without a rest the page suggests one; after a rest it is quiet again."""
    with_welfare(demo, "  break_after_minutes: 45\n")
    clock = iter([*(at * 200.0 for at in range(15)), 9_000.0])
    monkeypatch.setattr("reviewkit.desk.session.monotonic", lambda: next(clock))
    page = sit_down(demo, FIRST)
    for _ in range(14):
        page.submit()
    assert "46 minutes" in page.view["message"]
    page.submit()
    assert page.view["message"] == ""
