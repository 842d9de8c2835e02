"""A T2 twin beside its ambiguous original: the replaced sentence, and everything else that differs.

The declared difference is one sentence that is replaced or added, marked whole. A sentence that was
only edited is a stray difference, word by word, unless it is the only one that changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import LCSseq

from reviewkit.bank.taxonomy import Writing
from reviewkit.cards.alignment import align
from reviewkit.cards.differences import compare_texts
from reviewkit.cards.marking import Marker, Segments, mark_plain, mark_whole
from reviewkit.cards.tokens import tokenise

EDITED = 0.6
"""From this share of common words on, two sentences are one sentence edited."""

_PAIRING_LIMIT = 2_500
"""Most pairs of changed sentences that are looked at one by one."""

_STOP = r"""
    [.!?؟۔…] %s (?<!\bDr.) (?<!\bMr.) (?<!\bMs.) (?<!\bMrs.) (?<!\bد.) (?<![.!?؟۔…].)
    [.!?؟۔…]*+ ["»”’')\]]*+ (?= \s*+ \Z | \s++ (?! [a-z] ) )
"""
"""A stop is consumed before what must not stand in front of it, so that the search skips ahead."""
_LINE_END = r"(?<!\s) (?= [^\S\n]*+ \n )"
_BLANKS = ("[ \u00a0\u202f]", "")
"""What may stand inside an abbreviation: ``z. B.``, ``z.B.``."""
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class ContextComparison:
    """Two contexts with the replaced sentence and every stray difference marked."""

    first: Segments
    second: Segments
    replaced: tuple[int, int]
    """How many sentences of each count as the declared replacement."""


@dataclass(frozen=True, slots=True)
class _Sentences:
    lead: str
    texts: tuple[str, ...]
    gaps: tuple[str, ...]
    """The white space after each sentence."""


@lru_cache(maxsize=256)  # the two questions of a block share their contexts
def compare_contexts(
    a: str, b: str, language: str = "", writing: Writing | None = None
) -> ContextComparison:
    """Return the contexts of two twins marked; the segments of each join to it exactly."""
    if a > b:
        turned = compare_contexts(b, a, language, writing)
        return ContextComparison(
            turned.second, turned.first, (turned.replaced[1], turned.replaced[0])
        )
    one, other = split_sentences(a, writing), split_sentences(b, writing)
    return _Reading(one, other, language).compare()


@lru_cache(maxsize=16)
def _ends(writing: Writing | None) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what ends a sentence in one line, and in several."""
    before: set[str] = set()
    for abbreviation in writing.abbreviations if writing else ():
        words = abbreviation.split()
        for blank in _BLANKS:
            # of "z. B." neither stop ends a sentence
            for at in range(len(words)):
                before.add(blank.join(re.escape(word) for word in words[: at + 1]))
    if writing is not None and writing.ordinals == "yes":
        before |= {r"\d\.", r"\d\d\."}
    stop = _STOP % " ".join(rf"(?<!\b{each})" for each in sorted(before) if each.endswith("."))
    return (
        re.compile(stop, re.VERBOSE),
        re.compile(f"{stop} | {_LINE_END}", re.VERBOSE),
    )


def split_sentences(text: str, writing: Writing | None = None) -> _Sentences:
    """Return the sentences of a text and the white space around them."""
    lead = at = _end_of_space(text, 0)
    texts: list[str] = []
    gaps: list[str] = []
    in_one_line, in_several = _ends(writing)
    ends = in_several if "\n" in text else in_one_line
    for end in (*(found.end() for found in ends.finditer(text)), len(text.rstrip())):
        if end > at:
            texts.append(text[at:end])
            at = _end_of_space(text, end)
            gaps.append(text[end:at])
    return _Sentences(text[:lead], tuple(texts), tuple(gaps))


def _end_of_space(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return found.end() if found else start


class _Reading:
    def __init__(self, a: _Sentences, b: _Sentences, language: str) -> None:
        self._a, self._b, self._language = a, b, language
        self._out: tuple[list[Segments], list[Segments]] = ([], [])
        self._replaced = [0, 0]

    def compare(self) -> ContextComparison:
        a, b = self._a, self._b
        matched = align(a.texts, b.texts).pairs
        edited = self._edited(matched)
        one, other = compare_texts(a.lead, b.lead, language=self._language)
        self._emit(one, other)
        i0 = j0 = 0
        for i, j in (*sorted({*matched, *edited}), (len(a.texts), len(b.texts))):
            self._replace(range(i0, i), range(j0, j))
            if i < len(a.texts):
                self._emit(*compare_texts(a.texts[i], b.texts[j], language=self._language))
                self._gaps(i, j)
            i0, j0 = i + 1, j + 1
        first, second = (tuple(s for part in side for s in part) for side in self._out)
        return ContextComparison(first, second, (self._replaced[0], self._replaced[1]))

    def _edited(self, matched: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
        """Return the pairs of sentences that were edited; the replaced one is not among them."""
        edited: dict[tuple[int, int], float] = {}
        unpaired = 0
        i0 = j0 = 0
        for i, j in (*matched, (len(self._a.texts), len(self._b.texts))):
            these, those = range(i0, i), range(j0, j)
            pairs = (
                {}
                if not these or not those
                else _pair_similar(
                    [self._a.texts[n] for n in these], [self._b.texts[n] for n in those]
                )
            )
            unpaired += len(these) + len(those) - 2 * len(pairs)
            edited |= {(i0 + n, j0 + m): share for (n, m), share in pairs.items()}
            i0, j0 = i + 1, j + 1
        if edited and not unpaired:
            del edited[min(edited, key=lambda pair: (edited[pair], pair))]
        return set(edited)

    def _replace(self, these: range, those: range) -> None:
        sides = ((self._a, these, those), (self._b, those, these))
        for number, (side, run, counterpart) in enumerate(sides):
            if not run:
                continue
            marker = Marker("".join(side.texts[run.start : run.stop]), self._language)
            for index in run:
                marker.add(side.texts[index], "replaced", "" if counterpart else "only_here")
                if index + 1 < run.stop:
                    marker.add(side.gaps[index], "replaced", "" if counterpart else "only_here")
            self._out[number].append(marker.finish())
            self._replaced[number] += len(run)
        if these and those:
            self._gaps(these.stop - 1, those.stop - 1)
        else:
            for number, (side, run, _) in enumerate(sides):
                if run:
                    self._out[number].append(mark_plain(side.gaps[run.stop - 1], self._language))

    def _gaps(self, i: int, j: int) -> None:
        one, other = self._a.gaps[i], self._b.gaps[j]
        if (i + 1 == len(self._a.texts)) != (j + 1 == len(self._b.texts)):
            # The end of one text only: the space belongs to the sentence that follows.
            self._emit(mark_plain(one, self._language), mark_plain(other, self._language))
        else:
            self._emit(*compare_texts(one, other, language=self._language))

    def _emit(self, one: Segments, other: Segments) -> None:
        self._out[0].append(one)
        self._out[1].append(other)


def _pair_similar(one: Sequence[str], other: Sequence[str]) -> dict[tuple[int, int], float]:
    """Return the pairs, in order and none crossing, that share the most, with their shares."""
    if not one or not other or len(one) * len(other) > _PAIRING_LIMIT:
        return {}
    best: list[list[float]] = [[0.0] * (len(other) + 1) for _ in range(len(one) + 1)]
    shares = [[_share(a, b) for b in other] for a in one]
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            paired = best[i][j] + share if share >= EDITED else 0.0
            best[i + 1][j + 1] = max(best[i][j + 1], best[i + 1][j], paired)
    pairs: dict[tuple[int, int], float] = {}
    i, j = len(one), len(other)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs[i, j] = shares[i][j]
    return pairs


def _share(one: str, other: str) -> float:
    left, right = tokenise(one).words, tokenise(other).words
    number = {word: n for n, word in enumerate(dict.fromkeys(left + right))}
    return LCSseq.normalized_similarity([number[w] for w in left], [number[w] for w in right])


def compare_options(
    a: Sequence[str], b: Sequence[str], language: str = ""
) -> tuple[tuple[Segments, ...], tuple[Segments, ...]]:
    """Return the options of two twins marked, position by position.

    The same options in another order are marked ``moved`` as wholes.
    """
    if Counter(a) == Counter(b):
        first, second = (
            tuple(
                mark_plain(text, language)
                if text == counterpart
                else mark_whole(text, "stray", "moved", language)
                for text, counterpart in zip(side, across, strict=True)
            )
            for side, across in ((a, b), (b, a))
        )
        return first, second
    pairs = [compare_texts(one, other, language=language) for one, other in zip(a, b, strict=False)]
    rest = [
        tuple(mark_whole(text, "stray", "only_here", language) for text in side[len(pairs) :])
        for side in (a, b)
    ]
    return (*(p[0] for p in pairs), *rest[0]), (*(p[1] for p in pairs), *rest[1])
