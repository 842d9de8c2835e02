"""What two reviewers said of adapters, which they flagged, and what to leave out for it. Pure.

An adapter is a card; its source is the card's group. Nothing here knows the questions: they are the
yes/no fields of whatever codebook was used, and one of them (or a derived value) is the flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
from reviewkit.labels.final import FinalLabel
from reviewkit.labels.layout import group_left_out, kappa_cell, why_no_kappa
from reviewkit.labels.tables import Column, LabelTable

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class YesCount:
    """How many cards got ``yes`` on one question, from one reviewer or in the end."""

    yes: int
    n: int
    """How many cards have an answer."""

    def __str__(self) -> str:
        return share(self.yes, self.n)

    def as_json(self) -> dict[str, int]:
        """Return the two counts."""
        return {"yes": self.yes, "n": self.n}


@dataclass(frozen=True, slots=True)
class Question:
    """One yes/no field: each reviewer's count and the final one."""

    field: str
    reviewers: tuple[YesCount, ...]
    """In the order of ``AdapterReport.reviewers``."""
    final: YesCount


@dataclass(frozen=True, slots=True)
class AdapterReport:
    """Counts per question and reviewer, the flag, and what to exclude."""

    reviewers: tuple[str, ...]
    """The passes, in order."""
    questions: tuple[Question, ...]
    flag: Question
    table: Table
    """The flag of a card's first reviewer (rows) and of its second, over the cards with both."""
    left_out: tuple[LeftOut, ...]
    """Cards without two reviewers' flags."""
    unsettled: tuple[LeftOut, ...]
    """Cards whose flag has no final value, and why: they are on no list."""
    items: LabelTable
    """The flagged cards."""
    sources: LabelTable
    """The groups with a flagged card: leaving out all of their cards is the stricter rule."""

    @property
    def both(self) -> int:
        """How many cards both flagged."""
        return self.table.counts[0][0]

    @property
    def either(self) -> int:
        """How many cards at least one of the two flagged."""
        return self.table.n - self.table.counts[1][1]

    @property
    def kappa(self) -> Figure:
        """Cohen's kappa of the flag."""
        return cohen_kappa(self.table)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What keeps kappa from being misread."""
        two = self.reviewers if len(self.reviewers) == 2 else ("first reviewer", "second reviewer")
        return notes_on(self.table, (two[0], two[1]))

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values, figures in full precision."""
        n = self.table.n
        return {
            "kind": "adapters",
            "reviewers": list(self.reviewers),
            "questions": [
                {
                    "field": one.field,
                    "reviewers": [count.as_json() for count in one.reviewers],
                    "final": one.final.as_json(),
                }
                for one in (*self.questions, self.flag)
            ],
            "flag": {
                "field": self.flag.field,
                "either": self.either,
                "both": self.both,
                "n": n,
                "agree": self.table.agree,
                "agreement": self.table.agree / n if n else None,
                "kappa": self.kappa.value,
                "why_no_kappa": why_no_kappa(self.table),
                "notes": [note.text for note in self.notes],
                "matrix": [list(row) for row in self.table.counts],
                "left_out": [group.as_json() for group in self.left_out],
                "unsettled": [group.as_json() for group in self.unsettled],
            },
            "exclude_items": [dict(row) for row in self.items.rows],
            "exclude_sources": [dict(row) for row in self.sources.rows],
            "version": __version__,
        }

    def as_text(self) -> str:
        """Return the report for a terminal."""
        return blocks_as_text(self._blocks())

    def as_markdown(self) -> str:
        """Return the report as Markdown."""
        return blocks_as_markdown(self._blocks())

    def _blocks(self) -> list[Block]:
        names = tuple(shown(name) for name in self.reviewers)
        n = self.table.n
        flag = shown(self.flag.field)
        blocks: list[Block] = [
            Heading("Adapters", 1),
            Heading("Answered yes, by question"),
            Grid(
                ("question", *names, "final"),
                tuple(
                    (shown(one.field), *map(str, one.reviewers), str(one.final))
                    for one in self.questions
                ),
            ),
            Heading(f"The flag: {flag}"),
            Grid(
                ("flagged by", "cards"),
                (
                    *((name, str(c)) for name, c in zip(names, self.flag.reviewers, strict=True)),
                    ("either", share(self.either, n)),
                    ("both", share(self.both, n)),
                    ("final", str(self.flag.final)),
                ),
            ),
            Sentence(
                f"Agreement on the flag: {share(self.table.agree, n)}; "
                f"kappa {kappa_cell(self.table)}."
            ),
        ]
        said: list[str] = []
        if why := why_no_kappa(self.table):
            said.append(f"Kappa is not defined, because {shown(why)}.")
        said += [shown(note.text) for note in self.notes]
        said += [f"Not compared, {left_out_line(group)}" for group in self.left_out]
        said += [f"No final flag, {left_out_line(group)}" for group in self.unsettled]
        if said:
            blocks.append(Points(tuple(said)))
        for title, table in (
            ("Exclude these cards", self.items),
            ("Or, more strictly, every card of these groups", self.sources),
        ):
            blocks.append(Heading(title))
            if not table.rows:
                blocks.append(Sentence("None."))
                continue
            rows = tuple(tuple(shown(row[name]) for name in table.header) for row in table.rows)
            blocks.append(Grid(table.header, rows, frozenset(range(len(table.header)))))
        method = (
            "Method: counts over the cards that have the answer; either, both, agreement and "
            "Cohen's kappa (1960, unweighted) over the cards that both reviewers answered; percent "
            f"to one decimal, kappa to three, ties away from zero; reviewkit {__version__}."
        )
        return [*blocks, Sentence(method)]


