"""A whole bank: its groups, the taxonomy they are written in and the reference registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from reviewkit.bank.items import Group
from reviewkit.bank.registry import Registry
from reviewkit.bank.spread import Spread, spread_of
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.digests import digest_of
from reviewkit.problems import ReviewkitError
from reviewkit.sources import Loc
from reviewkit.sources.source import show_loc

Place = Callable[[Loc], str]
"""Says where a part of a group stands: ``bank/groups/a.yaml:12 items[0].text``."""


class UnknownGroup(ReviewkitError):
    """The bank has no group of that name."""


@dataclass(frozen=True)
class Bank:
    """Everything that is judged; read only."""

    groups: tuple[Group, ...]
    """Sorted by ``template_id``."""
    taxonomy: Taxonomy
    registry: Registry = field(default_factory=Registry)
    places: Mapping[str, Place] = field(default_factory=dict[str, Place], repr=False, compare=False)
    """Where each group stands, by ``template_id``; empty for a bank made in Python."""

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.groups, key=lambda group: group.template_id))
        object.__setattr__(self, "groups", ordered)
        templates = [group.template_id for group in ordered]
        items = [item.id for group in ordered for item in group.items]
        if len(set(templates)) < len(templates) or len(set(items)) < len(items):
            raise AssertionError(
                "template and item ids of a bank must differ; load_bank sees to it"
            )

    @cached_property
    def _by_id(self) -> dict[str, Group]:
        return {group.template_id: group for group in self.groups}

    def group(self, template_id: str) -> Group:
        """Return the group with this id; raises UnknownGroup."""
        try:
            return self._by_id[template_id]
        except KeyError:
            near = get_close_matches(template_id, self._by_id, n=1)
            remedy = f"did you mean {near[0]}?" if near else f"it has {len(self.groups)} others"
            raise UnknownGroup(f"the bank has no group {template_id!r}; {remedy}") from None

    @cached_property
    def _spreads(self) -> dict[str, Spread]:
        return {}

    def spread(self, test_type: str) -> Spread:
        """Return how tags are spread over the groups of a test type; counted once."""
        if test_type not in self._spreads:
            self._spreads[test_type] = spread_of(self.groups, test_type)
        return self._spreads[test_type]

    def where(self, group: Group, loc: Loc = ()) -> str:
        """Return where a part of ``group`` stands, as problems name it."""
        place = self.places.get(group.template_id)
        if place is not None:
            return place(loc)
        return f"{group.template_id} {show_loc(loc)}".rstrip()

    @cached_property
    def digest(self) -> str:
        """The digest of all content: groups, taxonomy and references; no bookkeeping."""
        return digest_of(
            {
                "groups": {group.template_id: group.digest for group in self.groups},
                "taxonomy": self.taxonomy.digest,
                "registry": self.registry.digest,
            }
        )
