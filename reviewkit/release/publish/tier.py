"""The public part of a bank: its groups, and of everything beside them what they use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

from reviewkit.bank import Bank, Group, Reference, Registry, render_group
from reviewkit.bank.axes import Axes
from reviewkit.bank.items import OUTSIDE_DIGEST
from reviewkit.digests import canonical_json, digest_of
from reviewkit.problems import Problem
from reviewkit.release.guard import Piece
from reviewkit.release.layers import Layers
from reviewkit.release.publish.people import People
from reviewkit.release.reading import words_in
from reviewkit.release.waivers import Waiver

_BOOKKEEPING: dict[str, Any] = {"layer": None, "status": None, "reviewers": (), "notes": None}
_FREE_TEXT = ("harm_review", "theme", "audience", "expected_length", "swapped_variable")


@dataclass(frozen=True)
class PublicTier:
    """What of a bank is published."""

    groups: tuple[Group, ...]
    """Without bookkeeping."""
    sealed: tuple[Group, ...]
    retracted: tuple[str, ...]
    """Public groups that were withdrawn after the freeze, and so are left out."""
    bank: Bank
    layers: Layers

    @cached_property
    def ids(self) -> frozenset[str]:
        """The template ids of the public groups."""
        return frozenset(group.template_id for group in self.groups)

    @cached_property
    def item_ids(self) -> frozenset[str]:
        """The item ids of the public groups."""
        return frozenset(item.id for group in self.groups for item in group.items)

    @cached_property
    def digest(self) -> str:
        """The digest of the public groups: what a harm review covers."""
        return public_digest(self.groups)

    @property
    def registry(self) -> tuple[Reference, ...]:
        """The references that public groups name."""
        used = {group.event_ref for group in self.groups}
        return tuple(each for each in self.bank.registry.entries if each.ref_id in used)


def public_digest(groups: Iterable[Group]) -> str:
    """Return the digest of some groups: template id -> digest of the content."""
    return digest_of({group.template_id: group.digest for group in groups})


def public_tier(bank: Bank, layers: Layers, retracted: Iterable[str] = ()) -> PublicTier:
    """Return the public part of a bank; a group of which anything was retracted is left out."""
    gone = set(retracted)
    shown: list[Group] = []
    left_out: list[str] = []
    for group in bank.groups:
        if group.template_id not in layers.public:
            continue
        if gone.isdisjoint({group.template_id, *(item.id for item in group.items)}):
            shown.append(_plain(group))
        else:
            left_out.append(group.template_id)
    sealed = tuple(group for group in bank.groups if group.template_id in layers.sealed)
    return PublicTier(tuple(shown), sealed, tuple(left_out), bank, layers)


def _plain(group: Group) -> Group:
    """Return a group without status, reviewers, notes and layer: nothing that a digest covers."""
    items = tuple(
        item.model_copy(update=_BOOKKEEPING) if OUTSIDE_DIGEST & item.model_fields_set else item
        for item in group.items
    )
    return group.model_copy(update={**_BOOKKEEPING, "items": items})


def pieces_of(tier: PublicTier, people: People, waivers: Iterable[Waiver]) -> Iterator[Piece]:
    """Yield every text of the public groups, their references and the waivers."""
    for group in tier.groups:
        place = tier.bank.places.get(group.template_id)
        for name in _FREE_TEXT:
            text = getattr(group, name)
            if text:
                yield Piece(place((name,)) if place else f"{group.template_id} {name}", text)
        for at, item in enumerate(group.items):
            for name in ("text", "context", "question"):
                text = getattr(item, name)
                if text:
                    loc = ("items", at, name)
                    where = place(loc) if place else f"{item.id} {name}"
                    yield Piece(where, text, of_an_item=True)
    for reference in tier.registry:
        for name in ("fact_statement", "primary_source", "source_type", "time_sensitivity"):
            yield Piece(f"bank/registry.yaml {reference.ref_id} {name}", getattr(reference, name))
    for waiver in published_waivers(tier, people, waivers):
        yield Piece(f"bank/waivers.yaml {waiver.code} reason", waiver.reason)


def harm_problems(tier: PublicTier) -> Iterator[Problem]:
    """Yield the public refusal groups that nobody reviewed for harm."""
    for group in tier.groups:
        if group.test_type == "T3" and not words_in(group.harm_review or ""):
            wrong = f"{group.template_id} is public and has no harm review"
            yield Problem(tier.bank.where(group), wrong, "review it and fill in `harm_review`")


# Files -------------------------------------------------------------------------------------------


def bank_files(
    tier: PublicTier, people: People, axes: Axes, waivers: Iterable[Waiver]
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of ``bank/`` that are written anew: path and content."""
    yield from _group_files(tier.groups)
    references = Registry(entries=tuple(_veiled(each, people) for each in tier.registry))
    yield "bank/registry.yaml", _yaml(references.model_dump(mode="json", exclude_defaults=True))
    if axes.axes:
        shown = public_axes(axes, tier)
        yield "bank/axes.yaml", _yaml(shown.model_dump(mode="json", exclude_defaults=True))
    kept = published_waivers(tier, people, waivers)
    if kept:
        listed = [each.model_dump(mode="json") for each in kept]
        yield "bank/waivers.yaml", _yaml({"waivers": listed})
    yield "bank/sealed.json", _json(
        {
            "about": "groups that are held back: identifier and digest of the content, no word",
            "groups": [
                {"template_id": group.template_id, "digest": group.digest} for group in tier.sealed
            ],
            "strata": [
                {
                    "stratum": each.stratum, "groups": each.groups, "items": each.items,
                    "sealed_groups": each.sealed_groups, "sealed_items": each.sealed_items,
                }
                for each in tier.layers.strata
            ],
            "retracted": list(tier.retracted),
        }
    )  # fmt: skip


