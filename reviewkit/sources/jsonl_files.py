"""JSONL as plain text with line numbers: one document a line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.source import Loc, Source, show_loc
from reviewkit.sources.text_files import FAULTS_TOLD, read_text, text_fault, too_many

SIZE_LIMIT = 100_000_000
"""Public item sets come as one file of tens of megabytes, so the limit is wider than for YAML."""
DEPTH_LIMIT = 50


_NEEDS_CARE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|[\[:,]\s*(?:null|true|false)\s*[,\]}]")
"""What is not simply text: an escape that may be no character, a literal that becomes text."""


_SIGNS_OF_CARE = ("\\u", "null", "true", "false")


class _Pairs(list[tuple[str, Any]]):
    """An object as written, with equal keys still apart."""


def load_jsonl(path: Path, shown: str) -> list[Source]:
    """Return one ``Source`` for each line that is not blank; its root is a mapping.

    Numbers stay as written, ``true`` and ``false`` become text, and a field that is ``null``
    counts as absent.

    Args:
        path: The file.
        shown: The file as messages name it.

    Raises:
        ProblemsFound: With the faults of all lines.
    """
    text = read_text(path, shown, SIZE_LIMIT)
    sources: list[Source] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        if len(problems) >= FAULTS_TOLD:
            raise ProblemsFound([*problems, too_many(shown)])
        plain = _plainly(line)
        if plain is not None:
            sources.append(Source(shown, plain, {(): number}))
            continue
        where = f"{shown}:{number}"
        try:
            parsed = json.loads(
                line,
                object_pairs_hook=_Pairs,
                parse_int=str,
                parse_float=str,
                parse_constant=_refuse_constant,
            )
        except json.JSONDecodeError as error:
            wrong = f"is not valid JSON at column {error.colno} ({error.msg})"
            problems.append(Problem(where, wrong, "correct the line"))
            continue
        except (RecursionError, ValueError) as error:
            wrong = "is nested too deep" if isinstance(error, RecursionError) else str(error)
            problems.append(Problem(where, wrong, "correct the line"))
            continue
        if not isinstance(parsed, _Pairs):
            problems.append(Problem(where, "is not an object", 'write {"field": value, ...}'))
            continue
        sources.append(Source(shown, _as_text(parsed, (), where, problems), {(): number}))
    if problems:
        raise ProblemsFound(problems)
    return sources


class _NotPlain(ValueError):
    """The line needs the careful reading."""


def _plain_mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise _NotPlain
    return mapping


def _not_plain(name: str) -> str:
    raise _NotPlain(name)


_PLAIN = json.JSONDecoder(
    object_pairs_hook=_plain_mapping, parse_int=str, parse_float=str, parse_constant=_not_plain
)


def _plainly(line: str) -> dict[str, Any] | None:
    """Return what a line without fault or literal holds, else None: nearly every line is such.

    The decoder then builds the very value that the careful reading would, in a tenth of the time.
    """
    if line.count("{") + line.count("[") > DEPTH_LIMIT:
        return None
    if any(sign in line for sign in _SIGNS_OF_CARE) and _NEEDS_CARE.search(line):
        return None
    try:
        value = _PLAIN.decode(line)
    except (RecursionError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _refuse_constant(name: str) -> str:
    raise ValueError(f"holds {name}, which is not JSON")


def _as_text(value: Any, loc: Loc, where: str, problems: list[Problem]) -> Any:
    """Return ``value`` with every scalar as text, adding what is wrong to ``problems``."""
    place = f"{where} {show_loc(loc)}".rstrip()
    if len(loc) > DEPTH_LIMIT:
        problems.append(Problem(where, "is nested too deep", "write it flatter"))
        return ""
    if isinstance(value, _Pairs):
        mapping: dict[str, Any] = {}
        seen: set[str] = set()
        for key, inner in value:
            if key in seen:
                wrong = f"the key {key!r} stands a second time"
                problems.append(Problem(place, wrong, "keep one of the two"))
            elif inner is not None:
                mapping[key] = _as_text(inner, (*loc, key), where, problems)
            seen.add(key)
            if fault := text_fault(key):
                problems.append(Problem(place, *fault))
        return mapping
    if isinstance(value, list):
        entries: list[Any] = value
        return [_as_text(entry, (*loc, i), where, problems) for i, entry in enumerate(entries)]
    if value is None:
        problems.append(Problem(place, "null in a list", "write a value or remove it"))
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if fault := text_fault(text):
        problems.append(Problem(place, *fault))
    return text
