"""Agreement of two passes on one table: what is computed, and when it is not defined.

Every function takes a ``Table`` whose category list is declared, never inferred from the labels:
chance agreement depends on it. All sums are integers and each value is one division, so a
published figure is met exactly. A value that does not exist is a ``Figure`` with a sentence in
``why``; never NaN, and never a 0 or 1 that looks like a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from reviewkit.problems import Problem, ProblemsFound

FigureName = Literal["observed", "kappa", "pabak", "brennan_prediger", "ac1"]

HIGH_AGREEMENT = 0.70
LOW_KAPPA = 0.40
SKEWED_SHARE = 0.70
"""When observed agreement is at least the first, kappa below the second and one category holds at
least the third of all labels, a low kappa speaks of the categories and not of the people."""


def two_decimals(value: float) -> str:
    """Return ``value`` as people print it: two decimals, ties away from zero, never ``-0.00``."""
    rounded = Decimal(repr(value)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{rounded:z.2f}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One coefficient: its value, or the sentence that says why there is none."""

    name: FigureName
    value: float | None
    why: str
    """Empty exactly when there is a value."""
    q: int
    """How many categories were declared."""
    n: int
    """How many units both passes judged."""

    def __str__(self) -> str:
        return f"not defined: {self.why}" if self.value is None else two_decimals(self.value)


@dataclass(frozen=True, slots=True)
class Table:
    """The confusion matrix of two passes over a declared category list; rows: the first pass."""

    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        problems = [*_category_problems(self.categories), *self._count_problems()]
        if problems:
            raise ProblemsFound(problems)

    @classmethod
    def from_counts(cls, matrix: Sequence[Sequence[int]], categories: Sequence[str]) -> Table:
        """Return the table of these counts. Raises ProblemsFound when they make no table."""
        return cls(tuple(categories), tuple(tuple(row) for row in matrix))

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]], categories: Sequence[str]) -> Table:
        """Return the table of (first, second) labels.

        Raises ProblemsFound when a label is not in the declared list: it is neither dropped nor
        made a category of its own.
        """
        place = {category: index for index, category in enumerate(categories)}
        counts = [[0] * len(categories) for _ in categories]
        problems: list[Problem] = []
        for number, pair in enumerate(pairs, start=1):
            strange = [label for label in pair if label not in place]
            problems += [
                Problem(
                    f"pair {number}",
                    f"label {label!r} is not a declared category",
                    f"use one of {', '.join(categories)} or declare it",
                )
                for label in strange
            ]
            if not strange:
                counts[place[pair[0]]][place[pair[1]]] += 1
        if problems:
            raise ProblemsFound(problems)
        return cls.from_counts(counts, categories)

    def _count_problems(self) -> list[Problem]:
        q = len(self.categories)
        problems: list[Problem] = []
        if len(self.counts) != q:
            problems.append(
                Problem(
                    "counts",
                    f"{len(self.counts)} rows for {q} categories",
                    "give one row and one column per declared category, in the declared order",
                )
            )
        for i, row in enumerate(self.counts):
            if len(row) != q:
                problems.append(
                    Problem(
                        f"counts[{i}]",
                        f"{len(row)} columns for {q} categories",
                        "give one count per declared category",
                    )
                )
            problems += [
                Problem(f"counts[{i}][{j}]", f"got {cell!r}", "use a whole number, 0 or more")
                for j, cell in enumerate(row)
                if not _is_count(cell)
            ]
        return problems

    @property
    def q(self) -> int:
        """How many categories are declared, used or not."""
        return len(self.categories)

    @property
    def n(self) -> int:
        """How many units both passes judged."""
        return sum(map(sum, self.counts))

    @property
    def agree(self) -> int:
        """How many units got the same label from both."""
        return sum(row[i] for i, row in enumerate(self.counts))

    @property
    def row_totals(self) -> tuple[int, ...]:
        """How often the first pass used each category."""
        return tuple(map(sum, self.counts))

    @property
    def column_totals(self) -> tuple[int, ...]:
        """How often the second pass used each category."""
        return tuple(sum(column) for column in zip(*self.counts, strict=True))

    def swapped(self) -> Table:
        """Return the table with the passes exchanged."""
        return Table(self.categories, tuple(zip(*self.counts, strict=True)))

    def collapsed(self, classes: Mapping[str, str]) -> Table:
        """Return the table over coarser classes: ``classes`` maps every category to its class."""
        names = tuple(dict.fromkeys(classes[category] for category in self.categories))
        place = [names.index(classes[category]) for category in self.categories]
        counts = [[0] * len(names) for _ in names]
        for i, row in enumerate(self.counts):
            for j, cell in enumerate(row):
                counts[place[i]][place[j]] += cell
        return Table.from_counts(counts, names)


def _is_count(cell: object) -> bool:
    return isinstance(cell, int) and not isinstance(cell, bool) and cell >= 0


