"""The exports of other tools: which tool a file is from, by what it holds, and its votes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools import (
    argilla,
    doccano,
    inception,
    label_studio,
    nested_json,
    potato,
    prodigy,
)
from reviewkit.agreement.label_files.tools.archives import Piece, pieces_of
from reviewkit.agreement.label_files.tools.samples import Sample, sample_of
from reviewkit.agreement.label_files.votes import Votes

ToolName = Literal[
    "label-studio", "argilla", "prodigy", "potato", "inception", "doccano", "nested-json"
]
"""In the order in which they are tried: what is unmistakable first."""

_SAMPLED = 12
"""How many files of a folder or archive are looked at."""

_Recognises = Callable[[Sample], bool]
_Read = Callable[[Sequence[Piece], str, Asked], Votes]
_TOOLS: dict[ToolName, tuple[_Recognises, _Read]] = {
    "label-studio": (label_studio.recognises, label_studio.read),
    "argilla": (argilla.recognises, argilla.read),
    "prodigy": (prodigy.recognises, prodigy.read),
    "potato": (potato.recognises, potato.read),
    "inception": (inception.recognises, inception.read),
    "doccano": (doccano.recognises, doccano.read),
    "nested-json": (nested_json.recognises, nested_json.read),
}
_JSON = (".json", ".jsonl", ".ndjson")
_OF_TABLES = ("rater", "question", "delimiter", "sheet")
"""Options that name columns or cut cells; of the tools only plain JSON has fields to name."""
_EVERY_PIECE: frozenset[ToolName] = frozenset({"inception"})
"""Tools whose export has files of several kinds, read together."""


def recognise(path: Path, shown: str | None = None) -> ToolName | None:
    """Return which tool a file, folder or archive was exported from; None for a plain table.

    It is told by what the files hold, never by a name alone.

    Args:
        path: The file, folder or ZIP archive.
        shown: It as messages name it; without it, its path.

    Raises:
        ProblemsFound: When there is no file, or an archive is empty or cannot be unpacked.
    """
    return _recognised(pieces_of(path, shown or str(path)))


def _recognised(pieces: Sequence[Piece]) -> ToolName | None:
    samples = [sample_of(each) for each in _spread(pieces)]
    alone = len(pieces) == 1
    for tool, (recognises, _) in _TOOLS.items():
        # a table may look like one of doccano's; only its archive of several is told by that
        if any(recognises(each) for each in samples if not (alone and _is_table(each, tool))):
            return tool
    return None


def _file_name(piece: Piece) -> str:
    return piece.name.rpartition("/")[2]


def _is_table(sample: Sample, tool: ToolName) -> bool:
    return tool == "doccano" and bool(sample.header)


def _spread(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return some of the pieces, from all over a large export."""
    if len(pieces) <= _SAMPLED:
        return pieces
    step = len(pieces) / _SAMPLED
    # the file that describes an export as a whole lies at its top
    top = [each for each in pieces if each.name.count("/") <= 1][:_SAMPLED]
    return [*top, *(pieces[int(at * step)] for at in range(_SAMPLED))]


def read_tool(path: Path, tool: ToolName, asked: Asked, shown: str | None = None) -> Votes:
    """Return the votes in the export of a tool.

    Args:
        path: The file, folder or ZIP archive.
        tool: The tool, as ``recognise`` tells it.
        asked: What was declared.
        shown: It as messages name it; without it, its path.

    Raises:
        ProblemsFound: When nothing counts, nobody is named, or a file is broken; with the reason
            and what to export instead.
    """
    votes = _votes(path, tool, asked, shown or str(path))
    return replace(votes, said=(*votes.said, *_unused(tool, asked, shown or str(path))))


def _unused(tool: ToolName, asked: Asked, shown: str) -> list[str]:
    """Return the sentences on options that an export has no use for: it says by itself."""
    options = ("delimiter", "sheet") if tool == "nested-json" else _OF_TABLES
    given = [f"--{each}" for each in options if getattr(asked, each) is not None]
    says = "says" if len(given) == 1 else "say"
    return [f"{', '.join(given)} {says} nothing of {shown}, an export of a tool"] if given else []


def _votes(path: Path, tool: ToolName, asked: Asked, shown: str) -> Votes:
    pieces = pieces_of(path, shown)
    recognises, read = _TOOLS[tool]
    if len(pieces) == 1 or tool in _EVERY_PIECE:
        return read(pieces, shown, asked)
    samples = [(each, sample_of(each)) for each in pieces]
    known = {_file_name(each) for each, sample in samples if recognises(sample)}
    # another user's file of the same name is of the same kind, whatever its first lines hold
    own = [each for each, _ in samples if _file_name(each) in known]
    # an empty file belongs to somebody who labelled nothing
    empty = [each for each, sample in samples if not sample.start.strip() and each.ending in _JSON]
    votes = read([each for each in pieces if each in own or each in empty] or pieces, shown, asked)
    others = len(pieces) - len(own) - len(empty)
    if not own or not others:
        return votes
    said = f"Other files in {shown}, not read because they hold no labels of this tool: {others}."
    return replace(votes, said=(*votes.said, said))
