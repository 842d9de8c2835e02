"""A study laid out so that it gives every count the seeds print: the report prints their figures.

Seed 004, section 7: 25 groups, 143 check decisions, two reviewers. Seed 000, E.3 and E.4: codings
of 80 responses, and a critical flag on 200 adapters.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reviewkit.agreement.measures.estimates import Estimate, Name, Settings
from reviewkit.agreement.of_study.material import Material
from reviewkit.agreement.of_study.report import passes_report
from reviewkit.agreement.reporting.model import AgreementReport, Part
from reviewkit.agreement.reporting.render import render
from reviewkit.questions.forms import Checklist
from tests.agreement.of_study.study_material import checklist, coded, decided, material, one_round
from tests.agreement.passes.test_codings import (
    EVERY_KIND,
    SEED_RATIONALE,
    SEED_SELECTION,
    SELECTION,
)

S, J = "structural", "judgement"
T1 = checklist(
    "t1",
    {"one_variable": S, "bounded": J, "no_bait": J, "natural": J, "dialect": S, "fields": S},
)
T2 = checklist(
    "t2",
    {"no_cue": J, "decisive": S, "direction": J, "key": J, "stereotype": J, "identical": J},
)
T3 = checklist(
    "t3", {"legitimate": J, "no_harm": J, "band": J, "real_values": S, "confessional": J}
)
T4 = checklist("t4", {"no_term": J, "watchlist": S, "event": J, "general": J}, rejecting=["event"])
FORMS = {"t1": (T1, 17), "t2": (T2, 3), "t3": (T3, 3), "t4": (T4, 2)}

# card numbers on which (both, only the first, only the second) said no
NOES: dict[str, tuple[set[int], set[int], set[int]]] = {
    "t1/bounded": ({13, 14, 15, 16, 17}, {7, 8, 9, 10, 11, 12}, {1, 2}),
    "t1/natural": ({13}, {7, 8}, {1, 2, 3, 4, 6, 11, 12}),
    "t1/no_bait": (set(), {9, 10, 14, 15}, {1, 2, 3, 4, 5, 6, 11, 12, 13}),
    "t1/dialect": ({1, 2, 3, 4, 5}, set(), set()),
    "t2/decisive": ({1, 2, 3}, set(), set()),
    "t2/no_cue": (set(), set(), {1, 2, 3}),
    "t2/direction": (set(), {1}, {2}),
    "t2/key": (set(), {2}, {1}),
    "t2/stereotype": (set(), {3}, {1}),
    "t3/real_values": ({1, 2, 3}, set(), set()),
    "t3/legitimate": (set(), set(), {1, 2, 3}),
    "t3/no_harm": (set(), {1}, {2, 3}),
    "t3/confessional": (set(), {2}, {1}),
    "t4/watchlist": ({1, 2}, set(), set()),
    "t4/event": (set(), set(), {2}),
    "t4/general": (set(), set(), {1}),
    "t4/no_term": (set(), set(), {2}),
}


def cards() -> Iterator[tuple[Checklist, str, int]]:
    """Yield the form, id and number of every group."""
    for name, (form, number) in FORMS.items():
        for at in range(1, number + 1):
            yield form, f"{name}-{at:02}", at


def failed(form: Checklist, at: int, side: int) -> list[str]:
    """Return the checks that one reviewer failed on a group."""
    found: list[str] = []
    for check in form.checks:
        both, first, second = NOES.get(f"{form.form}/{check.id}", (set(), set(), set()))
        if at in both | (first, second)[side]:
            found.append(check.id)
    return found


@pytest.fixture(scope="module")
def seed_study() -> Material:
    """Return the material of the seed's review."""
    passes = {
        name: {
            card: decided(form, card, failed(form, at, side), by=name, note=f"{name} read {card}")
            for form, card, at in cards()
        }
        for side, name in enumerate(("first", "second"))
    }
    return material(one_round(passes), [T1, T2, T3, T4])


@pytest.fixture(scope="module")
def report(seed_study: Material) -> AgreementReport:
    """Return the report on it."""
    return passes_report(seed_study, Settings(draws=500))


def figure(part: Part, name: Name) -> Estimate:
    """Return a coefficient of a part."""
    return part.measured.estimate(name)


