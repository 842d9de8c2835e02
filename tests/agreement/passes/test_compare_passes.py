"""Which decisions of two passes are compared, and what is left out and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reviewkit.agreement import Comparison, Report, compare_passes
from reviewkit.decisions.records import Record
from reviewkit.questions.forms import Checklist

MakeForm = Callable[..., Checklist]
MakeRecord = Callable[..., Record]


@pytest.fixture
def second(make_record: MakeRecord) -> MakeRecord:
    """Return a maker of decisions by another person."""

    def make(form: Checklist, card_id: str, failed: str = "", **changes: Any) -> Record:
        return make_record(form, card_id, failed, rater="basim", **changes)

    return make


def shelf(*forms: Checklist) -> Callable[[str], Checklist | None]:
    """Return the lookup over these forms."""
    return {form.digest: form for form in forms}.get


def one(report: Report, kind: Any, title: str = "") -> Comparison:
    """Return the comparison of this kind (and title)."""
    (found,) = [one for one in report.of_kind(kind) if title in ("", one.title)]
    return found


def reasons(comparison: Comparison) -> dict[str, tuple[str, ...]]:
    """Return reason -> units left out."""
    return {group.reason: group.units for group in comparison.left_out}


def test_verdicts_and_checks_are_counted(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Verdicts give a three-class and a binary table, answers a pooled yes/no one."""
    form = make_form()
    report = compare_passes(
        {
            "C-1": make_record(form, "C-1"),
            "C-2": make_record(form, "C-2", "natural"),
            "C-3": make_record(form, "C-3", "natural"),
        },
        {
            "C-1": second(form, "C-1"),
            "C-2": second(form, "C-2", "natural bounded_length"),
            "C-3": second(form, "C-3", "one_variable"),
        },
        shelf(form),
    )
    assert one(report, "verdict").table.counts == ((1, 0, 0), (0, 1, 1), (0, 0, 0))
    assert one(report, "verdict_binary").table.counts == ((1, 0), (0, 2))
    pooled = one(report, "pooled")
    # C-2: bounded_length yes/no. C-3: one_variable yes/no, natural no/yes.
    assert pooled.table.counts == ((5, 2), (1, 1))
    assert (pooled.n, pooled.total, pooled.left_out) == (9, 9, ())


