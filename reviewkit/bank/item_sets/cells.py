"""Lists and mappings inside cells: JSON, or as Python prints them, or spread over columns."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any, cast


def list_in(cell: str) -> tuple[str, ...] | None:
    """Return the texts of a list in a cell, or None when it holds no list of texts."""
    value = _value(cell)
    if not isinstance(value, list | tuple):
        return None
    entries = tuple(cast("list[Any]", value))
    return entries if all(isinstance(each, str) for each in entries) else None


def mapping_in(cells: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return the mapping in the cell ``name``, or gathered from columns named ``name.key``.

    A mapping that cannot be read is empty: no set needs one to make its items.
    """
    value = _value(cells[name]) if name in cells else None
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    gathered: dict[str, Any] = {}
    for column, cell in cells.items():
        stem, _, key = column.partition(".")
        if stem == name and key and cell:
            read = _value(cell)
            key, _, index = key.partition(".")
            if index.isdecimal():
                gathered.setdefault(key, []).append(cell)
            else:
                gathered[key] = read if isinstance(read, list) else cell
    return gathered


def same_kind(mapping: Mapping[str, Any]) -> dict[str, str | tuple[str, ...]]:
    """Return a mapping with texts and lists of texts alone; numbers and the like become text."""
    kept: dict[str, str | tuple[str, ...]] = {}
    for key, value in mapping.items():
        if isinstance(value, list | tuple):
            kept[key] = tuple(str(each) for each in cast("list[Any]", value))
        elif value is not None:
            kept[key] = str(value)
    return kept


def _value(cell: str) -> Any:
    if not cell.lstrip().startswith(("[", "{", "(")):
        return None
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
