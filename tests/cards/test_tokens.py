"""Tokens: what stays together, and that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given

from reviewkit.cards.tokens import has_word, is_word, split_tokens, tokenise
from tests.cards.strategies import quickly, texts


@quickly
@given(texts)
def test_tokens_join_to_the_text(text: str) -> None:
    """Cutting loses and changes nothing."""
    assert text == "".join(split_tokens(text))


@quickly
@given(texts)
def test_words_and_gaps_interleave_to_the_text(text: str) -> None:
    """There is one gap more than words, and both together are the text."""
    tokens = tokenise(text)
    assert len(tokens.words) + 1 == len(tokens.gaps)
    pairs = zip(tokens.gaps, (*tokens.words, ""), strict=True)
    assert text == "".join(gap + word for gap, word in pairs)


@pytest.mark.parametrize(
    "word",
    [
        "وللمدرسة",
        "مُدَرِّسَة",
        "مرحبــا",
        "می\u200cروم",
        "can't",
        "Ali’s",
        "cafe\u0301",
        "insti\u00adtution",
        "3.5",
        "٣٬٥٠٠",
        "👩‍🏫",
        "👋🏽",
        "🇮🇶",
        "字",
    ],
)
def test_one_word_is_one_token(word: str) -> None:
    """Clitics, diacritics, tatweel, joiners and emoji sequences do not cut a word."""
    assert [word] == split_tokens(word)


def test_signs_and_hidden_characters_outside_words_are_tokens_of_their_own() -> None:
    """A sign or a direction mark between words does not hang on either of them."""
    assert split_tokens("نعم، \u200f(T1-04).") == [
        "نعم",
        "،",
        " ",
        "\u200f",
        "(",
        "T1",
        "-",
        "04",
        ")",
        ".",
    ]


def test_ideographs_are_cut_one_by_one() -> None:
    """A sentence without spaces is not one single word."""
    assert split_tokens("東京へ") == ["東", "京", "へ"]


def test_a_mark_stays_with_the_space_before_it() -> None:
    """A combining mark is never the first character of a token of its own after a space."""
    assert split_tokens("a  \u0301b") == ["a", " ", " \u0301", "b"]


def test_signs_are_not_words() -> None:
    """Letters, digits and ideographs make a word; signs and nothing do not."""
    assert [is_word(t) for t in ("a", "٣", "字", "،", "")] == [True, True, True, False, False]


@quickly
@given(texts)
def test_a_text_has_a_word_when_one_of_its_tokens_is_one(text: str) -> None:
    """The quick look at single characters agrees with the tokens."""
    assert has_word(text) == any(is_word(word) for word in tokenise(text).words)
