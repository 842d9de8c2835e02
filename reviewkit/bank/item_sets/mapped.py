"""Any table as items, by a mapping file that says which column is what."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from reviewkit.bank.item_sets.cells import list_in
from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.taken import Gathered, as_id, notes_of
from reviewkit.bank.items import Frozen, Group, Item, Prose, Some, TestType
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Loc, Source, Table, build, load_yaml, told

_SET_BY_OPTIONS = {
    "template_id", "test_type", "domain", "bias_form", "reference_category", "items", "id",
}  # fmt: skip
_ITEM = {field.alias or name for name, field in Item.model_fields.items()} - _SET_BY_OPTIONS
_GROUP = {name for name in Group.model_fields if name not in _SET_BY_OPTIONS | _ITEM}
FIELDS = tuple(sorted(_ITEM | _GROUP))
"""Every field of an item or a group that a column may fill."""


class ItemMapping(Frozen):
    """Which column of a table is what field of an item, or of the group it belongs to."""

    items: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
    """What the set is called; ids begin with it."""
    test_type: TestType
    group: Prose | None = None
    """The column that says which rows are one group; without it every row is a group."""
    id: Prose | None = None
    """The column with the ids of the rows; without it their lines."""
    fields: dict[str, Prose] = Field(default_factory=dict[str, str])
    """Field -> column."""
    fixed: dict[str, Prose] = Field(default_factory=dict[str, str])
    """Field -> what it is for every item."""
    codes: dict[str, dict[str, str]] = Field(default_factory=dict[str, dict[str, str]])
    """Field -> cell -> code, where the table has other words than the bank."""
    versions: tuple[dict[str, Prose], ...] = ()
    """Where a row is a whole group: the fields of each version, field -> column."""
    values: tuple[Prose, ...] = ()
    """What the versions are called, where no column has their values."""
    options: Some[Prose] | None = None
    """The columns of the options; a single one holds them all as a list."""
    counted_from: Annotated[str, StringConstraints(pattern=r"^[01]$")] = "1"
    """From what number positions of options are counted."""
    keep: tuple[Prose, ...] = ()
    """Columns kept in the notes, as published."""
    language: str = "en"
    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None

    @model_validator(mode="after")
    def _fields_are_known(self) -> ItemMapping:
        places: list[tuple[Loc, str]] = [(("fields", name), name) for name in self.fields]
        places += [(("fixed", name), name) for name in self.fixed]
        places += [(("codes", name), name) for name in self.codes]
        for at, version in enumerate(self.versions):
            places += [(("versions", at, name), name) for name in version]
        for place, name in places:
            if name not in FIELDS:
                near = get_close_matches(name, FIELDS, n=1)
                remedy = f"did you mean {near[0]!r}?" if near else f"use {', '.join(FIELDS)}"
                raise told(f"no item has a field {name!r}", remedy, place)
        if self.group is not None and self.versions:
            wrong = "a row cannot be one item of a group and several versions"
            raise told(wrong, "name group or versions, one of the two", ("versions",))
        if self.values and len(self.values) != len(self.versions):
            raise told(
                f"{len(self.values)} values for {len(self.versions)} versions",
                "name one for each", ("values",),
            )  # fmt: skip
        return self

    def columns(self) -> Iterator[tuple[Loc, str]]:
        """Yield every column with its place in the mapping."""
        for place, column in ((("group",), self.group), (("id",), self.id)):
            if column is not None:
                yield place, column
        for name, column in self.fields.items():
            yield ("fields", name), column
        for at, version in enumerate(self.versions):
            for name, column in version.items():
                yield ("versions", at, name), column
        for part in ("options", "keep"):
            for at, column in enumerate(getattr(self, part) or ()):
                yield (part, at), column


def load_item_mapping(path: Path, shown: str) -> tuple[ItemMapping, Source]:
    """Return the mapping in a file and where its parts stand; raises ProblemsFound."""
    source = load_yaml(path, shown)
    return build(source, ItemMapping), source


def take_mapped(table: Table, settled: Settled, mapping: ItemMapping, source: Source) -> Gathered:
    """Return the groups of a table; ProblemsFound when the mapping names a column it lacks."""
    problems = [_unknown(source, *each, table) for each in mapping.columns()]
    if found := [each for each in problems if each is not None]:
        raise ProblemsFound(found)
    taken = Gathered()
    groups: dict[str, list[int]] = {}
    for at, row in enumerate(table.rows):
        name = row[table.columns.index(mapping.group)].strip() if mapping.group else str(at)
        if name:
            groups.setdefault(name, []).append(at)
        else:
            taken.leave_out([table.where(at)], f"its {mapping.group} is empty")
    reading = _Reading(table, settled, mapping)
    for name, rows in groups.items():
        places = [table.where(at) for at in rows]
        fields = reading.group(name if mapping.group else "", rows)
        if isinstance(fields, str):
            taken.leave_out(places, fields)
        else:
            taken.make(places, fields, table.shown)
    return taken


def _unknown(source: Source, place: Loc, column: str, table: Table) -> Problem | None:
    if column in table.columns:
        return None
    near = get_close_matches(column, table.columns, n=1)
    remedy = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(table.columns)}"
    return source.problem(place, f"{table.shown} has no column {column!r}", remedy)


class _Reading:
    """Fields of groups and items, out of cells."""

    def __init__(self, table: Table, settled: Settled, mapping: ItemMapping) -> None:
        self._table, self._settled, self._mapping = table, settled, mapping

    def group(self, name: str, rows: list[int]) -> dict[str, Any] | str:
        """Return the fields of a group, or why there is none."""
        first = self._id(rows[0])
        template_id = as_id(self._settled.prefix, name or first)
        items: list[dict[str, Any]] = []
        shared: dict[str, Any] = {}
        for at in rows:
            for number, fields in enumerate(self._versions(at)):
                if isinstance(fields, str):
                    return fields
                suffix = f"{self._id(at)}{f'-{number + 1}' if self._mapping.versions else ''}"
                own = {key: value for key, value in fields.items() if key in _ITEM}
                for key, value in fields.items():
                    if key in _GROUP and shared.setdefault(key, value) != value:
                        return f"its rows disagree on {key}"
                items.append(self._settled.item(as_id(self._settled.prefix, suffix), **own))
        return self._settled.group(
            template_id, **self._filled(shared, items), notes=self._kept(rows[0]), items=items
        )

    def _versions(self, at: int) -> Iterator[dict[str, Any] | str]:
        for number, version in enumerate(self._mapping.versions or ({},)):
            fields = self._fields(at, {**self._mapping.fields, **version})
            if self._mapping.values and not isinstance(fields, str):
                fields.setdefault("swapped_value", self._mapping.values[number])
            yield fields

    def _filled(self, shared: dict[str, Any], items: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the group's fields with what follows from the items: values, direction."""
        test_type = self._mapping.test_type
        values = dict.fromkeys(each["swapped_value"] for each in items if "swapped_value" in each)
        if test_type == "T1" and values:
            shared.setdefault("value_list", list(values))
        if test_type == "T2":
            shared.setdefault("disambig_direction", "not_given")
        return {key: value for key, value in shared.items() if value != ""}

    def _fields(self, at: int, columns: dict[str, str]) -> dict[str, Any] | str:
        fields: dict[str, Any] = dict(self._mapping.fixed)
        for name, column in columns.items():
            cell = self._cell(at, column)
            codes = self._mapping.codes.get(name)
            if codes is not None and cell.strip() not in codes:
                return f"{column} is {cell[:40]!r}, and codes of {name} do not name it"
            if cell:
                fields[name] = codes[cell.strip()] if codes is not None else cell
        if "value_list" in fields:
            fields["value_list"] = list(list_in(fields["value_list"]) or (fields["value_list"],))
        if self._mapping.options is not None:
            options = self._options(at, self._mapping.options)
            if options is None:
                return f"{self._mapping.options[0]} holds no list of options"
            fields["options"] = list(options)
        if self._mapping.counted_from == "0" and "correct_position" in fields:
            position = str(fields["correct_position"]).strip().removesuffix(".0")
            if not position.isdecimal():
                return f"the position of the right option is {position[:40]!r}, which is no number"
            fields["correct_position"] = int(position) + 1
        return fields

    def _options(self, at: int, columns: tuple[str, ...]) -> tuple[str, ...] | None:
        if len(columns) == 1:
            return list_in(self._cell(at, columns[0]))
        return tuple(filter(None, (self._cell(at, column) for column in columns)))

    def _cell(self, at: int, column: str) -> str:
        return self._table.rows[at][self._table.columns.index(column)]

    def _id(self, at: int) -> str:
        column = self._mapping.id
        return (self._cell(at, column).strip() if column else "") or str(self._table.lines[at])

    def _kept(self, at: int) -> str | None:
        kept = [f"{column} as published: {self._cell(at, column)}" for column in self._mapping.keep]
        return notes_of(*kept) or None
