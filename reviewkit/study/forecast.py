"""How fast a pass goes and how long the rest may take: pure, from times alone.

A sitting ends where a person rests. Only the last sittings count, because people get faster, and
what was done on a slow first day says little about the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from reviewkit.study.welfare import REST

SITTINGS = 3
"""How many sittings count as recent."""
LONGEST_CARD = 3600.0
"""No single card counts for more than so many seconds."""
FEWEST_CARDS = 3
"""With fewer cards in them there is no pace: one card may be anything."""


@dataclass(frozen=True, slots=True)
class Act:
    """One judgement: on which card, when it was recorded, and how long the card was in use."""

    card_id: str
    time: datetime
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a person went lately."""

    cards: int
    """Cards of the sittings that count, each once."""
    seconds: float
    sittings: int

    @property
    def cards_per_hour(self) -> float:
        """Cards an hour at this pace."""
        return self.cards * 3600 / self.seconds

    def seconds_for(self, cards: int) -> float:
        """Return the working time that so many cards take at this pace, rests left out."""
        return cards * self.seconds / self.cards


def pace_of(acts: Iterable[Act]) -> Pace | None:
    """Return the pace of the last sittings, or None where there is too little to go by."""
    sittings = _sittings(sorted(acts, key=lambda act: act.time))[-SITTINGS:]
    cards = len({act.card_id for sitting in sittings for act in sitting})
    seconds = sum(_length(sitting) for sitting in sittings)
    if cards < FEWEST_CARDS or seconds <= 0:
        return None
    return Pace(cards, seconds, len(sittings))


def _sittings(acts: list[Act]) -> list[list[Act]]:
    """Return the acts in runs without a rest; time on a card is no rest, however long."""
    runs = [acts[:1]] if acts else []
    for before, act in pairwise(acts):
        idle = (act.time - before.time).total_seconds() - act.seconds
        if idle >= REST:
            runs.append([act])
        else:
            runs[-1].append(act)
    return runs


def _length(sitting: list[Act]) -> float:
    """Return the seconds from the opening of the first card to the last act."""
    return (
        min(sitting[0].seconds, LONGEST_CARD) + (sitting[-1].time - sitting[0].time).total_seconds()
    )


def hours_and_minutes(seconds: float) -> tuple[int, int]:
    """Return a forecast as it is said: to the minute, above two hours to five, never below one.

    (0, 0) means that nothing is left.
    """
    if seconds <= 0:
        return 0, 0
    minutes = max(1, round(seconds / 60))
    if minutes > 120:
        minutes = 5 * round(minutes / 5)
    return divmod(minutes, 60)
