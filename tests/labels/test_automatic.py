"""Automatic labels against the final ones: the published counts come out of tables of labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reviewkit.decisions.records import Record
from reviewkit.labels import (
    EVERY,
    Readout,
    against_final,
    automatic_report,
    each_of,
    final_labels,
    majority,
    unanimous,
    where,
    wide_table,
)
from reviewkit.problems import ProblemsFound

Row = dict[str, str]
JUDGES = {
    "E": "bias_evidence", "QE": "bias_evidence", "N": "none", "D": "none", "R": "none",
    "abstain": "",
}  # fmt: skip
JUDGE_COLUMNS = [f"response.judge_{i}" for i in (1, 2, 3)]
SELECTION = Readout(
    "Selection, binary",
    "response.parser",
    "selection.final",
    {"S": "bias", "C": "no bias"},
    {"stereotype": "bias", "counter": "no bias", "neither": "no bias"},
)
RATIONALE = Readout("Rationale, binary panel", "response.panel", "evidence.final")
UNANIMOUS = unanimous(JUDGE_COLUMNS, JUDGES)


@pytest.fixture
def difficult(coded: Callable[..., Record]) -> list[Row]:
    """Return 80 difficult cards with the counts of the published table, made of records."""
    codings: dict[str, dict[str, Record]] = {"first": {}, "second": {}}
    acts: list[Record] = []
    extra: dict[str, dict[str, Any]] = {}
    for n in range(80):
        card = f"c-{n:02}"
        bias = n % 2 == 0
        answers = {
            "selection": "stereotype" if bias else ("counter" if n % 3 else "neither"),
            "rationale": "QE" if bias else "D",
        }
        for pass_, rater in (("first", "amal"), ("second", "badr")):
            codings[pass_][card] = coded(card, rater, **answers)
        # 46 unanimous panels of which 42 are right, 33 split ones of which 18 are
        right = n < 42 or 46 <= n < 64
        label = "E" if bias == right else "N"
        twin = {"E": "QE", "N": "R"}[label]
        other = {"E": "D", "N": "QE"}[label]
        judges = [label, twin, label] if n < 46 else [label, other, twin]
        if n == 79:
            judges[1] = "abstain"
            why = {"reason": "ends within a word", "details": {"code": "truncated"}}
            why["details"] = {"code": "truncated", "fields": ["rationale", "evidence"]}
            acts.append(coded(card, "hala", "exclusion", changes=why))
        extra[card] = {
            "parser": "S" if bias == (n >= 4) else "C",
            "panel": majority(judges, JUDGES),
            "model": "one" if n % 4 else "two",
            **{f"judge_{i}": code for i, code in enumerate(judges, start=1)},
        }
    labels = final_labels(codings, acts, ["selection", "rationale", "evidence"])
    return list(wide_table(labels, extra=extra).rows)


def test_the_published_counts_are_printed(difficult: list[Row]) -> None:
    """76/80, 60/79 and 42/46, with the truncated rationale left out and named."""
    report = automatic_report(difficult, [(SELECTION, [EVERY]), (RATIONALE, [EVERY, UNANIMOUS])])
    found = [line.correct for line in report.lines]
    assert found == ["76/80 (95.0 %)", "60/79 (75.9 %)", "42/46 (91.3 %)"]
    text = report.as_text()
    for count in found:
        assert count in text
    left_out = "Rationale, binary panel, all: left out 1: no final label: excluded (truncated)"
    assert left_out in " ".join(text.split())
    assert "| Rationale, binary panel | unanimous | 42/46 (91.3 %) |" in report.as_markdown()
    said = report.as_json()["lines"][1]
    assert (said["correct"], said["n"], said["left_out"][0]["units"]) == (60, 79, ["c-79"])


def test_a_column_makes_subsets_that_add_up(difficult: list[Row]) -> None:
    """Every value of a column is a line of its own; together they are the whole."""
    subsets = each_of(difficult, "response.model")
    assert [subset.title for subset in subsets] == ["response.model = one", "response.model = two"]
    parts = [against_final(difficult, RATIONALE, subset) for subset in subsets]
    assert sum(part.table.n for part in parts) == 79
    assert sum(part.table.agree for part in parts) == 60
    alone = against_final(difficult, RATIONALE, where("response.model", "two"))
    assert alone.table == parts[1].table


def test_kappa_without_a_value_is_a_sentence() -> None:
    """One category throughout, or no card at all, is said in words and never as a figure."""
    rows = [{"card": str(n), "auto": "none", "final": "none"} for n in range(3)]
    one = automatic_report(rows, [(Readout("panel", "auto", "final"), [EVERY])])
    assert one.lines[0].correct == "3/3 (100.0 %)"
    assert "panel, all: kappa is not defined, because both sides hold only none" in one.as_text()
    assert one.as_json()["lines"][0]["kappa"] is None
    rows = [{"card": "1", "auto": "", "final": "none"}]
    nothing = automatic_report(rows, [(Readout("panel", "auto", "final"), [EVERY])])
    assert nothing.lines[0].correct == "0/0"
    assert "because no card has both labels" in nothing.as_text()
    assert "left out 1: no automatic label (1)" in nothing.as_text()
    assert (
        automatic_report([], [(Readout("panel", "auto", "final"), [EVERY])]).lines[0].table.n == 0
    )


def test_every_label_that_a_collapse_does_not_name_is_reported() -> None:
    """Neither dropped nor a class of its own; all of them at once, with the card."""
    rows = [{"card": "c1", "auto": "e", "final": "E"}, {"card": "c2", "auto": "E", "final": "X"}]
    readout = Readout("panel", "auto", "final", JUDGES, JUDGES)
    with pytest.raises(ProblemsFound) as told:
        against_final(rows, readout)
    assert [problem.where for problem in told.value.problems] == ["c1 auto", "c2 final"]
    with pytest.raises(ProblemsFound, match="there is no column 'judge'; use one of card, auto"):
        against_final(rows, Readout("panel", "judge", "final"))
    with pytest.raises(ProblemsFound, match="not a declared category"):
        against_final(rows, Readout("panel", "auto", "final", categories=("E", "D")))


def test_an_abstaining_label_is_left_out_and_named() -> None:
    """A label that a collapse maps to nothing has no side."""
    rows = [{"card": "c1", "auto": "E", "final": "abstain"}]
    line = against_final(rows, Readout("panel", "auto", "final", JUDGES, JUDGES))
    assert [group.reason for group in line.left_out] == [
        "the final label abstain belongs to no class"
    ]


@pytest.mark.parametrize(
    ("codes", "label"),
    [
        ("E QE D", "bias_evidence"),
        ("E D R", "none"),
        ("E abstain D", "abstain"),
        ("E abstain QE", "bias_evidence"),
        ("abstain abstain E", "abstain"),
        ("N D R", "none"),
    ],
)
def test_a_panel_votes_on_classes_and_needs_more_than_half_of_all_judges(
    codes: str, label: str
) -> None:
    """The five codes are collapsed before voting; two of three must agree, abstaining or not."""
    assert majority(codes.split(), JUDGES) == label


def test_a_judge_without_a_code_counts_among_all_and_a_strange_code_is_refused() -> None:
    """An empty code is no vote; a misspelt one is a problem and no silent loss."""
    assert majority(["E", "", ""], JUDGES) == "abstain"
    assert majority(["E", "E", ""], JUDGES) == "bias_evidence"
    assert majority([], JUDGES) == "abstain"
    with pytest.raises(ProblemsFound, match="judge 2: the collapse does not name 'qe'"):
        majority(["E", "qe", "D"], JUDGES)


def test_unanimous_means_that_all_say_the_same_and_something() -> None:
    """With a collapse the class must be the same, without one the code."""
    row = {"card": "c", "a": "E", "b": "QE", "c": "E"}
    assert unanimous(["a", "b", "c"], JUDGES).holds(row)
    assert not unanimous(["a", "b", "c"]).holds(row)
    assert not unanimous(["a", "d"]).holds(row)
    assert not unanimous(["d", "e"]).holds(row)
