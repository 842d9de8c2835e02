"""T2 contexts: the replaced sentence, and everything else that differs."""

from __future__ import annotations

import pytest
from hypothesis import given

from reviewkit.cards import ContextComparison, compare_contexts, compare_options, joined
from reviewkit.cards.contexts import split_sentences
from tests.cards.strategies import quickly, texts

FIRST = "التقى زميلان في الورشة، أحدهما من المدينة والآخر من القرية."
UNKNOWN = "ولا نعرف شيئًا آخر."
FACT = "وجاء في السجل أن الزميل من القرية وصل أولًا."


def marks(found: ContextComparison) -> list[list[tuple[str, str, str]]]:
    """Return what is marked on both sides."""
    return [
        [(each.text, each.mark, each.note) for each in side if each.mark != "same"]
        for side in (found.first, found.second)
    ]


def test_a_replaced_sentence_is_marked_whole() -> None:
    """The declared difference is one sentence on each side and counts as no stray one."""
    found = compare_contexts(f"{FIRST} {UNKNOWN}", f"{FIRST} {FACT}")
    assert marks(found) == [[(UNKNOWN, "replaced", "")], [(FACT, "replaced", "")]]
    assert found.replaced == (1, 1)
    assert not any(each.differs for each in (*found.first, *found.second))


@pytest.mark.parametrize("place", ["end", "middle"])
def test_an_added_sentence_is_marked_whole(place: str) -> None:
    """A twin that adds its fact, as BBQ's do, has it marked and nothing else."""
    longer = f"{FIRST} {UNKNOWN} {FACT}" if place == "end" else f"{FIRST} {FACT} {UNKNOWN}"
    found = compare_contexts(f"{FIRST} {UNKNOWN}", longer)
    assert marks(found) == [[], [(FACT, "replaced", "only_here")]]
    assert not any(each.differs for each in (*found.first, *found.second))


def test_an_edited_sentence_beside_the_replaced_one_is_stray_word_by_word() -> None:
    """One word changed elsewhere is not covered by the declared replacement."""
    edited = FIRST.replace("الورشة", "المكتبة")
    found = compare_contexts(f"{FIRST} {UNKNOWN}", f"{edited} {FACT}")
    assert marks(found) == [
        [("الورشة", "stray", "changed"), (UNKNOWN, "replaced", "")],
        [("المكتبة", "stray", "changed"), (FACT, "replaced", "")],
    ]


def test_a_replacement_that_resembles_the_original_is_still_the_replacement() -> None:
    """When every changed sentence resembles its counterpart, the least similar one is declared."""
    found = compare_contexts(
        "They met at noon on Monday. It is not known who came first.",
        "They met at noon on Sunday. It is known who came first, Ali.",
    )
    assert [mark for _, mark, _ in marks(found)[0]] == ["stray", "replaced"]


def test_the_only_changed_sentence_is_the_replacement() -> None:
    """One changed sentence needs no other to be told from."""
    found = compare_contexts("It is not known who it was.", "It is known who it was.")
    assert found.replaced == (1, 1)


def test_white_space_elsewhere_is_stray() -> None:
    """A doubled space between common sentences is seen."""
    found = compare_contexts(f"A b.  C d. {UNKNOWN}", f"A b. C d. {FACT}")
    assert ("  ", "stray", "white_space") in marks(found)[0]


def test_two_replaced_sentences_are_counted() -> None:
    """More than one replaced sentence can be reported."""
    found = compare_contexts("A b. C d. E f.", "A b. X y z. V w u.")
    assert found.replaced == (2, 2)


def test_sentences_end_at_their_signs_only() -> None:
    """Titles, numbers and quotes do not cut a sentence; an Arabic question mark does."""
    text = 'Dr. Salam paid 3.5 dinars. "Who?" asked one. من؟ لا أحد.\nEnd'
    assert split_sentences(text).texts == (
        "Dr. Salam paid 3.5 dinars.", '"Who?" asked one.', "من؟", "لا أحد.", "End",
    )  # fmt: skip


@quickly
@given(texts, texts)
def test_contexts_join_exactly_and_mirror(a: str, b: str) -> None:
    """No text is lost, and the order of the two does not matter."""
    found, turned = compare_contexts(a, b), compare_contexts(b, a)
    assert (a, b) == (joined(found.first), joined(found.second))
    assert (found.first, found.second) == (turned.second, turned.first)


def test_options_in_another_order_are_marked_as_moved() -> None:
    """The same options elsewhere are whole marks; the one in its place is left alone."""
    one, other = compare_options(["Ali", "Omar", "nobody"], ["Omar", "Ali", "nobody"])
    assert [option[0].note for option in one] == ["moved", "moved", ""]
    assert [option[0].note for option in other] == ["moved", "moved", ""]


def test_an_option_too_many_stands_only_there() -> None:
    """Options without a counterpart are marked whole, edited ones word by word."""
    one, other = compare_options(["the boy", "both"], ["the girl", "both", "none"])
    assert [(s.text, s.note) for s in one[0] if s.differs] == [("boy", "changed")]
    assert [(s.text, s.note) for s in other[2]] == [("none", "only_here")]
