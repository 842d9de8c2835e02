"""What one annotation of Label Studio says: labels of the task, and places marked in it.

Format: Label Studio's tag reference; every result has ``from_name`` (the control), ``type`` and
``value``, and the value holds its answer under the name of the type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewkit.agreement.label_files.tools.markings import Span
from reviewkit.agreement.label_files.tools.records import (
    items_in,
    mapping_in,
    text_of,
    texts_in,
    whole_number,
)

_LISTED = ("choices",)
_SINGLE = ("rating", "number", "datetime", "selected")
_DIALOGUE = "paragraphlabels"
_IN_TEXT = ("labels", "hypertextlabels", _DIALOGUE)
_IN_TIME = ("timeserieslabels", "timelinelabels", "videolabels")
_IN_PICTURE = (
    "rectanglelabels", "polygonlabels", "keypointlabels", "brushlabels", "ellipselabels",
    "bitmasklabels", "vectorlabels", "rectangle", "polygon", "keypoint", "brush", "ellipse",
    "videorectangle", "magicwand",
)  # fmt: skip
_PATH = " > "
"""Between the steps of a taxonomy."""


@dataclass(slots=True)
class Answers:
    """What was answered."""

    labels: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Control -> labels of the whole task."""
    placed: dict[tuple[str, str], list[str]] = field(
        default_factory=dict[tuple[str, str], list[str]]
    )
    """(control, place) -> labels of one part of the task."""
    spans: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    """Control -> places marked."""
    in_text: set[str] = field(default_factory=set[str])
    """Controls whose places count characters of a plain text."""
    unread: list[str] = field(default_factory=list[str])
    """Why results are left out."""


def answers_of(results: Sequence[dict[str, Any]]) -> Answers:
    """Return what the results of one annotation say."""
    answers = Answers()
    for result in results:
        _answer(result, answers)
    return answers


def _answer(result: dict[str, Any], answers: Answers) -> None:
    kind = (text_of(result.get("type")) or "").lower()
    control = text_of(result.get("from_name")) or ""
    value = mapping_in(result.get("value"))
    if kind == "textarea":
        answers.unread.append("free text, which is no label")
    elif kind == "relation":
        answers.unread.append("a relation between places")
    elif kind in _IN_PICTURE:
        answers.unread.append("a region of a picture, which two raters never draw alike")
    elif kind in _IN_TEXT or kind in _IN_TIME:
        recording = "original_length" in result or "channel" in value
        _span(kind, control, value, recording, answers)
    elif (labels := labels_of(value)) is None:
        answers.unread.append(f"a result of the type {kind!r}")
    elif place := _place(value):
        answers.placed.setdefault((control, place), []).extend(labels)
    else:
        answers.labels.setdefault(control, []).extend(labels)


def labels_of(value: dict[str, Any]) -> list[str] | None:
    """Return the labels in the value of a result that concerns no place; None when it has none."""
    for name in _LISTED:
        if name in value:
            return texts_in(value[name])
    if "taxonomy" in value:
        return [_PATH.join(texts_in(path)) for path in items_in(value["taxonomy"])]
    for name in _SINGLE:
        if (one := text_of(value.get(name))) is not None:
            return [one]
    return None


def _place(value: dict[str, Any]) -> str:
    """Return the place a label was given to; empty for the whole task."""
    start, end = text_of(value.get("start")), text_of(value.get("end"))
    if start is not None and end is not None:
        return f"{start}-{end}"
    item = text_of(value.get("item_index"))
    return "" if item is None else f"item {item}"


def _span(
    kind: str, control: str, value: dict[str, Any], recording: bool, answers: Answers
) -> None:
    labels = texts_in(value.get(kind)) or texts_in(value.get("labels")) or [""]
    offsets = mapping_in(value.get("globalOffsets")) or value
    start, end = whole_number(offsets.get("start")), whole_number(offsets.get("end"))
    # of a recording the places are seconds, of a dialogue the numbers of paragraphs
    counted = not recording and kind not in _IN_TIME
    if start is None or end is None or not counted or (kind == _DIALOGUE and offsets is value):
        _placed(value, control, labels, answers)
        return
    if kind == "labels" and offsets is value:
        answers.in_text.add(control)
    answers.spans[control] += [Span(start, end, label) for label in labels]


def _placed(value: dict[str, Any], control: str, labels: list[str], answers: Answers) -> None:
    """Take a place that is no pair of characters: in a paragraph, in a recording."""
    parts = [text_of(value.get(name)) for name in ("start", "startOffset", "end", "endOffset")]
    place = "-".join(part for part in parts if part is not None)
    if not place:
        answers.unread.append("a marked place without a beginning and an end")
    elif not any(label.strip() for label in labels):
        answers.unread.append("a marked place without a label")
    else:
        answers.placed.setdefault((control, place), []).extend(labels)
