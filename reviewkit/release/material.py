"""Everything the checks look at, read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reviewkit.authoring.standing import Standings, standings_of
from reviewkit.bank import Bank, Group, Item, Taxonomy
from reviewkit.bank.axes import Axes, load_axes
from reviewkit.bank.leakage import LeakageList, load_leakage
from reviewkit.bank.load import group_files, read_whole_bank
from reviewkit.bank.plan import Plan, load_plan
from reviewkit.cards import Card, CardText, card_from_group, sentences_added
from reviewkit.problems import Problem
from reviewkit.release.layers import Layers, layers_of
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
    layers: Layers | None = None
    """What is sealed; None where nobody asked."""
    unreadable: tuple[Problem, ...] = ()
    """What keeps files of groups from being read."""
    files: frozenset[str] = frozenset()
    """The files of groups, as problems name them."""

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
    def plain_blocks(self) -> dict[str, int]:
        """The T2 blocks whose twins add sentences and do nothing else, with how many they add."""
        writing = self.taxonomy.writing_of
        added = {
            group.template_id: sentences_added(group, writing(group.items[0].language))
            for group in self.groups
        }
        return {template_id: number for template_id, number in added.items() if number}

    @cached_property
    def marked_cards(self) -> dict[str, Card]:
        """The cards of all groups but the plain blocks, which are nearly all of a large bank."""
        return {
            group.template_id: card_from_group(group, self.taxonomy, group.source)
            for group in self.groups
            if group.template_id not in self.plain_blocks
        }

    @cached_property
    def undetermined(self) -> Undetermined:
        """What tells an option that says "cannot be determined"."""
        return Undetermined(self.taxonomy.cannot_be_determined)

    @cached_property
    def _dialects(self) -> frozenset[str]:
        return frozenset(each.id for each in self.taxonomy.registers if each.kind == "dialect")

    @cached_property
    def with_dialect(self) -> frozenset[str]:
        """The groups that have an item in a dialect, written or not."""
        return frozenset(
            group.template_id
            for group in self.groups
            if any(item.register_ in self._dialects for item in group.items)
        )

    def is_dialect(self, item: Item) -> bool:
        """Return whether an item is written in a dialect."""
        return item.register_ in self._dialects

    @cached_property
    def _bearing_flags(self) -> dict[str, tuple[CardText, ...]]:
        """The texts with flags of the groups that have any: nearly all have none."""
        bearing = {
            name: tuple(text for text in card.texts if text.flags)
            for name, card in self.marked_cards.items()
        }
        return {name: texts for name, texts in bearing.items() if texts}

    def flagged(self, group: Group, *flags: str) -> tuple[str, ...]:
        """Return the items of a group whose card bears one of the flags."""
        texts = self._bearing_flags.get(group.template_id, ())
        return tuple(text.text_id for text in texts if not set(flags).isdisjoint(text.flags))

    def written(self, group: Group) -> tuple[Item, ...]:
        """Return the items whose text was really written: no stub, no copy of the standard."""
        unwritten = self.flagged(group, "stub", "same_as_standard")
        if not unwritten:
            return group.items
        return tuple(item for item in group.items if item.id not in unwritten)

    def standard(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return the items in the standard register."""
        dialects = self._dialects
        return tuple([item for item in items if item.register_ not in dialects])


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
        layers = faults.attempt(layers_of, ws, bank)
    return Material(
        bank, plan, axes or Axes(), leakage or (), standings or Standings(), layers, unreadable,
        frozenset(group_files(ws)) if unreadable else frozenset(),
    )  # fmt: skip
