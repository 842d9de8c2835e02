"""From text to models: pydantic's complaints become problems with file, line and remedy."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, TypeVar, cast, get_args

from pydantic import AfterValidator, BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.source import Loc, Source

M = TypeVar("M", bound=BaseModel)

_SHOWN_LENGTH = 60


def told(wrong: str, remedy: str, at: Loc = ()) -> PydanticCustomError:
    """Return the error a model's own validator raises to be shown as ``wrong; remedy``.

    ``at`` is a place below the validated value, for a validator that looks at several fields.
    """
    return PydanticCustomError(
        "told", "{wrong}; {remedy}", {"wrong": wrong, "remedy": remedy, "at": at}
    )


def written_as(pattern: str, example: str) -> AfterValidator:
    """Return a check of a text that names an example where the pattern itself says little."""

    def fits(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise told(_got(text), f"write it as {example}")
        return text

    return AfterValidator(fits)


def build(source: Source, model: type[M], value: Any = None, at: Loc = ()) -> M:
    """Return ``value`` as a model; without ``value``, what stands in the source at ``at``.

    Args:
        source: Where it was read, which gives the lines.
        model: The pydantic model to build.
        value: The part of the source's value to build from.
        at: The place of that part in the source.

    Raises:
        ProblemsFound: With every fault pydantic finds.
    """
    if value is None:
        value = source.value
        for part in at:
            value = value[part]
    try:
        return model.model_validate(value)
    except ValidationError as error:
        problems = _problems(error.errors(include_url=False), source, model, value, at)
        raise ProblemsFound(problems) from error


def _problems(
    errors: list[ErrorDetails], source: Source, model: type[BaseModel], value: Any, at: Loc
) -> list[Problem]:
    found: dict[Problem, int] = {}
    suggested: set[Loc] = set()
    for error in sorted(errors, key=lambda error: error["type"] == "missing"):
        inner: Loc = error["loc"]
        least = error.get("ctx", {}).get("min_length", 0)
        if error["type"] == "too_short" and len(error["input"]) >= least:
            # pydantic leaves out entries that are at fault themselves and then counts.
            continue
        if error["type"] == "missing":
            # One slip of the pen is one problem: 'natur' was named already.
            if inner in suggested:
                continue
            loc = (*at, *inner[:-1])
            wrong, remedy = f"has no field {str(inner[-1])!r}", "add it"
        elif error["type"] == "extra_forbidden":
            loc = (*at, *inner)
            known = _field_names(model, inner[:-1])
            near = get_close_matches(str(inner[-1]), known, n=1)
            suggested.update((*inner[:-1], name) for name in near)
            wrong, remedy = f"unknown field {str(inner[-1])!r}", _nearest(near, known)
        elif error["type"] == "literal_error" and inner[-1:] == ("[key]",):
            loc = (*at, *inner[:-1])
            known = re.findall("'([^']*)'", error.get("ctx", {})["expected"])
            near = get_close_matches(str(error["input"]), known, n=1)
            wrong, remedy = f"unknown name {error['input']!r}", _nearest(near, known)
        else:
            below: Loc = error.get("ctx", {}).get("at", ()) if error["type"] == "told" else ()
            loc = (*at, *_existing(value, (*inner, *below)))
            wrong, remedy = _sentence(error)
        found.setdefault(source.problem(loc, wrong, remedy), source.line(loc))
    return sorted(found, key=lambda problem: found[problem])


def _existing(value: Any, loc: Loc) -> Loc:
    """Return the parts of a pydantic location that stand in the file (it adds some of its own)."""
    kept: list[str | int] = []
    for part in loc:
        if isinstance(value, dict):
            mapping = cast("dict[Any, Any]", value)
            if part not in mapping:
                break
            value = mapping[part]
        elif isinstance(value, list | tuple):
            entries = cast("list[Any]", value)
            if not isinstance(part, int) or part >= len(entries):
                break
            value = entries[part]
        else:
            break
        kept.append(part)
    return tuple(kept)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _models_in(argument)]


def _field_names(model: type[BaseModel], loc: Loc) -> list[str]:
    """Return the names of the fields that the model at ``loc`` below ``model`` has."""
    models = [model]
    for part in loc:
        inner = [
            found
            for candidate in models
            for name, info in candidate.model_fields.items()
            if part in (name, info.alias)
            for found in _models_in(info.annotation)
        ]
        models = inner or models
    return [
        info.alias or name
        for candidate in models
        for name, info in candidate.model_fields.items()
        if not info.exclude
    ]


def _nearest(near: list[str], known: list[str]) -> str:
    return f"did you mean {near[0]!r}?" if near else f"use {_either(known)}"


def _either(words: list[str]) -> str:
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def _got(value: Any) -> str:
    if isinstance(value, bool):
        return f"got {str(value).lower()!r}"
    if isinstance(value, dict):
        return "got a mapping"
    if isinstance(value, list | tuple):
        return "got a list"
    text = str(value)
    if len(text) > _SHOWN_LENGTH:
        text = text[: _SHOWN_LENGTH - 1] + "…"
    return f"got {text!r}"


_REMEDIES = {
    "string_type": "write one text",
    "tuple_type": "write a list, each entry on a line that begins with '- '",
    "list_type": "write a list, each entry on a line that begins with '- '",
    "dict_type": "write 'name: value' lines below it",
    "model_type": "write 'name: value' lines below it",
    "model_attributes_type": "write 'name: value' lines below it",
    "int_type": "use a whole number",
    "int_parsing": "use a whole number",
    "int_from_float": "use a whole number",
    "float_parsing": "use a number",
    "bool_parsing": "use true or false",
    "greater_than_equal": "use {ge} or more",
    "greater_than": "use more than {gt}",
    "less_than_equal": "use {le} or less",
    "less_than": "use less than {lt}",
}


def _sentence(error: ErrorDetails) -> tuple[str, str]:
    """Return (what is wrong, what to do) for one of pydantic's errors."""
    kind, value, facts = error["type"], error["input"], error.get("ctx", {})
    wrong, remedy = _got(value), "correct it"
    if kind == "told":
        wrong, remedy = facts["wrong"], facts["remedy"]
    elif kind in ("literal_error", "enum"):
        remedy = f"use {facts['expected'].replace(chr(39), '')}"
    elif kind in ("string_too_short", "too_short"):
        wrong, remedy = _too_short(kind, value, facts["min_length"])
    elif kind in ("string_too_long", "too_long"):
        wrong, remedy = f"has length {len(value)}", f"give at most {facts['max_length']}"
    elif kind == "string_pattern_mismatch":
        remedy = _pattern_in_words(facts["pattern"])
    elif kind in _REMEDIES:
        remedy = _REMEDIES[kind].format(**facts)
    elif kind == "value_error":
        said, _, advice = str(facts.get("error", error["msg"])).rpartition("; ")
        wrong, remedy = (said, advice) if said else (advice, remedy)
    else:
        wrong = f"{wrong} ({error['msg']})"
    return wrong, remedy


