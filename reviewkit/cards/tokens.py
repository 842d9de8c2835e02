"""A text cut into words, marks of punctuation and the white space between them.

The text is first spelled in one-letter classes and a single pattern cuts that spelling: fast, and
the rules stand in one place. Joined, the tokens are the text, character for character.

* An Arabic word with its clitics, diacritics and tatweel is one token, a number with its separators
  (``3,500``, ``٣٫٥``) too; combining marks stay with the character before them.
* Characters nobody sees (ZWNJ, soft hyphen, direction marks) never cut a word they stand inside:
  cutting it would break joined letters apart. Elsewhere each is a token of its own.
* Ideographs and kana are one token each, an emoji sequence or a flag is one token.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_WORD, _DIGIT, _MARK, _JOINER, _ZWJ, _APOSTROPHE, _SEPARATOR = "wdmjzan"
_IDEOGRAPH, _FLAG, _SPACE, _OTHER = "crsp"

_TOKEN = re.compile(
    r"""
    [wd] (?: [wdm] | [jz]+(?=[wdm]) | a(?=[wd]) | (?<=d)n(?=d) )*   # a word or a number
    | p m* (?: z p m* )*                                            # a sign, an emoji sequence
    | r r? m*                                                       # a flag
    | s+ (?! m )                                                    # white space
    | . m*                                                          # anything else, alone
    """,
    re.VERBOSE,
)

_NAMED = {
    "\u200d": _ZWJ,
    "'": _APOSTROPHE, "\u2019": _APOSTROPHE,
    ".": _SEPARATOR, ",": _SEPARATOR, "\u066b": _SEPARATOR, "\u066c": _SEPARATOR,
}  # fmt: skip

_RANGES = (
    (0x3041, 0x3096, _IDEOGRAPH), (0x309B, 0x30FF, _IDEOGRAPH), (0x3400, 0x4DBF, _IDEOGRAPH),
    (0x4E00, 0x9FFF, _IDEOGRAPH), (0xF900, 0xFAFF, _IDEOGRAPH), (0x20000, 0x3FFFF, _IDEOGRAPH),
    (0x1F1E6, 0x1F1FF, _FLAG),
    (0x1F3FB, 0x1F3FF, _MARK),  # skin tones modify the sign before
)  # fmt: skip
_BY_CATEGORY = {"M": _MARK, "Nd": _DIGIT, "L": _WORD, "N": _WORD}

VISIBLE_FORMAT = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Signs that Unicode files under format characters although they are drawn."""


def _class_of(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if char.isspace():
        return _SPACE
    point = ord(char)
    for low, high, kind in _RANGES:
        if low <= point <= high:
            return kind
    category = unicodedata.category(char)
    if category == "Cf" and char not in VISIBLE_FORMAT:
        return _JOINER
    return _BY_CATEGORY.get(category) or _BY_CATEGORY.get(category[0], _OTHER)


class _Classes(dict[int, str]):
    """Code point to class, filled as characters are met."""

    def __missing__(self, point: int) -> str:
        self[point] = _class_of(chr(point))
        return self[point]


_CLASSES = _Classes()


def split_tokens(text: str) -> list[str]:
    """Return the tokens of ``text``; joined they are ``text``."""
    classes = text.translate(_CLASSES)
    return [text[found.start() : found.end()] for found in _TOKEN.finditer(classes)]


def is_space(token: str) -> bool:
    """Return whether a token is white space (no-break spaces count)."""
    return token.isspace()


def is_word(token: str) -> bool:
    """Return whether a token has a letter or a digit, so is more than a sign."""
    return _CLASSES[ord(token[0])] in (_WORD, _DIGIT, _IDEOGRAPH) if token else False


def has_word(text: str) -> bool:
    """Return whether a text has a word; a letter or a digit never stands inside another token."""
    return is_word(text[:1]) or any(is_word(char) for char in text)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a text (punctuation counts as words) and the white space around them."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]
    """One more than words: ``gaps[i]`` stands before word ``i``, the last one ends the text."""


def tokenise(text: str) -> Tokens:
    """Return the words of ``text`` and the gaps between them."""
    words: list[str] = []
    gaps: list[str] = [""]
    for token in split_tokens(text):
        if is_space(token):
            gaps[-1] += token
        else:
            words.append(token)
            gaps.append("")
    return Tokens(tuple(words), tuple(gaps))
