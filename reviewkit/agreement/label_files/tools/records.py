"""Objects in the JSON of other tools, each with its line; numbers stay as written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from reviewkit.problems import Problem, ProblemsFound

_BLANK = re.compile(r"[ \t\r\n]*")


class Written(str):
    """A number as written: ``1.0`` is not ``1``."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of a file."""

    where: str
    """``tasks.json:12``"""
    line: int
    value: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entries:
    """The objects of a file, and the lines that hold none."""

    good: tuple[Entry, ...]
    bad: tuple[tuple[str, str], ...]
    """(reason, where) of lines that are left out."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise ValueError(f"names the key {twice!r} twice")
    return made


def _constant(name: str) -> Any:
    raise ValueError(f"holds {name}, which is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=Written, parse_float=Written, parse_constant=_constant
)


def entries_of(text: str, shown: str) -> Entries:
    """Return the objects of a JSON list, of JSONL, or the one object of a file.

    A line of JSONL that cannot be read is left out with its reason; a list has no such lines.

    Args:
        text: The file.
        shown: The file as messages name it.

    Raises:
        ProblemsFound: When a list or a single object is not valid JSON.
    """
    start = _after_blank(text, 0)
    if text[start : start + 1] == "[":
        return _sorted_out(_list_of(text, start, shown), shown)
    if (one := _only_object(text, start)) is not None:
        return Entries((Entry(f"{shown}:1", 1, one),), ())
    good: list[tuple[int, Any]] = []
    bad: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            good.append((number, _DECODER.decode(line)))
        except (RecursionError, ValueError) as error:
            bad.append((_reason(error), f"{shown}:{number}"))
    if bad and not good:
        reason, where = bad[0]
        raise ProblemsFound([Problem(where, reason, "name a file of JSON or JSONL")])
    found = _sorted_out(iter(good), shown)
    return Entries(found.good, (*bad, *found.bad))


def first_objects(text: str, number: int = 5) -> list[dict[str, Any]]:
    """Return the first objects of a file whose end may be cut off; what cannot be read is none."""
    start = _after_blank(text, 0)
    found: list[dict[str, Any]] = []
    at = start + 1 if text[start : start + 1] == "[" else start
    while len(found) < number:
        at = _after_blank(text, at)
        if text[at : at + 1] == ",":
            at = _after_blank(text, at + 1)
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (RecursionError, ValueError):
            break
        if isinstance(value, dict):
            found.append(cast("dict[str, Any]", value))
    return found


def _after_blank(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _only_object(text: str, start: int) -> dict[str, Any] | None:
    """Return the object when the file is one; None when more follows, as in JSONL."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (RecursionError, ValueError):
        return None
    whole = _after_blank(text, end) == len(text)
    return cast("dict[str, Any]", value) if whole and isinstance(value, dict) else None


def _list_of(text: str, start: int, shown: str) -> Iterator[tuple[int, Any]]:
    at, line, counted = start + 1, text.count("\n", 0, start) + 1, start
    first = True
    while True:
        at = _after_blank(text, at)
        char = text[at : at + 1]
        if char == "]":
            break
        if not first:
            if char != ",":
                raise _fault("a comma or the end of the list is missing", text, at, shown)
            at = _after_blank(text, at + 1)
        line += text.count("\n", counted, at)
        counted = at
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (RecursionError, ValueError) as error:
            # an error inside the entry knows its place, one about its content only the entry
            there = error.pos if isinstance(error, json.JSONDecodeError) else at
            raise _fault(_reason(error), text, there, shown) from error
        yield line, value
        first = False
    if (more := _after_blank(text, at + 1)) != len(text):
        raise _fault("more text stands after the end of the list", text, more, shown)


def _fault(wrong: str, text: str, at: int, shown: str) -> ProblemsFound:
    where = f"{shown}:{text.count(chr(10), 0, at) + 1}"
    return ProblemsFound([Problem(where, wrong, "export the file again, or correct it")])


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return "not valid JSON"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)


def _sorted_out(found: Iterator[tuple[int, Any]], shown: str) -> Entries:
    good: list[Entry] = []
    bad: list[tuple[str, str]] = []
    for line, value in found:
        where = f"{shown}:{line}"
        if isinstance(value, dict):
            good.append(Entry(where, line, cast("dict[str, Any]", value)))
        else:
            bad.append(("not an object", where))
    return Entries(tuple(good), tuple(bad))


def text_of(value: Any) -> str | None:
    """Return a scalar as text, as written; None for null, lists and objects."""
    if value is None or isinstance(value, list | dict):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; none when it is no list."""
    return [cast("dict[str, Any]", each) for each in items_in(value) if isinstance(each, dict)]


def items_in(value: Any) -> list[Any]:
    """Return a list; an empty one for what is no list."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def mapping_in(value: Any) -> dict[str, Any]:
    """Return an object; an empty one for what is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def texts_in(value: Any) -> list[str]:
    """Return the scalars of a list, or the one scalar, as text."""
    if not isinstance(value, list):
        one = text_of(value)
        return [] if one is None else [one]
    return [text for each in cast("list[Any]", value) if (text := text_of(each)) is not None]


def whole_number(value: Any) -> int | None:
    """Return a whole number from a number or its text; None for anything else."""
    text = text_of(value)
    if text is None or isinstance(value, bool):
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def scalars_of(value: Mapping[str, Any], but: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return the scalar fields of an object as text, but those named in ``but`` and pictures."""
    return {
        name: text
        for name, each in value.items()
        if name not in but and (text := text_of(each)) is not None and not text.startswith("data:")
    }
