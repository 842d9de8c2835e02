"""The cards on which passes differ, with what each said and wrote."""

from __future__ import annotations

from collections.abc import Sequence

from reviewkit.agreement.of_study.checklist_questions import Reviewed
from reviewkit.agreement.of_study.coding_questions import CodedRound
from reviewkit.agreement.of_study.question import Question
from reviewkit.agreement.passes.units import Unit
from reviewkit.agreement.passes.verdict_units import CheckUnit
from reviewkit.agreement.reporting.model import Disagreement
from reviewkit.decisions import Record


def review_disagreements(round_: Reviewed) -> tuple[Disagreement, ...]:
    """Return the cards with two verdicts or two answers to a check, in the order of ids.

    A verdict that is shown and not compared, because it was derived from another edition of the
    form or of the rule, stands in brackets.
    """
    differing: dict[str, list[CheckUnit]] = {}
    for each in round_.checks:
        if each.unit.differs:
            differing.setdefault(each.unit.card_id, []).append(each)
    found: list[Disagreement] = []
    for card in round_.sides:
        checks = sorted(differing.get(card.card_id, ()), key=lambda each: each.position)
        verdict = card.verdict
        if not checks and not verdict.differs:
            continue
        alive = [record if at in card.alive else None for at, record in enumerate(card.records)]
        labels = tuple(
            "" if record is None or record.verdict is None
            else record.verdict if label is not None
            else f"({record.verdict})"
            for record, label in zip(alive, verdict.labels, strict=True)
        )  # fmt: skip
        details = tuple((each.check_id, _blank(each.unit)) for each in checks)
        found.append(Disagreement(card.card_id, labels, details, _notes(alive)))
    return tuple(found)


def coding_disagreements(round_: CodedRound) -> tuple[Disagreement, ...]:
    """Return the cards with two codings, in the order of ids.

    The labels are those of the first field, everything else that differs stands in the details. A
    place is told within the answer it is part of, and so is a flag.
    """
    whole = [each for each in round_.questions if each.kind in ("field", "collapse", "derived")]
    units = {each.id: {unit.card_id: unit for unit in each.units} for each in whole}
    first = whole[0]
    fields = sum(each.kind == "field" for each in whole)
    found: list[Disagreement] = []
    for card in round_.cards:
        differ = [each for each in whole if _differs(units[each.id].get(card.card_id))]
        if not differ:
            continue
        mine = units[first.id].get(card.card_id)
        found.append(
            Disagreement(
                card.card_id,
                _blank(mine) if mine is not None else ("",) * len(card.records),
                _details(differ, first, units, card.card_id),
                _notes([
                    record if at in card.alive else None for at, record in enumerate(card.records)
                ]),
                first.title if fields > 1 else "",
            )
        )  # fmt: skip
    return tuple(found)


def _differs(unit: Unit | None) -> bool:
    return unit is not None and unit.differs


def _details(
    differ: Sequence[Question], first: Question, units: dict[str, dict[str, Unit]], card_id: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (each.title, _blank(units[each.id][card_id])) for each in differ if each.id != first.id
    )


def _blank(unit: Unit) -> tuple[str, ...]:
    return tuple(label or "" for label in unit.labels)


def _notes(records: Sequence[Record | None]) -> tuple[str, ...]:
    return tuple(record.note if record is not None else "" for record in records)
