"""A seat at the desk: what a rater's walk and an adjudicator's hearing have in common.

Both look at the cards of a deck, keep drafts, and write to one ledger through the doors of
``decisions``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypedDict

from reviewkit.cards import Card
from reviewkit.decisions import (
    CannotRead,
    CannotWrite,
    ChainedLedger,
    Draft,
    Drafts,
    Entry,
    Kind,
    Origin,
    Record,
    skip_card,
    submit_decision,
)
from reviewkit.decisions.stores import store_of
from reviewkit.problems import ReviewkitError
from reviewkit.questions import AnswerValue, Form, Outcome, derive_outcome
from reviewkit.study.contents import KeptContents
from reviewkit.study.decks import CardUnreadable, Deck
from reviewkit.study.live_groups import GroupDeck
from reviewkit.study.live_responses import ResponseDeck
from reviewkit.study.pins import RoundPins
from reviewkit.study.study import Pass, Round, Study
from reviewkit.study.welfare import has_consented
from reviewkit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Start:
    """What a card opens with."""

    answers: Mapping[str, AnswerValue]
    note: str = ""
    escalated: bool = False
    unsure: bool = False
    defects: Mapping[str, str] = field(default_factory=dict[str, str])
    """Check -> the family of defects that was chosen or recorded."""


class WatchlistChanged(ReviewkitError):
    """A watchlist is frozen from the first card of a round on."""


class _Whose(TypedDict):
    study: str
    round_: str
    pass_: str
    rater: str
    origin: Origin


class Seat:
    """One person's place in one study; subclasses say which cards and what stands on them."""

    ws: Workspace
    study: Study
    round: Round
    pass_: Pass
    origin: Origin
    deck: Deck
    ledger: ChainedLedger

    def _sit_down(self) -> None:
        """Find what belongs to the ledger: drafts and the mark of the writing tab."""
        self.kept = store_of(self.ws).kept
        self.drafts = Drafts(self._beside(".draft.json"), self.kept)
        self.writer_name = self._beside(".writer.json")
        self.drops_later = False
        self._decided: list[str] = []
        self._contents = KeptContents(self.ws.shown(self.ws.contents), self.kept)

    def _beside(self, ending: str) -> str:
        path = self.ws.ledger(self.study.study, self.pass_.pass_, self.rater)
        return self.ws.shown(path.with_suffix(ending))

    @property
    def rater(self) -> str:
        """The person's name."""
        return self.pass_.rater

    @property
    def locked(self) -> bool:
        """Whether nothing can be written any more."""
        return False

    @property
    def withdrawn(self) -> bool:
        """Whether the person withdrew consent; nothing lifts that, as a lock is lifted."""
        return False

    @property
    def warning_due(self) -> bool:
        """Whether the content warning is still to be read before any card is shown."""
        warned = self.study.welfare.content_warning is not None
        return warned and not self.locked and not has_consented(self.ledger.records())

    # cards

    def deck_of(self, card_id: str) -> Deck:
        """Return the deck that holds the card."""
        del card_id
        return self.deck

    def card(self, card_id: str) -> Card:
        """Return the card with its present content; raises NoSuchCard."""
        return self.deck_of(card_id).card(card_id)

    def form(self, card_id: str) -> Form:
        """Return the form the card is judged with."""
        return self.deck_of(card_id).form(card_id)

    def fault(self, card_id: str) -> str:
        """Return why the card's file cannot be read just now, or an empty string."""
        return self.deck_of(card_id).fault(card_id)

    def left_on(self, card_id: str) -> str:
        """Return the day the card's group left the bank; empty for any other card."""
        deck = self.deck_of(card_id)
        return deck.left_on(card_id) if isinstance(deck, GroupDeck) else ""

    def look_again(self, card_id: str) -> bool:
        """Re-read the card's file when it was saved since; return whether anything changed."""
        return self.deck_of(card_id).look_again(card_id)

    def digest(self, card_id: str) -> str:
        """Return the digest of the card's present content."""
        return self.card(card_id).digest

    def outcome(
        self, card_id: str, answers: Mapping[str, AnswerValue], note: str, *,
        escalated: bool = False,
    ) -> Outcome:  # fmt: skip
        """Return what the answers mean, by the one rule."""
        deck = self.deck_of(card_id)
        return derive_outcome(
            deck.form(card_id), deck.card(card_id).facts, answers, note=note,
            escalated=escalated, texts=deck.texts(card_id), found=deck.found(card_id),
        )  # fmt: skip

    def content_before(self, digest: str) -> dict[str, Any] | None:
        """Return the content that an earlier judgement was made on, if this machine kept it."""
        return self._contents.find(digest)

    # acts

    def save_draft(
        self, card_id: str, card_digest: str, answers: Mapping[str, AnswerValue], note: str,
        escalated: bool, unsure: bool = False, *, defects: Mapping[str, str] | None = None,
    ) -> Draft:  # fmt: skip
        """Keep what is on the screen, so that a reload or a dead kernel loses nothing."""
        self.drop_decided()
        return self.drafts.save(
            card_id,
            card_digest=card_digest,
            form_digest=self.form(card_id).digest,
            answers=answers,
            note=note,
            escalated=escalated,
            unsure=unsure,
            defects=defects,
        )

    def draft(self, card_id: str) -> Draft | None:
        """Return the draft of a card, unless it is on the disk as a judgement."""
        return None if card_id in self._decided else self.drafts.load(card_id)

    def drop_draft(self, card_id: str) -> None:
        """Drop the draft of a card whose judgement is on the disk.

        With ``drops_later`` that waits for ``drop_decided``: who judged need not wait for it.
        """
        self._decided.append(card_id)
        if not self.drops_later:
            self.drop_decided()

    def drop_decided(self) -> None:
        """Drop the drafts of all cards that were judged since the last time."""
        while self._decided:
            # a draft that stays beside its judgement is no reason to say otherwise
            with suppress(CannotRead, CannotWrite):
                self.drafts.clear(self._decided[-1])
            self._decided.pop()

    def skip(
        self, card_id: str, *, click_id: str, reason: str = "", seconds: float = 0.0
    ) -> Record:
        """Record that the person passes over the card; no explanation is asked for."""
        return skip_card(
            self.ledger,
            card_id=card_id,
            card_digest=self.digest(card_id),
            reason=reason,
            seconds=seconds,
            click_id=click_id,
            **self._whose(),
        )

    def consent(self, *, click_id: str) -> Record:
        """Record that the person has read the content warning and goes on."""
        return self.ledger.append(self._entry("consent", click_id, {}))

    def _record(
        self, card_id: str, card_digest: str, answers: Mapping[str, AnswerValue], note: str, *,
        escalated: bool, unsure: bool, seconds: float, click_id: str, kind: Kind = "decision",
        reason: str = "", details: Mapping[str, Any] | None = None,
        defects: Mapping[str, str] | None = None, families: Collection[str] = (),
    ) -> Record:  # fmt: skip
        if self.fault(card_id):
            raise CardUnreadable(self.fault(card_id))
        card = self.card(card_id)
        if isinstance(self.deck, ResponseDeck):
            answers = self.deck.with_terms(card_id, answers)
        record = submit_decision(
            self.ledger,
            form=self.form(card_id),
            card_id=card_id,
            card_digest=card_digest,
            current_digest=card.digest,
            facts=card.facts,
            texts=self.deck.texts(card_id),
            found=self.deck.found(card_id),
            answers=answers,
            note=note,
            escalated=escalated,
            unsure=unsure,
            defects=defects,
            families=families,
            seconds=seconds,
            click_id=click_id,
            kind=kind,
            reason=reason,
            details=details,
            **self._whose(),
        )
        self.drop_draft(card_id)
        if not self.study.is_coding:
            # responses are kept whole by their import; a group may be edited any time
            self._contents.keep(card.digest, self.deck.content(card_id))
        return record

    def _entry(self, kind: Kind, click_id: str, details: Mapping[str, Any], **more: Any) -> Entry:
        whose = self._whose()
        return Entry(
            **more,
            kind=kind,
            click_id=click_id,
            study=whose["study"],
            round=whose["round_"],
            pass_=whose["pass_"],
            rater=whose["rater"],
            origin=whose["origin"],
            details=dict(details),
        )

    def _whose(self) -> _Whose:
        return {
            "study": self.study.study,
            "round_": self.round.round,
            "pass_": self.pass_.pass_,
            "rater": self.rater,
            "origin": self.origin,
        }


def must_be_frozen(study: Study, round_: Round, deck: Deck, pins: RoundPins) -> None:
    """Raise WatchlistChanged when the watchlist is not the one that the round began with."""
    name = study.watchlist
    pinned = pins.forms.get(name) if name else None
    if name and pinned is not None and deck.pinned().get(name) != pinned:
        raise WatchlistChanged(
            f"watchlist {name} was edited after round {round_.round} of study {study.study} began;"
            " put bank/watchlists/ back as it was, or give the list a new edition and code it in a"
            " new round"
        )
