"""Codings of any number of passes side by side: fields, derived values, marked places.

A figure counts only cards that two passes coded with the same content and the same edition of the
codebook; of more than two passes those that share both with the most others, the first of them on a
tie. A code that abstains is a category of its own field; in a collapse it belongs to no side, so
the card leaves that denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reviewkit.agreement.passes.units import CHANGED, Unit, made_unit, set_apart
from reviewkit.questions.answers import REJECTED, AnswerValue, Span

if TYPE_CHECKING:
    # For the checker only: pydantic's models take longer to load than all of this package.
    from reviewkit.decisions.records import Record
    from reviewkit.questions.codebooks import Codebook, CodeField, Derived

OTHER_EDITION = "coded with different editions of the codebook (form digests differ)"

Read = Callable[["Record"], tuple[str, str]]
"""Gives a record's value, and why it has none."""


@dataclass(frozen=True, slots=True)
class Coded:
    """What the passes hold on one card."""

    card_id: str
    held: tuple[bool, ...]
    """Whether each pass was given the card."""
    records: tuple[Record | None, ...]
    """The coding or skip of each pass."""
    states: tuple[str, ...]
    """Why nothing of a pass is compared: ``not coded``, ``skipped``, or a difference of content."""
    reason: str
    """Why nothing on the card is compared; empty when two passes or more may be."""

    @property
    def alive(self) -> tuple[int, ...]:
        """The passes of which something may be compared."""
        return tuple(
            at
            for at, (held, state) in enumerate(zip(self.held, self.states, strict=True))
            if held and not state
        )


def coded_cards(
    passes: Sequence[Mapping[str, Record]],
    names: Sequence[str],
    cards: Iterable[str] | None = None,
    held: Sequence[Container[str]] | None = None,
) -> list[Coded]:
    """Return what the passes hold on every card, in the order of ids.

    Args:
        passes: card id -> effective record (a coding, or a skip), one mapping a pass.
        names: what the passes are called in reasons.
        cards: the cards that were to be coded; every card of any pass when not given.
        held: the cards each pass was given; all of them when not told. A card that fewer than two
            were given is nobody's disagreement and is left out without a word.
    """
    ids = {card for each in passes for card in each} if cards is None else set(cards)
    found: list[Coded] = []
    for card_id in sorted(ids):
        given = tuple(held is None or card_id in each for each in held or passes)
        if sum(given) > 1:
            records = tuple(
                each.get(card_id) if has else None for each, has in zip(passes, given, strict=True)
            )
            found.append(_coded(card_id, given, records, names))
    return found


def _coded(
    card_id: str, held: tuple[bool, ...], records: tuple[Record | None, ...], names: Sequence[str]
) -> Coded:
    states = [_state(record) if has else "" for record, has in zip(records, held, strict=True)]
    reason = ""
    if sum(has and not state for has, state in zip(held, states, strict=True)) < 2:
        reason = said(states, names)
    else:
        set_apart([record and record.card_digest for record in records], states, CHANGED)
        set_apart([record and record.form_digest for record in records], states, OTHER_EDITION)
        if sum(has and not state for has, state in zip(held, states, strict=True)) < 2:
            reason = next(state for state in states if state in (CHANGED, OTHER_EDITION))
    return Coded(card_id, held, records, tuple(states), reason)


def _state(record: Record | None) -> str:
    if record is None:
        return "not coded"
    return "skipped" if record.kind == "skip" else ""


def said(states: Sequence[str], names: Sequence[str]) -> str:
    """Return what keeps a unit from being compared: ``skipped in first``, ``... in both``."""
    if states and states[0] and len(set(states)) == 1:
        return f"{states[0]} in {'both' if len(states) == 2 else 'every pass'}"
    return ", ".join(sentence(state, name) for state, name in zip(states, names, strict=True)
                     if state)  # fmt: skip


def sentence(state: str, name: str) -> str:
    """Return the state with the name of its pass; a difference of content has none."""
    return state if state in ("", CHANGED, OTHER_EDITION) else f"{state} in {name}"


def value_units(
    cards: Iterable[Coded], names: Sequence[str], field_id: str, read: Read
) -> list[Unit]:
    """Return one value a card, of the cards that the field may have been asked on.

    ``field_id`` is empty for a value that is no field's, which every card has.
    """
    units: list[Unit] = []
    for card in cards:
        if not _concerns(card, field_id):
            continue
        labels: list[str | None] = [None] * len(card.records)
        states = list(card.states)
        for at in () if card.reason else card.alive:
            record = card.records[at]
            value, states[at] = read(record) if record is not None else ("", "not coded")
            labels[at] = None if states[at] else value
        told = [sentence(state, name) for state, name in zip(states, names, strict=True)]
        reason = card.reason or said(states, names)
        units.append(made_unit(card.card_id, card.card_id, labels, told, reason))
    return units


def _concerns(card: Coded, field_id: str) -> bool:
    """Return whether the field may have been asked on the card at all; no field, no question."""
    asked = [record.asked for record in card.records if record is not None and record.asked]
    return not field_id or not asked or any(field_id in each for each in asked)


