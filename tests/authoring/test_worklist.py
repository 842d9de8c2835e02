"""The worklist: what is open, what is closed, and what nobody may know yet."""

from __future__ import annotations

import secrets

import pytest

from reviewkit.authoring import Worklist, retire, start_second_review, worklist
from reviewkit.authoring.layout import blocks_of
from reviewkit.authoring.lines import Line
from reviewkit.authoring.one_group import one_group
from reviewkit.bank import UnknownGroup, load_bank
from reviewkit.rulings import RulingEntry, RulingsLog
from reviewkit.rulings.guides import next_edition
from reviewkit.study import Hearing, find_round, load_study, reopen, unblind
from reviewkit.workspace import Workspace
from tests.authoring import second_reviews
from tests.authoring.one_reviewer import alone, edit, judge, sit
from tests.authoring.test_standing import judge as judge_any
from tests.authoring.test_standing import rewrite, walk

ONE, OTHER, PAIR = "DEMO-T1-001", "DEMO-T1-002", "DEMO-T3-001"


def line(ws: Workspace, card: str = ONE) -> Line:
    """Return a group's line of the list as it is now."""
    found = worklist(ws).line(card)
    assert found is not None
    return found


def checks(found: Line) -> tuple[list[str], list[str]]:
    """Return the open checks and the closed ones."""
    return (
        [each.failed.check for each in found.open_checks],
        [each.failed.check for each in found.closed_checks],
    )


def test_only_a_reviewer_closes_a_check(demo: Workspace) -> None:
    """An edit leaves a failed check open; the next verdict closes what passes, and no more."""
    alone(demo)
    judge(sit(demo), ONE, "natural", "bounded_request")
    edit(demo, ONE, "4 lines", "5 lines")
    assert line(demo).state == "changed"
    assert checks(line(demo)) == (["t1/bounded_request", "t1/natural"], [])
    judge(sit(demo), ONE, "natural")
    assert checks(line(demo)) == (["t1/natural"], ["t1/bounded_request"])
    edit(demo, ONE, "5 lines", "6 lines")
    judge(sit(demo), ONE, "bounded_request")
    assert checks(line(demo)) == (["t1/bounded_request"], ["t1/natural"])
    edit(demo, ONE, "6 lines", "7 lines")
    judge(sit(demo), ONE)
    assert checks(line(demo)) == ([], ["t1/bounded_request", "t1/natural"])
    assert line(demo).state == "accepted"
    assert [each.state for each in worklist(demo).histories.of(ONE)] == [
        "needs_fix", "needs_fix", "needs_fix", "accepted",
    ]  # fmt: skip


def test_a_changed_mind_leaves_no_failed_check(demo: Workspace) -> None:
    """On the same content the later verdict of a pass takes the place of the earlier one."""
    alone(demo)
    walking = sit(demo)
    judge(walking, ONE, "natural")
    judge(walking, ONE)
    assert checks(line(demo)) == ([], [])
    assert len(worklist(demo).histories.of(ONE)) == 1
    judge(walking, OTHER, "natural")
    walking.skip(OTHER, click_id=secrets.token_hex(8))
    assert checks(line(demo, OTHER)) == ([], [])
    assert line(demo, OTHER).state == "skipped"


def test_a_retired_group_closes_its_checks(demo: Workspace) -> None:
    """What left the bank waits for nobody; its history stays."""
    alone(demo)
    judge(sit(demo), ONE, "natural")
    retire(demo, ONE, reason="no second value", name="amal")
    found = worklist(demo)
    assert checks(line(demo)) == ([], ["t1/natural"])
    assert (found.open_checks, found.failed_checks, found.live) == (0, 1, 24)
    assert [each.state for each in found.histories.of(ONE)] == ["needs_fix"]
    assert line(demo).state == "retired"


