"""How a report reads, in the terminal and as Markdown."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from reviewkit import __version__
from reviewkit.agreement import Report, compare_passes, from_counts, render_markdown, render_text
from reviewkit.agreement.blocks import display_width, shown
from reviewkit.decisions.records import Record
from reviewkit.questions.forms import Checklist

NOTICE = "Pass second was opened early on 2 May: lead wanted to see the notes."


@pytest.fixture
def report(make_form: Callable[..., Checklist], make_record: Callable[..., Record]) -> Report:
    """Return a report over four cards, one of them judged once and one with a new edition."""
    old = make_form()
    new = make_form(version="2", natural="reworded?")
    return compare_passes(
        {
            "D-001": make_record(old, "D-001"),
            "D-002": make_record(old, "D-002", "natural"),
            "D-003": make_record(old, "D-003", "bounded_length"),
            "D-004": make_record(old, "D-004"),
        },
        {
            "D-001": make_record(old, "D-001", rater="basim"),
            "D-002": make_record(old, "D-002", "bounded_length", rater="basim"),
            "D-003": make_record(new, "D-003", rater="basim"),
        },
        {form.digest: form for form in (old, new)}.get,
        notices=[NOTICE],
    )


def flat(text: str) -> str:
    """Return the text with its line breaks undone."""
    return " ".join(text.split())


@pytest.mark.parametrize("render", [render_text, render_markdown])
def test_notices_stand_on_top_and_with_the_figures(
    report: Report, render: Callable[[Report], str]
) -> None:
    """A notice is read before any figure and again beside each set of them."""
    told = flat(render(report))
    assert told.count(NOTICE) == 4
    assert told.index(NOTICE) < told.index("compared")
    assert all(NOTICE in one["notices"] for one in report.as_json()["comparisons"])


def test_coverage_with_reasons(report: Report) -> None:
    """Used and left out are printed with the reason and the ids."""
    text = flat(render_text(report))
    assert "2 of 4 cards compared; 2 left out:" in text
    assert "- 1: not decided in second (D-004)" in text
    assert "- 1: judged with different editions of the form (form digests differ) (D-003)" in text
    assert "8 of 12 check decisions compared; 4 left out:" in text
    assert "- 1: the check was changed between the passes (D-003 natural)" in text
    # of four cards, D-003 has another wording of the check and D-004 no second decision
    assert "natural T1 t1@1 judgement 1 of 2 2 2 0.50 0.00 0.00 0.20" in text


def test_undefined_is_a_sentence(report: Report) -> None:
    """No NaN anywhere: an undefined figure is the word and one sentence for all alike rows."""
    for told in (flat(render_text(report)), flat(render_markdown(report))):
        assert "nan" not in told.lower().split()
        assert "undefined" in told
    text = flat(render_text(report))
    assert "kappa not defined for structural: both passes used only the category yes." in text


def test_disagreements_are_listed(report: Report) -> None:
    """Each differing card stands with both verdicts and the checks that differ."""
    lines = [line.split("  ") for line in render_text(report).splitlines()]
    cells = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    assert [
        "D-002", "needs_fix", "needs_fix", "bounded_length yes / no, natural no / yes",
    ] in cells  # fmt: skip
    assert ["D-003", "(needs_fix)", "(accepted)", "bounded_length no / yes"] in cells
    assert "0 of 2 verdicts and 3 of 8 check decisions differ, on 2 cards." in render_text(report)


def test_each_check_row_has_its_answers(report: Report) -> None:
    """A check's row names type, form and nature, and its matrix is told in words."""
    rows = [line.split() for line in render_text(report).splitlines()]
    assert ["natural", "T1", "t1@1", "judgement", "1", "0", "1", "0"] in rows
    markdown = render_markdown(report)
    assert "| both yes | both no | no only in first | no only in second |" in markdown


def test_method_line(report: Report) -> None:
    """The last line names coefficients, n, categories and version."""
    last = render_markdown(report).rstrip().splitlines()[-1]
    for part in (
        "Cohen's kappa (1960)", "PABAK = 2 x observed - 1", "Brennan-Prediger", "Gwet's AC1",
        "2 cards over 3 categories (accepted, needs_fix, rejected)",
        "8 check decisions over 2 categories (yes, no)", f"reviewkit {__version__}",
    ):  # fmt: skip
        assert part in last


def test_long_lists_of_ids_are_cut_in_print_only() -> None:
    """Print names six ids and counts the rest; the machine form keeps them all."""
    report = compare_passes({}, {}, {}.get, cards=[f"C-{i}" for i in range(10)])
    assert "C-5 and 4 more)" in flat(render_text(report))
    (group,) = report.as_json()["comparisons"][0]["left_out"]
    assert (group["count"], len(group["units"])) == (10, 10)


def test_empty_report_renders() -> None:
    """Nothing judged reads as a sentence in both forms."""
    empty = compare_passes({}, {}, {}.get)
    for told in (render_text(empty), render_markdown(empty)):
        assert "0 of 0 cards compared; none left out." in told
        assert "nothing was judged in both passes" in flat(told)


def test_any_names_keep_the_columns() -> None:
    """Arabic, wide and many-line names neither break a row nor shift a column."""
    categories = ("مقبول", "يُراجَع", "不可")
    report = from_counts(
        [[3, 1, 0], [0, 5, 1], [0, 0, 2]], categories, names=("المرور الأول", "second\npass | x")
    )
    text = render_text(report)
    assert "rows: \u2068المرور الأول\u2069, columns: second pass | x" in text
    start = text.index("Confusion matrix")
    matrix = text[start:].split("\n\n")[1].splitlines()
    assert len({display_width(line) for line in matrix}) == 1
    assert text.count("\u2068") == text.count("\u2069")
    assert "second pass \\| x" in render_markdown(report)


def test_isolation() -> None:
    """Right-to-left runs are isolated, override marks are dropped, plain text is untouched."""
    assert shown("needs_fix") == "needs_fix"
    assert shown("used only نعم here") == "used only \u2068نعم\u2069 here"
    assert shown("نعم (1)") == "\u2068نعم (1)\u2069"
    assert shown("a\u202eb\tc") == "a b c"


def test_markup_in_names_stays_text() -> None:
    """Markdown signs in a name are escaped; the underscore of needs_fix is not."""
    markdown = render_markdown(from_counts([[1]], ["<b>*x*"], names=("_a_", "[b](c)")))
    assert "\\<b\\>\\*x\\*" in markdown
    assert "\\_a\\_" in markdown
    assert "\\[b\\](c)" in markdown


def test_many_noted_checks_are_one_sentence(
    make_form: Callable[..., Checklist], make_record: Callable[..., Record]
) -> None:
    """Notes on single checks are gathered by kind instead of repeated."""
    form = make_form(checks={"length": "judgement", "natural": "judgement"})
    first = {f"C-{i}": make_record(form, f"C-{i}", "length" * (i == 0)) for i in range(10)}
    second = {
        f"C-{i}": make_record(form, f"C-{i}", {1: "length", 2: "natural"}.get(i, ""), rater="b")
        for i in range(10)
    }
    text = flat(render_text(compare_passes(first, second, {form.digest: form}.get)))
    assert "read PABAK and AC1 beside it: t1@1 length." in text
    assert "read PABAK and AC1 beside it: t1@1 natural." in text


def test_import_stays_light() -> None:
    """Importing the package loads neither pydantic nor any numeric library."""
    code = (
        "import sys, reviewkit.agreement; "
        "print(sorted({'pydantic', 'numpy', 'pandas', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
