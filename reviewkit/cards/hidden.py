"""Characters that nobody sees, or that look like another: found and named.

Named are white space other than the plain one, format and control characters, tatweel, letters that
look blank, letters of another script that look at home in a word (Latin, Cyrillic, Greek), Farsi
forms in Arabic and the reverse, and presentation forms.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from reviewkit.cards.tokens import VISIBLE_FORMAT, is_word

SHORT_NAMES = {
    "\u00a0": "NBSP", "\u202f": "NNBSP", "\u2007": "FIGURE SPACE",
    "\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ", "\u2060": "WJ", "\ufeff": "BOM",
    "\u200e": "LRM", "\u200f": "RLM", "\u061c": "ALM",
    "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO",
    "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI",
    "\u00ad": "SHY", "\u034f": "CGJ", "\u0640": "TATWEEL", "\u180e": "MVS",
    "\u2028": "LINE SEPARATOR", "\u2029": "PARAGRAPH SEPARATOR",
    "\u000b": "VT", "\u000c": "FF", "\u000d": "CR", "\u0085": "NEL",
    "\u115f": "HANGUL FILLER", "\u1160": "HANGUL FILLER", "\u3164": "HANGUL FILLER",
    "\uffa0": "HANGUL FILLER", "\u2800": "BRAILLE BLANK", "\ufffd": "REPLACEMENT CHARACTER",
}  # fmt: skip
"""How a reviewer finds a hidden character named."""

CYRILLIC_AS_LATIN = dict(zip(
    "аеорсухіјѕԁһӏүԛԝАВЕКМНОРСТУХІЈЅҮԚԜ", "aeopcyxijsdhlyqwABEKMHOPCTYXIJSYQW", strict=True
))  # fmt: skip
GREEK_AS_LATIN = dict(zip(
    "οανικρτυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavikptuxyABEZHIKMNOPTYX", strict=True
))  # fmt: skip
AS_LATIN = {**CYRILLIC_AS_LATIN, **GREEK_AS_LATIN}
"""Letters that readers take for a Latin one, and which."""
_LOOK_ALIKES = frozenset(AS_LATIN) | frozenset(AS_LATIN.values())

FARSI_FORMS = {
    "ک": "FARSI KAF", "ی": "FARSI YEH", "ہ": "HEH GOAL", "ھ": "HEH DOACHASHMEE",
    **{chr(0x06F0 + n): f"PERSIAN DIGIT {n}" for n in range(10)},
}  # fmt: skip
ARABIC_FORMS = {
    "ك": "ARABIC KAF", "ي": "ARABIC YEH", "ى": "ALEF MAQSURA",
    **{chr(0x0660 + n): f"ARABIC-INDIC DIGIT {n}" for n in range(10)},
}  # fmt: skip
_FARSI_LANGUAGES = ("fa", "ur", "ps")


@lru_cache(maxsize=4096)
def hidden_name(char: str) -> str:
    """Return the short name of a character that nobody sees, or an empty string."""
    if char in SHORT_NAMES:
        return SHORT_NAMES[char]
    if char in " \t\n" or char in VISIBLE_FORMAT:
        return ""
    category = unicodedata.category(char)
    if 0xE0000 <= ord(char) <= 0xE007F:
        return "TAG"
    if category == "Zs":
        return unicodedata.name(char)
    if category[0] == "C" or char.isspace():
        return f"U+{ord(char):04X}"
    return ""


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    script = unicodedata.name(char, "").split(" ", 1)[0]
    return script if script in ("LATIN", "CYRILLIC", "GREEK") else ""


def _is_presentation_form(char: str) -> bool:
    return "\ufb50" <= char <= "\ufdcf" or ("\ufe70" <= char <= "\ufefc")


def _is_variation_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f"


@lru_cache(maxsize=4096)
def _may_be_named(char: str) -> bool:
    return (
        bool(hidden_name(char))
        or char in AS_LATIN
        or char in FARSI_FORMS
        or _is_presentation_form(char)
        or _is_variation_selector(char)
    )


def needs_naming(text: str, language: str = "") -> bool:
    """Return quickly whether anything in ``text`` could have a name; False is certain."""
    if text.isascii() and text.isprintable():
        return False
    characters = set(text)
    if language in _FARSI_LANGUAGES and not characters.isdisjoint(ARABIC_FORMS):
        return True
    return any(_may_be_named(char) for char in characters)


@lru_cache(maxsize=16384)
def names_in(token: str, language: str = "") -> tuple[str, ...]:
    """Return the names of everything hidden or misleading in one token, in order, each once.

    ``language`` decides which forms are at home: Farsi ones are named in Arabic, Arabic ones in
    Farsi, and in any other language the Farsi ones of a word that mixes both.
    """
    names: list[str] = []
    word = is_word(token)
    strangers = _strangers(token) if word else {}
    foreign = _foreign_forms(token, language)
    for char in token:
        name = hidden_name(char)
        if name == "ZWJ" and not word and len(token) > 1:
            name = ""  # it holds an emoji sequence together
        if not name:
            name = strangers.get(char) or foreign.get(char, "")
        if not name and _is_presentation_form(char) and char.isalpha():
            name = "PRESENTATION FORM"
        if not name and word and _is_variation_selector(char) and "\u20e3" not in token:
            name = f"VS{ord(char) - 0xFE00 + 1}"
        if name:
            names.append(name)
    return tuple(dict.fromkeys(names))


def _strangers(word: str) -> dict[str, str]:
    """Return the look-alike letters of a word that are not of the script of most of its letters."""
    scripts = [(char, _script(char)) for char in word]
    counts = Counter(script for _, script in scripts if script)
    if len(counts) < 2:
        return {}
    home = counts.most_common(1)[0][0]  # of equals, the one met first
    return {
        char: f"{script} {unicodedata.name(char).rsplit(' ', 1)[-1]} in {home.title()} word"
        for char, script in scripts
        if script and script != home and char in _LOOK_ALIKES
    }


def _foreign_forms(token: str, language: str) -> dict[str, str]:
    if language == "ar":
        return FARSI_FORMS
    if language in _FARSI_LANGUAGES:
        return ARABIC_FORMS
    characters = set(token)
    if characters.isdisjoint(FARSI_FORMS) or characters.isdisjoint(ARABIC_FORMS):
        return {}
    return FARSI_FORMS
