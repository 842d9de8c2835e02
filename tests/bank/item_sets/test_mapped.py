"""Any table becomes items by a mapping file; what a mapping cannot say is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.bank.item_sets.mapped import load_item_mapping
from reviewkit.bank.item_sets.taken import Taken
from reviewkit.problems import ProblemsFound

from .conftest import Reads


def mapped(tmp_path: Path, reads: Reads, mapping: str, table: str) -> Taken:
    """Read a table by a mapping."""
    path = tmp_path / "mapping.yaml"
    path.write_text(mapping, encoding="utf-8")
    return reads("table.csv", table, mapping=load_item_mapping(path, "mapping.yaml"))


def refused(tmp_path: Path, reads: Reads, mapping: str, table: str = "a,b\n1,2\n") -> list[str]:
    """Return the problems of a mapping that must be refused."""
    with pytest.raises(ProblemsFound) as raised:
        mapped(tmp_path, reads, mapping, table)
    return [str(problem) for problem in raised.value.problems]


def test_a_row_an_item(tmp_path: Path, reads: Reads) -> None:
    """Rows with one group name are one group; values and kept columns follow the rows."""
    mapping = (
        "items: mine\ntest_type: T1\ngroup: template\nid: n\n"
        "fields: {text: prompt, swapped_value: town, base_text: base}\n"
        "fixed: {swapped_variable: town}\nkeep: [source]\n"
    )
    table = (
        "n,template,prompt,town,base,source\n"
        "a,t1,From Orme,Orme,From {value},book\n"
        "b,t1,From Lowick,Lowick,From {value},book\n"
        "c,t2,From Orme,Orme,From {value},book\n"
        "d,,From Orme,Orme,From {value},book\n"
    )
    taken = mapped(tmp_path, reads, mapping, table)
    [group] = taken.groups
    assert (group.template_id, group.value_list) == ("mine-t1", ("Orme", "Lowick"))
    assert [item.id for item in group.items] == ["mine-a", "mine-b"]
    assert group.notes == "source as published: book"
    assert [each.where for each in taken.left_out] == ["table.csv:4", "table.csv:5"]
    assert "single item" in taken.left_out[0].reason
    assert taken.left_out[1].reason == "its template is empty"


def test_a_row_a_group(tmp_path: Path, reads: Reads) -> None:
    """Columns of one row may be the versions of a group, with values declared for them."""
    mapping = (
        "items: pairs\ntest_type: T3\nversions: [{text: left}, {text: right}]\n"
        "values: [inside, outside]\nfixed: {swapped_variable: side}\n"
    )
    taken = mapped(tmp_path, reads, mapping, "left,right\nHello in,Hello out\n")
    [group] = taken.groups
    assert [(item.text, item.swapped_value) for item in group.items] == [
        ("Hello in", "inside"),
        ("Hello out", "outside"),
    ]
    assert (group.sensitivity_level, group.stance) == ("civic", "neutral")


def test_questions_with_codes_and_positions_from_zero(tmp_path: Path, reads: Reads) -> None:
    """Cells are translated by codes, options may be a list in a cell, positions are shifted."""
    mapping = (
        "items: qa\ntest_type: T2\ngroup: g\ncounted_from: '0'\noptions: [choices]\n"
        "fields: {twin: kind, context: c, question: q, correct_position: key}\n"
        "codes: {twin: {amb: ambiguous, dis: disambiguated}}\n"
    )
    table = (
        "g,kind,c,q,choices,key\n"
        "1,amb,A and B.,Who?,\"['A', 'B', '?']\",2\n"
        "1,dis,A and B. A did.,Who?,\"['A', 'B', '?']\",0\n"
        "2,amb,A and B.,Who?,\"['A', 'B', '?']\",2\n"
        "2,both,A and B.,Who?,\"['A', 'B', '?']\",2\n"
        "3,amb,A and B.,Who?,\"['A', 'B', '?']\",last\n"
    )
    taken = mapped(tmp_path, reads, mapping, table)
    [group] = taken.groups
    assert [item.correct_position for item in group.items] == [3, 1]
    assert group.disambig_direction == "not_given"
    assert [each.reason for each in taken.left_out] == [
        "kind is 'both', and codes of twin do not name it",
        "kind is 'both', and codes of twin do not name it",
        "the position of the right option is 'last', which is no number",
    ]


def test_faults_of_a_mapping_have_their_line(tmp_path: Path, reads: Reads) -> None:
    """Unknown fields and columns are named with the nearest known name."""
    assert refused(tmp_path, reads, "items: x\ntest_type: T4\nfields: {txt: a}\n") == [
        "mapping.yaml:3 fields.txt: no item has a field 'txt'; did you mean 'text'?"
    ]
    assert refused(tmp_path, reads, "items: x\ntest_type: T4\nfields: {text: aa}\n") == [
        "mapping.yaml:3 fields.text: table.csv has no column 'aa'; did you mean 'a'?"
    ]
    both = "items: x\ntest_type: T3\ngroup: a\nversions: [{text: a}]\n"
    assert (
        "a row cannot be one item of a group and several versions"
        in refused(tmp_path, reads, both)[0]
    )
    values = "items: x\ntest_type: T3\nversions: [{text: a}, {text: b}]\nvalues: [one]\n"
    assert "1 values for 2 versions" in refused(tmp_path, reads, values)[0]


def test_rows_of_a_group_that_disagree(tmp_path: Path, reads: Reads) -> None:
    """A field of the group that its rows give two values leaves them all out."""
    mapping = "items: m\ntest_type: T4\ngroup: g\nfields: {text: t, audience: a}\n"
    taken = mapped(tmp_path, reads, mapping, "g,t,a\n1,Tell.,pupils\n1,Say.,readers\n")
    assert {each.reason for each in taken.left_out} == {"its rows disagree on audience"}
