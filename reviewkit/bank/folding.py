"""How a word is read when its spelling must not matter: one table, as data.

``docs/watchlists.md`` shows the same table, and a test compares the two. Only copies are folded:
every ``Word`` keeps the place where it stands, and the text itself is never changed. Teh marbuta
and heh are two letters here: that letter can be the gender of a word, the very thing under test.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

LETTERS: tuple[tuple[str, str, str], ...] = (
    ("alef with hamza, madda or wasla", "\u0623\u0625\u0622\u0671\u0672\u0673", "\u0627"),
    ("hamza on waw", "\u0624", "\u0648"),
    ("hamza on yeh", "\u0626", "\u064a"),
    ("alef maqsura, Farsi yeh", "\u0649\u06cc", "\u064a"),
    ("Farsi kaf, swash kaf", "\u06a9\u06aa", "\u0643"),
    ("forms of heh", "\u06c1\u06be", "\u0647"),
    ("teh marbuta goal", "\u06c3", "\u0629"),
    ("tatweel", "\u0640", ""),
    ("apostrophe", "\u2019", "'"),
    ("hyphen", "\u2010\u2011", "-"),
)
"""What it is, the letters as written, the letter they are read as."""

LEFT_OUT: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (
    (
        "Arabic diacritics, hamza as a mark, Quranic signs",
        (
            (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06DC),
            (0x06DF, 0x06E4), (0x06E7, 0x06E8), (0x06EA, 0x06ED), (0x0898, 0x089F),
            (0x08CA, 0x08E1), (0x08E3, 0x08FF),
        ),
    ),
    ("variation selectors, grapheme joiner", (
        (0x034F, 0x034F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF),
    )),
)  # fmt: skip
"""What it is, and the first and last code points of what is left out."""

RULES: tuple[tuple[str, str, str], ...] = (
    ("composed and decomposed letters, presentation forms, ligatures", "é, ﻻ, ﬁ", "é, لا, fi"),
    ("capital and small letters", "Basra, BASRA", "basra"),
    ("digits of every script", "٣, ۳", "3"),
    ("characters nobody sees (zero-width, direction marks, soft hyphen)", "U+200C, U+200F, U+00AD",
     "nothing"),
    ("white space of any kind and length (no-break spaces, line ends)", "U+00A0, U+202F",
     "one gap"),
)  # fmt: skip
"""What Unicode itself knows: what it is, an example as written, as it is read."""

CONJUNCTIONS = ("و", "ف")
PREPOSITIONS = ("ب", "ك", "ل")
ARTICLE = "ال"
LI_AND_ARTICLE = "لل"
"""``ل`` and the article: its alef is not written."""
PRONOUNS = ("ه", "ها", "هما", "هم", "هن", "ك", "كما", "كم", "كن", "نا")
"""Without the first person singular: its yeh is also the ending of an adjective (``عراقي``)."""
POSSESSIVE = "'s"
TANWEEN = "ا"
"""The alef that carries an accusative tanween (``حصارا``)."""
BEFORE_PRONOUN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ة", ("ت",)),
    ("ى", ("ا",)),
    ("ء", ("ء", "و", "ي")),
)
"""A last letter as it is written alone, and as it is read before a pronoun."""

_READ_AS = {letter: read for _, written, read in LETTERS for letter in written}
_RANGES_LEFT_OUT = tuple(each for _, ranges in LEFT_OUT for each in ranges)
_DRAWN_FORMAT = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Signs that Unicode files under format characters although they are drawn."""


def _is_left_out(point: int) -> bool:
    return any(low <= point <= high for low, high in _RANGES_LEFT_OUT)


class _Folded(dict[int, str]):
    """Code point to what it is read as, filled as characters are met."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        if char in _READ_AS:
            read = _READ_AS[char]
        elif char.isdecimal():
            read = str(unicodedata.decimal(char))
        elif _is_left_out(point) or _is_hidden(char):
            read = ""
        else:
            read = char
        self[point] = read
        return read


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) == "Cf" and char not in _DRAWN_FORMAT


_FOLDED = _Folded()


def fold(text: str) -> str:
    """Return ``text`` as it is read; two spellings of one word give one result."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", plain.translate(_FOLDED))


# Words ------------------------------------------------------------------------------------------

