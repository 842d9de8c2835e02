"""How many judgements an hour people really make, from the times of a study's ledgers.

The pace of a pass is that of its last sittings (``study.forecast``); of several passes it is all
their cards over all their time. Times and counts alone are read, so a blind round stays blind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from reviewkit.problems import ReviewkitError
from reviewkit.study import PassProgress


class NoPaceYet(ReviewkitError):
    """Too few cards are judged for a pace."""


@dataclass(frozen=True, slots=True)
class MeasuredPace:
    """The pace of a study."""

    study: str
    passes: int
    """Passes that have a pace; those withdrawn are not among them."""
    cards: int
    seconds: Fraction

    @property
    def per_hour(self) -> Fraction:
        """Judgements an hour of one rater."""
        return self.cards * 3600 / self.seconds


def measured_pace(study: str, passes: Iterable[PassProgress]) -> MeasuredPace:
    """Return the pace of a study; raises NoPaceYet when no pass has one."""
    paces = [
        each.pace for each in passes if each.pace is not None and each.state != "withdrawn"
    ]  # fmt: skip
    if not paces:
        raise NoPaceYet(
            f"study {study} has no pace yet: a pass needs three cards judged on the desk;"
            " leave --study out to plan with the assumed one"
        )
    seconds = sum((Fraction(each.seconds).limit_denominator(1000) for each in paces), Fraction(0))
    return MeasuredPace(study, len(paces), sum(each.cards for each in paces), seconds)
