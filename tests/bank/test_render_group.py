"""What is written as YAML reads back letter by letter and stays readable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewkit.bank import Group, load_group, load_taxonomy, render_group
from reviewkit.bank.render import is_hidden, render_scalar
from reviewkit.workspace import Workspace
from tests.bank.example_bank import GROUPS

TRICKY = st.text(
    st.sampled_from(
        "ab \n\t:#-?'\"\\{}[],&*!|>%@`=~<.0\u00a0\u200b\u200c\u200d\u200e\u202b\u0640\u0623\u0627"
        "\u0654\u2028\u2029\ufeff\u00ad\ufe0f\U000e0041\U0001f600"
    ),
    min_size=1,
    max_size=14,
)


def group_with(text: str, value: str = "Northham") -> Group:
    """Return the T1 example with one text and one value replaced."""
    data: dict[str, Any] = yaml.load(GROUPS["T1-001"], Loader=yaml.BaseLoader)
    data["items"][0] |= {"text": text, "swapped_value": value, "notes": text}
    data["value_list"][0] = value
    return Group.model_validate(data)


@settings(deadline=None)
@given(text=TRICKY, value=TRICKY)
def test_every_text_reads_back_exactly(text: str, value: str) -> None:
    """Whatever stands in a text or a list, both YAML readers give it back unchanged."""
    group = group_with(text, value)
    written = render_group(group)
    for loader in (yaml.BaseLoader, yaml.CBaseLoader):
        assert Group.model_validate(yaml.load(written, Loader=loader)) == group


@pytest.mark.parametrize("name", GROUPS)
def test_groups_of_every_type_read_back_from_their_file(ws: Workspace, name: str) -> None:
    """A written file loads as the same group, bookkeeping included, and writes as the same text."""
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    path = ws.groups / f"{name}.yaml"
    [before] = load_group(path, path.name, taxonomy)
    path.write_text(render_group(before), encoding="utf-8")
    [after] = load_group(path, path.name, taxonomy)
    assert after == before
    assert render_group(after) == render_group(before)


def test_hidden_characters_are_written_as_escapes(tmp_path: Path) -> None:
    """No-break space, joiners, marks and spaces at the edge can be seen in the file."""
    written = render_group(group_with("a\u00a0b\u200cc\u200fd\u2028 "))
    assert r'text: "a\u00A0b\u200Cc\u200Fd\u2028\x20"' in written
    assert not any(is_hidden(char) for char in written.replace("\n", ""))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain words, with a comma", "plain words, with a comma"),
        ("\u0645\u0631\u062d\u0640\u0628\u0627", "\u0645\u0631\u062d\u0640\u0628\u0627"),
        ("two  spaces", "two  spaces"),
        ("it's 5 o'clock", "it's 5 o'clock"),
        ("yes", '"yes"'),
        ("007", '"007"'),
        ("2026-01-01", '"2026-01-01"'),
        ("null", '"null"'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ("{value} first", '"{value} first"'),
        ('say "x" \\', 'say "x" \\'),
        ("- dash", '"- dash"'),
        ("a\tb", r'"a\tb"'),
    ],
)
def test_quotes_stand_only_where_needed(text: str, written: str) -> None:
    """Plain words stay plain; what a YAML reader could take for something else is quoted."""
    assert render_scalar(text) == written


def test_lines_stand_under_a_bar() -> None:
    """A text of several lines is written as lines, unless something hidden is in it."""
    assert "    text: |-\n      one\n\n      two: #2\n" in render_group(
        group_with("one\n\ntwo: #2")
    )
    assert "    text: |\n      one\n      two\n" in render_group(group_with("one\ntwo\n"))
    assert r'text: "one \ntwo"' in render_group(group_with("one \ntwo"))
