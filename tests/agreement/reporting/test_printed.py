"""Numbers as people print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.measures.estimates import Interval
from reviewkit.agreement.reporting.printed import (
    ci,
    counted,
    in_words,
    interval_cell,
    level,
    listed,
    percent,
    percent_of,
    plural,
    value_cell,
)


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [
        (272, 282, "96.5 %"),
        (39, 80, "48.8 %"),  # an exact tie, 48.75
        (5, 80, "6.3 %"),  # another, 6.25
        (19, 25, "76.0 %"),
        (0, 7, "0.0 %"),
        (0, 0, "undefined"),
    ],
)
def test_a_share_is_rounded_from_its_counts(part: int, whole: int, said: str) -> None:
    """Ties go away from zero, and a share of nothing is undefined."""
    assert percent_of(part, whole) == said


@given(st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_is_within_half_a_unit(counts: tuple[int, int]) -> None:
    """No printed share is further from its counts than rounding allows."""
    part, whole = counts
    printed = percent_of(part, whole).removesuffix(" %").replace(".", "")
    assert abs(int(printed) * whole - 1000 * part) * 2 <= whole


def test_shares_and_coefficients_are_told_apart() -> None:
    """Observed agreement is in per cent, coefficients have three decimals, neither is -0."""
    assert value_cell("observed", 0.9645) == "96.5 %"
    assert value_cell("kappa", 0.9224) == "0.922"
    assert value_cell("kappa", -0.0001) == "0.000"
    assert percent(-0.0001) == "0.0"
    assert value_cell("alpha", None) == "undefined"


def test_intervals_in_sentences_and_in_cells() -> None:
    """The level is said once, per cent signs stand at the end, and none is a word."""
    interval = Interval(0.9365, 0.98099, 0.95, "wilson", "units")
    assert ci("observed", interval) == "95 % CI 93.7 to 98.1 %"
    assert ci("kappa", interval) == "95 % CI 0.94 to 0.98"
    assert interval_cell("observed", interval) == "93.7 to 98.1"
    assert interval_cell("kappa", interval) == "0.937 to 0.981"
    assert interval_cell("kappa", None) == "none"
    assert [level(each) for each in (0.9, 0.95, 0.999)] == ["90 %", "95 %", "99.9 %"]


def test_words_up_to_twelve() -> None:
    """Small numbers are words, large ones figures with their thousands apart."""
    assert [in_words(n) for n in (0, 2, 12, 13, 1240)] == ["no", "two", "twelve", "13", "1,240"]
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert (listed(["a"]), listed([])) == ("a", "")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("card", "cards"), ("check decision", "check decisions"), ("category", "categories"),
        ("essay", "essays"), ("class", "classes"), ("match", "matches"), ("بطاقة", "بطاقة"),
    ],
)  # fmt: skip
def test_plurals(word: str, said: str) -> None:
    """English nouns take their ending; a word in another script is left alone."""
    assert plural(word) == said
    assert counted(1, word) == f"1 {word}"
