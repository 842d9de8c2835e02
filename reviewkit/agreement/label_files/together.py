"""Several files of labels as one: a file a rater, or the parts of a table."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.votes import EXAMPLES, NONE, Column, LeftOut, Votes
from reviewkit.problems import Problem, ProblemsFound


@dataclass(frozen=True, slots=True)
class Together:
    """The votes of every file, and which file each stands in."""

    votes: Votes
    files: tuple[str, ...]
    """As messages name them."""
    file: NDArray[np.int32]
    """Shape (rows,): the place in ``files``."""
    shapes: tuple[str, ...] = ()
    """What each file was taken to be."""

    def where(self, row: int) -> str:
        """Return ``file:line`` of a vote, or the file and the unit where no line is known."""
        shown = self.files[int(self.file[row])]
        if self.votes.where is not None and int(self.votes.where[row]) > 0:
            return f"{shown}:{int(self.votes.where[row])}"
        return f"{shown} {self.votes.unit.cell(row) or ''}".rstrip()

    def only(self, chosen: NDArray[np.bool_]) -> Together:
        """Return the chosen votes."""
        return replace(self, votes=self.votes.only(chosen), file=self.file[chosen])


def together(read: Sequence[Votes], no_rating: Collection[str] = ()) -> Together:
    """Return the votes of several files as those of one.

    Rows without a unit or without a rater are left out and counted.

    Args:
        read: The votes of each file.
        no_rating: Labels that mean no rating: they are no set, also beside labels that are sets.

    Raises:
        ProblemsFound: When the files do not say the same kind of thing.
    """
    _of_one_kind(read)
    votes = list(_told_apart(read))
    if any(each.sets for each in votes):
        votes = [each if each.sets else _as_sets(each, no_rating) for each in votes]
    file = np.repeat(np.arange(len(votes), dtype=np.int32), [len(each.unit) for each in votes])
    joined = votes[0] if len(votes) == 1 else _joined(votes)
    kept, left_out = _with_unit_and_rater(joined)
    if not kept.all():
        joined = joined.only(kept)
        file = file[kept]
    joined = replace(joined, left_out=(*joined.left_out, *left_out))
    shapes = tuple(each.shape for each in votes)
    return Together(joined, tuple(each.shown for each in votes), file, shapes)


def _of_one_kind(read: Sequence[Votes]) -> None:
    first = read[0]
    problems: list[Problem] = []
    for each in read[1:]:
        if each.anonymous != first.anonymous:
            named = each if first.anonymous else first
            wrong = f"says who rated, and {(first if named is each else each).shown} does not"
            problems.append(Problem(named.shown, wrong, "read the two apart"))
        if (each.question is None) != (first.question is None):
            many = first if each.question is None else each
            wrong = f"holds several questions, and {(each if many is first else first).shown} one"
            remedy = "read them apart, or bring both into one form"
            problems.append(Problem(many.shown, wrong, remedy))
    if problems:
        raise ProblemsFound(problems)


def _told_apart(read: Sequence[Votes]) -> Sequence[Votes]:
    """Give raters that are named for their files different names when the files are named alike.

    ``ann/labels.csv`` and ``bob/labels.csv`` are two raters, ``ann`` and ``bob``.
    """
    paths = [PurePath(each.shown) for each in read]
    alone = [
        len(each.rater.values) == 1 and each.rater.values[0] == path.stem
        for each, path in zip(read, paths, strict=True)
    ]
    names = [each.rater.values[0] for each, one in zip(read, alone, strict=True) if one]
    if not all(alone) or len(set(names)) == len(names):
        return read
    for up in range(1, max(len(path.parts) for path in paths)):
        folders = [path.parts[-1 - up] if len(path.parts) > up else "" for path in paths]
        if len(set(folders)) == len(folders) and all(folders):
            return [
                replace(
                    each, rater=Column((name,), each.rater.codes),
                    shape=each.shape.replace(f" rater, {path.stem} (", f" rater, {name} (", 1),
                )
                for each, name, path in zip(read, folders, paths, strict=True)
            ]  # fmt: skip
    wrong = f"{', '.join(str(path) for path in paths[:6])} would be one rater, {names[0]}"
    raise ProblemsFound([Problem(read[0].shown, wrong, "name each file for its rater")])


def _as_sets(votes: Votes, no_rating: Collection[str]) -> Votes:
    """Return votes whose labels are sets of one."""
    values = tuple(
        each if each in no_rating else json.dumps([each], ensure_ascii=False)
        for each in votes.label.values
    )
    return replace(votes, label=Column(values, votes.label.codes), sets=True)


def _joined(votes: Sequence[Votes]) -> Votes:
    first = votes[0]
    rows = [len(each.unit) for each in votes]
    names = dict.fromkeys(name for each in votes for name in each.more)
    blank = [Column((), np.full(n, NONE, dtype=np.int32)) for n in rows]
    where = [
        np.zeros(n, dtype=np.int32) if each.where is None else each.where
        for n, each in zip(rows, votes, strict=True)
    ]
    shapes = dict.fromkeys(each.shape for each in votes)
    return replace(
        first,
        shape=", ".join(shapes),
        unit=Column.stacked([each.unit for each in votes]),
        rater=Column.stacked([each.rater for each in votes]),
        label=Column.stacked([each.label for each in votes]),
        question=None
        if first.question is None
        else Column.stacked([each.question or blank[at] for at, each in enumerate(votes)]),
        where=None if all(each.where is None for each in votes) else np.concatenate(where),
        shown=", ".join(each.shown for each in votes[:3]) + (", …" if len(votes) > 3 else ""),
        more={
            name: Column.stacked([each.more.get(name, blank[at]) for at, each in enumerate(votes)])
            for name in names
        },
        said=tuple(dict.fromkeys(said for each in votes for said in each.said)),
        left_out=_summed([left for each in votes for left in each.left_out]),
        skipped=_summed([left for each in votes for left in each.skipped]),
        raters_set_aside={
            name: why for each in votes for name, why in each.raters_set_aside.items()
        },
    )


def _summed(left_out: Sequence[LeftOut]) -> tuple[LeftOut, ...]:
    """Return what was left out with each reason once."""
    found: dict[str, LeftOut] = {}
    for each in left_out:
        before = found.get(each.reason)
        found[each.reason] = each if before is None else LeftOut(
            each.reason, before.count + each.count, (*before.examples, *each.examples)[:EXAMPLES]
        )  # fmt: skip
    return tuple(found.values())


def _with_unit_and_rater(votes: Votes) -> tuple[NDArray[np.bool_], list[LeftOut]]:
    """Return which rows name a unit and a rater, and how many do not."""
    kept = np.ones(len(votes.unit), dtype=np.bool_)
    left_out: list[LeftOut] = []
    for column, what in ((votes.unit, "unit"), (votes.rater, "rater")):
        # a row without a label as well says nothing and is not worth a word
        lost = kept & (column.codes == NONE)
        kept &= ~lost
        lost &= votes.label.codes != NONE
        if not lost.any():
            continue
        at = np.flatnonzero(lost)[:3].tolist()
        lines = () if votes.where is None else tuple(f"line {int(votes.where[i])}" for i in at)
        left_out.append(LeftOut(f"a label without a {what}", int(lost.sum()), lines))
    return kept, left_out
