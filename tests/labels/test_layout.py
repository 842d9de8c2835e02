"""How counts and coefficients are printed."""

from __future__ import annotations

import pytest

from reviewkit.agreement.reporting.blocks import (
    Grid,
    Heading,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    share,
    three_decimals,
)


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [
        (60, 79, "60/79 (75.9 %)"),
        (1, 2000, "1/2000 (0.1 %)"),
        (3, 3, "3/3 (100.0 %)"),
        (0, 0, "0/0"),
    ],
)
def test_a_share_is_rounded_as_people_do(part: int, whole: int, said: str) -> None:
    """One decimal, ties away from zero; nothing of nothing has no share."""
    assert share(part, whole) == said


def test_a_coefficient_has_three_decimals_and_no_negative_zero() -> None:
    """Ties go away from zero, as in print."""
    assert [three_decimals(value) for value in (0.4085, -0.0001, 1.0)] == [
        "0.409",
        "0.000",
        "1.000",
    ]


def test_blocks_are_the_same_words_in_text_and_markdown() -> None:
    """Markup in a name is escaped, and a paragraph does not turn into a list."""
    blocks = [
        Heading("One", 1),
        Sentence("- a *b* c"),
        Points(("1 < 2",)),
        Grid(("x", "n"), (("a|b", "1"),)),
    ]
    assert blocks_as_text(blocks) == "One\n===\n\n- a *b* c\n\n- 1 < 2\n\nx    n\na|b  1\n"
    assert blocks_as_markdown(blocks) == (
        "# One\n\n\\- a \\*b\\* c\n\n- 1 \\< 2\n\n| x | n |\n| :--- | ---: |\n| a\\|b | 1 |\n"
    )
