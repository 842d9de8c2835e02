"""What a study does for the people who judge: a warning first, a daily limit, a hint to rest."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from reviewkit.decisions import Record
from reviewkit.questions import Wording

REST = 300.0
"""Seconds without an act after which a person counts as rested."""


class Welfare(BaseModel):
    """The ``welfare`` section of a study file; nothing in it is switched on by itself."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    content_warning: Wording | None = None
    """Shown before the first card, in the reader's language; going on is recorded as consent."""
    daily_limit: Annotated[int, Field(ge=1)] | None = None
    """Decisions a day (UTC); after that no open card is shown until tomorrow."""
    break_after_minutes: Annotated[int, Field(ge=1)] | None = None
    """After so long without a rest of five minutes the page suggests one."""
    blur: Literal["yes", "no"] = "no"
    """Whether texts are blurred until a person asks to see them."""
    contact: Wording | None = None
    """Whom to turn to, shown with the warning and in the help."""


def has_consented(records: Iterable[Record]) -> bool:
    """Return whether the rater has read the warning and gone on."""
    return any(record.kind == "consent" for record in records)


def decided_today(records: Iterable[Record], now: datetime | None = None) -> int:
    """Return how many decisions the rater has made on the day of ``now`` (UTC)."""
    today = (now or datetime.now(UTC)).date().isoformat()
    return sum(1 for each in records if each.kind == "decision" and each.time.startswith(today))


class Sitting:
    """How long a person has been judging without a rest; fed with the times of his acts."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._last = 0.0

    def act(self, now: float) -> float:
        """Note an act at ``now`` (seconds) and return the minutes since the last rest."""
        if self._since is None or now - self._last >= REST:
            self._since = now
        self._last = now
        return (now - self._since) / 60
