"""A deck: the cards of one walk as their files are now, whatever they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from reviewkit.cards import Card
from reviewkit.problems import Problem, ReviewkitError
from reviewkit.questions import Form

Place = tuple[int, int]


class CardUnreadable(ReviewkitError):
    """The file of a card cannot be read just now."""


class NoSuchCard(ReviewkitError):
    """The study has no card of this id."""


class Deck(Protocol):
    """What a walk needs to know of its cards; every ``card_id`` raises NoSuchCard if unknown."""

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The cards in walking order."""
        ...

    @property
    def left_out(self) -> tuple[Problem, ...]:
        """What keeps cards out for now."""
        ...

    @property
    def edition(self) -> int:
        """A number that changes whenever the content of any card was read anew."""
        ...

    def pinned(self) -> dict[str, str]:
        """Return name -> digest of everything else that the judgements depend on."""
        ...

    def round_digests(self) -> Mapping[str, str]:
        """Return the digest of every card of the study, those of other passes included."""
        ...

    def digests(self) -> Mapping[str, str]:
        """Return the digest of every card, in walking order."""
        ...

    def card(self, card_id: str) -> Card:
        """Return the card."""
        ...

    def form(self, card_id: str) -> Form:
        """Return the form it is judged with."""
        ...

    def content(self, card_id: str) -> Mapping[str, Any]:
        """Return the content that its digest is taken of."""
        ...

    def texts(self, card_id: str) -> Mapping[str, str]:
        """Return role -> text, for spans."""
        ...

    def found(self, card_id: str) -> Mapping[str, tuple[Place, ...]]:
        """Return field id -> the places of watchlist matches."""
        ...

    def fault(self, card_id: str) -> str:
        """Return why the card cannot be read just now, or an empty text."""
        ...

    def look_again(self, card_id: str) -> bool:
        """Re-read the card when its file was saved since; return whether anything changed."""
        ...
