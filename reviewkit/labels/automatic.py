"""Automatic labels against the final ones: a parser, a panel of judges, a unanimous panel.

Works on rows of text, as ``wide_table`` makes them or as a file holds them, so that a published
table can be counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewkit import __version__
from reviewkit.agreement.coefficients import Figure, Note, Table, cohen_kappa, notes_on
from reviewkit.agreement.passes.report import LeftOut
from reviewkit.agreement.reporting.blocks import (
    Block,
    Grid,
    Heading,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    left_out_line,
    share,
    shown,
)
from reviewkit.labels.layout import group_left_out, kappa_cell, why_no_kappa
from reviewkit.problems import Problem, ProblemsFound

Row = Mapping[str, str]
Collapse = Mapping[str, str]
"""Every value and the class it belongs to; the empty text leaves a value out, as for abstaining."""

ABSTAIN = "abstain"
"""What a panel without a majority says."""


def majority(values: Sequence[str], collapse: Collapse, *, abstain: str = ABSTAIN) -> str:
    """Return the class that more than half of all judges chose, each code collapsed first.

    A judge whose code is empty, or collapses to nothing, still counts among all: of three judges
    two must agree. Raises ProblemsFound for a code that the collapse does not name.
    """
    votes = Counter(_collapsed(values, collapse, [f"judge {i + 1}" for i in range(len(values))]))
    del votes[""]
    chosen = [each for each, count in votes.items() if 2 * count > len(values)]
    return chosen[0] if chosen else abstain


@dataclass(frozen=True, slots=True)
class Readout:
    """Which automatic column is held against which final column."""

    title: str
    automatic: str
    final: str
    collapse_automatic: Collapse = field(default_factory=dict[str, str])
    """Empty: the labels are compared as they are."""
    collapse_final: Collapse = field(default_factory=dict[str, str])
    categories: tuple[str, ...] = ()
    """The declared classes; those that occur when none are declared. Kappa is the same."""


@dataclass(frozen=True, slots=True)
class Subset:
    """Some of the rows, and what they are called."""

    title: str
    holds: Callable[[Row], bool]


EVERY = Subset("all", lambda row: True)  # noqa: ARG005 - the shape of every subset


def where(column: str, value: str) -> Subset:
    """Return the rows with this value in this column."""
    return Subset(f"{column} = {value}", lambda row: row.get(column) == value)


def each_of(rows: Iterable[Row], column: str) -> tuple[Subset, ...]:
    """Return one subset for every value of a column, in order of the values."""
    return tuple(where(column, value) for value in sorted({row[column] for row in rows}))


def unanimous(columns: Sequence[str], collapse: Collapse | None = None) -> Subset:
    """Return the rows on which these automatic columns all say the same, and something.

    With a collapse they need only agree on the class.
    """

    def holds(row: Row) -> bool:
        values = [row.get(column, "") for column in columns]
        places = [f"{row.get('card', 'row')} {column}" for column in columns]
        said = set(_collapsed(values, collapse, places) if collapse else values)
        return len(said) == 1 and said != {""}

    return Subset("unanimous", holds)


@dataclass(frozen=True, slots=True)
class AutomaticAgainstFinal:
    """One readout on one set of cards."""

    title: str
    subset: str
    table: Table
    """Rows: the automatic label; columns: the final one."""
    left_out: tuple[LeftOut, ...]

    @property
    def correct(self) -> str:
        """Return how often the automatic label is the final one: ``60/79 (75.9 %)``."""
        return share(self.table.agree, self.table.n)

    @property
    def kappa(self) -> Figure:
        """Cohen's kappa of the two labels."""
        return cohen_kappa(self.table)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What keeps kappa from being misread."""
        return notes_on(self.table, ("the automatic label", "the final label"))

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values, figures in full precision."""
        n = self.table.n
        return {
            "title": self.title,
            "subset": self.subset,
            "correct": self.table.agree,
            "n": n,
            "agreement": self.table.agree / n if n else None,
            "kappa": self.kappa.value,
            "why_no_kappa": why_no_kappa(self.table),
            "notes": [note.text for note in self.notes],
            "categories": list(self.table.categories),
            "matrix": [list(row) for row in self.table.counts],
            "left_out": [group.as_json() for group in self.left_out],
        }


