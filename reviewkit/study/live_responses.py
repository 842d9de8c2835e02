"""The responses of a walk: a deck that reads one response at a time from the imported table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from reviewkit.bank.response_lines import Response
from reviewkit.bank.responses import ResponseTable
from reviewkit.bank.watchlists import Match, Watchlist, find_terms
from reviewkit.cards import Card, card_from_response
from reviewkit.problems import Problem
from reviewkit.questions import AnswerValue, Codebook, Span
from reviewkit.study.decks import NoSuchCard, Place

KEPT = 8
"""Responses kept in memory: the one on the screen, its neighbours, the next open one."""


class ResponseDeck:
    """The cards of one walk over responses, in walking order."""

    def __init__(
        self, table: ResponseTable, codebook: Codebook, watchlist: Watchlist | None,
        card_ids: Sequence[str], study_ids: Sequence[str], source: str,
    ) -> None:  # fmt: skip
        self.table = table
        self.codebook = codebook
        self.watchlist = watchlist
        self.edition = 0
        self.left_out: tuple[Problem, ...] = ()
        self._source = source
        self._study_ids = study_ids
        self._digests = {each: table.digests[each] for each in card_ids if each in table.digests}
        self._ids = tuple(self._digests)
        self.gone = tuple(each for each in card_ids if each not in table.digests)
        """Cards of the pass that a later import of the table no longer has."""
        self._read = lru_cache(maxsize=KEPT)(table.get)
        self._matches = lru_cache(maxsize=KEPT)(self._find_matches)

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The cards in walking order."""
        return self._ids

    def pinned(self) -> dict[str, str]:
        """Return name -> digest of the codebook and the watchlist."""
        pins = {self.codebook.name: self.codebook.digest}
        if self.watchlist is not None:
            pins[self.watchlist.full_name] = self.watchlist.digest
        return pins

    def digests(self) -> Mapping[str, str]:
        """Return the digest of every card, in walking order."""
        return self._digests

    def round_digests(self) -> Mapping[str, str]:
        """Return the digest of every card of the study, those of other passes included."""
        digests = self.table.digests
        return {each: digests[each] for each in self._study_ids if each in digests}

    def response(self, card_id: str) -> Response:
        """Return the response behind the card."""
        if card_id not in self._digests:
            raise NoSuchCard(f"the study has no card {card_id!r}; choose one from the list")
        return self._read(card_id)

    def card(self, card_id: str) -> Card:
        """Return the card."""
        return card_from_response(self.response(card_id), self._source)

    def form(self, card_id: str) -> Codebook:
        """Return the codebook."""
        del card_id  # one codebook for all responses of a study
        return self.codebook

    def content(self, card_id: str) -> Mapping[str, Any]:
        """Return the content that the card's digest is taken of."""
        return self.response(card_id).content

    def texts(self, card_id: str) -> Mapping[str, str]:
        """Return role -> text; a parsed field is a text too."""
        response = self.response(card_id)
        return {each.name: each.value for each in response.parsed} | dict(response.texts)

    def matches(self, card_id: str) -> Mapping[str, tuple[Match, ...]]:
        """Return field id -> the watchlist's matches in its text."""
        return self._matches(card_id)

    def found(self, card_id: str) -> Mapping[str, tuple[Place, ...]]:
        """Return field id -> the places of the watchlist's matches."""
        return {
            name: tuple((match.start, match.end) for match in matches)
            for name, matches in self.matches(card_id).items()
        }

    def with_terms(
        self, card_id: str, answers: Mapping[str, AnswerValue]
    ) -> dict[str, AnswerValue]:
        """Return the answers, each match under the term that stands there, whatever a page says."""
        named: dict[str, AnswerValue] = dict(answers)
        for name, matches in self.matches(card_id).items():
            terms = {(match.start, match.end): match.term for match in matches}
            value = named.get(name)
            if value is not None and not isinstance(value, str):
                spans = [each for each in value if isinstance(each, Span)]
                if len(spans) == len(value):
                    named[name] = tuple(
                        each.model_copy(update={"term": terms.get(each.place, each.term)})
                        for each in spans
                    )
        return named

    def fault(self, card_id: str) -> str:
        """Return an empty text: a table that cannot be read is no deck at all."""
        del card_id
        return ""

    def look_again(self, card_id: str) -> bool:
        """Return False: an imported table changes by a new import, which a new desk reads."""
        del card_id
        return False

    def _find_matches(self, card_id: str) -> Mapping[str, tuple[Match, ...]]:
        texts = self.texts(card_id)
        return {
            field.id: find_terms(texts.get(field.of, ""), self.watchlist)
            for field in self.codebook.fields
            if field.type == "spans" and field.watchlist == "yes" and self.watchlist is not None
        }
