"""What a comparison of two passes holds, as the board shows it before any report is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from reviewkit.agreement.coefficients import (
    Figure,
    FigureName,
    Note,
    Table,
    all_figures,
    notes_on,
)

VERDICTS = ("accepted", "needs_fix", "rejected")
ACCEPTED_OR_NOT = {
    "accepted": "accepted",
    "needs_fix": "not accepted",
    "rejected": "not accepted",
}
ANSWERS = ("yes", "no")

Kind = Literal["verdict", "verdict_binary", "pooled", "nature", "test_type", "check"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Units that were not compared, and the one reason why."""

    reason: str
    """A sentence fragment with the passes' names in it."""
    units: tuple[str, ...]
    """Card ids; ``card check`` for check decisions."""

    def as_json(self) -> dict[str, Any]:
        """Return the reason, how many, and which."""
        return {"reason": self.reason, "count": len(self.units), "units": list(self.units)}


@dataclass(frozen=True, slots=True)
class CheckName:
    """Which check a comparison is of, and where it stands."""

    check_id: str
    test_type: str
    form: str
    """The editions it was answered in: ``t3@2``, or ``t3@1, t3@2`` when the check is the same."""
    nature: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two passes on one set of units: the table, the figures, and what was left out."""

    kind: Kind
    title: str
    unit: str
    """What is counted, in the singular: ``card``, ``check decision``, ``unit``."""
    table: Table
    figures: tuple[Figure, ...]
    notes: tuple[Note, ...]
    left_out: tuple[LeftOut, ...] = ()
    check: CheckName | None = None

    @property
    def n(self) -> int:
        """How many units were compared."""
        return self.table.n

    @property
    def total(self) -> int:
        """How many units there were, compared or not."""
        return self.n + sum(len(group.units) for group in self.left_out)

    def figure(self, name: FigureName) -> Figure:
        """Return the figure of this name."""
        return next(figure for figure in self.figures if figure.name == name)


def compare(
    kind: Kind,
    title: str,
    unit: str,
    table: Table,
    *,
    names: tuple[str, str],
    left_out: tuple[LeftOut, ...] = (),
    check: CheckName | None = None,
) -> Comparison:
    """Return the comparison that a table makes, with every figure of the companion set."""
    return Comparison(
        kind, title, unit, table, all_figures(table), notes_on(table, names), left_out, check
    )


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One card on which the passes differ, in the verdict or in a check that both answered."""

    card_id: str
    verdicts: tuple[str, str]
    verdicts_compared: bool
    """False when the two verdicts come from different editions of the form or of the rule."""
    checks: tuple[tuple[str, str, str], ...]
    """(check id, answer in the first pass, answer in the second), in the order of the form."""


@dataclass(frozen=True, slots=True)
class Report:
    """How far two passes agree."""

    names: tuple[str, str]
    """The passes' names: rows, columns. Never who the raters are."""
    comparisons: tuple[Comparison, ...]
    disagreements: tuple[Disagreement, ...] = ()
    notices: tuple[str, ...] = ()
    """What stands above every figure, e.g. that a pass was opened early."""

    def of_kind(self, *kinds: Kind) -> tuple[Comparison, ...]:
        """Return the comparisons of these kinds, in order."""
        return tuple(one for one in self.comparisons if one.kind in kinds)
