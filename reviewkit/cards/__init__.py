"""What one person sees: a card, its texts, and the differences between them."""

from __future__ import annotations

from reviewkit.cards.card import Card, CardText, Mark, Paragraph, Segment
from reviewkit.cards.changes import Change, changes_between
from reviewkit.cards.contexts import ContextComparison, compare_contexts, compare_options
from reviewkit.cards.differences import Comparison, Sought, compare, compare_texts, seek
from reviewkit.cards.from_group import card_from_group
from reviewkit.cards.from_response import card_from_response
from reviewkit.cards.hidden import hidden_name, names_in
from reviewkit.cards.marking import count_differences, joined, mark_plain
from reviewkit.cards.plain_blocks import sentences_added
from reviewkit.cards.spelling import spelling_note
from reviewkit.cards.stubs import is_stub
from reviewkit.cards.tags import facts_of, fields_of
from reviewkit.cards.tokens import tokenise
from reviewkit.cards.twins import Marked, compare_twins, fill_template

__all__ = [
    "Card", "CardText", "Change", "Comparison", "ContextComparison", "Mark", "Marked", "Paragraph",
    "Segment", "Sought", "card_from_group",
    "card_from_response", "changes_between", "compare", "compare_contexts",
    "compare_options", "compare_texts", "compare_twins", "count_differences", "facts_of",
    "fields_of", "fill_template", "hidden_name", "is_stub", "joined", "mark_plain", "names_in",
    "seek", "sentences_added", "spelling_note", "tokenise",
]  # fmt: skip
