"""Votes made by hand, as a reader of files would make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.questions import Sorted, questions_of
from reviewkit.agreement.label_files.scheme import Scheme
from reviewkit.agreement.label_files.together import Together, together
from reviewkit.agreement.label_files.votes import Column, Votes

Vote = tuple[str | None, str | None, str | None]
"""Unit, rater, label."""


def votes(rows: Iterable[Vote], *, shown: str = "labels.csv", **more: Any) -> Votes:
    """Return votes that stand one below the other from line 2 on."""
    held = list(rows)
    units, raters, labels = zip(*held, strict=True) if held else ((), (), ())
    columns: Mapping[str, Iterable[str | None]] = more.pop("columns", {})
    question: Iterable[str | None] | None = more.pop("question", None)
    return Votes(
        more.pop("shape", "long: a row a vote"),
        Column.of(units),
        Column.of(raters),
        Column.of(labels),
        question=None if question is None else Column.of(question),
        where=np.arange(2, len(held) + 2, dtype=np.int32),
        shown=shown,
        more={name: Column.of(cells) for name, cells in columns.items()},
        **more,
    )


def side_by_side(rows: Mapping[str, tuple[str | None, ...]], raters: tuple[str, ...]) -> Votes:
    """Return the votes of a wide table: unit -> a label for each rater."""
    return votes(
        [
            (unit, rater, label)
            for at, rater in enumerate(raters)
            for unit, labels in rows.items()
            for label in [labels[at]]
        ],
        shape="wide: a column a rater",
    )


def sort_out(read: Votes | Together, *, scheme: Scheme | None = None, **asked: Any) -> Sorted:
    """Return the questions of votes."""
    files = read if isinstance(read, Together) else together([read])
    how = Asked.of(**asked)
    declared = (scheme or Scheme()).and_declared(
        categories=how.categories, missing=how.missing, level=how.level
    )
    return questions_of(files, how, declared)
