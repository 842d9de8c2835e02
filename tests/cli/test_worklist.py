"""``reviewkit worklist`` and ``reviewkit retire``, and the doors that refuse a retired id."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.authoring import retire
from reviewkit.bank import load_bank
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import alone, edit, judge, sit

Run = Callable[..., tuple[int, str, str]]
GONE, INTO, RETURNED = "DEMO-T1-013", "DEMO-T1-012", "DEMO-T1-003"
MERGE = ("--reason", "one side is hardly known", "--name", "amal", "--into", INTO)


@pytest.fixture
def reviewed(demo: Workspace) -> Workspace:
    """The demo with one group returned and edited, and one accepted."""
    alone(demo)
    walk = sit(demo)
    judge(walk, RETURNED, "natural", note="المطابقة <i>")
    judge(walk, INTO)
    edit(demo, RETURNED, "الحي الهادئة التي يسكنها", "الحي الهادئ الذي يسكنه")
    return demo


@pytest.mark.usefixtures("reviewed")
def test_the_list_in_every_form(run: Run) -> None:
    """Text, Markdown, JSON and HTML say the same, and end with status 0."""
    status, text, _ = run("worklist")
    assert status == 0
    assert "25 live groups with 58 items: 1 accepted, 24 to do." in text
    assert "Broken agreement" in text
    status, markdown, _ = run("worklist", "--md")
    assert status == 0
    assert f"| {RETURNED} | T1 | changed since its review |" in markdown
    status, said, _ = run("worklist", "--json")
    told = json.loads(said)
    assert status == 0
    assert told["counts"]["changed"] == 1
    assert told["checks"] == {"failed": 1, "open": 1, "closed": 0}
    status, page, _ = run("worklist", "--html")
    assert status == 0
    assert page.startswith("<!doctype html>")
    assert "<script" not in page


@pytest.mark.usefixtures("reviewed")
def test_one_group_in_every_form(run: Run) -> None:
    """Its history, its note and what changed since; an unknown id is one line and status 1."""
    for form in ((), ("--md",), ("--json",), ("--html",)):
        status, said, _ = run("worklist", RETURNED, *form)
        assert status == 0
        assert "المطابقة" in said
        assert "الهادئ" in said
    status, _, err = run("worklist", "DEMO-T1-0033")
    assert status == 1
    assert err.count("\n") == 1
    assert "DEMO-T1-003" in err


def test_the_list_into_a_file(run: Run, reviewed: Workspace) -> None:
    """``--out`` writes the whole file and leaves nothing beside it; one form at a time."""
    out = reviewed.root / "out"
    out.mkdir()
    for form, name in (("--html", "list.html"), ("--json", "list.json"), ("--md", "list.md")):
        status, said, _ = run("worklist", form, "--out", str(out / name))
        assert (status, said) == (0, f"wrote {out / name}\n")
    assert sorted(path.name for path in out.iterdir()) == ["list.html", "list.json", "list.md"]
    json.loads((out / "list.json").read_text(encoding="utf-8"))
    status, _, err = run("worklist", "--html", "--out", str(out / "none" / "list.html"))
    assert status == 1
    assert f"{out / 'none' / 'list.html'}: no such file" in err
    assert run("worklist", "--html", "--json")[0] == 2


def test_a_merge_from_the_command_line(run: Run, reviewed: Workspace) -> None:
    """24 groups are live, 25 identifiers stay, and a second time there is nothing to do."""
    status, said, _ = run("retire", GONE, *MERGE)
    assert status == 0
    assert f"merged into {INTO}" in said
    assert (reviewed.retired / f"{GONE}.yaml").exists()
    assert "24 live groups with 56 items, 25 identifiers" in run("worklist")[1]
    status, _, err = run("retire", GONE, *MERGE)
    assert status == 1
    assert "nothing more to do" in err
    status, said, _ = run("worklist", GONE)
    assert status == 0
    assert "one side is hardly known" in said


@pytest.mark.usefixtures("reviewed")
def test_a_retirement_needs_a_reason_and_a_name(run: Run) -> None:
    """Both are said at once, and nothing is moved."""
    status, _, err = run("retire", GONE)
    assert status == 1
    assert "2 problems" in err
    assert run("worklist", "--json")[0] == 0


def test_every_door_refuses_a_retired_id(run: Run, reviewed: Workspace) -> None:
    """``new``, ``import items`` and ``check`` say by whom the id was used, and write nothing."""
    retire(reviewed, GONE, reason="one side is hardly known", name="amal", merged_into=INTO)
    status, _, err = run("new", "T1", GONE)
    assert status == 1
    assert "one side is hardly known" in err
    assert not (reviewed.groups / f"{GONE}.yaml").exists()
    rows = reviewed.root / "rows.jsonl"
    group = load_bank(reviewed).group(INTO)
    fields = group.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    fields |= {"template_id": "NEW-1", "items": [{**fields["items"][0], "id": f"{GONE}-a"}]}
    rows.write_text(json.dumps(fields, ensure_ascii=False) + "\n", encoding="utf-8")
    (reviewed.groups / "new.jsonl").write_bytes(rows.read_bytes())
    status, said, _ = run("check", "--json")
    assert status == 1
    wrong = [each["wrong"] for each in json.loads(said)["problems"]]
    assert any(f"{GONE}-a left the bank with {GONE}" in each for each in wrong)


BBQ = (
    '{{"example_id": {n}, "question_index": "1", "question_polarity": "{polarity}",'
    ' "context_condition": "{kind}", "category": "Age", "answer_info": {{"ans0": ["The baker",'
    ' "old"], "ans1": ["The tailor", "young"], "ans2": ["Unknown", "unknown"]}},'
    ' "additional_metadata": {{"subcategory": "None", "stereotyped_groups": ["old"]}},'
    ' "context": "{context}", "question": "Who was {polarity}?", "ans0": "The baker",'
    ' "ans1": "The tailor", "ans2": "Unknown", "label": {label}}}\n'
)
MET, LATE = "A baker and a tailor met.", "A baker and a tailor met. The baker was late."


def test_an_import_brings_no_retired_id(run: Run, reviewed: Workspace, tmp_path: Path) -> None:
    """A set whose group once left the bank is not read in again under its old id."""
    rows = tmp_path / "Age.jsonl"
    rows.write_text(
        "".join(
            BBQ.format(n=n, polarity=polarity, kind=kind, context=context, label=label)
            for n, (polarity, kind, context, label) in enumerate(
                (polarity, *row)
                for polarity in ("neg", "nonneg")
                for row in (("ambig", MET, 2), ("disambig", LATE, 0))
            )
        ),
        encoding="utf-8",
    )
    status, said, err = run("import", "bbq", str(rows), "--domain", "social-regional")
    assert status == 0, said + err
    (path,) = [each for each in reviewed.groups.iterdir() if not each.name.startswith("DEMO")]
    retire(reviewed, path.stem, reason="not for this society", name="amal")
    into = ("--domain", "social-regional")
    category = ("--category", "value-laden")
    for words in (("bbq", *into), ("items", "--as", "bbq", *into, *category)):
        status, _, err = run("import", *words, str(rows))
        assert status == 1, words
        assert "not for this society" in err, words
    assert not path.exists()


def test_check_reads_batches_families_and_retirements(run: Run, reviewed: Workspace) -> None:
    """Faults of all three are told in one run, each with its file."""
    reviewed.batches.write_text(
        'batches:\n  - {id: seed, authored_on: "2026-01-01", groups: [DEMO-T1-999]}\n',
        encoding="utf-8",
    )
    reviewed.defect_families.write_text(
        "families:\n  - {id: dull, title: {en: Dull}, fix: textual, suggested_by: [t1/naturel]}\n",
        encoding="utf-8",
    )
    reviewed.retired.mkdir()
    (reviewed.groups / f"{GONE}.yaml").rename(reviewed.retired / f"{GONE}.yaml")
    status, _, err = run("check")
    assert status == 1
    for said in ("bank/batches.yaml:2", "t1/naturel", f"bank/retired/{GONE}.yaml"):
        assert said in err
