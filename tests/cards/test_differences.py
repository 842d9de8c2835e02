"""Two texts compared: exact, minimal, the same from either side."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.cards import Segment, compare, compare_texts, count_differences, joined, seek
from reviewkit.cards import alignment as alignment_module
from reviewkit.cards.alignment import align
from reviewkit.cards.tokens import tokenise
from tests.cards.strategies import quickly, texts, values

Pairs = list[tuple[str, str, str]]


def marks(segments: tuple[Segment, ...]) -> Pairs:
    """Return what is marked, without the plain text around it."""
    return [(each.text, each.mark, each.note) for each in segments if each.mark != "same"]


def both(a: str, b: str, slot_a: str = "", slot_b: str = "", **more: str) -> tuple[Pairs, Pairs]:
    """Return the marks of both sides."""
    one, other = compare_texts(a, b, slot_a, slot_b, **more)
    return marks(one), marks(other)


def longest_common(one: list[str], other: list[str]) -> int:
    """Return the length of the longest common subsequence, by the textbook."""
    row = [0] * (len(other) + 1)
    for element in one:
        before = row[:]
        for j, counterpart in enumerate(other):
            row[j + 1] = before[j] + 1 if element == counterpart else max(before[j + 1], row[j])
    return row[-1]


@quickly
@given(texts, texts, values, values)
def test_segments_join_to_the_text_exactly(
    a: str, b: str, slot_a: str | None, slot_b: str | None
) -> None:
    """Whatever the two texts are, nothing is lost, changed or invented."""
    one, other = compare_texts(a, b, slot_a, slot_b, language="ar")
    assert (a, b) == (joined(one), joined(other))


@quickly
@given(texts, texts, values, values)
def test_the_same_differences_whichever_is_named_first(
    a: str, b: str, slot_a: str | None, slot_b: str | None
) -> None:
    """Comparing b with a is comparing a with b, seen from the other side."""
    one, other = compare_texts(a, b, slot_a, slot_b)
    assert (other, one) == compare_texts(b, a, slot_b, slot_a)


@quickly
@given(texts, texts, values, values)
def test_both_sides_count_the_same(a: str, b: str, slot_a: str | None, slot_b: str | None) -> None:
    """A difference is a difference of both texts; texts without one are equal but for the slot."""
    one, other = compare_texts(a, b, slot_a, slot_b)
    assert count_differences(one) == count_differences(other)
    if not slot_a and not slot_b:
        assert (a == b) == (count_differences(one) == 0)


WORDS = st.lists(st.sampled_from(["kaf", "lam", "mim", "nun"]), max_size=9)


@quickly
@given(WORDS, WORDS)
def test_no_smaller_set_of_differing_words_exists(one: list[str], other: list[str]) -> None:
    """As many words stay unmarked as the longest common subsequence has."""
    common = longest_common(one, other)
    sides = compare_texts(" ".join(one), " ".join(other))
    for words, segments in zip((one, other), sides, strict=True):
        marked = sum(len(tokenise(each.text).words) for each in segments if each.differs)
        assert len(words) - common == marked


@quickly
@given(st.lists(st.integers(-3, 3), max_size=12), st.lists(st.integers(-3, 3), max_size=12))
def test_an_alignment_is_optimal_and_in_order(one: list[int], other: list[int]) -> None:
    """Matched elements are equal, rise on both sides, and are as many as there can be."""
    pairs = align(one, other).pairs
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
    assert longest_common([str(n) for n in one], [str(n) for n in other]) == len(pairs)


@pytest.mark.parametrize("letters", [199, 200, 201])
def test_one_moved_letter_near_two_hundred_letters_marks_one_word(letters: int) -> None:
    """Frequent letters are no junk: one changed word is one difference at any length."""
    words = ["سلام"] * (letters // 5)
    a = " ".join(words).ljust(letters, "م")
    words[3] = "سلما"
    b = " ".join(words).ljust(letters, "م")
    assert (letters, letters) == (len(a), len(b))
    assert both(a, b) == ([("سلام", "stray", "changed")], [("سلما", "stray", "changed")])


def test_a_whole_arabic_word_is_marked() -> None:
    """A word that differs in its last letter is marked whole, so that its letters keep joining."""
    assert both("في الساعة المبكرة اليوم", "في الساعة المبكر اليوم") == (
        [("المبكرة", "stray", "changed")],
        [("المبكر", "stray", "changed")],
    )


def test_teh_marbuta_is_always_a_stray_difference() -> None:
    """Gender is never explained away as spelling."""
    assert both("هذه طالبة", "هذه طالبه") == (
        [("طالبة", "stray", "changed")],
        [("طالبه", "stray", "changed")],
    )


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ("caf\u00e9", "cafe\u0301", "normalisation"),
        ("مرحبــا", "مرحبا", "letter_form"),
        ("العید", "العيد", "letter_form"),
        ("soft\u00adware", "software", "hidden_character"),
        ("Kut", "KUT", "case"),
        ("p\u0430ypal", "paypal", "look_alike"),
    ],
)
def test_a_spelling_difference_is_shown_and_named(a: str, b: str, note: str) -> None:
    """Words that are one word in two spellings are marked as such on both sides."""
    assert ([(a, "spelling", note)], [(b, "spelling", note)]) == both(f"x {a} y", f"x {b} y")


def test_hidden_characters_inside_a_word_are_named_and_do_not_cut_it() -> None:
    """A spelling or slot segment carries the names; an equal word is marked hidden as a whole."""
    one, _ = compare_texts("مرحبـا می\u200cروم", "مرحبا می\u200cروم")
    assert [(each.text, each.hidden) for each in one if each.hidden] == [
        ("مرحبـا", ("TATWEEL",)),
        ("می\u200cروم", ("ZWNJ",)),
    ]
    assert one[-1].mark == "hidden"
    assert not one[-1].differs


def test_hidden_characters_between_words_are_segments_of_their_own() -> None:
    """Direction marks and no-break spaces are named whether or not they differ."""
    one, other = both("\u202biPhone 15\u202c في\u00a0البيت", "iPhone 15 في\u00a0البيت")
    nbsp = ("\u00a0", "hidden", "NBSP")
    assert [("\u202b", "hidden", "RLE"), ("\u202c", "hidden", "PDF"), nbsp] == one
    assert [("", "stray", "missing_here"), ("", "stray", "missing_here"), nbsp] == other


def test_a_no_break_space_against_a_space_is_one_difference() -> None:
    """Words around it match; the gap alone is marked, by name on the side that has it."""
    one, other = both("two\u00a0days", "two days")
    assert one == [("\u00a0", "hidden", "NBSP")]
    assert other == [(" ", "stray", "white_space")]


@pytest.mark.parametrize(
    ("a", "b", "one", "other"),
    [
        ("so, go", "so go", (",", "punctuation"), ("", "missing_here")),
        ("go!", "go?", ("!", "punctuation"), ("?", "punctuation")),
        ("a  b", "a b", ("  ", "white_space"), (" ", "white_space")),
        ("may be", "maybe", ("may be", "white_space"), ("maybe", "white_space")),
        ("the big red cat", "the cat", ("big red ", "only_here"), ("", "missing_here")),
        ("cat", "", ("cat", "only_here"), ("", "missing_here")),
    ],
)
def test_what_kind_of_difference_it_is(
    a: str, b: str, one: tuple[str, str], other: tuple[str, str]
) -> None:
    """White space, punctuation and words that only one side has are told apart."""
    left, right = both(a, b)
    assert [(one[0], "stray", one[1])] == left
    assert [(other[0], "stray", other[1])] == right


def test_the_declared_slot_is_no_difference() -> None:
    """Two values under the same clitic are equal, even where the article hides in it."""
    assert both("سافر للبصرة اليوم", "سافر لبغداد اليوم", "البصرة", "بغداد") == (
        [("للبصرة", "slot", "")],
        [("لبغداد", "slot", "")],
    )


def test_a_changed_clitic_on_the_slot_is_a_stray_difference() -> None:
    """The value may change, what hangs on it may not."""
    assert both("سافر والبصرة اليوم", "سافر بغداد اليوم", "البصرة", "بغداد") == (
        [("والبصرة", "stray", "slot_affix")],
        [("بغداد", "stray", "slot_affix")],
    )


@pytest.mark.parametrize(
    ("a", "b", "slot_a", "slot_b"),
    [
        ("from Basra to Basra", "from Mosul to Basra", "Basra", "Mosul"),
        ("What is new in the news?", "What is old in the news?", "new", "old"),
        ("بين بغداد وبغداد", "بين البصرة وبغداد", "بغداد", "البصرة"),
    ],
)
def test_the_same_word_in_common_wording_is_not_the_slot(
    a: str, b: str, slot_a: str, slot_b: str
) -> None:
    """A value that both texts have anyway is plain text where both have it."""
    assert ([(slot_a, "slot", "")], [(slot_b, "slot", "")]) == both(a, b, slot_a, slot_b)


def test_a_value_repeated_on_one_side_only_is_stray() -> None:
    """The value standing once more than in the twin is an undeclared difference."""
    one, other = both("Basra, and Basra again", "Mosul, and again", "Basra", "Mosul")
    assert [
        one[0],
        ("".join(text for text, _, _ in one[1:]), "stray", one[1][2]),
    ] == [("Basra", "slot", ""), ("Basra ", "stray", "slot_unpaired")]
    assert other == [("Mosul", "slot", ""), ("", "stray", "missing_here")]


def test_a_missing_value_is_said() -> None:
    """A declared value that stands nowhere is reported; no declared value is not missing."""
    assert seek("من الكوت", "البصرة").value_missing
    assert not seek("من الكوت", "الكوت").value_missing
    assert not seek("من الكوت", None).value_missing


def test_every_span_is_counted() -> None:
    """Twins that differ in more than the group word show each span (B77)."""
    one, other = compare_texts(
        "The uncle packed swim trunks and his hat .",
        "The aunt packed a bikini and her hat.",
        "uncle",
        "aunt",
    )
    assert 3 == count_differences(one) == count_differences(other)


def test_equal_texts_show_slots_and_hidden_characters_only() -> None:
    """The short cut for equal texts still names what is hidden in them."""
    one, other = both("في الكوت\u200f", "في الكوت\u200f", "الكوت", "الكوت")
    assert [("الكوت\u200f"[:-1], "slot", ""), ("\u200f", "hidden", "RLM")] == one == other


def test_texts_too_long_to_align_are_marked_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit only equal ends are matched, and the comparison says so."""
    monkeypatch.setattr(alignment_module, "CELL_LIMIT", 3)
    found = compare(seek("a b c d e", None), seek("a d c b e", None))
    assert not found.complete
    assert [each.text for each in found.first] == ["a ", "b c d", " e"]


@pytest.mark.parametrize("kind", ["equal", "edited", "unrelated"])
def test_two_texts_of_70_kb_are_compared_whole(kind: str) -> None:
    """Identical or not, long texts come back exactly (B70); benchmarks/ times them."""
    draw = random.Random(7)
    vocabulary = ["".join(draw.choices("ابتجحدرسعفقكلمنهوي", k=5)) for _ in range(2_000)]
    words = draw.choices(vocabulary, k=12_000)
    others = {
        "equal": words,
        "edited": ["بديل" if n % 40 == 0 else word for n, word in enumerate(words)],
        "unrelated": draw.choices(vocabulary, k=12_000),
    }
    a, b = " ".join(words), " ".join(others[kind])
    assert len(a) > 70_000
    one, other = compare_texts(a, b)
    assert (a, b) == (joined(one), joined(other))


@quickly
@given(texts, st.sampled_from(["", "ar", "fa"]))
def test_a_text_beside_itself_is_marked_as_by_words(text: str, language: str) -> None:
    """Equal texts take a short way, which gives what the comparison word by word gives."""
    sought = seek(text, None)
    found = compare(sought, sought, language)
    assert compare_texts(text, text, language=language) == (found.first, found.second)
