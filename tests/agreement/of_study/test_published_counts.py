"""A table of published counts prints the published figures."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from reviewkit.agreement import AgreementReport, from_counts
from reviewkit.agreement.passes.report import ACCEPTED_OR_NOT, ANSWERS, VERDICTS
from reviewkit.agreement.reporting.render import render
from reviewkit.problems import ProblemsFound

SEED_004 = [[0, 1, 0], [4, 19, 1], [0, 0, 0]]


@pytest.fixture
def seed_report() -> AgreementReport:
    """Return the report on the verdict table of seed 004, section 7."""
    return from_counts(SEED_004, VERDICTS, names=("first author", "second author"))


def flat(text: str) -> str:
    """Return the text with its line breaks undone."""
    return " ".join(text.split())


def test_seed_numbers_as_printed(seed_report: AgreementReport) -> None:
    """19 of 25, 0.76 and 0.80, -0.06, 0.52 and 0.60 with 0.64 beside, 0.73 and 0.76."""
    printed = [
        [f"{part.measured.estimate(name).value:z.2f}" for name in
         ("observed", "kappa", "pabak", "brennan_prediger", "ac1")]
        for part in seed_report.parts
    ]  # fmt: skip
    assert printed == [
        ["0.76", "-0.06", "0.52", "0.64", "0.73"],
        ["0.80", "-0.07", "0.60", "0.60", "0.76"],
    ]
    assert [each.kind for each in seed_report.parts] == ["whole", "collapse"]


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_paradox_sentence_for_the_seed(seed_report: AgreementReport, form: str) -> None:
    """The low kappa is explained with the companions' values, in every form people read."""
    text = flat(render(seed_report, form))  # pyright: ignore[reportArgumentType]
    assert "88 % of all labels are needs_fix" in text
    assert "the prevalence paradox" in text
    assert "PABAK 0.52" in text
    assert "AC1 0.73" in text


def test_matrix_names_both_raters(seed_report: AgreementReport) -> None:
    """The confusion matrix carries its counts, totals and who is which side."""
    text = render(seed_report)
    assert "rows: first author, columns: second author" in flat(text)
    assert (
        "           accepted  needs_fix  rejected  all\n"
        "accepted          0          1         0    1\n"
        "needs_fix         4         19         1   24\n"
        "rejected          0          0         0    0\n"
        "all               4         20         1   25\n"
    ) in text


def test_json_has_full_precision_and_the_declared_list(seed_report: AgreementReport) -> None:
    """The machine form keeps every digit, the categories and n."""
    whole, coarse = json.loads(render(seed_report, "json"))["parts"]
    assert whole["categories"] == list(VERDICTS)
    kappa = {each["name"]: each["value"] for each in whole["estimates"]}["kappa"]
    assert kappa == pytest.approx(-9 / 141, abs=1e-12)
    assert (coarse["paired"], coarse["agree"], coarse["of"]) == (25, 20, "whole")


def test_other_categories_have_no_collapse_unless_asked() -> None:
    """Only the three verdicts are collapsed by themselves; others when classes are given."""
    plain = from_counts([[3, 1], [0, 2]], ("yes", "no"))
    assert [each.kind for each in plain.parts] == ["whole"]
    coarse = from_counts(
        [[1, 0, 0], [0, 1, 1], [0, 0, 1]], "abc", classes={"a": "x", "b": "y", "c": "y"}
    )
    assert coarse.parts[1].measured.pairs[0].table == ((1, 0), (0, 3))
    assert coarse.parts[1].mapping == (("x", ("a",)), ("y", ("b", "c")))


def test_which_units_differ_is_not_known(seed_report: AgreementReport) -> None:
    """A table of counts has no ids, and the report says so."""
    assert seed_report.disagreements == ()
    assert "which units differ is not known" in seed_report.understood[0]


def test_bad_counts_are_refused() -> None:
    """A table that does not fit its categories never becomes a report."""
    with pytest.raises(ProblemsFound):
        from_counts(SEED_004, ("accepted", "rejected"))
    with pytest.raises(ProblemsFound):
        from_counts([[1, -1], [0, 2]], ("yes", "no"))


def test_category_lists_are_those_of_the_rule() -> None:
    """The declared lists equal the types of the verdict rule and the form."""
    from typing import get_args

    from reviewkit.questions.forms import Answer
    from reviewkit.questions.verdict import Verdict

    assert get_args(Verdict) == VERDICTS == tuple(ACCEPTED_OR_NOT)
    assert get_args(Answer) == ANSWERS


def test_import_stays_light() -> None:
    """Importing the package loads neither pydantic nor any numeric library."""
    code = (
        "import sys, reviewkit.agreement; "
        "print(sorted({'pydantic', 'numpy', 'pandas', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
