"""What we ask: what every form has, and the checklist with its checks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from reviewkit.digests import digest_of
from reviewkit.sources import told

FactName = Literal[
    "test_type", "domain", "bias_form", "reference_category", "language", "registers",
    "dialect_twin", "event", "sensitivity_level",
]  # fmt: skip
"""What a check's ``applies_when`` may ask about a card."""

CLOSED_FACTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "dialect_twin": ("yes", "no"),
        "event": ("yes", "no"),
        "registers": ("standard", "dialect", "both"),
    }
)
"""Facts whose values do not depend on the bank; any other value would never hold."""

RESERVED_KEYS = frozenset(
    {
        "y", "n", "b", "d", "j", "k", "s", "r", "e", "l", "?", "/", "Enter", "Escape",
        "m", "t", "Backspace", "Delete", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight",
    }
)  # fmt: skip
"""Keys that the desk owns; no check may take one."""

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def _language(tag: str) -> str:
    if not _LANGUAGE.fullmatch(tag):
        raise told(f"{tag!r} is not a language tag", "use a tag such as en or ar")
    return tag


def _in_languages(wording: Any) -> Any:
    if isinstance(wording, str):
        raise told("names no language", "write 'en: ...' below the name, a line a language")
    return wording


def _one_or_many(values: Any) -> Any:
    return (values,) if isinstance(values, str) else values


Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Language = Annotated[str, AfterValidator(_language)]
Wording = Annotated[dict[Language, Text], BeforeValidator(_in_languages), Field(min_length=1)]
"""The same sentence in one or more languages, keyed by language tag (``en``, ``ar``)."""
Values = Annotated[tuple[Text, ...], BeforeValidator(_one_or_many), Field(min_length=1)]
"""One or more admitted values; a single one needs no list."""

Answer = Literal["yes", "no"]
Nature = Literal["structural", "judgement"]
OnFail = Literal["fix", "reject"]


def say(wording: Mapping[str, str], language: str) -> str:
    """Return the wording in ``language``, else English, else the first; ``ar`` serves ``ar-IQ``."""
    for tag in (language, language.partition("-")[0], "en"):
        if tag in wording:
            return wording[tag]
    return next(iter(wording.values()))


def repeated(values: Iterable[str]) -> list[tuple[int, int]]:
    """Return (position, position of the first equal value) for every value that came before."""
    first: dict[str, int] = {}
    return [
        (position, first[value])
        for position, value in enumerate(values)
        if first.setdefault(value, position) != position
    ]


class Frozen(BaseModel):
    """Base of everything read from a form: unknown fields refused, values never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Check(Frozen):
    """One yes/no question about how an item is built; ``yes`` always means that it passes."""

    id: Name
    text: Wording
    explanation: Wording
    failure_example: Wording
    nature: Nature
    """``structural``: two careful people must agree; ``judgement``: it takes a reading."""
    on_fail: OnFail
    """``fix`` makes a failed check ``needs_fix``; ``reject`` makes it ``rejected``."""
    applies_when: dict[FactName, Values] = {}
    """Facts of the card (see ``cards``) and their admitted values; all must hold. Empty: always."""
    hotkey: str | None = None
    """The key that moves to this check; its number in the form when none is given."""

    @model_validator(mode="after")
    def _conditions_can_hold(self) -> Check:
        for fact, values in self.applies_when.items():
            admitted = CLOSED_FACTS.get(fact)
            for value in values:
                if admitted and value not in admitted:
                    use = " or ".join((", ".join(admitted[:-1]), admitted[-1]))
                    raise told(f"got {value!r}", f"use {use}", ("applies_when", fact))
        return self

    @cached_property
    def digest(self) -> str:
        """The digest of everything that decides what an answer to this check means."""
        return digest_of(self.model_dump(mode="json", exclude={"hotkey"}))


class Form(Frozen):
    """What every form has; a ``Checklist`` derives a verdict, a ``Codebook`` codes fields."""

    form: Name
    version: Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]*$")]
    title: Wording
    instruction: Wording
    """The standing instruction that stays in view on every card."""

    @property
    def name(self) -> str:
        """How a study names this edition of the form: ``t3@2``."""
        return f"{self.form}@{self.version}"

    @cached_property
    def digest(self) -> str:
        """The digest of the form's content, wording included."""
        return digest_of(self.model_dump(mode="json"))

    @property
    def parts(self) -> dict[str, str]:
        """Check or field id -> the digest of what an answer to it means."""
        return {}


class Checklist(Form):
    """The checks a card of one test type is judged by, in order."""

    kind: Literal["checklist"]
    test_type: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
    checks: Annotated[tuple[Check, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check_ids_differ(self) -> Checklist:
        ids = [check.id for check in self.checks]
        for position, first in repeated(ids):
            raise told(*id_stands_twice(ids[position], first), ("checks", position, "id"))
        return self

    @property
    def parts(self) -> dict[str, str]:
        """Check id -> the digest of what an answer to it means."""
        return {check.id: check.digest for check in self.checks}

    @property
    def keys(self) -> dict[str, str]:
        """The key of every check that has one, by check id."""
        hotkeys = assigned_keys([check.hotkey for check in self.checks])
        return {
            check.id: key
            for check, key in zip(self.checks, hotkeys, strict=True)
            if key is not None
        }

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which every wording of the form can be read, in the title's order."""
        wordings = [self.instruction]
        for check in self.checks:
            wordings += [check.text, check.explanation, check.failure_example]
        return tuple(
            language for language in self.title if all(language in wording for wording in wordings)
        )

    def check(self, check_id: str) -> Check:
        """Return the check with this id; KeyError when the form has none."""
        for check in self.checks:
            if check.id == check_id:
                return check
        raise KeyError(check_id)


def id_stands_twice(one_id: str, first: int, among: str = "checks") -> tuple[str, str]:
    """Return the sentence for an id that an earlier check, field or code has."""
    one = among.removesuffix("s")
    return f"the id {one_id!r} is that of {among}[{first}] too", f"give each {one} its own id"


def assigned_keys(hotkeys: Iterable[str | None]) -> list[str | None]:
    """Return the key of each check in order: its own, else its number from 1 to 9, else none."""
    return [
        hotkey if hotkey is not None else str(number) if number <= 9 else None
        for number, hotkey in enumerate(hotkeys, start=1)
    ]
