"""Reads a bank from its files; every fault of every file is told at once.

A group stands in a YAML file of its own, or in a JSONL file: one whole group a line, or one flat
item a line. Neither the kind of file nor its name is part of a group's content.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from reviewkit.bank.bank import Bank, Place
from reviewkit.bank.check import check_group
from reviewkit.bank.flat_lines import FlatLine, contradictions, joined, place_in
from reviewkit.bank.items import Group
from reviewkit.bank.new_group import open_places
from reviewkit.bank.registry import Registry
from reviewkit.bank.rest import collector_at_rest
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Gathering, Loc, Source, build, collect, load_jsonl, load_yaml
from reviewkit.workspace import Workspace

M = TypeVar("M", bound=BaseModel)


@collector_at_rest()
def load_bank(ws: Workspace) -> Bank:
    """Return the bank of a project folder.

    Raises ProblemsFound with every fault of taxonomy, registry and group files; whatever could be
    read is then checked as well (see ``check_bank``), so that one round of mending is enough.
    """
    with collect() as faults:
        taxonomy = faults.attempt(load_taxonomy, ws.taxonomy, ws.shown(ws.taxonomy))
        registry = faults.attempt(load_registry, ws.registry, ws.shown(ws.registry))
        reading = _Reading(faults)
        for path in _group_files(ws.groups):
            reading.read(path, ws.shown(path))
        if taxonomy is not None and faults.problems:
            reading.check(taxonomy, registry)
    if taxonomy is None or registry is None:
        raise AssertionError("what could not be read has left its problems")
    places = {group.template_id: place for group, place in reading.groups}
    return Bank(tuple(group for group, _ in reading.groups), taxonomy, registry, places)


@collector_at_rest()
def read_bank(ws: Workspace) -> tuple[Bank, tuple[Problem, ...]]:
    """Return the sound groups of a bank and the problems of the files that are left out.

    One file in the middle of an edit must not lock a reviewer out of all the others. Raises
    ProblemsFound when the taxonomy or the registry cannot be read.
    """
    taxonomy = load_taxonomy(ws.taxonomy, ws.shown(ws.taxonomy))
    registry = load_registry(ws.registry, ws.shown(ws.registry))
    reading: _Reading | None = None
    problems: tuple[Problem, ...] = ()
    try:
        with collect() as faults:
            reading = _Reading(faults)
            for path in _group_files(ws.groups):
                reading.read(path, ws.shown(path))
            reading.check(taxonomy, registry)
    except ProblemsFound as found:
        problems = found.problems
    read = reading.groups if reading is not None else []
    sources = {group.source for group, _ in read}
    at_fault = {file_of(problem.where, sources) for problem in problems}
    sound = [(group, place) for group, place in read if group.source not in at_fault]
    places = {group.template_id: place for group, place in sound}
    return Bank(tuple(group for group, _ in sound), taxonomy, registry, places), problems


@collector_at_rest()
def read_whole_bank(ws: Workspace) -> tuple[Bank, tuple[Problem, ...]]:
    """Return every group that could be read, well formed or not, and what could not be read.

    It is for the audit, which names faults of groups itself. Of two groups with one id, or with
    an item id in common, the first one read stays. Raises ProblemsFound when the taxonomy or the
    registry cannot be read.
    """
    taxonomy = load_taxonomy(ws.taxonomy, ws.shown(ws.taxonomy))
    registry = load_registry(ws.registry, ws.shown(ws.registry))
    faults = Gathering()
    reading = _Reading(faults)
    for path in _group_files(ws.groups):
        reading.read(path, ws.shown(path))
    taken: set[str] = set()
    groups: list[Group] = []
    places: dict[str, Place] = {}
    for group, place in reading.groups:
        items = [item.id for item in group.items]
        ids = {f"template {group.template_id}", *items}
        if taken.isdisjoint(ids) and len(set(items)) == len(items):
            taken |= ids
            groups.append(group)
            places[group.template_id] = place
    return Bank(tuple(groups), taxonomy, registry, places), faults.problems


def file_of(where: str, files: Collection[str]) -> str | None:
    """Return the file that a problem's place names; a name may hold spaces, colons and digits."""
    ends = [at for at, char in enumerate(where) if char in ": "]
    places = (where[:end] for end in (len(where), *reversed(ends)))
    return next((place for place in places if place in files), None)


