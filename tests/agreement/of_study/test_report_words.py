"""How names, ids and notes of a study read in a report: as text, in any script."""

from __future__ import annotations

import pytest

from reviewkit.agreement import from_counts
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.of_study.report import passes_report
from reviewkit.agreement.reporting.blocks import display_width, shown
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.render import render
from tests.agreement.of_study.study_material import checklist, decided, material, one_round

NOTICE = "Opened early by the lead on 2026-05-02: to see the notes."
FORM = checklist("t1", {"one_variable": "structural", "natural": "judgement"})


def flat(text: str) -> str:
    """Return the text with its line breaks undone."""
    return " ".join(text.split())


def report_with(note: str, cards: int = 2) -> AgreementReport:
    """Return the report on a round in which one reviewer wrote this note on every card."""
    ids = [f"C-{at:02}" for at in range(cards)]
    passes = {
        "first": {card: decided(FORM, card) for card in ids},
        "second": {card: decided(FORM, card, ["natural"], by="b", note=note) for card in ids},
    }
    return passes_report(material(one_round(passes, notices=[NOTICE]), [FORM]), Settings(draws=0))


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_a_notice_is_read_before_any_figure(form: str) -> None:
    """What was opened early stands above the first sentence."""
    told = flat(render(report_with("so"), form))  # pyright: ignore[reportArgumentType]
    assert 0 < told.index("Opened early by the lead") < told.index("Two reviewers agreed")


def test_markup_in_a_note_stays_text() -> None:
    """A note is shown as it was written, and is never markup."""
    note = "<script>alert(1)</script> | *bold* \\input{x}"
    report = report_with(note)
    assert "<script>alert" not in render(report, "html")
    assert "&lt;script&gt;alert(1)" in render(report, "html")
    markdown = render(report, "md")
    assert "\\<script\\>" in markdown
    assert "\\| \\*bold\\*" in markdown
    assert "\\input{x}" not in render(report, "latex")


def test_an_arabic_note_is_isolated() -> None:
    """A right-to-left note does not turn the columns around it."""
    text = render(report_with("الصياغة غير طبيعية"))
    assert text.count("\u2068") == text.count("\u2069") > 0


def test_long_lists_of_ids_are_cut_in_print_only() -> None:
    """Print names six ids and counts the rest."""
    round_ = one_round(
        {"first": {}, "second": {}},
        held={name: [f"C-{at}" for at in range(10)] for name in ("first", "second")},
    )
    report = passes_report(material(round_), Settings(draws=0))
    (gone,) = report.part("whole").excluded
    assert (gone.count, len(gone.examples)) == (10, 6)
    assert "C-5 and 4 more" in flat(render(report))


def test_any_names_keep_the_columns() -> None:
    """Arabic, wide and many-line names neither break a row nor shift a column."""
    categories = ("مقبول", "يُراجَع", "不可")
    report = from_counts(
        [[3, 1, 0], [0, 5, 1], [0, 0, 2]], categories, names=("المرور الأول", "second\npass | x"),
        settings=Settings(draws=0),
    )  # fmt: skip
    text = render(report)
    start = text.index("Confusion matrix")
    assert "rows: \u2068المرور الأول\u2069, columns: second pass | x" in flat(text[start:])
    matrix = text[start:].split("\n\n")[1].splitlines()
    assert len({display_width(line) for line in matrix}) == 1
    assert "second pass \\| x" in render(report, "md")


def test_isolation() -> None:
    """Right-to-left runs are isolated, override marks are dropped, plain text is untouched."""
    assert shown("needs_fix") == "needs_fix"
    assert shown("used only نعم here") == "used only \u2068نعم\u2069 here"
    assert shown("نعم (1)") == "\u2068نعم (1)\u2069"
    assert shown("a\u202eb\tc") == "a b c"


def test_markup_in_names_stays_text() -> None:
    """Markdown signs in a name are escaped; the underscore of needs_fix is not."""
    report = from_counts([[1]], ["<b>*x*"], names=("_a_", "[b](c)"), settings=Settings(draws=0))
    markdown = render(report, "md")
    assert "\\<b\\>\\*x\\*" in markdown
    assert "\\_a\\_" in markdown
    assert "\\[b\\](c)" in markdown
