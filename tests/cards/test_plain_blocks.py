"""What is said of a plain block without its card is what the card would say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.judging.large_bank import blocks
from reviewkit.bank import Group, Item, Taxonomy
from reviewkit.bank.item_sets.bbq import read_bbq
from reviewkit.cards import card_from_group, sentences_added

TAXONOMY = Taxonomy.model_validate(
    {
        "domains": [{"id": "d", "title": {"en": "D"}}],
        "forms": [{"id": "f", "test_types": ["T2"], "title": {"en": "F"}}],
        "reference_categories": [{"id": "r", "title": {"en": "R"}}],
        "languages": ["en"],
        "registers": [{"id": "standard", "kind": "standard", "title": {"en": "S"}}],
    }
)


def item(at: int, **fields: Any) -> Item:
    """Return a twin of the first question unless a test says otherwise."""
    told: dict[str, Any] = {
        "id": f"i{at}", "language": "en", "register": "standard", "question": "Who paid?",
        "question_polarity": "negative", "options": ("A", "B", "Unknown"), "correct_position": 3,
    }  # fmt: skip
    return Item.model_validate({**told, **fields})


def group(*items: Item) -> Group:
    """Return a T2 group of these items."""
    return Group(
        template_id="G", test_type="T2", domain="d", bias_form="f", reference_category="r",
        disambig_direction="neither", items=items,
    )  # fmt: skip


def pair(one: str, other: str, **fields: Any) -> Group:
    """Return an ambiguous context and its twin."""
    twins = (("ambiguous", one), ("disambiguated", other))
    return group(*(item(n, twin=t, context=c, **fields) for n, (t, c) in enumerate(twins)))


def test_sentences_that_are_added_are_counted() -> None:
    """One, two, and none where anything else differs."""
    assert sentences_added(pair("A met B.", "A met B. A paid.")) == 1
    assert sentences_added(pair("A met B.", "A met B. A paid. B left.")) == 2
    assert sentences_added(pair("A met B.", "A met C. A paid.")) == 0
    assert sentences_added(pair("A met B", "A met B. A paid.")) == 0
    assert sentences_added(pair("A met B.", "A met B. A\u00a0paid.")) == 0
    assert sentences_added(pair("A met B.", "A met B. A paid.", question=" ")) == 0


def test_a_question_or_option_that_differs_needs_the_card() -> None:
    """The twins must share everything but the context."""
    one = item(0, twin="ambiguous", context="A met B.")
    sound: dict[str, Any] = {"twin": "disambiguated", "context": "A met B. A paid."}
    assert sentences_added(group(one, item(1, **sound))) == 1
    for changed in ({"question": "Who left?"}, {"options": ("A", "B ", "Unknown")}):
        assert sentences_added(group(one, item(1, **{**sound, **changed}))) == 0
    assert (
        sentences_added(group(one, item(1, **sound), item(2, twin="ambiguous", context="x"))) == 0
    )


_PIECE = st.sampled_from(
    ["A met B.", "A paid.", "B left", "e.g. so", "Mr. C came!", "", " ", "  ", "\n", ".", "[x]",
     "\u200b", "ى", "TODO"]
)  # fmt: skip
_TEXT = st.lists(_PIECE, max_size=5).map(" ".join)


@settings(max_examples=600, deadline=None)
@given(_TEXT, _TEXT, st.booleans(), st.sampled_from(["Who paid?", "Who", "…", "TBD"]))
def test_the_card_says_the_same(one: str, more: str, joined: bool, question: str) -> None:
    """Whenever a block is called plain its card has no mark, and several sentences where said."""
    twins = pair(one, one + more if joined else more, question=question)
    added = sentences_added(twins)
    if not added:
        return
    card = card_from_group(twins, TAXONOMY, "")
    assert card.findings == (("several_sentences_replaced",) if added > 1 else ())
    for text in card.texts:
        assert (text.flags, text.differences) == ((), 0)
        segments = [each for paragraph in text.paragraphs for each in paragraph.segments]
        assert not any(segment.hidden for segment in segments)


def test_most_made_up_blocks_are_plain(tmp_path: Any) -> None:
    """The benchmark's blocks are plain but for those whose context lacks its stop."""
    path = tmp_path / "set.jsonl"
    import json

    rows = [row for block in blocks(200) for row in block]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    groups = read_bbq(path, "set.jsonl", domain="d")
    plain = [each for each in groups if sentences_added(each)]
    assert 160 <= len(plain) < len(groups)


@pytest.mark.parametrize("polarity", ["negative", None])
def test_questions_without_a_polarity_pair_by_their_words(polarity: str | None) -> None:
    """Two questions of a block are told apart by their words where no polarity is recorded."""
    items = [
        item(n, twin=twin, context=context, question=question,
             question_polarity=polarity if question == "Who paid?" else None)
        for n, (twin, context, question) in enumerate(
            (t, c, q)
            for t, c in (("ambiguous", "A met B."), ("disambiguated", "A met B. A paid."))
            for q in ("Who paid?", "Who left?")
        )
    ]  # fmt: skip
    card = card_from_group(group(*items), TAXONOMY, "")
    assert card.findings == ()
    assert [(text.text_id, text.beside) for text in card.texts if text.beside] == [
        ("i2", "i0"), ("i3", "i1"),
    ]  # fmt: skip
