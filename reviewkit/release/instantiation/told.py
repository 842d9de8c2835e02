"""What the files of a project can tell about one entry of the checklist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from reviewkit.bank import Group, load_bank
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.release.audit import Audit
from reviewkit.release.material import Material
from reviewkit.workspace import Workspace, shipped

NAMED = 6
"""How many names a sentence lists before it counts the rest."""


@dataclass(frozen=True, slots=True)
class Told:
    """What files say of an entry."""

    holds: bool | None
    """Whether it is as it should be; None when no file can tell."""
    said: str = ""
    settles: bool = False
    """Whether that settles the entry; else an answer is still asked for."""


NOT_TOLD = Told(None)


@dataclass(frozen=True)
class Project:
    """A project folder as read for the checklist."""

    ws: Workspace
    material: Material
    audit: Audit

    @property
    def taxonomy(self) -> Taxonomy:
        """The closed lists of the bank."""
        return self.material.taxonomy

    @property
    def groups(self) -> tuple[Group, ...]:
        """Every group that could be read."""
        return self.material.groups

    @cached_property
    def measured_types(self) -> tuple[str, ...]:
        """The test types that an active cell calls for."""
        taxonomy = self.taxonomy
        types = {
            kind for _, form in taxonomy.active_cells() for kind in taxonomy.test_types_of(form)
        }
        return tuple(sorted(types))

    @cached_property
    def demo_digests(self) -> frozenset[str]:
        """The digests of the groups that come with reviewkit."""
        demo = load_bank(Workspace(shipped("bank").parent))
        return frozenset(group.digest for group in demo.groups)

    @cached_property
    def demo_domains(self) -> frozenset[str]:
        """The domains of the bank that comes with reviewkit."""
        demo = load_bank(Workspace(shipped("bank").parent))
        return frozenset(demo.taxonomy.codes("domain"))

    def found(self, *codes: str) -> str:
        """Return the findings of some codes as a sentence that points to the audit, or nothing."""
        counts = {code: len(self.audit.of(code)) for code in codes}
        standing = [f"{code} {number}" for code, number in counts.items() if number]
        return f"`reviewkit audit` finds {', '.join(standing)}" if standing else ""


def named(names: Iterable[str]) -> str:
    """Return names as a list, the rest counted."""
    every = list(names)
    more = len(every) - NAMED
    return ", ".join(every[:NAMED]) + (f" and {more} more" if more > 0 else "")


def counted(number: int, noun: str) -> str:
    """Return ``1 group``, ``2 groups``, ``no group``."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
