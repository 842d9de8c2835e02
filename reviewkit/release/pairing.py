"""Whether the values of a pair differ in the axis they declare, and in that alone."""

from __future__ import annotations

from collections.abc import Iterator

from reviewkit.bank import Group
from reviewkit.bank.axes import Axis
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material


def check_axes(material: Material) -> Iterator[Finding]:
    """Yield groups that pair values of several spaces, or whose variable names another axis.

    Values that no axis lists are counted for the bank: without a word of them a list with no
    crossing would look judged.
    """
    if unlisted := _off_axes(material):
        yield unlisted
    if not material.axes.axes:
        return
    for group in material.of_type("T1", "T3"):
        variable = group.swapped_variable or ""
        declared = material.axes.declared_by(variable)
        values = {item.swapped_value for item in group.items if item.swapped_value}
        placed = {value: material.axes.standings(value) for value in values}
        listed = [standings for standings in placed.values() if standings]
        if not listed:
            continue
        within = {axis.id for axis in declared}
        shared = set.intersection(*({each.axis for each in s} for s in listed))
        if not shared:
            names = sorted({each.axis for standings in listed for each in standings})
            yield of_group("cross-axis", group, said=f"axes {' and '.join(names)}")
            continue
        if variable and not shared & within:
            said = f"values of {' or '.join(sorted(shared))}"
            yield of_group("variable-mislabelled", group, said=said)
        if crossed := _crossed(material, group, declared, shared & within or shared):
            yield of_group("cross-axis", group, said=f"spaces {' and '.join(crossed)}")


def _off_axes(material: Material) -> Finding | None:
    groups, values = 0, set[str]()
    for group in material.of_type("T1", "T3"):
        off = {
            item.swapped_value
            for item in group.items
            if item.swapped_value and not material.axes.standings(item.swapped_value)
        }
        groups += bool(off)
        values |= off
    if not groups:
        return None
    said = "" if material.axes.axes else "the bank has no axes"
    return of_bank("values-off-axes", said, {"values": len(values), "groups": groups})


def _crossed(
    material: Material, group: Group, declared: tuple[Axis, ...], axes: set[str]
) -> tuple[str, ...]:
    """Return the spaces that a pair crosses without saying so; none when an axis holds it."""
    variable = group.swapped_variable or ""
    crossed: tuple[str, ...] = ()
    for axis_id in sorted(axes):
        axis = material.axes.get(axis_id)
        if axis is None or (axis in declared and variable in axis.crossing):
            return ()
        spaces = {
            standing.space
            for item in group.items
            if item.swapped_value
            for standing in material.axes.standings(item.swapped_value)
            if standing.axis == axis_id
        }
        if len(spaces) < 2:
            return ()
        crossed = tuple(sorted(spaces))
    return crossed
