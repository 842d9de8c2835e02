"""Two rounds, or two kinds of check, against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reviewkit.agreement.measures.difference import difference
from reviewkit.agreement.measures.estimates import Name
from reviewkit.agreement.of_study.checklist_questions import reviewed
from reviewkit.agreement.of_study.coding_questions import coded
from reviewkit.agreement.of_study.material import Material, OneRound
from reviewkit.agreement.of_study.parts import GROUP, Measuring
from reviewkit.agreement.of_study.question import Question
from reviewkit.agreement.reporting.model import Differs, Part
from reviewkit.problems import Problem, ProblemsFound

NAMES: tuple[Name, ...] = ("observed", "kappa", "fleiss", "ac1")
"""The coefficients of which a difference is told."""
_NATURES = ("nature:structural", "nature:judgement")


@dataclass(frozen=True, slots=True)
class Compared:
    """Parts of other rounds, and their differences from this one."""

    parts: tuple[Part, ...]
    differences: tuple[Differs, ...]
    said: tuple[str, ...] = ()
    """Which rounds are not compared, and why."""
    notices: tuple[str, ...] = ()
    """What must stand beside the figures of the other rounds."""


def chosen_rounds(material: Material, wanted: Sequence[str]) -> tuple[OneRound, ...]:
    """Return the other rounds to compare with: those named, else every open one.

    Raises ProblemsFound when one is named that the study has not, or whose labels are closed.
    """
    problems: list[Problem] = []
    known = {each.name: each for each in material.others}
    for name in wanted:
        if name in material.closed:
            wrong = f"the labels of round {name} are closed"
            problems.append(Problem("--compare", wrong, "wait until its passes are locked"))
        elif name not in known:
            others = ", ".join([*known, *material.closed]) or "none"
            wrong = f"study {material.study} has no other round {name!r}"
            problems.append(Problem("--compare", wrong, f"its other rounds: {others}"))
    if problems:
        raise ProblemsFound(problems)
    return tuple(known[name] for name in wanted) if wanted else material.others


def compare_rounds(
    material: Material, mine: Sequence[Question], measuring: Measuring, others: Sequence[OneRound]
) -> Compared:
    """Return what other rounds say to the questions of this one, and the differences.

    A question is compared when the other round has it under the same categories. The same cards
    carry both agreements, so they are drawn together.
    """
    parts: list[Part] = []
    differences: list[Differs] = []
    notices: list[str] = []
    said = [f"Round {name} is not compared: its labels are closed." for name in material.closed]
    for other in others:
        if len(other.passes) < 2:
            said.append(f"Round {other.name} is not compared: it has fewer than two passes.")
            continue
        questions, notice = _questions(material, other)
        notices += [f"Round {other.name}: {each}" for each in (*other.notices, *notice)]
        theirs = {each.id: each for each in questions}
        there = measuring.of(other.names)
        for question in mine:
            found = theirs.get(question.id)
            if found is None or found.categories != question.categories or not _any(found):
                continue
            named = replace(
                found, id=f"round:{other.name}/{found.id}",
                title=f"round {other.name}: {found.title}", kind="round", of=question.id, check="",
            )  # fmt: skip
            parts.append(there.part(named))
            if _any(question):
                differences += _differences(question, measuring, named, there)
    return Compared(tuple(parts), tuple(differences), tuple(said), tuple(notices))


def compare_natures(mine: Sequence[Question], measuring: Measuring) -> tuple[Differs, ...]:
    """Return how structural checks differ from judgement checks, over the same cards."""
    found = [each for name in _NATURES for each in mine if each.id == name and _any(each)]
    if len(found) < len(_NATURES):
        return ()
    return _differences(found[0], measuring, found[1], measuring)


def _questions(material: Material, other: OneRound) -> tuple[Sequence[Question], tuple[str, ...]]:
    """Return what the other round was asked, and what must be said of who answered."""
    if other.codebook is None:
        round_ = reviewed(material, other)
        return round_.questions, (round_.notice,) if round_.notice else ()
    return coded(material, other, other.codebook).questions, ()


def _any(question: Question) -> bool:
    return any(unit.compared for unit in question.units)


def _differences(
    one: Question, here: Measuring, other: Question, there: Measuring
) -> tuple[Differs, ...]:
    found = difference(
        here.ratings(one), there.ratings(other), NAMES, here.settings(one),
        # a figure that is not defined is told by the titles of the parts
        ids=(one.title, other.title), clusters=_clusters(one, here, other, there),
        measured=(here.measured(one), there.measured(other)),
    )  # fmt: skip
    return tuple(replace(each, one=one.id, other=other.id) for each in found)


def _clusters(
    one: Question, here: Measuring, other: Question, there: Measuring
) -> tuple[list[str], list[str]] | None:
    """Return the cluster of every row of both; None when rows of both are on their own.

    Both are clustered by the same: a card that has others of its group in one round only is in
    that group in the other round too, or the rounds would share no cluster.
    """
    named = {found[0] for found in (here.clusters(one), there.clusters(other)) if found}
    if not named:
        return None
    name = GROUP if GROUP in named else named.pop()
    return here.clusters_by(name, one), there.clusters_by(name, other)
