"""What a taxonomy says of how a language is written, and what a card makes of it."""

from __future__ import annotations

import pytest

from reviewkit.bank.taxonomy import Writing
from reviewkit.cards import is_stub, spelling_note
from reviewkit.cards.contexts import split_sentences

GERMAN = Writing(
    abbreviations=("St.", "z. B."), ordinals="yes", not_written_yet=("Mundartfassung folgt",)
)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Der Zug fährt nach St. Pölten. Er hält in Amstetten.", 2),
        ("Am 3. April war es kalt. Am 14. Mai nicht.", 2),
        ("Manches, z. B. Obst, fehlt. Brot ist da.", 2),
        ("Manches, z.B. Obst, fehlt. Brot ist da.", 2),
        ("Manches, z.\u00a0B. Obst, fehlt. Brot ist da.", 2),
        ("Es war 1990. Dann kam der Winter.", 2),
        ("Er wohnt im Obst. Pölten liegt fern.", 2),
        ("Am Ende steht St.", 1),
        ("Erste Zeile\nAm 3. April war es kalt.", 2),
    ],
)
def test_stops_of_abbreviations_and_ordinals_end_no_sentence(text: str, sentences: int) -> None:
    """Only a stop of its own ends a sentence; a word that ends like an abbreviation is none."""
    found = split_sentences(text, GERMAN)
    assert len(found.texts) == sentences
    joined = "".join(part for pair in zip(found.texts, found.gaps, strict=True) for part in pair)
    assert found.lead + joined == text


def test_without_a_word_on_it_every_stop_may_end_a_sentence() -> None:
    """What the taxonomy does not say is not guessed from the language."""
    assert len(split_sentences("Er fährt nach St. Pölten.").texts) == 2
    assert len(split_sentences("Am 3. April war es kalt.").texts) == 2


def test_a_promise_is_a_stub_in_capitals_or_not_and_only_where_little_else_is_written() -> None:
    """The named words hold the place of a text; inside a long text they are words."""
    assert is_stub("MUNDARTFASSUNG folgt (Tirol)", writing=GERMAN)
    assert not is_stub("Mundartfassung folgt")
    long = "Die Mundartfassung folgt dem Standard Satz für Satz und lässt nichts davon weg."
    assert not is_stub(long, writing=GERMAN)


@pytest.mark.parametrize(
    ("one", "other", "note"),
    [
        ("Straße", "Strasse", "letter_form"),
        ("STRASSE", "STRAẞE", "letter_form"),
        ("Straße", "straße", "case"),
        ("fu\u0308r", "für", "normalisation"),
        ("Grüße", "Gruesse", ""),
        ("Masse", "Maße", "letter_form"),
    ],
)
def test_german_letters_are_told_apart(one: str, other: str, note: str) -> None:
    """Sharp s beside ss is another letter form, an umlaut beside its two letters another word."""
    assert spelling_note(one, other) == note == spelling_note(other, one)
