"""Finds fields such as ``Selection:`` and ``Rationale:`` in a model's answer and says how.

*Conforming*: the literal label stands once, at the beginning of a line, in order. *Tolerant*: found
all the same, with marks, another case or separator, in another order, inside a line, a code fence
or a JSON object. *Failed*: not found, empty, or there twice with two values; nothing is guessed.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast

How = Literal["conforming", "tolerant", "failed"]

# Stars, heading and list marks, quotes of an e-mail, and marks of direction, which Arabic text has.
_MARKS = "[ \\t>*_#`•\\-\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]*"
_AFTER = "[ \\t*_`\u200e\u200f\u202a-\u202e\u2066-\u2069]*"
# colons of ASCII, full width, small, ratio and modifier letter; or a dash, the short one if free
_SEPARATOR = r"[:\uff1a\ufe55\u2236\ua789=\u2013\u2014]|(?<=[\s*_`])-(?=\s)"
_ARABIC_MARKS = "[\u0640\u064b-\u0652\u0670]*"
_ALIKE = ("اأإآٱ", "يى", "هة")
# what a label on the next line leaves behind: a list mark, a rule or a fence
_LEFTOVER = re.compile(r"[-*_#>]{0,3}|`{3}")
_FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)(?:\n[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One field as it was found; ``raw`` is the piece of the answer it was read from."""

    name: str
    value: str
    how: How
    raw: str


@dataclass(frozen=True, slots=True)
class Slice:
    """One field with the place of its raw text, in code points."""

    name: str
    value: str
    how: How
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Mark:
    """A label that was found: where it begins, where its value begins, how it was written."""

    start: int
    end: int
    literal: bool
    stars: int = 0
    """Stars before the label that are still open after it."""


def default_labels(name: str) -> tuple[str, ...]:
    """Return the label of a field that names none: ``selection`` is ``Selection``."""
    return (name.replace("_", " ").capitalize(),)


def parse_fields(
    text: str, fields: Sequence[str], labels: Mapping[str, Sequence[str]] | None = None
) -> tuple[Parsed, ...]:
    """Return every field of ``fields``, in that order.

    Args:
        text: The model's answer.
        fields: The names of the fields.
        labels: Field -> the labels that stand before it; its name with a capital when not given.
    """
    return tuple(
        Parsed(each.name, each.value, each.how, text[each.start : each.end])
        for each in find_fields(text, fields, labels)
    )


def find_fields(
    text: str, fields: Sequence[str], labels: Mapping[str, Sequence[str]] | None = None
) -> tuple[Slice, ...]:
    """Return what ``parse_fields`` does, with places in ``text`` in place of the raw text."""
    known = {name: tuple((labels or {}).get(name) or default_labels(name)) for name in fields}
    start, end, fenced = _body(text, known)
    if text[start:end].lstrip().startswith("{") and (found := _in_object(text, start, end, known)):
        return found
    marks = {name: _marks(text, start, end, name_labels) for name, name_labels in known.items()}
    if not any(marks.values()) and (found := _in_object(text, start, end, known)):
        return found
    return _in_lines(text, end, marks, fenced)


def _body(text: str, known: Mapping[str, tuple[str, ...]]) -> tuple[int, int, bool]:
    """Return (start, end, whether it is inside a code fence) of the part to look in."""
    labels = [
        found.start("label")
        for name_labels in known.values()
        for found in _loose(name_labels).finditer(text)
    ]
    first, last = min(labels, default=0), max(labels, default=0)
    for fence in _FENCE.finditer(text):
        start, end = fence.span(1)
        inside = start <= first and last < end if labels else text[start:end].lstrip()[:1] == "{"
        if inside:
            return start, end, True
    return 0, len(text), False


def _in_lines(
    text: str, end: int, marks: Mapping[str, Sequence[_Mark]], fenced: bool
) -> tuple[Slice, ...]:
    starts = sorted(mark.start for found in marks.values() for mark in found)
    single = [found[0] for found in marks.values() if len(found) == 1]
    ordered = [mark.start for mark in single] == sorted(mark.start for mark in single)
    conforming = (
        ordered
        and not fenced
        and all(len(found) <= 1 for found in marks.values())
        and all(mark.literal for mark in single)
    )
    slices: list[Slice] = []
    for name, found in marks.items():
        values: dict[str, Slice] = {}
        for mark in found:
            following = bisect_right(starts, mark.start)
            stop = starts[following] if following < len(starts) else end
            value = _value(text[mark.end : stop], mark, conforming=conforming)
            how: How = "conforming" if conforming else "tolerant"
            last = mark.start + len(text[mark.start : stop].rstrip())
            values[value] = Slice(name, value, how, mark.start, last)
        # Two different values: which one the model meant is for a person to say.
        usable = next(iter(values.values())) if len(values) == 1 else None
        slices.append(usable if usable and usable.value else Slice(name, "", "failed", 0, 0))
    return tuple(slices)


