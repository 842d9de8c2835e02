"""What makes a bank well formed: every group fits the taxonomy, its test type and the registry.

These are mechanical faults that no reviewer should have to find. Whether an item is *good* is for
people; counts and balances over the bank are the audit's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import partial

from reviewkit.bank.bank import Bank, Place
from reviewkit.bank.families import families_of
from reviewkit.bank.items import Group, Item
from reviewkit.bank.registry import Registry
from reviewkit.bank.taxonomy import Taxonomy, in_english
from reviewkit.problems import Problem
from reviewkit.sources import Loc

Found = Iterator[Problem]

GROUP_FIELDS_OF: dict[str, tuple[str, ...]] = {
    "base_text": ("T1", "T3"),
    "value_list": ("T1", "T3"),
    "expected_length": ("T1",),
    "disambig_direction": ("T2",),
    "sensitivity_level": ("T3",),
    "harm_review": ("T3",),
    "stance": ("T3",),
    "theme": ("T3",),
    "term_watchlist": ("T4",),
    "event_ref": ("T4",),
    "audience": ("T4",),
}
"""Which test types have a use for a group field; a field that is not listed serves all."""

ITEM_FIELDS_OF: dict[str, tuple[str, ...]] = {
    "text": ("T1", "T3", "T4"),
    "twin": ("T2",),
    "context": ("T2",),
    "question": ("T2",),
    "question_polarity": ("T2",),
    "options": ("T2",),
    "correct_position": ("T2",),
}
"""The same for item fields."""


def _idle(table: dict[str, tuple[str, ...]]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return test type -> the fields it has no use for, with the types that have."""
    return {
        test_type: {field: serves for field, serves in table.items() if test_type not in serves}
        for test_type in ("T1", "T2", "T3", "T4")
    }


_IDLE_IN_GROUP, _IDLE_IN_ITEM = _idle(GROUP_FIELDS_OF), _idle(ITEM_FIELDS_OF)

NEEDED_BY_GROUP: dict[str, tuple[str, ...]] = {
    "T1": ("swapped_variable", "base_text", "value_list"),
    "T2": ("disambig_direction",),
    "T3": ("swapped_variable", "sensitivity_level", "stance"),
    "T4": (),
}
NEEDED_BY_ITEM: dict[str, tuple[str, ...]] = {
    "T1": ("text", "swapped_value"),
    "T2": ("twin", "context", "question", "options", "correct_position"),
    "T3": ("text", "swapped_value"),
    "T4": ("text",),
}


def check_bank(bank: Bank) -> list[Problem]:
    """Return every fault of a loaded bank, group by group; an empty list when it is well formed."""
    return [
        problem
        for group in bank.groups
        for problem in check_group(group, bank.taxonomy, bank.registry, partial(bank.where, group))
    ]


def check_group(group: Group, taxonomy: Taxonomy, registry: Registry | None, where: Place) -> Found:
    """Yield every fault of one group; without a registry, event references are not looked up."""
    yield from _codes(group, taxonomy, where)
    yield from _cell(group, taxonomy, where)
    yield from _fields(group, where)
    if group.test_type in ("T1", "T3"):
        yield from _arms(group, where)
    if group.test_type == "T1":
        yield from _template(group, where)
    if group.test_type == "T2":
        yield from _twins(group, where)
        yield from _keys(group, where)
    if registry is not None and group.event_ref and registry.get(group.event_ref) is None:
        known = [entry.ref_id for entry in registry.entries]
        instead = f"{_nearest(group.event_ref, known)} or " if known else ""
        yield Problem(
            where(("event_ref",)),
            f"the registry has no {group.event_ref!r}",
            f"{instead}add it to bank/registry.yaml with its source",
        )


def _codes(group: Group, taxonomy: Taxonomy, where: Place) -> Found:
    """Codes that are in no list of the taxonomy."""
    carried: list[tuple[Loc, str, str | None]] = [
        (("domain",), "domain", group.domain),
        (("bias_form",), "bias_form", group.bias_form),
        (("reference_category",), "reference_category", group.reference_category),
        (("sensitivity_level",), "sensitivity_level", group.sensitivity_level),
        (("stance",), "stance", group.stance),
    ]
    languages, registers = taxonomy.codes("language"), taxonomy.codes("register")
    for at, item in enumerate(group.items):
        if item.language not in languages:
            carried.append((("items", at, "language"), "language", item.language))
        if item.register_ not in registers:
            carried.append((("items", at, "register"), "register", item.register_))
    for loc, field, code in carried:
        known = taxonomy.codes(field)
        if code is not None and code not in known:
            yield Problem(
                where(loc), f"the taxonomy has no {field} {code!r}", _nearest(code, known)
            )


def _cell(group: Group, taxonomy: Taxonomy, where: Place) -> Found:
    """A form that another test type measures, or a cell that is closed by design."""
    bound = taxonomy.test_types_of(group.bias_form)
    if bound and group.test_type not in bound:
        forms = taxonomy.forms_measured_by(group.test_type)
        yield Problem(
            where(("bias_form",)),
            f"{group.bias_form} is measured by {_either(bound)}, not by {group.test_type}",
            f"use {_either(forms)} for {group.test_type}" if forms else "change the test_type",
        )
    cell = taxonomy.closed(group.domain, group.bias_form)
    if cell is not None:
        yield Problem(
            where(("bias_form",)),
            f"{group.bias_form} in {group.domain} is closed by design: "
            f'"{in_english(cell.reason).strip()}"',
            "move the group to an active cell or take it out of the bank",
        )


