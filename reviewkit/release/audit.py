"""The audit: every check over a bank, its figures, and what of it is waived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from reviewkit.authoring.standing import Standings
from reviewkit.bank.rest import collector_at_rest
from reviewkit.release.cells import check_cells, check_files
from reviewkit.release.codes import CODES
from reviewkit.release.events import check_events, check_watchlists
from reviewkit.release.findings import Finding
from reviewkit.release.keys import Directions, check_directions, check_keys, directions
from reviewkit.release.leaks import check_leakage, check_terms
from reviewkit.release.material import Material, read_material
from reviewkit.release.pairing import check_axes
from reviewkit.release.positions import Positions, check_positions, positions
from reviewkit.release.refusal import Gradient, check_refusal, gradient
from reviewkit.release.registers import Factorial, check_registers, factorial
from reviewkit.release.reviews import check_reviews
from reviewkit.release.seals import check_layers
from reviewkit.release.sizes import Measured, check_sizes, measured, pairs_in
from reviewkit.release.texts import check_texts
from reviewkit.release.twins import check_twins
from reviewkit.release.waivers import Digests, Used, Waiver, apply_waivers, load_waivers
from reviewkit.workspace import Workspace, find_workspace

Check = Callable[[Material], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    check_files, check_cells, check_keys, check_directions, check_positions, check_twins,
    check_registers, check_texts, check_events, check_watchlists, check_leakage, check_terms,
    check_axes, check_refusal, check_sizes, check_layers, check_reviews,
)  # fmt: skip
"""Every check; a new one is a function of the material and a line here."""


@dataclass(frozen=True, slots=True)
class Part:
    """One test type in one domain, or all of a test type."""

    test_type: str
    domain: str
    groups: int
    items: int
    pairs: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What the audit counts, whatever it finds."""

    items: int
    parts: tuple[Part, ...]
    factorial: Factorial
    directions: Directions
    positions: tuple[Positions, ...]
    gradient: Gradient
    sizes: tuple[Measured, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """What the audit of a bank came to."""

    digest: str
    """The digest of the bank that was audited."""
    groups: int
    findings: tuple[Finding, ...]
    """Every finding that stands: hard ones first, then by code and group."""
    waived: tuple[tuple[Finding, Waiver], ...]
    waivers: tuple[Used, ...]
    """Every waiver of the file, in its order."""
    figures: Figures
    standings: Standings

    @property
    def hard(self) -> tuple[Finding, ...]:
        """The findings that fail the audit."""
        return tuple(each for each in self.findings if each.is_hard)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The work that is left."""
        return tuple(each for each in self.findings if not each.is_hard)

    @property
    def passed(self) -> bool:
        """Whether no hard check failed; warnings may stand."""
        return not self.hard

    def of(self, code: str) -> tuple[Finding, ...]:
        """Return the findings of one code that stand; KeyError when there is no such code."""
        CODES[code]
        return tuple(each for each in self.findings if each.code == code)

    @property
    def headline(self) -> str:
        """What is said first: how much there is, and how much of it is at fault."""
        there = f"{_number(self.figures.items, 'item')} on {_number(self.groups, 'group')}"
        what = there if self.groups else "no group to audit"
        hard, warnings = len(self.hard), len(self.warnings)
        found = f"{_number(hard, 'hard finding')}, {_number(warnings, 'warning')}"
        return (
            f"{what.capitalize()}, bank digest {self.digest[:12]}. {found.capitalize()},"
            f" {len(self.waived)} waived."
        )

    def __repr__(self) -> str:
        return f"<audit: {self.headline}>"

    def _repr_markdown_(self) -> str:
        from reviewkit.release.layout import as_markdown  # noqa: PLC0415 - it lays this out

        return as_markdown(self)


def _number(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


@collector_at_rest()
def audit(ws: Workspace | None = None) -> Audit:
    """Audit the bank of a project folder, the one at or above the working directory by default.

    Raises ProblemsFound when taxonomy, registry, plan, axes, phrases, waivers, forms or the study
    of record are at fault: then nobody can say what the bank is to be measured against.
    """
    ws = ws or find_workspace()
    return audit_of(read_material(ws), load_waivers(ws))


@collector_at_rest()
def audit_of(material: Material, waivers: Iterable[Waiver] = ()) -> Audit:
    """Return the audit of what was read."""
    order = {code: at for at, code in enumerate(CODES)}
    found = [finding for check in CHECKS for finding in check(material)]
    found.sort(key=lambda each: (not each.is_hard, order[each.code], each.group, each.source))
    waived, used = apply_waivers(found, tuple(waivers), Digests(material.bank))
    return Audit(
        digest=material.bank.digest,
        groups=len(material.groups),
        findings=tuple(each for at, each in enumerate(found) if at not in waived),
        waived=tuple((found[at], waiver) for at, waiver in waived.items()),
        waivers=used,
        figures=figures(material),
        standings=material.standings,
    )


def figures(material: Material) -> Figures:
    """Return every figure of the audit."""
    groups: Counter[tuple[str, str]] = Counter()
    items: Counter[tuple[str, str]] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for group in material.groups:
        key = (group.test_type, group.domain)
        groups[key] += 1
        items[key] += len(group.items)
        pairs[key] += pairs_in(material, group)
    return Figures(
        items=items.total(),
        parts=tuple(Part(*key, groups[key], items[key], pairs[key]) for key in sorted(groups)),
        factorial=factorial(material),
        directions=directions(material.of_type("T2")),
        positions=positions(material),
        gradient=gradient(material),
        sizes=measured(material),
    )