def _value(written: str, mark: _Mark, *, conforming: bool) -> str:
    value = written.strip()
    if conforming:
        return value
    if mark.stars and value.endswith("*" * mark.stars):
        value = value[: -mark.stars].rstrip()
    lines = value.split("\n")
    while len(lines) > 1 and _LEFTOVER.fullmatch(lines[-1].strip()):
        lines.pop()
    value = "\n".join(lines).rstrip()
    for wrap in ("**", "*", "`"):
        inner = value[len(wrap) : -len(wrap)]
        if len(value) > 2 * len(wrap) and value == f"{wrap}{inner}{wrap}" and wrap not in inner:
            return inner.strip()
    return value


def _marks(text: str, start: int, end: int, labels: tuple[str, ...]) -> tuple[_Mark, ...]:
    """Return the labels as strictly as they can be found: literal, else loose, else in a line."""
    literal = tuple(
        _Mark(found.start(), found.end(), literal=True)
        for found in _literal(labels).finditer(text, start, end)
    )
    if literal:
        return literal
    loose = tuple(
        _loose_mark(found)
        for found in _loose(labels).finditer(text, start, end)
        # only a heading may do without a colon
        if found["separator"].strip() or "#" in found["before"] or "*" in found["between"]
    )
    if loose:
        return loose
    return tuple(
        _Mark(found.start(), found.end(), literal=False)
        for found in _inline(labels).finditer(text, start, end)
    )


def _loose_mark(found: re.Match[str]) -> _Mark:
    opened = found["before"].count("*") - found["between"].count("*")
    end = found.end()
    rest = found.string[end : end + 4].lstrip(" ")
    if opened > 0 and rest.startswith("*" * opened):
        # **Selection:** A
        return _Mark(found.start(), found.string.index("*", end) + opened, literal=False)
    return _Mark(found.start(), end, literal=False, stars=max(opened, 0))


@lru_cache(maxsize=64)
def _literal(labels: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"^(?:{'|'.join(re.escape(label) for label in labels)}):", re.MULTILINE)


@lru_cache(maxsize=64)
def _loose(labels: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(_loosely(label) for label in labels)
    return re.compile(
        rf"^(?P<before>{_MARKS}(?:\d{{1,2}}[.)]{_MARKS})?)(?P<label>{names})(?P<between>{_AFTER})"
        rf"(?P<separator>{_SEPARATOR}|\r?$)",
        re.MULTILINE | re.IGNORECASE,
    )


@lru_cache(maxsize=64)
def _inline(labels: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(re.escape(label) for label in labels)
    return re.compile(
        rf"(?<![^\s.,;:!?،؛؟*|(])\*{{0,3}}(?:{names})\*{{0,3}}[ \t]*[:\uff1a]\*{{0,3}}"
    )


def _loosely(label: str) -> str:
    """Return a pattern for a label in any case and Arabic spelling."""
    parts: list[str] = []
    # marks of the label itself are among those that may follow any letter: twice the same run side
    # by side would be divided in every way there is
    for char in re.sub(_ARABIC_MARKS, "", label) or re.escape(label):
        alike = next((group for group in _ALIKE if char in group), None)
        if char.isspace():
            parts.append(r"[\s_]+")
        else:
            parts.append((f"[{alike}]" if alike else re.escape(char)) + _ARABIC_MARKS)
    return "".join(parts)


def _in_object(
    text: str, start: int, end: int, known: Mapping[str, tuple[str, ...]]
) -> tuple[Slice, ...] | None:
    """Return the fields of the first JSON object that has one of them as a key."""
    decoder = json.JSONDecoder(parse_int=str, parse_float=str)
    at = text.find("{", start, end)
    tries = 0
    while at >= 0 and tries < 20:
        tries += 1
        try:
            value, stop = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1, end)
            continue
        pairs = cast("dict[str, Any]", value)
        found = {
            name: pairs[key]
            for name, labels in known.items()
            for key in pairs
            if _key(labels).fullmatch(key.strip())
        }
        if found and stop <= end:
            return tuple(_of_object(name, found.get(name), at, stop) for name in known)
        at = text.find("{", stop, end)
    return None


@lru_cache(maxsize=64)
def _key(labels: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(_loosely(label) for label in labels), re.IGNORECASE)


def _of_object(name: str, value: Any, start: int, stop: int) -> Slice:
    if isinstance(value, str):
        text = value.strip()
    elif value is None:
        text = ""
    else:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return Slice(name, text, "tolerant", start, stop) if text else Slice(name, "", "failed", 0, 0)
