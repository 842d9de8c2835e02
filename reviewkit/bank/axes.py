"""Which values may be swapped for each other: the axes of a society, read from ``bank/axes.yaml``.

Two values of one axis may still stand for more than the axis: two towns across a boundary between
peoples differ in people as well as in town. Such values lie in different *spaces* of their axis,
and only a variable that is declared to cross may pair them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from reviewkit.bank.folding import words_of
from reviewkit.bank.items import Frozen, Prose, Some, Tag, Written
from reviewkit.bank.taxonomy import Wording
from reviewkit.problems import Problem
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.workspace import Workspace

Folded = tuple[str, ...]


class Space(Frozen):
    """Values of an axis that differ in nothing but the axis."""

    id: Tag
    values: Some[Prose]
    """In every language of the bank; spelling does not matter."""


class Axis(Frozen):
    """One social axis: the variables that declare it, and its values."""

    id: Tag
    title: Wording
    variables: Some[Written]
    """The names by which a group's ``swapped_variable`` declares the axis."""
    crossing: tuple[Written, ...] = ()
    """The names that declare a pair across its spaces."""
    spaces: Some[Space]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a value lies."""

    axis: str
    space: str


class Axes(Frozen):
    """Every axis of a bank."""

    axes: tuple[Axis, ...] = ()

    @cached_property
    def _by_value(self) -> dict[Folded, tuple[Standing, ...]]:
        found: dict[Folded, tuple[Standing, ...]] = {}
        for axis in self.axes:
            for space in axis.spaces:
                for value in space.values:
                    key = _folded(value)
                    found[key] = (*found.get(key, ()), Standing(axis.id, space.id))
        return found

    def standings(self, value: str) -> tuple[Standing, ...]:
        """Return where a value lies, in every axis that lists it; nothing when none does."""
        return self._by_value.get(_folded(value), ())

    def declared_by(self, variable: str) -> tuple[Axis, ...]:
        """Return the axes that a variable declares, to cross them or not."""
        return tuple(axis for axis in self.axes if variable in (*axis.variables, *axis.crossing))

    def get(self, axis_id: str) -> Axis | None:
        """Return the axis with this id, or None."""
        return next((axis for axis in self.axes if axis.id == axis_id), None)


def _folded(value: str) -> Folded:
    return tuple(word.folded for word in words_of(value))


def load_axes(ws: Workspace) -> Axes:
    """Return the axes, none when there is no file; raises ProblemsFound with every fault."""
    if not ws.axes.exists():
        return Axes()
    with collect() as faults:
        source = load_yaml(ws.axes, ws.shown(ws.axes))
        axes = build(source, Axes)
        faults.add(_faults_of(axes, source))
    return axes


def _faults_of(axes: Axes, source: Source) -> Iterator[Problem]:
    for at in _twice(axis.id for axis in axes.axes):
        wrong = f"the axis {axes.axes[at].id!r} stands twice"
        yield source.problem(("axes", at, "id"), wrong, "keep one of the two")
    for at, axis in enumerate(axes.axes):
        for n in _twice(space.id for space in axis.spaces):
            wrong = f"the space {axis.spaces[n].id!r} stands twice"
            yield source.problem(("axes", at, "spaces", n, "id"), wrong, "keep one of the two")
        counts = Counter(_folded(value) for space in axis.spaces for value in space.values)
        for n, space in enumerate(axis.spaces):
            for m, value in enumerate(space.values):
                if counts[_folded(value)] > 1:
                    wrong = f"{value!r} stands more than once in the axis {axis.id}"
                    where = ("axes", at, "spaces", n, "values", m)
                    yield source.problem(where, wrong, "keep it in one space")


def _twice(ids: Iterable[str]) -> Iterator[int]:
    seen: set[str] = set()
    for at, each in enumerate(ids):
        if each in seen:
            yield at
        seen.add(each)
