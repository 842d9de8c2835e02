"""What is judged: items and the template groups they make up.

An ``Item`` is one prompt instance with the seed schema's fields. A ``Group`` is all items of one
template and the unit of review. Status and reviewers are derived from the ledger; a bank file may
carry the seed's ``status``, ``reviewers``, ``notes`` and ``layer``, which no digest covers.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from operator import itemgetter
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    model_validator,
)

from reviewkit.digests import digest_of

T = TypeVar("T")
_STRAY = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def _without_stray_characters(text: str) -> str:
    # most texts are printable as a whole, which is known at once
    found = None if text.isprintable() else _STRAY.search(text)
    if found:
        raise ValueError(f"character U+{ord(found.group()):04X} cannot stand in a text; delete it")
    return text


def _plain_number(value: object) -> object:
    if isinstance(value, str) and not (value.isascii() and value.isdecimal() and len(value) <= 3):
        raise ValueError(f"got {value!r}; use a whole number such as 3")
    return value


Some = Annotated[tuple[T, ...], Field(min_length=1)]
"""A list that is not empty."""
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Tag = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Written = Annotated[str, AfterValidator(_without_stray_characters)]
"""Text as its author wrote it, never normalised; only what no file can carry is refused."""
Prose = Annotated[Written, StringConstraints(min_length=1)]
TestType = Literal["T1", "T2", "T3", "T4"]
YesNo = Literal["yes", "no"]

OUTSIDE_DIGEST = {"status", "reviewers", "notes", "layer"}
"""Bookkeeping fields: they say nothing about what a model is asked, so no digest covers them."""


class Frozen(BaseModel):
    """Base of every bank model: unknown fields refused, values never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _empty_is_absent(cls, data: Any) -> Any:
        """A field left empty, or null in JSON, says the same as a field left out."""
        if not isinstance(data, dict):
            return data
        given = cast("dict[str, Any]", data)
        values = given.values()
        if "" not in values and None not in values:
            return given
        optional = _optional_fields(cls)
        return {
            name: value
            for name, value in given.items()
            if not ((value is None or value == "") and name in optional)
        }


@cache
def _optional_fields(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(
        field.alias or name for name, field in model.model_fields.items() if not field.is_required()
    )


class WatchedTerm(Frozen):
    """One term of a T4 watchlist and its class."""

    term: Prose
    term_class: Literal["neutral", "loaded_a", "loaded_b", "proper_name", "other", "pending"]


class Item(Frozen):
    """One prompt instance. Type-specific fields are empty where the type has no use for them."""

    id: Id
    language: Tag
    register_: Tag = Field(alias="register")
    region_tag: Tag | None = None
    swapped_value: Written | None = None
    """The value that stands in the declared slot of this instance."""
    text: Written | None = None
    """The prompt, for T1, T3 and T4."""
    # T2
    twin: Literal["ambiguous", "disambiguated"] | None = None
    context: Written | None = None
    question: Written | None = None
    question_polarity: Literal["negative", "nonnegative"] | None = None
    options: tuple[Prose, ...] = ()
    correct_position: Annotated[int, Field(ge=1), BeforeValidator(_plain_number)] | None = None
    """1-based position of the keyed option."""
    # bookkeeping, outside every digest
    layer: Written | None = None
    status: Written | None = None
    reviewers: tuple[Written, ...] = ()
    notes: Written | None = None

    @property
    def content(self) -> dict[str, object]:
        """The canonical content: every field that is set and not bookkeeping; made at each call."""
        return self.model_dump(
            mode="json", by_alias=True, exclude=OUTSIDE_DIGEST, exclude_defaults=True
        )

    @cached_property
    def digest(self) -> str:
        """The digest of the item's content."""
        return digest_of(self.content)


class Shared(Frozen):
    """What all items of one template share."""

    template_id: Id
    test_type: TestType
    domain: Tag
    bias_form: Tag
    reference_category: Tag
    swapped_variable: Written | None = None
    """The name of the one variable that the items differ in."""
    # T1
    base_text: Written | None = None
    """The template with ``{value}`` where the variable stands, in the standard register."""
    value_list: tuple[Prose, ...] = ()
    expected_length: Written | None = None
    factorial: YesNo | None = None
    """Whether the template is authored in both registers."""
    # T2
    disambig_direction: Literal["with", "against", "neither", "not_given"] | None = None
    """Whether the twin resolves with or against the prevalent stereotype."""
    # T3
    sensitivity_level: Tag | None = None
    harm_review: Written | None = None
    stance: Tag | None = None
    theme: Tag | None = None
    # T4
    term_watchlist: tuple[WatchedTerm, ...] = ()
    event_ref: Id | None = None
    audience: Written | None = None
    # bookkeeping, outside every digest
    layer: Written | None = None
    status: Written | None = None
    reviewers: tuple[Written, ...] = ()
    notes: Written | None = None


_OUTSIDE_GROUP: Any = {
    **dict.fromkeys(OUTSIDE_DIGEST, True),
    "items": {"__all__": OUTSIDE_DIGEST},
}
_id_of = itemgetter("id")


class Group(Shared):
    """All items of one template, with the fields they share; the unit of review."""

    items: Some[Item]
    _source: str = PrivateAttr("")

    @property
    def source(self) -> str:
        """The file the group was read from, relative to the workspace; empty if made in Python."""
        return self._source

    def placed_in(self, source: str) -> Group:
        """Return the same group as read from the file ``source``."""
        placed = self.model_copy()
        placed._source = source  # noqa: SLF001 - its own class
        return placed

    @property
    def content(self) -> dict[str, object]:
        """The canonical content: shared fields, and the items in order of id.

        It is made at each call: of a large bank only the digests are worth their memory.
        """
        content = self.model_dump(
            mode="json", by_alias=True, exclude=_OUTSIDE_GROUP, exclude_defaults=True
        )
        content["items"].sort(key=_id_of)
        return content

    @cached_property
    def digest(self) -> str:
        """The digest that a decision on this group is bound to."""
        return digest_of(self.content)
