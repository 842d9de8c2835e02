"""What each rater means to say of each card, and what he pressed and was told.

What is meant follows from the seed, the rater and the card alone: whoever reads a ledger afterwards
knows what ought to stand there, whatever happened on the way.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from time import monotonic

FIELD = "rationale"
CODES = ("E", "QE", "N", "D", "R")
WORDS = ("the main statement", "holds back", "says so twice", "ليس الجميع", "في الغالب", "— hm…")
NOTED = 3
"""One card in so many gets a note."""


@dataclass(frozen=True)
class Meant:
    """The code and the note that a rater gives to a card."""

    code: str
    note: str

    @property
    def answers(self) -> dict[str, str]:
        """The answers as the page sends them."""
        return {FIELD: self.code}


def meant(seed: int, rater: str, card_id: str) -> Meant:
    """Return what this rater means to say of the card: anybody else's note would show."""
    chance = random.Random(f"{seed} {rater} {card_id}")
    code = chance.choice(CODES)
    if chance.randrange(NOTED):
        return Meant(code, "")
    return Meant(code, f"{rater} on {card_id}: {' '.join(chance.sample(WORDS, 3))}")


@dataclass
class Press:
    """One press that was to record a card, and what came of it."""

    click_id: str
    card_id: str
    answers: dict[str, object]
    note: str
    began: float = field(default_factory=monotonic)
    told: str = ""
    """``recorded``, ``refused`` or ``elsewhere``; empty while nothing was heard."""
    waited: float = 0.0
    """Seconds from the press to ``recorded``."""
    since: float = 0.0
    """The moment, by the clock of ``monotonic``, at which the answer came."""

    def hear(self, kind: str) -> None:
        """Take the answer; only the first one counts."""
        if not self.told:
            self.told, self.since = kind, monotonic()
            self.waited = self.since - self.began


@dataclass
class Diary:
    """What one rater lived through."""

    rater: str
    presses: list[Press] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    """Seconds from asking for the page to its first card, for every load."""
    shown: list[float] = field(default_factory=list)
    """Seconds from the press to the next card on the screen; pages in a browser alone."""
    reloads: int = 0
    lost: int = 0
    """How often the page said that the connection is lost."""
    elsewhere: int = 0
    """How often a tab was told that another one writes."""
    refused: list[str] = field(default_factory=list)
    """Sentences of refusals."""
    last: str = ""
    """What was on the screen when he last looked."""
    done: bool = False
    locked: str = ""
    """The click that sealed the pass, once it was acknowledged."""

    def press(self, click_id: str, card_id: str, answers: dict[str, object], note: str) -> Press:
        """Note a press before it is sent."""
        one = Press(click_id, card_id, answers, note)
        self.presses.append(one)
        return one

    @property
    def acknowledged(self) -> list[Press]:
        """The presses that were told to be recorded."""
        return [each for each in self.presses if each.told == "recorded"]
