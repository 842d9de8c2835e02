"""Records that list who said what: a list of annotations in each, or one annotation each.

``{"id": 7, "annotations": [{"annotator": "amal", "label": "yes"}, ...]}``, the same as
``{"id": 7, "labels": {"amal": "yes", "badr": "no"}}``, and lines with a rater and a label each.
Where no annotation says who made it there is no agreement to compute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reviewkit.agreement.label_files.asked import Asked, names_in
from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.markings import Marking, Span, utf_16_length
from reviewkit.agreement.label_files.tools.piece_texts import entries_in
from reviewkit.agreement.label_files.tools.records import (
    Entry,
    Written,
    items_in,
    mapping_in,
    objects_in,
    scalars_of,
    text_of,
    texts_in,
)
from reviewkit.agreement.label_files.tools.samples import Sample
from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import Problem, ProblemsFound

_LISTS = (
    "annotations", "labels", "ratings", "votes", "judgments", "judgements", "responses", "answers",
    "evaluations", "human_annotations", "annotators", "annotator_labels", "label", "results",
)  # fmt: skip
_RATERS = (
    "annotator", "annotator_id", "rater", "rater_id", "worker", "worker_id", "WorkerId", "workerid",
    "user", "user_id", "username", "coder", "coder_id", "judge", "judge_id", "reviewer",
    "labeler", "labeller", "evaluator", "assessor", "annotated_by", "completed_by", "created_by",
    "email",
)  # fmt: skip
_LABELS = (
    "label", "labels", "code", "answer", "verdict", "rating", "judgment", "judgement", "choice",
    "category", "class", "value", "score", "response",
)  # fmt: skip
_UNITS = (
    "id", "_id", "item_id", "unit", "uid", "unit_id", "doc_id", "document_id", "task_id",
    "example_id", "record_id", "instance_id", "post_id", "comment_id", "sentence_id", "item",
    "document", "index",
)  # fmt: skip
_TEXTS = ("text", "sentence", "prompt", "content", "input")
_PLACE = (("start", "end"), ("start_offset", "end_offset"), ("begin", "end"))
_BESIDE = frozenset(
    {
        "id", "time", "timestamp", "date", "created_at", "updated_at", "duration", "lead_time",
        "seconds", "comment", "note", "notes", "rationale", "confidence", "annotation_id",
        "is_authoritative", "name", "age", "gender", "text",
    }
)  # fmt: skip
"""Fields of an annotation that are no answer."""
_FEW = 3
"""In fewer records equal sums are chance."""
_AUTHORITY = "is_authoritative"


def recognises(sample: Sample) -> bool:
    """Return whether a file holds records with annotations, and not a plain table of objects."""
    return any(
        _listed(each) is not None or _is_flat(each) or _AUTHORITY in each for each in sample.first
    ) and not _are_counts(sample.first)


def _are_counts(records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether ``{"yes": 2, "no": 1}`` counts labels: whole numbers of one sum, above one.

    The keys would be taken for raters. A table reads such records as counts.
    """
    held = [each[name] for each in records if (name := _listed(each)) is not None]
    if len(held) < _FEW or not all(isinstance(each, dict) for each in held):
        return False
    numbers = [
        [text_of(number) if isinstance(number, Written) else None for number in each.values()]
        for each in map(mapping_in, held)
    ]
    if not all(number and number.isdecimal() for each in numbers for number in each):
        return False
    sums = {sum(int(number or 0) for number in each) for each in numbers}
    return len(sums) == 1 and max(sums) > 1


def _listed(value: Mapping[str, Any]) -> str | None:
    """Return the field with the annotations of a record."""
    for name in _LISTS:
        found = value.get(name)
        if objects_in(found) and any(
            _named(each, _RATERS) or _named(each, _LABELS) for each in objects_in(found)
        ):
            return name
        if isinstance(found, dict) and found and name != "label":
            return name
        if found == [] and not _is_flat(value):
            return name
    return None


def _is_flat(value: Mapping[str, Any]) -> bool:
    return _named(value, _RATERS) is not None and _named(value, _LABELS) is not None


def _named(value: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in value), None)


def read(pieces: Sequence[Piece], shown: str, asked: Asked) -> Votes:
    """Return the votes in one file or several.

    Args:
        pieces: The files.
        shown: The export as messages name it.
        asked: What was declared; ``unit``, ``rater``, ``label`` and ``question`` name fields.

    Raises:
        ProblemsFound: When no annotation says who made it, or nothing counts.
    """
    gathered = Gathered(shown, asked, several_files=len(pieces) > 1, by_control=False)
    records = _Records(gathered, asked)
    entries = [each for piece in pieces for each in entries_in(piece, gathered)]
    if entries and not any(records.names_a_rater(each.value) for each in entries):
        wrong = "says of no annotation who made it"
        if any(_AUTHORITY in each.value for each in entries):
            wrong += f", only whether it is authoritative ({_AUTHORITY})"
        remedy = (
            "export it with the raters, or name the field that says who with --rater; without "
            "that there is no agreement to compute"
        )
        raise ProblemsFound([Problem(shown, wrong, remedy)])
    for entry in entries:
        records.take(entry)
    return gathered.votes("JSON: annotations with their raters")


