"""Whether two different words are one word spelled differently, and how.

Spelling is compared on folded copies; the text itself is never changed. Teh marbuta and heh are not
folded: that letter can be the gender of the word, the very thing under test.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from reviewkit.cards.hidden import AS_LATIN, hidden_name

NOTES = ("normalisation", "hidden_character", "letter_form", "case", "look_alike", "spelling")
"""From the closest kind to the widest; ``spelling`` is several of them at once."""

_LETTERS = {
    "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ہ": "ه", "ھ": "ه", "ۃ": "ة", "ـ": "",
    # else they would meet where capitals are folded, and be named a difference of capitals
    "ß": "ss", "ẞ": "SS",
}  # fmt: skip
_SEEN_AS = str.maketrans(AS_LATIN)
# Only for pairing: what looks alike as a capital must meet its small form too.
_PAIRED_AS = str.maketrans({
    **AS_LATIN, "в": "b", "к": "k", "м": "m", "н": "h", "т": "t",
    "β": "b", "ε": "e", "ζ": "z", "η": "h", "μ": "m", "ν": "n", "υ": "y", "u": "y", "v": "n",
})  # fmt: skip


def _is_arabic_mark(char: str) -> bool:
    point = ord(char)
    return unicodedata.category(char) == "Mn" and (
        0x0610 <= point <= 0x061A
        or 0x064B <= point <= 0x0670
        or 0x06D6 <= point <= 0x06ED
        or 0x08CA <= point <= 0x08FF
    )


class _Visible(dict[int, str]):
    """Code point to what is seen of it, filled as characters are met."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        seen = char == "ـ" or char.isspace() or not hidden_name(char)
        self[point] = char if seen else ""
        return self[point]


class _Folded(dict[int, str]):
    """Code point to the plainest form of its letter, filled as characters are met."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        if char.isdecimal():
            folded = str(unicodedata.decimal(char))
        else:
            folded = "" if _is_arabic_mark(char) else _LETTERS.get(char, char)
        self[point] = folded
        return folded


_VISIBLE = _Visible()
_FOLDED = _Folded()


def without_hidden(text: str) -> str:
    """Return ``text`` without the characters nobody sees; tatweel and spaces stay."""
    return text.translate(_VISIBLE)


def fold_letters(text: str) -> str:
    """Return ``text`` with letter forms folded: hamza seats, alef maqsura, Farsi forms, digits."""
    decomposed = unicodedata.normalize("NFKD", without_hidden(text))
    return unicodedata.normalize("NFC", decomposed.translate(_FOLDED))


def _look(text: str) -> str:
    return fold_letters(text).translate(_SEEN_AS)


@lru_cache(maxsize=16384)
def pairing_key(text: str) -> str:
    """Return a key that is equal whenever ``spelling_note`` may find a kind; never empty."""
    return fold_letters(text).casefold().translate(_PAIRED_AS) or text


def spelling_note(one: str, other: str) -> str:
    """Return how the spellings differ, a code of ``NOTES``, or ``""`` when the words differ."""
    for note, fold in _FOLDS:
        if fold(one) == fold(other):
            return note
    return ""


def _compatible(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _compatible_visible(text: str) -> str:
    return _compatible(without_hidden(text))


def _caseless(text: str) -> str:
    return _compatible(text).casefold()


def _caseless_look(text: str) -> str:
    return _look(text).casefold()


_FOLDS = (
    ("normalisation", _compatible),
    ("hidden_character", _compatible_visible),
    ("letter_form", fold_letters),
    ("case", _caseless),
    ("look_alike", _look),
    ("spelling", _caseless_look),
)
