"""Dialect twins: whether they are written, and how far the bank is factorial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reviewkit.bank import Group
from reviewkit.bank.plan import Band, Plan
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material


def is_factorial(material: Material, group: Group) -> bool:
    """Return whether a group is written in both registers: each standard text has its twin."""
    if group.template_id not in material.with_dialect:
        return False
    written = material.written(group)
    dialect = sum(material.is_dialect(item) for item in written)
    standard = len(material.standard(group.items))
    return 0 < standard <= dialect


def _has_dialect(material: Material, group: Group) -> bool:
    return group.template_id in material.with_dialect and bool(material.standard(group.items))


@dataclass(frozen=True, slots=True)
class Factorial:
    """How many groups are written in both registers, and how many only claim to be."""

    written: int
    claimed: int
    """Groups with any dialect item, stubs included: what plain counts would show."""
    groups: int
    band: Band

    @property
    def is_within(self) -> bool:
        """Whether the share of groups lies in its band, compared in whole numbers."""
        share = 100 * self.written
        return self.band.at_least * self.groups <= share <= self.band.at_most * self.groups


def factorial(material: Material) -> Factorial:
    """Return the factorial share of the bank."""
    band = (material.plan or Plan()).factorial
    written = sum(is_factorial(material, group) for group in material.groups)
    claimed = sum(_has_dialect(material, group) for group in material.groups)
    return Factorial(written, claimed, len(material.groups), band)


def check_registers(material: Material) -> Iterator[Finding]:
    """Yield dialect twins that are not written, and a share of factorial groups out of band."""
    for group in material.groups:
        if group.template_id not in material.with_dialect:
            if group.factorial == "yes":
                yield of_group("factorial-mismatch", group, said="says yes")
            continue
        dialect = {item.id for item in group.items if material.is_dialect(item)}
        stubs = [each for each in material.flagged(group, "stub") if each in dialect]
        copies = [each for each in material.flagged(group, "same_as_standard") if each in dialect]
        if stubs:
            yield of_group("stub-twin", group, stubs)
        if copies:
            yield of_group("copied-twin", group, copies)
        both, whole = _has_dialect(material, group), is_factorial(material, group)
        if both and not whole and not stubs and not copies:
            counts = {"standard": len(group.items) - len(dialect), "dialect": len(dialect)}
            yield of_group("partial-twin", group, counts=counts)
        if group.factorial is not None and (group.factorial == "yes") != both:
            yield of_group("factorial-mismatch", group, said=f"says {group.factorial}")
    has_dialects = any(each.kind == "dialect" for each in material.taxonomy.registers)
    share = factorial(material)
    if has_dialects and material.groups and not share.is_within:
        band = f"{share.band.at_least} to {share.band.at_most} %"
        yield of_bank("factorial-share", f"{share.written} of {share.groups} groups, band {band}")
