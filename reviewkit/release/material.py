"""Everything the checks look at, read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reviewkit.bank import Bank, Group, Item, Taxonomy
from reviewkit.bank.axes import Axes, load_axes
from reviewkit.bank.leakage import LeakageList, load_leakage
from reviewkit.bank.load import read_whole_bank
from reviewkit.bank.plan import Plan, load_plan
from reviewkit.cards import Card, card_from_group
from reviewkit.problems import Problem
from reviewkit.release.standing import Standings, standings_of
from reviewkit.release.undetermined import Undetermined
from reviewkit.sources import collect
from reviewkit.workspace import Workspace


@dataclass(frozen=True)
class Material:
    """A bank with what it is measured against; a test may make one without any file."""

    bank: Bank
    plan: Plan | None = None
    axes: Axes = field(default_factory=Axes)
    leakage: tuple[LeakageList, ...] = ()
    standings: Standings = field(default_factory=Standings)
    unreadable: tuple[Problem, ...] = ()
    """What keeps files of groups from being read."""

    @property
    def taxonomy(self) -> Taxonomy:
        """The closed lists of the bank."""
        return self.bank.taxonomy

    @property
    def groups(self) -> tuple[Group, ...]:
        """Every group that could be read, in order of id."""
        return self.bank.groups

    def of_type(self, *test_types: str) -> Iterator[Group]:
        """Yield the groups of some test types."""
        return (group for group in self.groups if group.test_type in test_types)

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The card of every group, with every difference marked."""
        return {
            group.template_id: card_from_group(group, self.taxonomy, group.source)
            for group in self.groups
        }

    @cached_property
    def undetermined(self) -> Undetermined:
        """What tells an option that says "cannot be determined"."""
        return Undetermined(self.taxonomy.cannot_be_determined)

    def is_dialect(self, item: Item) -> bool:
        """Return whether an item is written in a dialect."""
        return self.taxonomy.register_kind(item.register_) == "dialect"

    def flagged(self, group: Group, *flags: str) -> tuple[str, ...]:
        """Return the items of a group whose card bears one of the flags."""
        texts = self.cards[group.template_id].texts
        return tuple(text.text_id for text in texts if not set(flags).isdisjoint(text.flags))

    def written(self, group: Group) -> tuple[Item, ...]:
        """Return the items whose text was really written: no stub, no copy of the standard."""
        unwritten = self.flagged(group, "stub", "same_as_standard")
        return tuple(item for item in group.items if item.id not in unwritten)

    def standard(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return the items in the standard register."""
        return tuple(item for item in items if not self.is_dialect(item))


def read_material(ws: Workspace) -> Material:
    """Return what there is to audit in a project folder.

    Raises ProblemsFound when the taxonomy, the registry, the plan, the axes, a list of phrases, a
    form or the study of record is at fault. A group file that cannot be read is a finding.
    """
    bank, unreadable = read_whole_bank(ws)
    with collect() as faults:
        plan = faults.attempt(load_plan, ws, bank.taxonomy)
        axes = faults.attempt(load_axes, ws)
        leakage = faults.attempt(load_leakage, ws)
        standings = faults.attempt(standings_of, ws, bank)
    return Material(bank, plan, axes or Axes(), leakage or (), standings or Standings(), unreadable)