class _Records:
    """Records, read one by one, with the names of their fields."""

    def __init__(self, gathered: Gathered, asked: Asked) -> None:
        self._gathered = gathered
        self._raters = (asked.rater,) if asked.rater else _RATERS
        self._labels = names_in(asked.label)
        self._question = asked.question

    def names_a_rater(self, value: dict[str, Any]) -> bool:
        """Return whether any annotation of a record says who made it."""
        return any(rater for rater, _ in self._annotations(value))

    def take(self, entry: Entry) -> None:
        """Take the votes of one record."""
        value = entry.value
        listed = _listed(value)
        text = next((each for name in _TEXTS if isinstance(each := value.get(name), str)), "")
        hidden = frozenset({listed} if listed else {*self._raters, *_LABELS, *self._labels})
        fields = {**scalars_of(mapping_in(value.get("metadata"))), **scalars_of(value, hidden)}
        default = next((found for name in _UNITS if (found := text_of(value.get(name)))), None)
        unit = self._gathered.unit(default or text or None, fields, entry.where)
        if unit is None:
            return
        found = list(self._annotations(value))
        if not found:
            self._gathered.leave_out("a record without an annotation", entry.where)
        marked: dict[tuple[str, str], list[Span]] = {}
        for rater, annotation in found:
            if not rater:
                self._gathered.leave_out("an annotation that does not say who made it", entry.where)
                continue
            if span := _span(annotation, self._label_of(annotation)):
                marked.setdefault((self._question_of(annotation), rater), []).append(span)
                continue
            self._vote(unit, rater, annotation, entry, fields)
        for (question, rater), spans in marked.items():
            length = utf_16_length(text) if text else None
            self._gathered.mark(
                Marking(
                    unit, rater, tuple(spans), entry.where, entry.line, question, fields, text,
                    length,
                )
            )  # fmt: skip

    def _annotations(self, value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (rater, annotation); an empty rater when it does not say who made it."""
        listed = _listed(value)
        if listed is None:
            yield self._rater_of(value), value
            return
        held = value[listed]
        for each in objects_in(held):
            yield self._rater_of(each), each
        if (columns := self._columns(mapping_in(held))) is not None:
            for each in columns:
                yield self._rater_of(each), each
            return
        # the keys of an object are the raters
        for rater, given in mapping_in(held).items():
            yield rater, mapping_in(given) or {"label": given}

    def _columns(self, held: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Return the annotations of ``{"annotator": ["amal", "badr"], "label": ["yes", "no"]}``.

        Lists side by side are how tables keep annotations; one annotation has no lists. None when
        the fields are not those of annotations; lists of other lengths fit nobody, and are none.
        """
        who = _named(held, self._raters)
        what = _named(held, self._labels or _LABELS)
        if who is None or what is None:
            return None
        if not isinstance(held[who], list):
            return [held]
        size = len(items_in(held[who]))
        if not isinstance(held[what], list) or len(items_in(held[what])) != size:
            return []
        lists = {name: items_in(each) for name, each in held.items() if isinstance(each, list)}
        same = {name: each for name, each in lists.items() if len(each) == size}
        return [{name: each[at] for name, each in same.items()} for at in range(size)]

    def _rater_of(self, annotation: dict[str, Any]) -> str:
        name = _named(annotation, self._raters)
        held = annotation.get(name) if name else None
        inner = scalars_of(mapping_in(held))
        return text_of(held) or inner.get("id") or inner.get("email") or inner.get("name") or ""

    def _label_of(self, annotation: Mapping[str, Any]) -> Any:
        name = _named(annotation, self._labels or _LABELS)
        return annotation.get(name) if name else None

    def _question_of(self, annotation: Mapping[str, Any]) -> str:
        return text_of(annotation.get(self._question)) or "" if self._question else ""

    def _vote(
        self,
        unit: str,
        rater: str,
        annotation: dict[str, Any],
        entry: Entry,
        fields: dict[str, str],
    ) -> None:
        named = _named(annotation, _LABELS)
        if self._labels:
            answers = {name: annotation[name] for name in self._labels if name in annotation}
        elif named:
            answers = {named: annotation[named]}
        else:
            hidden = {*self._raters, *_BESIDE, self._question}
            answers = {name: each for name, each in annotation.items() if name not in hidden}
        # an answer with parts is several questions
        parts = {
            inner: each
            for value in answers.values()
            if isinstance(value, dict)
            for inner, each in mapping_in(value).items()
        }
        plain = {name: each for name, each in answers.items() if not isinstance(each, dict)}
        single = len(plain) + len(parts) < 2 and (named is not None or not parts)
        if not plain and not parts:
            self._gathered.leave_out("no label", entry.where)
        for name, each in {**plain, **parts}.items():
            question = self._question_of(annotation) or ("" if single else name)
            many = isinstance(each, list)
            self._gathered.vote(
                unit, rater, texts_in(each), entry.where, line=entry.line, question=question,
                fields=fields, many=many,
            )  # fmt: skip


def _span(annotation: Mapping[str, Any], label: Any) -> Span | None:
    """Return the place an annotation marks; None when it concerns the whole record."""
    for start, end in _PLACE:
        if start in annotation and end in annotation:
            named = texts_in(label)
            return Span.written(annotation[start], annotation[end], named[0] if named else "")
    return None
