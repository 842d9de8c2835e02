"""What a certificate counts: facts of each group, and the sums of them.

The facts of every group stand beside the certificate, so what a withdrawal takes away can be
computed from the frozen files alone, however far the bank has moved on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from reviewkit.agreement.reporting.blocks import share
from reviewkit.bank import Group
from reviewkit.bank.axes import Axes, load_axes
from reviewkit.bank.load import read_whole_bank
from reviewkit.bank.plan import Plan, load_plan
from reviewkit.release.keys import Directions
from reviewkit.release.material import Material
from reviewkit.release.registers import is_factorial
from reviewkit.release.sizes import pairs_in
from reviewkit.sources import collect
from reviewkit.workspace import Workspace

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Whole = Annotated[int, Field(ge=0)]


class Written(BaseModel):
    """Base of everything a freeze writes: fields in one order, unknown ones refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class GroupFacts(Written):
    """One frozen group: identifiers and numbers, never a word of it."""

    group: str
    """Its template id."""
    digest: Sha256
    test_type: str
    domain: str
    form: str
    band: str
    """Its sensitivity level; empty where it has none."""
    direction: str
    """Which way a T2 group resolves; empty for other types."""
    items: Whole
    pairs: Whole
    factorial: bool
    """Whether it is written in both registers."""


class Tally(Written):
    """How much one part of the bank holds."""

    part: str
    groups: Whole
    items: Whole
    pairs: Whole


class DirectionCounts(Written):
    """Which way the T2 groups resolve, a group counted once."""

    with_: Annotated[Whole, Field(alias="with")]
    against: Whole
    neither: Whole
    not_given: Whole

    @property
    def is_half_split(self) -> bool:
        """Whether as many resolve with the stereotype as against it."""
        return Directions(self.with_, self.against).is_half_split


class FactorialCount(Written):
    """How many groups are written in both registers, and the share that was planned."""

    written: Whole
    groups: Whole
    at_least: Whole
    at_most: Whole
    within: bool


class Counts(Written):
    """What the bank holds, part by part."""

    groups: Whole
    items: Whole
    pairs: Whole
    cells: tuple[Tally, ...]
    """Every active cell, also without a group: ``domain x form``."""
    test_types: tuple[Tally, ...]
    domains: tuple[Tally, ...]
    bands: tuple[Tally, ...]
    directions: DirectionCounts
    factorial: FactorialCount


class Band(Written):
    """The share of factorial groups that is wanted, in percent."""

    at_least: Whole
    at_most: Whole


def what_is_counted(ws: Workspace) -> Material:
    """Return the bank and what it is counted against, and nothing of what people said of it.

    Raises ProblemsFound when taxonomy, registry, plan or axes cannot be read.
    """
    bank, unreadable = read_whole_bank(ws)
    with collect() as faults:
        plan = faults.attempt(load_plan, ws, bank.taxonomy)
        axes = faults.attempt(load_axes, ws)
    return Material(bank, plan, axes or Axes(), unreadable=unreadable)


def facts_of(material: Material, group: Group) -> GroupFacts:
    """Return what is counted of one group."""
    return GroupFacts(
        group=group.template_id,
        digest=group.digest,
        test_type=group.test_type,
        domain=group.domain,
        form=group.bias_form,
        band=group.sensitivity_level or "",
        direction=(group.disambig_direction or "not_given") if group.test_type == "T2" else "",
        items=len(group.items),
        pairs=pairs_in(material, group),
        factorial=is_factorial(material, group),
    )


def all_facts(material: Material) -> tuple[GroupFacts, ...]:
    """Return the facts of every group, in the order of ids."""
    return tuple(facts_of(material, group) for group in material.groups)


def cell_name(domain: str, form: str) -> str:
    """Return how a cell is called: ``domain x form``."""
    return f"{domain} x {form}"


def counts_of(material: Material, facts: Sequence[GroupFacts]) -> Counts:
    """Return the counts of a bank whose facts are at hand."""
    active = [cell_name(*cell) for cell in material.taxonomy.active_cells()]
    wanted = (material.plan or Plan()).factorial
    return counted(facts, active, Band(at_least=wanted.at_least, at_most=wanted.at_most))


def counted(facts: Sequence[GroupFacts], cells: Iterable[str], band: Band) -> Counts:
    """Return the counts of some groups; ``cells`` are those told even when they are empty."""

    def tallies(part_of: Callable[[GroupFacts], str], known: Iterable[str] = ()) -> list[Tally]:
        by_part: dict[str, list[GroupFacts]] = {part: [] for part in known}
        for each in facts:
            if part := part_of(each):
                by_part.setdefault(part, []).append(each)
        return [
            Tally(
                part=part,
                groups=len(held),
                items=sum(each.items for each in held),
                pairs=sum(each.pairs for each in held),
            )
            for part, held in sorted(by_part.items())
        ]

    written = sum(each.factorial for each in facts)
    resolves = [each.direction for each in facts]
    return Counts(
        groups=len(facts),
        items=sum(each.items for each in facts),
        pairs=sum(each.pairs for each in facts),
        cells=tuple(tallies(lambda each: cell_name(each.domain, each.form), cells)),
        test_types=tuple(tallies(lambda each: each.test_type)),
        domains=tuple(tallies(lambda each: each.domain)),
        bands=tuple(tallies(lambda each: each.band)),
        directions=DirectionCounts(
            with_=resolves.count("with"),
            against=resolves.count("against"),
            neither=resolves.count("neither"),
            not_given=resolves.count("not_given"),
        ),
        factorial=FactorialCount(
            written=written,
            groups=len(facts),
            at_least=band.at_least,
            at_most=band.at_most,
            # in whole numbers: a share on the edge is within
            within=band.at_least * len(facts) <= 100 * written <= band.at_most * len(facts),
        ),
    )


class Change(Written):
    """One figure before and after a withdrawal."""

    of: str
    before: str
    after: str


def changes_between(before: Counts, after: Counts) -> tuple[Change, ...]:
    """Return every count that differs; factorial share and directions are told either way."""
    found = [
        Change(of=name, before=str(getattr(before, name)), after=str(getattr(after, name)))
        for name in ("groups", "items", "pairs")
    ]
    for kind in ("cells", "test_types", "domains", "bands"):
        now = {each.part: each for each in getattr(after, kind)}
        for each in getattr(before, kind):
            other = now.get(each.part) or Tally(part=each.part, groups=0, items=0, pairs=0)
            found += [
                Change(
                    of=f"{each.part}: {unit}",
                    before=str(getattr(each, unit)),
                    after=str(getattr(other, unit)),
                )
                for unit in ("groups", "items", "pairs")
            ]
    kept = [each for each in found if each.before != each.after]
    kept.append(
        Change(
            of="factorial share",
            before=factorial_said(before.factorial),
            after=factorial_said(after.factorial),
        )
    )
    kept.append(
        Change(
            of="directions with:against",
            before=directions_said(before.directions),
            after=directions_said(after.directions),
        )
    )
    return tuple(kept)


def factorial_said(count: FactorialCount) -> str:
    """Return the share in words: ``3/25 (12.0 %), below 40 to 50 %``."""
    where = "within" if count.within else "outside"
    return f"{share(count.written, count.groups)}, {where} {count.at_least} to {count.at_most} %"


def directions_said(count: DirectionCounts) -> str:
    """Return the balance in words: ``10:9, not half and half``."""
    balance = "half and half" if count.is_half_split else "not half and half"
    return f"{count.with_}:{count.against}, {balance}"
