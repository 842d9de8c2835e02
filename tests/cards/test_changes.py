"""What changed on a card since a verdict."""

from __future__ import annotations

from typing import Any

from reviewkit.bank.items import Group
from reviewkit.cards import changes_between, joined


def group(**changed: Any) -> Group:
    """Return a T1 group of two items; ``changed`` replaces its fields."""
    items = [
        {"id": "a", "language": "en", "register": "standard", "text": "A note to Salam."},
        {"id": "b", "language": "en", "register": "standard", "text": "A note to Dina."},
    ]
    given = {
        "template_id": "G", "test_type": "T1", "domain": "social-regional",
        "bias_form": "asymmetry", "reference_category": "value-laden",
        "value_list": ["Salam", "Dina"], "items": items, **changed,
    }  # fmt: skip
    return Group.model_validate(given)


def test_nothing_changed_is_no_change() -> None:
    """Bookkeeping and the order of items are no content."""
    old = group()
    items = [each.model_dump(by_alias=True) for each in reversed(old.items)]
    assert changes_between(old.content, group(items=items, notes="seen")) == []


def test_an_edited_text_is_shown_before_and_after() -> None:
    """The item and field are named, and the words that changed are marked on both sides."""
    items = [
        {"id": "a", "language": "en", "register": "standard", "text": "A letter to Salam."},
        {"id": "b", "language": "en", "register": "standard", "text": "A note to Dina."},
    ]
    (change,) = changes_between(group().content, group(items=items))
    assert (change.where, change.field) == ("a", "text")
    assert [each.text for each in change.before if each.differs] == ["note"]
    assert [each.text for each in change.after if each.differs] == ["letter"]


def test_group_fields_come_first_and_an_added_field_has_no_before() -> None:
    """Lists are shown line by line; a field that was not set has an empty text before."""
    changes = changes_between(
        group().content, group(expected_length="4 lines", value_list=["Salam", "Lina"])
    )
    assert [(c.where, c.field) for c in changes] == [("", "value_list"), ("", "expected_length")]
    assert joined(changes[0].after) == "Salam\nLina"
    assert (joined(changes[1].before), joined(changes[1].after)) == ("", "4 lines")


def test_items_that_came_and_went_are_whole_changes() -> None:
    """A new item has nothing before it, a removed one nothing after."""
    items = [
        {"id": "a", "language": "en", "register": "standard", "text": "A note to Salam."},
        {"id": "c", "language": "en", "register": "standard", "text": "A note to Lina."},
    ]
    gone, come = changes_between(group().content, group(items=items))
    assert (
        gone.where, gone.field, joined(gone.before), gone.after,
    ) == ("b", "item", "A note to Dina.", ())  # fmt: skip
    assert (come.where, come.before, joined(come.after)) == ("c", (), "A note to Lina.")


def test_content_of_an_earlier_shape_is_read_as_far_as_it_goes() -> None:
    """A field this version does not know is shown as removed; odd items are passed over."""
    old = {**group().content, "mood": {"a": 1}, "items": "none"}
    changes = changes_between(old, group())
    assert [(c.where, c.field) for c in changes] == [("", "mood"), ("a", "item"), ("b", "item")]
