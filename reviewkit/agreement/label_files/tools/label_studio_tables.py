"""Label Studio's JSON_MIN and CSV: a record or row an annotation, data and labels side by side.

Neither says which fields are labels. In JSON_MIN they stand between ``id`` and ``annotator``. In a
CSV, whose columns are sorted, and in JSON_MIN whose tasks brought an id of their own, a label is
what two annotations of one task may differ in.
Format: Label Studio's guide, "Export annotations and data".
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reviewkit.agreement.label_files.asked import names_in
from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.label_studio_results import Answers, answers_of
from reviewkit.agreement.label_files.tools.markings import Marking
from reviewkit.agreement.label_files.tools.piece_texts import rows_in
from reviewkit.agreement.label_files.tools.records import Entry, items_in, objects_in, text_of
from reviewkit.problems import Problem, ProblemsFound

_ANNOTATION = ("annotation_id", "annotator", "lead_time")
_KNOWN = frozenset(
    {
        "id", "annotation_id", "annotator", "created_at", "updated_at", "lead_time",
        "was_cancelled", "agreement", "ground_truth",
    }
)  # fmt: skip
_TYPES = (
    "choices", "taxonomy", "rating", "number", "datetime", "text", "labels", "hypertextlabels",
    "paragraphlabels", "timeserieslabels", "videolabels", "rectanglelabels", "polygonlabels",
    "keypointlabels", "brushlabels", "ellipselabels",
)  # fmt: skip


def is_csv(header: Sequence[str]) -> bool:
    """Return whether a header is that of a CSV of Label Studio."""
    return all(name in header for name in _ANNOTATION)


def is_minimal(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a record of JSON_MIN."""
    return all(name in value for name in _ANNOTATION)


@dataclass(frozen=True, slots=True)
class _Row:
    """One annotation as text and JSON values."""

    values: Mapping[str, Any]
    where: str
    line: int

    @property
    def task(self) -> str:
        return text_of(self.values.get("id")) or ""


def minimal_votes(entries: Sequence[Entry], gathered: Gathered, shown: str) -> None:
    """Take the votes of JSON_MIN."""
    rows = [_Row(each.value, each.where, each.line) for each in entries]
    between: dict[str, None] = {}
    for row in rows:
        names = list(row.values)
        start = names.index("id") + 1 if "id" in names else 0
        end = names.index("annotator") if "annotator" in names else len(names)
        between |= dict.fromkeys(names[start:end])
    controls = [name for name in between if name not in _KNOWN]
    # data with an id of its own lends it the place, and what follows is data as well
    if any(next(iter(row.values), "") == "id" for row in rows):
        controls = _controls(rows, controls, gathered, shown)
    _take(rows, controls, gathered, shown)


def csv_votes(piece: Piece, gathered: Gathered) -> None:
    """Take the votes of a CSV or TSV.

    Raises:
        ProblemsFound: When no column can be told to be a label.
    """
    header, entries = rows_in(piece, gathered)
    rows = [
        _Row({name: _parsed(cell) for name, cell in each.value.items()}, each.where, each.line)
        for each in entries
    ]
    names = [name for name in header if name not in _KNOWN]
    _take(rows, _controls(rows, names, gathered, piece.shown), gathered, piece.shown)


def _parsed(cell: str) -> Any:
    """Return a cell's JSON when it is an answer of Label Studio written as JSON, else its text."""
    if cell[:1] not in ("{", "["):
        return cell
    try:
        value: Any = json.loads(cell, parse_int=str, parse_float=str)
    except ValueError:
        return cell
    return value if _is_answer(value) else cell


def _is_answer(value: Any) -> bool:
    found = objects_in(value if isinstance(value, list) else [value])
    return bool(found) and all(any(name in each for name in _TYPES) for each in found)