def group_files(ws: Workspace) -> tuple[str, ...]:
    """Return every file that is read as a file of groups, as problems name it."""
    return tuple(ws.shown(path) for path in _group_files(ws.groups))


def load_group(path: Path, shown: str, taxonomy: Taxonomy) -> tuple[Group, ...]:
    """Return the groups of one file, e.g. after an edit.

    Raises ProblemsFound with every fault, those against the taxonomy included. What only the
    whole bank can tell, an id that stands elsewhere or an unregistered event, is not looked at.
    """
    with collect() as faults:
        reading = _Reading(faults)
        reading.read(path, shown)
        reading.check(taxonomy, None)
    return tuple(group for group, _ in reading.groups)


def load_taxonomy(path: Path, shown: str) -> Taxonomy:
    """Return the taxonomy; raises ProblemsFound, also when its lists contradict one another."""
    with collect() as faults:
        source = load_yaml(path, shown)
        taxonomy = build(source, Taxonomy)
        faults.add(_taxonomy_faults(taxonomy, source))
    return taxonomy


def load_registry(path: Path, shown: str) -> Registry:
    """Return the reference registry, empty when there is no file; raises ProblemsFound."""
    if not path.exists():
        return Registry()
    with collect() as faults:
        source = load_yaml(path, shown)
        registry = build(source, Registry)
        ids = [entry.ref_id for entry in registry.entries]
        faults.add(_doubles(ids, source, ("entries",), ("ref_id",)))
    return registry


def _taxonomy_faults(taxonomy: Taxonomy, source: Source) -> Iterator[Problem]:
    lists = {
        "domains": taxonomy.domains,
        "forms": taxonomy.forms,
        "reference_categories": taxonomy.reference_categories,
        "registers": taxonomy.registers,
        "sensitivity_levels": taxonomy.sensitivity_levels,
        "stances": taxonomy.stances,
    }
    for name, entries in lists.items():
        yield from _doubles([entry.id for entry in entries], source, (name,), ("id",))
    yield from _doubles(taxonomy.languages, source, ("languages",))
    cells = [f"{cell.domain} x {cell.form}" for cell in taxonomy.closed_cells]
    yield from _doubles(cells, source, ("closed_cells",))
    for at, cell in enumerate(taxonomy.closed_cells):
        for name, code, known in (
            ("domain", cell.domain, taxonomy.codes("domain")),
            ("form", cell.form, taxonomy.codes("bias_form")),
        ):
            if code not in known:
                yield source.problem(
                    ("closed_cells", at, name),
                    f"there is no {name} {code!r}",
                    f"use one of {', '.join(known)}",
                )
    for at, domain in enumerate(taxonomy.domains):
        for n, code in enumerate(domain.reference_categories):
            if code not in taxonomy.codes("reference_category"):
                yield source.problem(
                    ("domains", at, "reference_categories", n),
                    f"there is no reference category {code!r}",
                    f"use one of {', '.join(taxonomy.codes('reference_category'))}",
                )
    yield from _strange_languages(taxonomy, source)


def _strange_languages(taxonomy: Taxonomy, source: Source) -> Iterator[Problem]:
    given = [("cannot_be_determined", each) for each in taxonomy.cannot_be_determined]
    given += [("writing", each) for each in taxonomy.writing]
    for name, language in given:
        if language not in taxonomy.languages:
            yield source.problem(
                (name, language),
                f"{language!r} is not among the languages",
                "add it to languages or delete these texts",
            )


