"""Questions measured: units become ratings with their clusters, ratings become parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reviewkit.agreement.measures.estimates import Measured, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.of_study.material import Cards
from reviewkit.agreement.of_study.question import Question
from reviewkit.agreement.passes.units import Unit, labels_left_out, units_left_out
from reviewkit.agreement.reporting.model import Excluded, Kind, Part
from reviewkit.problems import Problem, ProblemsFound

EXAMPLES = 6
"""So many units are named of those that are left out for one reason."""
GROUP, CARD = "group", "card"
"""What a cluster is where no column is named."""
MOST_VALUES = 24
"""A column with more values than this is not split by itself: it would be a list of cards."""

_SPLIT: tuple[tuple[tuple[str, ...], Kind], ...] = (
    (("domain", "category"), "domain"),
    (("register", "language"), "register"),
)
"""The columns that every report is split by: of each kind the first that tells cards apart."""


@dataclass(frozen=True, slots=True)
class Splits:
    """What a report is split by, and what its intervals are clustered over."""

    columns: tuple[tuple[str, Kind], ...]
    cluster: str = ""
    """A column; empty: what the cards share by themselves."""


def splits_of(cards: Cards, by: Sequence[str] = (), cluster: str | None = None) -> Splits:
    """Return the columns to split by: those named, else domain and register.

    ``group`` may be named as the cluster where cards have one: it is what they share by themselves.

    Raises ProblemsFound when the cards have no column of a name.
    """
    columns_known = clusters_known = cards.column_names
    if "group" not in columns_known and any(cards.groups.values()):
        clusters_known = ("group", *columns_known)
        cluster = "" if cluster == "group" else cluster
    problems = [
        Problem(option, f"the cards have no column {name!r}", f"use one of {', '.join(known)}")
        for option, names, known in (
            ("--by", by, columns_known),
            ("--cluster", [cluster] if cluster else [], clusters_known),
        )
        for name in names
        if name not in known
    ]
    if problems:
        raise ProblemsFound(problems)
    kinds: dict[str, Kind] = {name: kind for names, kind in _SPLIT for name in names}
    if by:
        group: Kind = "group"
        return Splits(tuple((name, kinds.get(name, group)) for name in by), cluster or "")
    columns: list[tuple[str, Kind]] = []
    for names, kind in _SPLIT:
        telling = [
            name
            for name in names
            if 1 < len({cards.column(card, name) for card in cards.ids}) <= MOST_VALUES
        ]
        if telling:
            columns.append((telling[0], kind))
    return Splits(tuple(columns), cluster or "")


class Measuring:
    """Measures questions, all of them the same way.

    Args:
        names: the passes, in the order of the labels.
        cards: what is known of the cards.
        settings: how to measure.
        cluster: the column that intervals are clustered over; empty: what units share.
    """

    def __init__(
        self, names: tuple[str, ...], cards: Cards, settings: Settings, cluster: str = ""
    ) -> None:
        self._names = names
        self._cards = cards
        self._settings = settings
        self._cluster = cluster
        self._known: dict[str, Measured] = {}

    def of(self, names: tuple[str, ...]) -> Measuring:
        """Return the same for other passes."""
        return Measuring(names, self._cards, self._settings, self._cluster)

    def ratings(self, question: Question) -> Ratings:
        """Return the labels that are compared, with what their units share.

        Units with fewer than two labels that may be compared are not among them.
        """
        units = [unit for unit in question.units if unit.compared]
        clusters = self.clusters(question)
        labels = [unit.labels for unit in units]
        categories = question.categories
        if question.alike_only:
            labels = [_numbered(each) for each in labels]
            most = max((len({*each} - {None}) for each in labels), default=2)
            categories = tuple(f"answer {at}" for at in range(1, max(most, 2) + 1))
        made = Ratings.from_labels(
            labels, categories, self._names,
            units=[unit.name for unit in units], unit=question.unit, question=question.title,
            clusters=None if clusters is None else clusters[1],
            cluster="" if clusters is None else clusters[0],
        )  # fmt: skip
        if question.sets is not None:
            sets = tuple(question.sets[each] for each in question.categories)
            return replace(made, sets=sets, declared=False)
        return made

    def clusters(self, question: Question) -> tuple[str, list[str]] | None:
        """Return what a cluster is and that of each compared unit; None when nothing is shared."""
        cards = [unit.card_id for unit in question.units if unit.compared]
        if self._cluster:
            name = self._cluster
        elif question.clustered and _shared([self._cards.groups.get(card, "") for card in cards]):
            name = GROUP
        elif question.clustered == "card":
            name = CARD
        else:
            return None
        held = self.clusters_by(name, question)
        return (name, held) if len(set(held)) < len(held) else None

    def clusters_by(self, name: str, question: Question) -> list[str]:
        """Return what each compared unit has as its group, its card, or in a column."""
        cards = [unit.card_id for unit in question.units if unit.compared]
        if name == CARD:
            return [f"card {card}" for card in cards]
        if name == GROUP and name != self._cluster:
            return [self._cards.groups.get(card, "") or f"card {card}" for card in cards]
        return [self._cards.column(card, name) or f"card {card}" for card in cards]

    def measured(self, question: Question) -> Measured:
        """Return everything that is computed on a question, once for each id."""
        if question.id not in self._known:
            found = measure(self.ratings(question), self.settings(question))
            self._known[question.id] = _only_alike(found) if question.alike_only else found
        return self._known[question.id]

    def briefly(self, question: Question) -> Measured:
        """Return what is computed on a question without anything on single raters."""
        return measure(self.ratings(question), replace(self.settings(question), details=False))

    def settings(self, question: Question) -> Settings:
        """Return how a question is measured: a level only where its categories carry it."""
        how = self._settings
        if question.sets is not None and how.level not in ("jaccard", "masi"):
            how = replace(how, level="jaccard", weights="")
        elif question.sets is None and how.level in ("jaccard", "masi"):
            how = replace(how, level="nominal")
        if question.ordinal and how.level == "nominal":
            how = replace(how, level="ordinal")
        elif how.level in ("ordinal", "interval", "ratio") and not question.ordinal:
            # a scale that was asked for is meant for the fields that are scales
            how = replace(how, level="nominal", weights="")
        return how

    def part(self, question: Question) -> Part:
        """Return a question as a part of the report."""
        return Part(
            question.id, question.title, question.kind, self.measured(question),
            nature=question.nature, of=question.of, mapping=question.mapping,
            excluded=excluded(question.units),
        )  # fmt: skip

    def parts(self, questions: Iterable[Question]) -> tuple[Part, ...]:
        """Return the questions as parts, in order."""
        return tuple(map(self.part, questions))

    def split(self, question: Question, columns: Sequence[tuple[str, Kind]]) -> list[Question]:
        """Return a question on the cards of each value of each column."""
        found: list[Question] = []
        for name, kind in columns:
            called: str = kind if name == kind else f"{kind}:{name}"
            by_value: dict[str, list[Unit]] = {}
            for unit in question.units:
                by_value.setdefault(self._cards.column(unit.card_id, name), []).append(unit)
            for value, units in sorted(by_value.items()):
                part = f"{called}:{value or '(none)'}/{question.id}"
                title = f"{value or f'no {name}'}: {question.title}"
                made = replace(
                    question, id=part, title=title, kind=kind, units=tuple(units), of=question.id,
                    mapping=(), check="",
                )  # fmt: skip
                found.append(made)
        return found


def _numbered(labels: Sequence[str | None]) -> tuple[str | None, ...]:
    """Return the labels of one unit as ``answer 1``, ``answer 2``, equal where they are equal."""
    place: dict[str, int] = {}
    return tuple(
        None if each is None else f"answer {place.setdefault(each, len(place) + 1)}"
        for each in labels
    )


def _only_alike(measured: Measured) -> Measured:
    """Return what holds of answers that are the same or not: no chance, no categories."""
    return replace(
        measured, by_category=(), pairs=(), shares=(), without=(), light=None, declared=False,
        categories=(),
        estimates=tuple(
            replace(each, q=0)
            for each in measured.estimates
            if each.name in ("observed", "all_agree")
        ),
        remarks=tuple(
            each for each in measured.remarks if each.code in ("few", "few_clusters", "no_second")
        ),
    )  # fmt: skip


def _shared(groups: Sequence[str]) -> bool:
    return any(count > 1 for group, count in Counter(groups).items() if group)


def excluded(units: Iterable[Unit]) -> tuple[Excluded, ...]:
    """Return what is not compared and why; labels missing from compared units stand after it."""
    held = list(units)
    gone = [
        Excluded(each.reason, len(each.units), each.units[:EXAMPLES])
        for each in units_left_out(held)
    ]
    missing = [
        Excluded(f"{each.reason}, the others compared", len(each.units), each.units[:EXAMPLES])
        for each in labels_left_out(held)
    ]
    return (*gone, *missing)