_ARABIC, _LETTER, _DIGIT, _MARK, _JOINER, _HIDDEN = "Awdmzj"
_PREPENDED, _APOSTROPHE, _SEPARATOR, _IDEOGRAPH, _SPACE, _OTHER = "pancso"

# A piece never ends inside a character as a reader sees it: marks and joiners stay with their base.
_PIECE = re.compile(
    r"""
    p* [Awd] (?:
        [Awdmz]
      | p+ (?=[Awd])
      | j+ (?=[Awdm])                                # hidden inside a word: it cuts nothing
      | (?: (?<=[wd]) | (?<=[wd]m) ) a (?=[wd])      # can't; in Arabic it is a quote
      | (?<=d) n (?=d)                               # 3,500
    )*
  | p* [^sp] [mz]*                                   # an ideograph or a sign, alone
  | p+ [mz]*
  | s [mz]*
    """,
    re.VERBOSE,
)

_NAMED = {
    "\u200c": _JOINER, "\u200d": _JOINER,
    "\uff9e": _MARK, "\uff9f": _MARK, "\u0e33": _MARK, "\u0eb3": _MARK,
    "'": _APOSTROPHE, "\u2019": _APOSTROPHE,
    ".": _SEPARATOR, ",": _SEPARATOR, "\u066b": _SEPARATOR, "\u066c": _SEPARATOR,
}  # fmt: skip
_BLOCKS = (
    (0x0620, 0x064A, _ARABIC), (0x066E, 0x066F, _ARABIC), (0x0671, 0x06D3, _ARABIC),
    (0x0750, 0x077F, _ARABIC), (0xFB50, 0xFBB1, _ARABIC), (0xFBD3, 0xFD3D, _ARABIC),
    (0xFD50, 0xFDC7, _ARABIC), (0xFDF0, 0xFDFB, _ARABIC), (0xFE70, 0xFEFC, _ARABIC),
    (0x3041, 0x3096, _IDEOGRAPH), (0x309B, 0x30FF, _IDEOGRAPH), (0x3400, 0x4DBF, _IDEOGRAPH),
    (0x4E00, 0x9FFF, _IDEOGRAPH), (0xF900, 0xFAFF, _IDEOGRAPH), (0x20000, 0x3FFFF, _IDEOGRAPH),
    (0x1F3FB, 0x1F3FF, _MARK), (0xE0020, 0xE007F, _MARK),
)  # fmt: skip
_BY_CATEGORY = {"M": _MARK, "Nd": _DIGIT, "L": _LETTER, "N": _LETTER}


class _Classes(dict[int, str]):
    """Code point to class, filled as characters are met."""

    def __missing__(self, point: int) -> str:
        self[point] = _class_of(chr(point))
        return self[point]


