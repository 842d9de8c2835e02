"""What we ask of a response: a codebook, its fields and codes, and the values derived from them.

Derived values come from a short closed list of operations, so that a codebook stays data: ``map``,
``collapse``, ``any``, ``all``, ``count`` and ``is_empty``.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from math import prod
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from reviewkit.digests import digest_of
from reviewkit.questions.answers import REJECTED, CodeId
from reviewkit.questions.forms import (
    RESERVED_KEYS,
    Form,
    Frozen,
    Name,
    Nature,
    Text,
    Values,
    Wording,
    id_stands_twice,
    repeated,
)
from reviewkit.sources import told

CODING_KEYS = (RESERVED_KEYS - {"d", "e"}) | {"u", "w", "x"}
"""Keys that the desk owns on a coding card; no code and no flag may take one."""

MOST_VALUES = 5_000
"""A map over more combinations of values than this is not looked through for slips of the pen."""

YesNo = Literal["yes", "no"]
FieldType = Literal["choice", "yes_no", "many", "spans"]
Operation = Literal["map", "collapse", "any", "all", "count", "is_empty"]


def _one_or_many(names: Any) -> Any:
    return (names,) if isinstance(names, str) else names


Names = Annotated[tuple[Name, ...], BeforeValidator(_one_or_many)]


class Code(Frozen):
    """One code of a field."""

    id: CodeId
    title: Wording
    explanation: Wording | None = None
    example: Wording | None = None
    hotkey: str | None = None
    """The key that chooses it; its number in the field when none is given."""
    abstain: YesNo = "no"
    """``yes``: the coder cannot classify; such a code belongs to no side of a collapse."""


class Flag(Frozen):
    """A yes/no mark on a span, such as: the term is attributed to a source."""

    id: Name
    title: Wording
    explanation: Wording | None = None
    hotkey: str | None = None


class CodeField(Frozen):
    """One question of a codebook."""

    id: Name
    type: FieldType
    text: Wording
    explanation: Wording
    failure_example: Wording | None = None
    codes: tuple[Code, ...] = ()
    """The codes of a ``choice``, ``many`` or ``spans`` field; ``yes_no`` has its own two."""
    ordinal: YesNo = "no"
    """Whether the codes are in order, as on a graded scale."""
    optional: YesNo = "no"
    nature: Nature = "judgement"
    applies_when: dict[Name, Values] = Field(default_factory=dict)
    """Facts of the card, or earlier fields, and their admitted values; all must hold."""
    note_when: Annotated[tuple[Text, ...], BeforeValidator(_one_or_many)] = ()
    """Answers that need a note."""
    of: str = ""
    """``spans``: the role of the text that they lie in."""
    watchlist: YesNo = "no"
    """``spans``: whether every match of the study's watchlist must be settled."""
    flags: tuple[Flag, ...] = ()

    @model_validator(mode="after")
    def _holds_together(self) -> CodeField:
        ids = [code.id for code in self.codes]
        for position, first in repeated(ids):
            at = ("codes", position, "id")
            raise told(*id_stands_twice(ids[position], first, "codes"), at)
        if self.type == "yes_no" and self.codes:
            raise told("has codes", "leave them out: a yes_no field has yes and no", ("codes",))
        if self.type != "yes_no" and not self.codes:
            raise told(f"a {self.type} field without codes", "add codes below `codes:`")
        if self.type == "spans":
            self._is_about_spans()
        elif self.of or self.flags or self.watchlist == "yes":
            raise told("of, flags and watchlist are for spans", "leave them out", ("type",))
        for value in self.note_when:
            if value not in self.code_ids:
                known = ", ".join(self.code_ids)
                raise told(f"note_when names {value!r}", f"use one of {known}", ("note_when",))
        return self

    def _is_about_spans(self) -> None:
        if not self.of:
            raise told("spans of which text?", "add `of: response` or another text's role")
        for position, code in enumerate(self.codes):
            if code.id == REJECTED:
                wrong = f"the code {REJECTED!r} is taken: it rejects a watchlist match"
                raise told(wrong, "choose another id", ("codes", position, "id"))
        marks = [*self.code_ids, *(flag.id for flag in self.flags)]
        for position, first in repeated(marks):
            among, number = "codes", first
            if first >= len(self.codes):
                among, number = "flags", first - len(self.codes)
            at = ("flags", position - len(self.codes), "id")
            wrong = f"the id {marks[position]!r} is that of {among}[{number}] too"
            raise told(wrong, "give each code and each flag its own id", at)

    @cached_property
    def code_ids(self) -> tuple[str, ...]:
        """The codes that an answer may name, in order."""
        return ("yes", "no") if self.type == "yes_no" else tuple(code.id for code in self.codes)

    @cached_property
    def abstaining(self) -> frozenset[str]:
        """The codes that say: cannot be classified."""
        return frozenset(code.id for code in self.codes if code.abstain == "yes")

    @cached_property
    def keys(self) -> dict[str, str]:
        """The key of every code and flag that has one: its own, else its number from 1 to 9."""
        found = {
            code.id: code.hotkey or str(number)
            for number, code in enumerate(self.codes, start=1)
            if code.hotkey or number <= 9
        }
        if self.type == "yes_no":
            found = {"yes": "y", "no": "n"}
        return found | {flag.id: flag.hotkey for flag in self.flags if flag.hotkey}

    @cached_property
    def digest(self) -> str:
        """The digest of everything that decides what an answer to this field means."""
        keys = {"__all__": {"hotkey"}}
        return digest_of(self.model_dump(mode="json", exclude={"codes": keys, "flags": keys}))