def _category_problems(categories: tuple[str, ...]) -> list[Problem]:
    if not categories:
        return [Problem("categories", "none declared", "declare every category of the scheme")]
    twice = sorted({name for name in categories if categories.count(name) > 1})
    return [
        Problem("categories", f"{name!r} is declared twice", "declare each category once")
        for name in twice
    ]


def observed_agreement(table: Table) -> Figure:
    """Return the share of units with equal labels; not defined without a unit."""
    return _figure("observed", table, table.agree, table.n)


def cohen_kappa(table: Table) -> Figure:
    """Return Cohen's kappa (1960), unweighted.

    Not defined when both passes used one and the same category throughout, for chance agreement is
    then 1. It is 0 when only one of them was constant, whatever the agreement.
    """
    rows, columns = table.row_totals, table.column_totals
    by_chance = sum(row * column for row, column in zip(rows, columns, strict=True))
    total = table.n * table.n
    if table.n and by_chance == total:
        only = table.categories[rows.index(table.n)]
        return _undefined("kappa", table, f"both passes used only the category {only}")
    return _figure("kappa", table, table.n * table.agree - by_chance, total - by_chance)


def pabak(table: Table) -> Figure:
    """Return PABAK as Byrt (1993) defines it, twice the observed agreement minus 1.

    With more than two categories this still takes chance to be one half; the same idea with
    1/q is ``brennan_prediger``, which belongs beside it.
    """
    if table.q < 2:
        return _one_category("pabak", table)
    return _figure("pabak", table, 2 * table.agree - table.n, table.n)


def brennan_prediger(table: Table) -> Figure:
    """Return the Brennan-Prediger coefficient (1981): chance is 1/q of the declared categories."""
    if table.q < 2:
        return _one_category("brennan_prediger", table)
    q = table.q
    return _figure("brennan_prediger", table, q * table.agree - table.n, (q - 1) * table.n)


def gwet_ac1(table: Table) -> Figure:
    """Return Gwet's AC1 (2008); 1 when all agree on one value of two or more declared."""
    if table.q < 2:
        return _one_category("ac1", table)
    n = table.n
    both = [row + col for row, col in zip(table.row_totals, table.column_totals, strict=True)]
    by_chance = sum(used * (2 * n - used) for used in both)
    scale = 4 * n * (table.q - 1)
    return _figure("ac1", table, scale * table.agree - by_chance, scale * n - by_chance)


def all_figures(table: Table) -> tuple[Figure, ...]:
    """Return the companion set that is always shown together, in the order it is shown."""
    return (
        observed_agreement(table),
        cohen_kappa(table),
        pabak(table),
        brennan_prediger(table),
        gwet_ac1(table),
    )


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader must know to read the figures; ``code`` lets many alike be told at once."""

    code: Literal["skewed", "one_value"]
    text: str


def notes_on(table: Table, names: tuple[str, str]) -> tuple[Note, ...]:
    """Return the sentences that keep kappa from being misread, with the companions' values."""
    observed, kappa, pabak_, bp, ac1 = all_figures(table)
    if observed.value is None or kappa.value is None:
        return ()
    beside = f"PABAK {pabak_}, Brennan-Prediger {bp} and AC1 {ac1}"
    for name, totals in zip(names, (table.row_totals, table.column_totals), strict=True):
        if table.n in totals:
            only = table.categories[totals.index(table.n)]
            return (
                Note(
                    "one_value",
                    f"Kappa is {kappa} because {name} used only {only}: it is 0 then, whatever "
                    f"the agreement ({table.agree} of {table.n}). Read {beside}.",
                ),
            )
    both = [row + col for row, col in zip(table.row_totals, table.column_totals, strict=True)]
    share = max(both) / (2 * table.n)
    if observed.value < HIGH_AGREEMENT or kappa.value >= LOW_KAPPA or share < SKEWED_SHARE:
        return ()
    by_chance = sum(
        row * col for row, col in zip(table.row_totals, table.column_totals, strict=True)
    )
    percent = Decimal(repr(100 * share)).quantize(Decimal(1), ROUND_HALF_UP)
    return (
        Note(
            "skewed",
            f"Kappa is {kappa} although {table.agree} of {table.n} agree: {percent}% of all labels "
            f"are {table.categories[both.index(max(both))]}, so kappa puts agreement by chance at "
            f"{two_decimals(by_chance / table.n**2)} already (the prevalence paradox). "
            f"Read {beside}.",
        ),
    )


def _figure(name: FigureName, table: Table, numerator: int, denominator: int) -> Figure:
    if not table.n:
        return _undefined(name, table, "nothing was judged in both passes")
    return Figure(name, numerator / denominator, "", table.q, table.n)


def _undefined(name: FigureName, table: Table, why: str) -> Figure:
    return Figure(name, None, why, table.q, table.n)


def _one_category(name: FigureName, table: Table) -> Figure:
    return _undefined(name, table, "only one category is declared, so no two labels can differ")
