"""What an agreement report holds; how it looks is ``layout``'s affair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reviewkit import __version__
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

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "kind": self.kind,
            "title": self.title,
            "unit": self.unit,
            "check": self.check
            and {
                "id": self.check.check_id,
                "test_type": self.check.test_type,
                "form": self.check.form,
                "nature": self.check.nature,
            },
            "used": self.n,
            "of": self.total,
            "agree": self.table.agree,
            "categories": list(self.table.categories),
            "matrix": [list(row) for row in self.table.counts],
            "figures": [figure.as_json() for figure in self.figures],
            "notes": [note.text for note in self.notes],
            "left_out": [group.as_json() for group in self.left_out],
        }


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

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "card": self.card_id,
            "verdicts": list(self.verdicts),
            "verdicts_compared": self.verdicts_compared,
            "checks": [{"id": name, "answers": [one, two]} for name, one, two in self.checks],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """How far two passes agree, ready to be rendered."""

    names: tuple[str, str]
    """The passes' names: rows, columns. Never who the raters are."""
    source: Literal["passes", "counts"]
    """``counts``: made from a bare table, so no unit is known by id."""
    comparisons: tuple[Comparison, ...]
    disagreements: tuple[Disagreement, ...] = ()
    notices: tuple[str, ...] = ()
    """What stands above every figure, e.g. that a pass was opened early."""

    def of_kind(self, *kinds: Kind) -> tuple[Comparison, ...]:
        """Return the comparisons of these kinds, in order."""
        return tuple(one for one in self.comparisons if one.kind in kinds)

    @property
    def method(self) -> str:
        """The line that lets somebody else compute the same figures."""
        counted = [
            f"{one.n} {one.unit}{'' if one.n == 1 else 's'} over "
            f"{one.table.q} categories ({', '.join(one.table.categories)})"
            for one in self.of_kind("verdict", "verdict_binary", "pooled")
        ]
        pooled = ", check figures pooled over cards" if self.of_kind("pooled") else ""
        return (
            "Method: observed agreement, Cohen's kappa (1960), PABAK = 2 x observed - 1 "
            "whatever q (Byrt 1993), Brennan-Prediger BP(q) with chance 1/q (1981), Gwet's AC1 "
            "(2008), q the number of declared categories; unweighted, two passes, only units that "
            f"both judged{pooled}, no intervals; {'; '.join(counted)}; "
            f"printed to two decimals, ties away from zero; reviewkit {__version__}."
        )

    def as_json(self) -> dict[str, Any]:
        """Return the whole report as JSON values, figures in full precision."""
        notices = list(self.notices)
        return {
            "kind": "agreement",
            "names": {"rows": self.names[0], "columns": self.names[1]},
            "source": self.source,
            "notices": notices,
            "comparisons": [{**one.as_json(), "notices": notices} for one in self.comparisons],
            "disagreements": [one.as_json() for one in self.disagreements],
            "method": self.method,
            "version": __version__,
        }


def from_counts(
    matrix: Sequence[Sequence[int]],
    categories: Sequence[str],
    *,
    names: tuple[str, str] = ("first", "second"),
    classes: Mapping[str, str] | None = None,
    notices: tuple[str, ...] = (),
) -> Report:
    """Return the report on a published confusion matrix: rows the first pass, columns the second.

    ``classes`` maps each category to a coarser class for a second comparison; for the three
    verdicts it is accepted / not accepted. Raises ProblemsFound when the counts make no table.
    """
    table = Table.from_counts(matrix, categories)
    if classes is None and table.categories == VERDICTS:
        classes = ACCEPTED_OR_NOT
    title = ", ".join(table.categories)
    comparisons = [compare("verdict", title, "unit", table, names=names)]
    if classes is not None:
        coarse = table.collapsed(classes)
        title = ", ".join(coarse.categories)
        comparisons.append(compare("verdict_binary", title, "unit", coarse, names=names))
    return Report(names, "counts", tuple(comparisons), notices=notices)
