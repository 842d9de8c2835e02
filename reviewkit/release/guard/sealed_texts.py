"""Whether a text holds words of a sealed group: one look-up a place, however large the bank.

Every sealed text is cut into runs of ``WORDS`` words and into blocks of ``LETTERS`` letters, which
are kept as hashes; a run that a public item has as well gives nothing away and is left out. Texts
are compared as the eye reads them: case, marks, tatweel, composed and decomposed letters,
presentation forms, look-alike letters, hidden characters and signs do not matter, and for the
blocks white space and digits do not either. Blocks are kept of the text written backwards and in
ROT13 as well, so that a scan costs no more for it.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterable, Iterator, Sequence

from reviewkit.bank import Group
from reviewkit.cards.stubs import is_stub
from reviewkit.release.reading import words_in

WORDS = 6
"""So many words in a row, in this order, are the group's own."""
FEWEST_WORDS = 3
"""A prompt, context or template with fewer words than ``WORDS`` is sought as a whole from here."""
FEWEST_OPTION_WORDS = 4
"""The same for questions and options, which are phrases that many texts hold."""
LETTERS = 24
"""So many letters in a row betray a text whose white space was taken out or put in."""

_DIGITS = str.maketrans("", "", "0123456789")


class SealedTexts:
    """The texts of the sealed groups, ready to be sought in anything that is to be published.

    Args:
        sealed: The groups whose texts must stay closed, those that left the bank included.
        public: The groups whose texts are published.
        known: Wordings of the taxonomy: an option that says no more than one is nobody's own.
    """

    def __init__(
        self, sealed: Iterable[Group], public: Iterable[Group], known: Iterable[str] = ()
    ) -> None:
        self._names: list[str] = []
        self._runs: dict[int, dict[int, int]] = {}
        """Number of words -> hash of a run -> position of its group among the names."""
        self._blocks: dict[int, int] = {}
        wordings = {tuple(words_in(text)) for text in known}
        for group in sealed:
            self._names.append(group.template_id)
            for words in set(_sought(group, wordings)):
                self._take(words, len(self._names) - 1)
        if self._names:
            for text in dict.fromkeys(text for group in public for text, _ in texts_of(group)):
                self._forget(text)

    def _take(self, words: tuple[str, ...], owner: int) -> None:
        size = min(WORDS, len(words))
        runs = self._runs.setdefault(size, {})
        for run in _runs(words, size):
            runs.setdefault(run, owner)
        for letters in _disguises(words):
            for at in range(0, len(letters) - LETTERS + 1, LETTERS):
                self._blocks.setdefault(hash(letters[at : at + LETTERS]), owner)

    def _forget(self, text: str) -> None:
        words = words_in(text)
        for size, runs in self._runs.items():
            for run in _runs(words, size):
                runs.pop(run, None)
        for block in _blocks(_letters(words)):
            self._blocks.pop(block, None)

    def group_in(self, words: Sequence[str]) -> str | None:
        """Return the id of a sealed group that the words of a text come from, or None."""
        for size, runs in self._runs.items():
            for run in _runs(words, size):
                if run in runs:
                    return self._names[runs[run]]
        if self._blocks:
            for block in _blocks(_letters(words)):
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


def _sought(group: Group, wordings: Collection[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    for text, least in texts_of(group):
        words = tuple(words_in(text))
        is_wording = least == FEWEST_OPTION_WORDS and words in wordings
        if len(words) >= least and not is_wording and not is_stub(text):
            yield words


def _letters(words: Iterable[str]) -> str:
    """Return the letters of words in a row, without digits: words may have been numbered."""
    return "".join(words).translate(_DIGITS)


def _disguises(words: Sequence[str]) -> Iterator[str]:
    """Yield the letters of a text, then as they stand when it is turned round or in ROT13."""
    letters = _letters(words)
    yield letters
    yield letters[::-1]
    yield _letters(words[::-1])
    yield _letters(word[::-1] for word in words)
    if letters.isascii():
        yield codecs.encode(letters, "rot13")


def _runs(words: Sequence[str], size: int) -> Iterator[int]:
    for at in range(len(words) - size + 1):
        yield hash(" ".join(words[at : at + size]))


def _blocks(letters: str) -> Iterator[int]:
    for at in range(len(letters) - LETTERS + 1):
        yield hash(letters[at : at + LETTERS])
