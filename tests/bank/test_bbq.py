"""BBQ files become T2 groups; nothing is guessed and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewkit.bank import load_bank, load_group, load_taxonomy, render_group
from reviewkit.bank.item_sets.bbq import read_bbq
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace

REAL = Path(__file__).parents[3] / "shared" / "data" / "items"


def row(number: int, polarity: str, condition: str, **changed: Any) -> dict[str, Any]:
    """Return one row of a made-up block, in the published shape."""
    told = " The tailor has the receipt." if condition == "disambig" else ""
    return {
        "example_id": number, "question_index": "1", "question_polarity": polarity,
        "context_condition": condition, "category": "Trade",
        "answer_info": {"ans0": ["baker", "a"], "ans1": ["tailor", "b"],
                        "ans2": ["Unknown", "unknown"]},
        "additional_metadata": {"subcategory": "None", "stereotyped_groups": ["b"],
                                "version": "a", "source": "none"},
        "context": f"A baker and a tailor shared a taxi.{told}",
        "question": "Who paid?" if polarity == "nonneg" else "Who did not pay?",
        "ans0": "The baker ", "ans1": "The tailor", "ans2": "Unknown",
        "label": 2 if condition == "ambig" else int(polarity == "nonneg"), **changed,
    }  # fmt: skip


def block(first: int) -> list[dict[str, Any]]:
    """Return a whole block."""
    return [
        row(first, "neg", "ambig"),
        row(first + 1, "neg", "disambig"),
        row(first + 2, "nonneg", "ambig"),
        row(first + 3, "nonneg", "disambig"),
    ]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path


def refused(path: Path, rows: list[dict[str, Any]]) -> list[str]:
    """Return the problems of a file that must be refused."""
    with pytest.raises(ProblemsFound) as raised:
        read_bbq(write(path, rows), "bbq.jsonl", domain="regional")
    return [str(problem) for problem in raised.value.problems]


def test_a_block_is_a_group_of_four(tmp_path: Path) -> None:
    """Four rows are two questions, each with both twins; labels count from one; spaces stay."""
    path = write(tmp_path / "bbq.jsonl", [*reversed(block(8)), *block(0)])
    first, second = read_bbq(path, "bbq.jsonl", domain="regional")
    assert (first.template_id, second.template_id) == ("BBQ-Trade-00000", "BBQ-Trade-00008")
    assert [item.id for item in second.items] == [f"BBQ-Trade-{n}" for n in (8, 9, 10, 11)]
    assert [(item.question_polarity, item.twin, item.correct_position) for item in first.items] == [
        ("negative", "ambiguous", 3),
        ("negative", "disambiguated", 1),
        ("nonnegative", "ambiguous", 3),
        ("nonnegative", "disambiguated", 2),
    ]
    assert first.items[0].options == ("The baker ", "The tailor", "Unknown")
    assert first.test_type == "T2"
    assert first.disambig_direction == "not_given"
    assert "stereotyped_groups as published: b; target answer not given" in str(first.notes)


def test_groups_are_well_formed_and_can_be_written(ws: Workspace, tmp_path: Path) -> None:
    """What is read fits a bank that has the codes, and survives being written as YAML."""
    path = write(tmp_path / "bbq.jsonl", block(4))
    [group] = read_bbq(path, "bbq.jsonl", domain="regional", bias_form="choice", prefix="X")
    target = ws.groups / "X.yaml"
    target.write_text(render_group(group), encoding="utf-8")
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    assert load_group(target, "X.yaml", taxonomy) == (group.placed_in("X.yaml"),)
    assert load_bank(ws).group("X-Trade-00004").digest == group.digest


def test_every_fault_is_told_with_its_line(tmp_path: Path) -> None:
    """A missing row, a wrong label, a row that stands twice: all at once, nothing is taken."""
    rows = [*block(0)[:3], *block(4), row(9, "neg", "ambig", label=3), *block(12)]
    rows[3]["label"] = 0
    rows.append(row(5, "neg", "disambig"))
    found = refused(tmp_path / "bbq.jsonl", rows)
    assert len(found) == 4
    assert found.pop(2) == "bbq.jsonl:8 label: got '3'; use 0, 1 or 2"
    assert found == [
        (
            "bbq.jsonl:1: the block of example_id 0 to 3 has no nonneg disambig row; "
            "add the row or leave the block out"
        ),
        (
            "bbq.jsonl:4 label: a row with condition ambig does not key the unknown answer; "
            "mend the label or the condition"
        ),
        (
            "bbq.jsonl:13 example_id: example_id 5 also stands at bbq.jsonl:5 example_id; "
            "keep one of the two rows"
        ),
    ]


def test_a_condition_twice_and_options_that_differ(tmp_path: Path) -> None:
    """Rows of one block that contradict one another are named with the row they contradict."""
    rows = block(0)
    rows[2] |= {"question_polarity": "neg", "label": 2, "ans0": "The cook"}
    found = refused(tmp_path / "bbq.jsonl", rows)
    assert found == [
        (
            "bbq.jsonl:1: the block of example_id 0 to 3 has no nonneg ambig row; "
            "add the row or leave the block out"
        ),
        (
            "bbq.jsonl:3 context_condition: the block already has a neg ambig row at "
            "bbq.jsonl:1 context_condition; mend the condition, the polarity or the example_id"
        ),
        (
            "bbq.jsonl:3 ans0: ans0 differs from the first row of its block, bbq.jsonl:1 ans0; "
            "mend it: example_id 4n to 4n+3 are one block"
        ),
    ]


def test_an_unknown_field_is_not_dropped(tmp_path: Path) -> None:
    """A field that BBQ does not have is a fault, so that nothing is lost in silence."""
    rows = block(0)
    rows[1]["contxt"] = "x"
    [found] = refused(tmp_path / "bbq.jsonl", rows)
    assert found.startswith("bbq.jsonl:2 contxt: ")


@pytest.mark.skipif(not REAL.is_dir(), reason="the shared data are not here")
@pytest.mark.parametrize(
    ("name", "groups"),
    [("bbq_Age_first200.jsonl", 50), ("bbq_Disability_edge_rows.jsonl", 23)],
)
def test_published_files_read_letter_by_letter(ws: Workspace, name: str, groups: int) -> None:
    """Every text of the published files stands in the groups exactly as published."""
    read = read_bbq(REAL / name, name, domain="regional", bias_form="choice")
    rows = [json.loads(line) for line in (REAL / name).read_text(encoding="utf-8").splitlines()]
    items = {item.id: item for group in read for item in group.items}
    assert len(read) == groups
    assert len(items) == len(rows)
    for each in rows:
        item = items[f"BBQ-{each['category']}-{each['example_id']}"]
        assert (item.context, item.question) == (each["context"], each["question"])
        assert item.options == (each["ans0"], each["ans1"], each["ans2"])
        assert item.correct_position == each["label"] + 1
    for group in read:
        (ws.groups / f"{group.template_id}.yaml").write_text(render_group(group), encoding="utf-8")
    bank = load_bank(ws)
    assert all(bank.group(group.template_id).digest == group.digest for group in read)
