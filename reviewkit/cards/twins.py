"""Any number of twins compared, so that a deviation is marked on the twin that has it.

With a template every text is compared with the template filled in with its own value. Without one,
texts are compared with the wording that more than half of them share; where there is no such
wording (always so for two texts that differ) both sides of a difference are marked.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz.distance import LCSseq

from reviewkit.cards.differences import Sought, compare, keys_of, seek
from reviewkit.cards.marking import Segments
from reviewkit.cards.spelling import without_hidden

PLACEHOLDER = "{value}"
"""How a template writes the place of its variable."""

_DISTANCE_LIMIT = 20_000_000
"""Most work (product of lengths, all pairs) spent on finding the text in the middle."""


@dataclass(frozen=True, slots=True)
class Marked:
    """One twin with its differences marked."""

    segments: Segments
    complete: bool = True


def compare_twins(
    twins: Sequence[Sought], base: str | None = None, language: str = ""
) -> tuple[Marked, ...]:
    """Return every twin marked, in the order given; ``base`` is a template with ``{value}``."""
    if base and PLACEHOLDER in base and all(twin.value for twin in twins):
        return tuple(_mark(twin, fill_template(base, twin.value or ""), language) for twin in twins)
    if len(twins) < 2:
        return tuple(_mark(twin, twin, language) for twin in twins)
    return _compare_among_themselves(twins, language)


def fill_template(base: str, value: str) -> Sought:
    """Return the template with ``value`` filled in; only the filled places are slots."""
    parts = base.split(PLACEHOLDER)
    filled = seek(value.join(parts), value)
    places: list[range] = []
    at = 0
    for part in parts[:-1]:
        at += len(part)
        places.append(range(at, at + max(len(value), 1)))
        at += len(value)
    starts: list[int] = []
    at = 0
    for gap, word in zip(filled.tokens.gaps, filled.tokens.words, strict=False):
        starts.append(at + len(gap))
        at = starts[-1] + len(word)
    kept = tuple(
        slot
        for slot in filled.slots
        if any(
            starts[slot.start] < place.stop
            and place.start < starts[slot.end - 1] + len(filled.tokens.words[slot.end - 1])
            for place in places
        )
    )
    return replace(filled, slots=kept)


def _mark(twin: Sought, reference: Sought, language: str) -> Marked:
    found = compare(twin, reference, language)
    return Marked(found.first, found.complete)


def _compare_among_themselves(twins: Sequence[Sought], language: str) -> tuple[Marked, ...]:
    keys = [keys_of(twin) for twin in twins]
    counts = Counter(keys)
    shared, times = max(counts.items(), key=lambda entry: entry[1])
    if 2 * times > len(twins):
        reference = twins[keys.index(shared)]
        return tuple(_mark(twin, reference, language) for twin in twins)
    middle = _most_central(twins, keys)
    others = [index for index in range(len(twins)) if keys[index] != keys[middle]]
    nearest = min(
        others, key=lambda index: (_distance(keys[middle], keys[index]), _order(twins[index]))
    )
    return tuple(
        _mark(twin, twins[nearest if keys[index] == keys[middle] else middle], language)
        for index, twin in enumerate(twins)
    )


def _most_central(twins: Sequence[Sought], keys: Sequence[tuple[Hashable, ...]]) -> int:
    """Return the text that is nearest to all others; of equals the first in canonical order."""
    if sum(len(key) for key in keys) ** 2 > _DISTANCE_LIMIT:
        return min(range(len(twins)), key=lambda index: _order(twins[index]))
    return min(
        range(len(twins)),
        key=lambda index: (sum(_distance(keys[index], key) for key in keys), _order(twins[index])),
    )


def _distance(one: tuple[Hashable, ...], other: tuple[Hashable, ...]) -> int:
    number: dict[Hashable, int] = {}
    left, right = (
        [number.setdefault(element, len(number)) for element in sequence]
        for sequence in (one, other)
    )
    return len(left) + len(right) - 2 * LCSseq.similarity(left, right)


def _order(twin: Sought) -> tuple[str, str]:
    return twin.text, twin.value or ""


def repeated(texts: Sequence[str]) -> frozenset[int]:
    """Return the positions of texts that stand more than once, letter for letter."""
    counts = Counter(texts)
    return frozenset(index for index, text in enumerate(texts) if counts[text] > 1)


def repeated_once_normalised(texts: Sequence[str]) -> frozenset[int]:
    """Return the positions of texts that another, different text equals after normalisation.

    Normalised here: compatible letters, hidden characters and white space.
    """
    spelled: dict[str, set[str]] = {}
    plain = [normalised(text) for text in texts]
    for text, key in zip(texts, plain, strict=True):
        spelled.setdefault(key, set()).add(text)
    return frozenset(index for index, key in enumerate(plain) if len(spelled[key]) > 1)


@lru_cache(maxsize=8192)  # options and questions come again and again
def normalised(text: str) -> str:
    """Return ``text`` in NFKC without hidden characters and with single spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(without_hidden(unicodedata.normalize("NFKC", text)).split())