def test_parts_add_up_to_the_pooled_table(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Natures, test types and single checks each split the pooled table without loss."""
    t1, t4 = make_form(), make_form("t4", test_type="T4", checks={"watchlist": "structural"})
    report = compare_passes(
        {"C-1": make_record(t1, "C-1", "natural"), "C-2": make_record(t4, "C-2", "watchlist")},
        {"C-1": second(t1, "C-1"), "C-2": second(t4, "C-2")},
        shelf(t1, t4),
    )
    assert one(report, "nature", "structural").table.counts == ((1, 0), (1, 0))
    assert one(report, "nature", "judgement").table.counts == ((1, 0), (1, 0))
    assert [part.title for part in report.of_kind("test_type")] == ["T1", "T4"]
    assert [part.title for part in report.of_kind("check")] == [
        "T1 t1@1 one_variable",
        "T1 t1@1 bounded_length",
        "T1 t1@1 natural",
        "T4 t4@1 watchlist",
    ]
    for kind in ("nature", "test_type", "check"):
        summed = [
            [sum(part.table.counts[i][j] for part in report.of_kind(kind)) for j in (0, 1)]
            for i in (0, 1)
        ]
        assert summed == [list(row) for row in one(report, "pooled").table.counts]


def test_missing_and_skipped_cards_are_told_apart(
    make_form: MakeForm,
    make_record: MakeRecord,
    second: MakeRecord,
    make_skip: Callable[[str], Record],
) -> None:
    """A card without a decision on both sides is left out with who lacks what."""
    form = make_form()
    report = compare_passes(
        {card: make_record(form, card) for card in ("C-1", "C-2", "C-3")}
        | {"C-5": make_skip("C-5")},
        {"C-1": second(form, "C-1"), "C-3": make_skip("C-3"), "C-4": second(form, "C-4")},
        shelf(form),
        names=("blue", "green"),
        cards=("C-6",),
    )
    verdict = one(report, "verdict")
    assert (verdict.n, verdict.total) == (1, 6)
    assert reasons(verdict) == {
        "not decided in green": ("C-2",),
        "skipped in green": ("C-3",),
        "not decided in blue": ("C-4",),
        "skipped in blue, not decided in green": ("C-5",),
        "not decided in blue, not decided in green": ("C-6",),
    }
    assert one(report, "verdict_binary").left_out == verdict.left_out
    # the checks of C-2, C-3 and C-4 are known to have been asked: three each
    assert (one(report, "pooled").n, one(report, "pooled").total) == (3, 12)
    assert one(report, "check", "T1 t1@1 natural").total == 4


def test_another_content_is_never_compared(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Decisions on two contents of a card compare neither verdict nor checks."""
    form = make_form()
    report = compare_passes(
        {"C-1": make_record(form, "C-1", "natural")},
        {"C-1": second(form, "C-1", card_digest="c" * 64)},
        shelf(form),
    )
    why = "the card's content changed between the passes (card digests differ)"
    assert reasons(one(report, "verdict")) == {why: ("C-1",)}
    assert reasons(one(report, "pooled")) == {
        why: ("C-1 one_variable", "C-1 bounded_length", "C-1 natural")
    }
    assert report.disagreements == ()
    assert one(report, "verdict").figure("kappa").value is None


def test_another_edition_of_the_form_compares_the_checks_that_stayed(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Across editions the verdict is left out, and so is each check that is new or changed."""
    old = make_form(checks={"one_variable": "structural", "natural": "judgement"})
    new = make_form(version="2", natural="reworded?")
    report = compare_passes(
        {"C-1": make_record(old, "C-1", "one_variable")},
        {"C-1": second(new, "C-1")},
        shelf(old, new),
    )
    assert reasons(one(report, "verdict")) == {
        "judged with different editions of the form (form digests differ)": ("C-1",)
    }
    assert reasons(one(report, "pooled")) == {
        "the check was changed between the passes": ("C-1 natural",),
        "not asked in first": ("C-1 bounded_length",),
    }
    check = one(report, "check", "T1 t1@1, t1@2 one_variable")
    assert check.table.counts == ((0, 0), (1, 0))
    (entry,) = report.disagreements
    assert not entry.verdicts_compared
    assert entry.checks == (("one_variable", "no", "yes"),)


def test_check_asked_in_one_pass_only(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """A check that only one pass was asked leaves the pooled figure with the reason."""
    form = make_form()
    report = compare_passes(
        {"C-1": make_record(form, "C-1")},
        {"C-1": second(form, "C-1", asked=("one_variable", "natural"))},
        shelf(form),
    )
    assert reasons(one(report, "pooled")) == {"not asked in second": ("C-1 bounded_length",)}
    assert one(report, "verdict").n == 1


def test_changed_check_is_a_row_of_its_own(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """A check reworded between two cards is two questions; one that stayed is one."""
    old = make_form(checks={"one_variable": "structural", "natural": "judgement"})
    new = make_form(
        version="2",
        checks={"one_variable": "structural", "natural": "judgement"},
        natural="reworded?",
    )
    report = compare_passes(
        {"C-1": make_record(old, "C-1"), "C-2": make_record(new, "C-2")},
        {"C-1": second(old, "C-1"), "C-2": second(new, "C-2")},
        shelf(old, new),
    )
    found = {part.title: part.n for part in report.of_kind("check")}
    assert found == {
        "T1 t1@1, t1@2 one_variable": 2,
        "T1 t1@1 natural": 1,
        "T1 t1@2 natural": 1,
    }


def test_unknown_form_leaves_checks_out_and_keeps_the_verdict(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Without the form no check has a nature or type; the verdicts still compare."""
    form = make_form()
    report = compare_passes(
        {"C-1": make_record(form, "C-1")}, {"C-1": second(form, "C-1")}, shelf()
    )
    assert one(report, "verdict").n == 1
    (group,) = one(report, "pooled").left_out
    assert group.reason == "the form it was judged with is not among the checklists"
    assert len(group.units) == 3
    assert report.of_kind("nature", "test_type", "check") == ()


def test_different_forms_and_rules(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Another form leaves out all of a card, another version of the rule only its verdict."""
    t1, t2 = make_form(), make_form("t2", test_type="T2")
    report = compare_passes(
        {"C-1": make_record(t1, "C-1"), "C-2": make_record(t1, "C-2")},
        {"C-1": second(t2, "C-1"), "C-2": second(t1, "C-2", rule_version="2")},
        shelf(t1, t2),
    )
    assert reasons(one(report, "verdict")) == {
        "judged with different forms": ("C-1",),
        "verdicts derived by different versions of the rule": ("C-2",),
    }
    assert set(reasons(one(report, "pooled"))) == {"judged with different forms"}
    assert one(report, "pooled").n == 3


def test_disagreements_by_id_with_verdicts_and_checks(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Each card that differs is listed once, sorted by id, with verdicts and differing checks."""
    form = make_form()
    report = compare_passes(
        {
            "C-9": make_record(form, "C-9", "natural"),
            "C-2": make_record(form, "C-2", "natural"),
            "C-1": make_record(form, "C-1"),
            "C-3": make_record(form, "C-3", "natural", verdict="rejected", escalated=True),
        },
        {
            "C-9": second(form, "C-9"),
            "C-2": second(form, "C-2", "bounded_length"),
            "C-1": second(form, "C-1"),
            "C-3": second(form, "C-3", "natural"),
        },
        shelf(form),
    )
    assert [(entry.card_id, entry.verdicts, entry.checks) for entry in report.disagreements] == [
        (
            "C-2",
            ("needs_fix", "needs_fix"),
            (("bounded_length", "yes", "no"), ("natural", "no", "yes")),
        ),
        ("C-3", ("rejected", "needs_fix"), ()),
        ("C-9", ("needs_fix", "accepted"), (("natural", "no", "yes"),)),
    ]


def test_one_person_twice_is_noticed(make_form: MakeForm, make_record: MakeRecord) -> None:
    """Two passes by the same person are compared under a notice that does not name them."""
    form = make_form()
    report = compare_passes(
        {"C-1": make_record(form, "C-1")},
        {"C-1": make_record(form, "C-1")},
        shelf(form),
        notices=["Pass second was reopened once."],
    )
    assert report.notices[0] == "Pass second was reopened once."
    assert "made by the same person" in report.notices[1]
    assert "amal" not in repr(report)


def test_nothing_at_all() -> None:
    """Two empty passes give a report without a figure and without a fault."""
    report = compare_passes({}, {}, shelf())
    assert one(report, "verdict").total == 0
    assert all(figure.value is None for figure in one(report, "pooled").figures)


def test_swapped_passes_give_the_swapped_report(
    make_form: MakeForm, make_record: MakeRecord, second: MakeRecord
) -> None:
    """Exchanging the passes transposes every table and changes no figure."""
    form = make_form()
    a = {"C-1": make_record(form, "C-1", "natural"), "C-2": make_record(form, "C-2")}
    b = {"C-1": second(form, "C-1"), "C-2": second(form, "C-2", "one_variable")}
    there, back = compare_passes(a, b, shelf(form)), compare_passes(b, a, shelf(form))
    for left, right in zip(there.comparisons, back.comparisons, strict=True):
        assert left.table.swapped() == right.table
        assert left.figures == right.figures
