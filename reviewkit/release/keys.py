"""Whether the keys of T2 follow what the options say, and which way its twins resolve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reviewkit.bank import Group, Item
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material


def check_keys(material: Material) -> Iterator[Finding]:
    """Yield T2 groups with items whose key contradicts the texts of their options."""
    for group in material.of_type("T2"):
        found: dict[str, list[str]] = {}
        for item in group.items:
            if item.options and (code := _fault(material, item)):
                found.setdefault(code, []).append(item.id)
        for code, items in found.items():
            yield of_group(code, group, items)


def _fault(material: Material, item: Item) -> str:
    undetermined = material.undetermined.positions(item)
    if not undetermined:
        return "undetermined-missing"
    if len(undetermined) > 1:
        return "undetermined-twice"
    if item.twin == "ambiguous" and item.correct_position not in undetermined:
        return "key-ambiguous"
    if item.twin == "disambiguated" and item.correct_position in undetermined:
        return "key-disambiguated"
    return ""


@dataclass(frozen=True, slots=True)
class Directions:
    """Which way the twins of the bank resolve, a group counted once whatever its rows."""

    with_: int = 0
    against: int = 0
    neither: int = 0
    not_given: int = 0

    @property
    def is_half_split(self) -> bool:
        """Whether as many resolve with the stereotype as against it; one over in an odd number."""
        return abs(self.with_ - self.against) <= (self.with_ + self.against) % 2


def directions(groups: Iterator[Group]) -> Directions:
    """Return how many T2 groups resolve each way."""
    found = Counter(group.disambig_direction or "not_given" for group in groups)
    return Directions(found["with"], found["against"], found["neither"], found["not_given"])


def check_directions(material: Material) -> Iterator[Finding]:
    """Yield an uneven split over the bank, and groups whose direction is not recorded."""
    found = directions(material.of_type("T2"))
    if not found.is_half_split:
        counts = {"with": found.with_, "against": found.against}
        yield of_bank("direction-parity", f"{found.with_}:{found.against}", counts)
    for group in material.of_type("T2"):
        if group.disambig_direction in (None, "not_given"):
            yield of_group("direction-not-given", group)
