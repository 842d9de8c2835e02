"""Wide tables with several questions: a column for each rater and question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from reviewkit.agreement.label_files.asked import Asked, option
from reviewkit.agreement.label_files.tables.column_words import (
    numbered_rater,
    says,
    why_no_rater,
)
from reviewkit.agreement.label_files.tables.delimited import TextTable
from reviewkit.agreement.label_files.tables.looks import Looks, Shape, listed, unit_columns
from reviewkit.agreement.label_files.tables.stacked import unit_and_label
from reviewkit.agreement.label_files.votes import Votes

_MARKS = ("__", " - ", ": ", "::", "/", "|", ":", ".", "-", "_", " ")
_TOGETHER = re.compile(r"([^\W\d_]+\d+)([^\W\d_]+\d+)")
_QUESTION_LETTER = re.compile(r"[qQ]\d+")

Halves = Mapping[str, tuple[str, str]]
"""Column -> the two halves of its name."""


def task_readings(looks: Looks) -> list[Shape]:
    """Return the ways to read the table with a column for each rater and question.

    Which half of ``r1_q2`` is the rater is told by its words, or by ``--raters``; when neither
    tells, both are given.
    """
    unit = unit_columns(looks)
    free = [
        name
        for name in looks.names
        if name and name not in unit and not (says(name, "total") or says(name, "beside"))
        and len(looks[name].values)
    ]  # fmt: skip
    halves = _grid(free)
    if halves is None:
        return []
    shapes = [_shape(looks, unit, halves, side) for side in _rater_sides(looks, halves)]
    return [each for each in shapes if each is not None]


def _grid(names: Sequence[str]) -> Halves | None:
    """Return the halves of the names that fill most of a grid of two by two or more."""
    best: Halves | None = None
    for mark in (*_MARKS, ""):
        for last in (False, True):
            halves = {name: pair for name in names if (pair := _halves(name, mark, last=last))}
            halves = _dense(halves)
            if halves and (best is None or len(halves) > len(best)):
                best = halves
    return best


def _halves(name: str, mark: str, *, last: bool) -> tuple[str, str] | None:
    if not mark:
        found = _TOGETHER.fullmatch(name)
        return None if found is None else (found[1], found[2])
    one, between, other = name.rpartition(mark) if last else name.partition(mark)
    one, other = one.strip(), other.strip()
    return (one, other) if between and one and other else None


def _dense(halves: Halves) -> Halves | None:
    """Return the halves whose both parts occur twice, when they fill most of their grid."""
    kept = dict(halves)
    while True:
        often = [Counter(pair[side] for pair in kept.values()) for side in (0, 1)]
        once = [
            name for name, (one, other) in kept.items() if 1 in (often[0][one], often[1][other])
        ]
        if not once:
            break
        for name in once:
            del kept[name]
    ones, others = ({pair[side] for pair in kept.values()} for side in (0, 1))
    size = len(ones) * len(others)
    return kept if size >= 4 and len(kept) * 4 >= size * 3 else None


def _rater_sides(looks: Looks, halves: Halves) -> list[int]:
    """Return which half is the rater: one side when something tells, else both."""
    raters = {*looks.asked.raters}
    parts = [{pair[side] for pair in halves.values()} for side in (0, 1)]
    if raters:
        return [side for side in (0, 1) if raters & parts[side]]
    score = [
        sum(_like_rater(part) - _like_question(part) for part in parts[side])
        - sum(_like_rater(part) - _like_question(part) for part in parts[1 - side])
        for side in (0, 1)
    ]
    if score[0] == score[1]:
        return _by_labels(looks, halves)
    return [0 if score[0] > score[1] else 1]


def _like_rater(part: str) -> bool:
    return numbered_rater(part) or says(part, "rater") or why_no_rater(part) is not None


def _like_question(part: str) -> bool:
    return bool(_QUESTION_LETTER.fullmatch(part)) or says(part, "question") or says(part, "label")


def _by_labels(looks: Looks, halves: Halves) -> list[int]:
    """Return the sides on which columns of one question share labels, and of two do not."""

    def differs(side: int) -> bool:
        labels: dict[str, set[str]] = {}
        for name, pair in halves.items():
            labels.setdefault(pair[side], set()).update(looks.labels(name))
        each = list(labels.values())
        return all(not one & other for at, one in enumerate(each) for other in each[at + 1 :])

    # the side that tells the labels apart is the question
    told = [1 - side for side in (0, 1) if differs(side)]
    return told if len(told) == 1 else [0, 1]


def _shape(looks: Looks, unit: tuple[str, ...], halves: Halves, side: int) -> Shape | None:
    asked = looks.asked
    aside: dict[str, str] = {}
    blocks: dict[str, tuple[str, str]] = {}
    for name, pair in halves.items():
        rater, question = pair[side], pair[1 - side]
        why = None if rater in asked.raters else why_no_rater(rater)
        if rater in asked.gold or name in asked.gold:
            why = "it is declared gold"
        elif asked.raters and rater not in asked.raters:
            why = "it is not among --raters"
        if why:
            aside[rater] = why
        else:
            blocks[name] = (rater, question)
    raters = tuple(dict.fromkeys(rater for rater, _ in blocks.values()))
    questions = tuple(dict.fromkeys(question for _, question in blocks.values()))
    if len(raters) < 2:
        return None
    told = len(_rater_sides(looks, halves)) == 1
    gold = {name: why for name, why in looks.gold.items() if name not in halves}
    return Shape(
        "tasks",
        f"wide by task: a column for each rater and question "
        f"(raters {listed(raters)}; questions {listed(questions)})",
        tuple(blocks), unit, blocks=blocks, set_aside={**gold, **aside},
        option=option(shape="tasks", raters=raters),
        weight=9 if asked.raters else 3 if told else 2,
    )  # fmt: skip


def task_votes(table: TextTable, shape: Shape, asked: Asked) -> Votes:
    """Return a vote for each cell of the blocks, blank ones too."""
    blocks = [(name, *pair) for name, pair in (shape.blocks or {}).items()]
    return unit_and_label(table, asked, shape, blocks)
