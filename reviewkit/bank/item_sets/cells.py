"""Lists and mappings inside cells: JSON, or as Python prints them, or spread over columns."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any, cast


class DoubledKey(ValueError):
    """A mapping says two things under one name, and nobody can tell which is meant."""

    def __init__(self, key: object) -> None:
        super().__init__(f"the key {key!r} stands a second time; keep one of the two")


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of a JSON object as a mapping; raises DoubledKey."""
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise DoubledKey(key)
        mapping[key] = value
    return mapping


def list_in(cell: str) -> tuple[str, ...] | None:
    """Return the texts of a list in a cell, or None when it holds no list of texts."""
    try:
        value = value_in(cell)
    except DoubledKey:
        return None
    if not isinstance(value, list | tuple):
        return None
    entries = tuple(cast("list[Any]", value))
    return entries if all(isinstance(each, str) for each in entries) else None


def mapping_in(cells: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return the mapping in the cell ``name``, or gathered from columns named ``name.key``.

    A mapping that cannot be read is empty: no set needs one to make its items. Raises DoubledKey.
    """
    value = value_in(cells[name]) if name in cells else None
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    gathered: dict[str, Any] = {}
    for column, cell in cells.items():
        stem, _, key = column.partition(".")
        if stem == name and key and cell:
            read = value_in(cell)
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


def value_in(cell: str) -> Any:
    """Return the list or mapping in a cell, None when there is none; raises DoubledKey."""
    if not cell.lstrip().startswith(("[", "{", "(")):
        return None
    try:
        return json.loads(cell, object_pairs_hook=each_key_once)
    except DoubledKey:
        raise
    except (ValueError, RecursionError):
        pass
    try:
        tree = ast.parse(cell.strip(), mode="eval")
        value = ast.literal_eval(tree)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            each_key_once([(_key_of(key), None) for key in node.keys if key is not None])
    return value


def _key_of(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)
