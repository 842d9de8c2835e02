"""Verdicts and check answers of any number of passes side by side, and what may be compared.

A verdict is compared among passes that decided the very same content with the very same form and
rule. A check is compared among those that were asked it in the same wording, even if another check
of the form was changed in between; its answer means the same. Of more than two passes those are
compared that share one content (then one form, and so on) with the most others, the first of them
on a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reviewkit.agreement.passes.units import CHANGED, Unit, joined, made_unit, set_apart, shared

if TYPE_CHECKING:
    # For the checker only: pydantic takes longer to load than all of this package.
    from reviewkit.decisions.records import Record
    from reviewkit.questions.forms import Check, Checklist

Forms = Callable[[str], "Checklist | None"]
"""Finds a form by its digest; a shelf's ``by_digest``, or the ``get`` of a dict."""

OTHER_FORM = "judged with different forms"
OTHER_EDITION = "judged with different editions of the form (form digests differ)"
OTHER_RULE = "verdicts derived by different versions of the rule"
FORM_UNKNOWN = "the form it was judged with is not among the checklists"
NO_SUCH_CHECK = "its form has no such check"
CHECK_CHANGED = "the check was changed between the passes"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a check stands; equal places mean the same question."""

    test_type: str
    form: str
    check_id: str
    check_digest: str

    @property
    def order(self) -> tuple[str, str, str, str]:
        """What places are sorted by, beside their order in the form."""
        return self.test_type, self.form, self.check_id, self.check_digest


@dataclass(frozen=True, slots=True)
class CheckUnit:
    """One check on one card, with each pass's answer."""

    unit: Unit
    check_id: str
    place: Place | None = None
    """None when no form tells what the check was."""
    position: int = 0
    """Of the check in its form, from 0."""
    nature: str = ""
    editions: tuple[str, ...] = ()
    """The editions of the form it was answered in."""


@dataclass(frozen=True, slots=True)
class CardSides:
    """What the passes hold on one card."""

    card_id: str
    held: tuple[bool, ...]
    """Whether each pass was given the card."""
    records: tuple[Record | None, ...]
    """The decision of each pass; None where it has none."""
    lacks: tuple[str, ...]
    """Why nothing of a pass is compared; empty where something may be."""
    verdict_lacks: tuple[str, ...]
    """Why a pass's verdict is not compared; includes ``lacks``."""

    @property
    def reason(self) -> str:
        """Why nothing on the card is compared; empty when two passes or more may be."""
        return "" if len(self.alive) > 1 else joined(self.lacks)

    @property
    def alive(self) -> tuple[int, ...]:
        """The passes of which something may be compared."""
        return tuple(at for at, record in enumerate(self.records) if record and not self.lacks[at])

    @property
    def verdict(self) -> Unit:
        """The verdicts."""
        labels = [
            record.verdict if record and not lack else None
            for record, lack in zip(self.records, self.verdict_lacks, strict=True)
        ]
        reason = joined(self.lacks) if len(self.alive) < 2 else joined(self.verdict_lacks)
        return made_unit(self.card_id, self.card_id, labels, self.verdict_lacks, reason)


def sides_of(
    passes: Sequence[Mapping[str, Record]],
    names: Sequence[str],
    cards: Iterable[str] = (),
    held: Sequence[Container[str]] | None = None,
) -> list[CardSides]:
    """Return what the passes hold on every card, in the order of ids.

    Args:
        passes: card id -> effective record (a decision, or a skip), one mapping a pass.
        names: what the passes are called in reasons.
        cards: every card that was to be judged, so that one judged by nobody is counted too.
        held: the cards each pass was given; all of them when not told. A card that fewer than two
            were given is nobody's disagreement and is left out without a word.
    """
    ids = sorted({*cards, *(card for each in passes for card in each)})
    found: list[CardSides] = []
    for card_id in ids:
        given = tuple(held is None or card_id in each for each in held or passes)
        if sum(given) > 1:
            records = [
                each.get(card_id) if has else None for each, has in zip(passes, given, strict=True)
            ]
            found.append(_sides(card_id, given, records, names))
    return found


def _sides(
    card_id: str, held: tuple[bool, ...], records: Sequence[Record | None], names: Sequence[str]
) -> CardSides:
    lacks = [""] * len(records)
    for at, record in enumerate(records):
        state = _state(record)
        if held[at] and state != "decided":
            lacks[at] = f"{state} in {names[at]}"
    decided = tuple(record if _state(record) == "decided" else None for record in records)
    set_apart([record and record.card_digest for record in decided], lacks, CHANGED)
    set_apart([record and record.form for record in decided], lacks, OTHER_FORM)
    verdict_lacks = list(lacks)
    set_apart([record and record.form_digest for record in decided], verdict_lacks, OTHER_EDITION)
    set_apart([record and record.rule_version for record in decided], verdict_lacks, OTHER_RULE)
    return CardSides(card_id, held, decided, tuple(lacks), tuple(verdict_lacks))


