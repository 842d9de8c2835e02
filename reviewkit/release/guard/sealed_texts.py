"""Whether a text holds words of a sealed group: one look-up a place, however large the bank.

Every sealed text is cut into runs of ``WORDS`` words and into blocks of ``LETTERS`` letters, which
are kept as hashes; a run that a public item has as well gives nothing away and is left out. Texts
are compared as they are read: case, marks, tatweel, composed and decomposed letters, presentation
forms, hidden characters and signs do not matter, and for the blocks white space does not either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from reviewkit.bank import Group
from reviewkit.bank.folding import fold
from reviewkit.cards.stubs import is_stub

WORDS = 6
"""So many words in a row, in this order, are the group's own."""
FEWEST_WORDS = 3
"""A prompt, context or template with fewer words than ``WORDS`` is sought as a whole from here."""
FEWEST_OPTION_WORDS = 4
"""The same for questions and options, which are phrases that many texts hold."""
LETTERS = 24
"""So many letters in a row betray a text whose white space was taken out or put in."""

_WORD = re.compile(r"[^\W_]+")


def words_in(text: str) -> list[str]:
    """Return the words of a text as they are read, without signs."""
    return _WORD.findall(text.lower() if text.isascii() else fold(text))


class SealedTexts:
    """The texts of the sealed groups, ready to be sought in anything that is to be published.

    Args:
        sealed: The groups whose texts must stay closed, those that left the bank included.
        public: The groups whose texts are published.
        known: Other public texts of the bank, such as the wordings of its taxonomy.
    """

    def __init__(
        self, sealed: Iterable[Group], public: Iterable[Group], known: Iterable[str] = ()
    ) -> None:
        self._names: list[str] = []
        self._runs: dict[int, dict[int, int]] = {}
        """Number of words -> hash of a run -> position of its group among the names."""
        self._blocks: dict[int, int] = {}
        for group in sealed:
            self._names.append(group.template_id)
            for words in set(_sought(group)):
                self._take(words, len(self._names) - 1)
        if self._names:
            shown = dict.fromkeys(text for group in public for text, _least in texts_of(group))
            for text in (*known, *shown):
                self._forget(text)

    def _take(self, words: tuple[str, ...], owner: int) -> None:
        size = min(WORDS, len(words))
        runs = self._runs.setdefault(size, {})
        for run in _runs(words, size):
            runs.setdefault(run, owner)
        letters = "".join(words)
        for at in range(0, len(letters) - LETTERS + 1, LETTERS):
            self._blocks.setdefault(hash(letters[at : at + LETTERS]), owner)

    def _forget(self, text: str) -> None:
        words = words_in(text)
        for size, runs in self._runs.items():
            for run in _runs(words, size):
                runs.pop(run, None)
        for block in _blocks("".join(words)):
            self._blocks.pop(block, None)

    def group_in(self, words: Sequence[str]) -> str | None:
        """Return the id of a sealed group that the words of a text come from, or None."""
        for size, runs in self._runs.items():
            for run in _runs(words, size):
                if run in runs:
                    return self._names[runs[run]]
        if self._blocks:
            for block in _blocks("".join(words)):
                if block in self._blocks:
                    return self._names[self._blocks[block]]
        return None


def texts_of(group: Group) -> Iterator[tuple[str, int]]:
    """Yield every text of a group, and how many words it must have to be its own."""
    if group.base_text:
        yield group.base_text, FEWEST_WORDS
    for item in group.items:
        for text in (item.text, item.context):
            if text:
                yield text, FEWEST_WORDS
        for text in (item.question, *item.options):
            if text:
                yield text, FEWEST_OPTION_WORDS


def _sought(group: Group) -> Iterator[tuple[str, ...]]:
    for text, least in texts_of(group):
        words = words_in(text)
        if len(words) >= least and not is_stub(text):
            yield tuple(words)


def _runs(words: Sequence[str], size: int) -> Iterator[int]:
    for at in range(len(words) - size + 1):
        yield hash(" ".join(words[at : at + size]))


def _blocks(letters: str) -> Iterator[int]:
    for at in range(len(letters) - LETTERS + 1):
        yield hash(letters[at : at + LETTERS])
