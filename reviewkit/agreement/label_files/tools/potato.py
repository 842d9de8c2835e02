"""Potato: a folder for each user, with ``user_state.json`` or ``annotated_instances.jsonl``.

A label is kept as schema, name and value in several forms: ``{"tone": {"kind": "true"}}``,
``[[{"schema": "tone", "name": "kind"}, "true"]]``, ``{"tone": {"labels": {"kind": true}}}``.
Format: Potato's documentation, "Export formats", and its state files of versions 1 and 2.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.markings import Marking, Span, utf_16_length
from reviewkit.agreement.label_files.tools.piece_texts import entries_in
from reviewkit.agreement.label_files.tools.records import (
    Entry,
    mapping_in,
    objects_in,
    text_of,
)
from reviewkit.agreement.label_files.tools.samples import Sample
from reviewkit.agreement.label_files.votes import Votes

_STATE = "instance_id_to_label_to_value"
_STATE_SPANS = "instance_id_to_span_to_value"
_SHOWN = "displayed_text"
_LINE = ("label_annotations", "span_annotations")
_NAMES = ("user_id", "user", "username")
_NO = frozenset({"false", "0", "off", "", "no"})
_TEXT_BOX = re.compile(r"text_?box.*|free_?text.*|free_response.*|bad_text_.*", re.IGNORECASE)
_STANDS_FOR_VALUE = re.compile(
    r"select[-_]one|slider.*|number(?:_input)?|value|selected|dropdown|scale_?", re.IGNORECASE
)
"""Names of a control that say nothing: the answer is the value."""
_ON_SCALE = re.compile(r"scale_(.+)")
_PAGE = re.compile(r".+\.(?:html|jsonl)")
_CHECK = "_testing_"
"""In the id of a question that tests attention."""


def recognises(sample: Sample) -> bool:
    """Return whether a file is one of Potato's."""
    return any(
        _STATE in each
        or ("label_annotations" in each and ("span_annotations" in each or _SHOWN in each))
        for each in sample.first
    )


@dataclass(frozen=True, slots=True)
class _Instance:
    """What one user said of one instance."""

    id: str
    user: str
    labels: Any
    spans: Any
    text: str
    where: str
    line: int


def read(pieces: Sequence[Piece], shown: str, asked: Asked) -> Votes:
    """Return the votes of all users.

    Args:
        pieces: The state files; of a user with both kinds ``user_state.json`` is read.
        shown: The folder as messages name it.
        asked: What was declared.

    Raises:
        ProblemsFound: When nothing in it counts.
    """
    gathered = Gathered(shown, asked, several_files=len(pieces) > 1)
    for piece, entries in _one_a_user(pieces, gathered):
        empty = True
        for each in _instances(piece, entries, gathered):
            empty = False
            _take(each, gathered)
        if empty and entries:
            gathered.leave_out("a user without an annotation", piece.shown)
    return gathered.votes("Potato: a folder a user")


def _one_a_user(
    pieces: Sequence[Piece], gathered: Gathered
) -> Iterator[tuple[Piece, Sequence[Entry]]]:
    read = [(piece, entries_in(piece, gathered)) for piece in pieces]
    states = {
        piece.name.rpartition("/")[0]
        for piece, entries in read
        if any(_STATE in each.value for each in entries)
    }
    for piece, entries in read:
        state = any(_STATE in each.value for each in entries)
        if state or piece.name.rpartition("/")[0] not in states:
            yield piece, entries


def _instances(piece: Piece, entries: Sequence[Entry], gathered: Gathered) -> Iterator[_Instance]:
    for entry in entries:
        value = entry.value
        named = next((name for key in _NAMES if (name := text_of(value.get(key)))), None)
        user = named or piece.folder or piece.stem
        if (kind := _machine(value)) and user not in gathered.asked.raters:
            gathered.set_aside(user, f"a machine labelled under this name ({kind})")
            continue
        if _STATE in value:
            labels, spans = mapping_in(value[_STATE]), mapping_in(value.get(_STATE_SPANS))
            for name in dict.fromkeys([*labels, *spans]):
                where = f"{entry.where} {name}"
                yield _Instance(name, user, labels.get(name), spans.get(name), "", where, 0)
        elif any(key in value for key in _LINE):
            name = text_of(value.get("id")) or text_of(value.get("instance_id")) or ""
            text = text_of(value.get(_SHOWN)) or ""
            labels, spans = value.get("label_annotations"), value.get("span_annotations")
            yield _Instance(name, user, labels, spans, text, entry.where, entry.line)
        else:
            gathered.leave_out("a line that is no annotation of Potato", entry.where)


