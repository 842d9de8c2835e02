"""From the ratings of each question to a report: the whole, collapses, parts, differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from reviewkit.agreement.label_files.questions import Question
from reviewkit.agreement.label_files.scheme import ON_SETS, Collapse
from reviewkit.agreement.measures.estimates import Measured, Name, Settings
from reviewkit.agreement.measures.ratings import MISSING, Clusters, Codes, Ratings
from reviewkit.agreement.reporting.model import Differs, Disagreement, Kind, Part

MOST_LISTED = 5_000
"""A report carries this many disagreements; ``Reading.disagreements`` gives all."""
LABELS_OF_SETS = 12
COMPARED: tuple[Name, ...] = ("observed", "kappa", "fleiss", "alpha", "ac1")
_ALL_PAIRS = 4
"""With more parts than this each is compared with the first, and not with every other."""


@dataclass(slots=True)
class Parts:
    """The parts of a report as they are measured, and the ratings behind each."""

    settings: Settings
    compare: tuple[str, ...] = ()
    parts: list[Part] = field(default_factory=list[Part])
    ratings: dict[str, Ratings] = field(default_factory=dict[str, Ratings])
    how: dict[str, Settings] = field(default_factory=dict[str, Settings])
    to_compare: list[list[str]] = field(default_factory=list[list[str]])
    """Ids of parts that are compared with one another."""

    def take(self, questions: Sequence[Question]) -> None:
        """Measure every part of these questions."""
        several = len(questions) > 1
        pooled = pooled_ratings(questions) if several else None
        if pooled is not None:
            self._add("whole", "All questions together", "whole", pooled, questions[0].level)
        ids: list[str] = []
        for each in questions:
            name = each.ratings.question
            part_id = f"question:{name}" if several else "whole"
            title = name or "All units"
            kind: Kind = "question" if several else "whole"
            self._add(part_id, title, kind, each.ratings, each.level, question=each)
            ids.append(part_id)
            self._collapses(each, part_id, name if several else "")
            self._labels(each, part_id, name if several else "")
            self._splits(each, part_id, name if several else "")
        if several and "question" in self.compare:
            self.to_compare.append(ids)

    def differences(self) -> Iterator[Differs]:
        """Yield the differences between the parts that were asked for."""
        from reviewkit.agreement.measures.difference import difference  # noqa: PLC0415

        for ids in self.to_compare:
            pairs = list(combinations(ids, 2))
            if len(ids) > _ALL_PAIRS:
                pairs = [(ids[0], other) for other in ids[1:]]
            for one, other in pairs:
                known = {each.name for each in self._measured(one).estimates}
                names: tuple[Name, ...] = tuple(name for name in COMPARED if name in known)
                for each in difference(
                    self.ratings[one], self.ratings[other], names, self.how[one]
                ):
                    yield replace(each, one=one, other=other)

    def _measured(self, part_id: str) -> Measured:
        return next(each.measured for each in self.parts if each.id == part_id)

    def _add(
        self,
        part_id: str,
        title: str,
        kind: Kind,
        ratings: Ratings,
        level: str,
        *,
        of: str = "",
        collapse: Collapse | None = None,
        question: Question | None = None,
    ) -> None:
        from reviewkit.agreement.measures.measure import measure  # noqa: PLC0415

        how = settings_for(self.settings, level, ratings)
        if collapse is not None:
            # weights are of the scale, and classes are none
            how = replace(how, weights="", level="nominal")
        if kind not in ("whole", "question"):
            how = replace(how, details=False)
        self.how[part_id] = how
        self.ratings[part_id] = ratings
        self.parts.append(
            Part(
                part_id, title, kind, measure(ratings, how), of=of,
                mapping=() if collapse is None else collapse.classes,
                excluded=() if question is None else question.excluded,
            )
        )  # fmt: skip

    def _collapses(self, question: Question, of: str, name: str) -> None:
        for each in question.collapses:
            if question.ratings.sets is not None:
                continue
            classes = each.of_category
            if not set(classes) & set(question.ratings.categories):
                # a file of several questions has one list of collapses
                continue
            part_id = f"collapse:{name}:{each.name}" if name else f"collapse:{each.name}"
            collapsed = question.ratings.collapsed(classes)
            self._add(part_id, each.name, "collapse", collapsed, "nominal", of=of, collapse=each)

    def _labels(self, question: Question, of: str, name: str) -> None:
        """Measure, for sets of labels, whether raters agree that a label is in them."""
        sets = question.ratings.sets
        if sets is None:
            return
        labels = sorted({label for held in sets for label in held})
        for label in labels if len(labels) <= LABELS_OF_SETS else ():
            part_id = f"flag:{name}:{label}" if name else f"flag:{label}"
            title = f"{name}: {label}" if name else label
            self._add(part_id, title, "flag", with_label(question.ratings, label), "nominal", of=of)

    def _splits(self, question: Question, of: str, name: str) -> None:
        for split in question.splits:
            ids: list[str] = []
            for value, ratings in split.parts:
                part_id = f"group:{split.column}:{value}"
                title = f"{split.column}: {value}"
                if name:
                    part_id, title = f"group:{name}:{split.column}:{value}", f"{name}, {title}"
                self._add(part_id, title, "group", ratings, question.level, of=of)
                ids.append(part_id)
            if split.column in self.compare:
                self.to_compare.append(ids)


def settings_for(settings: Settings, level: str, ratings: Ratings) -> Settings:
    """Return the settings at the level that a question was declared to have.

    A level given with the settings goes before it; sets of labels have distances of their own, and
    labels that are no sets have none of those.
    """
    held = settings.level if settings.level != "nominal" else level
    on_sets = held in ON_SETS
    if ratings.sets is not None and not on_sets:
        held = "jaccard"
    elif ratings.sets is None and on_sets:
        held = "nominal"
    weights = settings.weights if ratings.sets is None else ""
    return replace(settings, level=held, weights=weights)


def with_label(ratings: Ratings, label: str) -> Ratings:
    """Return ratings that say whether a label is in the set: ``given`` or ``not given``."""
    assert ratings.sets is not None  # noqa: S101 - asked of sets only
    holds = np.array([label in held for held in ratings.sets])
    counts = None
    if ratings.counts is not None:
        sides = (ratings.counts[:, holds], ratings.counts[:, ~holds])
        counts = np.stack([each.sum(axis=1) for each in sides], axis=1)
    codes = None
    if ratings.codes is not None:
        # a missing rating has the code -1, which picks the last place
        codes = np.append(np.where(holds, 0, 1), MISSING).astype(np.int32)[ratings.codes]
    return replace(
        ratings, categories=("given", "not given"), codes=codes, counts=counts, values=None,
        sets=None, declared=True,
    )  # fmt: skip


def pooled_ratings(questions: Sequence[Question]) -> Ratings | None:
    """Return the answers to all questions as one set of ratings; None when they do not go together.

    They do when raters are known and one question has every category of the others. Answers on one
    unit belong together, so units (or their clusters) are the clusters of the whole.
    """
    widest = max((each.ratings for each in questions), key=lambda ratings: ratings.q)
    place = {name: at for at, name in enumerate(widest.categories)}
    alike = all(
        {*each.ratings.categories} <= {*place}
        and each.level == questions[0].level
        and each.ratings.codes is not None
        and each.ratings.sets is None
        for each in questions
    )
    if not alike:
        return None
    raters = tuple(dict.fromkeys(name for each in questions for name in each.ratings.raters))
    codes: list[Codes] = []
    cluster: list[tuple[str, int]] = []
    units: list[str] = []
    names = {each.ratings.clusters.name for each in questions if each.ratings.clusters is not None}
    for each in questions:
        held = each.ratings.codes
        assert held is not None  # noqa: S101 - seen above
        # a missing rating has the code -1, which picks the last place
        to = np.array([*map(place.__getitem__, each.ratings.categories), MISSING], dtype=np.int32)
        wide = np.full((each.ratings.rows, len(raters)), MISSING, dtype=np.int32)
        wide[:, [raters.index(name) for name in each.ratings.raters]] = to[held]
        codes.append(wide)
        units += [f"{unit} ({each.ratings.question})" for unit in each.ratings.units]
        cluster += _cluster_keys(each.ratings)
    numbers: dict[tuple[str, int], int] = {}
    of_unit = np.array([numbers.setdefault(each, len(numbers)) for each in cluster], dtype=np.int32)
    return replace(
        widest,
        raters=raters,
        codes=np.concatenate(codes),
        units=tuple(units),
        clusters=Clusters(names.pop() if names else "unit", of_unit, len(numbers)),
        question="",
        unit="answer",
    )


def _cluster_keys(ratings: Ratings) -> list[tuple[str, int]]:
    """Return what tells the clusters of a question apart and is the same in every question."""
    if ratings.clusters is None:
        return [(unit, 0) for unit in ratings.units]
    first: dict[int, str] = {}
    of_unit = ratings.clusters.of_unit.tolist()
    for at, unit in zip(of_unit, ratings.units, strict=True):
        first.setdefault(at, unit)
    return [(first[at], 1) for at in of_unit]


def disagreements_of(
    questions: Sequence[Question], raters: Sequence[str], most: int | None = None
) -> Iterator[Disagreement]:
    """Yield the units on which ratings differ, in the order of the file.

    Args:
        questions: The questions.
        raters: The raters of the report; a disagreement has a label, or an empty text, for each.
        most: Stop after so many.
    """
    left = most
    for each in questions:
        found = _disagreements(each.ratings, raters)
        for one in found:
            if left is not None:
                if not left:
                    return
                left -= 1
            yield one


def _disagreements(ratings: Ratings, raters: Sequence[str]) -> Iterator[Disagreement]:
    names = ratings.categories
    if ratings.times is not None:
        return
    unit: Callable[[int], str] = (
        (lambda at: ratings.units[at]) if ratings.units else (lambda at: f"row {at + 1}")
    )
    for at in differing(ratings).tolist():
        if ratings.codes is not None:
            given = {
                rater: names[code]
                for rater, code in zip(ratings.raters, ratings.codes[at].tolist(), strict=True)
                if code != MISSING
            }
            labels = tuple(given.get(rater, "") for rater in raters)
            yield Disagreement(unit(at), labels, question=ratings.question)
        elif ratings.counts is not None:
            counts = zip(names, ratings.counts[at].tolist(), strict=True)
            told = ", ".join(f"{n:,} x {name}" for name, n in counts if n)
            yield Disagreement(unit(at), (), (("ratings", (told,)),), question=ratings.question)


def differing(ratings: Ratings) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the rows in which two ratings differ."""
    if ratings.counts is not None:
        return np.flatnonzero((ratings.counts > 0).sum(axis=1) > 1)
    assert ratings.codes is not None  # noqa: S101 - one of the two is given, says Ratings
    high = ratings.codes.max(axis=1, initial=MISSING)
    # a missing rating counts as the largest code, so that it is never the lowest
    low = np.where(ratings.codes == MISSING, np.iinfo(np.int32).max, ratings.codes)
    return np.flatnonzero(low.min(axis=1, initial=np.iinfo(np.int32).max) < high)
