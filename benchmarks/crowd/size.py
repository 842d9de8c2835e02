"""How large a crowd is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """How many people, cards and seconds.

    ``think`` is the mean of reading and thinking a card, ``arrive`` the time in which everybody
    opens the link, ``limit`` the longest that a part may take.
    """

    raters: int = 50
    pages: int = 6
    cards: int = 40
    think: float = 5.0
    arrive: float = 40.0
    limit: float = 560.0
    seed: int = 1
