"""What one person sees at one time: a card, its texts and the marks on them.

A card carries codes, not sentences: the desk words them in the reader's language. Texts stay in
logical order and exactly as written; marks lie on segments whose texts join to the original.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Mark = Literal["same", "slot", "stray", "spelling", "replaced", "hidden"]
"""same: equal on all sides. slot: the declared variable. stray: an undeclared difference.
spelling: differs only in spelling (see ``note``). replaced: the declared replacement of a T2 twin.
hidden: one hidden character, or an otherwise equal word that holds one, named in ``note``."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text under one mark; whole words, so that Arabic letters keep joining.

    A segment without text (``stray``, ``missing_here``) is the place where the other side has more.
    """

    text: str
    mark: Mark = "same"
    note: str = ""
    """A code or short name. hidden: the character's name, ``NBSP``, several joined by `` + ``.
    spelling: ``normalisation``, ``hidden_character``, ``letter_form``, ``case``, ``look_alike`` or
    ``spelling`` (several at once). stray: ``only_here``, ``missing_here``, ``changed``,
    ``white_space``, ``punctuation``, ``moved`` (an option), ``slot_affix`` (the declared value
    carries another clitic or ending, or is written otherwise) or ``slot_unpaired`` (the value
    stands here and not there). replaced: ``only_here`` when the twin adds the sentence."""
    hidden: tuple[str, ...] = ()
    """Names of the hidden and look-alike characters inside the segment: they never cut a word."""
    differs: bool = False
    """Whether it is part of an undeclared difference; a hidden character on both sides is not."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One field of a text: the prompt itself, or a T2 context, question or option."""

    role: str
    """``prompt``, ``context``, ``question``, ``option`` or ``base``."""
    segments: tuple[Segment, ...]
    label: str = ""
    """Shown before it, e.g. the option's letter; ``key`` is marked by ``is_key``."""
    is_key: bool = False

    @property
    def text(self) -> str:
        """The field exactly as written."""
        return "".join(segment.text for segment in self.segments)


@dataclass(frozen=True, slots=True)
class CardText:
    """One item of the group as it is laid before the reviewer."""

    text_id: str
    register: str
    language: str
    value: str
    """The value of the swapped variable, or ``ambiguous`` / ``disambiguated`` for a T2 twin."""
    paragraphs: tuple[Paragraph, ...]
    characters: int
    differences: int
    """How many undeclared differences the text shows against its counterparts."""
    flags: tuple[str, ...] = ()
    """Codes: ``stub`` (placeholder instead of a text), ``identical_twin``, ``normalised_equal``."""
    beside: str = ""
    """The ``text_id`` of the standard version that a dialect twin stands beside."""


@dataclass(frozen=True, slots=True)
class Card:
    """A template group as one person judges it."""

    card_id: str
    digest: str
    """The group's content digest; a decision made on it counts only while this is unchanged."""
    test_type: str
    facts: dict[str, str]
    """Names and values that ``applies_when`` may ask about: ``dialect_twin`` (yes/no), ``domain``,
    ``bias_form``, ``reference_category``, ``test_type``, ``language``, ``register``, ..."""
    fields: tuple[tuple[str, str], ...]
    """The tags the reviewer must judge, in order, as (field name, value)."""
    texts: tuple[CardText, ...]
    item_ids: tuple[str, ...] = ()
    source: str = ""
    """The file that holds the group, relative to the workspace."""
    findings: tuple[str, ...] = field(default=())
    """Codes of what the comparison found on the card as a whole, e.g. ``identical_twins``."""
