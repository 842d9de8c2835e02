"""The beginning of a file, by which a tool knows its own export."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import Any

from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.records import entries_of, first_objects
from reviewkit.problems import ProblemsFound
from reviewkit.sources.encodings import decoded

_SAMPLE = 2_000_000
"""How many bytes are looked at, unless the whole file is one object."""
_JSON = (".json", ".jsonl", ".ndjson", ".txt")
_TABLES = (".csv", ".tsv", ".txt")


@dataclass(frozen=True, slots=True)
class Sample:
    """What the beginning of a file holds."""

    name: str
    """Its path inside the export."""
    start: str
    """Its first characters."""
    first: tuple[dict[str, Any], ...]
    """Its first objects, when it is JSON."""
    header: tuple[str, ...]
    """The cells of its first line, when it is a table."""


def sample_of(piece: Piece) -> Sample:
    """Return the beginning of a piece; what cannot be read is empty."""
    data = piece.start(_SAMPLE)
    try:
        # an encoding without a mark decodes to something, and nothing of it is kept
        text = decoded(data, piece.shown, None, [])
    except ProblemsFound:
        text = data.decode("utf-8", "ignore")
    start = text.lstrip()[:1]
    first: list[dict[str, Any]] = []
    if start in ("{", "[") and piece.ending in _JSON:
        first = first_objects(text)
        if not first and len(data) == _SAMPLE:
            first = _whole(piece)
    header: tuple[str, ...] = ()
    if start not in ("", "{", "[") and piece.ending in _TABLES:
        header = _header(next(iter(text.splitlines()), ""))
    return Sample(piece.name, text[:200], tuple(first), header)


def _header(line: str) -> tuple[str, ...]:
    try:
        cells = next(csv.reader([line], delimiter="\t" if "\t" in line else ","), [])
    except csv.Error:
        # not a table, or one whose first cell is longer than any name
        return ()
    return tuple(cell.strip() for cell in cells)


def _whole(piece: Piece) -> list[dict[str, Any]]:
    """Return the first object of a file that does not end within the sample."""
    try:
        found = entries_of(decoded(piece.read(), piece.shown, None, []), piece.shown)
    except ProblemsFound:
        return []
    return [each.value for each in found.good[:1]]
