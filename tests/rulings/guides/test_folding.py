"""What goes into an edition: rulings beside what they govern, and what stays out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from reviewkit.bank import load_bank
from reviewkit.problems import ProblemsFound
from reviewkit.rulings import Ruling, next_edition, publish
from reviewkit.rulings.guides.quotes import quoted_items
from reviewkit.study import load_study, unblind
from reviewkit.workspace import Workspace

FilesRuling = Callable[..., Ruling]


def entries(page: str) -> dict[str, str]:
    """Return what stands under each rule or check of a Markdown page."""
    parts = re.split(r"^### `([a-z0-9_:/]+)`.*$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def section(page: str, title: str) -> str:
    """Return what stands under a heading of a Markdown page."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page, flags=re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def test_a_ruling_stands_beside_the_check_it_governs(settled: Workspace) -> None:
    """In a reviewer's checklist the ruling is under its check, with its number."""
    page = entries(next_edition(settled).as_markdown(part="t1"))
    assert "**R-004**\n\n> A twin is written in full." in page["t1/dialect_twin"]
    assert "**R-003**" in page["t1/no_bait"]
    assert "R-003" not in page["t1/natural"]


def test_a_ruling_stands_beside_the_rule_whose_check_it_governs(settled: Workspace) -> None:
    """In the author guide it is under the first rule of the type, and named under the others."""
    page = entries(next_edition(settled).as_markdown())
    assert "> A pair over a second boundary" in page["t1:comparable_values"]
    assert "See also: R-001" in page["all:complete_tags"]
    assert "> A pair over" not in page["all:complete_tags"]


def test_every_ruling_in_force_stands_once_in_the_author_guide(settled: Workspace) -> None:
    """On rules, on codebooks, on nothing, and disagreements: none is lost or told twice."""
    draft = next_edition(settled)
    page = draft.as_markdown()
    assert len(draft.content.rulings) == 6
    for ruling in draft.content.rulings:
        assert page.count(f"> {ruling.text}") == 1, ruling.number
    other = section(page, "Rulings on other forms, or on none")
    assert "### R-005" in other
    assert "### R-006" in other


def test_a_superseded_ruling_is_left_out_and_named(settled: Workspace) -> None:
    """Its text is on no page; its number is, with the one that took its place."""
    draft = next_edition(settled)
    for part in draft.parts:
        for page in (draft.as_markdown(part=part), draft.as_html(part=part)):
            assert "A stub is no twin" not in page
    assert "- R-002, by R-004" in draft.as_markdown()
    assert "- R-002, by R-004" in draft.as_markdown(part="t3")
    assert "R-002" not in draft.as_markdown(part="t2")


def test_disagreements_stand_apart(settled: Workspace) -> None:
    """A design disagreement is in a section of its own and only named beside the check."""
    draft = next_edition(settled)
    page = draft.as_markdown(part="t2")
    assert "> Both names may be a cue." in section(page, "Design disagreements")
    check = entries(page)["t2/no_hidden_cue"].partition("## Design")[0]
    assert "See also: D-001" in check
    assert "Both names" not in check
    assert "D-001" not in draft.as_markdown(part="t1")


def test_a_checklist_tells_all_of_a_check(demo: Workspace) -> None:
    """Text, explanation, failure example, nature, what a no means, and when it is asked."""
    page = entries(next_edition(demo).as_markdown(part="t3"))
    legitimate = page["t3/legitimate_request"]
    for said in (
        "Would the request, with its variable taken out, be answered without hesitation?",
        "A well-behaved model has no reason to decline",
        "still asks for the home address",
        "Nature: judgement",
        "A no means: the group is rejected",
        "Rules that it guards: `t3:legitimate`",
        "- [ ] yes",
    ):
        assert said in legitimate
    assert "Asked only when: domain is confessional-communal" in page["t3/confessional_limits"]
    assert "A no means: the group needs a fix" in page["t3/confessional_limits"]


def test_the_newest_version_of_a_form_is_in_the_guide(demo: Workspace) -> None:
    """Of two versions of a checklist the later one; codebooks are no checklists of a type."""
    assert list(next_edition(demo).content.forms) == ["t1@1", "t2@1", "t3@2", "t4@1"]


def test_what_a_blind_pass_filed_waits(demo: Workspace, file_ruling: FilesRuling) -> None:
    """A ruling of a blind rater is in no guide, and replaces none, until the round is open."""
    file_ruling("The first rule.", "t1/natural")
    file_ruling(
        "Seen by one.", "t1/natural", study="demo", author="first-reviewer", supersedes="R-001",
        **{"pass": "first"},
    )  # fmt: skip
    draft = next_edition(demo)
    assert draft.waiting == ("R-002",)
    assert [each.number for each in draft.content.rulings] == ["R-001"]
    assert "Seen by one" not in draft.as_html(part="t1")
    assert "open: 1." in draft.as_markdown()
    unblind(demo, load_study(demo, "demo"), load_study(demo, "demo").rounds[0], "a trial")
    assert [each.number for each in next_edition(demo).content.rulings] == ["R-002"]


def test_what_a_single_reviewer_filed_is_folded_in(
    demo: Workspace, file_ruling: FilesRuling
) -> None:
    """Where there is nobody to be blind to, a ruling from a card goes into the next edition."""
    path = demo.study_file("demo")
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("      - {pass: second, rater: second-reviewer}\n", ""), encoding="utf-8"
    )
    more = {"study": "demo", "pass": "first", "author": "first-reviewer"}
    file_ruling("Seen by the only one.", "t1/natural", **more)
    assert next_edition(demo).waiting == ()
    assert publish(demo, name="lead").rulings == ("R-001",)


def test_no_item_is_told(demo: Workspace, file_ruling: FilesRuling) -> None:
    """A ruling that repeats an item is withheld in the draft and refused in an edition."""
    item = load_bank(demo).groups[0].items[0]
    words = str(item.text).split()
    file_ruling(f"As in: {' '.join(words[2:12])}.", "t1/natural", item_ids=(item.id,))
    draft = next_edition(demo)
    assert " ".join(words[3:9]) not in draft.as_html(part="t1") + draft.as_markdown()
    assert f"is left out: {item.id}" in draft.as_markdown(part="t1")
    with pytest.raises(ProblemsFound) as found:
        publish(demo, name="lead")
    assert "R-001: repeats the text of" in str(found.value)
    assert not demo.guide_editions.exists()
    file_ruling("As in the first item.", "t1/natural", item_ids=(item.id,), supersedes="R-001")
    assert publish(demo, name="lead").rulings == ("R-002",)


@pytest.mark.parametrize("disguise", [str.upper, lambda text: text.replace(" ", " \u200e  ")])
def test_a_quotation_is_found_in_disguise(demo: Workspace, disguise: Callable[[str], str]) -> None:
    """Case, spaces, tatweel, vowel marks and direction marks hide no item."""
    bank = load_bank(demo)
    item = bank.groups[0].items[0]
    text = "".join(f"{char}\u064e" if char == "ب" else char for char in str(item.text))
    text = text.replace("ا", "ا\u0640", 1)
    assert item.id in quoted_items({"x": disguise(text)}, bank)["x"]
    assert quoted_items({"x": "A rule of eight words or more that is nobody's item."}, bank) == {}


def test_no_rule_and_no_check_repeats_an_item_of_the_demo(demo: Workspace) -> None:
    """What comes with reviewkit can be published."""
    assert next_edition(demo).problems == ()
