"""Prodigy: JSONL with a line for each answer.

``_input_hash`` is the input, ``_task_hash`` the input with its question. Who answered stands in
``_annotator_id``, before Prodigy 1.12 in ``_session_id``. Format: Prodigy's documentation,
"Annotation interfaces" and "Input hash and task hash".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.markings import Marking, Span, utf_16_length
from reviewkit.agreement.label_files.tools.piece_texts import entries_in
from reviewkit.agreement.label_files.tools.records import (
    Entry,
    mapping_in,
    objects_in,
    scalars_of,
    text_of,
    texts_in,
)
from reviewkit.agreement.label_files.tools.samples import Sample
from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import Problem, ProblemsFound

_SESSION_OF_NOBODY = re.compile(r"(?:.*-)?\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}|(?:.*-)?default")
"""What Prodigy writes when nobody gave a name: the time the server started."""
_HIDDEN = frozenset({"answer", "label", "text"})
_CHOICE, _PLACES = "choice", "places"


def recognises(sample: Sample) -> bool:
    """Return whether a file is an export of Prodigy."""
    return any("_task_hash" in each and "_input_hash" in each for each in sample.first)


def read(pieces: Sequence[Piece], shown: str, asked: Asked) -> Votes:
    """Return the votes in one file or several.

    Args:
        pieces: The files; one whose answers name nobody is one rater, named for the file.
        shown: The export as messages name it.
        asked: What was declared.

    Raises:
        ProblemsFound: When several people answered and no answer says who, or nothing counts.
    """
    gathered = Gathered(shown, asked, several_files=len(pieces) > 1)
    read = [(piece, entries_in(piece, gathered)) for piece in pieces]
    everything = [each for _, entries in read for each in entries]
    several = any(len(_chosen(each.value)) > 1 or _many(each.value) for each in everything)
    kinds = {kind for each in everything for kind in _kinds(each.value)}
    named = len(kinds) > 1
    for piece, entries in read:
        raters = _raters(entries, piece, gathered)
        for entry, rater in zip(entries, raters, strict=True):
            _answer(entry, rater, several, named, gathered)
    return gathered.votes("Prodigy: a line an answer")


def _raters(entries: Sequence[Entry], piece: Piece, gathered: Gathered) -> list[str | None]:
    """Return who gave each answer.

    Raises:
        ProblemsFound: When no answer says so, and one question was answered more than once.
    """
    named = [_rater(each.value) for each in entries]
    if any(named) or not entries:
        return named
    tasks = Counter(text_of(each.value.get("_task_hash")) for each in entries)
    if task := next((task for task, number in tasks.items() if number > 1), None):
        wrong = f"says of no answer who gave it, and task {task} was answered {tasks[task]} times"
        remedy = "start Prodigy with ?session=NAME for each person, or name a file for each person"
        raise ProblemsFound([Problem(piece.shown, wrong, remedy)])
    gathered.say(f"No answer in {piece.shown} says who gave it: the rater is named for the file.")
    return [piece.stem] * len(entries)


def _rater(value: dict[str, Any]) -> str | None:
    for key in ("_annotator_id", "_session_id"):
        name = text_of(value.get(key))
        if name and not _SESSION_OF_NOBODY.fullmatch(name):
            return name
    return None


def _chosen(value: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(texts_in(value.get("accept"))))


def _many(value: dict[str, Any]) -> bool:
    return mapping_in(value.get("config")).get("choice_style") == "multiple"


def _kinds(value: dict[str, Any]) -> list[str]:
    """Return what an answer answers: choices, marked places, or whether a label is right."""
    found: list[str] = []
    if "accept" in value or "options" in value:
        found.append(_CHOICE)
    if _marks(value):
        found.append(_PLACES)
    if not found:
        found.append(text_of(value.get("label")) or "")
    return found


def _marks(value: dict[str, Any]) -> bool:
    """Return whether a person marked places, and not only judged one that was suggested."""
    view = text_of(value.get("_view_id")) or ""
    if "spans" not in value:
        return False
    return view.endswith("_manual") or view == "blocks" or (not view and "label" not in value)


def _answer(
    entry: Entry, rater: str | None, several: bool, named: bool, gathered: Gathered
) -> None:
    value = entry.value
    fields = {
        **scalars_of(mapping_in(value.get("meta"))),
        **{
            name: text
            for name, text in scalars_of(value).items()
            if name not in _HIDDEN and not name.startswith("_")
        },
    }
    if text := text_of(value.get("text")):
        fields["text"] = text
    kinds = _kinds(value)
    # whether one suggested place is right concerns that place, and so the task
    by_task = "spans" in value and _PLACES not in kinds and _CHOICE not in kinds
    key = "_task_hash" if by_task else "_input_hash"
    unit = gathered.unit(text_of(value.get(key)), fields, entry.where)
    if unit is None:
        return
    if "versions" in value or value.get("_view_id") == "review":
        gathered.leave_out("an answer of a review, which settles and is no rating", entry.where)
    elif rater is None:
        gathered.leave_out("an answer that does not say who gave it", entry.where)
    elif (answer := text_of(value.get("answer"))) == "ignore":
        gathered.skip(unit, rater)
    elif answer not in ("accept", "reject"):
        gathered.leave_out("no answer", entry.where)
    else:
        for kind in kinds:
            _take(entry, kind, unit, rater, fields, several, named, gathered)


def _take(
    entry: Entry,
    kind: str,
    unit: str,
    rater: str,
    fields: dict[str, str],
    several: bool,
    named: bool,
    gathered: Gathered,
) -> None:
    answer = text_of(entry.value.get("answer")) or ""
    question = kind if named else ""
    if kind in (_CHOICE, _PLACES) and answer == "reject":
        gathered.leave_out("a task rejected as a whole", entry.where)
    elif kind == _CHOICE:
        gathered.vote(
            unit, rater, _chosen(entry.value), entry.where, line=entry.line, question=question,
            fields=fields, many=several,
        )  # fmt: skip
    elif kind == _PLACES:
        text = fields.get("text", "")
        spans = [
            Span.written(each.get("start"), each.get("end"), each.get("label"))
            for each in objects_in(entry.value.get("spans"))
        ]
        gathered.mark(
            Marking(
                unit, rater, tuple(spans), entry.where, entry.line, question, fields, text,
                utf_16_length(text) if text else None,
            )
        )  # fmt: skip
    else:
        gathered.vote(
            unit, rater, (answer,), entry.where, line=entry.line, question=kind, fields=fields
        )