def test_a_blind_round_gives_nothing_away(demo: Workspace) -> None:
    """Until the locks the list tells that there is a verdict: no check, no family, no note."""
    judge_any(walk(demo, "first-reviewer"), PAIR, "no_harm")
    judge_any(walk(demo, "first-reviewer"), ONE)
    found = worklist(demo)
    told = [found.as_text(), found.as_markdown(), found.as_html(), str(found.as_json())]
    one = one_group(PAIR, demo)
    told += [one.as_text(), one.as_html(), str(one.as_json())]
    for each in told:
        assert "no_harm" not in each
        assert "improper" not in each
        assert "seen" not in each
    shut = line(demo, PAIR)
    assert (shut.state, shut.by, shut.checks) == ("reviewed", "first", ())
    assert line(demo, ONE).state == line(demo, PAIR).state
    assert found.failed_checks == 0
    assert "2 groups reviewed in a blind round" in told[0]
    study = load_study(demo, "demo")
    unblind(demo, study, find_round(study, None), "to see")
    assert checks(line(demo, PAIR)) == (["t3/no_harm"], [])
    assert "improper" in worklist(demo).as_text()


def test_an_adjudication_closes_what_a_pass_failed(demo: Workspace) -> None:
    """The adjudicator's verdict is the last one, and stands in the history by that name."""
    rewrite(demo, adjudication="{adjudicator: umpire, queue: all}")
    for rater in ("first-reviewer", "second-reviewer"):
        walking = walk(demo, rater)
        for card in walking.card_ids:
            judge_any(walking, card, *(["natural"] if card == ONE else []))
        walking.lock(click_id=secrets.token_hex(8))
    assert checks(line(demo)) == (["t1/natural"], [])
    sitting = Hearing(demo, "demo", "umpire", origin="voila")
    sitting.start(0)
    judge_any(sitting, ONE)
    judge_any(sitting, ONE)
    assert checks(line(demo)) == ([], ["t1/natural"])
    assert [each.by for each in worklist(demo).histories.of(ONE)] == ["first", "adjudication"]


def test_a_second_review_sends_a_group_back(demo: Workspace) -> None:
    """What a locked second review failed is open again, until an edit is reviewed anew."""
    second_reviews.first_review(demo)
    start_second_review(demo, "again", "second-reviewer", 1)
    sampled = second_reviews.found(demo).sampled
    card = next(each for each in sampled if each.startswith("DEMO-T1"))
    walking = second_reviews.sit(demo, "again", "second-reviewer")
    for each in sampled:
        second_reviews.judge(walking, each, fails=each == card)
    assert line(demo, card).state == "accepted"
    walking.lock(click_id=secrets.token_hex(8))
    assert (line(demo, card).state, line(demo, card).by) == ("needs_fix", "second-review")
    assert checks(line(demo, card)) == (["t1/one_variable"], [])
    assert [each.by for each in worklist(demo).histories.of(card)] == ["first", "second-review"]
    second_reviews.edit(demo, card)
    assert line(demo, card).state == "changed"
    first = load_study(demo, "demo")
    reopen(demo, first, first.rounds[0], first.rounds[0].passes[0], "to look again")
    judge(sit(demo), card)
    assert line(demo, card).state == "accepted"
    assert checks(line(demo, card)) == ([], ["t1/one_variable"])


def test_without_a_study_of_record_it_says_so(demo: Workspace) -> None:
    """Groups are listed, and nobody claims to know where they stand."""
    rewrite(demo, of_record='"no"')
    found = worklist(demo)
    assert (found.study, found.live) == ("", 25)
    assert "No study of record" in found.as_text()
    assert found.as_json()["study"] is None


def test_a_file_in_the_middle_of_an_edit_is_counted(demo: Workspace) -> None:
    """The list is of the other groups, and says that one is missing."""
    (demo.groups / f"{ONE}.yaml").write_text("template_id: [", encoding="utf-8")
    found = worklist(demo)
    assert found.live == 24
    assert found.unreadable >= 1
    assert "`reviewkit check`" in found.as_text()


def test_work_stands_before_what_is_done(demo: Workspace) -> None:
    """Rejected and returned groups come first, accepted ones last."""
    alone(demo)
    walking = sit(demo)
    judge(walking, ONE)
    judge(walking, OTHER, "natural")
    judge(walking, PAIR, "no_harm")
    text = worklist(demo).as_text()
    listed = text[text.index("Group by group") :]
    assert listed.index(PAIR) < listed.index(OTHER) < listed.index("DEMO-T4-001")
    assert listed.index("DEMO-T4-001") < listed.index(ONE)


