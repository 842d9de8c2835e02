"""How large the bank is against its plan, and which parts are too small to say anything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import comb

from reviewkit.bank import Group
from reviewkit.bank.plan import Plan, Size, Unit
from reviewkit.release.findings import Finding, of_bank
from reviewkit.release.material import Material


def pairs_in(material: Material, group: Group) -> int:
    """Return how many pairs of values a T1 or T3 group gives; other types give none.

    Any two values that are written in one register and language are a pair; the same two in
    another register are its twin and no second pair. Four communities in one template are six.
    """
    if group.test_type not in ("T1", "T3"):
        return 0
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in material.written(group):
        if item.swapped_value:
            values[item.register_, item.language].add(item.swapped_value)
    return max((comb(len(each), 2) for each in values.values()), default=0)


def count(material: Material, groups: Iterable[Group], unit: Unit) -> int:
    """Return how many of a unit some groups hold; texts that are not written are not counted."""
    if unit == "groups":
        return sum(1 for _ in groups)
    if unit == "pairs":
        return sum(pairs_in(material, group) for group in groups)
    return sum(
        unit == "items" or item.twin == "ambiguous"
        for group in groups
        for item in material.written(group)
    )


@dataclass(frozen=True, slots=True)
class Measured:
    """One row of the plan and what there is."""

    size: Size
    found: int

    @property
    def missing(self) -> int:
        """How many are still to be written."""
        return max(0, self.size.planned - self.found)


def measured(material: Material) -> tuple[Measured, ...]:
    """Return every row of the plan with what the bank holds."""
    return tuple(
        Measured(size, count(material, _part(material, size), size.unit))
        for size in (material.plan or Plan()).sizes
    )


def _part(material: Material, size: Size) -> Iterator[Group]:
    return (
        group
        for group in material.of_type(size.test_type)
        if size.domain in (None, group.domain)
        and size.sensitivity_level in (None, group.sensitivity_level)
    )


def check_sizes(material: Material) -> Iterator[Finding]:
    """Yield rows of the plan the bank is short of, and slices with too few pairs."""
    if material.plan is None:
        yield of_bank("plan-missing")
        return
    for each in measured(material):
        if each.missing:
            said = f"{each.size.name}: {each.found} of {each.size.planned} {each.size.unit}"
            yield of_bank("size-short", said)
    for (test_type, domain), number in _slices(material).items():
        if number < material.plan.sufficient_pairs:
            said = f"{test_type}, {domain}: {number} of {material.plan.sufficient_pairs} pairs"
            yield of_bank("slice-insufficient", said)


def _slices(material: Material) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = defaultdict(int)
    for group in material.of_type("T1", "T3"):
        found[group.test_type, group.domain] += pairs_in(material, group)
    return dict(sorted(found.items()))