class Derived(Frozen):
    """A value that is computed from answers and never typed."""

    id: Name
    title: Wording
    op: Operation
    of: Names = ()
    """``map``, ``collapse``, ``count``, ``is_empty``: the fields or earlier derived values."""
    to: dict[str, Text] = Field(default_factory=dict)
    """``map``, ``collapse``: a value, or several joined by one space, and what it becomes."""
    otherwise: str = ""
    """``map``: what every other value becomes; nothing when not given."""
    when: dict[Name, Values] = Field(default_factory=dict)
    """``any``, ``all``: fields or derived values and the values that count."""
    codes: Annotated[tuple[Text, ...], BeforeValidator(_one_or_many)] = ()
    """``count``: only these codes; every code when not given."""
    unless: Names = ()
    """``count``: spans with one of these flags are not counted (an attributed term, say)."""
    titles: dict[str, Wording] = Field(default_factory=dict)
    """What the values are called."""

    @property
    def values(self) -> tuple[str, ...]:
        """The values that it may have, but the empty one; none for a count."""
        return tuple(each for each in _values_of(self) if each)

    @property
    def sources(self) -> tuple[str, ...]:
        """The fields and derived values that it is computed from."""
        return self.of or tuple(self.when)


class Codebook(Form):
    """The fields that a response is coded in, in order, and what is derived from them."""

    kind: Literal["codebook"]
    fields: Annotated[tuple[CodeField, ...], Field(min_length=1)]
    derived: tuple[Derived, ...] = ()

    @model_validator(mode="after")
    def _names_hold(self) -> Codebook:
        ids = [field.id for field in self.fields]
        for position, first in repeated(ids):
            at = ("fields", position, "id")
            raise told(*id_stands_twice(ids[position], first, "fields"), at)
        for position, field in enumerate(self.fields):
            for name, values in field.applies_when.items():
                earlier = next((each for each in self.fields if each.id == name), None)
                at = ("fields", position, "applies_when", name)
                if earlier is None:
                    continue
                if name in ids[position:]:
                    raise told(f"{name!r} is asked later", "name a field that comes before", at)
                _are_codes_of(earlier, values, at)
        known = {field.id: field for field in self.fields}
        values_of: dict[str, tuple[str, ...]] = {}
        for position, each in enumerate(self.derived):
            at = ("derived", position)
            if each.id in known or each.id in values_of:
                raise told(f"the id {each.id!r} stands twice", "choose another", (*at, "id"))
            _check_derived(each, known, values_of, at)
            values_of[each.id] = _values_of(each)
        return self

    @property
    def parts(self) -> dict[str, str]:
        """Field id -> the digest of what an answer to it means."""
        return {field.id: field.digest for field in self.fields}

    def field(self, field_id: str) -> CodeField:
        """Return the field with this id; KeyError when the codebook has none."""
        for field in self.fields:
            if field.id == field_id:
                return field
        raise KeyError(field_id)


def _values_of(derived: Derived) -> tuple[str, ...]:
    if derived.op in ("any", "all", "is_empty"):
        return ("yes", "no")
    if derived.op == "count":
        return ()
    return tuple(dict.fromkeys((*derived.to.values(), derived.otherwise)))


