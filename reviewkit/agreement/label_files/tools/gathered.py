"""Votes as a reader of another tool finds them, one by one, with what it leaves out and why."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reviewkit.agreement.label_files.asked import Asked, names_in
from reviewkit.agreement.label_files.tools.markings import (
    Given,
    Marking,
    Span,
    chosen_markings,
    marked_places,
)
from reviewkit.agreement.label_files.votes import EXAMPLES, Column, LeftOut, Votes
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.text_files import text_fault

NO_UNIT = "no id of the unit"


@dataclass(slots=True)
class Gathered:
    """What was found so far."""

    shown: str
    asked: Asked
    several_files: bool = False
    """Lines of several files say nothing together."""
    by_control: bool = True
    """``--label`` names what was asked, and not the field an answer stands in."""
    _votes: list[Given] = field(default_factory=list[Given])
    _markings: list[Marking] = field(default_factory=list[Marking])
    _rejected: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _skips: dict[tuple[str, str], None] = field(default_factory=dict[tuple[str, str], None])
    _said: dict[str, None] = field(default_factory=dict[str, None])
    _aside: dict[str, str] = field(default_factory=dict[str, str])
    _sets: bool = False

    def unit(self, default: str | None, fields: Mapping[str, str], where: str) -> str | None:
        """Return the id of a unit: what ``--unit`` names, else ``default``.

        Args:
            default: The id the tool gave it.
            fields: What is known of the unit, by name.
            where: Where it stands; it is left out when it has no id.
        """
        if self.asked.unit is None:
            if not default:
                self.leave_out(NO_UNIT, where)
            return default or None
        parts: list[str] = []
        for name in names_in(self.asked.unit):
            if name == "id" and default and name not in fields:
                parts.append(default)
            elif fields.get(name):
                parts.append(fields[name])
            else:
                self.leave_out(f"no {name!r}, which --unit names", where)
                return None
        return ":".join(parts)

    def vote(
        self,
        unit: str,
        rater: str,
        labels: Sequence[str],
        where: str,
        *,
        line: int = 0,
        question: str = "",
        fields: Mapping[str, str] | None = None,
        many: bool = False,
    ) -> None:
        """Take one rater's label, or labels, of one unit.

        Args:
            unit: The id of the unit.
            rater: Who labelled it.
            labels: The label; several when the rater could choose several.
            where: Where it stands.
            line: Its line.
            question: What was asked; empty when the tool asks one thing.
            fields: What else is known of the unit, by name.
            many: Whether several could be chosen, so that none is a label as well.
        """
        if not many and not any(each.strip() for each in labels):
            self.leave_out("no label", where)
            return
        for text in (unit, rater, question, *labels):
            if fault := text_fault(text):
                self.leave_out(fault[0], where)
                return
        kept = tuple(dict.fromkeys(each for each in labels if each.strip()))
        self._sets = self._sets or many or len(kept) > 1
        self._votes.append(Given(unit, rater, question, kept, line, fields or {}))

    def mark(self, marking: Marking) -> None:
        """Take the places one rater marked in one document at one time."""
        good: list[Span] = []
        for span in marking.spans:
            odd = text_fault(span.label)
            if fault := span.fault(marking.length) or (odd and odd[0]):
                self.leave_out(fault, f"{marking.where} {span.start}-{span.end}")
            else:
                good.append(span)
        self._markings.append(marking.with_spans(good))

    def skip(self, unit: str, rater: str) -> None:
        """Take note that a rater passed a unit over."""
        self._skips[unit, rater] = None

    def leave_out(self, reason: str, where: str) -> None:
        """Leave something out, with the reason and where it stands."""
        self._rejected[reason].append(where)

    def say(self, sentence: str) -> None:
        """Say what was understood; the same sentence is said once."""
        self._said[sentence] = None

    def set_aside(self, rater: str, why: str) -> None:
        """Take note of somebody who is no rater; ``why`` is a clause: ``it holds no label``."""
        self._aside[rater] = why

    def votes(self, shape: str, *, empty: bool = False) -> Votes:
        """Return all votes.

        Args:
            shape: What was understood, for a person.
            empty: Whether a file without a vote is no fault, because its rater is set aside.

        Raises:
            ProblemsFound: When nothing counts, when a named question is not there, or when a
                rater marked one document twice and differently.
        """
        found = [*self._votes, *self._marked()]
        if not found and not (empty and self._aside):
            raise ProblemsFound([self._nothing()])
        found = self._of_the_questions(found)
        sets = self._sets if self.asked.sets is None else self.asked.sets
        asked_questions = {each.question for each in found}
        names = tuple(dict.fromkeys(name for each in found for name in each.fields))
        lines = np.array([each.line for each in found], dtype=np.int32)
        return Votes(
            shape,
            Column.of(each.unit for each in found),
            Column.of(each.rater for each in found),
            Column.of(_label(each.labels, sets) for each in found),
            Column.of(each.question for each in found) if asked_questions - {""} else None,
            None if self.several_files or not lines.any() else lines,
            self.shown,
            {name: Column.of(each.fields.get(name) for each in found) for name in names},
            sets=sets,
            said=tuple(self._said),
            left_out=self._left_out(),
            skipped=self._skipped(found),
            raters_set_aside=dict(self._aside),
        )

    def _marked(self) -> list[Given]:
        if not self._markings:
            return []
        kept, left = chosen_markings(self._markings, self.asked.repeats)
        for reason, where in left:
            self.leave_out(reason, where)
        places = marked_places(kept)
        self.say(
            "A unit is a place that a rater marked, from its first character to its last. Places "
            "are compared that two raters marked at exactly the same characters; what only one "
            "marked counts in the coverage, and not as a disagreement."
        )
        if any(len(each.labels) > 1 for each in places):
            self._sets = True
        return places

    def _of_the_questions(self, found: list[Given]) -> list[Given]:
        wanted = names_in(self.asked.label) if self.by_control else []
        there = list(dict.fromkeys(each.question for each in found))
        if not wanted or there in ([], [""]):
            return found
        if missing := [name for name in wanted if name not in there]:
            wrong = f"asks nothing named {', '.join(map(repr, missing))}"
            remedy = f"give --label one of {', '.join(map(repr, there))}"
            raise ProblemsFound([Problem(self.shown, wrong, remedy)])
        for name in there:
            if name not in wanted:
                self.say(f"{name!r} is not read, because --label names {self.asked.label}.")
        return [each for each in found if each.question in wanted]

    def _left_out(self) -> tuple[LeftOut, ...]:
        return tuple(
            LeftOut(reason, len(where), tuple(where[:EXAMPLES]))
            for reason, where in self._rejected.items()
        )

    def _skipped(self, found: Iterable[Given]) -> tuple[LeftOut, ...]:
        """Return the skips by rater, but those of units the same rater labelled all the same."""
        labelled = {(each.unit, each.rater) for each in found}
        by_rater: dict[str, list[str]] = defaultdict(list)
        for unit, rater in self._skips:
            if (unit, rater) not in labelled and rater not in self._aside:
                by_rater[rater].append(unit)
        return tuple(
            LeftOut(f"skipped by {rater}", len(units), tuple(units[:EXAMPLES]))
            for rater, units in sorted(by_rater.items())
        )

    def _nothing(self) -> Problem:
        """Return the problem of an import without a vote, with what was seen instead."""
        counts = Counter({reason: len(where) for reason, where in self._rejected.items()})
        seen = [f"{number} x {reason}" for reason, number in counts.most_common()]
        if self._skips:
            seen.append(f"{len(self._skips)} x skipped")
        seen += [f"{name}: {why}" for name, why in self._aside.items()]
        seen = seen or [each.rstrip(".") for each in self._said]
        wrong = "holds no label that counts" + (f" ({'; '.join(seen)})" if seen else "")
        remedy = "export the labels of the raters, finished ones included, without a filter"
        if any(reason == NO_UNIT or "--unit" in reason for reason in counts):
            remedy = "name the field with the id of the unit in --unit"
        return Problem(self.shown, wrong, remedy)


def _label(labels: tuple[str, ...], sets: bool) -> str:
    if sets:
        return json.dumps(sorted(labels), ensure_ascii=False)
    # a set that is compared as one label, because --sets was declined
    return labels[0] if len(labels) == 1 else json.dumps(sorted(labels), ensure_ascii=False)
