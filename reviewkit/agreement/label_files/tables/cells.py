"""What one cell may hold: a list of labels, a dictionary, or labels with marks between them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

from reviewkit.agreement.label_files.tables.column_words import says

Ratings = tuple[tuple[str | None, str | None], ...]
"""(rater, label) of each rating in a cell: None where a rater is not named or gave no label."""

MARKS = ("|", ";", ",", "\n", "\t", "/", " ")
# Python joins neighbouring texts: ['a' 'b'], as numpy prints it, would be read as one label
_NEIGHBOURS = re.compile(r"""(?<=['"])\s+(?=['"])""")
_BETWEEN = re.compile("[:=]")


class _Written(str):
    """A number as it is written."""

    __slots__ = ()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; ValueError when a name stands in it twice, where one would be lost."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


_JSON = json.JSONDecoder(parse_int=_Written, parse_float=_Written, object_pairs_hook=_once)


@lru_cache(maxsize=20_000)
def value_in(cell: str) -> Any:
    """Return the list or dictionary that a cell writes as JSON or Python; None for any other."""
    cell = cell.strip()
    if not (cell.startswith("[") and cell.endswith("]")) and not (
        cell.startswith("{") and cell.endswith("}")
    ):
        return None
    try:
        return _JSON.decode(cell)
    except (RecursionError, ValueError):
        pass
    if cell.startswith("{") and '":' in cell:
        return None
    if cell.startswith("[") and _NEIGHBOURS.search(cell):
        cell = _NEIGHBOURS.sub(", ", cell)
    try:
        return ast.literal_eval(cell)
    except (MemoryError, RecursionError, SyntaxError, TypeError, ValueError):
        return None


def text_of(value: Any) -> str | None:
    """Return a value of a cell as a label; None for null and for an empty text."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | set | frozenset):
        parts = {text_of(each) or "" for each in cast("Iterable[Any]", value)}
        return json.dumps(sorted(parts), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def set_in(cell: str, *, declared: bool) -> tuple[str, ...] | None:
    """Return the labels of a set; None when the cell is no set.

    Args:
        cell: The cell.
        declared: Labels are declared to be sets, so that ``a;b`` is one and ``a`` too.
    """
    value = value_in(cell)
    if isinstance(value, list | tuple | set | frozenset):
        parts = [text_of(each) for each in cast("Iterable[Any]", value)]
        return None if any(each is None for each in parts) else tuple(each or "" for each in parts)
    if not declared:
        return None
    mark = next((each for each in (";", "|", ",") if each in cell), ";")
    return tuple(part.strip() for part in cell.split(mark) if part.strip())


def ratings_in(cell: str, mark: str) -> Ratings | None:
    """Return the ratings in one cell; None when it holds no list, dictionary or marked labels.

    Args:
        cell: The cell.
        mark: What stands between labels; empty: they are a list or dictionary.
    """
    if mark:
        return _marked(cell, mark)
    value = value_in(cell)
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value)
        return tuple((str(rater), text_of(label)) for rater, label in pairs.items())
    if isinstance(value, list | tuple):
        return tuple(_rating(each) for each in cast("Iterable[Any]", value))
    return None


def _rating(value: Any) -> tuple[str | None, str | None]:
    """Return one rating of a list; an object names its rater and label in its own fields."""
    if isinstance(value, dict):
        fields = {str(name): each for name, each in cast("dict[Any, Any]", value).items()}
        rater = next((each for name, each in fields.items() if says(name, "rater")), None)
        label = next(
            (
                each
                for kind in ("label", "label_too")
                for name, each in fields.items()
                if says(name, kind) and not says(name, "rater")
            ),
            None,
        )
        if rater is not None:
            return str(rater), text_of(label)
    return None, text_of(value)


def _marked(cell: str, mark: str) -> Ratings:
    parts = cell.split(mark)
    pairs = [_pair(part) for part in parts if part.strip()]
    if pairs and all(pairs):
        return tuple((pair[0], pair[1] or None) for pair in pairs if pair)
    return tuple((None, part.strip() or None) for part in parts)


def _pair(part: str) -> tuple[str, str] | None:
    """Return what stands before and behind the one colon or equals sign of a part."""
    halves = [half.strip() for half in _BETWEEN.split(part)]
    return (halves[0], halves[1]) if len(halves) == 2 and halves[0] else None


def counts_in(cell: str) -> dict[str, int] | None:
    """Return label -> number when a cell is a dictionary of counts, else None."""
    value = value_in(cell)
    if not isinstance(value, dict):
        return None
    counts: dict[str, int] = {}
    for label, number in cast("dict[Any, Any]", value).items():
        if isinstance(number, bool) or not re.fullmatch(r"\d{1,9}", str(number)):
            return None
        counts[str(label)] = int(str(number))
    return counts