def test_one_group_shows_what_changed_since_its_review(demo: Workspace) -> None:
    """The difference is word by word, and stands in every form of the page."""
    alone(demo)
    judge(sit(demo), "DEMO-T1-003", "natural", note="المطابقة <b>")
    edit(demo, "DEMO-T1-003", "الحي الهادئة التي يسكنها", "الحي الهادئ الذي يسكنه")
    one = one_group("DEMO-T1-003", demo)
    assert one.changed
    assert one.changes is not None
    (change,) = one.changes
    assert (change.where, change.field) == ("DEMO-T1-003-b", "text")
    marked = [each.text for each in change.after if each.mark != "same"]
    assert "".join(marked).split() == ["الهادئ", "الذي", "يسكنه"]
    assert "[[الهادئ الذي يسكنه]]" in one.as_text()
    page = one.as_html()
    assert "الهادئ الذي يسكنه</mark>" in page
    assert "المطابقة &lt;b&gt;" in page
    assert "<b>" not in page.split('class="rkw-note"')[1].split("</p>")[0]
    assert one.as_json()["changes"][0]["field"] == "text"


def test_what_this_machine_did_not_keep_is_said(demo: Workspace) -> None:
    """A ledger holds digests: without the kept text the page says where to look."""
    alone(demo)
    judge(sit(demo), ONE)
    for path in demo.contents.iterdir():
        path.unlink()
    edit(demo, ONE, "4 lines", "5 lines")
    one = one_group(ONE, demo)
    assert (one.changed, one.changes) == (True, None)
    assert "What it was is not kept" in one.as_text()


def test_another_edition_of_the_form_is_told_from_an_edit(demo: Workspace) -> None:
    """A verdict that is stale by its form alone shows no difference, and says why."""
    rewrite(demo, forms="{T1: t1@1, T2: t2@1, T3: t3@1, T4: t4@1}")
    alone(demo)
    judge(sit(demo), PAIR)
    rewrite(demo, forms="{T1: t1@1, T2: t2@1, T3: t3@2, T4: t4@1}")
    one = one_group(PAIR, demo)
    assert (one.line.state, one.changed) == ("changed", False)
    assert "the checklist has another edition" in one.as_text()


def test_one_group_carries_its_rulings(demo: Workspace) -> None:
    """Those taken on its items, and those in force for a check that is open on it."""
    alone(demo)
    judge(sit(demo), ONE, "natural")
    log = RulingsLog(demo.rulings_log, "rulings", None)
    for text, items, governed in (
        ("on an item", (f"{ONE}-a",), ()), ("on the check", (), ("t1/natural",)),
        ("elsewhere", (f"{OTHER}-a",), ("t1/dialect_twin",)),
    ):  # fmt: skip
        log.file(
            RulingEntry(
                click_id=secrets.token_hex(8), type="ruling", text=text, item_ids=items,
                checks=governed, author="lead",
            )
        )  # fmt: skip
    assert [each.text for each in one_group(ONE, demo).rulings] == ["on an item", "on the check"]
    assert "R-002: on the check" in one_group(ONE, demo).as_text()


def test_a_group_that_never_was_is_unknown(demo: Workspace) -> None:
    """A slip of the pen gets the nearest id; a retired group still has its page."""
    with pytest.raises(UnknownGroup, match="DEMO-T1-001"):
        one_group("DEMO-T1-0011", demo)
    retire(demo, ONE, reason="no second value", name="amal", merged_into=OTHER)
    one = one_group(ONE, demo)
    assert "merged into DEMO-T1-002" in one.as_text()
    assert "its identifiers stay taken" in one.as_html()


def plain_blocks(found: Worklist) -> str:
    """Return the blocks as they are, to look for texts of items in them."""
    return repr(list(blocks_of(found)))


def test_the_list_holds_no_text_of_an_item(demo: Workspace) -> None:
    """Identifiers and counts travel; the texts of items stay in the bank."""
    alone(demo)
    judge(sit(demo), ONE, "natural")
    said = plain_blocks(worklist(demo)) + str(worklist(demo).as_json())
    for group in load_bank(demo).groups:
        for item in group.items:
            for text in (item.text, item.context, item.question):
                assert not text or text not in said


