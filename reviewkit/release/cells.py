"""Whether every group stands where the taxonomy lets it stand, and every cell is used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from reviewkit.bank import Group, check_group
from reviewkit.bank.load import file_of
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material
from reviewkit.release.twins import has_single_value
from reviewkit.sources import Loc
from reviewkit.sources.source import show_loc

_LINE = re.compile(r"^(.*?):\d+(?= |$)")


def check_files(material: Material) -> Iterator[Finding]:
    """Yield what keeps files from being read, and fields at fault that have no code of their own.

    Only places are told: what is wrong there may quote an item.
    """
    per_file = Counter(_file(problem.where, material.files) for problem in material.unreadable)
    for file, number in per_file.items():
        yield Finding("unreadable", source=file, counts={"places": number})
    for group in material.groups:
        places = Counter(_malformed(material, group))
        if places:
            yield of_group("malformed", group, counts=places)


def _file(where: str, files: frozenset[str]) -> str:
    known = file_of(where, files)
    found = _LINE.match(where)
    return known or (found.group(1) if found else where.split(maxsplit=1)[0])


def _malformed(material: Material, group: Group) -> Iterator[str]:
    told_elsewhere = {"event_ref"}
    if _is_misplaced(material, group):
        told_elsewhere.add("bias_form")
    if has_single_value(material, group):
        told_elsewhere |= {"items", "value_list"}
    registry, taxonomy = material.bank.registry, material.taxonomy
    for problem in check_group(group, taxonomy, registry, lambda loc: show_loc(_field(loc))):
        if problem.where not in told_elsewhere:
            yield problem.where


def _field(loc: Loc) -> Loc:
    """Return a place without the numbers of items: ``items.options``."""
    return tuple(part for part in loc if not isinstance(part, int))


def _is_misplaced(material: Material, group: Group) -> bool:
    taxonomy = material.taxonomy
    return taxonomy.closed(
        group.domain, group.bias_form
    ) is not None or group.test_type not in taxonomy.test_types_of(group.bias_form)


def check_cells(material: Material) -> Iterator[Finding]:
    """Yield groups in closed cells, of a form or reference category that does not fit."""
    taxonomy = material.taxonomy
    used: set[tuple[str, str]] = set()
    deferred = {each.id for each in taxonomy.reference_categories if each.deferred == "yes"}
    for group in material.groups:
        used.add((group.domain, group.bias_form))
        cell = f"{group.domain} x {group.bias_form}"
        if taxonomy.closed(group.domain, group.bias_form) is not None:
            yield of_group("closed-cell", group, said=cell)
        bound = taxonomy.test_types_of(group.bias_form)
        if group.test_type not in bound:
            said = f"{group.bias_form} is measured by {' or '.join(bound) or 'nothing'}"
            yield of_group("form-test-type", group, said=f"{said}, not by {group.test_type}")
        admitted = taxonomy.categories_of(group.domain)
        if admitted and group.reference_category not in admitted:
            said = f"{group.reference_category} in {group.domain}"
            yield of_group("fact-category", group, said=said)
        if group.reference_category in deferred:
            yield of_group("category-deferred", group, said=group.reference_category)
    for domain, form in taxonomy.active_cells():
        if (domain, form) not in used:
            yield of_bank("cell-empty", f"{domain} x {form}")