@dataclass(frozen=True, slots=True)
class AutomaticReport:
    """Every readout on every subset, ready to be rendered."""

    lines: tuple[AutomaticAgainstFinal, ...]

    def as_text(self) -> str:
        """Return the report for a terminal."""
        return blocks_as_text(self._blocks())

    def as_markdown(self) -> str:
        """Return the report as Markdown."""
        return blocks_as_markdown(self._blocks())

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "kind": "automatic",
            "lines": [line.as_json() for line in self.lines],
            "version": __version__,
        }

    def _blocks(self) -> list[Block]:
        blocks: list[Block] = [
            Heading("Automatic labels against final labels", 1),
            Grid(
                ("automatic label", "cards", "the same as the final", "kappa", "left out"),
                tuple(
                    (
                        shown(line.title),
                        shown(line.subset),
                        line.correct,
                        kappa_cell(line.table),
                        str(sum(len(group.units) for group in line.left_out)),
                    )
                    for line in self.lines
                ),
                frozenset({0, 1}),
            ),
        ]
        said: list[str] = []
        for line in self.lines:
            name = shown(f"{line.title}, {line.subset}")
            if why := why_no_kappa(line.table):
                said.append(f"{name}: kappa is not defined, because {shown(why)}.")
            said += [f"{name}: {shown(note.text)}" for note in line.notes]
            said += [f"{name}: left out {left_out_line(group)}" for group in line.left_out]
        if said:
            blocks.append(Points(tuple(said)))
        for line in self.lines:
            if line.table.n:
                blocks += _matrix(line)
        method = (
            "Method: only cards with both labels; Cohen's kappa (1960), unweighted, automatic "
            "against final; percent to one decimal, kappa to three, ties away from zero; "
            f"reviewkit {__version__}."
        )
        return [*blocks, Sentence(method)]


def _matrix(line: AutomaticAgainstFinal) -> list[Block]:
    labels = tuple(shown(category) for category in line.table.categories)
    rows = tuple(
        (label, *map(str, counts)) for label, counts in zip(labels, line.table.counts, strict=True)
    )
    title = shown(f"{line.title}, {line.subset}")
    return [
        Sentence(f"{title}; rows: automatic label, columns: final label"),
        Grid(("", *labels), rows),
    ]


def against_final(
    rows: Iterable[Row], readout: Readout, subset: Subset = EVERY
) -> AutomaticAgainstFinal:
    """Return how often the automatic label is the final one, over the rows of the subset.

    A row without one of the labels is left out, and said to be. Raises ProblemsFound for a column
    that is not there, and for every label that a collapse or the declared categories do not name.
    """
    chosen = [row for row in _with_columns(rows, readout) if subset.holds(row)]
    places = [row.get("card") or f"row {number}" for number, row in enumerate(chosen, start=1)]
    problems: list[Problem] = []
    sides: list[list[str]] = []
    for column, collapse in (
        (readout.automatic, readout.collapse_automatic),
        (readout.final, readout.collapse_final),
    ):
        values = [row[column] for row in chosen]
        try:
            named = [f"{place} {column}" for place in places]
            sides.append(_collapsed(values, collapse, named) if collapse else values)
        except ProblemsFound as found:
            problems += found.problems
    if problems:
        raise ProblemsFound(problems)
    pairs: list[tuple[str, str]] = []
    reasons: list[tuple[str, str]] = []
    for row, place, one, two in zip(chosen, places, *sides, strict=True):
        if one and two:
            pairs.append((one, two))
        elif two:
            reasons.append((_no_label(row[readout.automatic], "automatic"), place))
        else:
            reasons.append((_no_label(row[readout.final], "final", _how(row, readout)), place))
    used = readout.categories or tuple(sorted({label for pair in pairs for label in pair}))
    table = Table.from_pairs(pairs, used or ("none",))
    return AutomaticAgainstFinal(readout.title, subset.title, table, group_left_out(reasons))


def automatic_report(
    rows: Sequence[Row], asked: Iterable[tuple[Readout, Iterable[Subset]]]
) -> AutomaticReport:
    """Return every readout on each of its subsets, in order."""
    return AutomaticReport(
        tuple(
            against_final(rows, readout, subset) for readout, subsets in asked for subset in subsets
        )
    )


def _with_columns(rows: Iterable[Row], readout: Readout) -> list[Row]:
    listed = list(rows)
    known = dict.fromkeys(name for row in listed for name in row)
    missing = [name for name in (readout.automatic, readout.final) if name not in known]
    if listed and missing:
        has = ", ".join(known)
        raise ProblemsFound(
            Problem(readout.title, f"there is no column {name!r}", f"use one of {has}")
            for name in missing
        )
    return [{**dict.fromkeys((readout.automatic, readout.final), ""), **row} for row in listed]


def _collapsed(values: Sequence[str], collapse: Collapse, places: Sequence[str]) -> list[str]:
    problems = [
        Problem(
            place,
            f"the collapse does not name {value!r}",
            "say which class it belongs to; the empty text leaves it out",
        )
        for place, value in zip(places, values, strict=True)
        if value and value not in collapse
    ]
    if problems:
        raise ProblemsFound(problems)
    return [collapse[value] if value else "" for value in values]


def _no_label(value: str, which: str, how: str = "") -> str:
    if value:
        return f"the {which} label {value} belongs to no class"
    return f"no {which} label{f': {how}' if how else ''}"


def _how(row: Row, readout: Readout) -> str:
    """Return the route of a final label that is empty, where the table has it."""
    stem = readout.final.removesuffix("final")
    route, reason = row.get(f"{stem}route", ""), row.get(f"{stem}reason", "")
    return f"{route} ({reason})" if route and reason else route
