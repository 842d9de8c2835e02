"""The threat model names tests and modules: each of them exists."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "threat-model.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_test_that_the_page_names_exists() -> None:
    """A line of the table whose test was renamed or removed protects nothing any more."""
    named = NAMED.findall(PAGE.read_text(encoding="utf-8"))
    assert len(named) > 20
    missing = [
        f"{file}::{name}" for file, name in named
        if not (ROOT / file).is_file()
        or name not in _functions(ROOT / file)
    ]  # fmt: skip
    assert missing == []


def test_every_line_of_the_table_names_a_module_that_is_there_and_a_test() -> None:
    """Each thing that is protected, or shown, says what is done and which test shows it."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [
        line for line, below in pairwise([*lines, ""])
        if line.startswith("| ") and not line.startswith("| ---") and not below.startswith("| ---")
    ]  # fmt: skip
    assert len(rows) > 40
    for row in rows:
        assert NAMED.search(row), row
        _, _, where, _ = row.split("|", 3)
        for module in re.findall(r"`([\w/]+/[\w.]*)`", where):
            assert (ROOT / "reviewkit" / module).exists() or (ROOT / module).exists(), module


def test_every_file_of_attacks_is_in_the_page() -> None:
    """An attack that has tests has a line in the threat model."""
    page = PAGE.read_text(encoding="utf-8")
    files = {path.name for path in (ROOT / "tests" / "attacks").glob("test_*.py")}
    assert {name for name in files if f"tests/attacks/{name}::" not in page} == set()


def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
