"""Which groups and items were authored together: ``bank/batches.yaml``.

A batch names the groups it brought, and, where it added to groups that were there already (dialect
twins, say), the items it added. Where a batch stands is never written down: it follows from what
reviewers said of its groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from reviewkit.bank import Bank
from reviewkit.bank.items import Frozen, Id, Prose, Tag
from reviewkit.bank.registry import Day
from reviewkit.bank.taxonomy import Wording
from reviewkit.decisions.retirements import Retirement, retired
from reviewkit.problems import Problem
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.workspace import Workspace

Held = Mapping[str, tuple[str, ...]]
"""Group -> its items."""


class Batch(Frozen):
    """Groups and items that were authored together."""

    id: Tag
    title: Wording | None = None
    authored_on: Day
    """The day; of added items only what reviewers said since then is of this batch."""
    groups: tuple[Id, ...] = ()
    """The groups it brought; a group was brought once."""
    items: tuple[Id, ...] = ()
    """The items it added to groups of earlier batches."""
    note: Prose | None = None


class Batches(Frozen):
    """Every batch, in the order in which they were authored."""

    batches: tuple[Batch, ...] = ()

    def items_of(self, held: Held) -> dict[str, tuple[str, ...]]:
        """Return batch -> its items: those it added, and those of its groups no batch added.

        Args:
            held: Every group with its items, those that left the bank included.
        """
        added = {item for each in self.batches for item in each.items}
        return {
            batch.id: (
                *(
                    item
                    for name in batch.groups
                    for item in held.get(name, ())
                    if item not in added
                ),
                *batch.items,
            )
            for batch in self.batches
        }

    def groups_of(self, held: Held) -> dict[str, tuple[str, ...]]:
        """Return batch -> the groups it brought, and after them those it added items to."""
        wanted = {item for each in self.batches for item in each.items}
        owner = {item: name for name, items in held.items() for item in items if item in wanted}
        return {
            batch.id: tuple(
                dict.fromkeys(
                    (*batch.groups, *(owner[item] for item in batch.items if item in owner))
                )
            )
            for batch in self.batches
        }


def load_batches(ws: Workspace) -> Batches:
    """Return the batches, none when there is no file; ProblemsFound tells every fault."""
    if not ws.batches.exists():
        return Batches()
    with collect() as faults:
        source = load_yaml(ws.batches, ws.shown(ws.batches))
        batches = build(source, Batches)
        faults.add(_faults_of(batches, source))
    return batches


def check_batches(ws: Workspace, bank: Bank) -> list[Problem]:
    """Return every fault of the file, groups and items that the bank never had among them.

    Raises ProblemsFound when the file cannot be read as a list of batches, LedgerBroken as
    ``retired`` does.
    """
    if not ws.batches.exists():
        return []
    gone = retired(ws)
    source = load_yaml(ws.batches, ws.shown(ws.batches))
    batches = build(source, Batches)
    groups = {group.template_id for group in bank.groups} | {each.template_id for each in gone}
    items = {item.id for group in bank.groups for item in group.items}
    items |= {item for each in gone for item in each.item_ids}
    return [
        *_faults_of(batches, source),
        *(source.problem(
            ("batches", at, name, n), f"no {what} {each!r} in the bank, nor one that left it",
            "mend the id",
        )
        for at, batch in enumerate(batches.batches)
        for name, what, ids, known in (
            ("groups", "group", batch.groups, groups), ("items", "item", batch.items, items),
        )
        for n, each in enumerate(ids)
        if each not in known),
    ]  # fmt: skip


def held_by(bank: Bank, gone: Iterable[Retirement]) -> Held:
    """Return every group with its items, those that left included."""
    left = {each.template_id: each.item_ids for each in gone}
    here = {group.template_id: tuple(item.id for item in group.items) for group in bank.groups}
    return left | here


def _faults_of(batches: Batches, source: Source) -> Iterator[Problem]:
    first: dict[tuple[str, str], str] = {}
    for at, batch in enumerate(batches.batches):
        if not batch.groups and not batch.items:
            wrong = f"the batch {batch.id!r} has no group and no item"
            yield source.problem(("batches", at), wrong, "name what it brought")
        named = [("id", batch.id, ("batches", at, "id"))]
        named += [
            ("group", each, ("batches", at, "groups", n)) for n, each in enumerate(batch.groups)
        ]
        named += [("item", each, ("batches", at, "items", n)) for n, each in enumerate(batch.items)]
        for kind, each, where in named:
            if (kind, each) in first:
                other = first[kind, each]
                said = "stands twice" if kind == "id" else f"stands in batch {other!r} already"
                yield source.problem(where, f"{each!r} {said}", "keep one of the two")
            first.setdefault((kind, each), batch.id)
