"""The mapping file of a table of responses: which column is what, and what nobody may see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from reviewkit.bank.items import Frozen, Prose, Some
from reviewkit.bank.taxonomy import Wording
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Loc, Source, build, load_yaml, told

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
RESERVED = ("id", "group", "language")
"""Names that a table for strata has already."""
_TITLES = {
    "response": {"en": "Response", "ar": "الاستجابة"},
    "request": {"en": "Request", "ar": "الطلب"},
    "selection": {"en": "Selection", "ar": "الاختيار"},
    "rationale": {"en": "Rationale", "ar": "التعليل"},
}


def is_language(tag: str) -> bool:
    """Return whether this is a language tag such as ``ar`` or ``ar-IQ``."""
    return _LANGUAGE.fullmatch(tag) is not None


def _language(tag: str) -> str:
    if not is_language(tag):
        raise told(f"{tag!r} is not a language tag", "use a tag such as en or ar")
    return tag


def _delimiter(written: str) -> str:
    if written not in ("tab", "\\t") and (len(written) != 1 or written in '"\r\n'):
        raise told(f"got {written!r}", "use one character, or the word tab")
    return written


def _not_reserved(name: str) -> str:
    if name in RESERVED:
        raise told(f"the name {name!r} has a meaning already", "give it another name")
    return name


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _in_languages(wording: Any) -> Any:
    if isinstance(wording, str):
        raise told("names no language", "write 'en: ...' below the name, a line a language")
    return wording


Name = Annotated[
    str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$"), AfterValidator(_not_reserved)
]
TableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
"""The name of a table is the name of its files, and a dot in it would name another one."""
Column = Prose
Title = Annotated[Wording, BeforeValidator(_in_languages)]
Labels = Annotated[Some[Prose], BeforeValidator(_one_or_many)]


class Parse(Frozen):
    """Fields to find in one of the texts, and the labels they may have there."""

    from_: Annotated[str, Field(alias="from")]
    fields: Some[Name]
    labels: dict[str, Labels] = Field(default_factory=dict[str, tuple[str, ...]])

    @model_validator(mode="after")
    def _labels_name_fields(self) -> Parse:
        for name in self.labels:
            if name not in self.fields:
                remedy = f"use one of {', '.join(self.fields)}"
                raise told(f"there is no field {name!r}", remedy, ("labels", name))
        for at, name in enumerate(self.fields):
            if name in self.fields[:at]:
                raise told(f"the field {name!r} stands twice", "name it once", ("fields", at))
        return self


class ImportedAs(Frozen):
    """What the import wrote: digests that hold the three files of a table together."""

    file: str
    rows: str
    shown: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the file that a coder may see."""
    hidden: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the hidden columns."""


class ResponseMapping(Frozen):
    """Which column of a table is what."""

    responses: TableName
    id: Column
    texts: Annotated[dict[Name, Column], Field(min_length=1)]
    group: Column | None = None
    language: Column | None = None
    language_is: Annotated[str, AfterValidator(_language)] | None = None
    facts: dict[Name, Column] = Field(default_factory=dict[str, str])
    hidden: dict[Name, Column] = Field(default_factory=dict[str, str])
    parse: Parse | None = None
    titles: dict[str, Title] = Field(default_factory=dict[str, dict[str, str]])
    missing: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: Annotated[str, AfterValidator(_delimiter)] | None = None
    sheet: str | None = None
    imported: ImportedAs | None = None
    """Written by the import into its copy, never by a person."""

    @model_validator(mode="after")
    def _parts_agree(self) -> ResponseMapping:
        if (self.language is None) == (self.language_is is None):
            both = "names a language column and one language for all"
            wrong = "names no language" if self.language is None else both
            remedy = "write 'language: COLUMN' or 'language_is: ar', one of the two"
            raise told(wrong, remedy)
        if self.parse is not None and self.parse.from_ not in self.texts:
            remedy = f"use one of {', '.join(self.texts)}"
            raise told(f"there is no text {self.parse.from_!r}", remedy, ("parse", "from"))
        used: dict[str, str] = {}
        for place, names in self._names().items():
            for name in names:
                if name in used:
                    wrong = f"the name {name!r} stands under {used[name]} already"
                    at = ("parse", "fields") if place == "parse" else (place, name)
                    raise told(wrong, "give one of the two another name", at)
                used[name] = place
        for name in self.titles:
            if used.get(name, "hidden") == "hidden":
                shown = [each for each, place in used.items() if place != "hidden"]
                wrong = f"a coder sees nothing that is named {name!r}"
                raise told(wrong, f"use {', '.join(shown)}", ("titles", name))
        return self

    def _names(self) -> dict[str, tuple[str, ...]]:
        return {
            "texts": tuple(self.texts),
            "facts": tuple(self.facts),
            "hidden": tuple(self.hidden),
            "parse": self.fields,
        }

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are parsed out of a text."""
        return self.parse.fields if self.parse is not None else ()

    @property
    def main_text(self) -> str:
        """The role of the text that the model answered: what is parsed, or ``response``."""
        if self.parse is not None:
            return self.parse.from_
        return "response" if "response" in self.texts else next(iter(self.texts))

    @property
    def all_titles(self) -> Mapping[str, dict[str, str]]:
        """What people call every role, fact and parsed field."""
        names = (*self.fields, *self.texts, *self.facts)
        return {
            name: self.titles.get(name)
            or _TITLES.get(name)
            or {"en": name.replace("_", " ").capitalize()}
            for name in names
        }

    def shown_columns(self) -> dict[Loc, str]:
        """Return place in the mapping -> column, for every column that a coder gets to see."""
        places: dict[Loc, str] = {("id",): self.id}
        places |= {("texts", name): column for name, column in self.texts.items()}
        if self.group is not None:
            places["group",] = self.group
        if self.language is not None:
            places["language",] = self.language
        return places | {("facts", name): column for name, column in self.facts.items()}

    def hidden_columns(self) -> dict[Loc, str]:
        """Return place in the mapping -> column, for every column that no coder may see."""
        return {("hidden", name): column for name, column in self.hidden.items()}


def would_show_hidden(mapping: ResponseMapping, source: Source) -> list[Problem]:
    """Return a problem for each hidden column that stands where a coder would see it."""
    shown: dict[str, Loc] = {}
    for place, column in mapping.shown_columns().items():
        shown.setdefault(column, place)
    return [
        source.problem(
            place,
            f"would show a hidden column: {column!r} stands at {source.where(shown[column])} too",
            "take it out of one of the two places",
        )
        for place, column in mapping.hidden_columns().items()
        if column in shown
    ]


def load_mapping(path: Path, shown: str) -> tuple[ResponseMapping, Source]:
    """Return the mapping in a file and where its parts stand; raises ProblemsFound."""
    source = load_yaml(path, shown)
    mapping = build(source, ResponseMapping)
    if problems := would_show_hidden(mapping, source):
        raise ProblemsFound(problems)
    return mapping, source