def _machine(value: dict[str, Any]) -> str:
    """Return what kind of machine a state was written by; empty for a person."""
    if not value.get("origin"):
        return ""
    kind = text_of(mapping_in(value["origin"]).get("kind")) or "unknown origin"
    return "" if kind == "human" else kind


def _take(each: _Instance, gathered: Gathered) -> None:
    if _PAGE.fullmatch(each.id):
        gathered.leave_out("a page around the task, which is no unit", each.where)
        return
    if _CHECK in each.id:
        gathered.leave_out("a test of attention, which is no unit", each.where)
        return
    fields = {"text": each.text} if each.text else {}
    unit = gathered.unit(each.id, fields, each.where)
    if unit is None:
        return
    found = False
    for question, given in _labels(each.labels).items():
        labels, free = _chosen(given)
        if free:
            gathered.leave_out("free text, which is no label", each.where)
        found = found or free or bool(labels)
        if labels:
            gathered.vote(
                unit, each.user, labels, each.where, line=each.line, question=question,
                fields=fields,
            )  # fmt: skip
    length = utf_16_length(each.text) if each.text else None
    for question, spans in _spans(each.spans).items():
        found = True
        marking = Marking(
            unit, each.user, tuple(spans), each.where, each.line, question, fields,
            length=length,
        )  # fmt: skip
        gathered.mark(marking)
    if not found:
        gathered.leave_out("an instance that was opened and not labelled", each.where)


def _labels(kept: Any) -> dict[str, list[tuple[str, str]]]:
    """Return schema -> (name, value) of each label, from any of the forms they are kept in."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for schema, names in mapping_in(kept).items():
        inner = mapping_in(names)
        if set(inner) == {"labels"} and isinstance(inner["labels"], dict):
            inner = mapping_in(inner["labels"])
        if not inner and (alone := text_of(names)) is not None:
            inner = {alone: True}
        for name, value in inner.items():
            found[schema].append((name, text_of(value) or ""))
    for pair in kept if isinstance(kept, list) else []:
        parts = cast("list[Any]", pair) if isinstance(pair, list) else [pair, True]
        label = mapping_in(parts[0]) if parts else {}
        if "schema" in label and "name" in label:
            value = text_of(parts[1]) if len(parts) > 1 else "true"
            found[text_of(label["schema"]) or ""].append(
                (text_of(label["name"]) or "", value or "")
            )
    return found


def _chosen(given: Sequence[tuple[str, str]]) -> tuple[list[str], bool]:
    """Return the labels that were chosen, and whether there is free text beside them."""
    labels: list[str] = []
    free = False
    for name, value in given:
        scale = _ON_SCALE.fullmatch(name)
        if _TEXT_BOX.fullmatch(name):
            free = free or bool(value.strip())
        elif scale:
            labels += (
                [scale.group(1)] if value.lower() not in _NO or value == scale.group(1) else []
            )
        elif _STANDS_FOR_VALUE.fullmatch(name):
            labels += [value] if value.strip() else []
        elif value.lower() not in _NO:
            labels.append(name)
    return labels, free


def _spans(kept: Any) -> dict[str, list[Span]]:
    """Return schema -> marked places, from any of the forms they are kept in."""
    found: dict[str, list[Span]] = defaultdict(list)
    for schema, spans in mapping_in(kept).items():
        for each in objects_in(spans):
            found[schema].append(_span(each))
    for pair in cast("list[Any]", kept) if isinstance(kept, list) else []:
        parts = cast("list[Any]", pair) if isinstance(pair, list) else [pair, "true"]
        span = mapping_in(parts[0]) if parts else {}
        value = text_of(parts[1]) if len(parts) > 1 else "true"
        if span and (value or "").lower() not in _NO:
            found[text_of(span.get("schema")) or ""].append(_span(span))
    return found


def _span(found: dict[str, Any]) -> Span:
    named = (text_of(found.get(key)) for key in ("name", "label", "annotation"))
    label = next((name for name in named if name), "")
    return Span.written(found.get("start"), found.get("end"), label)
