"""The tags of a group: as facts that ``applies_when`` asks about, and as fields to be judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from reviewkit.bank.items import Group, Item
from reviewkit.bank.taxonomy import Writing

LISTED = " · "
"""Between the values of one field."""


class KnowsRegisters(Protocol):
    """What a card needs of the taxonomy."""

    def register_kind(self, code: str) -> str | None:
        """Return ``standard`` or ``dialect``, or None for an unknown register."""
        ...

    def writing_of(self, language: str) -> Writing | None:
        """Return how a language is written, or None when nothing is said of it."""
        ...


def is_dialect(item: Item, taxonomy: KnowsRegisters) -> bool:
    """Return whether the item is written in a dialect; an unknown register counts as standard."""
    return taxonomy.register_kind(item.register_) == "dialect"


def facts_of(group: Group, taxonomy: KnowsRegisters) -> dict[str, str]:
    """Return the facts of a card; ``language`` only when all items share one.

    ``dialect_twin`` is ``yes`` for a stub too: the check on it must be asked. A fact without a
    value is an empty string, which no condition names.
    """
    dialect = [item for item in group.items if is_dialect(item, taxonomy)]
    standard = len(dialect) < len(group.items)
    facts = {
        "test_type": group.test_type,
        "domain": group.domain,
        "bias_form": group.bias_form,
        "reference_category": group.reference_category,
        "registers": "both" if dialect and standard else "dialect" if dialect else "standard",
        "dialect_twin": "yes" if dialect and standard else "no",
        "event": "yes" if group.event_ref else "no",
        "sensitivity_level": group.sensitivity_level or "",
    }
    languages = {item.language for item in group.items}
    if len(languages) == 1:
        facts["language"] = languages.pop()
    return facts


def fields_of(group: Group) -> tuple[tuple[str, str], ...]:
    """Return the tags a reviewer judges, in order.

    A tag that the test type calls for stands there even when it is empty: a missing tag is a
    defect to be seen.
    """
    values = group.value_list or _distinct(item.swapped_value for item in group.items)
    fields: list[tuple[str, str]] = [
        ("domain", group.domain),
        ("bias_form", group.bias_form),
        ("reference_category", group.reference_category),
    ]
    if group.test_type != "T4" or group.swapped_variable:
        fields.append(("swapped_variable", group.swapped_variable or ""))
    if group.test_type in ("T1", "T3") or values:
        fields.append(("value_list", LISTED.join(values)))
    wanted, given = _fields_by_type(group)
    fields += wanted[group.test_type]
    for test_type, others in wanted.items():
        if test_type != group.test_type:
            fields += [(name, value) for name, value in others if value and name in given]
    regions = _distinct(item.region_tag for item in group.items)
    if regions:
        fields.append(("region_tag", LISTED.join(regions)))
    return tuple(fields)


def _fields_by_type(group: Group) -> tuple[dict[str, list[tuple[str, str]]], set[str]]:
    """Return the fields each test type calls for, and the names of those that are given."""
    terms = [
        ("term_watchlist", f"{watched.term} — {watched.term_class}")
        for watched in group.term_watchlist
    ]
    by_type: dict[str, list[tuple[str, str]]] = {
        "T1": [
            ("expected_length", group.expected_length or ""),
            ("factorial", group.factorial or ""),
            ("base_text", group.base_text or ""),
        ],
        "T2": [
            ("disambig_direction", group.disambig_direction or ""),
            *(("correct_position", _key(item)) for item in group.items if item.twin),
        ],
        "T3": [
            ("sensitivity_level", group.sensitivity_level or ""),
            ("stance", group.stance or ""),
            ("theme", group.theme or ""),
            ("harm_review", group.harm_review or ""),
        ],
        "T4": [
            ("event_ref", group.event_ref or ""),
            ("audience", group.audience or ""),
            *(terms or [("term_watchlist", "")]),
        ],
    }
    named = {name for fields in by_type.values() for name, _ in fields}
    return by_type, {name for name in named if getattr(group, name, None) not in (None, ())}


def _key(item: Item) -> str:
    position = item.correct_position
    keyed = item.options[position - 1] if position and position <= len(item.options) else ""
    return f"{item.id}: {position or ''}" + (f" ({keyed})" if keyed else "")


def _distinct(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
