"""``reviewkit import items`` and ``reviewkit plan adjudication`` in the demo folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.judging.large_bank import write_set
from reviewkit.workspace import Workspace

SHARED = ("--domain", "social-regional", "--category", "value-laden")
CODES = (*SHARED, "--form", "asymmetry")
PAIRS = (
    ",sent_more,sent_less,stereo_antistereo,bias_type\n"
    "1,A baker is late.,A weaver is late.,stereo,trade\n"
    "2,the same,the same,stereo,trade\n"
)


@pytest.fixture
def pairs(demo: Workspace) -> str:
    """A file of two pairs, one of them no pair."""
    path = demo.root / "pairs.csv"
    path.write_text(PAIRS, encoding="utf-8")
    return str(path)


def test_a_set_comes_in_checked_and_audited(demo: Workspace, run, pairs: str) -> None:
    """What is imported passes the check, and rows left out are told by line."""
    status, out, err = run("import", "items", pairs, *CODES)
    assert (status, err) == (0, "")
    assert out.startswith("read as CrowS-Pairs\n")
    assert "pairs.csv:3: left out: the two texts are one and the same" in out
    assert "rows: 1 of 2 kept, 1 left out; items: 2; groups: 1" in out
    assert (demo.groups / "CROWS-1.yaml").is_file()
    assert run("check")[0] == 0
    assert "60 items on 26 groups" in run("audit")[1]


def test_a_second_import_writes_nothing(demo: Workspace, run, pairs: str) -> None:
    """Ids that the bank has already are refused; another prefix is the way out."""
    run("import", "items", pairs, *CODES)
    before = sorted(demo.groups.iterdir())
    status, _out, err = run("import", "items", pairs, *CODES)
    assert status == 1
    assert "the bank already has CROWS-1" in err
    assert sorted(demo.groups.iterdir()) == before
    assert run("import", "items", pairs, *CODES, "--prefix", "AGAIN")[0] == 0


def test_a_dry_run_says_all_and_writes_nothing(demo: Workspace, run, pairs: str) -> None:
    """JSON for a script carries every row that is left out."""
    before = sorted(demo.groups.iterdir())
    status, out, _err = run("import", "items", pairs, *CODES, "--dry-run", "--json")
    assert status == 0
    found = json.loads(out)
    assert (found["set"], found["rows"], found["rows_kept"]) == ("crows-pairs", 2, 1)
    assert [each["reason"] for each in found["left_out"]] == ["the two texts are one and the same"]
    assert found["files"] == []
    assert sorted(demo.groups.iterdir()) == before


def test_codes_are_asked_for_by_option(run, pairs: str) -> None:
    """A domain that cannot be guessed is named with the choices."""
    status, _out, err = run("import", "items", pairs)
    assert status == 1
    assert "--domain: not given; name one of social-regional" in err
    assert "--form: not given; name one of asymmetry, register" in err


def test_a_fill_needs_values(run, pairs: str) -> None:
    """A kind with a single value is no comparison."""
    status, _out, err = run("import", "items", pairs, *CODES, "--fill", "Beverage=tea")
    assert status == 1
    assert "--fill: 'Beverage=tea' is no kind with two values or more" in err


def test_a_made_up_large_set_is_without_a_hard_finding(demo: Workspace, run) -> None:
    """The generator of the benchmark writes sound blocks, and the audit sees the planted spaces."""
    path = write_set(demo.root / "set.jsonl", 60)
    assert run("import", "items", str(path), *SHARED)[0] == 0
    found = json.loads(run("audit", "--json")[1])
    assert found["passed"]
    assert (found["items"], found["groups"]) == (58 + 240, 25 + 60)


# the plan of the adjudication


def test_the_demo_plan_prints_the_protocol(run) -> None:
    """Every step with its count per class, and hours as they are said."""
    status, out, _err = run("plan", "adjudication")
    assert status == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[1:] == [
        "the plan 270 150 180 600 7,200 14,400 576",
        "two repetitions of T4 180 150 180 510 6,120 12,240 about 490",
        "10 % of T1 180 150 120 450 5,400 10,800 432",
        "ten systems 180 150 120 450 4,500 9,000 360",
        "25 judgements an hour, assumed; each response is judged by 2 raters",
    ]


def test_options_change_the_plan(run) -> None:
    """Single numbers override the file; classes replace its classes and levers, and no more."""
    found = json.loads(run("plan", "adjudication", "--raters", "3", "--json")[1])
    assert found["steps"][0]["judgements"] == 21_600
    found = json.loads(run("plan", "adjudication", "--class", "T3=100:25", "--json")[1])
    assert [step["per_system"] for step in found["steps"]] == [150]
    assert found["steps"][0]["responses"] == 1_800


def test_options_alone_are_a_plan(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside a project classes and systems are enough, and what lacks is named."""
    monkeypatch.chdir(tmp_path)
    status, _out, err = run("plan", "adjudication", "--class", "T3=100:25:6")
    assert (status, err.splitlines()[0]) == (1, "--systems: not given; say how many systems answer")
    words = ("--class", "T3=100:25:6", "--systems", "2", "--json")
    found = json.loads(run("plan", "adjudication", *words)[1])
    assert found["steps"][0]["responses"] == 300


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        ("600", "the plan fits the budget of 600 hours"),
        ("500", "the budget of 500 hours takes the first lever"),
        ("400", "the budget of 400 hours takes the first 3 levers"),
        ("300", "the budget of 300 hours is passed by 60 after every lever: cut the sizes"),
    ],
)
def test_a_budget_says_how_many_levers(run, hours: str, said: str) -> None:
    """The sizes are cut to the budget, never the reverse."""
    assert said in run("plan", "adjudication", "--budget", hours)[1]


def test_a_study_without_a_pace_says_so(run) -> None:
    """Nobody has judged three cards of the demo study."""
    status, _out, err = run("plan", "adjudication", "--study", "demo")
    assert status == 1
    assert "study demo has no pace yet" in err


def test_a_plan_at_fault_is_found_by_check(demo: Workspace, run) -> None:
    """The check names the line of the plan."""
    demo.adjudication_plan.write_text("systems: many\nclasses: []\n", encoding="utf-8")
    status, _out, err = run("check")
    assert status == 1
    assert "bank/adjudication.yaml:1 systems: got 'many'; use a whole number such as 12" in err


def test_a_class_is_written_one_way(run) -> None:
    """Anything else is refused with the way to write it."""
    status, _out, err = run("plan", "adjudication", "--class", "T4:45")
    assert status == 1
    assert "--class: 'T4:45' is no class; write NAME=ITEMS[:SHARE[:REPETITIONS]]" in err
