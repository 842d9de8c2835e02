"""Where the declared value stands."""

from __future__ import annotations

import pytest

from reviewkit.cards.slots import find_slots
from reviewkit.cards.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "value", "residue"),
    [
        ("من البصرة", "البصرة", ("", "")),
        ("من البصرة.", "البصرة", ("", "")),
        ("والبصرة", "البصرة", ("و", "")),
        ("فبالبصرة", "البصرة", ("فب", "")),
        ("للبصرة", "البصرة", ("ل", "")),
        ("وللبصرة", "البصرة", ("ول", "")),
        ("لبغداد", "بغداد", ("ل", "")),
        ("لليبية", "الليبية", ("ل", "")),
        ("العراقي", "عراقي", ("ال", "")),
        ("للعراقي", "عراقي", ("لل", "")),
        ("الأمم المتحدة", "الأمم المتحدة", ("", "")),
        ("بالأمم المتحدة", "الأمم المتحدة", ("ب", "")),
        ("Basra's", "Basra", ("", "'s")),
        ("nurses", "nurse", ("", "s")),
        ("Doctors work", "doctors", ("", "")),
        ("DOCTORS work", "doctors", ("", "", "case")),
        ("ال\u200cبصرة", "البصرة", ("", "", "letter_form")),
        ("و\u200cالبصرة", "البصرة", ("و\u200c", "")),
        ("لِلبصرة", "البصرة", ("لِ", "")),
        ("البَصرة", "البصرة", ("", "", "letter_form")),
        ("Al\u00a0Basra", "Al Basra", ("", "", "white_space")),
        ("cafe\u0301", "caf\u00e9", ("", "", "normalisation")),
        ("cafe\u0301", "cafe\u0301", ("", "")),
        ("سافر طالبًا", "طالب", ("", "ًا")),
    ],
)
def test_a_value_is_found_with_what_its_word_carries(
    text: str, value: str, residue: tuple[str, ...]
) -> None:
    """Clitics, endings and another spelling are kept as residue, and the whole word is the slot."""
    (slot,) = find_slots(tokenise(text), value)
    assert residue == slot.residue


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("woman", "man"),
        ("البصره", "البصرة"),
        ("طالبة", "طالب"),
        ("Al-Basra", "Al Basra"),
        ("anything", ""),
        ("anything", None),
        ("anything", " \u00a0"),
        ("", "البصرة"),
    ],
)
def test_part_of_another_word_is_not_the_value(text: str, value: str | None) -> None:
    """A longer word, another gender and an empty value are no occurrence."""
    assert find_slots(tokenise(text), value) == ()


def test_every_occurrence_is_found_in_order() -> None:
    """Several occurrences do not overlap."""
    slots = find_slots(tokenise("a a a b a a"), "a a")
    assert [(slot.start, slot.end) for slot in slots] == [(0, 2), (4, 6)]