def _too_short(kind: str, value: Any, least: int) -> tuple[str, str]:
    if kind == "string_too_short" and not value.strip():
        return "is empty", "write it"
    if not value:
        return "is empty", "give at least one"
    return f"has length {len(value)}", f"give at least {least}"


_CLASS = r"\[([^\]\\]+)\](?:[*+?]|\{\d+(?:,\d*)?\})?"
_RANGES = (
    ("a-z", "letters a to z", "a letter a to z"),
    ("A-Z", "letters A to Z", "a letter A to Z"),
    ("0-9", "digits", "a digit"),
    ("1-9", "digits", "a digit from 1 to 9"),
)


def _pattern_in_words(pattern: str) -> str:
    """Return a plain instruction for a pattern of character classes, else the pattern itself."""
    if not re.fullmatch(rf"\^(?:{_CLASS})+\$", pattern):
        return f"write it as {pattern}"
    classes = re.findall(_CLASS, pattern)
    allowed = _class_in_words("".join(classes))
    *others, last = dict.fromkeys(many for many, _ in allowed)
    only = " and ".join(part for part in (", ".join(others), last) if part)
    first = _class_in_words(classes[0])
    start = "" if first == allowed else f", and begin with {_either([one for _, one in first])}"
    return f"use only {only}{start}"


def _class_in_words(inside: str) -> list[tuple[str, str]]:
    """Return (all of a kind, one of the kind) for what a character class admits."""
    words: list[tuple[str, str]] = []
    for name, many, one in _RANGES:
        if name in inside:
            words.append((many, one))
            inside = inside.replace(name, "")
    return words + [(f"'{char}'", f"'{char}'") for char in dict.fromkeys(inside)]
