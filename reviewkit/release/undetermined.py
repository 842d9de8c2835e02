"""Which option says "cannot be determined", in any language of the bank and however spelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from reviewkit.bank import Item
from reviewkit.bank.folding import has_letters, words_of

Folded = tuple[str, ...]
_LETTER = re.compile(r"\s*+(?:\(\s*+)?(?:[^\W\d_]|ه\u0640|[0-9]{1,2})\s*+[).:]\s*+(?=\S)")
"""A letter or number before an option: ``c)``, ``(ج)``, ``3.``."""


def _folded(text: str) -> Folded:
    """Return the words of an option; its letter and a full stop at its end make no other option."""
    letter = _LETTER.match(text)
    text = text[letter.end() :] if letter else text
    return tuple(word.folded for word in words_of(text) if has_letters(word.folded))


class Undetermined:
    """The wordings of a taxonomy, folded."""

    def __init__(self, wordings: Mapping[str, Iterable[str]]) -> None:
        self._wordings = {_folded(text) for texts in wordings.values() for text in texts}
        self._known: dict[str, bool] = {}
        self._places: dict[tuple[str, ...], tuple[int, ...]] = {}

    def says_so(self, option: str) -> bool:
        """Return whether an option says that the question cannot be answered."""
        if option not in self._known:
            self._known[option] = _folded(option) in self._wordings
        return self._known[option]

    def positions(self, item: Item) -> tuple[int, ...]:
        """Return where such options of an item stand, from 1; one is as it should be."""
        found = self._places.get(item.options)
        if found is None:
            found = tuple(at for at, option in enumerate(item.options, 1) if self.says_so(option))
            self._places[item.options] = found
        return found
