"""Reads a bank from its files; every fault of every file is told at once.

A group stands in a YAML file of its own, or in a JSONL file: one whole group a line, or one flat
item a line with the fields of its group repeated on each (the seed's schema). Neither the kind of
file nor its name is part of a group's content.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

from reviewkit.bank.bank import Bank, Place
from reviewkit.bank.check import check_group
from reviewkit.bank.items import OUTSIDE_DIGEST, Group, Item, Shared
from reviewkit.bank.new_group import open_places
from reviewkit.bank.registry import Registry
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Source, build, load_jsonl, load_yaml
from reviewkit.workspace import Workspace

Loc = tuple[str | int, ...]


class FlatLine(Item, Shared):
    """One line of the seed's flat schema: an item and, repeated on each line, its group's fields.

    The bookkeeping fields that both have are the item's.
    """


_ITEM_FIELDS = frozenset(Item.model_fields)
_SHARED_FIELDS = tuple(name for name in Shared.model_fields if name not in OUTSIDE_DIGEST)


def load_bank(ws: Workspace) -> Bank:
    """Return the bank of a project folder.

    Raises ProblemsFound with every fault of taxonomy, registry and group files; whatever could be
    read is then checked as well (see ``check_bank``), so that one round of mending is enough.
    """
    problems: list[Problem] = []
    taxonomy = registry = None
    try:
        taxonomy = load_taxonomy(ws.taxonomy, ws.shown(ws.taxonomy))
    except ProblemsFound as error:
        problems += error.problems
    try:
        registry = load_registry(ws.registry, ws.shown(ws.registry))
    except ProblemsFound as error:
        problems += error.problems
    reading = _Reading()
    for path in _group_files(ws.groups):
        reading.read(path, ws.shown(path))
    problems += reading.problems
    if taxonomy is None or registry is None or problems:
        if taxonomy is not None:
            problems += reading.check(taxonomy, registry)
        raise ProblemsFound(problems)
    places = {group.template_id: place for group, place in reading.groups}
    return Bank(tuple(group for group, _ in reading.groups), taxonomy, registry, places)


def load_group(path: Path, shown: str, taxonomy: Taxonomy) -> tuple[Group, ...]:
    """Return the groups of one file, e.g. after an edit.

    Raises ProblemsFound with every fault, those against the taxonomy included. What only the
    whole bank can tell, an id that stands elsewhere or an unregistered event, is not looked at.
    """
    reading = _Reading()
    reading.read(path, shown)
    problems = [*reading.problems, *reading.check(taxonomy, None)]
    if problems:
        raise ProblemsFound(problems)
    return tuple(group for group, _ in reading.groups)


def load_taxonomy(path: Path, shown: str) -> Taxonomy:
    """Return the taxonomy; raises ProblemsFound with every fault, also of one list against another."""
    source = load_yaml(path, shown)
    taxonomy = build(source, Taxonomy)
    problems = list(_taxonomy_faults(taxonomy, source))
    if problems:
        raise ProblemsFound(problems)
    return taxonomy


def load_registry(path: Path, shown: str) -> Registry:
    """Return the reference registry, empty when there is no file; raises ProblemsFound."""
    if not path.exists():
        return Registry()
    source = load_yaml(path, shown)
    registry = build(source, Registry)
    ids = [entry.ref_id for entry in registry.entries]
    problems = list(_doubles(ids, lambda at: source.where(("entries", at, "ref_id"))))
    if problems:
        raise ProblemsFound(problems)
    return registry


def _taxonomy_faults(taxonomy: Taxonomy, source: Source) -> Iterator[Problem]:
    lists: dict[str, Iterable[str]] = {
        "domains": [entry.id for entry in taxonomy.domains],
        "forms": [entry.id for entry in taxonomy.forms],
        "reference_categories": [entry.id for entry in taxonomy.reference_categories],
        "registers": [entry.id for entry in taxonomy.registers],
        "sensitivity_levels": [entry.id for entry in taxonomy.sensitivity_levels],
        "stances": [entry.id for entry in taxonomy.stances],
    }
    for name, ids in lists.items():
        yield from _doubles(ids, lambda at, name=name: source.where((name, at, "id")))
    yield from _doubles(taxonomy.languages, lambda at: source.where(("languages", at)))
    cells = [f"{cell.domain} x {cell.form}" for cell in taxonomy.closed_cells]
    yield from _doubles(cells, lambda at: source.where(("closed_cells", at)))
    for at, cell in enumerate(taxonomy.closed_cells):
        for name, code, known in (
            ("domain", cell.domain, taxonomy.codes("domain")),
            ("form", cell.form, taxonomy.codes("bias_form")),
        ):
            if code not in known:
                yield Problem(
                    source.where(("closed_cells", at, name)),
                    f"there is no {name} {code!r}",
                    f"use one of {', '.join(known)}",
                )
    for language in taxonomy.cannot_be_determined:
        if language not in taxonomy.languages:
            yield Problem(
                source.where(("cannot_be_determined", language)),
                f"{language!r} is not among the languages",
                "add it to languages or delete these texts",
            )


def _doubles(ids: Iterable[str], where: Any) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for at, each in enumerate(ids):
        if each in first:
            yield Problem(
                where(at), f"{each!r} stands at {where(first[each])} already", "keep one of the two"
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
    """What has been read so far: groups and where they stand, and every fault."""

    def __init__(self) -> None:
        self.groups: list[tuple[Group, Place]] = []
        self.problems: list[Problem] = []
        self._claimed: dict[tuple[str, str], str] = {}

    def read(self, path: Path, shown: str) -> None:
        """Add the groups of one file."""
        suffix = path.suffix.lower()
        try:
            if suffix in (".yaml", ".yml"):
                self._read_whole(load_yaml(path, shown), shown)
            elif suffix == ".jsonl":
                self._read_lines(load_jsonl(path, shown), shown)
            else:
                self.problems.append(
                    Problem(
                        shown,
                        "a file of this kind is not read",
                        "groups stand in .yaml or .jsonl files; rename it or move it elsewhere",
                    )
                )
        except ProblemsFound as error:
            self.problems += error.problems

    def check(self, taxonomy: Taxonomy, registry: Registry | None) -> Iterator[Problem]:
        """Yield what is not well formed in the groups that could be read."""
        for group, place in self.groups:
            yield from check_group(group, taxonomy, registry, place)

    def _read_lines(self, lines: Iterable[Source], shown: str) -> None:
        flat: dict[str, list[tuple[Source, FlatLine | None]]] = defaultdict(list)
        for source in lines:
            value = source.value
            if isinstance(value, dict) and "items" in value:
                self._read_whole(source, shown)
                continue
            line = self._build(source, FlatLine)
            self._claim("item", source, ("id",))
            named = cast("dict[str, Any]", value).get("template_id") if isinstance(value, dict) else ""
            flat[str(named)].append((source, line))
        for members in flat.values():
            self._claim("template", members[0][0], ("template_id",))
            read = [(source, line) for source, line in members if line is not None]
            if len(read) == len(members) and not self._contradictions(read):
                self._add(_joined(line for _, line in read), shown, partial(_flat_place, read))

    def _read_whole(self, source: Source, shown: str) -> None:
        self._claim("template", source, ("template_id",))
        value = source.value
        items = value.get("items") if isinstance(value, dict) else None
        for at in range(len(items) if isinstance(items, list) else 0):
            self._claim("item", source, ("items", at, "id"))
        group = self._build(source, Group)
        if group is not None:
            self._add(group, shown, source.where)

    def _add(self, group: Group, shown: str, place: Place) -> None:
        self.groups.append((group.placed_in(shown), place))

    def _build(self, source: Source, model: type[Any]) -> Any:
        """Return the model, or None when places are unfilled or something is wrong."""
        open_at = {source.where(loc): what for loc, what in open_places(source.value)}
        self.problems += [
            Problem(where, f"still to be filled in: {what}", "write it in place of <<fill in: ...>>")
            for where, what in open_at.items()
        ]
        try:
            built = build(source, model)
        except ProblemsFound as error:
            self.problems += [each for each in error.problems if each.where not in open_at]
            return None
        return None if open_at else built

    def _claim(self, kind: str, source: Source, loc: Loc) -> None:
        """Note an id and where it stands; a fault when it stands somewhere else already."""
        value: Any = source.value
        for part in loc:
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                return
        if not isinstance(value, str):
            return
        here = source.where(loc)
        there = self._claimed.setdefault((kind, value), here)
        if there != here:
            self.problems.append(
                Problem(
                    here,
                    f"{kind} id {value!r} stands at {there} already",
                    "give one of the two another id",
                )
            )

    def _contradictions(self, read: list[tuple[Source, FlatLine]]) -> bool:
        """Note every shared field that two lines of one group give two values."""
        found = False
        for field in _SHARED_FIELDS:
            given = [(source, getattr(line, field)) for source, line in read]
            given = [(source, value) for source, value in given if value not in (None, ())]
            for source, value in given[1:]:
                if value != given[0][1]:
                    found = True
                    self.problems.append(
                        Problem(
                            source.where((field,)),
                            f"{field} is {value!r} here and {given[0][1]!r} at "
                            f"{given[0][0].where((field,))}",
                            "the lines of one template share it; make them agree",
                        )
                    )
        return found


def _joined(lines: Iterable[FlatLine]) -> Group:
    """Return the group that flat lines make up; a field may be left out on some of them."""
    dumped = [line.model_dump(exclude_defaults=True) for line in lines]
    shared: dict[str, Any] = {}
    for fields in reversed(dumped):
        shared |= {name: value for name, value in fields.items() if name in _SHARED_FIELDS}
    items = [
        {("register" if name == "register_" else name): value for name, value in fields.items()
         if name in _ITEM_FIELDS}
        for fields in dumped
    ]  # fmt: skip
    return Group.model_validate({**shared, "items": items})


def _flat_place(read: list[tuple[Source, FlatLine]], loc: Loc) -> str:
    if len(loc) > 1 and loc[0] == "items" and isinstance(loc[1], int):
        return read[loc[1]][0].where(loc[2:])
    for source, _ in read:
        if loc and isinstance(source.value, dict) and loc[0] in source.value:
            return source.where(loc)
    return read[0][0].where(() if loc == ("items",) else loc)
