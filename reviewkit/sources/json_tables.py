"""Rows of JSON: one object a line, a list of objects, or an object with one list of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.encodings import CELLS_LIMIT, too_many_cells
from reviewkit.sources.text_files import FAULTS_TOLD, too_many

NumberedRows = list[tuple[int, list[str]]]

_BLANK = re.compile(r"[ \t\r\n]*")


class _Number(str):
    """A number as written."""

    __slots__ = ()


class _Pairs(list[tuple[str, Any]]):
    """An object as written, with equal keys still apart."""


def _refuse_constant(name: str) -> str:
    raise ValueError(f"holds {name}, which is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Pairs,
    parse_int=_Number,
    parse_float=_Number,
    parse_constant=_refuse_constant,
)


def rows_of_lines(text: str, shown: str, problems: list[Problem], said: list[str]) -> NumberedRows:
    """Return a header and a row for each line of JSONL that is not blank."""
    objects: list[tuple[int, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        if len(problems) >= FAULTS_TOLD:
            raise ProblemsFound([*problems, too_many(shown)])
        try:
            objects.append((number, _DECODER.decode(line)))
        except (RecursionError, ValueError) as error:
            problems.append(_not_json(error, f"{shown}:{number}"))
    return _rows(objects, shown, problems, said)


def rows_of_json(text: str, shown: str, problems: list[Problem], said: list[str]) -> NumberedRows:
    """Return a header and a row for each object of the one list in a JSON file."""
    walk = _Walk(text)
    try:
        objects = walk.objects(shown)
    except json.JSONDecodeError as error:
        problems.append(_not_json(error, f"{shown}:{error.lineno}"))
        return []
    except (RecursionError, ValueError) as error:
        problems.append(_not_json(error, f"{shown}:{walk.line()}"))
        return []
    return _rows(objects, shown, problems, said)


def _not_json(error: Exception, where: str) -> Problem:
    if isinstance(error, json.JSONDecodeError):
        wrong = f"is not valid JSON at column {error.colno} ({error.msg})"
    elif isinstance(error, RecursionError):
        wrong = "is nested too deep"
    else:
        wrong = str(error)
    return Problem(where, wrong, "correct it")


class _Walk:
    """A JSON text read part by part, so that every object keeps the line it begins on."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted = 0
        self._line = 1

    def line(self) -> int:
        """Return the line of the place reached."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def objects(self, shown: str) -> list[tuple[int, Any]]:
        """Return the objects of the one list; ProblemsFound when there is not exactly one."""
        first = self._next()
        if first == "[":
            found = [list(self._entries())]
        elif first == "{":
            lists = self._lists()
            tables = [each for each in lists if any(isinstance(entry, _Pairs) for _, entry in each)]
            found = tables or lists
        else:
            found = []
        if self._next():
            raise json.JSONDecodeError("more text after the end", self._text, self._at)
        if len(found) != 1:
            wrong = f"holds {len(found) or 'no'} lists of rows"
            remedy = "save one list of objects, or an object with one such list"
            raise ProblemsFound([Problem(f"{shown}:1", wrong, remedy)])
        return found[0]

    def _next(self) -> str:
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at
        return self._text[self._at : self._at + 1]

    def _take(self, expected: str) -> str:
        char = self._next()
        if not char or char not in expected:
            wanted = " or ".join(repr(each) for each in expected)
            raise json.JSONDecodeError(f"expecting {wanted}", self._text, self._at)
        self._at += 1
        return char

    def _value(self) -> Any:
        self._next()
        value, self._at = _DECODER.raw_decode(self._text, self._at)
        return value

    def _entries(self) -> Iterator[tuple[int, Any]]:
        self._take("[")
        if self._next() == "]":
            self._at += 1
            return
        while True:
            self._next()
            line = self.line()
            yield line, self._value()
            if self._take(",]") == "]":
                return

    def _lists(self) -> list[list[tuple[int, Any]]]:
        found: list[list[tuple[int, Any]]] = []
        self._take("{")
        if self._next() == "}":
            self._at += 1
            return found
        while True:
            if self._next() != '"':
                raise json.JSONDecodeError("expecting a key in quotes", self._text, self._at)
            self._value()
            self._take(":")
            if self._next() == "[":
                found.append(list(self._entries()))
            else:
                self._value()
            if self._take(",}") == "}":
                return found


def _rows(
    objects: list[tuple[int, Any]], shown: str, problems: list[Problem], said: list[str]
) -> NumberedRows:
    """Return rows with every key of any object as a column; what an object lacks is empty."""
    columns: dict[str, int] = {}
    records: list[tuple[int, dict[str, str]]] = []
    for line, pairs in objects:
        if len(problems) >= FAULTS_TOLD:
            raise ProblemsFound([*problems, too_many(shown)])
        if not isinstance(pairs, _Pairs):
            wrong = "is not an object"
            problems.append(Problem(f"{shown}:{line}", wrong, 'write {"column": value, ...}'))
            continue
        record = _record(pairs, f"{shown}:{line}", problems)
        for key in record:
            columns[key] = columns.get(key, 0) + 1
        records.append((line, record))
    for name, count in columns.items():
        if missing := len(records) - count:
            said.append(f"{missing} of {len(records)} objects have no {name!r}: read as empty")
    if not records:
        return []
    if len(records) * len(columns) > CELLS_LIMIT:
        raise ProblemsFound([too_many_cells(shown)])
    body = [(line, [record.get(name, "") for name in columns]) for line, record in records]
    return [(records[0][0], list(columns)), *body]


def _record(pairs: _Pairs, where: str, problems: list[Problem]) -> dict[str, str]:
    """Return the cells of one object, adding what is wrong with it to ``problems``."""
    record: dict[str, str] = {}
    for key, value in pairs:
        if key in record:
            problems.append(
                Problem(where, f"the key {key!r} stands a second time", "keep one of the two")
            )
        try:
            record[key] = cell_text(value)
        except RecursionError as error:
            problems.append(_not_json(error, where))
    return record


def cell_text(value: Any) -> str:
    """Return a JSON value as a cell: text and numbers as written, lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    return _json(value)


def _json(value: Any) -> str:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, _Pairs):
        inner = sorted(dict(value).items())
        return "{" + ",".join(f"{_json(key)}:{_json(each)}" for key, each in inner) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_json(each) for each in cast("list[Any]", value)) + "]"
    return json.dumps(value, ensure_ascii=False)
