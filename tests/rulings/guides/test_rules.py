"""The authors' rules: those that come with reviewkit, and what is wrong with a file of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import get_args

import pytest

from reviewkit.bank.items import TestType as Kind
from reviewkit.problems import ProblemsFound
from reviewkit.questions import load_forms
from reviewkit.rulings import load_guide_rules
from reviewkit.rulings.guides.gather import newest_checklists
from reviewkit.rulings.guides.words import page_words
from reviewkit.workspace import Workspace

ROOT = Path(__file__).parents[3]
SHIPPED = Workspace(ROOT)


def test_eight_rules_cut_across_all_types() -> None:
    """The rules for every item are eight, and every one of them gates acceptance."""
    first = load_guide_rules(SHIPPED)[0]
    assert first.test_type is None
    assert [rule.strength for rule in first.rules] == ["must"] * 8


def test_every_test_type_has_rules_of_both_kinds() -> None:
    """Each type says what it measures, whose harm it looks for, what must be and what should."""
    by_type = {each.test_type: each for each in load_guide_rules(SHIPPED)[1:]}
    assert set(by_type) == set(get_args(Kind))
    for found in by_type.values():
        assert found.measures
        assert found.harm
        assert {rule.strength for rule in found.rules} == {"must", "should"}


def test_every_sentence_is_in_english_and_arabic() -> None:
    """No rule that comes with reviewkit lacks a language, and the Arabic is in Arabic letters."""
    for found in load_guide_rules(SHIPPED):
        wordings = [found.title, found.measures, found.harm]
        wordings += [each for rule in found.rules for each in (rule.text, rule.reason)]
        for wording in wordings:
            if wording is not None:
                assert set(wording) == {"en", "ar"}
                assert re.search("[\u0621-\u064a]", wording["ar"])
                assert not re.search("[\u0621-\u064a]", wording["en"])


def test_every_check_guards_a_rule() -> None:
    """Whatever a reviewer asks of a group, its author was told before."""
    guarded = {
        check
        for found in load_guide_rules(SHIPPED)
        for rule in found.rules
        for check in rule.checks
    }
    asked = {
        f"{form.form}/{check.id}"
        for form in newest_checklists(load_forms(SHIPPED.checklists))
        for check in form.checks
    }
    assert asked - guarded == set()


def test_every_word_of_a_page_is_in_both_languages() -> None:
    """No word of the pages lacks a language or drops a part that is filled in."""
    for code, wording in page_words().items():
        assert set(wording) == {"en", "ar"}, code
        parts = {tuple(sorted(re.findall(r"\{\w+\}", text))) for text in wording.values()}
        assert len(parts) == 1, code


def test_every_fault_is_told_at_once(demo: Workspace) -> None:
    """Unknown checks, doubled ids, doubled guides and slips of the pen come together."""
    folder = demo.guide_rules
    rule = "  - {id: one, strength: must, text: {en: A.}, reason: {en: B.}%s}\n"
    (folder / "t1.yaml").write_text(
        "guide: t1\ntest_type: T1\ntitle: {en: One}\nrules:\n"
        + rule % ", checks: [t1/one_varable]"
        + rule % "",
        encoding="utf-8",
    )
    (folder / "t5.yaml").write_text(
        "guide: t4\ntest_type: T4\ntitle: {en: Two}\nrules:\n" + rule % "", encoding="utf-8"
    )
    (folder / "t6.yaml").write_text(
        "guide: t6\ntitle: {en: Three}\nrules:\n" + (rule % "").replace("strength:", "stength:"),
        encoding="utf-8",
    )  # fmt: skip
    with pytest.raises(ProblemsFound) as found:
        load_guide_rules(demo)
    said = [str(each) for each in found.value.problems]
    assert len(said) == 4
    assert "t1.yaml:5 rules[0].checks[0]: no form has the check 't1/one_varable'" in said[0]
    assert said[0].endswith("use t1/one_variable")
    assert "the id 'one' is that of rules[0] too" in said[1]
    assert "another file has the rules 't4' too" in said[2]
    assert "unknown field 'stength'" in said[3]


def test_check_tells_the_faults_of_the_rules(demo: Workspace, run) -> None:
    """``reviewkit check`` reads the rules too."""
    (demo.guide_rules / "t1.yaml").write_text("guide: t1\n", encoding="utf-8")
    status, _out, err = run("check")
    assert status == 1
    assert "checklists/guides/t1.yaml:1: has no field 'title'" in err


def test_a_folder_without_rules_has_those_of_reviewkit(demo: Workspace) -> None:
    """An older project has a guide; links to checks that it does not ask are left out."""
    shutil.rmtree(demo.guide_rules)
    (demo.checklists / "t4.yaml").unlink()
    found = load_guide_rules(demo)
    assert [each.guide for each in found] == ["all", "t1", "t2", "t3", "t4"]
    links = {check for each in found for rule in each.rules for check in rule.checks}
    assert "t1/natural" in links
    assert not any(check.startswith("t4/") for check in links)
