"""``reviewkit second-review`` in the demo folder: start, status, widen, close."""

from __future__ import annotations

import json

import pytest

from reviewkit.workspace import Workspace
from tests.authoring.second_reviews import first_review, found, judge, judge_open, sit

START = ("second-review", "start", "again", "--rater", "basim", "--seed", "7")


def test_from_the_start_to_the_end(demo: Workspace, run) -> None:
    """Laid, judged, locked, widened, judged again and closed; figures stand in the sentences."""
    first_review(demo)
    status, out, err = run(*START)
    assert (status, err) == (0, "")
    assert out.startswith("drew 7 of 25 (28.0%) accepted groups of study demo; basim judges them, ")
    assert "reviewkit serve again --new-links" in out

    judge_open(demo, "again", "basim", found(demo).sampled[:3])
    out = run("second-review", "status")[1]
    assert "basim: 7 of 7 judged, 0 skipped, 0 open, locked" in out
    assert "95% interval" in out
    assert f"failing: {found(demo).sampled[0]} needs fix" in out
    said = "3 of 7 judged groups failed (43%, 95% interval 16% to 75%), which passes the bound"
    assert said in out

    status, out, err = run("second-review", "close", "again")
    assert (status, out) == (1, "")
    assert said in err

    status, out, _err = run("second-review", "widen", "--to", "100%")
    assert status == 0
    assert "drew 18 more groups, 25 of 25 (100.0%) in all (up to 100% are to be)" in out
    assert "the lock was lifted: basim goes on with 18 groups" in out

    judge_open(demo, "again", "basim")
    status, out, _err = run("second-review", "close", "--name", "amal")
    assert status == 0
    assert "3 of 25 judged groups failed (12%," in out
    assert "with their authors: " in out
    assert run("verify", "ledger")[0] == 0
    assert "rulings/again/second-review.jsonl: 3 records sound" in run("verify", "ledger")[1]
    assert run("verify", "sample")[0] == 0
    assert run("check")[0] == 0
    lines = demo.second_review_log("again").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["author"] for line in lines] == ["lead", "lead", "amal"]


def test_before_the_lock_no_verdict_is_printed(demo: Workspace, run) -> None:
    """Neither the table nor JSON carries one while the pass is open."""
    first_review(demo)
    run(*START)
    judge_open(demo, "again", "basim", found(demo).sampled)
    run("reopen", "basim", "--study", "again", "--reason", "to look at the other sentence")
    run("second-review", "start", "other", "--rater", "dalia", "--seed", "8", "--json")
    judge(sit(demo, "other", "dalia"), found(demo, "other").sampled[0], fails=True)
    text = run("second-review", "status", "other")[1]
    told = json.loads(run("second-review", "status", "other", "--json")[1])
    assert "fail" not in text
    assert "needs" not in text
    assert (told["failing"], told["overall"], told["strata"]) == ({}, None, [])
    assert told["progress"]["decided"] == 1
    assert "the lock is lifted" in run("second-review", "status", "again")[1]


@pytest.mark.parametrize(
    "words",
    [
        ("--bound", "100%"), ("--share", "0"), ("--at-least", "half"), ("--seed", "x"),
    ],
)  # fmt: skip
def test_wrong_usage_ends_with_status_2(run, words: tuple[str, ...]) -> None:
    """What is no share, no bound or no number is said before anything is read."""
    status, _out, err = run(*START, *words)
    assert status == 2
    assert words[0] in err


def test_refusals_are_one_line(demo: Workspace, run) -> None:
    """No accepted group, an unknown name, the primary rater: status 1 and what to do."""
    assert "no accepted group" in run(*START)[2]
    assert "start one with" in run("second-review", "status")[2]
    first_review(demo)
    status, _out, err = run("second-review", "start", "again", "--rater", "first-reviewer",
                            "--seed", "7")  # fmt: skip
    assert (status, err.count("\n")) == (1, 1)
    assert "primary rater" in err
    assert run(*START)[0] == 0
    status, _out, err = run("second-review", "widen", "--anyway", " ")
    assert (status, err.count("\n")) == (1, 1)
    status, out, _err = run("second-review", "close", "--void", "basim has left")
    assert (status, "void" in out) == (0, True)
