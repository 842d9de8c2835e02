"""Places marked in a text: what is no place, and which places two raters both marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reviewkit.agreement.label_files.tools.records import text_of, whole_number
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import capped


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """One marked place, from the first character to before the last, as the tool counts them."""

    start: int
    end: int
    label: str

    @classmethod
    def written(cls, start: Any, end: Any, label: Any) -> Span:
        """Return the place that JSON values name; what is no number becomes -1, and no place."""
        first, last = whole_number(start), whole_number(end)
        return cls(
            -1 if first is None else first, -1 if last is None else last, text_of(label) or ""
        )

    def fault(self, length: int | None) -> str | None:
        """Return why this is no place, else None.

        Args:
            length: How long the text is, in the tool's count; None when that is not known.
        """
        if not self.label.strip():
            return "a marked place without a label"
        if self.start < 0:
            return "a marked place that begins before the text"
        if self.end <= self.start:
            return "a marked place without length"
        if length is not None and self.end > length:
            return "a marked place that ends beyond the text"
        return None


@dataclass(frozen=True, slots=True)
class Marking:
    """What one rater marked in one document at one time."""

    document: str
    rater: str
    spans: tuple[Span, ...]
    where: str
    line: int = 0
    question: str = ""
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    text: str = ""
    """The text, when it is known and its places count characters."""
    length: int | None = None
    """How long the text is, in the tool's count."""

    def with_spans(self, spans: Sequence[Span]) -> Marking:
        """Return the marking with these places, in order."""
        return replace(self, spans=tuple(sorted(set(spans))))


@dataclass(frozen=True, slots=True)
class Given:
    """The labels that one rater gave one unit: a whole, or a place marked in it."""

    unit: str
    rater: str
    question: str
    labels: tuple[str, ...]
    line: int
    fields: Mapping[str, str]


def chosen_markings(
    markings: Sequence[Marking], repeats: Literal["refuse", "last", "first"]
) -> tuple[list[Marking], list[tuple[str, str]]]:
    """Return one marking for each rater and document, and (reason, where) of the others.

    Raises:
        ProblemsFound: When a rater marked a document twice and differently, unless ``repeats``
            says which to keep.
    """
    groups: dict[tuple[str, str, str], list[Marking]] = defaultdict(list)
    for each in markings:
        groups[each.question, each.document, each.rater].append(each)
    kept: list[Marking] = []
    left: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for (_, document, rater), group in groups.items():
        at = len(group) - 1 if repeats == "last" else 0
        kept.append(group[at])
        others = group[:at] + group[at + 1 :]
        differ = [each for each in others if each.spans != group[at].spans]
        if differ and repeats == "refuse":
            wrong = f"{rater} marked {document} a second time, with other places or labels"
            remedy = "keep one of the two in the tool, or give --repeats last or --repeats first"
            problems.append(Problem(differ[0].where, wrong, remedy))
        left += [
            (
                f"an earlier or later marking by the same rater (--repeats {repeats})"
                if each in differ
                else "the same marking by the same rater once more",
                each.where,
            )
            for each in others
        ]
    if problems:
        raise ProblemsFound(capped(problems))
    return kept, left


def marked_places(markings: Sequence[Marking]) -> list[Given]:
    """Return the places of all markings; two labels of one rater at one place are a set."""
    by_place: dict[tuple[str, str, int, int], dict[str, list[tuple[Marking, str]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for each in markings:
        for span in each.spans:
            at = (each.question, each.document, span.start, span.end)
            by_place[at][each.rater].append((each, span.label))
    places: list[Given] = []
    for (question, document, start, end), raters in by_place.items():
        for rater, given in raters.items():
            marking = given[0][0]
            fields = {**marking.fields, "document": document}
            if covered := marking.text[start:end]:
                fields["text"] = covered
            labels = tuple(dict.fromkeys(label for _, label in given))
            unit = f"{document}:{start}-{end}"
            places.append(Given(unit, rater, question, labels, marking.line, fields))
    return places


def utf_16_length(text: str) -> int:
    """Return how long JavaScript and Java count a text: a character beyond U+FFFF is two."""
    return len(text) + sum(char > "\uffff" for char in text)
