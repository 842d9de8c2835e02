"""Whether a text repeats an item of the bank: a guide is given out, sealed items are not.

Two texts are compared by their words alone, without marks, case, hidden characters or spacing, so
that no other spelling of an item gets through.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set

from reviewkit.bank import Bank, Group

RUN = 8
"""So many words in a row are a quotation; fewer are a turn of phrase that rules must be able to
name, such as a phrase that leaks the criterion."""
SHORTEST = 6
"""A text of this length up to ``RUN`` is compared whole; a shorter one is nobody's own."""

_TATWEEL = "\u0640"
Words = tuple[str, ...]


def quoted_items(texts: Mapping[str, str], bank: Bank) -> dict[str, tuple[str, ...]]:
    """Return which of the texts repeat items: name of the text -> ids of items or groups, sorted.

    Args:
        texts: the texts by any name.
        bank: the bank whose items must not be told.
    """
    holders: dict[Words, set[str]] = {}
    for name, text in texts.items():
        words = words_of(text)
        for length in range(SHORTEST, RUN + 1):
            for run in _runs(words, length):
                holders.setdefault(run, set()).add(name)
    starts = frozenset(run[0] for run in holders)
    found: dict[str, set[str]] = {}
    for item_id, text in _texts_of(bank.groups) if holders else ():
        words = words_of(text)
        if len(words) < SHORTEST:
            continue
        for run in _runs(words, min(RUN, len(words)), starts):
            for name in holders.get(run, ()):
                found.setdefault(name, set()).add(item_id)
    return {name: tuple(sorted(ids)) for name, ids in found.items()}


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded: no marks, no case, no hidden characters."""
    spread = text if text.isascii() else unicodedata.normalize("NFKD", text).translate(_KEPT)
    return _WORD.findall(spread.casefold())


class _Kept(dict[int, int | None]):
    """Which characters count, looked up once each: a bank has millions of characters, few kinds."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        dropped = unicodedata.category(char) in ("Mn", "Cf") or char == _TATWEEL
        self[code] = None if dropped else code
        return self[code]


_KEPT = _Kept()
_WORD = re.compile(r"\w+")


def _runs(words: Sequence[str], length: int, starts: Set[str] | None = None) -> Iterator[Words]:
    for at in range(len(words) - length + 1):
        if starts is None or words[at] in starts:
            yield tuple(words[at : at + length])


def _texts_of(groups: Sequence[Group]) -> Iterator[tuple[str, str]]:
    for group in groups:
        if group.base_text:
            yield group.template_id, group.base_text
        for item in group.items:
            for text in (item.text, item.context, item.question):
                if text:
                    yield item.id, text
