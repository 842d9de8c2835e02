"""What a comparison of two passes of codings holds, as the board shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from reviewkit.agreement.coefficients import Figure, FigureName, Table
from reviewkit.agreement.passes.report import LeftOut

Names = tuple[str, str]
Kind = Literal[
    "choice", "yes_no", "many", "spans", "collapse", "derived", "span_class", "span_flag"
]


@dataclass(frozen=True, slots=True)
class TermAgreement:
    """One watchlist term on the places that both passes marked."""

    term: str
    agree: int
    n: int


@dataclass(frozen=True, slots=True)
class CodingComparison:
    """Two passes on one field, one derived value, or the places of one field of spans."""

    id: str
    """The field's or the derived value's id; ``field flag`` for a flag."""
    kind: Kind
    of: str
    """The id of the field it is about; for a derived value its own."""
    agree: int
    n: int
    figures: tuple[Figure, ...]
    """observed, kappa, ac1."""
    table: Table | None
    """None where the answers are sets."""
    left_out: tuple[LeftOut, ...]
    differ: tuple[str, ...]
    """The cards on which the passes differ, in order."""
    terms: tuple[TermAgreement, ...] = ()

    @property
    def unit(self) -> str:
        """What is counted, in the singular."""
        return "place" if self.kind in ("span_class", "span_flag") else "card"

    @property
    def total(self) -> int:
        """How many units there were, compared or not."""
        return self.n + sum(len(group.units) for group in self.left_out)

    def figure(self, name: FigureName) -> Figure:
        """Return the figure of this name."""
        return next(each for each in self.figures if each.name == name)


@dataclass(frozen=True, slots=True)
class CodingReport:
    """How far two passes of codings agree."""

    names: Names
    """The passes' names, first and second; never who the raters are."""
    codebook: str
    comparisons: tuple[CodingComparison, ...]
    notices: tuple[str, ...] = ()
    """What stands above every figure, e.g. that a pass was opened early."""

    def of_kind(self, *kinds: Kind) -> tuple[CodingComparison, ...]:
        """Return the comparisons of these kinds, in order."""
        return tuple(each for each in self.comparisons if each.kind in kinds)

    def find(self, comparison_id: str) -> CodingComparison:
        """Return the comparison with this id; KeyError when there is none."""
        for each in self.comparisons:
            if each.id == comparison_id:
                return each
        raise KeyError(comparison_id)

    def disagreements(self, ids: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
        """Return card -> what differs on it, for the named fields and values, or for all."""
        wanted = set(ids)
        found: dict[str, list[str]] = {}
        for each in self.comparisons:
            if wanted and each.id not in wanted:
                continue
            for card_id in each.differ:
                found.setdefault(card_id, []).append(each.id)
        return {card_id: tuple(found[card_id]) for card_id in sorted(found)}
