"""``reviewkit audit`` and ``reviewkit waive`` in the demo folder."""

from __future__ import annotations

import json

from reviewkit.workspace import Workspace


def test_the_demo_bank_passes_with_work_to_do(run) -> None:
    """Status 0, since every planted defect is a warning; the head says how many."""
    status, out, err = run("audit")
    assert (status, err) == (0, "")
    assert "58 items on 25 groups" in out
    assert "No hard findings, " in out
    assert "criterion-leakage" in out


def test_a_hard_finding_ends_with_status_1(demo: Workspace, run) -> None:
    """In text, Markdown and JSON alike."""
    path = demo.groups / "DEMO-T2-001.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("correct_position: 3", "correct_position: 1"), encoding="utf-8")
    for option in ((), ("--md",), ("--json",)):
        status, out, _err = run("audit", *option)
        assert status == 1
        assert "key-ambiguous" in out
    found = json.loads(run("audit", "--json")[1])
    assert not found["passed"]
    assert [each["code"] for each in found["findings"] if each["severity"] == "hard"] == [
        "key-ambiguous"
    ]
    assert found["findings"][0]["items"] == ["DEMO-T2-001-a"]


def test_json_carries_every_figure(run) -> None:
    """Sizes, shares, positions with their chi-square, bands and standings."""
    found = json.loads(run("audit", "--json")[1])
    assert (found["items"], found["groups"]) == (58, 25)
    assert found["factorial"] == {
        "written": 3, "claimed": 5, "groups": 25, "at_least": 40, "at_most": 50, "within": False,
    }  # fmt: skip
    assert found["directions"]["half_split"]
    (positions,) = found["positions"]
    assert positions["blocks"] == {
        "counts": [1, 1, 1], "chi_square": 0.0, "df": 2, "p": 1.0, "rough": True,
    }  # fmt: skip
    assert positions["rows_misleading"]["counts"] == [2, 2, 2]
    assert found["t3"]["bands"] == {"innocuous": 3, "creative": 0, "civic": 0}
    assert found["plan"][0]["missing"] == 160
    assert found["reviews"]["counts"]["unreviewed"] == 25


def test_markdown_has_headings_and_tables(run) -> None:
    """For a pull request or an issue."""
    _status, out, _err = run("audit", "--md")
    assert out.startswith("# Audit\n")
    assert "| code | n | what | where |" in out


def test_a_waiver_takes_a_warning_off_the_list_until_the_group_changes(
    demo: Workspace, run
) -> None:
    """The command writes the digest; an edit of the group expires it."""
    words = ("waive", "length-missing", "DEMO-T1-005", "--reason", "it is a list", "--name", "amal")
    status, out, _err = run(*words)
    assert status == 0
    assert out == "waived length-missing for DEMO-T1-005 in bank/waivers.yaml, until it changes\n"
    found = json.loads(run("audit", "--json")[1])
    assert [each["code"] for each in found["waived"]] == ["length-missing"]
    assert "it is a list" in run("audit")[1]
    path = demo.groups / "DEMO-T1-005.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("swapped_variable: city", "swapped_variable: town"), "utf-8")
    found = json.loads(run("audit", "--json")[1])
    assert found["waived"] == []
    assert [each["use"] for each in found["waivers"]] == ["expired"]


def test_a_hard_check_is_not_waived(run) -> None:
    """The command says so, with what to do instead, and ends with status 1."""
    status, _out, err = run("waive", "closed-cell", "bank", "--reason", "r", "--name", "n")
    assert status == 1
    assert "closed-cell is a hard check and cannot be waived; move it or take it out" in err


def test_a_new_project_is_laid_with_phrases_and_a_plan(run, tmp_path, monkeypatch) -> None:
    """`init` lays the phrase lists and a plan to fill, and the audit of an empty bank passes."""
    root = tmp_path / "mine"
    assert run("init", str(root))[0] == 0
    assert {path.name for path in (root / "bank" / "leakage").iterdir()} == {"ar.yaml", "en.yaml"}
    assert (root / "bank" / "plan.yaml").is_file()
    monkeypatch.chdir(root)
    status, out, _err = run("audit")
    assert status == 0
    assert "no group to audit" in out.lower()
