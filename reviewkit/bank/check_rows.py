"""What may be wrong with the rows of a table once a mapping says which column is what."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches

from reviewkit.bank.response_mapping import ResponseMapping, is_language
from reviewkit.problems import Problem
from reviewkit.sources import Loc, Source, Table, capped

ID_LENGTH = 200
_SCIENTIFIC = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]+")


def row_faults(mapping: ResponseMapping, source: Source, table: Table) -> list[Problem]:
    """Return every fault of the columns a mapping names and of the cells in them."""
    places = {**mapping.shown_columns(), **mapping.hidden_columns()}
    problems = [
        _unknown(source, place, column, table)
        for place, column in places.items()
        if column not in table.columns
    ]
    if mapping.id in table.columns:
        problems += capped(list(_id_faults(mapping, table)))
    if mapping.language is not None and mapping.language in table.columns:
        problems += capped(list(_language_faults(mapping, mapping.language, table)))
    return problems + list(_copies(mapping, source, table))


def _unknown(source: Source, place: Loc, column: str, table: Table) -> Problem:
    near = get_close_matches(column, table.columns, n=1)
    what = "id column" if place == ("id",) else "column"
    remedy = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(table.columns)}"
    return source.problem(place, f"{table.shown} has no {what} {column!r}", remedy)


def _id_faults(mapping: ResponseMapping, table: Table) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for row, response_id in enumerate(table.column(mapping.id)):
        where = f"{table.where(row)} {mapping.id}"
        if not response_id.strip():
            yield Problem(where, "the id is empty", "give every row an id")
            continue
        if response_id != response_id.strip():
            wrong = f"the id {response_id!r} begins or ends with a blank"
            yield Problem(where, wrong, "delete the blank")
        if any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in response_id):
            yield Problem(
                where, f"the id {response_id[:60]!r} holds a control character", "delete it"
            )
        if len(response_id) > ID_LENGTH:
            wrong = f"the id has {len(response_id)} characters"
            yield Problem(where, wrong, f"give ids of at most {ID_LENGTH}; is this the id column?")
        if (there := first.setdefault(response_id, row)) != row:
            wrong = f"the id {response_id[:60]!r} stands on line {table.lines[there]} already"
            yield Problem(where, wrong, "give one of the two another id")


def _language_faults(mapping: ResponseMapping, column: str, table: Table) -> Iterator[Problem]:
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    for row, cell in enumerate(table.column(column)):
        tag = "" if cell in mapping.missing else cell
        if not is_language(tag):
            counts[tag] += 1
            first.setdefault(tag, row)
    for tag, row in first.items():
        wrong = f"{tag!r} is not a language tag" if tag else "the language is empty"
        rows = f" ({counts[tag]} rows)" if counts[tag] > 1 else ""
        remedy = "use a tag such as en or ar, or write language_is in the mapping"
        yield Problem(f"{table.where(row)} {column}", wrong + rows, remedy)


def _copies(mapping: ResponseMapping, source: Source, table: Table) -> Iterator[Problem]:
    """Yield the hidden columns that are shown all the same, under another name."""
    shown = {
        place: each for place, each in mapping.shown_columns().items() if each in table.columns
    }
    for place, column in mapping.hidden_columns().items():
        if column not in table.columns:
            continue
        for shown_at, shown_column in shown.items():
            if column != shown_column and _equal(table, column, shown_column):
                wrong = (
                    f"would show a hidden column: {shown_column!r}, which a coder sees at "
                    f"{source.where(shown_at)}, equals {column!r} in every row"
                )
                yield source.problem(place, wrong, "hide both, or take one out of the mapping")


def _equal(table: Table, one: str, other: str) -> bool:
    pairs = zip(table.column(one), table.column(other), strict=True)
    same = all(a == b or _folded(a) == _folded(b) for a, b in pairs)
    return same and any(cell.strip() for cell in table.column(one))


def _folded(cell: str) -> str:
    return cell.strip().casefold()


def said_of_ids(mapping: ResponseMapping, table: Table) -> Iterator[str]:
    """Say when a spreadsheet seems to have changed the ids."""
    ids = table.column(mapping.id)
    if scientific := [each for each in ids if _SCIENTIFIC.fullmatch(each)]:
        yield (
            f"{len(scientific)} ids look like numbers a spreadsheet shortened, e.g. "
            f"{scientific[0]!r}: check the table that they came from"
        )
    digits = [each for each in ids if each.isdecimal()]
    padded = [each for each in digits if each.startswith("0") and len(each) > 1]
    longest = max(map(len, padded), default=0)
    if short := [each for each in digits if not each.startswith("0") and len(each) < longest]:
        yield (
            f"ids such as {short[0]!r} beside {padded[0]!r}: zeros may have been lost in "
            "a spreadsheet; ids are kept as written"
        )


def said_of_leaks(mapping: ResponseMapping, table: Table) -> Iterator[str]:
    """Say when what a coder sees spells out a hidden value, as an id ``modelname-0017`` does."""
    shown = [each for place, each in mapping.shown_columns().items() if place[0] != "texts"]
    for name, column in mapping.hidden.items():
        values = {row: _folded(cell) for row, cell in enumerate(table.column(column))}
        telling = {row: value for row, value in values.items() if len(value) >= 3}
        if len(set(telling.values())) < 2:
            continue
        for shown_column in dict.fromkeys(shown):
            cells = table.column(shown_column)
            if all(value in _folded(cells[row]) for row, value in telling.items()):
                yield (
                    f"look at {shown_column!r}: in every row it spells out the hidden {name}, "
                    f"e.g. {cells[next(iter(telling))]!r}, and a coder can read it"
                )
