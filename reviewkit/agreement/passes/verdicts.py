"""Two locked passes side by side: tables and figures of their verdicts and check answers.

Which decisions may be compared is ``verdict_units``' affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from reviewkit.agreement.coefficients import Table
from reviewkit.agreement.passes.report import (
    ACCEPTED_OR_NOT,
    ANSWERS,
    VERDICTS,
    CheckName,
    Comparison,
    Disagreement,
    Report,
    compare,
)
from reviewkit.agreement.passes.units import label_pairs, units_left_out
from reviewkit.agreement.passes.verdict_units import (
    CardSides,
    CheckUnit,
    Forms,
    by_place,
    check_units,
    same_person,
    sides_of,
)

if TYPE_CHECKING:
    # For the checker only: pydantic takes longer to load than all of this package.
    from reviewkit.decisions.records import Record

Names = tuple[str, str]


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
    sides = sides_of((first, second), names, cards)
    units = [unit for card in sides for unit in check_units(card, forms, names)]
    told = tuple(notices)
    if same := same_person(sides):
        told = (*told, same)
    return Report(
        names=names,
        comparisons=(*_verdict_comparisons(sides, names), *_check_comparisons(units, names)),
        disagreements=_disagreements(sides, units),
        notices=told,
    )


def _verdict_comparisons(sides: list[CardSides], names: Names) -> list[Comparison]:
    units = [card.verdict for card in sides]
    left_out = units_left_out(units)
    table = Table.from_pairs(label_pairs(units), VERDICTS)
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


def _check_comparisons(units: list[CheckUnit], names: Names) -> list[Comparison]:
    def over(
        kind: Literal["pooled", "nature", "test_type", "check"],
        title: str,
        chosen: list[CheckUnit],
        check: CheckName | None = None,
    ) -> Comparison:
        bare = [each.unit for each in chosen]
        table = Table.from_pairs(label_pairs(bare), ANSWERS)
        return compare(
            kind, title, "check decision", table, names=names, left_out=units_left_out(bare),
            check=check,
        )  # fmt: skip

    comparisons = [over("pooled", "all checks", units)]
    for nature in ("structural", "judgement"):
        chosen = [unit for unit in units if unit.nature == nature]
        if chosen:
            comparisons.append(over("nature", nature, chosen))
    for test_type in sorted({unit.place.test_type for unit in units if unit.place}):
        chosen = [unit for unit in units if unit.place and unit.place.test_type == test_type]
        comparisons.append(over("test_type", test_type, chosen))
    for place, chosen in by_place(units):
        compared = [each for each in chosen if each.unit.compared] or chosen
        editions = sorted({edition for each in compared for edition in each.editions})
        check = CheckName(place.check_id, place.test_type, ", ".join(editions), chosen[0].nature)
        title = f"{place.test_type} {check.form} {place.check_id}"
        comparisons.append(over("check", title, chosen, check))
    return comparisons


def _disagreements(sides: list[CardSides], units: list[CheckUnit]) -> tuple[Disagreement, ...]:
    differing: dict[str, list[CheckUnit]] = {}
    for each in units:
        if each.unit.differs:
            differing.setdefault(each.unit.card_id, []).append(each)
    found: list[Disagreement] = []
    for card in sides:
        first, second = card.records
        if card.reason or not first or not second:
            continue
        verdicts = (first.verdict or "", second.verdict or "")
        compared = card.verdict.compared
        mine = sorted(differing.get(card.card_id, []), key=lambda each: each.position)
        if mine or (compared and verdicts[0] != verdicts[1]):
            checks = tuple(
                (each.check_id, one, two) for each in mine for one, two in label_pairs([each.unit])
            )
            found.append(Disagreement(card.card_id, verdicts, compared, checks))
    return tuple(found)
