"""Whether a T2 group is sure to have a card without a mark, known without making the card.

Nearly every block of a large bank differs in the sentences that its disambiguated twin adds, and in
nothing else. To lay the texts side by side word by word costs ten times what it takes to see so.
Where this module is not sure it says no, and the card decides.
"""

from __future__ import annotations

from functools import lru_cache

from reviewkit.bank.items import Group, Item
from reviewkit.bank.taxonomy import Writing
from reviewkit.cards.contexts import split_sentences
from reviewkit.cards.marking import needs_naming
from reviewkit.cards.stubs import is_stub


def sentences_added(group: Group, writing: Writing | None = None) -> int:
    """Return how many sentences the disambiguated twins add when they differ in nothing else.

    Zero says that only the card can tell. Otherwise the card has no flag, no difference and no
    hidden character, and the one finding it may have is that several sentences are new. So it is
    when every question stands once with each twin in one language and register, the twins share
    question and options, and the disambiguated context is the ambiguous one with more at its end.
    ``writing`` is how the language of the first item is written.
    """
    if group.test_type != "T2" or len(group.items) % 2:
        return 0
    sides: dict[tuple[str, str], dict[str, Item]] = {}
    first = group.items[0]
    for item in group.items:
        pair = sides.setdefault((item.question_polarity or "", item.question or ""), {})
        if (item.language, item.register_) != (first.language, first.register_):
            return 0
        if item.twin is None or item.twin in pair:
            return 0
        pair[item.twin] = item
    if len({polarity for polarity, _ in sides}) != len(sides):
        return 0
    added = [_added(**pair, writing=writing) if len(pair) == 2 else 0 for pair in sides.values()]
    return max(added) if all(added) else 0


def _added(ambiguous: Item, disambiguated: Item, writing: Writing | None) -> int:
    language = ambiguous.language
    if (
        ambiguous.options == disambiguated.options
        and all(_is_clear(option, language) for option in ambiguous.options)
        and _is_written(ambiguous.question or "", language, writing)
    ):
        return _more(ambiguous.context or "", disambiguated.context or "", language, writing)
    return 0


@lru_cache(maxsize=8192)  # options come again and again
def _is_clear(text: str, language: str) -> bool:
    return not needs_naming(text, language)


@lru_cache(maxsize=8192)
def _is_written(text: str, language: str, writing: Writing | None) -> bool:
    return _is_clear(text, language) and not is_stub(text, writing=writing)


@lru_cache(maxsize=256)  # the two questions of a block share their contexts
def _more(shorter: str, longer: str, language: str, writing: Writing | None) -> int:
    """Return how many sentences ``longer`` has after those of ``shorter``, which it begins with."""
    if not longer.startswith(shorter):
        return 0
    if needs_naming(longer, language) or any(
        is_stub(each, writing=writing) for each in (shorter, longer)
    ):
        return 0
    one, other = split_sentences(shorter, writing), split_sentences(longer, writing)
    count = len(one.texts)
    same = (
        one.lead == other.lead
        and one.texts == other.texts[:count]
        and one.gaps[:-1] == other.gaps[: count - 1]
    )
    return len(other.texts) - count if same else 0
