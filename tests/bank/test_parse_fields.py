"""Fields are found in a model's answer, and how they were found is on record."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reviewkit.bank import parse_fields

FIELDS = ("selection", "rationale")
ARABIC = {"selection": ("Selection", "الاختيار"), "rationale": ("Rationale", "التعليل")}


def found(text: str, labels: dict[str, tuple[str, ...]] | None = None) -> dict[str, str]:
    """Return field -> ``how value``."""
    return {
        each.name: f"{each.how} {each.value}".rstrip()
        for each in parse_fields(text, FIELDS, labels)
    }


BOTH = {"selection": "tolerant A", "rationale": "tolerant Because."}


@pytest.mark.parametrize(
    "text",
    [
        "Selection: A\nRationale: Because.",
        "Selection:A\r\nRationale:   Because.  \r\n",
        "Selection:\nA\n\nRationale:\nBecause.\n",
        "Let me think.\nSelection: A\nRationale: Because.",
    ],
)
def test_literal_fields_conform(text: str) -> None:
    """The label once, at the beginning of a line, in order, and a value behind it."""
    assert found(text) == {"selection": "conforming A", "rationale": "conforming Because."}


@pytest.mark.parametrize(
    "text",
    [
        "**Selection:** A\n**Rationale:** Because.",
        "**Selection**: A\n\n**Rationale**: Because.",
        "**Selection: A**\n**Rationale: Because.**",
        "**Selection:** **A**\n\n- **Rationale:** Because.",
        "selection: A\nRATIONALE: Because.",
        "Selection - A\nRationale — Because.",
        "Selection：A\nRationale：Because.",
        "Selection = A\nRationale = Because.",
        "1. Selection: A\n2. Rationale: Because.",
        "> Selection: A\n> Rationale: Because.",
        "## Selection\nA\n\n## Rationale\nBecause.",
        "**Selection**\nA\n\n**Rationale**\nBecause.",
        "Rationale: Because.\nSelection: A",
        "Selection: A Rationale: Because.",
        "Selection: A. **Rationale:** Because.".replace("A.", "A"),
        "```\nSelection: A\nRationale: Because.\n```",
        "Here you are:\n```text\nSelection: A\nRationale: Because.\n```\nAnything else?",
        "\u200fSelection: A\n\u200fRationale: Because.",
        '{"Selection": "A", "Rationale": "Because."}',
        '```json\n{\n  "selection": "A",\n  "rationale": "Because."\n}\n```',
        'Sure: {"rationale": "Because.", "selection": "A"} as you asked.',
        "Selection: A\nSelection: A\nRationale: Because.",
    ],
)
def test_other_ways_to_write_them_are_tolerated(text: str) -> None:
    """Marks, case, separators, order, one line, fences and JSON; what is found is recorded."""
    assert found(text) == BOTH


@pytest.mark.parametrize(
    ("text", "selection", "rationale"),
    [
        ("", "failed", "failed"),
        ("I cannot help with that.", "failed", "failed"),
        ("Selection: A", "conforming A", "failed"),
        ("Selection:\nRationale: Because.", "failed", "conforming Because."),
        ("Selection: A\nRationale:", "conforming A", "failed"),
        ("Selection: A\nSelection: B\nRationale: Because.", "failed", "tolerant Because."),
        ('{"selection": null, "rationale": "Because."}', "failed", "tolerant Because."),
        ('{"selection": 5, "rationale": ["x", 1]}', "tolerant 5", 'tolerant ["x","1"]'),
        ('{"selection": "A", "rationale": "cut o', "failed", "failed"),
        ("My Selection-based view: none.", "failed", "failed"),
        ("Selection of a person: hard.\nRationale of it: none.", "failed", "failed"),
        ("```python\nprint(1)\n```\nSelection: A", "conforming A", "failed"),
    ],
)
def test_nothing_is_guessed(text: str, selection: str, rationale: str) -> None:
    """What is missing, empty or there with two values has failed and holds no value."""
    assert found(text) == {"selection": selection, "rationale": rationale}


def test_a_word_in_the_prose_is_no_second_field() -> None:
    """A label inside a line counts only where no line begins with it."""
    text = "Selection: A\nRationale: The Selection: A follows. selection - fine."
    assert found(text) == {
        "selection": "conforming A",
        "rationale": "conforming The Selection: A follows. selection - fine.",
    }


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("الاختيار: أ\nالتعليل: لأن.", "conforming"),
        ("الإختيار : أ\nالتعلیل: لأن.".replace("ی", "ي"), "tolerant"),
        ("**الاخْتِيار:** أ\n**التعليـل**: لأن.", "tolerant"),
        ("الاختيار： أ\nالتعليل： لأن.", "tolerant"),
    ],
)
def test_arabic_labels_come_from_the_mapping(text: str, how: str) -> None:
    """Alef forms, vowel signs and tatweel do not hide a label."""
    assert found(text, ARABIC) == {"selection": f"{how} أ", "rationale": f"{how} لأن."}
    assert found(text) == {"selection": "failed", "rationale": "failed"}


def test_the_raw_piece_is_kept() -> None:
    """A coder can see what a value was read from."""
    one, two = parse_fields("**Selection:** A\n\nRationale: Because. \n", FIELDS)
    assert (one.raw, two.raw) == ("**Selection:** A", "Rationale: Because.")


_PIECES = st.sampled_from(
    ["Selection", "Rationale", "selection", ":", "**", "\n", " ", "-", "```", "{", "}", '"', "A",
     "\r\n", "#", "：", '{"selection": "A"}', "\u200f"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join) | st.text(max_size=60))
def test_any_answer_is_parsed(text: str) -> None:
    """Nothing raises; a value is there exactly when the field has not failed."""
    for each in parse_fields(text, FIELDS):
        assert (each.how == "failed") == (not each.value)
        assert each.raw in text
        if not each.raw.startswith("{"):
            assert each.value in each.raw


_LINES = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1).filter(
    lambda line: line.strip() and ":" not in line
)


@given(_LINES, st.lists(_LINES, min_size=1, max_size=3))
def test_what_conforms_is_read_back(selection: str, rationale: list[str]) -> None:
    """Any values under literal labels are found as they were, but for the blanks around them."""
    text = f"Selection: {selection}\nRationale: " + "\n".join(rationale)
    assume("`" not in text and "{" not in text)
    assert [(each.how, each.value) for each in parse_fields(text, FIELDS)] == [
        ("conforming", selection.strip()),
        ("conforming", "\n".join(rationale).strip()),
    ]
