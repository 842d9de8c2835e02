"""More than two twins: the deviation lies on the twin that has it."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from reviewkit.cards import compare_twins, count_differences, fill_template, joined, seek
from reviewkit.cards.twins import repeated, repeated_once_normalised
from tests.cards.strategies import quickly, texts, values

BASE = "اكتب رسالة إلى صديق من {value} تشكره فيها."
CITIES = ("البصرة", "بغداد", "الكوت")


def differences(pairs: list[tuple[str, str]], base: str | None = None) -> list[int]:
    """Return how many differences each twin shows."""
    marked = compare_twins([seek(text, value) for text, value in pairs], base, "ar")
    return [count_differences(each.segments) for each in marked]


def test_a_template_puts_the_difference_on_the_twin_that_deviates() -> None:
    """Of two twins only the one that left the template is marked."""
    good = (BASE.format(value="البصرة"), "البصرة")
    bad = (BASE.format(value="بغداد").replace("إلى", "الى"), "بغداد")
    assert differences([good, bad], BASE) == [0, 1]
    assert differences([good, bad]) == [1, 1]


def test_without_a_template_the_odd_one_out_is_marked_in_any_order() -> None:
    """Where most texts share a wording, the one that does not is marked."""
    made = [(BASE.format(value=city), city) for city in CITIES]
    made[1] = (made[1][0].replace("تشكره", "تمدحه"), made[1][1])
    for order in permutations(range(3)):
        shown = differences([made[n] for n in order])
        assert [1 if n == 1 else 0 for n in order] == shown


def test_where_no_wording_prevails_every_text_is_marked() -> None:
    """Two against two: all four show the difference."""
    made = [(f"go to {city} now", city) for city in ("Kut", "Hit")]
    made += [(f"go to {city} later", city) for city in ("Ana", "Ali")]
    assert differences(made) == [1, 1, 1, 1]


def test_a_clitic_of_the_template_is_part_of_the_template() -> None:
    """``ل{value}`` expects the contracted article and nothing else."""
    base = "سافر ل{value} غدا"
    assert differences(
        [
            ("سافر للبصرة غدا", "البصرة"),
            ("سافر لبغداد غدا", "بغداد"),
            ("سافر إلى الكوت غدا", "الكوت"),
        ],
        base,
    ) == [0, 0, 1]


def test_only_filled_places_of_a_template_are_slots() -> None:
    """The value standing in the wording of the template itself is no slot."""
    filled = fill_template("from {value} to Basra, {value}", "Basra")
    assert [slot.start for slot in filled.slots] == [1, 5]


@quickly
@given(st.lists(st.tuples(texts, values), max_size=4), st.one_of(st.none(), texts))
def test_any_twins_are_marked_without_loss(
    pairs: list[tuple[str, str | None]], base: str | None
) -> None:
    """Whatever is compared with whatever, each text comes back exactly."""
    template = None if base is None else base + "{value}"
    marked = compare_twins([seek(*pair) for pair in pairs], template)
    assert [text for text, _ in pairs] == [joined(each.segments) for each in marked]


def test_repeated_texts_are_told_from_nearly_repeated_ones() -> None:
    """Letter for letter equal is one thing, equal after normalisation another."""
    shown = ["caf\u00e9", "caf\u00e9", "tea", "te\u200ba", "milk"]
    assert {0, 1} == repeated(shown)
    assert {2, 3} == repeated_once_normalised(shown)
