"""The practice round: cards with the right answers and their reasons, before the first real card.

``rulings/<study>/practice.yaml`` holds them; a study that has the file has a practice round. A try
is recorded as ``practice`` and is no label: it enters no table and no figure.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints, TypeAdapter, model_validator

from reviewkit.bank.responses import Response
from reviewkit.bank.watchlists import Match, Watchlist, find_terms
from reviewkit.cards import Card, card_from_response
from reviewkit.decisions import Record
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import AnswerValue, Codebook, Outcome, Wording, derive_outcome
from reviewkit.questions.forms import Frozen, id_stands_twice, repeated
from reviewkit.sources import build, load_yaml, told
from reviewkit.study.decks import NoSuchCard, Place
from reviewkit.workspace import Workspace

CardName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class PracticeCard(Frozen):
    """One card of the practice round."""

    id: CardName
    language: str = ""
    texts: Annotated[dict[str, str], Field(min_length=1)]
    facts: dict[str, str] = Field(default_factory=dict)
    answers: dict[str, AnswerValue]
    """The right answers, by field."""
    reason: Wording
    """Why they are right."""
    note: str = "practice"


class PracticeFile(Frozen):
    """The whole of ``practice.yaml``."""

    cards: Annotated[tuple[PracticeCard, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _ids_differ(self) -> PracticeFile:
        ids = [card.id for card in self.cards]
        for position, first in repeated(ids):
            at = ("cards", position, "id")
            raise told(*id_stands_twice(ids[position], first, "cards"), at)
        return self


class PracticeDeck:
    """The practice cards of a study, in order; a deck like any other."""

    def __init__(
        self, cards: Iterable[PracticeCard], codebook: Codebook, watchlist: Watchlist | None
    ) -> None:
        self.left_out: tuple[Problem, ...] = ()
        self.edition = 0
        self._codebook = codebook
        self._watchlist = watchlist
        self._cards = {f"practice.{card.id}": card for card in cards}
        self.card_ids = tuple(self._cards)
        self._responses = {
            card_id: Response(
                response_id=card_id, group="", language=card.language, texts=dict(card.texts),
                facts=dict(card.facts), parsed=(),
            )
            for card_id, card in self._cards.items()
        }  # fmt: skip

    def pinned(self) -> dict[str, str]:
        """Return nothing: practice is not compared."""
        return {}

    def round_digests(self) -> Mapping[str, str]:
        """Return nothing: practice is not compared."""
        return {}

    def digests(self) -> Mapping[str, str]:
        """Return the digest of every practice card."""
        return {card_id: each.digest for card_id, each in self._responses.items()}

    def practice_card(self, card_id: str) -> PracticeCard:
        """Return the card with its right answers."""
        if card_id not in self._cards:
            raise NoSuchCard(f"there is no practice card {card_id!r}; choose one from the list")
        return self._cards[card_id]

    def right(self, card_id: str) -> Outcome:
        """Return what the right answers come to, by the rule that a coder's answers follow."""
        card = self.practice_card(card_id)
        return derive_outcome(
            self._codebook, card.facts, card.answers, note=card.note, texts=card.texts,
            found=self.found(card_id),
        )  # fmt: skip

    def card(self, card_id: str) -> Card:
        """Return the card as it is shown, without the right answers."""
        self.practice_card(card_id)
        return card_from_response(self._responses[card_id])

    def form(self, card_id: str) -> Codebook:
        """Return the codebook."""
        del card_id  # one codebook for all
        return self._codebook

    def content(self, card_id: str) -> Mapping[str, Any]:
        """Return the content that the card's digest is taken of."""
        return self._responses[card_id].content

    def texts(self, card_id: str) -> Mapping[str, str]:
        """Return role -> text."""
        return self.practice_card(card_id).texts

    def found(self, card_id: str) -> Mapping[str, tuple[Place, ...]]:
        """Return field id -> the places of the watchlist's matches."""
        return {
            name: tuple((match.start, match.end) for match in matches)
            for name, matches in self.matches(card_id).items()
        }

    def matches(self, card_id: str) -> Mapping[str, tuple[Match, ...]]:
        """Return field id -> the watchlist's matches."""
        texts = self.texts(card_id)
        return {
            field.id: find_terms(texts.get(field.of, ""), self._watchlist)
            for field in self._codebook.fields
            if field.type == "spans" and field.watchlist == "yes" and self._watchlist is not None
        }

    def fault(self, card_id: str) -> str:
        """Return an empty text: the file was read whole."""
        del card_id
        return ""

    def look_again(self, card_id: str) -> bool:
        """Return False: practice is read once."""
        del card_id
        return False


def load_practice(
    ws: Workspace, study: str, codebook: Codebook, watchlist: Watchlist | None,
    responses: Container[str],
) -> PracticeDeck | None:  # fmt: skip
    """Return the practice round of a study, or None when it has no ``practice.yaml``.

    ``responses`` are the ids of the study's responses, none of which may be a practice card's.
    Raises ProblemsFound, also when a right answer is none that a coder could give.
    """
    path = ws.study_folder(study) / "practice.yaml"
    if not os.path.lexists(path):
        return None
    source = load_yaml(path, ws.shown(path))
    cards = build(source, PracticeFile).cards
    deck = PracticeDeck(cards, codebook, watchlist)
    problems = [
        source.problem(
            ("cards", position, "answers"),
            f"the right answer to {fault.check_id or 'the card'} is none ({fault.code})",
            f"answer as {codebook.name} asks",
        )
        for position, card_id in enumerate(deck.card_ids)
        for fault in deck.right(card_id).faults
    ]
    problems += [
        source.problem(
            ("cards", position, "id"),
            f"the table has a response {card_id!r}, which nobody could code",
            "give the practice card another id",
        )
        for position, card_id in enumerate(deck.card_ids)
        if card_id in responses
    ]
    if problems:
        raise ProblemsFound(problems)
    return deck


def practised(records: Iterable[Record]) -> dict[str, Record]:
    """Return practice card id -> the rater's latest try."""
    return {
        record.card_id: record
        for record in records
        if record.kind == "practice" and record.card_id is not None
    }


def answers_tried(record: Record) -> dict[str, AnswerValue]:
    """Return the answers of a try."""
    return TypeAdapter(dict[str, AnswerValue]).validate_python(record.details["answers"])
