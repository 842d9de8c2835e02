"""What a round of reviews was asked: verdicts, check decisions, and their splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from reviewkit.agreement.of_study.material import Material, OneRound
from reviewkit.agreement.of_study.question import Question, collapsed
from reviewkit.agreement.passes.report import ACCEPTED_OR_NOT, ANSWERS, VERDICTS
from reviewkit.agreement.passes.verdict_units import (
    CardSides,
    CheckUnit,
    by_place,
    check_units,
    same_person,
    sides_of,
)
from reviewkit.agreement.reporting.model import Kind

WHOLE, ACCEPTED, POOLED = "whole", "collapse:accepted", "pooled"
_NATURES = ("structural", "judgement")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A round of reviews, card by card."""

    sides: tuple[CardSides, ...]
    checks: tuple[CheckUnit, ...]
    questions: tuple[Question, ...]
    """The verdicts first."""
    notice: str
    """That one person made two of the passes; empty when nobody did."""


def reviewed(material: Material, round_: OneRound) -> Reviewed:
    """Return what the passes of a round said, side by side."""
    records = [each.records for each in round_.passes]
    held = [each.cards for each in round_.passes]
    sides = tuple(sides_of(records, round_.names, material.cards.ids, held))
    checks = tuple(
        unit for card in sides for unit in check_units(card, material.forms, round_.names)
    )
    whole = Question(
        WHOLE, "verdict", "whole", "card", tuple(card.verdict for card in sides), VERDICTS
    )
    questions = (
        whole,
        collapsed(whole, ACCEPTED, "accepted or not", ACCEPTED_OR_NOT),
        *_check_questions(checks),
    )
    return Reviewed(sides, checks, questions, same_person(sides))


def _check_questions(checks: tuple[CheckUnit, ...]) -> list[Question]:
    pooled = Question(
        POOLED,
        "all checks",
        "pooled",
        "check decision",
        tuple(each.unit for each in checks),
        ANSWERS,
        clustered="card",
    )

    def among(part: str, title: str, kind: Kind, chosen: Iterable[CheckUnit]) -> Question:
        units = tuple(each.unit for each in chosen)
        return replace(pooled, id=part, title=title, kind=kind, units=units, of=POOLED)

    found = [pooled]
    for nature in _NATURES:
        chosen = [each for each in checks if each.nature == nature]
        if chosen:
            made = among(f"nature:{nature}", f"{nature} checks", "nature", chosen)
            found.append(replace(made, nature=nature))
    for test_type in sorted({each.place.test_type for each in checks if each.place}):
        chosen = [each for each in checks if each.place and each.place.test_type == test_type]
        found.append(among(f"test_type:{test_type}", test_type, "test_type", chosen))
    places = by_place(checks)
    often = Counter((place.form, place.check_id) for place, _ in places)
    for place, chosen in places:
        compared = [each for each in chosen if each.unit.compared] or chosen
        editions = ", ".join(sorted({name for each in compared for name in each.editions}))
        name = f"{place.form}/{place.check_id}"
        # one id with two wordings is two questions
        twice = often[place.form, place.check_id] > 1
        part = f"check:{name}:{place.check_digest[:8]}" if twice else f"check:{name}"
        made = among(part, f"{place.check_id} ({editions})", "check", chosen)
        found.append(replace(made, nature=chosen[0].nature, check=name))
    return found
