"""The kind of defect at the desk: suggested by Python, chosen on the page, recorded as shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reviewkit.problems import ProblemsFound
from reviewkit.study import Walk
from reviewkit.workspace import Workspace
from tests.desk.talk import Page, sit_down

FIRST = "first-reviewer"


def _decisions(ws: Workspace) -> list[dict[str, Any]]:
    lines = ws.ledger("demo", "first", FIRST).read_text(encoding="utf-8").splitlines()
    return [each for each in map(json.loads, lines) if each["kind"] == "decision"]


def _first_check(page: Page) -> str:
    assert page.card["card_id"] == "DEMO-T1-001"
    return "one_variable"


def test_the_page_gets_the_families_once_and_each_check_its_suggestion(demo: Workspace) -> None:
    """The list comes with the first page in its language; a card names only what it suggests."""
    page = sit_down(demo, FIRST)
    families = page.view["families"]
    assert len(families) >= 12
    assert {"undeclared-difference", "hidden-character"} <= {each["id"] for each in families}
    assert all(each["title"] and each["fix"] for each in families)
    suggested = {each["id"]: each["suggests"] for each in page.card["questions"]}
    assert suggested[_first_check(page)] == "undeclared-difference"
    arabic = page.say("language", to="ar")["view"]["families"]
    assert [each["id"] for each in arabic] == [each["id"] for each in families]
    assert arabic[0]["title"] != families[0]["title"]
    page.say("go", to="next")
    assert "families" not in page.view


def test_what_the_check_suggests_is_recorded_with_the_verdict(demo: Workspace) -> None:
    """Who judges by keyboard and never opens the list records the family that was shown."""
    page = sit_down(demo, FIRST)
    assert page.submit(_first_check(page), note="a letter differs")["kind"] == "recorded"
    (decision,) = _decisions(demo)
    assert decision["verdict"] == "needs_fix"
    assert decision["defects"] == {"one_variable": "undeclared-difference"}


def test_an_accepted_card_names_no_defect(demo: Workspace) -> None:
    """Nothing failed, so there is no family."""
    page = sit_down(demo, FIRST)
    page.submit()
    assert _decisions(demo)[0]["defects"] == {}


def test_what_was_chosen_is_kept_as_a_draft_and_recorded(demo: Workspace) -> None:
    """A choice outlives the kernel, goes into the record, and the card opens with it again."""
    page = sit_down(demo, FIRST)
    check = _first_check(page)
    chosen = {check: "hidden-character"}
    page.draft(page.answers(check), "a mark", defects=chosen)
    back = sit_down(demo, FIRST)
    assert back.card["draft"]["defects"] == chosen
    back.submit(check, note="a mark", defects=chosen)
    assert _decisions(demo)[0]["defects"] == chosen
    back.say("go", to="DEMO-T1-001")
    assert back.card["draft"]["defects"] == chosen


def test_words_that_a_tab_could_not_save_keep_their_family(demo: Workspace) -> None:
    """A pending draft brings the choice along with the answers."""
    card = sit_down(demo, FIRST).card
    pending = {
        "whose": f"demo/first/{FIRST}", "card_id": card["card_id"],
        "card_digest": card["card_digest"], "answers": {"one_variable": "no"}, "note": "typed",
        "defects": {"one_variable": "hidden-character"}, "typed_at": 1.0,
    }  # fmt: skip
    page = sit_down(demo, FIRST, pending=pending)
    assert page.card["draft"]["defects"] == {"one_variable": "hidden-character"}


@pytest.mark.parametrize(
    ("defects", "said"),
    [
        ({"one_variable": "made-up"}, "no family of defects 'made-up'"),
        ({"natural": "hidden-character"}, "check natural did not fail"),
        ({"one_variable": {"id": "x"}}, "defects"),
        ({"one_variable": "x" * 65}, "defects"),
        (["one_variable"], "defects"),
    ],
)
def test_a_hostile_page_records_no_defect_of_its_own(
    demo: Workspace, defects: Any, said: str
) -> None:
    """An unknown family, a check that passed or another type is refused; nothing is recorded."""
    page = sit_down(demo, FIRST)
    reply = page.submit(_first_check(page), note="x", defects=defects)
    assert reply["kind"] == "refused"
    assert said in reply["text"]
    assert _decisions(demo) == []


def test_a_project_has_its_own_families(demo: Workspace) -> None:
    """A family of the project's file is offered, suggested and recorded."""
    demo.defect_families.parent.mkdir(parents=True, exist_ok=True)
    demo.defect_families.write_text(
        "families:\n  - id: our-own\n    fix: textual\n    suggested_by: [t1/natural]\n"
        "    title: {en: Our own}\n",
        encoding="utf-8",
    )
    page = sit_down(demo, FIRST)
    assert [each["title"] for each in page.view["families"]] == ["Our own"]
    page.submit("one_variable", "natural", note="x")
    # a check that suggests none, and for which none was chosen, is left without
    assert _decisions(demo)[0]["defects"] == {"natural": "our-own"}


def test_a_family_that_left_the_list_is_asked_for_again(demo: Workspace) -> None:
    """A card judged with it opens with what its check suggests now."""
    page = sit_down(demo, FIRST)
    page.submit(_first_check(page), note="x", defects={"one_variable": "hidden-character"})
    demo.defect_families.parent.mkdir(parents=True, exist_ok=True)
    demo.defect_families.write_text(
        "families:\n  - id: other\n    fix: textual\n    suggested_by: [t1/one_variable]\n"
        "    title: {en: Other}\n",
        encoding="utf-8",
    )
    again = sit_down(demo, FIRST)
    again.say("go", to="DEMO-T1-001")
    assert again.card["draft"]["defects"] == {}
    assert again.card["questions"][0]["suggests"] == "other"


def test_a_fault_in_the_families_is_told_before_any_card(demo: Workspace) -> None:
    """File and line are named, as with a form at fault."""
    demo.defect_families.parent.mkdir(parents=True, exist_ok=True)
    demo.defect_families.write_text("families:\n  - id: Not One\n", encoding="utf-8")
    with pytest.raises(ProblemsFound, match=r"families\.yaml"):
        Walk(demo, "demo", FIRST, origin="lab")