def _group_files(groups: Iterable[Group]) -> Iterator[tuple[str, bytes]]:
    """Yield a YAML file for a group that stood in one, a line for one that stood in a JSONL."""
    lines: dict[str, list[bytes]] = {}
    for group in groups:
        if group.source.endswith(".jsonl"):
            name = group.source.rpartition("/")[2]
            lines.setdefault(name, []).append(canonical_json(group.content))
        else:
            text = render_group(group)
            yield f"bank/groups/{group.template_id}.yaml", text.encode("utf-8")
    for name, held in lines.items():
        yield f"bank/groups/{name}", b"\n".join(held) + b"\n"


def _veiled(reference: Reference, people: People) -> Reference:
    verifier = people.veiled(reference.verified_by or "") or None
    return reference.model_copy(update={"verified_by": verifier})


def published_waivers(
    tier: PublicTier, people: People, waivers: Iterable[Waiver]
) -> tuple[Waiver, ...]:
    """Return the waivers of public groups and items, under pseudonyms, for these alone."""
    found: list[Waiver] = []
    for waiver in waivers:
        ids = {
            name: digest
            for name, digest in waiver.ids.items()
            if name in tier.ids or name in tier.item_ids
        }
        if ids:
            found.append(waiver.model_copy(update={"ids": ids, "name": people.veiled(waiver.name)}))
    return tuple(found)


def public_axes(axes: Axes, tier: PublicTier) -> Axes:
    """Return the axes without the values that sealed groups alone use."""
    public = {_read(value) for group in tier.groups for value in _values(group)}
    hidden = {_read(value) for group in tier.sealed for value in _values(group)} - public
    kept: list[dict[str, Any]] = []
    for axis in axes.model_dump(mode="json", exclude_defaults=True)["axes"]:
        spaces = [
            {**space, "values": values}
            for space in axis["spaces"]
            if (values := [each for each in space["values"] if _read(each) not in hidden])
        ]
        if spaces:
            kept.append({**axis, "spaces": spaces})
    return Axes.model_validate({"axes": kept})


def _values(group: Group) -> Iterator[str]:
    yield from group.value_list
    yield from (item.swapped_value for item in group.items if item.swapped_value)


def _read(value: str) -> tuple[str, ...]:
    return tuple(words_in(value))


def _yaml(value: Mapping[str, Any]) -> bytes:
    text: str = yaml.safe_dump(dict(value), allow_unicode=True, sort_keys=False, width=10_000)
    return text.encode("utf-8")


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
