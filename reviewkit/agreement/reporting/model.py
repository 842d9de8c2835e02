"""What a report on agreement holds, whether it comes from label files or from a study's passes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from reviewkit import __version__
from reviewkit.agreement.measures.estimates import Differs, Interval, Measured

Kind = Literal[
    "whole", "collapse", "question", "pooled", "nature", "test_type", "check", "domain",
    "register", "round", "group", "field", "derived", "places", "flag",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Excluded:
    """Units that are not in the figures, and the one reason why."""

    reason: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One row of the report: a set of units under one list of categories."""

    id: str
    """``whole``, ``collapse:accepted``, ``check:t1/one_variable``, ``domain:work``."""
    title: str
    kind: Kind
    measured: Measured
    nature: str = ""
    """``structural`` or ``judgement``, of a check."""
    of: str = ""
    """The id of the part that this one splits or collapses."""
    mapping: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Of a collapse: (class, the categories in it)."""
    excluded: tuple[Excluded, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One unit on which raters differ."""

    unit: str
    labels: tuple[str, ...]
    """One for each name in ``AgreementReport.raters``; empty: none."""
    details: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(check or field, what each said), only those that differ."""
    notes: tuple[str, ...] = ()
    """What each wrote."""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A check or code that may need a ruling, or that people may disagree about by design."""

    what: str
    """``t3/no_assumption``"""
    kind: Literal["ruling", "design disagreement"]
    reason: str
    """The counts that speak for it, in a sentence."""
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consistency:
    """How often one rater gave a repeated or twin card the same answer; only after the lock."""

    rater: str
    what: str
    """``repeated cards``, ``twins of one group``"""
    agree: int
    n: int
    interval: Interval | None
    differ: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """Agreement on the units judged in one stretch of time or order."""

    label: str
    agree: int
    n: int
    interval: Interval | None


@dataclass(frozen=True, slots=True, repr=False)
class AgreementReport:
    """How far raters agree."""

    title: str
    raters: tuple[str, ...]
    understood: tuple[str, ...]
    """What the file or the study was taken to be, in sentences: shape, units, raters,
    categories, how many units have two or more ratings, what was left out and why."""
    parts: tuple[Part, ...]
    """The first is the whole."""
    notices: tuple[str, ...] = ()
    """What stands above every figure: a pass opened early, identical raters."""
    differences: tuple[Differs, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    consistency: tuple[Consistency, ...] = ()
    over_time: tuple[Point, ...] = ()
    over_time_of: str = ""
    """The id of the part that is told over time; empty: the first."""
    rater_word: str = "rater"
    """``rater``, ``coder``, ``reviewer``: what the people are called."""
    listed_unit: str = ""
    """What a disagreement is on, in the singular; empty: what the first part counts."""
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    """JSON values that belong to the source: study, round, files."""
    version: str = __version__

    def __repr__(self) -> str:
        """Say which report it is on one line: a notebook stores this beside what it shows."""
        number, title = len(self.parts), " ".join(self.title.split())
        return f"<AgreementReport: {title}, {number} part{'' if number == 1 else 's'}>"

    @property
    def unit_listed(self) -> str:
        """What disagreements and candidates are on, in the singular."""
        return self.listed_unit or self.parts[0].measured.unit

    @property
    def told_over_time(self) -> Part:
        """The part whose agreement is told over time."""
        return self.part(self.over_time_of) if self.over_time_of else self.parts[0]

    def of_kind(self, *kinds: Kind) -> tuple[Part, ...]:
        """Return the parts of these kinds, in order."""
        return tuple(each for each in self.parts if each.kind in kinds)

    def part(self, part_id: str) -> Part:
        """Return the part with this id; KeyError when there is none."""
        for each in self.parts:
            if each.id == part_id:
                return each
        raise KeyError(part_id)

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it."""
        from reviewkit.agreement.reporting.page import html_fragment  # noqa: PLC0415 - draws plots

        return html_fragment(self)

    def _repr_markdown_(self) -> str:
        """Return the report where a notebook shows no HTML."""
        from reviewkit.agreement.reporting.render import render  # noqa: PLC0415 - it loads this

        return render(self, "md")
