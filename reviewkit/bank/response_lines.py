"""One imported response and the line of JSON it is kept as."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from reviewkit.bank.parse_fields import Parsed, Slice
from reviewkit.digests import canonical_json, digest_of

_FIELDS = ("facts", "group", "id", "language", "parsed", "texts")
_HOWS = ("conforming", "tolerant", "failed")


class NotALine(Exception):
    """A line is not as the import writes it; the text says how."""


@dataclass(frozen=True)
class Response:
    """What a coder may see of one response; nothing hidden ever gets here."""

    response_id: str
    group: str
    language: str
    texts: dict[str, str]
    """Role -> text, exactly as it stood in the table."""
    facts: dict[str, str]
    parsed: tuple[Parsed, ...] = ()

    @cached_property
    def content(self) -> dict[str, Any]:
        """The content that the digest is taken of."""
        parsed = [
            {"name": each.name, "value": each.value, "how": each.how, "raw": each.raw}
            for each in self.parsed
        ]
        return {
            "id": self.response_id, "group": self.group, "language": self.language,
            "texts": self.texts, "facts": self.facts, "parsed": parsed,
        }  # fmt: skip

    @cached_property
    def digest(self) -> str:
        """The digest that a coding of this response is bound to."""
        return digest_of(self.content)


def hidden_line(response_id: str, hidden: dict[str, str]) -> bytes:
    """Return the line that keeps the hidden columns of a response."""
    return canonical_json({"id": response_id, "hidden": hidden}) + b"\n"


def response_line(
    response_id: str, group: str, language: str, texts: dict[str, str], facts: dict[str, str],
    parsed_from: str, slices: tuple[Slice, ...],
) -> bytes:  # fmt: skip
    """Return the line that keeps a response.

    Of a parsed field it keeps the places in its text, from and up to which character: a copy would
    double the file. Only a value that does not stand there as it is, from JSON, is kept as text.
    """
    parsed = [
        {"name": each.name, "how": each.how, "from": parsed_from, "raw": [each.start, each.end],
         "value": _value_kept(each, texts[parsed_from])}
        for each in slices
    ]  # fmt: skip
    kept = {
        "id": response_id, "group": group, "language": language, "texts": texts, "facts": facts,
        "parsed": parsed,
    }  # fmt: skip
    return canonical_json(kept) + b"\n"


def response_of(raw: bytes) -> Response:
    """Return the response in a line; NotALine says what is wrong with it."""
    kept = object_of(raw)
    if sorted(kept) != list(_FIELDS):
        raise NotALine(f"has other fields than {', '.join(_FIELDS)}")
    texts, facts = _texts(kept, "texts"), _texts(kept, "facts")
    for name in ("id", "group", "language"):
        if not isinstance(kept[name], str):
            raise NotALine(f"{name} is not text")
    if not kept["id"]:
        raise NotALine("id is empty")
    try:
        parsed = tuple(_parsed(entry, texts) for entry in kept["parsed"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotALine("parsed is not as the import writes it") from error
    return Response(kept["id"], kept["group"], kept["language"], texts, facts, parsed)


def object_of(raw: bytes) -> dict[str, Any]:
    """Return the JSON object in a line; NotALine says what is wrong with it."""
    try:
        kept = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NotALine("is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise NotALine(f"is not valid JSON at column {error.colno} ({error.msg})") from error
    except RecursionError as error:
        raise NotALine("is nested too deep") from error
    if not isinstance(kept, dict):
        raise NotALine("is not an object")
    return cast("dict[str, Any]", kept)


def _texts(kept: dict[str, Any], name: str) -> dict[str, str]:
    value = kept[name]
    if not isinstance(value, dict) or not all(
        isinstance(each, str) for each in cast("dict[str, Any]", value).values()
    ):
        raise NotALine(f"{name} is not an object of texts")
    return cast("dict[str, str]", value)


def _parsed(entry: Any, texts: dict[str, str]) -> Parsed:
    text = texts[entry["from"]]
    start, end = entry["raw"]
    name, value, how = entry["name"], entry["value"], entry["how"]
    if isinstance(value, list):
        value = text[slice(*cast("list[int]", value))]
    if how not in _HOWS or not isinstance(name, str) or not isinstance(value, str):
        raise NotALine("parsed is not as the import writes it")
    return Parsed(name, value, how, text[start:end])


def _value_kept(each: Slice, text: str) -> str | list[int]:
    at = text.find(each.value, each.start, each.end)
    return [at, at + len(each.value)] if at >= 0 and each.value else each.value
