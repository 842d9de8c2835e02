"""The longest common subsequence of two sequences: an optimal edit script, whatever their length.

Only what cannot change the optimum is left out before the work: equal ends, and elements that the
other side does not have.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

CELL_LIMIT = 1_500_000_000
"""The largest product of lengths that is aligned: some 39,000 changed words a side, 190 MB for a
moment and half a second. Beyond it only equal ends are matched, and the result says so."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The matched positions of two sequences, in order."""

    pairs: tuple[tuple[int, int], ...]
    complete: bool = True
    """False when the sequences were too long to be aligned between their equal ends."""


def align(one: Sequence[Hashable], other: Sequence[Hashable]) -> Alignment:
    """Return an alignment that matches as many elements as any alignment can."""
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    ends = 0
    while ends < shorter - start and one[-1 - ends] == other[-1 - ends]:
        ends += 1
    head = [(index, index) for index in range(start)]
    tail = [(len(one) - ends + n, len(other) - ends + n) for n in range(ends)]

    middle, inner = one[start : len(one) - ends], other[start : len(other) - ends]
    shared = set(middle) & set(inner)
    # Numbers, not hashes of the elements: rapidfuzz compares elements by their hash.
    number = {element: n for n, element in enumerate(shared)}
    left = [index for index, element in enumerate(middle) if element in number]
    right = [index for index, element in enumerate(inner) if element in number]
    if len(left) * len(right) > CELL_LIMIT:
        return Alignment(tuple(head + tail), complete=False)
    if not left or not right:
        return Alignment(tuple(head + tail))

    steps = LCSseq.opcodes(
        [number[middle[index]] for index in left], [number[inner[index]] for index in right]
    )
    body = [
        (start + left[step.src_start + n], start + right[step.dest_start + n])
        for step in steps
        if step.tag == "equal"
        for n in range(step.src_end - step.src_start)
    ]
    return Alignment(tuple(head + body + tail))