def _doubles(ids: Iterable[str], source: Source, before: Loc, after: Loc = ()) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for at, each in enumerate(ids):
        if each in first:
            there = source.where((*before, first[each], *after))
            yield source.problem(
                (*before, at, *after), f"{each!r} stands at {there} already", "keep one of the two"
            )
        first.setdefault(each, at)


def _group_files(folder: Path) -> list[Path]:
    """Return every file under ``folder`` but notes, backups and what is hidden (checkpoints)."""
    return sorted(
        path
        for path in folder.rglob("*")
        if not path.is_dir()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.suffix != ".md"
        and not path.name.endswith("~")
    )


class _Reading:
    """The groups read so far and where they stand; their faults go to the gathering."""

    def __init__(self, faults: Gathering) -> None:
        self.groups: list[tuple[Group, Place]] = []
        self._faults = faults
        self._claimed: dict[tuple[str, str], tuple[Source, Loc]] = {}

    def read(self, path: Path, shown: str) -> None:
        """Add the groups of one file."""
        suffix = path.suffix.lower()
        if suffix in (".yaml", ".yml"):
            source = self._faults.read(load_yaml, path, shown)
            if source is not None:
                self._read_whole(source)
        elif suffix == ".jsonl":
            self._read_lines(self._faults.attempt(load_jsonl, path, shown) or [])
        else:
            wrong = "a file of this kind is not read"
            remedy = "rename it to .yaml or .jsonl, or move it out of the groups"
            self._faults.add([Problem(shown, wrong, remedy)])

    def check(self, taxonomy: Taxonomy, registry: Registry | None) -> None:
        """Add what is not well formed in the groups that could be read."""
        for group, place in self.groups:
            self._faults.add(check_group(group, taxonomy, registry, place))

    def _read_whole(self, source: Source) -> None:
        self._claim("template", source.value.get("template_id"), source, ("template_id",))
        items = source.value["items"] if isinstance(source.value.get("items"), list) else []
        for at, item in enumerate(items):
            item_id = item.get("id") if isinstance(item, dict) else None
            self._claim("item", item_id, source, ("items", at, "id"))
        group = self._build(source, Group)
        if group is not None:
            self.groups.append((group.placed_in(source.path_shown), source.where))

    def _read_lines(self, lines: Iterable[Source]) -> None:
        flat: dict[str, list[Source]] = defaultdict(list)
        for source in lines:
            if "items" in source.value:
                self._read_whole(source)
            else:
                self._claim("item", source.value.get("id"), source, ("id",))
                flat[str(source.value.get("template_id"))].append(source)
        for template_id, sources in flat.items():
            self._claim("template", template_id, sources[0], ("template_id",))
            built = [(source, self._build(source, FlatLine)) for source in sources]
            read = [(source, line) for source, line in built if line is not None]
            conflicts = list(contradictions(read))
            self._faults.add(conflicts)
            if len(read) == len(sources) and not conflicts:
                group = joined(read).placed_in(sources[0].path_shown)
                self.groups.append((group, partial(place_in, read)))

    def _build(self, source: Source, model: type[M]) -> M | None:
        """Return the model, or None when places are unfilled or something is wrong."""
        open_at: set[str] = set()
        for loc, what in open_places(source.value):
            wrong, remedy = (
                f"still to be filled in: {what}",
                "write it in place of <<fill in: ...>>",
            )
            self._faults.add([source.problem(loc, wrong, remedy)])
            open_at.add(source.where(loc))
        try:
            built = build(source, model)
        except ProblemsFound as error:
            self._faults.add(each for each in error.problems if each.where not in open_at)
            return None
        return None if open_at else built

    def _claim(self, kind: str, value: object, source: Source, loc: Loc) -> None:
        """Note an id and where it stands; a fault when it stands somewhere else already."""
        if not isinstance(value, str) or not value:
            return
        taken, at = self._claimed.setdefault((kind, value), (source, loc))
        if (taken, at) != (source, loc):
            wrong = f"the {kind} id {value!r} stands at {taken.where(at)} already"
            self._faults.add([source.problem(loc, wrong, "give one of the two another id")])
