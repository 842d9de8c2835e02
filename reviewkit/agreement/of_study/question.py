"""What a round of passes was asked: one set of units under one list of categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reviewkit.agreement.passes.units import Unit
from reviewkit.agreement.reporting.model import Kind


@dataclass(frozen=True, slots=True)
class Question:
    """One part of the report before it is measured."""

    id: str
    """Of the part: ``whole``, ``check:t1/one_variable``."""
    title: str
    kind: Kind
    unit: str
    """What is counted, in the singular."""
    units: tuple[Unit, ...]
    categories: tuple[str, ...]
    of: str = ""
    nature: str = ""
    mapping: tuple[tuple[str, tuple[str, ...]], ...] = ()
    ordinal: bool = False
    """The categories are in the order of a scale."""
    sets: Mapping[str, frozenset[str]] | None = None
    """Category -> the labels in it, when a rating is a set of labels."""
    alike_only: bool = False
    """A label is an answer as a whole, which only equals another of its card or does not."""
    clustered: Literal["", "card", "group"] = ""
    """What units share: several of one card, or several cards of one group."""
    check: str = ""
    """``t1/one_variable``, of a check."""


def collapsed(question: Question, new_id: str, title: str, classes: Mapping[str, str]) -> Question:
    """Return the question over coarser classes of its categories."""
    units = tuple(
        replace(
            unit,
            labels=tuple(None if each is None else classes[each] for each in unit.labels),
        )
        for unit in question.units
    )
    return replace(
        question, id=new_id, title=title, kind="collapse", units=units, of=question.id,
        categories=tuple(dict.fromkeys(classes.values())), mapping=mapping_of(classes),
    )  # fmt: skip


def mapping_of(classes: Mapping[str, str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (class, the categories in it) of category -> class."""
    names = dict.fromkeys(classes.values())
    return tuple(
        (name, tuple(each for each, its in classes.items() if its == name)) for name in names
    )


def headline(questions: Sequence[Question]) -> Question:
    """Return what a round is told by: its check decisions, else its first collapse or part."""
    for kind in ("pooled", "collapse"):
        found = next((each for each in questions if each.kind == kind), None)
        if found is not None:
            return found
    return questions[0]
