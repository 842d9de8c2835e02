"""Two locked passes side by side: which decisions may be compared, and what is left out and why.

A verdict is compared when both passes decided the very same content with the very same form and
rule. A check is compared when both were asked it in the same wording, even if another check of
the form was changed in between; its answer means the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reviewkit.agreement.coefficients import Table
from reviewkit.agreement.report import (
    ACCEPTED_OR_NOT,
    ANSWERS,
    VERDICTS,
    CheckName,
    Comparison,
    Disagreement,
    LeftOut,
    Report,
    compare,
)

if TYPE_CHECKING:
    # For the checker only: pydantic takes longer to load than all of this package.
    from reviewkit.decisions.records import Record
    from reviewkit.questions.forms import Check, Checklist

Forms = Callable[[str], "Checklist | None"]
"""Finds a form by its digest; a shelf's ``by_digest``, or the ``get`` of a dict."""

Names = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a check stands; equal places mean the same question."""

    test_type: str
    form: str
    check_id: str
    check_digest: str


@dataclass(frozen=True, slots=True)
class _Unit:
    """One check on one card: both answers, or the reason why they are not compared."""

    card_id: str
    check_id: str
    answers: tuple[str, str] | None
    reason: str = ""
    place: _Place | None = None
    """None when no form tells what the check was."""
    order: int = 0
    nature: str = ""
    editions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _CardPair:
    """What the two passes hold on one card."""

    card_id: str
    first: Record | None
    second: Record | None
    card_reason: str
    """Why nothing on the card is compared; empty when something may be."""
    verdict_reason: str
    """Why the verdicts are not compared; includes ``card_reason``."""


def compare_passes(
    first: Mapping[str, Record],
    second: Mapping[str, Record],
    forms: Forms,
    *,
    names: Names = ("first", "second"),
    cards: Iterable[str] = (),
    notices: Iterable[str] = (),
) -> Report:
    """Return how far two passes agree, from the effective record of each on every card.

    Args:
        first: card id -> effective record (a decision, or a skip) of the pass shown in rows.
        second: the same for the pass shown in columns.
        forms: finds a form by its digest.
        names: what the passes are called in the report.
        cards: every card that was to be judged, so that one judged by nobody is counted too.
        notices: sentences to stand above the figures, e.g. that a pass was opened early.
    """
    ids = sorted({*first, *second, *cards})
    pairs = [_card_pair(card_id, first.get(card_id), second.get(card_id), names) for card_id in ids]
    units = [unit for pair in pairs for unit in _check_units(pair, forms, names)]
    told = tuple(notices)
    if same := _same_person(pairs):
        told = (*told, same)
    return Report(
        names=names,
        source="passes",
        comparisons=(*_verdict_comparisons(pairs, names), *_check_comparisons(units, names)),
        disagreements=_disagreements(pairs, units),
        notices=told,
    )


def _state(record: Record | None) -> Literal["decided", "skipped", "not decided"]:
    if record is None:
        return "not decided"
    if record.kind == "skip":
        return "skipped"
    return "decided" if record.verdict is not None else "not decided"


def _card_pair(
    card_id: str, first: Record | None, second: Record | None, names: Names
) -> _CardPair:
    lacking = [
        f"{state} in {name}"
        for name, record in zip(names, (first, second), strict=True)
        if (state := _state(record)) != "decided"
    ]
    card_reason = verdict_reason = ""
    if lacking or first is None or second is None:
        card_reason = ", ".join(lacking)
    elif first.card_digest != second.card_digest:
        card_reason = "the card's content changed between the passes (card digests differ)"
    elif first.form != second.form:
        card_reason = "judged with different forms"
    elif first.form_digest != second.form_digest:
        verdict_reason = "judged with different editions of the form (form digests differ)"
    elif first.rule_version != second.rule_version:
        verdict_reason = "verdicts derived by different versions of the rule"
    return _CardPair(card_id, first, second, card_reason, card_reason or verdict_reason)


def _same_person(pairs: list[_CardPair]) -> str:
    shared = sum(
        1
        for pair in pairs
        if pair.first and pair.second and not pair.card_reason
        if pair.first.rater == pair.second.rater
    )
    if not shared:
        return ""
    return (
        f"On {shared} card{'' if shared == 1 else 's'} both passes were made by the same person: "
        "the figures are not agreement between two people."
    )


def _check_units(pair: _CardPair, forms: Forms, names: Names) -> list[_Unit]:
    """Return a unit for every check that either pass answered on the card."""
    sides = [
        record if record is not None and _state(record) == "decided" else None
        for record in (pair.first, pair.second)
    ]
    found = [
        forms(record.form_digest) if record and record.form_digest else None for record in sides
    ]
    asked = dict.fromkeys(name for record in sides if record for name in record.asked)
    units: list[_Unit] = []
    for check_id in asked:
        answers = [_answer(record, check_id) for record in sides]
        checks = [_check_of(form, check_id) for form in found]
        answered_in = [
            (form, check)
            for form, check, answer in zip(found, checks, answers, strict=True)
            if answer is not None
        ]
        one, two = answers
        reason = pair.card_reason or _check_reason(answers, answered_in, names)
        units.append(
            _placed(
                _Unit(
                    pair.card_id,
                    check_id,
                    None if reason or one is None or two is None else (one, two),
                    reason,
                ),
                answered_in,
            )
        )
    return units


def _answer(record: Record | None, check_id: str) -> str | None:
    value = record.answers.get(check_id) if record else None
    return value if isinstance(value, str) else None


def _check_of(form: Checklist | None, check_id: str) -> Check | None:
    if form is None:
        return None
    return next((check for check in form.checks if check.id == check_id), None)


def _check_reason(
    answers: list[str | None] | list[str],
    answered_in: list[tuple[Checklist | None, Check | None]],
    names: Names,
) -> str:
    for name, answer in zip(names, answers, strict=True):
        if answer is None:
            return f"not asked in {name}"
    if any(form is None for form, _ in answered_in):
        return "the form it was judged with is not among the checklists"
    if any(check is None for _, check in answered_in):
        return "its form has no such check"
    digests = {check.digest for _, check in answered_in if check}
    return "" if len(digests) == 1 else "the check was changed between the passes"


def _placed(unit: _Unit, answered_in: list[tuple[Checklist | None, Check | None]]) -> _Unit:
    known = [(form, check) for form, check in answered_in if form and check]
    if not known:
        return unit
    form, check = known[0]
    return _Unit(
        unit.card_id,
        unit.check_id,
        unit.answers,
        unit.reason,
        _Place(form.test_type, form.form, check.id, check.digest),
        form.checks.index(check),
        check.nature,
        tuple(dict.fromkeys(form.name for form, _ in known)),
    )


def _left_out(reasons: Iterable[tuple[str, str]]) -> tuple[LeftOut, ...]:
    """Return units grouped by reason, the most frequent first."""
    grouped: dict[str, list[str]] = {}
    for reason, unit in reasons:
        grouped.setdefault(reason, []).append(unit)
    ordered = sorted(grouped.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return tuple(LeftOut(reason, tuple(units)) for reason, units in ordered)


def _verdict_comparisons(pairs: list[_CardPair], names: Names) -> list[Comparison]:
    labels = [
        (pair.first.verdict or "", pair.second.verdict or "")
        for pair in pairs
        if pair.first and pair.second and not pair.verdict_reason
    ]
    left_out = _left_out(
        (pair.verdict_reason, pair.card_id) for pair in pairs if pair.verdict_reason
    )
    table = Table.from_pairs(labels, VERDICTS)
    coarse = table.collapsed(ACCEPTED_OR_NOT)
    return [
        compare("verdict", ", ".join(VERDICTS), "card", table, names=names, left_out=left_out),
        compare(
            "verdict_binary",
            ", ".join(coarse.categories),
            "card",
            coarse,
            names=names,
            left_out=left_out,
        ),
    ]


def _check_comparisons(units: list[_Unit], names: Names) -> list[Comparison]:
    def over(
        kind: Literal["pooled", "nature", "test_type", "check"],
        title: str,
        chosen: list[_Unit],
        check: CheckName | None = None,
    ) -> Comparison:
        table = Table.from_pairs([unit.answers for unit in chosen if unit.answers], ANSWERS)
        left_out = _left_out(
            (unit.reason, f"{unit.card_id} {unit.check_id}") for unit in chosen if not unit.answers
        )
        return compare(
            kind, title, "check decision", table, names=names, left_out=left_out, check=check
        )

    comparisons = [over("pooled", "all checks", units)]
    for nature in ("structural", "judgement"):
        chosen = [unit for unit in units if unit.nature == nature]
        if chosen:
            comparisons.append(over("nature", nature, chosen))
    for test_type in sorted({unit.place.test_type for unit in units if unit.place}):
        chosen = [unit for unit in units if unit.place and unit.place.test_type == test_type]
        comparisons.append(over("test_type", test_type, chosen))
    by_place: dict[_Place, list[_Unit]] = {}
    for unit in units:
        if unit.place:
            by_place.setdefault(unit.place, []).append(unit)
    for place, chosen in sorted(by_place.items(), key=_place_order):
        compared = [unit for unit in chosen if unit.answers] or chosen
        editions = sorted({edition for unit in compared for edition in unit.editions})
        check = CheckName(place.check_id, place.test_type, ", ".join(editions), chosen[0].nature)
        title = f"{place.test_type} {check.form} {place.check_id}"
        comparisons.append(over("check", title, chosen, check))
    return comparisons


def _place_order(entry: tuple[_Place, list[_Unit]]) -> tuple[str, str, int, str, str]:
    place, units = entry
    order = min(unit.order for unit in units)
    return place.test_type, place.form, order, place.check_id, place.check_digest


def _disagreements(pairs: list[_CardPair], units: list[_Unit]) -> tuple[Disagreement, ...]:
    differing: dict[str, list[_Unit]] = {}
    for unit in units:
        if unit.answers and unit.answers[0] != unit.answers[1]:
            differing.setdefault(unit.card_id, []).append(unit)
    found: list[Disagreement] = []
    for pair in pairs:
        if pair.card_reason or not pair.first or not pair.second:
            continue
        verdicts = (pair.first.verdict or "", pair.second.verdict or "")
        compared = not pair.verdict_reason
        mine = sorted(differing.get(pair.card_id, []), key=lambda unit: unit.order)
        if mine or (compared and verdicts[0] != verdicts[1]):
            checks = tuple(
                (unit.check_id, *unit.answers) for unit in mine if unit.answers is not None
            )
            found.append(Disagreement(pair.card_id, verdicts, compared, checks))
    return tuple(found)
