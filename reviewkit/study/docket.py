"""The docket of an adjudication: which cards come before the adjudicator and what stands on each.

It reads the opened passes of a round and the adjudicator's own ledger, and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reviewkit.cards import Card
from reviewkit.decisions import Record
from reviewkit.decisions.hearings import (
    ADJUDICATION,
    Case,
    HearingRules,
    codes_digest,
    codes_known,
)
from reviewkit.decisions.stores import store_of
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.questions import AnswerValue, Form, load_forms
from reviewkit.study.dealing import deal_deck
from reviewkit.study.ledgers import ledger_of
from reviewkit.study.opening import find_round
from reviewkit.study.pins import RoundPins, read_pins
from reviewkit.study.queue import (
    cards_in_queue,
    check_adjudication,
    compared_names,
    differing,
    in_blind_order,
    shuffled,
)
from reviewkit.study.round_codings import Codings, RoundCodings
from reviewkit.study.seat import must_be_frozen
from reviewkit.study.study import Adjudication, Pass, Study, UnknownRater, load_study
from reviewkit.workspace import Workspace

Stage = Literal["first", "reveal", "settled"]
"""What a card waits for: a label before the codings are seen, one after it, or nothing."""
HearingStatus = Literal["open", "labelled", "coded", "skipped", "excluded", "changed"]
"""``labelled``: there is a first label and no final one. ``coded``: there is a final label.
``changed``: there was an act, but codes, content or form are others now."""


class NotRevealed(ReviewkitError):
    """The codings of a card are not shown before the adjudicator has labelled it."""


@dataclass(frozen=True, slots=True)
class OtherCoding:
    """What one coder said of a card, without a name."""

    answers: Mapping[str, AnswerValue]
    derived: Mapping[str, str] = field(default_factory=dict[str, str])
    note: str = ""
    unsure: bool = False
    skipped: bool = False
    """Whether the coder skipped the card: there are no answers, and no reason is asked."""
    verdict: str | None = None
    """The verdict, where the form is a checklist."""


@dataclass(frozen=True, slots=True, eq=False)
class _Now:
    """Everything that the docket is computed from, as it is at one moment."""

    codings: Codings
    cases: dict[str, Case]
    digests: Mapping[str, str]

    def of(self, card_id: str) -> tuple[Record, ...]:
        return self.codings.by_card.get(card_id, ())

    def case(self, card_id: str) -> Case:
        return self.cases.get(card_id, Case())

    def about_the_same(self, other: _Now) -> bool:
        return self.codings is other.codings and self.digests is other.digests

    def same_as(self, other: _Now | None) -> bool:
        return other is not None and self.about_the_same(other) and self.cases is other.cases


class Docket:
    """What one adjudicator has before him in one round."""

    def __init__(
        self, ws: Workspace, study_name: str, adjudicator: str, *, round_name: str | None = None
    ) -> None:
        """Open the adjudication of a round, the last one when none is named.

        Raises UnknownStudy, UnknownRater, LabelsClosed, ProblemsFound, LedgerBroken or what dealing
        the cards raises.
        """
        self.ws = ws
        self.study: Study = load_study(ws, study_name)
        self.settings = settings_of(self.study, adjudicator)
        self.round = find_round(self.study, round_name)
        self.study = self.study.as_in(self.round)
        self.pass_ = Pass(pass_=ADJUDICATION, rater=adjudicator)
        self._passes = RoundCodings(ws, self.study, self.round)
        self._passes.opened()
        self.shelf = load_forms(ws.checklists)
        self.deck = deal_deck(ws, self.study, self.shelf, "")
        self._must_fit()
        self.ledger = ledger_of(ws, study_name, ADJUDICATION, adjudicator)
        self._digests: tuple[int, Mapping[str, str]] = (-1, {})
        self._folded = HearingRules()
        self._cases: tuple[tuple[Record, ...], dict[str, Case]] = ((), {})
        self._wanted: tuple[Codings | None, frozenset[str]] = (None, frozenset())
        self._queued: tuple[frozenset[str] | None, tuple[str, ...]] = (None, ())
        self._positions: tuple[tuple[str, ...], dict[str, int]] = ((), {})
        self._statuses: tuple[_Now | None, dict[str, HearingStatus]] = (None, {})

    def _must_fit(self) -> None:
        """Raise what keeps the study file's settings from being followed."""
        forms = {form.name: form for form in map(self.deck.form, self.deck.card_ids)}
        shown = self.ws.shown(self.ws.study_file(self.study.study))
        problems = check_adjudication(self.settings, forms.values(), shown) if forms else ()
        if problems:
            raise ProblemsFound(problems)
        must_be_frozen(self.study, self.round, self.deck, self.pins)

    @property
    def pins(self) -> RoundPins:
        """What the round held fast when its first rater began."""
        name = self.ws.shown(self.ws.pins(self.study.study, self.round.round))
        return read_pins(name, store_of(self.ws).kept) or RoundPins({}, {})

    @property
    def notices(self) -> tuple[str, ...]:
        """What must be said beside the labels: opened early, reopened, withdrawn."""
        return self._now().codings.notices

    # cards

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The queue, shuffled once for all: what the study asks for, and what was ever acted on."""
        now = self._now()
        # a label given is no reason to compare ten thousand cards anew
        if self._wanted[0] is not now.codings:
            found = cards_in_queue(now.codings.by_card, self._names, self.settings.queue)
            self._wanted = (now.codings, frozenset(found))
        acted = {card for card, case in now.cases.items() if case.first or case.settled}
        both = self._wanted[1] | (acted & now.digests.keys())
        if both != self._queued[0]:
            self._queued = (both, shuffled(both, self.study.study, self.round.round))
        return self._queued[1]

    def positions(self) -> dict[str, int]:
        """Return where each card stands in the queue, from 0."""
        ids = self.card_ids
        if self._positions[0] is not ids:
            self._positions = (ids, {each: number for number, each in enumerate(ids)})
        return self._positions[1]

    def card(self, card_id: str) -> Card:
        """Return the card with its present content; raises NoSuchCard."""
        return self.deck.card(card_id)

    def form(self, card_id: str) -> Form:
        """Return the form the card is judged with."""
        return self.deck.form(card_id)

    # what stands on a card

    def cases(self) -> dict[str, Case]:
        """Return what the ledger says of each card of the round."""
        records, known = self.ledger.records(), len(self._cases[0])
        if self._cases[0] is not records:
            if known and (known > len(records) or records[known - 1] is not self._cases[0][-1]):
                self._folded, known = HearingRules(), 0
            for record in records[known:]:
                self._folded.take(record)
            self._cases = (records, self._folded.cases_of(self.round.round))
        return self._cases[1]

    def stage(self, card_id: str) -> Stage:
        """Return what the card waits for."""
        return self._stage(card_id, self._now())

    def _stage(self, card_id: str, now: _Now) -> Stage:
        first, settled = now.case(card_id).first, now.case(card_id).settled
        labelled = first is not None and self._holds(first, now)
        if settled is not None and self._holds(settled, now):
            newer = labelled and first is not None and first.seq > settled.seq
            return "reveal" if newer else "settled"
        return "reveal" if labelled else "first"

    def _holds(self, act: Record, now: _Now) -> bool:
        """Return whether an act is still about this content, this form and these codes."""
        card_id = act.card_id or ""
        if act.card_digest != now.digests.get(card_id):
            return False
        if act.form_digest is not None and act.form_digest != self.form(card_id).digest:
            return False
        return codes_known(act.details, map(codes_digest, now.of(card_id)))

    def first_in_force(self, card_id: str) -> Record | None:
        """Return the first label that a final one would follow now, or None."""
        now = self._now()
        first = now.case(card_id).first
        return first if first is not None and self._holds(first, now) else None

    def mine(self, card_id: str) -> Record | None:
        """Return the adjudicator's first label, or None before there is one."""
        now = self._now()
        settled = now.case(card_id).settled
        ruled = settled is not None and settled.kind == "adjudication"
        if settled is not None and ruled and self._stage(card_id, now) == "settled":
            wanted = settled.details["first_label"]
            return next(each for each in self.ledger.records() if each.digest == wanted)
        return self.first_in_force(card_id)

    def codings(self, card_id: str) -> tuple[OtherCoding, ...]:
        """Return what the coders said, in an order of this card's own.

        Raises NotRevealed before a first label.
        """
        return tuple(map(_without_name, in_blind_order(card_id, self._revealed(card_id))))

    def differs_on(self, card_id: str) -> tuple[str, ...]:
        """Return the compared names that differ; NotRevealed before a first label."""
        return differing(self._revealed(card_id), self._names(card_id))

    def _revealed(self, card_id: str) -> tuple[Record, ...]:
        if self.mine(card_id) is None:
            raise NotRevealed(f"{card_id}: label the card first; the codings are shown after that")
        return self._now().of(card_id)

    def records_of(self, card_id: str) -> tuple[Record, ...]:
        """Return the codings as they are recorded; for what is written, never for the screen."""
        return self._now().of(card_id)

    def judgements(self) -> dict[str, Record]:
        """Return per card the latest act."""
        return {card: case.last for card, case in self.cases().items() if case.last is not None}

    def decision(self, card_id: str) -> Record | None:
        """Return the latest label on the card, final or first, whatever content it was made on."""
        case = self.cases().get(card_id, Case())
        labels = [r for r in (case.first, case.settled) if r is not None and r.kind != "exclusion"]
        return max(labels, key=lambda record: record.seq, default=None)

    def unsure(self) -> frozenset[str]:
        """Return the cards that the adjudicator marked as unsure."""
        return frozenset(
            card for card in self.cases() if (label := self.decision(card)) and label.unsure
        )

    def status_counts(self) -> Counter[str]:
        """Return how many cards of the queue have each status."""
        return Counter(self.statuses().values())

    def statuses(self) -> dict[str, HearingStatus]:
        """Return what stands on every card, in the order of the queue."""
        ids, now = self.card_ids, self._now()
        before, known = self._statuses
        if not now.same_as(before):
            # only a card with a new act can stand otherwise while codes and contents are the same
            kept = known if before is not None and now.about_the_same(before) else {}
            self._statuses = (
                now,
                {
                    card_id: kept[card_id]
                    if before is not None
                    and card_id in kept
                    and now.cases.get(card_id) is before.cases.get(card_id)
                    else self._status(card_id, now)
                    for card_id in ids
                },
            )
        return self._statuses[1]

    def _status(self, card_id: str, now: _Now) -> HearingStatus:
        case, stage = now.case(card_id), self._stage(card_id, now)
        if stage == "settled" and case.settled is not None:
            return "excluded" if case.settled.kind == "exclusion" else "coded"
        if case.last is not None and case.last.kind == "skip":
            return "skipped"
        if stage == "reveal":
            return "labelled"
        return "changed" if case.first or case.settled else "open"

    def _now(self) -> _Now:
        if self._digests[0] != self.deck.edition:
            self._digests = (self.deck.edition, dict(self.deck.digests()))
        digests = self._digests[1]
        return _Now(self._passes.codings(digests), self.cases(), digests)

    def _names(self, card_id: str) -> tuple[str, ...]:
        return compared_names(self.form(card_id), self.settings)


def settings_of(study: Study, adjudicator: str) -> Adjudication:
    """Return how the study is adjudicated; UnknownRater when it is not, or by somebody else."""
    settings = study.adjudication
    if settings is None:
        raise UnknownRater(
            f"study {study.study} is not adjudicated; add `adjudication: {{adjudicator: NAME}}` to"
            " study.yaml"
        )
    if settings.adjudicator != adjudicator:
        raise UnknownRater(
            f"study {study.study} is not adjudicated by {adjudicator!r}; study.yaml names"
            f" {settings.adjudicator!r}"
        )
    return settings


def _without_name(record: Record) -> OtherCoding:
    if record.kind == "skip":
        return OtherCoding({}, skipped=True)
    return OtherCoding(
        dict(record.answers), dict(record.derived), record.note, record.unsure,
        verdict=record.verdict,
    )  # fmt: skip
