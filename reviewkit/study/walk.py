"""One rater's walk: which cards, in which order, what stands on each, and the next one open.

A walk opens the ledger, the drafts and the pins of its own pass and no other rater's file. It
decides nothing about answers (that is ``questions`` and ``decisions``) and draws nothing.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from reviewkit.decisions import (
    NotReady,
    Origin,
    PassNotComplete,
    Record,
    lock_pass,
)
from reviewkit.decisions.passes import PassRules, PassWithdrawn, pass_state
from reviewkit.questions import AnswerValue, Form, Outcome, load_forms
from reviewkit.questions.defects import load_families
from reviewkit.study.dealing import deal_deck
from reviewkit.study.decks import CardUnreadable, Deck
from reviewkit.study.lead_questions import Question, questions_in
from reviewkit.study.ledgers import ledger_of
from reviewkit.study.live_responses import ResponseDeck
from reviewkit.study.pins import RoundPins, pin_round, read_pins
from reviewkit.study.practice import answers_tried, load_practice, practised
from reviewkit.study.seat import Seat, Start, must_be_frozen
from reviewkit.study.study import Study, load_study
from reviewkit.study.welfare import decided_today
from reviewkit.workspace import Workspace

Status = Literal["open", "accepted", "needs_fix", "rejected", "coded", "skipped", "changed"]
"""``coded``: there is a coding. ``changed``: there is a judgement, but on other content or another
edition of the form."""


@dataclass(frozen=True, slots=True)
class _Statuses:
    """What stands on every card, and what it was computed from."""

    judgements: Mapping[str, Record]
    edition: int
    by_card: dict[str, Status]
    counts: Counter[str]
    """Status -> cards that have it."""


class Walk(Seat):
    """A rater's independent pass over the cards of a study."""

    def __init__(
        self, ws: Workspace, study_name: str, rater: str, *, origin: Origin,
        pass_name: str | None = None,
    ) -> None:  # fmt: skip
        """Open the pass of ``rater``.

        Raises UnknownStudy, UnknownRater, ProblemsFound (bank, forms, families of defects or study
        at fault) or LedgerBroken.
        """
        self.ws = ws
        self.study: Study = load_study(ws, study_name)
        self.round, self.pass_ = self.study.find_pass(rater, pass_name)
        self.study = self.study.as_in(self.round)
        self.origin: Origin = origin
        self.shelf = load_forms(ws.checklists)
        self.deck = deal_deck(ws, self.study, self.shelf, self.pass_.pass_)
        self.practice = (
            load_practice(
                ws, study_name, self.deck.codebook, self.deck.watchlist, self.deck.table.digests
            )
            if isinstance(self.deck, ResponseDeck)
            else None
        )
        self.families = None if self.study.is_coding else load_families(ws)
        self.ledger = ledger_of(ws, study_name, self.pass_.pass_, rater)
        self._sit_down()
        self._pins: RoundPins | None = None
        self._rulings_pin: int | None = None
        self._folded: tuple[tuple[Record, ...], PassRules] | None = None
        self._positions: tuple[tuple[str, ...], dict[str, int]] = ((), {})
        self._statuses = _Statuses({}, -1, {}, Counter())
        if self.study.watchlist is not None:
            must_be_frozen(self.study, self.round, self.deck, self.pins)

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The cards in walking order."""
        return self.deck.card_ids

    # what the pass holds fast

    def start(self, rulings_in_force: int) -> None:
        """Pin the round and write the pass's first record, unless they are there."""
        self._pins = pin_round(
            self.ws.shown(self.ws.pins(self.study.study, self.round.round)),
            self.kept,
            self.deck.round_digests(),
            self.deck.pinned(),
        )
        if any(record.kind == "start" for record in self.ledger.records()):
            return
        details = {"rulings": rulings_in_force}
        self.ledger.append(self._entry("start", f"start-{secrets.token_hex(8)}", details))

    @property
    def pins(self) -> RoundPins:
        """What the round holds fast; nothing while nobody has started."""
        if self._pins is None:
            name = self.ws.shown(self.ws.pins(self.study.study, self.round.round))
            return read_pins(name, self.kept) or RoundPins({}, {})
        return self._pins

    @property
    def rulings_pin(self) -> int | None:
        """How many lines of the rulings log the rater may see, or None: all of them."""
        if not self.round.is_blind and self.study.second_review is None:
            return None
        if self._rulings_pin is None:
            starts = [record for record in self.ledger.records() if record.kind == "start"]
            self._rulings_pin = int(starts[0].details.get("rulings", 0)) if starts else 0
        return self._rulings_pin

    @property
    def locked(self) -> bool:
        """Whether the pass is sealed, or its rater withdrew consent."""
        state = self._state()
        return state.lock is not None or state.withdrawal is not None

    @property
    def withdrawn(self) -> bool:
        """Whether the rater withdrew consent."""
        return self._state().withdrawal is not None

    def limit_reached(self) -> bool:
        """Whether the rater has made the day's number of decisions."""
        limit = self.study.welfare.daily_limit
        return limit is not None and decided_today(self.ledger.records()) >= limit

    # cards

    def deck_of(self, card_id: str) -> Deck:
        """Return the deck that holds the card: the practice round or the walk's own."""
        practice = self.practice
        return practice if practice and card_id in practice.card_ids else self.deck

    # before the first card

    def next_practice(self) -> str:
        """Return the next practice card that was not tried yet, or an empty text."""
        if self.practice is None or self.locked:
            return ""
        tried = practised(self.ledger.records())
        return next((each for each in self.practice.card_ids if each not in tried), "")

    def try_out(
        self, card_id: str, answers: Mapping[str, AnswerValue], note: str, *, click_id: str
    ) -> Record:
        """Record a try on a practice card: no label, in no figure.

        Raises NotReady when the rule refuses the answers.
        """
        outcome = self.outcome(card_id, answers, note)
        if outcome.faults and self.ledger.find(click_id) is None:
            raise NotReady(card_id, outcome, self.form(card_id))
        tried = TypeAdapter(dict[str, AnswerValue]).dump_python(outcome.answers, mode="json")
        details = {"answers": tried}
        record = self.ledger.append(
            self._entry("practice", click_id, details, card_id=card_id, note=note)
        )
        self.drop_draft(card_id)
        return record

    # a word with the lead

    def ask_lead(self, card_id: str, text: str, *, click_id: str) -> Record:
        """Record a question to the lead; no other rater's desk ever reads it."""
        return self.ledger.append(
            self._entry("question", click_id, {}, card_id=card_id, reason=text.strip())
        )

    def questions(self, card_id: str) -> tuple[Question, ...]:
        """Return what this rater asked about the card, with the lead's answers."""
        return tuple(
            each for each in questions_in(self.ledger.records()) if each.card_id == card_id
        )

    def answered(self) -> frozenset[str]:
        """Return the cards on which the lead answered a question of this rater."""
        asked = questions_in(self.ledger.records())
        return frozenset(each.card_id for each in asked if each.answer)

    # what stands on a card

    def judgements(self) -> dict[str, Record]:
        """Return per card the latest decision or skip."""
        state = self._state()
        return {} if state.withdrawal is not None else state.judged

    def _state(self) -> PassRules:
        """Return what the ledger adds up to, folded once for each new record."""
        records = self.ledger.records()
        if self._folded is None or self._folded[0] is not records:
            self._folded = (records, pass_state(records))
        return self._folded[1]

    def decision(self, card_id: str) -> Record | None:
        """Return the rater's effective decision on the card, whatever content it was made on."""
        judgement = self.judgements().get(card_id)
        return judgement if judgement is not None and judgement.kind == "decision" else None

    def positions(self) -> dict[str, int]:
        """Return where each card stands in the walk, from 0."""
        if self._positions[0] is not self.card_ids:
            self._positions = (self.card_ids, {each: n for n, each in enumerate(self.card_ids)})
        return self._positions[1]

    def unsure(self) -> frozenset[str]:
        """Return the cards that the rater marked as unsure."""
        return frozenset(card_id for card_id, each in self.judgements().items() if each.unsure)

    def statuses(self) -> dict[str, Status]:
        """Return what stands on every card, in walking order."""
        judgements, edition = self.judgements(), self.deck.edition
        before = self._statuses
        if before.judgements is judgements and before.edition == edition:
            return before.by_card
        digests = self.deck.digests()
        by_card: dict[str, Status]
        if before.edition == edition:
            # one record turns one card: the others are as they were
            by_card, counts = dict(before.by_card), before.counts.copy()
            for card_id in before.judgements.keys() - judgements.keys():
                if card_id in digests:
                    counts[by_card[card_id]] -= 1
                    counts["open"] += 1
                    by_card[card_id] = "open"
            turned = [
                card_id for card_id, each in judgements.items()
                if each is not before.judgements.get(card_id) and card_id in digests
            ]  # fmt: skip
        else:
            by_card = dict.fromkeys(digests, "open")
            counts = Counter({"open": len(digests)})
            turned = [card_id for card_id in judgements if card_id in digests]
        for card_id in turned:
            counts[by_card[card_id]] -= 1
            by_card[card_id] = self._status(card_id, judgements[card_id], digests[card_id])
            counts[by_card[card_id]] += 1
        self._statuses = _Statuses(judgements, edition, by_card, counts)
        return by_card

    def status_counts(self) -> Counter[str]:
        """Return how many cards have each status; not to be changed."""
        self.statuses()
        return self._statuses.counts

    def _status(self, card_id: str, judgement: Record, digest: str) -> Status:
        if judgement.kind == "skip":
            return "skipped"
        if judgement.card_digest != digest:
            return "changed"
        if judgement.form_digest != self.form(card_id).digest:
            return "changed"
        return judgement.verdict or "coded"

    def reopened_checks(self, card_id: str) -> tuple[str, ...]:
        """Return the checks that a newer edition of the form opened on an unchanged card."""
        decision = self.decision(card_id)
        form = self.form(card_id)
        if (
            decision is None
            or decision.card_digest != self.digest(card_id)
            or decision.form_digest == form.digest
        ):
            return ()
        carried = self._carried_answers(decision, form)
        return tuple(each for each in form.parts if each not in carried)

    def starting_point(self, card_id: str) -> Start:
        """Return the answers, note and marks that the card opens with.

        A draft on this very content comes first, else the decision on it; of a decision on another
        edition of the form only the checks that did not change are carried over. A card whose
        content changed since opens with the earlier note and no answers: they were about a text
        that is no longer there.
        """
        digest, form = self.digest(card_id), self.form(card_id)
        draft = self.draft(card_id)
        if draft is not None and draft.card_digest == digest:
            known = form.parts
            answers = {name: value for name, value in draft.answers.items() if name in known}
            return Start(answers, draft.note, draft.escalated, draft.unsure, draft.defects)
        if draft is not None:
            return Start({}, draft.note)
        if self.practice is not None and card_id in self.practice.card_ids:
            return self._tried(card_id)
        decision = self.decision(card_id)
        if decision is None:
            return Start({})
        if decision.card_digest != digest:
            return Start({}, decision.note)
        answers = (
            dict(decision.answers)
            if decision.form_digest == form.digest
            else self._carried_answers(decision, form)
        )
        return Start(answers, decision.note, decision.escalated, decision.unsure, decision.defects)

    def _tried(self, card_id: str) -> Start:
        """Return what the rater said on a practice card, beside what is right."""
        tried = practised(self.ledger.records()).get(card_id)
        if tried is None:
            return Start({})
        return Start(answers_tried(tried), tried.note)

    def _carried_answers(self, decision: Record, form: Form) -> dict[str, AnswerValue]:
        earlier = self.shelf.by_digest(decision.form_digest or "")
        if earlier is None:
            return {}
        unchanged = earlier.parts
        return {
            name: decision.answers[name]
            for name, digest in form.parts.items()
            if unchanged.get(name) == digest and name in decision.answers
        }

    def defects(self, card_id: str, outcome: Outcome, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the family of each failed check: the chosen one, else the one it suggests.

        A failed check that suggests none and for which none was chosen is left out. What was chosen
        is taken as it is: the door refuses a family that is not known.
        """
        if self.families is None:
            return dict(chosen)
        form = self.form(card_id).form
        suggested = {check: self.families.suggest(form, check) for check in outcome.failed}
        return {check: family for check, family in suggested.items() if family} | dict(chosen)

    # acts

    def submit(
        self, card_id: str, card_digest: str, answers: Mapping[str, AnswerValue], note: str,
        *, escalated: bool, seconds: float, click_id: str, unsure: bool = False,
        defects: Mapping[str, str] | None = None,
    ) -> Record:  # fmt: skip
        """Record the decision and return its record once it is on disk.

        Raises NotReady when the rule refuses the answers, CardChanged when the card was edited
        since it was shown, CardUnreadable, PassLocked, CannotWrite or LedgerBroken.
        """
        self.look_again(card_id)
        return self._record(
            card_id, card_digest, answers, note, escalated=escalated, unsure=unsure,
            seconds=seconds, click_id=click_id, defects=defects,
            families=self.families.ids if self.families else (),
        )  # fmt: skip

    def lock(self, *, click_id: str) -> Record:
        """Seal the pass with a digest of all its effective decisions.

        Raises PassNotComplete while a card is neither decided nor skipped, CardUnreadable while
        a group file is left out.
        """
        left_out = self.deck.left_out
        if left_out:
            raise CardUnreadable(f"not locked: a group file cannot be read: {left_out[0]}")
        for card_id in self.card_ids:
            self.look_again(card_id)
        self.ledger.recover()  # a last record that lost its newline counts as well
        withdrawal = self._state().withdrawal
        if withdrawal is not None:
            raise PassWithdrawn(withdrawal)
        cards = self.deck.digests()
        waiting = tuple(c for c, status in self.statuses().items() if status == "changed")
        if waiting and not self.locked:
            raise PassNotComplete(waiting, len(cards))
        return lock_pass(self.ledger, cards=cards, click_id=click_id, **self._whose())
