"""The public and the sealed layer of a bank: ``bank/layers.yaml``, its draws, and what holds now.

A draw is never taken back: a group that was drawn keeps its layer when the bank grows, and so does
one that was published, whatever became of the file. The file holds every draw with all that it was
made from, so that anybody can draw again from the file alone.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from reviewkit.bank import Bank, Group
from reviewkit.bank.items import Frozen, Id, Prose, Some
from reviewkit.bank.plan import Number, Percent
from reviewkit.bank.registry import Day
from reviewkit.decisions import disk
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.drawing_layers import Kept, Layer, Unit, at_least, draw, stratum_of, ties
from reviewkit.release.publications import deciding_layers, layers_published
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.workspace import Workspace

Because = Literal["published", "tied"]


class DrawnGroup(Frozen):
    """One group of a draw."""

    id: Id
    stratum: Prose
    items: Number
    tied_to: Id | None = None
    """The first of the groups it shares a template or a text with, when there are others."""
    because: Because | None = None
    """Why its layer was no matter of chance: published so, or tied to a group drawn before."""
    layer: Layer


class KeptStratum(Frozen):
    """What earlier draws had left in a stratum when a draw was made."""

    stratum: Prose
    items: Number
    sealed: Number


class LayerDraw(Frozen):
    """One draw, with all that it was made from."""

    seed: Annotated[Prose, StringConstraints(max_length=200)]
    share: Percent
    drawn_on: Day
    kept: tuple[KeptStratum, ...] = ()
    groups: Some[DrawnGroup]


class LayersFile(Frozen):
    """``bank/layers.yaml``."""

    draws: Annotated[tuple[LayerDraw, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class StratumShare:
    """How much of one stratum of the bank is sealed."""

    stratum: str
    groups: int
    sealed_groups: int
    items: int
    sealed_items: int


@dataclass(frozen=True)
class Layers:
    """Where the groups of a bank stand."""

    sealed: frozenset[str]
    """The groups of the bank that are sealed."""
    public: frozenset[str]
    undrawn: frozenset[str]
    """The groups that no draw has seen yet: neither sealed nor public."""
    gone: Mapping[str, Layer]
    """The groups that were drawn and are not in the bank any more."""
    draws: tuple[LayerDraw, ...]
    strata: tuple[StratumShare, ...]
    torn_apart: tuple[tuple[str, str], ...] = ()
    """A sealed group and a public one that share a template or a text."""

    @property
    def seed(self) -> str:
        """The seed of the last draw; empty when there was none."""
        return self.draws[-1].seed if self.draws else ""

    @property
    def share(self) -> int:
        """The share in percent that the last draw was to seal."""
        return self.draws[-1].share if self.draws else 0

    @cached_property
    def items(self) -> int:
        """How many items the bank has."""
        return sum(each.items for each in self.strata)

    @cached_property
    def sealed_items(self) -> int:
        """How many of them are sealed."""
        return sum(each.sealed_items for each in self.strata)

    @property
    def share_of_items(self) -> float:
        """The share of the items that is sealed, from 0 to 1."""
        return self.sealed_items / self.items if self.items else 0.0

    @property
    def short(self) -> tuple[StratumShare, ...]:
        """The strata with fewer sealed items than the share asks for."""
        return tuple(
            each for each in self.strata if each.sealed_items < at_least(each.items, self.share)
        )

    def of(self, template_id: str) -> Layer | None:
        """Return the layer of a group of the bank; None when no draw has seen it."""
        if template_id in self.sealed:
            return "sealed"
        return "public" if template_id in self.public else None


def load_layers(ws: Workspace) -> tuple[LayerDraw, ...]:
    """Return the draws on file, none when there is no file; ProblemsFound tells every fault."""
    if not ws.layers.exists():
        return ()
    with collect() as faults:
        source = load_yaml(ws.layers, ws.shown(ws.layers))
        file = build(source, LayersFile)
        faults.add(_faults_of(file, source))
    return file.draws


def _faults_of(file: LayersFile, source: Source) -> Iterator[Problem]:
    seen: set[str] = set()
    for at, each in enumerate(file.draws):
        for n, group in enumerate(each.groups):
            if group.id in seen:
                where = ("draws", at, "groups", n, "id")
                wrong = f"the group {group.id!r} was drawn already"
                yield source.problem(where, wrong, "a layer is drawn once; take the file from git")
            seen.add(group.id)


def layers_of(ws: Workspace, bank: Bank) -> Layers:
    """Return where the groups of a bank stand; raises ProblemsFound when the file is at fault."""
    return layers_from(load_layers(ws), bank.groups)


def layers_from(draws: Sequence[LayerDraw], groups: Sequence[Group]) -> Layers:
    """Return where groups stand after some draws."""
    layer: dict[str, Layer] = {each.id: each.layer for one in draws for each in one.groups}
    present = {group.template_id for group in groups}
    sealed = frozenset(name for name in present if layer.get(name) == "sealed")
    public = frozenset(name for name in present if layer.get(name) == "public")
    counted: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        counted[stratum_of(group)].append(group)
    strata = tuple(
        StratumShare(
            stratum,
            len(held),
            sum(group.template_id in sealed for group in held),
            sum(len(group.items) for group in held),
            sum(len(group.items) for group in held if group.template_id in sealed),
        )
        for stratum, held in sorted(counted.items())
    )
    gone: dict[str, Layer] = {name: each for name, each in layer.items() if name not in present}
    torn = tuple(_torn_apart(ties(groups), sealed, public)) if sealed else ()
    return Layers(
        sealed, public, frozenset(present - sealed - public), gone, tuple(draws), strata, torn
    )


def _torn_apart(
    tied: Mapping[str, str], sealed: frozenset[str], public: frozenset[str]
) -> Iterator[tuple[str, str]]:
    parts: dict[str, list[str]] = defaultdict(list)
    for name, part in tied.items():
        parts[part].append(name)
    for names in parts.values():
        shut = sorted(name for name in names if name in sealed)
        shown = sorted(name for name in names if name in public)
        if shut and shown:
            yield from ((each, shown[0]) for each in shut)


def seal(
    ws: Workspace, bank: Bank, *, seed: str | None = None, share: int | None = None,
    on: str | None = None,
) -> Layers:  # fmt: skip
    """Draw the layer of every group that has none yet, write the file and return what holds.

    Args:
        ws: The project folder.
        bank: Its bank, whole.
        seed: Any text; that of the last draw when not given.
        share: At least this share in percent is sealed, 50 or more; that of the last draw, or 50.
        on: The day, today in UTC by default.

    Raises:
        ProblemsFound: When there is no seed, the share is under a half, or a group without a layer
            shares a text with groups of both layers.
        CannotWrite: When another process seals or publishes, or the disk does not take the file.
    """
    with deciding_layers(ws):
        return _sealed(ws, bank, seed, share, on)


def _sealed(
    ws: Workspace, bank: Bank, seed: str | None, share: int | None, on: str | None
) -> Layers:
    earlier = load_layers(ws)
    seed = seed if seed is not None else (earlier[-1].seed if earlier else None)
    share = share if share is not None else (earlier[-1].share if earlier else 50)
    problems: list[Problem] = []
    if seed is None or not seed.strip() or not seed.isprintable():
        wrong = "the first draw has no seed"
        problems.append(Problem("--seed", wrong, "give any word or number, and let it be known"))
    if not 50 <= share <= 100:
        wrong = f"{share} percent would leave less than half of the instantiations sealed"
        problems.append(Problem("--share", wrong, "give 50 to 100"))
    before: dict[str, Layer] = {each.id: each.layer for one in earlier for each in one.groups}
    tied = ties(bank.groups)
    published = layers_published(ws)
    fixed, conflicts = _fixed(bank.groups, tied, before, published, ws.shown(ws.layers))
    problems += conflicts
    if problems or seed is None:
        raise ProblemsFound(problems)
    fresh = [group for group in bank.groups if group.template_id not in before]
    if not fresh:
        return layers_from(earlier, bank.groups)
    companions = Counter(tied.values())
    units = [
        Unit(
            group.template_id, stratum_of(group), len(group.items), tied[group.template_id],
            fixed[group.template_id][0] if group.template_id in fixed else None,
        )
        for group in fresh
    ]  # fmt: skip
    kept = _kept(bank.groups, before)
    drawn = draw(units, kept, seed=seed, share=share)
    made = LayerDraw(
        seed=seed,
        share=share,
        drawn_on=on or datetime.now(UTC).date().isoformat(),
        kept=tuple(
            KeptStratum(stratum=name, items=each.items, sealed=each.sealed)
            for name, each in sorted(kept.items())
        ),
        groups=tuple(
            DrawnGroup(
                id=unit.id, stratum=unit.stratum, items=unit.items, layer=drawn[unit.id],
                tied_to=unit.tied_to if companions[unit.tied_to] > 1 else None,
                because=fixed[unit.id][1] if unit.id in fixed else None,
            )
            for unit in units
        ),
    )  # fmt: skip
    draws = (*earlier, made)
    _write(ws, draws)
    return layers_from(draws, bank.groups)


def _fixed(
    groups: Sequence[Group],
    tied: Mapping[str, str],
    before: Mapping[str, Layer],
    published: Mapping[str, Layer],
    shown: str,
) -> tuple[dict[str, tuple[Layer, Because]], list[Problem]]:
    """Return the groups without a layer whose layer is no matter of chance, and contradictions."""
    known: dict[str, Layer] = {**published, **before}
    by_part: dict[str, dict[Layer, str]] = defaultdict(dict)
    for group in groups:
        name = group.template_id
        if name in known:
            by_part[tied[name]].setdefault(known[name], name)
    fixed: dict[str, tuple[Layer, Because]] = {}
    problems: list[Problem] = []
    for group in groups:
        name = group.template_id
        held = by_part.get(tied[name], {})
        if name in before or not held:
            continue
        if name in published:
            fixed[name] = (published[name], "published")
        elif len(held) > 1:
            wrong = f"shares a text with {held['sealed']}, sealed, and {held['public']}, public"
            problems.append(Problem(f"{shown} {name}", wrong, "reword it, or take it out"))
        else:
            fixed[name] = (next(iter(held)), "tied")
    return fixed, problems


def _kept(groups: Iterable[Group], before: Mapping[str, Layer]) -> dict[str, Kept]:
    items: Counter[str] = Counter()
    sealed: Counter[str] = Counter()
    for group in groups:
        layer = before.get(group.template_id)
        if layer is not None:
            items[stratum_of(group)] += len(group.items)
            sealed[stratum_of(group)] += len(group.items) * (layer == "sealed")
    return {name: Kept(number, sealed[name]) for name, number in items.items()}


_HEAD = """\
# Which groups are sealed and which are public, by which draw. `reviewkit seal` adds a draw when the
# bank has grown and changes none: a sealed group stays sealed, a public one public.
"""


def _write(ws: Workspace, draws: Sequence[LayerDraw]) -> None:
    """Write the file beside and rename it, so that nobody meets half of it."""
    lines = [_HEAD + "draws:"]
    for each in draws:
        lines.append(f"  - seed: {_scalar(each.seed)}")
        lines.append(f'    share: {each.share}\n    drawn_on: "{each.drawn_on}"')
        for name, entries in (("kept", each.kept), ("groups", each.groups)):
            if entries:
                lines.append(f"    {name}:")
                lines += [f"      - {_flow(entry.model_dump(mode='json'))}" for entry in entries]
    raw = ("\n".join(lines) + "\n").encode("utf-8")
    try:
        disk.write_new(ws.layers, raw)
    except OSError as error:
        with suppress(OSError):
            ws.layers.with_name(f"{ws.layers.name}.part").unlink()
        raise disk.cannot_write(ws.shown(ws.layers), error) from error


def _flow(fields: Mapping[str, object]) -> str:
    """Return an entry on one line; JSON strings are YAML strings."""
    said = [f"{name}: {_scalar(value)}" for name, value in fields.items() if value is not None]
    return f"{{{', '.join(said)}}}"


def _scalar(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
