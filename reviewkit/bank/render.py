"""Writes a group as the YAML that people read and edit; it reads back letter by letter.

Scalars stand plain where YAML allows it. A text with hidden or edge characters stands in double
quotes with those characters escaped, so that nobody loses one by retyping the line.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import yaml

from reviewkit.bank.items import Group

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`=~<. ")
"""What a plain scalar does not begin with; a few more than YAML forbids, for readers' sake."""
_BLANK_LOOKING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffe\uffff")
_RESOLVER = yaml.resolver.Resolver()


def render_group(group: Group) -> str:
    """Return ``group`` as the text of a YAML file that reads back as the same group."""
    dumped = group.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    items = dumped.pop("items")
    return "\n".join(_mapping({**dumped, "items": items}, indent=0)) + "\n"


def render_scalar(text: str) -> str:
    """Return ``text`` as one YAML scalar on one line, in double quotes only where needed."""
    return text if _is_plain(text) else _quoted(text)


def is_hidden(char: str) -> bool:
    """Return whether a character cannot be seen, or not be told from a plain space."""
    if char == " ":
        return False
    if unicodedata.category(char)[0] in "CZ" or char in _BLANK_LOOKING:
        return True
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _mapping(fields: Mapping[str, Any], indent: int) -> Iterator[str]:
    pad = " " * indent
    for name, value in fields.items():
        if isinstance(value, str):
            yield from _text(f"{pad}{name}:", value, indent + 2)
        elif isinstance(value, list):
            yield f"{pad}{name}:"
            yield from _sequence(cast("list[Any]", value), indent + 2)
        else:
            yield f"{pad}{name}: {value}"


def _sequence(values: Sequence[Any], indent: int) -> Iterator[str]:
    pad = " " * indent
    for value in values:
        if isinstance(value, dict):
            first, *others = _mapping(cast("dict[str, Any]", value), indent + 2)
            yield f"{pad}- {first.lstrip(' ')}"
            yield from others
        else:
            yield f"{pad}- {render_scalar(str(value))}"


def _text(head: str, text: str, indent: int) -> Iterator[str]:
    if not _is_block(text):
        yield f"{head} {render_scalar(text)}"
        return
    yield f"{head} |" if text.endswith("\n") else f"{head} |-"
    for line in text.removesuffix("\n").split("\n"):
        yield " " * indent + line if line else ""


def _is_block(text: str) -> bool:
    """Return whether several lines can stand as they are under ``|``, nothing hidden in them."""
    lines = text.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and lines[0][:1] not in ("", " ")
        and lines[-1] != ""
        and not any(line.endswith(" ") for line in lines)
        and not any(is_hidden(char) for line in lines for char in line)
    )


def _is_plain(text: str) -> bool:
    return (
        text != ""
        and text[0] not in _INDICATORS
        and text[-1] not in " :"
        and re.search(r": | #", text) is None
        and not any(is_hidden(char) for char in text)
        and _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) == "tag:yaml.org,2002:str"
    )


def _quoted(text: str) -> str:
    """Return the scalar in double quotes; spaces that stand at an edge are escaped as well."""
    body = "".join(_escaped(char) for char in json.dumps(text, ensure_ascii=False)[1:-1])
    inner = body.strip(" ")
    lead = len(body) - len(body.lstrip(" "))
    trail = len(body) - lead - len(inner)
    return '"' + r"\x20" * lead + inner + r"\x20" * trail + '"'


def _escaped(char: str) -> str:
    if not is_hidden(char):
        return char
    code = ord(char)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
