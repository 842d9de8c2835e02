"""How words are read, cut and taken apart."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.bank.folding import (
    LEFT_OUT,
    LETTERS,
    attached_table,
    before_pronoun,
    fold,
    folding_table,
    readings,
    words_of,
)

PAGE = Path(__file__).parents[2] / "docs" / "watchlists.md"

PIECES = [
    "تجفيف", "الأهوار", "مؤمن", "یکتب", "مرحبـا", "café", "cafe\u0301", "CAFE", "can't", "3.5", "٣",
    " ", "\u00a0", "\n", "\u200c", "\u200d", "\u200b", "\u200f", "\ufeff", "\u00ad", "ـ", "\u064e",
    "\u0654", "\u0301", "\u0323", "\ufe0f", ".", "،", "'", "\u2019", "(", "«", "-", "\u0600", "字",
    "\ufefb", "\ufdfa", "\ufe70", "\U0001f469\u200d\U0001f3eb", "\U0001f3fd", "\uff9e", "\ud800",
]  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))


def test_documentation_shows_the_tables_as_they_are() -> None:
    """docs/watchlists.md holds both tables, row for row."""
    page = PAGE.read_text(encoding="utf-8")
    assert f"\n\n{folding_table()}\n\n" in page
    assert f"\n\n{attached_table()}\n\n" in page


def test_every_row_does_what_it_says() -> None:
    """Each letter of the table is read as its row says, each range is left out."""
    for _, written, read in LETTERS:
        for letter in written:
            assert fold(letter) == read
    for _, ranges in LEFT_OUT:
        for low, high in ranges:
            for point in range(low, high + 1):
                assert fold(f"ب{chr(point)}ب") == "بب", hex(point)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("أحمد", "ا\u0654حمد"),
        ("الأهوار", "الاهوار"),
        ("إبادة", "ابَادَةٌ"),
        ("آبار", "ابار"),
        ("مؤمن", "مومن"),
        ("على", "علي"),
        ("علی", "علي"),
        ("کتاب", "كتاب"),
        ("ڪتاب", "كتاب"),
        ("تـجـفـيـف", "تجفيف"),
        ("تج\u200cفيف", "تجفيف"),
        ("\ufefb", "لا"),
        ("٣", "3"),
        ("BASRA", "basra"),
        ("caf\u00e9", "CAFE\u0301"),
        ("Straße", "STRASSE"),
        ("town\u2019s", "town's"),
    ],
)
def test_read_alike(one: str, other: str) -> None:
    """These are one word in two spellings."""
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("مدرسة", "مدرسه"),
        ("طالب", "طالبة"),
        ("سماء", "سما"),
        ("café", "cafe"),
        ("pаypal", "paypal"),
    ],
)
def test_read_apart(one: str, other: str) -> None:
    """Teh marbuta is no heh, and hamza alone, accents and look-alike letters stay."""
    assert fold(one) != fold(other)


@given(TEXTS)
def test_folding_knows_no_normal_form(text: str) -> None:
    """Composed or decomposed, a text is read as one, and reading twice changes nothing."""
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert fold(unicodedata.normalize(form, text)) == fold(text)
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
def test_words_stand_where_they_say(text: str) -> None:
    """Words come in order, never overlap, and none is cut from what its last letter carries."""
    behind = 0
    for word in words_of(text):
        assert behind <= word.start < word.end <= len(text)
        assert "".join(fold(text[word.start : word.end]).split()) == word.folded != ""
        carried = text[word.end : word.end + 1]
        assert not carried or unicodedata.category(carried)[0] != "M"
        assert carried not in ("\u200c", "\u200d")
        behind = word.end


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("«تجفيف الأهوار»،", ["«", "تجفيف", "الاهوار", "»", "،"]),
        ("و'تدمير'", ["و", "'", "تدمير", "'"]),
        ("'lantern' can't", ["'", "lantern", "'", "can't"]),
        ("3,500 (1991).", ["3,500", "(", "1991", ")", "."]),
        ("\u200fتدمير\u200f .", ["تدمير", "."]),
        ("قال ـ ثم", ["قال", "ثم"]),
        ("漢字", ["漢", "字"]),
    ],
)
def test_where_words_are_cut(text: str, words: list[str]) -> None:
    """A quote is no part of an Arabic word, an apostrophe is part of a Latin one."""
    assert [word.folded for word in words_of(text)] == words


@pytest.mark.parametrize(
    ("word", "stem", "before", "tail"),
    [
        ("وبالاهوار", "اهوار", "وبال", ""),
        ("للاهوار", "اهوار", "لل", ""),
        ("للاهوار", "الاهوار", "ل", ""),
        ("فكتدميرهم", "تدمير", "فك", "هم"),
        ("حصارا", "حصار", "", "ا"),
        ("ليل", "ليل", "", ""),
        ("lantern's", "lantern", "", "'s"),
    ],
)
def test_one_way_to_read_a_word(word: str, stem: str, before: str, tail: str) -> None:
    """What is attached can be taken off, and the word as it stands comes first."""
    found = readings(word)
    assert (found[0].stem, found[0].attached) == (word, 0)
    assert (stem, before, tail) in [(each.stem, each.before, each.tail) for each in found]


def test_article_and_pronoun_exclude_each_other() -> None:
    """No reading has the article and a pronoun or a tanween; yeh is never taken off."""
    assert not [each for each in readings("الكتابها") if each.before == "ال" and each.tail]
    assert "عراق" not in [each.stem for each in readings("عراقي")]


@pytest.mark.parametrize(
    ("word", "joined"),
    [
        ("إبادة", ("ابادت",)),
        ("مبنى", ("مبنا",)),
        ("نادي", ("نادي",)),
        ("إجلاءٌ", ("اجلاء", "اجلاو", "اجلاي")),
        ("lantern", ("lantern",)),
    ],
)
def test_last_letter_before_a_pronoun(word: str, joined: tuple[str, ...]) -> None:
    """Teh marbuta, alef maqsura and hamza are written otherwise before a pronoun."""
    assert before_pronoun(word) == joined
