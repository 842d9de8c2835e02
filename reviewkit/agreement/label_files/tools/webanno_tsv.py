r"""WebAnno TSV 3: a line a word, a column a feature of each layer.

``[N]`` after a value tells annotations apart and joins those over several words; ``|`` stands
between several on one word; ``_`` is none and ``*`` one without a value; a backslash takes any of
them literally. Format: INCEpTION's user guide, "WebAnno TSV 3.3 File format".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewkit.agreement.label_files.tools.layers import PRESENT, Layers, is_given, question_of
from reviewkit.agreement.label_files.tools.markings import Span
from reviewkit.problems import Problem, ProblemsFound

MARK = "#FORMAT=WebAnno TSV 3"
_SPAN, _CHAIN, _RELATION = "#T_SP=", "#T_CH=", "#T_RL="
_SLOT = "ROLE_"
_PLACE = re.compile(r"(\d+)-(\d+)")
_NUMBER = re.compile(r"(?<!\\)\[(\d+)\]$")
_STACKED = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(->|.)")
_NONE, _NO_VALUE = "_", "*"


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the features of one layer of places stand."""

    layer: str
    features: tuple[str, ...]
    first: int


def tsv_layers(text: str, shown: str) -> Layers:
    """Return what is annotated in one file.

    Args:
        text: The file.
        shown: The file as messages name it.

    Raises:
        ProblemsFound: With the line that is not of this format.
    """
    layers = Layers()
    columns, width = _header(text, layers)
    # (layer, number) -> places of its words, and the value of each feature
    joined: dict[tuple[str, str], tuple[int, int, list[str]]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line.startswith("#") or "\t" not in line:
            continue
        cells = line.rstrip("\r").split("\t")
        place = _PLACE.fullmatch(cells[1])
        if place is None or len(cells) < width:
            wrong = f"has {len(cells)} cells or no place, and {width} cells are declared"
            raise ProblemsFound([Problem(f"{shown}:{number}", wrong, "export the file again")])
        start, end = int(place.group(1)), int(place.group(2))
        for each in columns:
            _word(each, cells, start, end, joined)
    features = {each.layer: each.features for each in columns}
    for (layer, _), (start, end, values) in joined.items():
        _give(layer, features[layer], start, end, values, layers)
    return layers


def _header(text: str, layers: Layers) -> tuple[list[_Columns], int]:
    """Return the layers of places, and how many cells a line has."""
    columns: list[_Columns] = []
    at = 3
    for line in text.split("\n"):
        if line.startswith((_CHAIN, _RELATION)):
            parts = line.rstrip("\r").partition("=")[2].split("|")
            layers.left_out.append(f"relations of the layer {question_of(parts[0], '')}")
            at += 2 if line.startswith(_CHAIN) else len(parts) - 1
        elif line.startswith(_SPAN):
            layer, *features = line.rstrip("\r").partition("=")[2].split("|")
            wide = max(1, len(features))
            if any(feature.startswith(_SLOT) for feature in features):
                layers.left_out.append(f"roles in the layer {question_of(layer, '')}")
            elif not is_given(layer):
                columns.append(_Columns(layer, tuple(features), at))
            at += wide
        elif line and not line.startswith("#"):
            break
    return columns, at


def _word(
    each: _Columns,
    cells: list[str],
    start: int,
    end: int,
    joined: dict[tuple[str, str], tuple[int, int, list[str]]],
) -> None:
    """Take the annotations of one layer on one word."""
    wide = max(1, len(each.features))
    stacks = [_STACKED.split(cell) for cell in cells[each.first : each.first + wide]]
    for at in range(max(len(stack) for stack in stacks)):
        values = [stack[at] if at < len(stack) else _NONE for stack in stacks]
        if all(value == _NONE for value in values):
            continue
        numbers = [found.group(1) for value in values if (found := _NUMBER.search(value))]
        # without a number it is this word's alone
        key = (each.layer, numbers[0] if numbers else f"{start}-{end}#{at}")
        plain = [_NUMBER.sub("", value) for value in values]
        before = joined.get(key)
        if before is None:
            joined[key] = (start, end, plain)
        else:
            joined[key] = (min(start, before[0]), max(end, before[1]), before[2])


def _give(
    layer: str,
    features: tuple[str, ...],
    start: int,
    end: int,
    values: list[str],
    layers: Layers,
) -> None:
    if not features:
        layers.spans[question_of(layer, "")].append(Span(start, end, PRESENT))
    for feature, value in zip(features, values, strict=False):
        if value == _NONE:
            continue
        label = "" if value == _NO_VALUE else _ESCAPED.sub(r"\1", value)
        layers.spans[question_of(layer, feature)].append(Span(start, end, label))
