"""doccano: a file for each user, named for the user.

Format: doccano's exporter (``backend/data_export``): JSONL, JSON or CSV, one object or row a
document; ``label`` holds categories, ``[start, end, label]`` triples, or entities. An older export
has ``annotations`` with the number of their user. A project whose switch shares annotations among
its members exports one ``all`` without users.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.markings import Marking, Span, utf_16_length
from reviewkit.agreement.label_files.tools.piece_texts import entries_in, rows_in
from reviewkit.agreement.label_files.tools.records import (
    Entry,
    Written,
    items_in,
    objects_in,
    scalars_of,
    text_of,
    whole_number,
)
from reviewkit.agreement.label_files.tools.samples import Sample
from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import Problem, ProblemsFound

_TEXT = ("text", "data", "filename")
_LABELS = ("label", "labels", "entities", "annotations")
_OTHERS = frozenset(
    {
        "annotator", "rater", "user", "worker", "coder", "judge", "answer", "responses",
        "_task_hash", "_input_hash", "_session_id",
    }
)  # fmt: skip
"""Fields of other tools: a record with one of them is none of doccano's."""
_EVERYBODY = re.compile(r"all(?:\W.*)?", re.IGNORECASE)
_NOBODY = "unknown"
_BETWEEN = "#"
"""Between the labels of a cell."""
_ALL = (
    "holds the labels of all users and does not say whose they are, because the project shares "
    "annotations among its members"
)


def recognises(sample: Sample) -> bool:
    """Return whether a file is an export of doccano."""
    if sample.header:
        names = set(sample.header)
        return {"id", "label"} <= names and bool(names & {"text", "data"}) and len(names) > 2
    return bool(sample.first) and all(_is_document(each) for each in sample.first)


def _is_document(value: dict[str, Any]) -> bool:
    if value.keys() & _OTHERS or not any(name in value for name in _TEXT):
        return False
    lists = [value[name] for name in _LABELS if name in value]
    if not lists or not all(isinstance(each, list) for each in lists):
        return False
    inside = [
        each for name in ("label", "labels", "entities") for each in objects_in(value.get(name))
    ]
    if not all("start_offset" in each for each in inside):
        return False
    annotations = objects_in(value.get("annotations"))
    # the older export numbers users, and says who approved
    if not all("label" in each and isinstance(each.get("user"), Written) for each in annotations):
        return False
    return any(name in value for name in ("id", "annotation_approver", "meta"))


def read(pieces: Sequence[Piece], shown: str, asked: Asked) -> Votes:
    """Return the votes of all users.

    Args:
        pieces: A file for each user.
        shown: The export as messages name it.
        asked: What was declared; ``raters`` are the users to keep.

    Raises:
        ProblemsFound: When the labels of all users stand in one file, or nothing counts.
    """
    gathered = Gathered(shown, asked, several_files=len(pieces) > 1)
    problems: list[Problem] = []
    for piece in pieces:
        entries = _entries(piece, gathered)
        own = any(_users(each.value) for each in entries)
        if _EVERYBODY.fullmatch(piece.stem) and not own:
            if len(pieces) > 1:
                gathered.set_aside(piece.stem, f"it {_ALL}")
                continue
            remedy = "switch that off in a copy of the project, and export a file for each user"
            problems.append(Problem(piece.shown, _ALL, remedy))
            continue
        if piece.stem.lower() == _NOBODY and not own and piece.stem not in asked.raters:
            gathered.set_aside(piece.stem, "it holds documents of no known user")
            continue
        _user(entries, piece.stem, gathered)
    if problems:
        raise ProblemsFound(problems)
    # a file alone may be that of a user who labelled nothing, beside those of the others
    return gathered.votes("doccano: a file for each user", empty=len(pieces) == 1)


def _entries(piece: Piece, gathered: Gathered) -> Sequence[Entry]:
    if piece.ending not in (".csv", ".tsv"):
        return entries_in(piece, gathered)
    return [
        Entry(each.where, each.line, {**each.value, "label": _labels_in(each.value.get("label"))})
        for each in rows_in(piece, gathered)[1]
    ]


def _labels_in(cell: str | None) -> list[str]:
    return [each for each in (cell or "").split(_BETWEEN) if each]


def _users(value: dict[str, Any]) -> list[str]:
    """Return the users of an older export, which names them in each annotation."""
    found = (text_of(each.get("user")) for each in objects_in(value.get("annotations")))
    return list(dict.fromkeys(each for each in found if each))


def _user(entries: Sequence[Entry], name: str, gathered: Gathered) -> None:
    """Take what one file holds; its user is ``name`` unless annotations name theirs."""
    silent: list[str] = []
    for entry in entries:
        value = entry.value
        given: dict[str, list[Any]] = defaultdict(list)
        for each in objects_in(value.get("annotations")):
            given[text_of(each.get("user")) or name].append(each)
        for key in ("label", "labels", "entities"):
            given[name] += items_in(value.get(key))
        if any(given.values()):
            _document(entry, given, gathered)
        else:
            silent.append(entry.where)
    if len(silent) == len(entries):
        gathered.set_aside(name, "the file of this name holds no label")
    for where in silent:
        gathered.leave_out(f"a document without a label of {name}", where)


def _document(entry: Entry, given: dict[str, list[Any]], gathered: Gathered) -> None:
    value = entry.value
    text = next((each for name in _TEXT if isinstance(each := value.get(name), str)), "")
    meta = value.get("meta")
    inner = scalars_of(cast("dict[str, Any]", meta)) if isinstance(meta, dict) else {}
    fields = {**inner, **scalars_of(value, frozenset({"id", *_LABELS}))}
    # a document without a number is known by its text
    unit = gathered.unit(text_of(value.get("id")) or text, fields, entry.where)
    if unit is None:
        return
    length = utf_16_length(text) if text else None
    for rater, labels in given.items():
        spans = [span for each in labels if (span := _span(each)) is not None]
        plain = [label for each in labels if (label := _category(each)) is not None]
        if lost := len(labels) - len(spans) - len(plain):
            for _ in range(lost):
                gathered.leave_out("no label", entry.where)
        if plain:
            gathered.vote(unit, rater, plain, entry.where, line=entry.line, fields=fields)
        if spans:
            short = text if length == len(text) else ""
            gathered.mark(
                Marking(
                    unit, rater, tuple(spans), entry.where, entry.line, fields=fields, text=short,
                    length=length,
                )
            )  # fmt: skip


def _span(label: Any) -> Span | None:
    """Return a marked place; None when it is none."""
    if isinstance(label, dict):
        known = cast("dict[str, Any]", label)
        start, end = whole_number(known.get("start_offset")), whole_number(known.get("end_offset"))
        name = text_of(known.get("label"))
    else:
        parts = items_in(label)
        if len(parts) != 3:
            return None
        start, end = whole_number(parts[0]), whole_number(parts[1])
        name = text_of(parts[2])
    return None if start is None or end is None else Span(start, end, name or "")


def _category(label: Any) -> str | None:
    """Return a label of the whole document; None when it is none."""
    if isinstance(label, dict):
        known = cast("dict[str, Any]", label)
        return None if "start_offset" in known else text_of(known.get("label"))
    return text_of(label)