def _class_of(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if char in _DRAWN_FORMAT:
        return _PREPENDED
    if char.isspace():
        return _SPACE
    category = unicodedata.category(char)
    for low, high, kind in _BLOCKS:
        if low <= ord(char) <= high and category[0] != "M":
            return kind
    if category == "Cf":
        return _HIDDEN
    return _BY_CATEGORY.get(category) or _BY_CATEGORY.get(category[0], _OTHER)


_CLASSES = _Classes()


class Word(NamedTuple):
    """A word or a sign, how it is read, and where it stands."""

    start: int
    end: int
    folded: str
    spaced: bool
    """Whether white space stands before it."""


@lru_cache(maxsize=16384)
def _fold_piece(piece: str) -> str:
    folded = fold(piece)
    # A few ligatures are read with spaces; inside a word those part nothing.
    return " " if folded.isspace() else "".join(folded.split())


def words_of(text: str) -> Iterator[Word]:
    """Yield the words and signs of ``text`` in order; offsets count code points as stored."""
    spaced = False
    for found in _PIECE.finditer(text.translate(_CLASSES)):
        start, end = found.span()
        folded = _fold_piece(text[start:end])
        if folded in ("", " "):
            spaced = spaced or folded == " "
            continue
        yield Word(start, end, folded, spaced)
        spaced = False


def has_letters(folded: str) -> bool:
    """Return whether a folded word has a letter or a digit, so is more than a sign."""
    return any(char.isalnum() for char in folded)


# Clitics ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a folded word: a stem with what is attached to it."""

    stem: str
    before: str = ""
    """The proclitics, as written."""
    tail: str = ""
    """A pronoun, the possessive ``'s``, or the alef of a tanween."""

    @property
    def has_pronoun(self) -> bool:
        """Whether the tail stands for a person or thing, so may stand once in a term."""
        return self.tail not in ("", TANWEEN)

    @property
    def attached(self) -> int:
        """How many letters are not of the stem."""
        return len(self.before) + len(self.tail)


_PROCLITICS = tuple(
    (conjunction + preposition, conjunction + _with_article)
    for conjunction in ("", *CONJUNCTIONS)
    for preposition, _with_article in (
        ("", ARTICLE),
        *((each, LI_AND_ARTICLE if each == "ل" else each + ARTICLE) for each in PREPOSITIONS),
    )
)
"""Every combination, without and with the article."""


@lru_cache(maxsize=16384)
def readings(folded: str) -> tuple[Reading, ...]:
    """Return every way to read a folded word; the first is the word as it stands."""
    found: list[Reading] = []
    for bare, with_article in _PROCLITICS:
        if not folded.startswith(bare):
            continue
        found += _tails(folded[len(bare) :], bare, may_have_pronoun=True)
        if folded.startswith(with_article):
            rest = folded[len(with_article) :]
            found += _tails(rest, with_article, may_have_pronoun=False)
            if with_article.endswith(LI_AND_ARTICLE):
                # The article may be the term's own: للأهوار is ل and الأهوار.
                found.append(Reading(ARTICLE + rest, bare))
    return tuple(found)


def _tails(rest: str, before: str, *, may_have_pronoun: bool) -> Iterator[Reading]:
    if not rest:
        return
    yield Reading(rest, before)
    # After the article Arabic has neither pronoun nor tanween.
    ends = (*PRONOUNS, TANWEEN, POSSESSIVE) if may_have_pronoun else (POSSESSIVE,)
    for end in ends:
        if rest.endswith(end) and len(rest) > len(end):
            yield Reading(rest[: -len(end)], before, end)


def before_pronoun(word: str) -> tuple[str, ...]:
    """Return how a word, as written, is read before a pronoun: ``إبادة`` as ``ابادت``."""
    folded = fold(word)
    letters = [char for char in unicodedata.normalize("NFKD", word) if _FOLDED[ord(char)]]
    for last, joined in BEFORE_PRONOUN:
        if letters and letters[-1] == last:
            return tuple(folded[:-1] + each for each in joined)
    return (folded,)


# The table, for people --------------------------------------------------------------------------


def folding_table() -> str:
    """Return the whole table as Markdown, as the documentation shows it."""
    lines = ["| what | written | read as |", "| --- | --- | --- |"]
    for what, written, read in LETTERS:
        shown = ", ".join(f"{char} (U+{ord(char):04X})" for char in written)
        lines.append(f"| {what} | {shown} | {read or 'nothing'} |")
    for what, ranges in LEFT_OUT:
        shown = ", ".join(
            f"U+{low:04X}" if low == high else f"U+{low:04X} to U+{high:04X}"
            for low, high in ranges
        )
        lines.append(f"| {what} | {shown} | nothing |")
    lines += [f"| {what} | {written} | {read} |" for what, written, read in RULES]
    return "\n".join(lines)


def attached_table() -> str:
    """Return what may be attached to a word as Markdown, as the documentation shows it."""
    changes = "; ".join(f"{last} as {' or '.join(joined)}" for last, joined in BEFORE_PRONOUN)
    rows = (
        ("what", "letters", "where"),
        ("---", "---", "---"),
        ("conjunctions", ", ".join(CONJUNCTIONS), "before the first word"),
        ("prepositions", ", ".join(PREPOSITIONS), "before the first word, after a conjunction"),
        ("the article", f"{ARTICLE}; with ل it is {LI_AND_ARTICLE}", "before any word"),
        (
            "pronouns",
            ", ".join(PRONOUNS),
            "after the last word; after the first one when all others have the article",
        ),
        ("a last letter before a pronoun", changes, "where the pronoun is"),
        ("the alef of a tanween", TANWEEN, "after any word without the article"),
        ("the English possessive", POSSESSIVE, "after the last word"),
    )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
