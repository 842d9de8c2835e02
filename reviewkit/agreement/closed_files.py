"""Files that are read as the study they belong to: ledgers and drafts are no files of labels.

Read as a table, a ledger would give out labels before the locks, those of people who withdrew, and
who the raters are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from reviewkit.problems import Problem, ProblemsFound

_OF_A_LEDGER = frozenset({"schema_version", "seq", "previous", "digest", "kind", "pass", "rater"})
"""Fields that every line of a ledger has, whatever its schema."""
_DRAFT = ".draft.json"
_LONGEST = 1_000_000
"""In bytes; no first line of a ledger is longer."""
_MOST_FILES = 2_000
"""So many files of a folder are looked at."""


def refuse_closed(paths: Iterable[str | Path]) -> None:
    """Raise ProblemsFound when a path is a ledger or a draft, or a folder that holds one."""
    problems = [problem for path in paths if (problem := _problem(Path(path))) is not None]
    if problems:
        raise ProblemsFound(problems)


def _problem(path: Path) -> Problem | None:
    try:
        if path.is_dir():
            every = islice(path.rglob("*.json*"), _MOST_FILES)
            found = next((each for each in every if _is_closed(each)), None)
            wrong = f"holds what people of a study judged ({found.name if found else ''})"
        else:
            found = path if _is_closed(path) else None
            wrong = "is a file of one pass of a study, no file of labels"
    except OSError:
        return None  # whoever reads it says what is wrong
    if found is None:
        return None
    remedy = "labels open with the locks: run `reviewkit agree STUDY` with the study's name"
    return Problem(str(path), wrong, remedy)


def _is_closed(path: Path) -> bool:
    """Return whether a file is a ledger or a draft, whatever folder it was copied to."""
    if path.name.endswith(_DRAFT):
        return True
    if not path.name.endswith((".jsonl", ".json", ".ndjson", ".txt")) or not path.is_file():
        return False
    with path.open("rb") as file:
        line = file.readline(_LONGEST).removeprefix(b"\xef\xbb\xbf")
    if not line.startswith(b"{") or b'"previous"' not in line:
        return False
    try:
        first = json.loads(line)
    except ValueError:
        return False
    return isinstance(first, dict) and first.keys() >= _OF_A_LEDGER
