"""Whether what is written anew for a society is there, and is its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from reviewkit.bank import load_watchlists
from reviewkit.cards import is_stub
from reviewkit.release.instantiation.told import Project, Told, counted, named

LAID = frozenset({"general"})
"""The domain that `reviewkit init` lays, for want of a society."""


def _domains(project: Project) -> Told:
    domains = frozenset(project.taxonomy.codes("domain"))
    if domains == LAID:
        return Told(False, "there is only `general`, as laid")
    if domains == project.demo_domains:
        return Told(False, "they are those of the demo")
    return Told(True, named(sorted(domains)))


def _cells(project: Project) -> Told:
    taxonomy = project.taxonomy
    without = [
        f"{cell.domain} x {cell.form}"
        for cell in taxonomy.closed_cells
        if all(is_stub(reason) for reason in cell.reason.values())
    ]
    if without:
        return Told(False, f"no reason is given for {named(without)}")
    if said := project.found("closed-cell"):
        return Told(False, said)
    active, closed = len(list(taxonomy.active_cells())), len(taxonomy.closed_cells)
    said = f"{active} active, {closed} closed" + (", each with its reason" if closed else "")
    return Told(True, said, settles=closed > 0)


def _axes(project: Project) -> Told:
    axes = project.material.axes.axes
    if not axes:
        return Told(False, "bank/axes.yaml names no axis")
    said: list[str] = []
    if few := [each.id for each in axes if sum(len(space.values) for space in each.spaces) < 2]:
        said.append(f"fewer than two values: {named(few)}")
    if unlisted := sorted(set(_unlisted(project))):
        said.append(f"no axis holds every value of {named(unlisted)}")
    if found := project.found("cross-axis", "variable-mislabelled"):
        said.append(found)
    if said:
        return Told(False, "; ".join(said))
    values = sum(len(space.values) for each in axes for space in each.spaces)
    count = f"{len(axes)} axis" if len(axes) == 1 else f"{len(axes)} axes"
    return Told(True, f"{count}, {counted(values, 'value')}", settles=True)


def _unlisted(project: Project) -> Iterator[str]:
    """Yield the T1 and T3 groups with a value that no axis holds."""
    for group in project.material.of_type("T1", "T3"):
        for item in group.items:
            if item.swapped_value and not project.material.axes.standings(item.swapped_value):
                yield group.template_id


def _sensitivity(project: Project) -> Told:
    levels, stances = project.taxonomy.codes("sensitivity_level"), project.taxonomy.codes("stance")
    if "T3" not in project.measured_types:
        return Told(True, "no active cell needs them", settles=True)
    if len(levels) < 2 or not stances:
        return Told(False, f"{counted(len(levels), 'step')}, {counted(len(stances), 'stance')}")
    if found := project.found("band-empty", "stance-empty"):
        return Told(False, found)
    return Told(True, named(levels))


def _watchlists(project: Project) -> Told:
    if "T4" not in project.measured_types:
        return Told(True, "no active cell needs one", settles=True)
    lists = load_watchlists(project.ws)
    if not lists:
        return Told(False, "bank/watchlists/ holds no list")
    if found := project.found("watchlist-missing", "watchlist-classes", "term-pending"):
        return Told(False, found)
    return Told(True, named(each.full_name for each in lists), settles=True)


def _registry(project: Project) -> Told:
    entries = project.material.bank.registry.entries
    if not entries:
        wanted = "T4" in project.measured_types
        return Told(False if wanted else None, "bank/registry.yaml names no event")
    if found := project.found("event-unregistered", "event-unsourced", "event-missing"):
        return Told(False, found)
    unsigned = [
        entry.ref_id
        for entry in entries
        if not (entry.verified_by or "").strip() or entry.verified_on is None
    ]
    if unsigned:
        return Told(False, f"nobody looked up {named(unsigned)}")
    return Told(True, f"{counted(len(entries), 'event')}, all looked up", settles=True)


def _registers(project: Project) -> Told:
    standard = [each.id for each in project.taxonomy.registers if each.kind == "standard"]
    dialects = [each.id for each in project.taxonomy.registers if each.kind == "dialect"]
    if not standard:
        return Told(False, "no register is a standard")
    if not dialects:
        return Told(None, "there is one register: say why there is no second")
    written = project.audit.figures.factorial.written
    said = f"{named(standard)} and {named(dialects)}; {counted(written, 'group')} in both"
    return Told(True, said, settles=written > 0)


def _undetermined(project: Project) -> Told:
    texts = project.taxonomy.cannot_be_determined
    lacking = [each for each in project.taxonomy.languages if not texts.get(each)]
    if lacking:
        return Told(False, f"nothing is given for {named(lacking)}")
    if found := project.found("undetermined-missing"):
        return Told(False, found)
    return Told(True, counted(sum(map(len, texts.values())), "wording"), settles=True)


def _leakage(project: Project) -> Told:
    have = {each.language for each in project.material.leakage}
    lacking = [each for each in project.taxonomy.languages if each not in have]
    if lacking:
        return Told(False, f"bank/leakage/ has no list for {named(lacking)}")
    return Told(True, f"for {named(project.taxonomy.languages)}", settles=True)


def _items(project: Project) -> Told:
    if not project.groups:
        return Told(False, "no group is written")
    theirs = [each.template_id for each in project.groups if each.digest in project.demo_digests]
    if theirs:
        return Told(False, f"of the demo: {named(theirs)}")
    if found := project.found("unreadable", "malformed", "cell-empty"):
        return Told(False, found)
    items = sum(len(group.items) for group in project.groups)
    return Told(True, f"{counted(items, 'item')} on {counted(len(project.groups), 'group')}")


REBUILT: Mapping[str, Callable[[Project], Told]] = {
    "domains": _domains,
    "cells": _cells,
    "axes": _axes,
    "sensitivity": _sensitivity,
    "watchlists": _watchlists,
    "registry": _registry,
    "registers": _registers,
    "undetermined": _undetermined,
    "leakage": _leakage,
    "items": _items,
}
"""What files tell of the entries that are rebuilt; on the others only people can speak."""
