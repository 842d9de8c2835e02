"""Whether single texts are what they say they are: written, from their template, and only once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from reviewkit.bank import Group, Item
from reviewkit.bank.folding import has_letters, words_of
from reviewkit.cards.twins import PLACEHOLDER, normalised
from reviewkit.release.findings import Finding, of_group
from reviewkit.release.material import Material

OTHERS_NAMED = 8
"""How many groups with the same text a finding names before it counts the rest."""


def check_texts(material: Material) -> Iterator[Finding]:
    """Yield texts that are no text, not their template, or without their value."""
    for group in material.groups:
        stubs = material.flagged(group, "stub")
        standard = {item.id for item in material.standard(group.items)} if stubs else set[str]()
        for code, items in (
            ("placeholder-left", _unfilled(group)),
            ("stub-text", [each for each in stubs if each in standard]),
            ("not-base-text", _off_template(material, group)),
            ("value-missing", material.flagged(group, "value_missing")),
        ):
            if items:
                yield of_group(code, group, items)
        if counts := _off_list(material, group):
            yield of_group("value-list", group, counts=counts)
        if group.test_type in ("T1", "T3") and are_placeholders(_values(group)):
            yield of_group("placeholder-value", group)
        if group.test_type == "T1" and not (group.expected_length or "").strip():
            yield of_group("length-missing", group)
    yield from _duplicates(material)


def _parts(item: Item) -> tuple[str, ...]:
    return tuple([part for part in (item.text, item.context, item.question, *item.options) if part])


def _unfilled(group: Group) -> list[str]:
    return [item.id for item in group.items if PLACEHOLDER in "\n".join(_parts(item))]


def _templated(material: Material, group: Group) -> list[Item]:
    """Return the items in the template's language and register, which is the first one's."""
    standard = material.standard(group.items)
    return [
        item
        for item in standard
        if (item.language, item.register_) == (standard[0].language, standard[0].register_)
    ]


def _off_template(material: Material, group: Group) -> list[str]:
    """Return items in the template's language and register that are not the template filled in."""
    base = group.base_text
    if not base or PLACEHOLDER not in base:
        return []
    return [
        item.id
        for item in _templated(material, group)
        if item.swapped_value and item.text != base.replace(PLACEHOLDER, item.swapped_value)
    ]


def _off_list(material: Material, group: Group) -> dict[str, int]:
    """Return how many values the list does not have, and how many of it have no item."""
    if not group.value_list:
        return {}
    listed = set(group.value_list)
    used = {item.swapped_value for item in _templated(material, group) if item.swapped_value}
    counts = {"unlisted": len(used - listed), "without an item": len(listed - used) if used else 0}
    return {name: number for name, number in counts.items() if number}


def _values(group: Group) -> tuple[str, ...]:
    found = (*group.value_list, *(item.swapped_value for item in group.items))
    return tuple(dict.fromkeys(value for value in found if value))


def are_placeholders(values: tuple[str, ...]) -> bool:
    """Return whether values are lettered or numbered: ``group A``, ``group B``.

    So they are when they are the same words but for one, and that one is a single character.
    """
    if len(values) < 2:
        return False
    words = [
        [word.folded for word in words_of(value) if has_letters(word.folded)] for value in values
    ]
    if len({len(each) for each in words}) > 1 or len(words[0]) < 2:
        return False
    differing = [column for column in zip(*words, strict=True) if len(set(column)) > 1]
    return len(differing) == 1 and all(len(word) == 1 for word in differing[0])


def _duplicates(material: Material) -> Iterator[Finding]:
    """Yield groups that share a whole text with another group, once spelling is set aside."""
    holders: dict[tuple[str, ...], list[tuple[Group, Item]]] = defaultdict(list)
    for group in material.groups:
        written = set(material.flagged(group, "stub"))
        for item in group.items:
            parts = _parts(item)
            if parts and item.id not in written:
                holders[tuple(map(normalised, parts))].append((group, item))
    shared: dict[str, tuple[Group, list[str], dict[int, tuple[str, ...]]]] = {}
    for at, held in enumerate(holders.values()):
        names = tuple(sorted({group.template_id for group, _ in held}))
        if len(names) < 2:
            continue
        for group, item in held:
            _, items, sharing = shared.setdefault(group.template_id, (group, [], {}))
            items.append(item.id)
            sharing[at] = names
    # groups that share the same texts are one set: thousands of copies must not be listed for each
    known: dict[tuple[int, ...], tuple[str, ...]] = {}
    for group, items, sharing in shared.values():
        key = tuple(sharing)
        if key not in known:
            known[key] = tuple(sorted(frozenset[str]().union(*sharing.values())))
        yield of_group("duplicate-text", group, items, said=_as_in(group, known[key]))


def _as_in(group: Group, names: tuple[str, ...]) -> str:
    """Return which other groups have the text: some by name, the rest counted."""
    others = [name for name in names[: OTHERS_NAMED + 1] if name != group.template_id]
    named, more = others[:OTHERS_NAMED], len(names) - 1 - OTHERS_NAMED
    return f"as in {', '.join(named)}{f' and {more} more' if more > 0 else ''}"