def _controls(
    rows: Sequence[_Row], names: Sequence[str], gathered: Gathered, shown: str
) -> list[str]:
    """Return the columns that are labels: named, written as answers, or differing within a task."""
    asked = list(names_in(gathered.asked.label))
    if missing := [name for name in asked if name not in names]:
        wrong = f"has no column {', '.join(map(repr, missing))}"
        raise ProblemsFound([Problem(shown, wrong, f"give --label one of {', '.join(names)}")])
    if asked:
        return asked
    by_task: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        by_task[row.task].append(row)
    differing = [
        name
        for name in names
        if any(_is_answer(row.values.get(name)) for row in rows)
        or any(
            len({str(row.values.get(name)) for row in task}) > 1
            for task in by_task.values()
            if len(task) > 1
        )
    ]
    if not differing:
        wrong = "does not say which columns are labels: none differs between raters of one task"
        remedy = f"give --label one of {', '.join(names)}, or export JSON"
        raise ProblemsFound([Problem(f"{shown}:1", wrong, remedy)])
    if others := [name for name in names if name not in differing]:
        gathered.say(
            f"{', '.join(others)} of {shown} never differ between raters of one task and are "
            "taken as data; name a label among them with --label, or export JSON."
        )
    return differing


def _take(rows: Sequence[_Row], controls: Sequence[str], gathered: Gathered, shown: str) -> None:
    unread = not any("was_cancelled" in row.values for row in rows)
    if unread and rows:
        gathered.say(
            f"{shown} does not say what was cancelled or skipped; Label Studio's JSON does"
        )
    seen: set[tuple[str, str]] = set()
    for row in rows:
        _annotation(row, controls, gathered, seen)


def _annotation(
    row: _Row, controls: Sequence[str], gathered: Gathered, seen: set[tuple[str, str]]
) -> None:
    names = {*_KNOWN, *controls}
    fields = {
        name: text
        for name, value in row.values.items()
        if name not in names and (text := text_of(value)) is not None
    }
    unit = gathered.unit(row.task, fields, row.where)
    rater = text_of(row.values.get("annotator"))
    if unit is None:
        return
    if not rater:
        gathered.leave_out("an annotation that does not say who completed it", row.where)
        return
    key = (row.task, text_of(row.values.get("annotation_id")) or "")
    if key[1] and key in seen:
        gathered.leave_out("the same annotation exported once more", row.where)
        return
    seen.add(key)
    if (text_of(row.values.get("was_cancelled")) or "").lower() == "true":
        gathered.skip(unit, rater)
        return
    answered = False
    for control in controls:
        value = row.values.get(control)
        if value is None or value in ("", []):
            continue
        answered = True
        if not _is_answer(value):
            labels = [text for each in _listed(value) if (text := text_of(each)) is not None]
            gathered.vote(
                unit, rater, labels, row.where, line=row.line, question=control, fields=fields
            )
            continue
        answers = answers_of([_as_result(control, each) for each in objects_in(_listed(value))])
        _give(answers, unit, rater, row, fields, gathered)
    if not answered:
        gathered.leave_out("a finished annotation without a label", row.where)


def _listed(value: Any) -> list[Any]:
    return items_in(value) if isinstance(value, list) else [value]


def _as_result(control: str, value: dict[str, Any]) -> dict[str, Any]:
    """Return a result as the full JSON has it; the name of its answer tells the type."""
    held = [name for name in _TYPES if name in value]
    # a marked place repeats its text, a text area has nothing else
    kind = next((name for name in held if name != "text"), "textarea")
    return {"from_name": control, "type": kind, "value": value}


def _give(
    answers: Answers,
    unit: str,
    rater: str,
    row: _Row,
    fields: Mapping[str, str],
    gathered: Gathered,
) -> None:
    for reason in answers.unread:
        gathered.leave_out(reason, row.where)
    for question, labels in answers.labels.items():
        gathered.vote(
            unit, rater, labels, row.where, line=row.line, question=question, fields=fields
        )
    for (question, place), labels in answers.placed.items():
        gathered.vote(
            f"{unit}:{place}", rater, labels, row.where, line=row.line, question=question,
            fields={**fields, "document": unit},
        )  # fmt: skip
    for question, spans in answers.spans.items():
        gathered.mark(Marking(unit, rater, tuple(spans), row.where, row.line, question, fields))
