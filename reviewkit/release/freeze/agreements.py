"""How far the reviews of a bank agree, from the records alone and without anybody's name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from reviewkit.agreement.coefficients import FigureName
from reviewkit.agreement.passes.report import Comparison, Report
from reviewkit.agreement.passes.verdicts import compare_passes
from reviewkit.agreement.reporting.blocks import share
from reviewkit.decisions import Record
from reviewkit.questions import FormShelf, load_forms
from reviewkit.release.freeze.certificate import Agreement
from reviewkit.release.guard import Outside
from reviewkit.study import LabelsClosed, Study
from reviewkit.study.opening import OpenRound, told_round
from reviewkit.workspace import Workspace

_FIGURES: tuple[FigureName, ...] = ("kappa", "pabak", "brennan_prediger", "ac1")
_KINDS = {"verdict": "verdict", "verdict_binary": "accepted or not", "pooled": "checks"}


def agreements_within(ws: Workspace, study: Study, outside: Outside) -> tuple[Agreement, ...]:
    """Return the agreement of every two passes of each open round of a study."""
    called = outside.passes(study)
    shelf = load_forms(ws.checklists)
    found: list[Agreement] = []
    for opened in open_rounds(ws, study):
        for one, two in combinations(opened.passes, 2):
            names = (
                f"{study.study}/{called[one.pass_]}", f"{study.study}/{called[two.pass_]}"
            )  # fmt: skip
            cards = sorted({*one.decisions, *two.decisions})
            notices = [outside.notice(study, each) for each in opened.notices]
            found += _compared(one.decisions, two.decisions, shelf, names, cards, notices)
    return tuple(found)


def agreements_between(
    ws: Workspace, first: Study, second: Study, cards: Iterable[str], outside: Outside
) -> tuple[Agreement, ...]:
    """Return how each pass of a second review agrees with what the primary rater said first.

    Args:
        ws: the project folder.
        first: the study whose verdicts stand.
        second: the study that looked at a sample of its groups again.
        cards: the groups of that sample.
        outside: how passes are called and notices told where nobody may be named.
    """
    shelf = load_forms(ws.checklists)
    chosen = frozenset(cards)
    name, spoken = _primary(ws, first)
    mine = {card: record for card, record in spoken.items() if card in chosen}
    found: list[Agreement] = []
    for opened in open_rounds(ws, second):
        for each in opened.passes:
            names = (
                f"{first.study}/{outside.passes(first)[name]}",
                f"{second.study}/{outside.passes(second)[each.pass_]}",
            )
            theirs = {card: record for card, record in each.decisions.items() if card in chosen}
            notices = [outside.notice(second, said) for said in opened.notices]
            found += _compared(mine, theirs, shelf, names, sorted(chosen), notices)
    return tuple(found)


def open_rounds(ws: Workspace, study: Study) -> Iterator[OpenRound]:
    """Yield the rounds of a study whose labels may be told."""
    for round_ in study.rounds:
        try:
            yield told_round(ws, study, round_)
        except LabelsClosed:
            continue


def _primary(ws: Workspace, study: Study) -> tuple[str, dict[str, Record]]:
    """Return the primary pass and what its rater said last of every group, later passes too."""
    passes = [each for opened in open_rounds(ws, study) for each in opened.passes]
    name = study.primary or study.rounds[0].passes[0].pass_
    start = next((at for at, each in enumerate(passes) if each.pass_ == name), len(passes))
    said: dict[str, Record] = {}
    for each in passes[start:]:
        if each.rater == passes[start].rater:
            for card, record in each.decisions.items():
                # a skip in a later pass takes no verdict away
                if record.kind != "skip" or card not in said:
                    said[card] = record
    return name, said


def _compared(
    first: Mapping[str, Record],
    second: Mapping[str, Record],
    shelf: FormShelf,
    names: tuple[str, str],
    cards: Iterable[str],
    notices: Iterable[str],
) -> Iterator[Agreement]:
    report = compare_passes(
        first, second, shelf.checklist, names=names, cards=cards, notices=notices
    )
    for each in report.of_kind("verdict", "verdict_binary", "pooled"):
        yield _agreement(report, each)


def _agreement(report: Report, found: Comparison) -> Agreement:
    return Agreement(
        between=report.names,
        on=_KINDS[found.kind],
        n=found.n,
        agree=found.table.agree,
        percent=share(found.table.agree, found.n).partition(" ")[2].strip("()"),
        kappa=found.figure("kappa").value,
        pabak=found.figure("pabak").value,
        brennan_prediger=found.figure("brennan_prediger").value,
        ac1=found.figure("ac1").value,
        undefined={
            name: found.figure(name).why for name in _FIGURES if found.figure(name).value is None
        },
        left_out=found.total - found.n,
        notices=report.notices,
    )
