"""What the audit prints may travel anywhere: no form of it holds a word of an item."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from reviewkit.bank import Group
from reviewkit.bank.folding import words_of
from reviewkit.problems import Problem
from reviewkit.release import Audit, audit
from reviewkit.release.layout import as_json, as_markdown, as_text
from reviewkit.workspace import Workspace
from tests.release.small_bank import audited, material
from tests.release.test_codes import CASES

FORMS = {
    "text": as_text,
    "md": as_markdown,
    "json": lambda found: json.dumps(as_json(found), ensure_ascii=False),
    "repr": repr,
}


def texts_of(group: Group) -> Iterator[str]:
    """Yield everything of a group that is a text: prompts, options, values, terms, free fields."""
    for item in group.items:
        parts = (item.text, item.context, item.question, *item.options, item.swapped_value)
        yield from (part for part in parts if part)
    fields = (group.base_text, *group.value_list, group.harm_review, group.audience, group.notes)
    yield from (field for field in fields if field)
    yield from (term.term for term in group.term_watchlist)


def words(text: str) -> list[str]:
    """Return the words of a text as they are read, without signs, numbers and single letters."""
    folded = (word.folded for word in words_of(text))
    return [word for word in folded if word.isalpha() and len(word) > 1]


def runs(text: str, length: int = 3) -> Iterator[str]:
    """Yield every run of that many words of a text; a shorter text as a whole."""
    found = words(text)
    for at in range(max(1, len(found) - length + 1)):
        yield " ".join(found[at : at + length])


def quoted(groups: tuple[Group, ...], printed: str) -> set[str]:
    """Return the runs of the groups' texts that stand in what was printed."""
    said = f" {' '.join(words(printed))} "
    every = {run for group in groups for text in texts_of(group) for run in runs(text)}
    return {run for run in every if run and f" {run} " in said}


@pytest.mark.parametrize("form", FORMS)
def test_the_demo_audit_quotes_no_item(form: str) -> None:
    """No three words of any text of the demo bank stand in any form of its audit."""
    ws = Workspace(Path(__file__).parents[2])
    from reviewkit.bank import load_bank

    assert quoted(load_bank(ws).groups, FORMS[form](audit(ws))) == set()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_no_finding_quotes_an_item(case) -> None:
    """Whatever the fault is, its words stay in the bank."""
    found = audited(case.fault, **case.fault_more)
    for form, say in FORMS.items():
        assert quoted(case.fault, say(found)) == set(), form


CANARY = "zqcanary"
PROSE = {
    "text", "context", "question", "options", "swapped_value", "swapped_variable", "base_text",
    "value_list", "expected_length", "harm_review", "audience", "term", "notes", "layer",
    "reviewers", "fact_statement", "primary_source", "source_type", "verified_by", "en", "ar",
}  # fmt: skip
"""Every field of a bank that holds words and no code."""


def _with_canaries(value: object, field: str = "") -> object:
    if isinstance(value, dict):
        return {name: _with_canaries(each, str(name)) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_canaries(each, field) for each in value]
    return f"{value} {CANARY}" if field in PROSE else value


def test_no_word_of_any_field_gets_out(demo: Workspace) -> None:
    """A canary in each field of items, registry and taxonomy stands in no form and no finding."""
    planted = 0
    for path in (*demo.groups.glob("*.yaml"), demo.registry, demo.taxonomy):
        value = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        text = yaml.safe_dump(_with_canaries(value), allow_unicode=True, sort_keys=False)
        planted += text.count(CANARY)
        path.write_text(text, encoding="utf-8")
    found = audit(demo)
    assert planted > 300
    assert found.groups == 25
    assert len({each.code for each in found.findings}) > 10
    for say in (*FORMS.values(), str, lambda each: "".join(map(repr, each.findings))):
        assert CANARY not in say(found)


def test_the_test_would_notice() -> None:
    """The comparison finds a quotation when there is one."""
    group = material(CASES[2].fault).groups[0]
    assert quoted((group,), f"see: {group.items[0].text}")


def test_a_file_that_cannot_be_read_is_named_without_its_words(demo: Workspace) -> None:
    """The reader's sentences may quote the file, so only the file is told; others are audited."""
    path = demo.groups / "DEMO-T1-001.yaml"
    path.write_text("template_id: DEMO-T1-001\nsecretword: x\n", encoding="utf-8")
    found = audit(demo)
    assert [each.source for each in found.of("unreadable")] == ["bank/groups/DEMO-T1-001.yaml"]
    assert found.groups == 24
    assert found.of("stub-twin")
    for say in FORMS.values():
        assert "secretword" not in say(found)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("two words.yaml", "two words.yaml"),
        ("a:12 b.yaml", "a:12 b.yaml"),
        ("a\nb.yaml", "a\\nb.yaml"),
        ("a\x1b[31mb.yaml", "a\\x1b[31mb.yaml"),
        ("a\u202eb.txt", "a\\u202eb.txt"),
    ],
)
def test_the_name_of_a_file_is_told_whole_and_on_one_line(
    demo: Workspace, name: str, told: str
) -> None:
    """Spaces and colons cut nothing; what turns or colours a line is spelled."""
    (demo.groups / name).write_text("secretword: x\n", encoding="utf-8")
    (finding,) = audit(demo).of("unreadable")
    assert (finding.source, finding.subject) == (f"bank/groups/{name}", f"bank/groups/{told}")
    for say in FORMS.values():
        assert not any(0x202A <= ord(char) <= 0x202E or char == "\x1b" for char in say(audit(demo)))
    assert as_json(audit(demo))["findings"][0]["source"] == finding.subject


def test_two_files_with_one_id_are_audited_once(demo: Workspace) -> None:
    """The first one stays, the other is a file that cannot be read."""
    text = (demo.groups / "DEMO-T1-001.yaml").read_text(encoding="utf-8")
    (demo.groups / "Z.yaml").write_text(text, encoding="utf-8")
    found = audit(demo)
    assert [each.source for each in found.of("unreadable")] == ["bank/groups/Z.yaml"]
    assert found.groups == 25


def test_a_problem_without_a_line_names_its_file() -> None:
    """A file of a kind that is not read has no line."""
    problem = Problem("bank/groups/a.txt", "a file of this kind is not read", "rename it")
    (finding,) = audited(CASES[1].near, unreadable=(problem,)).of("unreadable")
    assert finding.source == "bank/groups/a.txt"


def test_long_lists_are_cut_in_words_and_whole_in_json() -> None:
    """A terminal names eight groups and counts the others; JSON names all."""
    found: Audit = audit(Workspace(Path(__file__).parents[2]))
    assert "and 17 more" in as_text(found)
    named = [each["group"] for each in as_json(found)["findings"] if each["code"] == "unreviewed"]
    assert len(named) == 25


def test_the_package_loads_without_the_numeric_libraries() -> None:
    """Importing the audit costs no numpy or scipy; the chi-square loads it when it is asked for."""
    code = (
        "import sys, reviewkit.release;"
        "assert not {'numpy', 'scipy', 'pandas', 'matplotlib'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
