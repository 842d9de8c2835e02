"""Argilla: records with the responses of users, and suggestions that are none.

Read are ``Dataset.records.to_json`` of version 2 (responses by question), its flattened form
(``label.responses``, ``label.responses.users``), and the records of version 1 and of the server
(``responses`` as a list with ``values``). Format: Argilla's ``records/_io`` and its documentation.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.markings import Marking, Span, utf_16_length
from reviewkit.agreement.label_files.tools.piece_texts import entries_in
from reviewkit.agreement.label_files.tools.records import (
    Entry,
    items_in,
    mapping_in,
    objects_in,
    scalars_of,
    text_of,
    texts_in,
)
from reviewkit.agreement.label_files.tools.samples import Sample
from reviewkit.agreement.label_files.votes import Votes

_FLAT = ".responses"
_SUBMITTED, _DISCARDED = "submitted", "discarded"
_FREE_TEXT = 60
"""A question whose usual answer is longer is taken for one in free text."""
_IDS = ("external_id", "id", "_server_id")


def recognises(sample: Sample) -> bool:
    """Return whether a file is an export of Argilla."""
    return bool(sample.first) and all(_is_record(each) for each in sample.first)


def _is_record(value: dict[str, Any]) -> bool:
    if any(name.endswith(f"{_FLAT}.users") for name in value):
        return True
    if not isinstance(value.get("fields"), dict):
        return False
    responses = value.get("responses")
    if isinstance(responses, list):
        return all("values" in each or "user_id" in each for each in objects_in(responses))
    return isinstance(responses, dict)


@dataclass(frozen=True, slots=True)
class _Response:
    question: str
    user: str
    value: Any
    entry: Entry
    unit: str
    fields: dict[str, str]


def read(pieces: Sequence[Piece], shown: str, asked: Asked) -> Votes:
    """Return the submitted responses of one export or several.

    Args:
        pieces: The files of the export.
        shown: The export as messages name it.
        asked: What was declared.

    Raises:
        ProblemsFound: When nothing in it counts.
    """
    gathered = Gathered(shown, asked, several_files=len(pieces) > 1)
    by_question: dict[str, list[_Response]] = defaultdict(list)
    counts: Counter[str] = Counter()
    for piece in pieces:
        for entry in entries_in(piece, gathered):
            for each in _responses(entry, gathered, counts):
                by_question[each.question].append(each)
    if counts["suggestions"]:
        gathered.say(f"A suggestion is no rater: {counts['suggestions']} left out.")
    if counts["no status"]:
        gathered.say(
            "Whether a response was submitted is not said (to_json leaves that out), so all of "
            f"them are read: {counts['no status']}."
        )
    for question, responses in by_question.items():
        if _is_free_text(responses):
            gathered.say(f"{question!r} is answered in free text and is not compared.")
            for each in responses:
                gathered.leave_out("free text, which is no label", each.entry.where)
            continue
        several = any(isinstance(each.value, list) for each in responses)
        for each in responses:
            _take(each, several, gathered)
    return gathered.votes("Argilla: a response a user, record and question")


def _responses(entry: Entry, gathered: Gathered, counts: Counter[str]) -> Iterator[_Response]:
    """Yield the submitted responses of one record; the others are counted."""
    record = entry.value
    flat = [name for name in record if name.endswith(f"{_FLAT}.users")]
    fields = {
        **scalars_of(mapping_in(record.get("metadata"))),
        **scalars_of(mapping_in(record.get("fields"))),
    }
    if flat:
        hidden = (_FLAT, f"{_FLAT}.users", f"{_FLAT}.status", ".suggestion")
        fields |= {
            name: text
            for name, text in scalars_of(record, frozenset(_IDS)).items()
            if not any(part in name for part in hidden)
        }
    default = next((text for name in _IDS if (text := text_of(record.get(name)))), None)
    unit = gathered.unit(default, fields, entry.where)
    if unit is None:
        return
    suggestions = record.get("suggestions")
    counts["suggestions"] += len(mapping_in(suggestions) or items_in(suggestions))
    counts["suggestions"] += sum(
        name.endswith(".suggestion") and value is not None for name, value in record.items()
    )
    for question, user, status, value in _flat(record, flat) if flat else _nested(record):
        where = f"{entry.where} {question}".rstrip()
        if user is None:
            gathered.leave_out("a response that does not say whose it is", where)
        elif status == _DISCARDED:
            gathered.skip(unit, user)
        elif status not in (None, _SUBMITTED):
            gathered.leave_out(f"a response that is {status} and not submitted", where)
        elif value is None:
            gathered.leave_out("no label", where)
        else:
            counts["no status"] += status is None
            yield _Response(question, user, value, entry, unit, fields)


_Found = tuple[str, str | None, str | None, Any]
"""Question, user, status, value."""


def _flat(record: dict[str, Any], names: Sequence[str]) -> Iterator[_Found]:
    for name in names:
        question = name.removesuffix(f"{_FLAT}.users")
        users = items_in(record[name])
        values = items_in(record.get(f"{question}{_FLAT}"))
        statuses = items_in(record.get(f"{question}{_FLAT}.status"))
        for at, user in enumerate(users):
            value = values[at] if at < len(values) else None
            status = text_of(statuses[at]) if at < len(statuses) else None
            yield question, text_of(user), status, value


def _nested(record: dict[str, Any]) -> Iterator[_Found]:
    responses = record.get("responses")
    for question, given in mapping_in(responses).items():
        for each in objects_in(given):
            yield (
                question,
                text_of(each.get("user_id")),
                text_of(each.get("status")),
                each.get("value"),
            )
    for each in objects_in(responses):
        user, status = text_of(each.get("user_id")), text_of(each.get("status"))
        answers = mapping_in(each.get("values"))
        if not answers:
            yield "", user, status, None
        for question, value in answers.items():
            inner = mapping_in(value)
            yield question, user, status, inner.get("value", value)


def _is_free_text(responses: Sequence[_Response]) -> bool:
    texts = [each.value for each in responses if isinstance(each.value, str)]
    return bool(texts) and statistics.median(len(text) for text in texts) > _FREE_TEXT


def _take(each: _Response, several: bool, gathered: Gathered) -> None:
    objects = objects_in(each.value)
    if objects and "rank" in objects[0]:
        gathered.leave_out("a ranking", each.entry.where)
    elif objects and "start" in objects[0]:
        field = text_of(objects[0].get("field")) or next(iter(each.fields), "")
        text = each.fields.get(field, "")
        spans = [
            Span.written(found.get("start"), found.get("end"), found.get("label"))
            for found in objects
        ]
        gathered.mark(
            Marking(
                each.unit, each.user, tuple(spans), each.entry.where, each.entry.line,
                each.question, each.fields, text, utf_16_length(text) if text else None,
            )
        )  # fmt: skip
    else:
        gathered.vote(
            each.unit, each.user, texts_in(each.value), each.entry.where, line=each.entry.line,
            question=each.question, fields=each.fields, many=several,
        )  # fmt: skip
