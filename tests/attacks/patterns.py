"""Every regular expression of the package, and texts made from its parts to keep it busy."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import reviewkit

# the parser of patterns that ``re`` itself has; it is known to no type checker
parser: Any = importlib.import_module("re._parser")
signs: Any = importlib.import_module("re._constants")
RUN_WHEN_IMPORTED = ("__main__", "lean_kernel", "zygote")
ANCHORED = {"match", "fullmatch"}
"""These begin at one place; whatever else is asked of a pattern tries every place of the text."""
ENDS = ("", "!\x00\n")


@dataclass(slots=True)
class Found:
    """One pattern and the ways in which the package asks it."""

    name: str
    pattern: re.Pattern[str]
    ways: set[str] = field(default_factory=set[str])

    @property
    def way(self) -> str:
        """The widest of its ways: ``search`` when it is ever looked for in the middle."""
        if self.ways <= ANCHORED and self.ways:
            return "match" if "match" in self.ways else "fullmatch"
        return "search"


def every_pattern() -> list[Found]:
    """Return every pattern of text that a module of the package holds or writes out in a call."""
    found: dict[int, Found] = {}
    named: dict[str, list[Found]] = {}
    trees: dict[str, ast.Module] = {}
    for each in pkgutil.walk_packages(reviewkit.__path__, "reviewkit."):
        if each.name.rpartition(".")[2] in RUN_WHEN_IMPORTED:
            continue
        module = importlib.import_module(each.name)
        trees[each.name] = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for name, value in vars(module).items():
            for one in _patterns_in(value):
                known = found.setdefault(id(one), Found(f"{each.name}.{name}", one))
                named.setdefault(f"{each.name}.{name}", []).append(known)
    written: list[Found] = []
    for name, tree in trees.items():
        for owner, way, first in _calls(tree):
            if owner == "re" and way not in ("compile", "escape"):
                written += _written_out(f"{name}:", way, first)
            for known in named.get(f"{name}.{owner}", ()):
                known.ways.update({way} - {"pattern", "flags"})
    return [*found.values(), *written]


def _written_out(where: str, way: str, first: ast.expr | None) -> Iterator[Found]:
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield Found(f"{where}{first.lineno}", re.compile(first.value), {way})


def _patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    """Yield the patterns that a name of a module holds, also those inside of a list or mapping."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        yield from _patterns_in(tuple(cast("dict[object, object]", value).values()))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for each in cast("tuple[object, ...]", value):
            yield from _patterns_in(each)


def _calls(tree: ast.Module) -> Iterator[tuple[str, str, ast.expr | None]]:
    """Yield the name before the dot, the name after it and the first argument of every call.

    A pattern that is handed on without a call (``map(_X.sub, ...)``) counts as searched for.
    """
    called: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called |= {id(node.func), id(node.func.value)}
            if isinstance(node.func.value, ast.Name):
                yield node.func.value.id, node.func.attr, node.args[0] if node.args else None
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            called.add(id(node.value))
            if id(node) not in called:
                yield node.value.id, node.attr, None
        elif (
            isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called
        ):
            yield node.id, "search", None


def hostile_texts(pattern: re.Pattern[str], length: int) -> Iterator[str]:
    """Yield texts of about this length that begin like a match again and again and never end one.

    Each part that repeats is pumped once behind what stands before it, and each beginning of the
    pattern is repeated whole.
    """
    tree = parser.parse(pattern.pattern, pattern.flags)
    units: dict[tuple[str, str], None] = {}
    for before, inner in _repeats(tree, ""):
        for choice in (0, 1, -1):
            unit = _sample(inner, choice) or " "
            units[before, unit] = None
            units["", unit] = None
            units["", before + unit] = None
            units["", before + 40 * unit] = None
        both = _sample(inner, 0) + _sample(inner, 1)
        units[before, both or " "] = None
    whole = _sample(tree, 0)
    for cut in range(1, len(whole) + 1, max(1, len(whole) // 15)):
        units["", whole[:cut]] = None
    for before, unit in units:
        text = before + unit * (length // len(unit))
        for end in ENDS:
            yield text + end


def _parts(node: tuple[Any, Any]) -> list[Any]:
    """Return the patterns inside of one part of a pattern."""
    kind, given = node
    if kind in (signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT):
        return [given[2]]
    if kind is signs.SUBPATTERN:
        return [given[3]]
    if kind is signs.BRANCH:
        return list(given[1])
    if kind is signs.ATOMIC_GROUP:
        return [given]
    return []


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, Any]]:
    """Yield what stands before each part that may repeat without end, and that part."""
    for node in tree:
        kind, given = node
        if kind in (signs.MAX_REPEAT, signs.MIN_REPEAT) and given[1] > 30:
            yield before, given[2]
        for part in _parts(node):
            yield from _repeats(part, before)
        before += _sample([node], 0)


def _sample(tree: Any, choice: int) -> str:
    """Return a text that the pattern takes, with this one of the choices of each class."""
    return "".join(_of_node(kind, given, choice) for kind, given in tree)


def _of_node(kind: Any, given: Any, choice: int) -> str:
    if kind is signs.LITERAL:
        return chr(given)
    if kind is signs.NOT_LITERAL:
        return "a" if given != ord("a") else "b"
    if kind is signs.ANY:
        return "a "[choice % 2]
    if kind is signs.IN:
        return _of_class(given, choice)
    if kind in (signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT):
        return _sample(given[2], choice) * max(1, min(given[0], 16))
    if kind is signs.BRANCH:
        return _sample(given[1][choice % len(given[1])], choice)
    if kind is signs.SUBPATTERN:
        return _sample(given[3], choice)
    if kind is signs.ATOMIC_GROUP:
        return _sample(given, choice)
    return ""


OF_CATEGORY = {
    signs.CATEGORY_DIGIT: "1", signs.CATEGORY_NOT_DIGIT: "a", signs.CATEGORY_SPACE: " ",
    signs.CATEGORY_NOT_SPACE: "a", signs.CATEGORY_WORD: "a", signs.CATEGORY_NOT_WORD: "-",
}  # fmt: skip


def _of_class(given: Any, choice: int) -> str:
    """Return a sign that a class in square brackets takes."""
    if given[0][0] is signs.NEGATE:
        free = [sign for sign in "a 1-\n(م" if not any(_holds(each, sign) for each in given[1:])]
        return free[choice % len(free)] if free else "x"
    kind, value = given[choice % len(given)]
    if kind is signs.RANGE:
        return chr(value[0])
    if kind is signs.CATEGORY:
        return OF_CATEGORY[value]
    return chr(value)


def _holds(part: tuple[Any, Any], sign: str) -> bool:
    kind, value = part
    if kind is signs.LITERAL:
        return ord(sign) == value
    if kind is signs.RANGE:
        return value[0] <= ord(sign) <= value[1]
    inside = {signs.CATEGORY_DIGIT: r"\d", signs.CATEGORY_NOT_DIGIT: r"\D",
              signs.CATEGORY_SPACE: r"\s", signs.CATEGORY_NOT_SPACE: r"\S",
              signs.CATEGORY_WORD: r"\w", signs.CATEGORY_NOT_WORD: r"\W"}  # fmt: skip
    return re.match(inside[value], sign) is not None
