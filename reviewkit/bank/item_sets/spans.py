"""Where two sentences differ, and the template that they are two fillings of.

The first changed span is taken for the value; further spans stay in the texts as they are, and the
audit counts them as differences nobody declared. Which span names a group, and which group a
stereotype is about, is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from reviewkit.bank.folding import Word, has_letters, words_of

PLACE = "{value}"


@dataclass(frozen=True, slots=True)
class Span:
    """A run of words on each side, from the first character to the last."""

    one: str
    other: str
    start: int
    """Where it begins in the first sentence."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences as one template and two values."""

    base: str
    """The first sentence with ``{value}`` where its value stands."""
    values: tuple[str, str]
    spans: int
    """How many runs of words differ; one in a minimal pair. A substitution made twice is one."""


def template_of(one: str, other: str) -> Pair | str:
    """Return the two sentences as a template with its values, or why they are none."""
    if one == other:
        return "the two texts are one and the same"
    if PLACE in one or PLACE in other:
        return f"a text holds {PLACE}, which marks the place of a value"
    found = _spans(one, other)
    if not found:
        return "the two texts differ in white space alone"
    chosen = next((each for each in found if _worded(each)), None)
    if chosen is None:
        return "the two texts differ in punctuation alone"
    alike = [each for each in found if (each.one, each.other) == (chosen.one, chosen.other)]
    base, at = "", 0
    for each in alike:
        base += one[at : each.start] + PLACE
        at = each.start + len(each.one)
    different = {(each.one, each.other) for each in found}
    return Pair(base + one[at:], (chosen.one, chosen.other), len(different))


def _worded(span: Span) -> bool:
    return any(
        has_letters(word.folded) for side in (span.one, span.other) for word in words_of(side)
    )


def _spans(one: str, other: str) -> list[Span]:
    left, right = list(words_of(one)), list(words_of(other))
    texts = [one[word.start : word.end] for word in left], [other[w.start : w.end] for w in right]
    number = {text: n for n, text in enumerate(dict.fromkeys(texts[0] + texts[1]))}
    steps = LCSseq.opcodes([number[t] for t in texts[0]], [number[t] for t in texts[1]])
    runs: list[list[int]] = []
    for step in steps:
        if step.tag == "equal":
            continue
        run = [step.src_start, step.src_end, step.dest_start, step.dest_end]
        if runs and runs[-1][1] == run[0] and runs[-1][3] == run[2]:
            runs[-1][1], runs[-1][3] = run[1], run[3]
        else:
            runs.append(run)
    return _as_spans(one, other, left, right, [_with_neighbour(run, left, right) for run in runs])


def _with_neighbour(run: list[int], left: list[Word], right: list[Word]) -> list[int]:
    """Return a run with words on both sides: where one has none, the next common word joins."""
    i1, i2, j1, j2 = run
    if i1 < i2 and j1 < j2:
        return run
    if i2 < len(left) and j2 < len(right):
        return [i1, i2 + 1, j1, j2 + 1]
    if i1 and j1:
        return [i1 - 1, i2, j1 - 1, j2]
    return run


def _as_spans(
    one: str, other: str, left: list[Word], right: list[Word], runs: list[list[int]]
) -> list[Span]:
    spans: list[Span] = []
    for i1, i2, j1, j2 in runs:
        if i1 < i2 and j1 < j2:
            start = left[i1].start
            spans.append(Span(
                one[start : left[i2 - 1].end], other[right[j1].start : right[j2 - 1].end], start
            ))  # fmt: skip
    return spans
