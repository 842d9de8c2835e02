"""The tables that ``reviewkit labels`` writes: which of them holds votes, and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.problems import Problem, ProblemsFound

_LONG = {"card", "field", "pass", "rater", "act", "state", "value"}
_FINAL = {"card", "field", "final", "route", "reason"}
_SPANS = {"card", "field", "pass", "rater", "act", "start", "end", "code"}
_DICTIONARY = {"column", "meaning", "values"}


def of_own_exports(tables: Sequence[TextTable], asked: Asked) -> Asked:
    """Return where the votes stand, when all tables are our own table of codings.

    Tables of another make, and any table whose columns a person has named, leave ``asked`` as it
    is.

    Raises:
        ProblemsFound: When a table is one of ours that holds no votes side by side.
    """
    if asked.shape or asked.unit or asked.rater or asked.label or asked.raters:
        return asked
    problems = [
        Problem(each.shown, wrong, remedy)
        for each in tables
        if (found := _without_votes({*each.columns})) is not None
        for wrong, remedy in [found]
    ]
    if problems:
        raise ProblemsFound(problems)
    if tables and all({*each.columns} >= _LONG for each in tables):
        return replace(
            asked, unit="card", rater="rater", label="value", question=asked.question or "field"
        )
    return asked


def _without_votes(columns: set[str]) -> tuple[str, str] | None:
    """Return what a table of ours is that cannot be compared, and what to read in its place."""
    if columns == _DICTIONARY:
        return "is a data dictionary and holds no label", "leave it out"
    if columns >= _SPANS:
        return (
            "is reviewkit's table of spans, a row a marked place",
            "run 'reviewkit agree STUDY', which compares places",
        )
    settled = {name.removesuffix(".route") for name in columns if name.endswith(".route")}
    wide = any(f"{field}.final" in columns for field in settled)
    if columns >= _FINAL or ("card" in columns and wide):
        return (
            "is reviewkit's table of final labels, with codings, routes and states side by side",
            "read long.csv of the same export, or name the columns: --raters FIELD.coder_1,...",
        )
    return None
