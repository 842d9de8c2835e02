"""The seed's flat schema: one item a line, with the fields of its group repeated on each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reviewkit.bank.items import OUTSIDE_DIGEST, Group, Item, Shared, WatchedTerm
from reviewkit.problems import Problem
from reviewkit.sources import Loc, Source


class FlatLine(Item, Shared):
    """An item and what its line says of the group; bookkeeping that both have is the item's."""


FlatLines = Sequence[tuple[Source, FlatLine]]

_SHARED_FIELDS = tuple(name for name in Shared.model_fields if name not in OUTSIDE_DIGEST)
_NAMES_OF_ITEM = {name: field.alias or name for name, field in Item.model_fields.items()}


def contradictions(lines: FlatLines) -> Iterator[Problem]:
    """Yield every shared field that two lines of one group give two values.

    A line that leaves a field out contradicts nobody.
    """
    for field in _SHARED_FIELDS:
        given = [(source, getattr(line, field)) for source, line in lines]
        given = [(source, value) for source, value in given if value not in (None, ())]
        for source, value in given[1:]:
            first_source, first = given[0]
            if value != first:
                yield source.problem(
                    (field,),
                    f"{_short(value)} here and {_short(first)} at {first_source.where((field,))}",
                    "the lines of one template share this field, so make them agree",
                )


def joined(lines: FlatLines) -> Group:
    """Return the group that lines without a contradiction make up."""
    dumped = [line.model_dump(exclude_defaults=True) for _, line in lines]
    shared: dict[str, Any] = {}
    for fields in reversed(dumped):
        shared |= {name: fields[name] for name in _SHARED_FIELDS if name in fields}
    items = [
        {alias: fields[name] for name, alias in _NAMES_OF_ITEM.items() if name in fields}
        for fields in dumped
    ]
    return Group.model_validate({**shared, "items": items})


def place_in(lines: FlatLines, loc: Loc) -> str:
    """Return where a part of the joined group stands: on its item's line, or the first with it."""
    if len(loc) > 1 and loc[0] == "items" and isinstance(loc[1], int):
        return lines[loc[1]][0].where(loc[2:])
    for source, _ in lines:
        if loc and loc[0] in source.value:
            return source.where(loc)
    return lines[0][0].where(() if loc == ("items",) else loc)


def _short(value: object) -> str:
    shown = f"[{', '.join(map(_entry, value))}]" if isinstance(value, tuple) else repr(value)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def _entry(value: object) -> str:
    return f"{value.term} ({value.term_class})" if isinstance(value, WatchedTerm) else str(value)
