"""Hidden and look-alike characters have names."""

from __future__ import annotations

import pytest

from reviewkit.cards.hidden import hidden_name, names_in, needs_naming


@pytest.mark.parametrize(
    ("char", "name"),
    [
        ("\u00a0", "NBSP"),
        ("\u200b", "ZWSP"),
        ("\u200c", "ZWNJ"),
        ("\u0640", "TATWEEL"),
        ("\u200f", "RLM"),
        ("\u200e", "LRM"),
        ("\u202b", "RLE"),
        ("\ufeff", "BOM"),
        ("\u00ad", "SHY"),
        ("\u2009", "THIN SPACE"),
        ("\x00", "U+0000"),
        ("\ud800", "U+D800"),
        ("\U000e0041", "TAG"),
    ],
)
def test_hidden_characters_have_short_names(char: str, name: str) -> None:
    """What nobody sees is named, known or not."""
    assert name == hidden_name(char)


@pytest.mark.parametrize("char", [" ", "\n", "\t", "a", "ب", "\u06dd", "،"])
def test_visible_characters_have_no_name(char: str) -> None:
    """Plain white space, letters and signs that are drawn are left alone."""
    assert not hidden_name(char)


@pytest.mark.parametrize(
    ("word", "language", "names"),
    [
        ("p\u0430ypal", "en", ("CYRILLIC A in Latin word",)),
        ("\u043c\u043e\u0441\u043a\u0432a", "ru", ("LATIN A in Cyrillic word",)),
        ("\u039fmar", "en", ("GREEK OMICRON in Latin word",)),
        ("москва", "ru", ()),
        ("العید", "ar", ("FARSI YEH",)),
        ("کتاب", "ar", ("FARSI KAF",)),
        (
            "۱۹۵۸",
            "ar",
            ("PERSIAN DIGIT 1", "PERSIAN DIGIT 9", "PERSIAN DIGIT 5", "PERSIAN DIGIT 8"),
        ),
        ("کتاب", "fa", ()),
        ("كتاب", "fa", ("ARABIC KAF",)),
        ("٣۴", "en", ("PERSIAN DIGIT 4",)),
        ("\ufefbزم", "ar", ("PRESENTATION FORM",)),
        ("👩‍🏫", "en", ()),
        ("1\ufe0f\u20e3", "en", ()),
        ("a\ufe0fb", "en", ("VS16",)),
    ],
)
def test_what_misleads_in_a_word_is_named(word: str, language: str, names: tuple[str, ...]) -> None:
    """A letter of another script, form or digit set is named where it is not at home."""
    assert names == names_in(word, language)
    assert needs_naming(word, language) or not names


def test_plain_text_needs_no_naming() -> None:
    """The quick look is enough for ordinary Arabic and English."""
    assert not needs_naming("كتب الطالب رسالة، then he left.", "ar")
