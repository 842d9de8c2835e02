"""What a lead may say about a file of labels: every option of reading, all of them optional."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from reviewkit.problems import Problem, ProblemsFound

ShapeName = Literal[
    "wide", "long", "file-a-rater", "tasks", "rater-rows", "cell", "confusion", "counts",
]  # fmt: skip
"""``wide``: a column a rater; ``long``: a row a vote; ``file-a-rater``: unit and label of one
rater; ``tasks``: a column for each rater and question; ``rater-rows``: a row a rater, a column a
unit; ``cell``: all ratings of a unit in one cell; ``confusion``: two raters' counts; ``counts``:
a row a unit, a column a category."""
SHAPE_NAMES: tuple[str, ...] = get_args(ShapeName)

LevelName = Literal["nominal", "ordinal", "interval", "ratio", "jaccard", "masi"]
"""The last two are distances between sets of labels."""
LEVELS: tuple[str, ...] = get_args(LevelName)

Repeats = Literal["refuse", "last", "first"]
"""What to do when one rater gave one unit different labels."""
REPEATS: tuple[str, ...] = get_args(Repeats)

_TUPLES = ("raters", "gold", "by", "compare", "missing", "skipped", "categories")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was declared; whatever is left out is found in the file.

    Columns are named as the header writes them, without edge spaces. An option of the command
    line has the name of its field: ``unit`` is ``--unit``.
    """

    shape: ShapeName | None = None
    unit: str | None = None
    """The column with the ids of the units; ``document,sentence`` joins two columns."""
    rater: str | None = None
    """The column that says who rated (long)."""
    label: str | None = None
    """The column with the label (long, a file a rater) or with all labels of a unit (cell);
    ``toxic,rude`` are the columns of two questions."""
    question: str | None = None
    """The column that says what was rated (long)."""
    raters: tuple[str, ...] = ()
    """The columns that are raters (wide), else the raters to keep, by name."""
    gold: tuple[str, ...] = ()
    """Columns, or names of raters, that are gold, final or adjudicated labels and no raters."""
    cluster: str | None = None
    """The column that says which units belong together."""
    by: tuple[str, ...] = ()
    """Columns to split the report by."""
    compare: tuple[str, ...] = ()
    """Columns whose parts are compared with one another."""
    encoding: str | None = None
    delimiter: str | None = None
    """One character, or ``tab``."""
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    """Cells that mean no rating, as written; a blank cell always does."""
    skipped: tuple[str, ...] = ()
    """Cells that mean that the rater saw the unit and passed it over."""
    categories: tuple[str, ...] = ()
    """All labels of the scheme, used or not; for an ordinal scale in its order."""
    level: LevelName | None = None
    fold: bool = False
    """Labels that differ only in case, spaces, quotes or normalisation count as one."""
    repeats: Repeats = "refuse"
    sets: bool | None = None
    """Whether a label is a set of labels; None: what the cells look like."""

    @classmethod
    def of(cls, **declared: Any) -> Asked:
        """Return what was declared, from Python or the command line.

        A single text stands for a tuple of one, and None for what is not declared.

        Raises:
            ProblemsFound: For every unknown name and value, with those that are known.
        """
        known = {each.name for each in fields(cls)}
        problems: list[Problem] = []
        values: dict[str, Any] = {}
        for name, value in declared.items():
            if name not in known:
                remedy = f"use one of {', '.join(sorted(known))}"
                problems.append(Problem(name, "is no option of reading", remedy))
            elif value is None:
                continue
            elif name in _TUPLES:
                given = (value,) if isinstance(value, str) else value
                # a scheme finds a category that stands twice; a rater named twice is one
                values[name] = tuple(given if name == "categories" else dict.fromkeys(given))
            else:
                values[name] = value
        problems += _unknown(values)
        if problems:
            raise ProblemsFound(problems)
        return cls(**values)


def names_in(option: str | None) -> tuple[str, ...]:
    """Return the names that an option lists with commas between them.

    A name with a comma stands in double quotes, as in a CSV: ``"Lee, Ann",bob``.
    """
    text = option or ""
    parts = text.split(",")
    if '"' in text:
        try:
            parts = next(csv.reader([text], skipinitialspace=True, strict=True), [])
        except csv.Error:
            # a quote that is part of a name
            parts = text.split(",")
    return tuple(name for part in parts if (name := part.strip()))


def option(**values: Iterable[str] | str) -> str:
    """Return options as they are written in a shell: ``--raters 'ann lee,bob'``."""
    parts = {
        name: value
        if isinstance(value, str) and name not in _TUPLES
        else ",".join(map(_quoted, (value,) if isinstance(value, str) else value))
        for name, value in values.items()
    }
    return " ".join(f"--{name} {shlex.quote(value)}" for name, value in parts.items() if value)


def _quoted(name: str) -> str:
    """Return a name so that ``names_in`` finds it whole."""
    return '"' + name.replace('"', '""') + '"' if "," in name or name.startswith('"') else name


def _unknown(values: dict[str, Any]) -> list[Problem]:
    allowed = {"shape": SHAPE_NAMES, "level": LEVELS, "repeats": REPEATS}
    return [
        Problem(f"--{name}", f"{values[name]!r} is not known", f"use {', '.join(names)}")
        for name, names in allowed.items()
        if name in values and values[name] not in names
    ]
