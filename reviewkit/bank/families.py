"""Which items of a T2 group ask the same question: an ambiguous and a disambiguated twin of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reviewkit.bank.items import Item

Family = tuple[str, str, str, str]
"""Polarity, language, register, and the question where nothing else tells two of them apart."""


def families_of(items: Sequence[Item]) -> dict[Family, list[int]]:
    """Return the positions of the items of every family, in order.

    Polarity tells the questions of a block apart. Where it is not recorded and a kind of twin
    stands more than once, the words of the question do.
    """
    rough = [(item.question_polarity or "", item.language, item.register_) for item in items]
    twins = Counter((key, item.twin) for key, item in zip(rough, items, strict=True))
    crowded = {key for (key, _), number in twins.items() if number > 1 and not key[0]}
    found: dict[Family, list[int]] = {}
    for at, (key, item) in enumerate(zip(rough, items, strict=True)):
        question = (item.question or "") if key in crowded else ""
        found.setdefault((*key, question), []).append(at)
    return found
