"""Agreement stretch by stretch, in the order in which cards had their second judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reviewkit.agreement.of_study.material import OneRound
from reviewkit.agreement.of_study.parts import Measuring
from reviewkit.agreement.of_study.question import Question
from reviewkit.agreement.reporting.model import Point

MOST_STRETCHES = 6
CARDS_EACH, UNITS_EACH = 5, 20
"""A stretch has so many cards and units at least; with fewer than two stretches there is none."""


def over_time(measuring: Measuring, question: Question, round_: OneRound) -> tuple[Point, ...]:
    """Return agreement on equal stretches of cards.

    A card counts at the time at which it was last judged by one of the compared passes, since until
    then there was nothing to agree about.
    """
    times = _times(question, round_)
    ordered = sorted(times, key=lambda card: (times[card], card))
    units = [unit for unit in question.units if unit.card_id in times]
    stretches = min(MOST_STRETCHES, len(ordered) // CARDS_EACH, len(units) // UNITS_EACH)
    if stretches < 2:
        return ()
    days = len({time[:10] for time in times.values()}) > 1
    found: list[Point] = []
    for at in range(stretches):
        first, last = (len(ordered) * end // stretches for end in (at, at + 1))
        cards = ordered[first:last]
        among = frozenset(cards)
        chosen = tuple(unit for unit in units if unit.card_id in among)
        measured = measuring.briefly(replace(question, units=chosen))
        whole = measured.find("all_agree", "observed")
        label = f"cards {first + 1} to {last}{_days(times, cards) if days else ''}"
        found.append(
            Point(label, measured.agree, measured.paired, whole.interval if whole else None)
        )
    return tuple(found)


def _times(question: Question, round_: OneRound) -> dict[str, str]:
    """Return card id -> when it was last judged by a pass whose label is compared."""
    found: dict[str, str] = {}
    for unit in question.units:
        if not unit.compared:
            continue
        judged = [
            record.time
            for label, each in zip(unit.labels, round_.passes, strict=True)
            if label is not None and (record := each.records.get(unit.card_id)) is not None
        ]
        found[unit.card_id] = max([*judged, found.get(unit.card_id, "")])
    return found


def _days(times: Mapping[str, str], cards: list[str]) -> str:
    first, last = times[cards[0]][:10], times[cards[-1]][:10]
    return f" ({first})" if first == last else f" ({first} to {last})"