Place = tuple[str | int, ...]


def _are_codes_of(field: CodeField, values: tuple[str, ...], at: Place) -> None:
    for value in values:
        if value not in field.code_ids:
            known = ", ".join(field.code_ids)
            raise told(f"{field.id} has no code {value!r}", f"use one of {known}", at)


def _check_derived(
    derived: Derived, fields: dict[str, CodeField], values_of: dict[str, tuple[str, ...]], at: Place
) -> None:
    """Raise what keeps a derived value from being computed."""
    _check_sources(derived, fields, values_of, at)
    if derived.op in ("collapse", "count"):
        field = fields.get(derived.of[0])
        wanted = ("choice", "yes_no") if derived.op == "collapse" else ("many", "spans")
        if field is None or len(derived.of) != 1 or field.type not in wanted:
            wrong = f"a {derived.op} is of one {' or '.join(wanted)} field"
            raise told(wrong, "name one", (*at, "of"))
        _are_codes_of(field, derived.codes, (*at, "codes"))
        _are_codes_of(field, tuple(derived.to), (*at, "to"))
        for name in derived.unless:
            if name not in {flag.id for flag in field.flags}:
                wrong = f"{field.id} has no flag {name!r}"
                raise told(wrong, "name one of its flags", (*at, "unless"))
        if derived.op == "collapse":
            _is_partition(field, derived, at)
    elif derived.op == "map":
        _can_occur(derived, fields, values_of, at)
    known = _values_of(derived)
    for value in derived.titles:
        if derived.op != "count" and value not in known:
            remedy = f"use one of {', '.join(filter(None, known))}"
            raise told(f"{derived.id} is never {value!r}", remedy, (*at, "titles", value))


def _can_occur(
    derived: Derived, fields: dict[str, CodeField], values_of: dict[str, tuple[str, ...]], at: Place
) -> None:
    """Raise when ``to`` names a value that its sources never have: a slip of the pen."""
    held: list[tuple[str, ...]] = []
    for name in derived.of:
        if name in fields:
            # several codes are joined by spaces as well, so each of them is looked at
            field = fields[name]
            if len(derived.of) == 1 and field.type in ("many", "spans"):
                _are_codes_of(field, tuple(" ".join(derived.to).split()), (*at, "to"))
            held.append(field.code_ids if field.type in ("choice", "yes_no") else ())
        else:
            held.append(tuple(filter(None, values_of[name])))
    if all(held) and prod(map(len, held)) <= MOST_VALUES:
        possible = {" ".join(parts) for parts in product(*held)}
        for value in derived.to:
            if value not in possible:
                wrong = f"{' and '.join(derived.of)} never come to {value!r}"
                use = "one value of each, in that order, joined by one space"
                if len(held) == 1:
                    wrong, use = f"{derived.of[0]} is never {value!r}", " or ".join(held[0])
                raise told(wrong, f"use {use}", (*at, "to", value))


def _check_sources(
    derived: Derived, fields: dict[str, CodeField], values_of: dict[str, tuple[str, ...]], at: Place
) -> None:
    key = "when" if derived.op in ("any", "all") else "of"
    if not derived.sources or (key == "when") == bool(derived.of):
        raise told(f"{derived.op} without `{key}`", f"add `{key}:`", at)
    for name in derived.sources:
        if name not in fields and name not in values_of:
            known = ", ".join((*fields, *values_of))
            raise told(f"no field or earlier value {name!r}", f"use one of {known}", (*at, key))
    for name, values in derived.when.items():
        if name in fields:
            _are_codes_of(fields[name], values, (*at, "when", name))
        elif strange := [value for value in values if value not in values_of[name]]:
            known = ", ".join(filter(None, values_of[name]))
            raise told(f"{name} is never {strange[0]!r}", f"use one of {known}", (*at, "when"))
    if derived.op in ("map", "collapse") and not derived.to:
        raise told(f"{derived.op} without `to`", "say what each value becomes", at)


def _is_partition(field: CodeField, derived: Derived, at: Place) -> None:
    left = [c for c in field.code_ids if c not in derived.to and c not in field.abstaining]
    if left:
        wrong = f"says nothing of {', '.join(left)}"
        raise told(wrong, "name every code that does not abstain", (*at, "to"))
    if both := [code for code in derived.to if code in field.abstaining]:
        raise told(f"{both[0]} abstains", "leave it out of `to`", (*at, "to"))
