"""Kinds of defects over a bank: how many groups and checks each has, and what mends them.

The list itself lies with the forms (``reviewkit.questions.defects``), because a reviewer is asked
for it and the door below must know which families there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reviewkit.authoring.lines import Line
from reviewkit.questions.defects import (
    FIX_KINDS,
    DefectFamily,
    Families,
    FixKind,
    check_families,
    load_families,
)

__all__ = [
    "FIX_KINDS", "DefectFamily", "Families", "FamilyCount", "FixKind", "check_families",
    "count_families", "count_fixes", "load_families",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FamilyCount:
    """How much there is of one kind of defect."""

    family: DefectFamily | None
    """None: the checks for which nobody named a family and none is suggested."""
    groups: int
    """Groups that ever had it; a group may have several kinds."""
    checks: int
    open_groups: int
    open_checks: int
    chosen: int
    """The checks of which a reviewer named it; of the others the failed check suggested it."""

    @property
    def closed_checks(self) -> int:
        """The checks that wait no more."""
        return self.checks - self.open_checks


def count_families(lines: Sequence[Line], families: Families) -> tuple[FamilyCount, ...]:
    """Return a count for every family that occurs, in the order of the file; without one last."""
    found: list[FamilyCount] = []
    known = [(each.id, each) for each in families.families]
    # a family that a record names and the file has no more is still counted, as one without a name
    for name, family in (*known, ("", None)):
        hits = [
            (line, each)
            for line in lines
            for each in line.checks
            if (each.failed.family == name if family else each.failed.family not in families.ids)
        ]
        waiting = [(line, each) for line, each in hits if each.is_open]
        if hits:
            found.append(
                FamilyCount(
                    family,
                    len({line.template_id for line, _ in hits}),
                    len(hits),
                    len({line.template_id for line, _ in waiting}),
                    len(waiting),
                    sum(each.failed.chosen for _, each in hits),
                )
            )
    return tuple(found)


def count_fixes(
    lines: Sequence[Line], families: Sequence[FamilyCount]
) -> dict[FixKind, tuple[int, int]]:
    """Return kind of fix -> groups and checks that wait for it; a group may wait for several.

    Checks without a family are in none.
    """
    kinds: dict[str, FixKind] = {
        each.family.id: each.family.fix for each in families if each.family is not None
    }
    groups: dict[FixKind, set[str]] = {kind: set() for kind in FIX_KINDS}
    checks: Counter[FixKind] = Counter()
    for line in lines:
        for each in line.open_checks:
            kind = kinds.get(each.failed.family)
            if kind is not None:
                groups[kind].add(line.template_id)
                checks[kind] += 1
    return {kind: (len(groups[kind]), checks[kind]) for kind in FIX_KINDS}
