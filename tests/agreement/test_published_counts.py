"""The seed's published counts print the seed's numbers."""

from __future__ import annotations

import json

import pytest

from reviewkit.agreement import Report, from_counts, render_markdown, render_text
from reviewkit.agreement.report import ACCEPTED_OR_NOT, ANSWERS, VERDICTS
from reviewkit.problems import ProblemsFound

SEED_004 = [[0, 1, 0], [4, 19, 1], [0, 0, 0]]


@pytest.fixture
def seed_report() -> Report:
    """Return the report on the verdict table of seed 004, section 7."""
    return from_counts(SEED_004, VERDICTS, names=("first author", "second author"))


def test_seed_numbers_as_printed(seed_report: Report) -> None:
    """19 of 25, 0.76 and 0.80, -0.06, 0.52 and 0.60 with 0.64 beside, 0.73 and 0.76."""
    lines = render_text(seed_report).splitlines()
    at = lines.index(
        "categories                        agree  q  observed  kappa  PABAK  BP(q)   AC1"
    )
    assert lines[at + 1 : at + 3] == [
        "accepted, needs_fix, rejected  19 of 25  3      0.76  -0.06   0.52   0.64  0.73",
        "accepted, not accepted         20 of 25  2      0.80  -0.07   0.60   0.60  0.76",
    ]


def test_seed_numbers_in_markdown(seed_report: Report) -> None:
    """The same numbers stand in the Markdown table."""
    rows = render_markdown(seed_report).splitlines()
    assert (
        "| accepted, needs_fix, rejected | 19 of 25 | 3 | 0.76 | -0.06 | 0.52 | 0.64 | 0.73 |"
        in rows
    )
    assert "| accepted, not accepted | 20 of 25 | 2 | 0.80 | -0.07 | 0.60 | 0.60 | 0.76 |" in rows


def test_paradox_sentence_for_the_seed(seed_report: Report) -> None:
    """The low kappa is explained with the companions' values."""
    text = " ".join(render_text(seed_report).split())
    assert (
        "Kappa is -0.06 although 19 of 25 agree: 88% of all labels are needs_fix, so kappa puts "
        "agreement by chance at 0.77 already (the prevalence paradox). "
        "Read PABAK 0.52, Brennan-Prediger 0.64 and AC1 0.73."
    ) in text


def test_matrix_names_both_passes(seed_report: Report) -> None:
    """The confusion matrix carries its counts, totals and which pass is which side."""
    text = render_text(seed_report)
    assert "Confusion matrix, rows: first author, columns: second author" in text
    assert (
        "           accepted  needs_fix  rejected  all\n"
        "accepted          0          1         0    1\n"
        "needs_fix         4         19         1   24\n"
        "rejected          0          0         0    0\n"
        "all               4         20         1   25\n"
    ) in text


def test_json_has_full_precision_and_the_declared_list(seed_report: Report) -> None:
    """The machine form keeps every digit, the categories, n and the method."""
    found = json.loads(json.dumps(seed_report.as_json(), allow_nan=False))
    three, two = found["comparisons"]
    assert three["categories"] == list(VERDICTS)
    assert three["matrix"] == SEED_004
    assert {figure["name"]: figure["value"] for figure in three["figures"]}["kappa"] == -9 / 141
    assert (two["used"], two["agree"], two["kind"]) == (25, 20, "verdict_binary")
    assert "25 units over 3 categories (accepted, needs_fix, rejected)" in found["method"]


def test_other_categories_have_no_collapse_unless_asked() -> None:
    """Only the three verdicts are collapsed by themselves; others when classes are given."""
    plain = from_counts([[3, 1], [0, 2]], ("yes", "no"))
    assert [one.kind for one in plain.comparisons] == ["verdict"]
    coarse = from_counts(
        [[1, 0, 0], [0, 1, 1], [0, 0, 1]], "abc", classes={"a": "x", "b": "y", "c": "y"}
    )
    assert coarse.comparisons[1].table.counts == ((1, 0), (0, 3))


def test_bad_counts_are_refused() -> None:
    """A table that does not fit its categories never becomes a report."""
    with pytest.raises(ProblemsFound):
        from_counts(SEED_004, ("accepted", "rejected"))


def test_category_lists_are_those_of_the_rule() -> None:
    """The declared lists equal the types of the verdict rule and the form."""
    from typing import get_args

    from reviewkit.questions.forms import Answer
    from reviewkit.questions.verdict import Verdict

    assert get_args(Verdict) == VERDICTS == tuple(ACCEPTED_OR_NOT)
    assert get_args(Answer) == ANSWERS
