"""Label Studio: its JSON, every annotation with its rater.

A rating is a finished annotation of the person in ``completed_by``. Format: Label Studio's guide,
"Label Studio JSON format of annotated tasks" and "Export annotations"; JSON_MIN and CSV are read by
``label_studio_tables``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.label_studio_results import Answers, answers_of
from reviewkit.agreement.label_files.tools.label_studio_tables import (
    csv_votes,
    is_csv,
    is_minimal,
    minimal_votes,
)
from reviewkit.agreement.label_files.tools.markings import Marking, utf_16_length
from reviewkit.agreement.label_files.tools.piece_texts import entries_in
from reviewkit.agreement.label_files.tools.records import (
    Entry,
    mapping_in,
    objects_in,
    scalars_of,
    text_of,
)
from reviewkit.agreement.label_files.tools.samples import Sample, sample_of
from reviewkit.agreement.label_files.votes import Votes

_TASK = frozenset({"annotations", "completions"})
_RATER_KEYS = ("email", "username", "id")


def recognises(sample: Sample) -> bool:
    """Return whether a file is an export of Label Studio."""
    return is_csv(sample.header) or any(_is_task(each) or is_minimal(each) for each in sample.first)


def read(pieces: Sequence[Piece], shown: str, asked: Asked) -> Votes:
    """Return the votes in one export or several.

    Args:
        pieces: The files of the export.
        shown: The export as messages name it.
        asked: What was declared.

    Raises:
        ProblemsFound: When nothing in it counts, or a file is not what its kind should be.
    """
    gathered = Gathered(shown, asked, several_files=len(pieces) > 1)
    kinds: dict[str, None] = {}
    seen: set[tuple[str, str]] = set()
    for piece in pieces:
        if _is_table(piece):
            csv_votes(piece, gathered)
            kinds["CSV"] = None
            continue
        entries = entries_in(piece, gathered)
        if entries and not any(_is_task(each.value) for each in entries):
            minimal_votes(entries, gathered, piece.shown)
            kinds["JSON_MIN"] = None
            continue
        _Tasks(gathered, seen).read(entries)
        kinds["JSON"] = None
    return gathered.votes(f"Label Studio {' and '.join(kinds)}: an annotation a rater and task")


def _is_table(piece: Piece) -> bool:
    """Return whether a piece is a table; what a text file is its beginning says."""
    if piece.ending == ".txt":
        return bool(sample_of(piece).header)
    return piece.ending in (".csv", ".tsv")


def _is_task(value: dict[str, Any]) -> bool:
    """Return whether an object is a task with annotations that say what control they answer."""
    lists = [value[name] for name in _TASK if isinstance(value.get(name), list)]
    if not lists or not isinstance(value.get("data"), dict):
        return False
    annotations = [each for found in lists for each in objects_in(found)]
    return all("result" in each for each in annotations)


@dataclass(frozen=True, slots=True)
class _Annotation:
    id: str
    rater: str
    created: str
    answers: Answers
    where: str


class _Tasks:
    """Tasks with annotations, read one by one."""

    def __init__(self, gathered: Gathered, seen: set[tuple[str, str]]) -> None:
        self._gathered = gathered
        self._seen = seen
        self._counts: Counter[str] = Counter()

    def read(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._task(entry)
        said = {
            "predictions": "Predictions of models are no rater: {n} left out.",
            "drafts": "Drafts are no votes: {n} left out.",
            "updated": "The rater is who completed an annotation, though another last changed {n}.",
            "empty": "Tasks without an annotation: {n}.",
        }
        for name, sentence in said.items():
            if self._counts[name]:
                self._gathered.say(sentence.format(n=self._counts[name]))

    def _task(self, entry: Entry) -> None:
        task = entry.value
        task_id = text_of(task.get("id"))
        data = mapping_in(task.get("data"))
        fields = {**scalars_of(mapping_in(task.get("meta"))), **scalars_of(data)}
        unit = self._gathered.unit(task_id, fields, entry.where)
        self._counts["predictions"] += len(objects_in(task.get("predictions")))
        self._counts["drafts"] += len(objects_in(task.get("drafts")))
        if unit is None:
            return
        annotations = [
            *objects_in(task.get("annotations")),
            *objects_in(task.get("completions")),
        ]
        self._counts["empty"] += not annotations
        cancelled: list[tuple[str, str]] = []
        finished: list[_Annotation] = []
        for each in annotations:
            self._annotation(each, task_id or unit, entry.where, cancelled, finished)
        finished.sort(key=lambda each: (each.created, _number(each.id)))
        raters = {each.rater for each in finished}
        for rater, where in cancelled:
            if rater in raters:
                reason = "a cancelled annotation of a rater who also finished one"
                self._gathered.leave_out(reason, where)
            else:
                self._gathered.skip(unit, rater)
        for each in finished:
            self._answers(each, unit, entry.line, fields, data)

    def _annotation(
        self,
        found: dict[str, Any],
        task_id: str,
        task_where: str,
        cancelled: list[tuple[str, str]],
        finished: list[_Annotation],
    ) -> None:
        annotation_id = text_of(found.get("id")) or ""
        where = f"{task_where} annotation {annotation_id}".rstrip()
        if annotation_id:
            if (task_id, annotation_id) in self._seen:
                self._gathered.leave_out("the same annotation exported once more", where)
                return
            self._seen.add((task_id, annotation_id))
        rater = _rater(found.get("completed_by"))
        if rater is None:
            self._gathered.leave_out("an annotation that does not say who completed it", where)
            return
        if found.get("was_cancelled") is True or found.get("skipped") is True:
            cancelled.append((rater, where))
            return
        if found.get("ground_truth") is True:
            self._gathered.leave_out("marked as ground truth, which is no vote", where)
            return
        changed = _rater(found.get("updated_by"))
        self._counts["updated"] += changed is not None and changed != rater
        answers = answers_of(objects_in(found.get("result")))
        for reason in answers.unread:
            self._gathered.leave_out(reason, where)
        if not (answers.labels or answers.placed or answers.spans or answers.unread):
            self._gathered.leave_out("a finished annotation without a label", where)
            return
        created = text_of(found.get("created_at")) or ""
        finished.append(_Annotation(annotation_id, rater, created, answers, where))

    def _answers(
        self,
        each: _Annotation,
        unit: str,
        line: int,
        fields: dict[str, str],
        data: dict[str, Any],
    ) -> None:
        for question, labels in each.answers.labels.items():
            self._gathered.vote(
                unit, each.rater, labels, each.where, line=line, question=question, fields=fields
            )
        for (question, place), labels in each.answers.placed.items():
            self._gathered.vote(
                f"{unit}:{place}", each.rater, labels, each.where, line=line, question=question,
                fields={**fields, "document": unit},
            )  # fmt: skip
        text = _text_of_task(data)
        for question, spans in each.answers.spans.items():
            length = utf_16_length(text) if text and question in each.answers.in_text else None
            short = text if length == len(text) else ""
            self._gathered.mark(
                Marking(
                    unit, each.rater, tuple(spans), each.where, line, question, fields,
                    text=short if question in each.answers.in_text else "", length=length,
                )
            )  # fmt: skip


def _text_of_task(data: dict[str, Any]) -> str:
    """Return the text that is labelled, when it is clear which: the field ``text``, or the only."""
    texts = [each for each in data.values() if isinstance(each, str)]
    named = data.get("text")
    text = named if isinstance(named, str) else texts[0] if len(texts) == 1 else ""
    # the address of a text says nothing about its length
    return "" if text.startswith(("http://", "https://", "/data/", "s3://", "gs://")) else text


def _rater(completed_by: Any) -> str | None:
    """Return who completed an annotation: a number, an address, or an object with both."""
    if isinstance(completed_by, dict):
        known = scalars_of(mapping_in(completed_by))
        return next((known[key] for key in _RATER_KEYS if known.get(key)), None)
    return text_of(completed_by) or None


def _number(annotation_id: str) -> tuple[int, str]:
    """Return a key that orders ``9`` before ``10``."""
    return (int(annotation_id) if annotation_id.isdecimal() else 0, annotation_id)
