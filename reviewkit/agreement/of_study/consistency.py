"""How often one rater says the same of the same: only of locked passes.

What the records can show is this. *Repeated cards* are texts that one rater judged twice with the
same form: a card in an earlier round that was not changed since, or one text that stands in the
table under several ids. *Cards of one group* are responses to one template or source; their texts
differ, so another code may be right, and a low share is a question and no fault. A decision that
was changed before the lock is no repetition: the later one is meant to replace the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviewkit.agreement.measures.wilson import wilson
from reviewkit.agreement.of_study.material import Material, OnePass
from reviewkit.agreement.passes.coding_units import read_code, read_derived
from reviewkit.agreement.reporting.model import Consistency
from reviewkit.decisions import Record
from reviewkit.questions import Codebook
from reviewkit.study.names import folded_name

REPEATED = "repeated cards"
GROUPED = "cards of one group, whose texts differ"

Value = Callable[[Record], str]
"""Gives what a record says; empty where it says nothing."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """One judgement of a rater."""

    card_id: str
    text: str
    """What was read: equal for equal texts."""
    record: Record


def consistency(material: Material, confidence: float = 0.95) -> tuple[Consistency, ...]:
    """Return how alike each pass of the round judged what its rater judged more than once."""
    values = _values(material.round.codebook)
    found: list[Consistency] = []
    for each in material.round.passes:
        if not each.locked:
            continue
        mine = [_judged(material, one) for one in (each, *_earlier(material, each))]
        repeated = _sets(
            (one for judged in mine for one in judged),
            lambda one: (one.text, one.record.form_digest, one.record.rule_version),
        )
        found += _rows(each.name, REPEATED, repeated, values, confidence)
        if material.round.codebook is None:
            found += _check_rows(each.name, repeated)
        else:
            grouped = _sets(
                (one for one in mine[0] if material.cards.groups.get(one.card_id)),
                lambda one: material.cards.groups[one.card_id],
            )
            unlike = [
                judged for judged in grouped if len({one.text for one in judged}) == len(judged)
            ]
            found += _rows(each.name, GROUPED, unlike, values, confidence)
    return tuple(found)


def unlocked(material: Material) -> tuple[str, ...]:
    """Return the passes of the round of which no consistency may be shown yet."""
    return tuple(each.name for each in material.round.passes if not each.locked)


def _earlier(material: Material, of: OnePass) -> list[OnePass]:
    """Return the locked passes that the same person made in other rounds."""
    return [
        each
        for round_ in material.others
        for each in round_.passes
        if each.locked and folded_name(each.rater) == folded_name(of.rater)
    ]


def _judged(material: Material, one: OnePass) -> list[_Judged]:
    cards = material.cards
    found: list[_Judged] = []
    for card_id, record in one.records.items():
        if record.kind != "decision" or record.card_digest is None:
            continue
        # of an older content only its digest is known, which is of this card alone
        present = record.card_digest == cards.digests.get(card_id)
        text = cards.texts.get(card_id, "") if present else ""
        found.append(_Judged(card_id, text or f"{card_id} {record.card_digest}", record))
    return found


def _sets(judged: Iterable[_Judged], key: Callable[[_Judged], object]) -> list[list[_Judged]]:
    """Return the judgements that share a key, two or more of them."""
    found: dict[object, list[_Judged]] = {}
    for one in judged:
        found.setdefault(key(one), []).append(one)
    return [each for each in found.values() if len(each) > 1]


def _values(codebook: Codebook | None) -> Mapping[str, Value]:
    if codebook is None:
        return {"verdict": lambda record: record.verdict or ""}
    readers = {
        field.id: read_code(field)
        for field in codebook.fields
        if field.type in ("choice", "yes_no")
    }
    for derived in codebook.derived:
        if derived.op == "collapse":
            readers[derived.id] = read_derived(derived, codebook)
    return {name: _first(read) for name, read in readers.items()}


def _first(read: Callable[[Record], tuple[str, str]]) -> Value:
    return lambda record: read(record)[0]


def _rows(
    rater: str, what: str, sets: Sequence[Sequence[_Judged]], values: Mapping[str, Value],
    confidence: float,
) -> list[Consistency]:  # fmt: skip
    found: list[Consistency] = []
    for name, value in values.items():
        known = [judged for judged in sets if all(value(one.record) for one in judged)]
        if not known:
            continue
        differ = [
            _named(judged) for judged in known if len({value(one.record) for one in judged}) > 1
        ]
        n = len(known)
        interval = wilson(n - len(differ), n, confidence)
        told = f"{name}, {what}"
        found.append(Consistency(rater, told, n - len(differ), n, interval, tuple(differ)))
    return found


def _check_rows(rater: str, sets: Sequence[Sequence[_Judged]]) -> list[Consistency]:
    """Return the check decisions; several of one card lean on each other, so no interval."""
    n, differ = 0, list[str]()
    for judged in sets:
        asked = [set(one.record.asked) for one in judged]
        for check_id in judged[0].record.asked:
            if not all(check_id in each for each in asked):
                continue
            n += 1
            if len({str(one.record.answers.get(check_id)) for one in judged}) > 1:
                differ.append(f"{_named(judged)} {check_id}")
    if not n:
        return []
    told = f"check decisions, {REPEATED}"
    return [Consistency(rater, told, n - len(differ), n, None, tuple(differ))]


def _named(judged: Sequence[_Judged]) -> str:
    return " = ".join(dict.fromkeys(one.card_id for one in judged))