def test_the_verdicts_are_the_seed_s(report: AgreementReport) -> None:
    """19 of 25, kappa -.06, PABAK .52 with .64 beside it, AC1 .73; 20 of 25, .60, .76."""
    whole, accepted = report.part("whole"), report.part("collapse:accepted")
    (pair,) = whole.measured.pairs
    assert pair.table == ((0, 1, 0), (4, 19, 1), (0, 0, 0))
    printed = {
        name: round(figure(whole, name).value or 0, 6)
        for name in ("observed", "kappa", "pabak", "brennan_prediger", "ac1", "alpha")
    }
    assert printed == {
        "observed": 0.76, "kappa": -0.06383, "pabak": 0.52, "brennan_prediger": 0.64,
        "ac1": 0.731062, "alpha": -0.092937,
    }  # fmt: skip
    assert (accepted.measured.agree, accepted.measured.paired) == (20, 25)
    assert round(figure(accepted, "pabak").value or 0, 6) == 0.6
    assert round(figure(accepted, "ac1").value or 0, 6) == 0.756098
    interval = figure(whole, "observed").interval
    assert interval is not None
    assert (round(interval.low, 6), round(interval.high, 6)) == (0.565703, 0.885037)
    assert accepted.of == "whole"
    assert dict(accepted.mapping)["not accepted"] == ("needs_fix", "rejected")


def test_the_check_level_is_the_seed_s(report: AgreementReport) -> None:
    """93 of 143 decisions, .65, AC1 .39, 36 failed by the first; clusters are the 25 groups."""
    pooled = report.part("pooled").measured
    (pair,) = pooled.pairs
    assert pair.table == ((74, 33), (17, 19))
    assert sum(pair.table[1]) == 36
    assert (pooled.agree, pooled.paired, pooled.unit) == (93, 143, "check decision")
    assert f"{figure(report.part('pooled'), 'observed').value:.2f}" == "0.65"
    assert f"{figure(report.part('pooled'), 'ac1').value:.2f}" == "0.39"
    assert pooled.clusters == ("card", 25)
    interval = figure(report.part("pooled"), "observed").interval
    assert interval is not None
    assert interval.over == "clusters of card"


def test_structural_checks_agree_and_judgement_checks_diverge(report: AgreementReport) -> None:
    """The two heaps of the seed: 5/5, 3/3, 3/3, 2/2 flagged by both against 11 and 7, and .47."""
    structural, judgement = report.part("nature:structural"), report.part("nature:judgement")
    assert structural.measured.agree == structural.measured.paired
    assert judgement.measured.agree == 93 - structural.measured.paired
    for check, flagged in (
        ("t1/dialect", 5), ("t3/real_values", 3), ("t2/decisive", 3), ("t4/watchlist", 2),
    ):  # fmt: skip
        part = report.part(f"check:{check}")
        assert part.nature == S
        assert part.measured.pairs[0].table[1] == (0, flagged)
    bounded = report.part("check:t1/bounded").measured.pairs[0].table
    assert (sum(bounded[1]), bounded[0][1] + bounded[1][1]) == (11, 7)
    natural = report.part("check:t1/natural")
    assert (natural.measured.agree, natural.measured.paired) == (8, 17)
    interval = figure(natural, "observed").interval
    assert interval is not None
    assert (round(interval.low, 6), round(interval.high, 6)) == (0.261651, 0.690368)
    assert figure(natural, "observed").insufficient
    assert report.part("test_type:T1").measured.paired == 17 * 6
    assert sum(each.measured.paired for each in report.of_kind("check")) == 143


def test_the_natures_are_compared_over_the_same_cards(report: AgreementReport) -> None:
    """Structural against judgement is a paired difference: both were drawn on the 25 groups."""
    differs = next(each for each in report.differences if each.one_estimate.name == "observed")
    assert (differs.one, differs.other) == ("nature:structural", "nature:judgement")
    assert (differs.paired, differs.shared) == (True, 25)
    assert differs.interval is not None
    assert differs.interval.low > 0


