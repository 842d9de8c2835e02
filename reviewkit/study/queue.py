"""Which cards come before the adjudicator, and in which order he meets them. Pure.

Codings are compared by what they say: notes, marks of doubt and rejected watchlist matches do not
count, and *cannot be classified* is a code like any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from reviewkit.decisions import Record
from reviewkit.decisions.hearings import comparable
from reviewkit.problems import Problem
from reviewkit.questions import Checklist, Codebook, Form
from reviewkit.study.study import Adjudication

Queue = Literal["fields", "collapsed", "all"]
VERDICT = "verdict"
"""The name under which a checklist's verdict is compared."""


def compared_names(form: Form, settings: Adjudication) -> tuple[str, ...]:
    """Return the fields, derived values or checks of a form that are compared, in its order.

    Every field or check (and the verdict) when ``compare`` names none. A queue of collapsed values
    compares derived values alone: the collapses, or every one where the codebook has no collapse.
    """
    derived: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    collapses: tuple[str, ...] = ()
    if isinstance(form, Codebook):
        fields = tuple(field.id for field in form.fields)
        derived = tuple(each.id for each in form.derived)
        collapses = tuple(each.id for each in form.derived if each.op == "collapse")
    elif isinstance(form, Checklist):
        fields = tuple(check.id for check in form.checks)
        derived = collapses = (VERDICT,)
    if settings.queue == "collapsed":
        named = tuple(each for each in derived if each in settings.compare)
        return named if settings.compare else collapses or derived
    if settings.compare:
        return tuple(each for each in (*fields, *derived) if each in settings.compare)
    return fields if isinstance(form, Codebook) else (*fields, *derived)


def check_adjudication(
    settings: Adjudication, forms: Iterable[Form], shown: str
) -> tuple[Problem, ...]:
    """Return what keeps a study from being adjudicated as its file says."""
    judged = list(forms)
    every = settings.model_copy(update={"queue": "fields", "compare": ()})
    known: dict[str, None] = {}
    for form in judged:
        known |= dict.fromkeys(compared_names(form, every))
        if isinstance(form, Codebook):
            known |= dict.fromkeys(each.id for each in form.derived)
    problems = [
        Problem(
            f"{shown} adjudication.compare",
            f"no field or derived value {name!r}",
            f"use one of {', '.join(known)}",
        )
        for name in settings.compare
        if name not in known
    ]
    if not problems and not any(compared_names(form, settings) for form in judged):
        names = ", ".join(form.name for form in judged)
        problems.append(
            Problem(
                f"{shown} adjudication",
                f"the queue is of collapsed values, and none of {names} is compared",
                "name a derived value in `compare`, or write `queue: fields`",
            )
        )
    return tuple(problems)


def differing(codings: Sequence[Record], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names on which the codings of a card differ; a skip says nothing."""
    coded = [record for record in codings if record.kind == "decision"]
    return tuple(
        name
        for name in names
        if any(_code(record, name) != _code(coded[0], name) for record in coded[1:])
    )


def comes_before(codings: Sequence[Record], names: Iterable[str], queue: Queue) -> bool:
    """Return whether a card with these decisions and skips comes before the adjudicator.

    A card that a coder skipped lacks a label, so somebody has to give it one; a comparison of
    collapsed values asks only for what the coders said differently.
    """
    if queue == "all":
        return bool(codings)
    if queue == "fields" and any(record.kind == "skip" for record in codings):
        return True
    return bool(differing(codings, names))


def cards_in_queue(
    codings: Mapping[str, Sequence[Record]],
    names_of: Callable[[str], Iterable[str]],
    queue: Queue,
) -> tuple[str, ...]:
    """Return the cards that come before the adjudicator, in the order given.

    Args:
        codings: card id -> the decisions and skips in force, one for each pass that made one.
        names_of: gives the names that are compared on a card.
        queue: what the study file says.
    """
    return tuple(
        card_id
        for card_id, records in codings.items()
        if comes_before(records, names_of(card_id), queue)
    )


def shuffled(card_ids: Iterable[str], study: str, round_: str) -> tuple[str, ...]:
    """Return the cards in an order that is always the same and follows nothing about them."""
    return tuple(sorted(card_ids, key=lambda card_id: _sha(study, round_, card_id)))


def in_blind_order(card_id: str, codings: Iterable[Record]) -> tuple[Record, ...]:
    """Return codings in an order of this card's own, so that no place stands for a person."""
    return tuple(sorted(codings, key=lambda record: _sha(card_id, record.digest)))


def _code(record: Record, name: str) -> Any:
    if name in record.answers:
        return comparable(record.answers[name])
    return record.derived.get(name, "") if name != VERDICT else record.verdict or ""


def _sha(*parts: str) -> bytes:
    return hashlib.sha256("|".join(parts).encode("utf-8")).digest()
