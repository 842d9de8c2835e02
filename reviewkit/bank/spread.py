"""What a card alone cannot show: how a tag is spread over all groups of its test type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from reviewkit.bank.items import Group

SPREAD_FIELDS = {
    "T2": ("disambig_direction", "undetermined_position"),
    "T3": ("sensitivity_level", "stance", "theme"),
}
"""Per test type the tags whose balance over the bank a reviewer is asked about."""


Spread = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
"""Tag -> its values with the number of groups, the commonest first."""


def spread_of(groups: Iterable[Group], test_type: str) -> Spread:
    """Return, per tag, how many groups of ``test_type`` carry each value, the commonest first."""
    chosen = [group for group in groups if group.test_type == test_type]
    spread: list[tuple[str, tuple[tuple[str, int], ...]]] = []
    for field in SPREAD_FIELDS.get(test_type, ()):
        counts = Counter(_value(group, field) for group in chosen)
        spread.append((field, tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))))
    return tuple(spread)


def _value(group: Group, field: str) -> str:
    if field != "undetermined_position":
        return str(getattr(group, field) or "")
    # the key of the ambiguous twin is where "cannot be determined" stands
    keys = {item.correct_position for item in group.items if item.twin == "ambiguous"}
    return ", ".join(str(key) for key in sorted(key for key in keys if key is not None))