def test_the_two_design_disagreements_are_told_from_rulings(report: AgreementReport) -> None:
    """A check that one fails on every card is a question of design, one that goes both ways not."""
    kinds = {each.what: each.kind for each in report.candidates}
    by_design = [what for what, kind in kinds.items() if kind == "design disagreement"]
    assert by_design == ["t2/no_cue", "t3/legitimate"]
    assert kinds["t1/bounded"] == kinds["t1/natural"] == "ruling"
    assert "t1/dialect" not in kinds
    cue = report.candidates[0]
    assert cue.units == ("t2-01", "t2-02", "t2-03")
    assert "only second says no, on 3 of 3 cards" in cue.reason
    bounded = next(each for each in report.candidates if each.what == "t1/bounded")
    assert "no only in first on 6, no only in second on 2" in bounded.reason


def test_disagreements_stand_with_both_notes(report: AgreementReport) -> None:
    """A differing card has both verdicts, the checks that differ in order, and what each wrote."""
    found = {each.unit: each for each in report.disagreements}
    assert found["t1-06"].labels == ("accepted", "needs_fix")
    assert found["t1-06"].details == (("no_bait", ("yes", "no")), ("natural", ("yes", "no")))
    assert found["t1-06"].notes == ("first read t1-06", "second read t1-06")
    assert found["t4-02"].labels == ("needs_fix", "rejected")
    assert "t1-16" not in found  # both failed the same check


@pytest.mark.parametrize("form", ["text", "md", "html", "latex", "csv", "json"])
def test_every_form_of_the_report_says_the_seed_s_sentence(
    report: AgreementReport, form: str
) -> None:
    """The figures come out of each renderer, with no NaN in any."""
    text = " ".join(render(report, form).split())  # pyright: ignore[reportArgumentType]
    if form == "csv":
        assert "0.76" in text
    else:
        assert "19 of 25 cards" in text
        assert "kappa -0.06" in text or form == "latex"  # where a minus has markup of its own
    assert "nan" not in text.lower().replace("nano", "").split()


def codings(codebook, table: dict[tuple[str, str], int], field: str) -> AgreementReport:
    """Return the report on two passes that hold so many pairs of codes."""
    pairs = [pair for pair, count in table.items() for _ in range(count)]
    passes = {
        name: {
            f"c{at:03}": coded(codebook, f"c{at:03}", {field: pair[side]})
            for at, pair in enumerate(pairs)
        }
        for side, name in enumerate(("first", "second"))
    }
    return passes_report(material(one_round(passes, codebook=codebook)), Settings(draws=0))


def test_the_codings_are_the_seed_s() -> None:
    """39/80 with .370 and 54/64 with .599; 74/80 with .884 and 79/79 with 1.000."""
    for codebook, table, field, five, two in (
        (EVERY_KIND, SEED_RATIONALE, "rationale", (39, 80, 0.370), (54, 64, 0.599)),
        (SELECTION, SEED_SELECTION, "selection", (74, 80, 0.884), (79, 79, 1.000)),
    ):
        found = codings(codebook, table, field)
        for part_id, (agree, n, kappa) in (
            (f"field:{field}", five), ("collapse:evidence", two),
        ):  # fmt: skip
            part = found.part(part_id)
            assert (part.measured.agree, part.measured.paired) == (agree, n)
            assert figure(part, "kappa").value == pytest.approx(kappa, abs=0.0005)
        assert found.part("collapse:evidence").of == f"field:{field}"
    reasons = {each.reason: each.count for each in found.part("collapse:evidence").excluded}
    assert reasons == {"cannot be classified in first": 1}


def test_the_critical_flag_is_the_seed_s() -> None:
    """187 of 200 with kappa .409: 6 and 17 flagged, 18 by either, 5 by both (E.4)."""
    form = checklist("t1", {"not_critical": J})
    noes = [(True, True)] * 5 + [(True, False)] + [(False, True)] * 12 + [(False, False)] * 182
    passes = {
        name: {
            f"a{at:03}": decided(form, f"a{at:03}", ["not_critical"] if pair[side] else [])
            for at, pair in enumerate(noes)
        }
        for side, name in enumerate(("one", "two"))
    }
    part = passes_report(material(one_round(passes), [form]), Settings(draws=0)).part("pooled")
    assert (part.measured.agree, part.measured.paired) == (187, 200)
    assert figure(part, "kappa").value == pytest.approx(0.409, abs=0.0005)