def _fields(group: Group, where: Place) -> Found:
    """Fields that the test type has no use for, and fields that it cannot do without."""
    test_type = group.test_type
    yield from _misplaced(group, _IDLE_IN_GROUP[test_type], test_type, (), where)
    for field in NEEDED_BY_GROUP[test_type]:
        if _is_blank(getattr(group, field)):
            yield _missing(where, (), field, test_type)
    for at, item in enumerate(group.items):
        loc: Loc = ("items", at)
        yield from _misplaced(item, _IDLE_IN_ITEM[test_type], test_type, loc, where)
        for field in NEEDED_BY_ITEM[test_type]:
            if _is_blank(getattr(item, field)):
                yield _missing(where, loc, field, test_type)


def _misplaced(
    carrier: Group | Item, idle: dict[str, tuple[str, ...]], test_type: str, loc: Loc, where: Place
) -> Found:
    for field, serves in idle.items():
        if getattr(carrier, field) not in (None, ()):
            yield Problem(
                where((*loc, field)),
                f"{field} belongs to {_either(serves)}, and this group is {test_type}",
                "delete the field or mend the test_type",
            )


def _is_blank(value: object) -> bool:
    return not (value.strip() if isinstance(value, str) else value)


def _missing(where: Place, loc: Loc, field: str, test_type: str) -> Problem:
    kind = "item" if loc else "group"
    return Problem(where((*loc, field)), f"a {test_type} {kind} needs {field}", "write it")


def _arms(group: Group, where: Place) -> Found:
    """A pair needs two sides, and no two items may stand for the same side."""
    first: dict[tuple[str, str, str], int] = {}
    for at, item in enumerate(group.items):
        if item.swapped_value is None:
            continue
        arm = (item.language, item.register_, item.swapped_value)
        if arm in first:
            yield Problem(
                where(("items", at, "swapped_value")),
                f"{group.items[first[arm]].id} already stands for {item.swapped_value!r} "
                f"in {item.language}, {item.register_}",
                "mend the value or the register, or delete one of the two items",
            )
        first.setdefault(arm, at)
    if len(group.items) < 2:
        yield Problem(
            where(("items",)),
            "a pair needs a counterpart and the group has a single item",
            "add an item with another value",
        )
    elif len(first) == len(group.items) and len({(arm[1], arm[2]) for arm in first}) == 1:
        yield Problem(
            where(("items",)),
            f"every item has the value {group.items[0].swapped_value!r}",
            "give at least one item another value",
        )


def _template(group: Group, where: Place) -> Found:
    """The base text has the slot, and the values that go into it differ."""
    if group.base_text and "{value}" not in group.base_text:
        yield Problem(
            where(("base_text",)),
            "the base text does not have {value}",
            "write {value} where the variable stands",
        )
    seen: dict[str, int] = {}
    for at, value in enumerate(group.value_list):
        if value in seen:
            yield Problem(
                where(("value_list", at)), f"{value!r} stands twice in the list", "delete one"
            )
        seen[value] = at
    if len(seen) == 1 and len({item.register_ for item in group.items}) == 1:
        yield Problem(
            where(("value_list",)),
            "a single value has no counterpart",
            "add a second matched value",
        )


def _twins(group: Group, where: Place) -> Found:
    """Each question has one ambiguous and one disambiguated twin."""
    for (polarity, language, register, _), places in families_of(group.items).items():
        members = [(at, group.items[at]) for at in places]
        name = " ".join(part for part in (polarity, "question", "in", language, register) if part)
        for twin in ("ambiguous", "disambiguated"):
            found = [at for at, item in members if item.twin == twin]
            if not found and all(item.twin for _, item in members):
                yield Problem(
                    where(("items", members[0][0])),
                    f"the {name} has no {twin} twin",
                    "add it, or mend the field twin",
                )
            for extra in found[1:]:
                yield Problem(
                    where(("items", extra, "twin")),
                    f"{group.items[found[0]].id} already is the {twin} twin of the {name}",
                    "keep one of the two",
                )


def _keys(group: Group, where: Place) -> Found:
    """The key points at one of the options, and the options differ."""
    for at, item in enumerate(group.items):
        if len(item.options) == 1:
            yield Problem(
                where(("items", at, "options")), "a single option is no choice", "add the others"
            )
        if item.correct_position and item.options and item.correct_position > len(item.options):
            yield Problem(
                where(("items", at, "correct_position")),
                f"position {item.correct_position} is past the last of {len(item.options)} options",
                f"use 1 to {len(item.options)}",
            )
        for number, option in enumerate(item.options):
            if option in item.options[:number]:
                yield Problem(
                    where(("items", at, "options", number)),
                    f"the option {option!r} stands twice",
                    "give every option a text of its own",
                )


def _nearest(code: str, known: Iterable[str]) -> str:
    codes = list(known)
    near = get_close_matches(code, codes, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"use {_either(codes)}" if codes else "the list is empty"


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
