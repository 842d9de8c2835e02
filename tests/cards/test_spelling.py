"""One word in two spellings, and what is never folded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.cards.spelling import NOTES, pairing_key, spelling_note
from tests.cards.strategies import PIECES, quickly


@pytest.mark.parametrize(
    ("one", "other", "note"),
    [
        ("\u0623حمد", "\u0627\u0654حمد", "normalisation"),
        ("\ufefb", "لا", "normalisation"),
        ("insti\u00adtution", "institution", "hidden_character"),
        ("أحمد", "احمد", "letter_form"),
        ("مؤمن", "مومن", "letter_form"),
        ("على", "علي", "letter_form"),
        ("یکتب", "يكتب", "letter_form"),
        ("مرحبــا", "مرحبا", "letter_form"),
        ("أنتَ", "أنتِ", "letter_form"),
        ("٣", "۳", "letter_form"),
        ("Basra", "BASRA", "case"),
        ("p\u0430ypal", "paypal", "look_alike"),
        ("P\u0430ypal", "paypal", "spelling"),
        ("مدرسة", "مدرسه", ""),
        ("طالب", "طالبة", ""),
        ("café", "cafe", ""),
    ],
)
def test_kinds_of_spelling(one: str, other: str, note: str) -> None:
    """Each kind is named by the closest name; teh marbuta and heh are two letters."""
    assert note == spelling_note(one, other) == spelling_note(other, one)


@quickly
@given(st.sampled_from(PIECES), st.sampled_from(PIECES))
def test_whatever_is_named_is_paired(one: str, other: str) -> None:
    """The key that pairs words is at least as coarse as every kind of spelling."""
    note = spelling_note(one, other)
    assert not note or note in NOTES
    if note and pairing_key(one) != one:
        assert pairing_key(one) == pairing_key(other)