def _state(record: Record | None) -> Literal["decided", "skipped", "not decided"]:
    if record is None:
        return "not decided"
    if record.kind == "skip":
        return "skipped"
    return "decided" if record.verdict is not None else "not decided"


def check_units(card: CardSides, forms: Forms, names: Sequence[str]) -> list[CheckUnit]:
    """Return a unit for every check that any pass answered on the card."""
    found = [
        forms(record.form_digest) if record and record.form_digest else None
        for record in card.records
    ]
    asked = dict.fromkeys(name for record in card.records if record for name in record.asked)
    return [_check_unit(card, check_id, found, names) for check_id in asked]


def _check_unit(
    card: CardSides, check_id: str, forms: Sequence[Checklist | None], names: Sequence[str]
) -> CheckUnit:
    answers = [_answer(record, check_id) for record in card.records]
    checks = [_check_of(form, check_id) for form in forms]
    lacks = [""] * len(answers)
    for at, record in enumerate(card.records):
        if record is None or card.lacks[at]:
            continue
        if answers[at] is None:
            lacks[at] = f"not asked in {names[at]}"
        elif forms[at] is None:
            lacks[at] = FORM_UNKNOWN
        elif checks[at] is None:
            lacks[at] = NO_SUCH_CHECK
    open_ = [
        answers[at] is not None and not card.lacks[at] and not lacks[at]
        for at in range(len(answers))
    ]
    digests = [
        check.digest if check is not None and may else None
        for check, may in zip(checks, open_, strict=True)
    ]
    most = shared(digests)
    set_apart(digests, lacks, CHECK_CHANGED)
    labels = [
        answer if may and not lack else None
        for answer, may, lack in zip(answers, open_, lacks, strict=True)
    ]
    every = [one or other for one, other in zip(card.lacks, lacks, strict=True)]
    # with the whole card out there is no need to say what else was wrong with one check
    reason = card.reason or joined(lacks) or joined(every)
    unit = made_unit(f"{card.card_id} {check_id}", card.card_id, labels, every, reason)
    known = [
        (form, check)
        for form, check, answer in zip(forms, checks, answers, strict=True)
        if form is not None and check is not None and answer is not None
    ]
    return _placed(unit, check_id, known, most)


def _answer(record: Record | None, check_id: str) -> str | None:
    value = record.answers.get(check_id) if record else None
    return value if isinstance(value, str) else None


def _check_of(form: Checklist | None, check_id: str) -> Check | None:
    if form is None:
        return None
    return next((check for check in form.checks if check.id == check_id), None)


def _placed(
    unit: Unit, check_id: str, known: Sequence[tuple[Checklist, Check]], most: str | None
) -> CheckUnit:
    if not known:
        return CheckUnit(unit, check_id)
    form, check = next((each for each in known if each[1].digest == most), known[0])
    return CheckUnit(
        unit,
        check_id,
        Place(form.test_type, form.form, check.id, check.digest),
        form.checks.index(check),
        check.nature,
        tuple(
            dict.fromkeys(
                one.name for one, its in known if not unit.compared or its.digest == check.digest
            )
        ),
    )


def by_place(units: Iterable[CheckUnit]) -> list[tuple[Place, list[CheckUnit]]]:
    """Return the units of each check, in the order of types, forms and checks."""
    found: dict[Place, list[CheckUnit]] = {}
    for each in units:
        if each.place:
            found.setdefault(each.place, []).append(each)

    def order(entry: tuple[Place, list[CheckUnit]]) -> tuple[str, str, int, str, str]:
        place, chosen = entry
        position = min(each.position for each in chosen)
        return place.test_type, place.form, position, place.check_id, place.check_digest

    return sorted(found.items(), key=order)


def same_person(sides: Iterable[CardSides]) -> str:
    """Return a notice when one person made two passes of a card; empty when nobody did."""
    passes, cards = 0, 0
    for card in sides:
        raters = [record.rater for at in card.alive if (record := card.records[at]) is not None]
        cards += len(set(raters)) < len(raters)
        passes = len(card.records)
    if not cards:
        return ""
    which = "both passes" if passes == 2 else "two passes"
    return (
        f"On {cards} card{'' if cards == 1 else 's'} {which} were made by the same person: "
        "the figures are not agreement between two people."
    )