def read_code(each: CodeField) -> Read:
    """Return what reads the code of a choice or yes/no field."""

    def read(record: Record) -> tuple[str, str]:
        value = record.answers.get(each.id)
        if each.id not in record.asked:
            return "", "not asked"
        if not isinstance(value, str):
            return "", "left unanswered"
        return (value, "") if value in each.code_ids else ("", "a code of another edition")

    return read


def read_set(each: CodeField) -> Read:
    """Return what reads the answer of several codes or places, as one text."""

    def read(record: Record) -> tuple[str, str]:
        if each.id not in record.asked:
            return "", "not asked"
        return _as_set(record.answers.get(each.id)), ""

    return read


def read_derived(derived: Derived, codebook: Codebook) -> Read:
    """Return what reads a derived value, as it was recorded."""
    source = codebook.field(derived.of[0]) if derived.op == "collapse" else None
    categories = derived_categories(derived)

    def read(record: Record) -> tuple[str, str]:
        value = record.derived.get(derived.id, "")
        if value:
            strange = bool(categories) and value not in categories
            return ("", "a value of another edition") if strange else (value, "")
        if source is None:
            return "", "no value"
        if source.id not in record.asked:
            return "", "not asked"
        answer = record.answers.get(source.id)
        abstained = isinstance(answer, str) and answer in source.abstaining
        return "", "cannot be classified" if abstained else "left unanswered"

    return read


def derived_categories(derived: Derived) -> tuple[str, ...]:
    """Return the values it may have; none for a count, which declares what is seen."""
    if derived.op in ("any", "all", "is_empty"):
        return ("yes", "no")
    if derived.op == "count":
        return ()
    values = dict.fromkeys((*derived.to.values(), derived.otherwise))
    return tuple(value for value in values if value)


def seen(units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the labels that occur, the short ones first: the categories of a count."""
    found = {label for unit in units for label in unit.labels if label is not None}
    return tuple(sorted(found, key=lambda each: (len(each), each))) or ("0",)


def _as_set(value: AnswerValue | None) -> str:
    """Return what two answers must share to be the same; a rejected match is no span."""
    if value is None or isinstance(value, str):
        return value or ""
    spans = [each for each in value if isinstance(each, Span) and each.code != REJECTED]
    codes = sorted(each for each in value if not isinstance(each, Span))
    held = [
        f"{each.start}-{each.end} {each.code} {' '.join(sorted(_yes_flags(each)))}".strip()
        for each in sorted(spans, key=lambda each: (each.place, each.code))
    ]
    return "; ".join(held + codes)


def _yes_flags(span: Span) -> set[str]:
    return {name for name, answer in span.flags.items() if answer == "yes"}


@dataclass(frozen=True, slots=True)
class Places:
    """The places of one field of spans."""

    classes: tuple[Unit, ...]
    """The class of every place that any pass marked."""
    flags: Mapping[str, tuple[Unit, ...]]
    """Flag -> its yes or no on the places that nobody who marked them rejected."""
    terms: Mapping[str, str]
    """Name of a place -> its watchlist term; empty for a place of the coders' own."""


def place_units(each: CodeField, cards: Iterable[Coded], names: Sequence[str]) -> Places:
    """Return the class and the flags of the places that passes marked in one field."""
    known = {*each.code_ids, *((REJECTED,) if each.watchlist == "yes" else ())}
    classes: list[Unit] = []
    flags: dict[str, list[Unit]] = {flag.id: [] for flag in each.flags}
    terms: dict[str, str] = {}
    for card in cards:
        if card.reason:
            continue
        marked = [
            _places(record.answers.get(each.id)) if record is not None and at in card.alive else {}
            for at, record in enumerate(card.records)
        ]
        for place in sorted({place for one in marked for place in one}):
            name = f"{card.card_id} {place[0]}-{place[1]}"
            spans = [one.get(place) for one in marked]
            by = [names[at] for at, span in enumerate(spans) if span is not None]
            lacks = [
                f"not marked in {names[at]}" if at in card.alive and span is None else ""
                for at, span in enumerate(spans)
            ]
            only = f"marked only in {', '.join(by)}"
            labels = [span.code if span is not None else None for span in spans]
            if not {label for label in labels if label is not None} <= known:
                continue
            classes.append(made_unit(name, card.card_id, labels, lacks, only))
            terms[name] = next((span.term for span in spans if span is not None and span.term), "")
            if len(by) < 2 or REJECTED in labels:
                continue
            for flag, units in flags.items():
                answers = [
                    None if span is None else "yes" if flag in _yes_flags(span) else "no"
                    for span in spans
                ]
                units.append(made_unit(name, card.card_id, answers, lacks, only))
    return Places(tuple(classes), {name: tuple(units) for name, units in flags.items()}, terms)


def _places(value: AnswerValue | None) -> dict[tuple[int, int], Span]:
    if value is None or isinstance(value, str):
        return {}
    return {each.place: each for each in value if isinstance(each, Span)}
