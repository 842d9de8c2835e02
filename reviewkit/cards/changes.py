"""What changed on a card since a verdict, field by field, as marked text before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from reviewkit.bank.items import Group, Item
from reviewkit.cards.differences import compare_texts
from reviewkit.cards.marking import Segments, mark_whole

Content = Mapping[str, Any]

_GROUP_FIELDS = [field.alias or name for name, field in Group.model_fields.items()]
_ITEM_FIELDS = [field.alias or name for name, field in Item.model_fields.items()]


@dataclass(frozen=True, slots=True)
class Change:
    """One field that is not what it was."""

    where: str
    """The item's id, or an empty string for a field of the group."""
    field: str
    """The field as bank files name it; ``item`` when a whole item came or went."""
    before: Segments
    """Empty when the field or item was not there."""
    after: Segments


def changes_between(old_content: Content, new_group: Group) -> list[Change]:
    """Return every change from the old canonical content of a group to ``new_group``.

    Fields of the group come first, then items in order of id; a field that either side lacks
    counts as empty.
    """
    new_content = new_group.content
    changes = _changed_fields("", old_content, new_content, _GROUP_FIELDS, "")
    old_items, new_items = _items(old_content), _items(new_content)
    for item_id in sorted({*old_items, *new_items}):
        old, new = old_items.get(item_id), new_items.get(item_id)
        if old is None or new is None:
            changes.append(_whole_item(item_id, old, new))
        else:
            changes += _changed_fields(item_id, old, new, _ITEM_FIELDS, _language(new))
    return changes


def _items(content: Content) -> dict[str, Content]:
    listed = content.get("items")
    if not isinstance(listed, (list, tuple)):
        return {}
    items = [cast("Content", each) for each in listed if isinstance(each, Mapping)]
    return {str(item.get("id", "")): item for item in items}


def _language(item: Content) -> str:
    return str(item.get("language") or "")


def _changed_fields(
    where: str, old: Content, new: Content, order: list[str], language: str
) -> list[Change]:
    known = [name for name in order if name in old or name in new]
    unknown = sorted({*old, *new} - set(order))
    changes: list[Change] = []
    for name in (*known, *unknown):
        if name == "items" or old.get(name) == new.get(name):
            continue
        before, after = _shown(old.get(name)), _shown(new.get(name))
        changes.append(Change(where, name, *compare_texts(before, after, language=language)))
    return changes


def _whole_item(item_id: str, old: Content | None, new: Content | None) -> Change:
    there = new if old is None else old
    shown = "\n".join(
        _shown(there[name])
        for name in ("text", "context", "question", "options")
        if there and there.get(name)
    )
    segments = mark_whole(shown, "stray", "only_here", _language(there or {}))
    if old is None:
        return Change(item_id, "item", (), segments)
    return Change(item_id, "item", segments, ())


def _shown(value: object) -> str:
    """Return a field's value as one text: lists line by line, records as their values."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return "\n".join(_shown(each) for each in cast("list[object]", value))
    if isinstance(value, Mapping):
        return " · ".join(_shown(each) for each in cast("Mapping[str, object]", value).values())
    return str(value)
