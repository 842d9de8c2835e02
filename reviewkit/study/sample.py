"""What the draws of a sample give: cards, counts by stratum, and what could not be met."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


class StratumCount(BaseModel):
    """One line of the table that ``reviewkit sample`` prints."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    stratum: str
    available: int
    wanted: int
    """What the rule asks for, whatever there is."""
    drawn: int
    """How many are drawn in all, earlier ones included."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one draw gives."""

    name: str
    ids: tuple[str, ...]
    """Every card of the draw: those on record first, as recorded."""
    new: tuple[str, ...]
    """Those of them that are not on record yet."""
    counts: tuple[StratumCount, ...]
    said: tuple[str, ...]
    """What could not be met, and what was left out, in sentences."""
    table_digest: str
    excluded_digest: str


@dataclass(frozen=True, slots=True)
class Sample:
    """What the draws of a sample give, in order."""

    draws: tuple[Drawn, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Every card of the sample."""
        return tuple(card for draw in self.draws for card in draw.ids)

    @property
    def new(self) -> tuple[str, ...]:
        """Every card that is not on record yet."""
        return tuple(card for draw in self.draws for card in draw.new)
