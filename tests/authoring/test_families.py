"""Kinds of defects: the list that ships, a project's own, and what is counted by them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from reviewkit.authoring import Worklist, check_families, load_families, worklist
from reviewkit.problems import ProblemsFound
from reviewkit.questions import Checklist, load_forms
from reviewkit.questions.defects import FIX_KINDS
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import alone, edit, judge, sit
from tests.demo_bank.test_demo_bank import FAMILIES, PLANTED

ROOT = Path(__file__).parents[2]
ONE, OTHER = "DEMO-T1-001", "DEMO-T1-002"


def write(ws: Workspace, *entries: str) -> None:
    """Give the project a list of families of its own."""
    text = "families:\n" + "".join(f"  - {each}\n" for each in entries)
    ws.defect_families.write_text(text, encoding="utf-8")


def test_every_check_suggests_exactly_one_family() -> None:
    """Each check of t1 to t4 suggests a family, with the version of its form and without."""
    ws = Workspace(ROOT)
    families = load_families(ws)
    checks = Counter(check for each in families.families for check in each.suggested_by)
    asked = [
        (form, check.id)
        for form in load_forms(ws.checklists).forms
        if isinstance(form, Checklist)
        for check in form.checks
    ]
    assert {f"{form.form}/{check}" for form, check in asked} == set(checks)
    assert set(checks.values()) == {1}
    for form, check in asked:
        assert families.suggest(form.name, check) in families.ids
        assert families.suggest(form.name, check) == families.suggest(form.form, check)
    assert families.suggest("t1", "nothing") is None


def test_the_families_of_the_field_test_are_there_in_both_languages() -> None:
    """The twelve of the field test, and every one that is planted, has words in en and ar."""
    families = load_families(Workspace(ROOT))
    assert families.ids >= FAMILIES | {entry["family"] for entry in PLANTED}
    for each in families.families:
        assert set(each.title) == {"en", "ar"}
        assert set(each.explanation or {}) == {"en", "ar"}
    assert {each.fix for each in families.families} == set(FIX_KINDS)


def test_no_check_of_a_form_is_unknown_to_the_shipped_list() -> None:
    """What the shipped list names is in the shipped forms."""
    ws = Workspace(ROOT)
    assert check_families(ws, load_forms(ws.checklists)) == []


def test_a_project_has_a_list_of_its_own(demo: Workspace) -> None:
    """Its file takes the place of the shipped one; without a file the shipped one holds."""
    write(demo, "{id: dull, title: {en: Dull}, fix: textual, suggested_by: [t1/natural]}")
    assert load_families(demo).ids == {"dull"}
    demo.defect_families.unlink()
    assert load_families(demo).ids >= FAMILIES


def test_every_fault_of_the_list_is_told_at_once(demo: Workspace) -> None:
    """A doubled id, a check with two families and an unknown fix have their lines."""
    write(
        demo,
        "{id: dull, title: {en: Dull}, fix: textual, suggested_by: [t1/natural]}",
        "{id: dull, title: {en: Dull}, fix: textual, suggested_by: [t1/natural]}",
    )
    with pytest.raises(ProblemsFound) as found:
        load_families(demo)
    said = [str(each) for each in found.value.problems]
    assert len(said) == 2
    assert all("families.yaml:3" in each for each in said)
    write(demo, "{id: Dull, title: {en: Dull}, fix: prayer}")
    with pytest.raises(ProblemsFound) as found:
        load_families(demo)
    assert len(found.value.problems) == 2


def test_a_check_that_no_form_has_is_a_fault_of_the_project(demo: Workspace) -> None:
    """A slip of the pen in a check would never suggest anything."""
    write(demo, "{id: dull, title: {en: Dull}, fix: textual, suggested_by: [t1/naturel]}")
    (problem,) = check_families(demo, load_forms(demo.checklists))
    assert "t1/naturel" in str(problem)
    assert ":2 " in problem.where


def test_check_tells_every_fault_of_the_families_together(demo: Workspace) -> None:
    """A doubled id and an unknown check at once; what a name looks like is shown by an example."""
    write(
        demo,
        "{id: dull, title: {en: Dull}, fix: textual, suggested_by: [t1/naturel]}",
        "{id: dull, title: {en: Dull}, fix: textual}",
    )
    said = [str(each) for each in check_families(demo, load_forms(demo.checklists))]
    assert len(said) == 2
    assert "stands twice" in said[0]
    assert "t1/naturel" in said[1]
    write(demo, "{id: Dull, title: {en: Dull}, fix: textual, suggested_by: [natural]}")
    with pytest.raises(ProblemsFound) as found:
        load_families(demo)
    told = "\n".join(map(str, found.value.problems))
    assert "got 'Dull'; write it as hidden-character" in told
    assert "got 'natural'; write it as t1/one_variable" in told


def counted(found: Worklist) -> dict[str, tuple[int, int, int, int]]:
    """Return family -> groups, checks, open checks, named by the reviewer."""
    return {
        each.family.id if each.family else "": (
            each.groups, each.checks, each.open_checks, each.chosen,
        )
        for each in found.families
    }  # fmt: skip


def test_a_reviewer_names_a_family_or_the_check_suggests_it(demo: Workspace) -> None:
    """A named family counts for its check, a suggested one for the others; a group has several."""
    alone(demo)
    walk = sit(demo)
    judge(walk, ONE, "one_variable", "natural", defects={"one_variable": "hidden-character"})
    judge(walk, OTHER, "one_variable")
    found = counted(worklist(demo))
    assert found == {
        "undeclared-difference": (1, 1, 1, 0),
        "hidden-character": (1, 1, 1, 1),
        "broken-agreement": (1, 1, 1, 0),
    }
    assert worklist(demo).by_fix() == {
        "mechanical": (2, 2), "textual": (1, 1), "authoring": (0, 0), "redesign": (0, 0),
    }  # fmt: skip


def test_a_family_that_was_dropped_is_still_counted(demo: Workspace) -> None:
    """A record whose family the list no longer has counts among those without one."""
    alone(demo)
    judge(sit(demo), ONE, "one_variable", defects={"one_variable": "hidden-character"})
    write(demo, "{id: dull, title: {en: Dull}, fix: textual, suggested_by: [t1/natural]}")
    found = worklist(demo)
    assert counted(found) == {"": (1, 1, 1, 1)}
    assert "without a family" in found.as_text()
    assert sum(checks for _groups, checks in found.by_fix().values()) == 0


def test_a_closed_check_stays_counted_as_closed(demo: Workspace) -> None:
    """A family tells how often it was found, and how much of it still waits."""
    alone(demo)
    judge(sit(demo), ONE, "natural")
    edit(demo, ONE, "4 lines", "5 lines")
    judge(sit(demo), ONE)
    assert counted(worklist(demo)) == {"broken-agreement": (1, 1, 0, 0)}