def file_ruling(ws: Workspace, text: str, *items: str, **more: str) -> None:
    """File a ruling on items and on the check of natural language."""
    fields = {
        "click_id": secrets.token_hex(8), "type": "ruling", "text": text, "item_ids": items,
        "checks": ("t1/natural",), "author": "lead", **more,
    }  # fmt: skip
    RulingsLog(ws.rulings_log, "rulings", None).file(RulingEntry.model_validate(fields))


def test_a_ruling_of_a_blind_round_is_on_no_page_of_a_group(demo: Workspace) -> None:
    """What a blind pass filed tells what its rater saw: it waits, and supersedes nothing yet."""
    file_ruling(demo, "A rule of the lead.", f"{ONE}-a")
    mine = {"study": "demo", "pass": "first", "author": "first-reviewer"}
    file_ruling(demo, "This one fails.", f"{ONE}-a", supersedes="R-001", **mine)
    one = one_group(ONE, demo)
    for each in (one.as_text(), one.as_html(), one.as_markdown(), str(one.as_json())):
        assert "R-001" in each
        assert "R-002" not in each
        assert "This one fails" not in each
    study = load_study(demo, "demo")
    unblind(demo, study, find_round(study, None), "to see")
    told = one_group(ONE, demo).as_text()
    assert "R-001 (superseded by R-002): A rule of the lead." in told
    assert "R-002: This one fails." in told


def test_what_a_second_reviewer_says_under_a_lifted_lock_waits(demo: Workspace) -> None:
    """A ruling, a note or another failed check of his is told by the lock that seals it."""
    second_reviews.first_review(demo)
    start_second_review(demo, "again", "second-reviewer", 1)
    card = next(each for each in second_reviews.found(demo).sampled if each.startswith("DEMO-T1"))
    mine = {"study": "again", "pass": "second", "author": "second-reviewer"}
    file_ruling(demo, "Before the lock.", f"{card}-a", **mine)
    assert one_group(card, demo).rulings == ()
    assert next_edition(demo).waiting == ("R-001",)
    walking = second_reviews.judge_open(demo, "again", "second-reviewer", {card})
    assert [each.number for each in one_group(card, demo).rulings] == ["R-001"]
    reopen(demo, load_study(demo, "again"), load_study(demo, "again").rounds[0],
           load_study(demo, "again").rounds[0].passes[0], "a slip")  # fmt: skip
    file_ruling(demo, "After it was lifted.", f"{card}-a", **mine)
    judge(walking, card, "natural", note="unsealed words")
    one = one_group(card, demo)
    assert checks(one.line) == (["t1/one_variable"], [])
    assert [each.number for each in one.rulings] == ["R-001"]
    assert "unsealed words" not in one.as_text()
    walking.lock(click_id=secrets.token_hex(8))
    one = one_group(card, demo)
    assert checks(one.line) == (["t1/natural"], [])
    assert "unsealed words" in one.as_text()
    assert [each.number for each in one.rulings] == ["R-001", "R-002"]


def test_an_empty_bank_says_how_to_begin(demo: Workspace) -> None:
    """No table without a row: one sentence, and what begins a bank."""
    for path in demo.groups.iterdir():
        path.unlink()
    demo.batches.unlink()
    found = worklist(demo)
    assert found.as_text().splitlines()[-1].startswith("The bank has no group yet: `reviewkit new`")
    assert "<table" not in found.as_html()


def test_before_the_first_verdict_the_list_says_so(demo: Workspace) -> None:
    """Nobody has to read noughts: none is reviewed, and no column is empty."""
    demo.batches.unlink()
    text = worklist(demo).as_text()
    assert "none reviewed yet, in study demo" in text
    (header,) = (each for each in text.splitlines() if each.startswith("group "))
    assert header.split() == ["group", "type", "state"]
    demo.study_file("demo").unlink()
    assert 'write `of_record: "yes"`' in " ".join(worklist(demo).as_text().split())