def adapter_report(
    labels: Iterable[FinalLabel], *, questions: Sequence[str], flag: str
) -> AdapterReport:
    """Return the report on the final labels of a study of adapters.

    ``questions`` and ``flag`` name yes/no fields or derived values; ``yes`` flags a card.
    A reviewer is a pass; of more than two, a card's first two are compared.
    """
    by_field: dict[str, list[FinalLabel]] = {name: [] for name in (*questions, flag)}
    for label in labels:
        if label.field in by_field:
            by_field[label.field].append(label)
    flags = by_field[flag]
    reviewers = tuple(dict.fromkeys(coding.pass_ for label in flags for coding in label.codings))
    counts = [[0, 0], [0, 0]]
    reasons: list[tuple[str, str]] = []
    for label in flags:
        said = [coding.value for coding in label.codings if coding.value]
        if len(said) > 1:
            counts[said[0] != YES][said[1] != YES] += 1
        else:
            lacking = " and ".join(coding.pass_ for coding in label.codings if not coding.value)
            reason = f"no flag from {lacking}" if lacking else "reviewed by one"
            reasons.append((reason, label.card_id))
    unsettled = [
        (f"{label.route} ({label.reason})" if label.reason else label.route, label.card_id)
        for label in flags
        if not label.value
    ]
    return AdapterReport(
        reviewers,
        tuple(_question(name, by_field[name], reviewers) for name in questions),
        _question(flag, flags, reviewers),
        Table.from_counts(counts, (YES, NO)),
        group_left_out(reasons),
        group_left_out(unsettled),
        _items(flags, by_field, questions),
        _sources(flags),
    )


def _said(label: FinalLabel, pass_: str) -> str:
    return next((coding.value for coding in label.codings if coding.pass_ == pass_), "")


def _question(field: str, labels: Sequence[FinalLabel], reviewers: Sequence[str]) -> Question:
    def count(values: Iterable[str]) -> YesCount:
        answered = [value for value in values if value]
        return YesCount(answered.count(YES), len(answered))

    return Question(
        field,
        tuple(count(_said(label, name) for label in labels) for name in reviewers),
        count(label.value for label in labels),
    )


def _items(
    flags: Sequence[FinalLabel], by_field: dict[str, list[FinalLabel]], questions: Sequence[str]
) -> LabelTable:
    failed: dict[str, list[str]] = {}
    for name in questions:
        for label in by_field[name]:
            if label.value == NO:
                failed.setdefault(label.card_id, []).append(name)
    columns = (
        Column("card", "a flagged card: leave it out"),
        Column("group", "its source"),
        Column("flagged_by", "the passes that flagged it, with a space between them"),
        Column("failed", "the questions whose final answer is no, with a space between them"),
        Column("route", "how the final flag came to be"),
    )
    rows = tuple(
        {
            "card": label.card_id,
            "group": label.group,
            "flagged_by": " ".join(c.pass_ for c in label.codings if c.value == YES),
            "failed": " ".join(failed.get(label.card_id, ())),
            "route": label.route,
        }
        for label in flags
        if label.value == YES
    )
    return LabelTable("exclude-items", columns, rows)


def _sources(flags: Sequence[FinalLabel]) -> LabelTable:
    reviewed: dict[str, list[FinalLabel]] = {}
    for label in flags:
        reviewed.setdefault(label.group, []).append(label)
    columns = (
        Column("group", "a source with a flagged card: leave out every card of it"),
        Column("flagged", "how many of its cards are flagged", "number"),
        Column("reviewed", "how many of its cards were reviewed", "number"),
        Column("cards", "the flagged cards, with a space between them"),
    )
    rows: list[dict[str, str]] = []
    for group, labels in reviewed.items():
        flagged = [label.card_id for label in labels if label.value == YES]
        if flagged and group:
            rows.append(
                {
                    "group": group,
                    "flagged": str(len(flagged)),
                    "reviewed": str(len(labels)),
                    "cards": " ".join(flagged),
                }
            )
    return LabelTable("exclude-sources", columns, tuple(rows))
