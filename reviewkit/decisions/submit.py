"""The doors: how a judgement, a skip, a lock and a reopening come into the ledger.

Widget, command line and import all call these; the verdict is derived here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from reviewkit.decisions.ledger import Ledger
from reviewkit.decisions.lines import RecordRefused
from reviewkit.decisions.passes import PassLocked, effective_judgements, lock_details, pass_state
from reviewkit.decisions.records import NOTE_LIMIT, Entry, Kind, Origin, Record
from reviewkit.problems import ReviewkitError
from reviewkit.questions.answers import SPAN_LIMIT, AnswerValue
from reviewkit.questions.codebooks import Codebook
from reviewkit.questions.forms import Form
from reviewkit.questions.verdict import RULE_VERSION, Outcome, derive_outcome

DAY = 86_400.0
_LOCK_TRIES = 5

_FAULTS = {
    "unknown_check": "the form has no check {check}",
    "not_asked": "check {check} does not apply to this card",
    "bad_answer": "check {check} is answered neither yes nor no",
    "unanswered": "check {check} is unanswered",
    "note_missing": "a failed check needs a note",
    "nothing_to_escalate": "no check failed, so there is nothing to escalate",
    "nothing_asked": "nothing is asked of this card",
}
_FAULTS_OF_A_CODING = {
    "unknown_check": "the codebook has no field {check}",
    "not_asked": "field {check} is not asked of this card, or not after these answers",
    "bad_answer": "the answer to {check} is none that its codes admit",
    "unanswered": "field {check} is unanswered",
    "note_missing": "an answer needs a note",
    "nothing_to_escalate": "a coding has no verdict, so there is nothing to escalate",
    "nothing_asked": "nothing is asked of this card",
    "bad_span": "a span of {check} does not lie in the text, or two of them overlap",
    "pending": "a watchlist match of {check} is not settled",
}
_NAMED = 5
"""So many faults are told in one sentence."""


class NotReady(ReviewkitError):
    """The answers cannot be recorded yet; ``outcome.faults`` says why, for the desk to word."""

    def __init__(self, card_id: str, outcome: Outcome, form: Form) -> None:
        self.card_id = card_id
        self.outcome = outcome
        told = _FAULTS_OF_A_CODING if isinstance(form, Codebook) else _FAULTS
        faults = [told[each.code].format(check=each.check_id[:64]) for each in outcome.faults]
        more = [f"and {len(faults) - _NAMED} more faults"] if len(faults) > _NAMED else []
        said = "; ".join((*faults[:_NAMED], *more))
        super().__init__(f"{card_id}: not recorded: {said}; complete the card and save again")


class CardChanged(ReviewkitError):
    """The card or its form is no longer what the answers were given on."""

    def __init__(self, card_id: str, what: str) -> None:
        self.card_id = card_id
        super().__init__(
            f"{card_id}: not recorded: {what} changed since these answers were given; "
            "look at what changed, then save again (the draft is kept)"
        )


class PassNotComplete(ReviewkitError):
    """A pass cannot be locked while cards are neither decided nor skipped."""

    def __init__(self, open_cards: tuple[str, ...], total: int) -> None:
        self.open_cards = open_cards
        named = ", ".join(open_cards[:5]) + (", ..." if len(open_cards) > 5 else "")
        super().__init__(
            f"not locked: {len(open_cards)} of {total} cards are neither decided nor skipped "
            f"({named}); judge or skip them, then lock"
        )


def submit_decision(
    ledger: Ledger,
    *,
    form: Form,
    card_id: str,
    card_digest: str,
    current_digest: str,
    facts: Mapping[str, str],
    answers: Mapping[str, AnswerValue],
    note: str,
    escalated: bool,
    seconds: float,
    click_id: str,
    study: str,
    round_: str,
    pass_: str,
    rater: str,
    origin: Origin,
    form_digest: str | None = None,
    texts: Mapping[str, str] | None = None,
    found: Mapping[str, tuple[tuple[int, int], ...]] | None = None,
    unsure: bool = False,
    defects: Mapping[str, str] | None = None,
    families: Collection[str] = (),
    kind: Kind = "decision",
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> Record:
    """Derive what the answers make, record them and return the record once it is on the disk.

    Args:
        ledger: where to record it.
        form: the form as it is now.
        card_id: the card.
        card_digest: the digest of the card that the answers were given on.
        current_digest: the digest of the card as it is now.
        facts: what ``applies_when`` may ask about.
        answers: check or field id -> answer, for what applies.
        note: the note; needed when a check failed.
        escalated: whether ``needs_fix`` is made ``rejected``.
        seconds: time spent.
        click_id: made anew for every intent to submit; a repetition is not recorded twice.
        study: the study.
        round_: the round.
        pass_: the pass.
        rater: the rater.
        origin: the door.
        form_digest: the digest of the form that the answers were given on, where it is known.
        texts: role -> text of the card, for spans.
        found: field id -> places of watchlist matches that must be settled.
        unsure: whether the rater would look at the card again.
        defects: failed check -> family of defects, where one is named.
        families: the families that the project knows; no other is recorded.
        kind: ``decision``, or an adjudicator's ``first_label`` or ``adjudication``.
        reason: why an adjudicator changed what he had labelled first.
        details: what the kind alone carries.

    Raises NotReady with the faults of the answers, CardChanged, RecordRefused for a defect of a
    check that did not fail or of no known family, or what ``append`` raises.
    """
    _must_have_types(answers, note, escalated, seconds)
    if ledger.find(click_id) is None:
        if card_digest != current_digest:
            raise CardChanged(card_id, "the card")
        if form_digest is not None and form_digest != form.digest:
            raise CardChanged(card_id, f"the form {form.name}")
    outcome = derive_outcome(
        form, facts, answers, note=note, escalated=escalated, texts=texts, found=found
    )
    if outcome.faults:
        raise NotReady(card_id, outcome, form)
    named, earlier = dict(defects or {}), ledger.find(click_id)
    if earlier is None:
        _must_be_defects(named, outcome, form, families)
    elif earlier.schema_version < 3:
        # a click whose acknowledgement was lost before defects were asked for
        named = dict(earlier.defects)
    return ledger.append(
        _entry(
            kind=kind,
            click_id=click_id,
            study=study,
            round=round_,
            pass_=pass_,
            rater=rater,
            origin=origin,
            card_id=card_id,
            card_digest=card_digest,
            form=form.form,
            form_kind="codebook" if isinstance(form, Codebook) else "checklist",
            form_version=form.version,
            form_digest=form.digest,
            asked=outcome.asked,
            answers=outcome.answers,
            defects=named,
            derived=outcome.derived,
            unsure=unsure,
            note=note,
            escalated=escalated,
            verdict=outcome.verdict,
            rule_version=RULE_VERSION,
            seconds=_clamped(seconds),
            reason=reason,
            details=dict(details or {}),
        )
    )


def skip_card(
    ledger: Ledger,
    *,
    card_id: str,
    card_digest: str,
    reason: str,
    seconds: float,
    click_id: str,
    study: str,
    round_: str,
    pass_: str,
    rater: str,
    origin: Origin,
) -> Record:
    """Record that the rater passes the card by, for a reason or for none; it may be judged later.

    A skip after a decision puts that decision out of force, as a changed mind does.
    """
    return ledger.append(
        _entry(
            kind="skip",
            click_id=click_id,
            study=study,
            round=round_,
            pass_=pass_,
            rater=rater,
            origin=origin,
            card_id=card_id,
            card_digest=card_digest,
            reason=reason,
            seconds=_clamped(seconds),
        )
    )


def open_cards(records: tuple[Record, ...], cards: Mapping[str, str]) -> tuple[str, ...]:
    """Return the cards (id -> digest now) that are neither skipped nor decided as they are now."""
    judged = effective_judgements(records)
    return tuple(
        card_id
        for card_id, digest in cards.items()
        if (record := judged.get(card_id)) is None
        or (record.kind == "decision" and record.card_digest != digest)
    )


def lock_pass(
    ledger: Ledger,
    *,
    cards: Mapping[str, str],
    click_id: str,
    study: str,
    round_: str,
    pass_: str,
    rater: str,
    origin: Origin,
) -> Record:
    """Seal the pass with a digest of its decisions and return the lock.

    Args:
        ledger: the ledger of the pass.
        cards: every card of the pass and its digest now.
        click_id: made anew for every intent to lock.
        study: the study.
        round_: the round.
        pass_: the pass.
        rater: the rater.
        origin: the door.

    Raises PassNotComplete while a card is neither decided (as it is now) nor skipped, PassLocked
    when the pass is sealed already, or what ``append`` raises.
    """
    for _ in range(_LOCK_TRIES):
        earlier = ledger.find(click_id)
        if earlier is not None and earlier.kind == "lock":
            return ledger.append(earlier)
        records = ledger.records()
        state = pass_state(records)
        if state.lock is not None:
            raise PassLocked(state.lock)
        waiting = open_cards(records, cards)
        if waiting:
            raise PassNotComplete(waiting, len(cards))
        entry = _entry(
            kind="lock",
            click_id=click_id,
            study=study,
            round=round_,
            pass_=pass_,
            rater=rater,
            origin=origin,
            details={**lock_details(state.judged), "cards": len(cards)},
        )
        try:
            return ledger.append(entry)
        except RecordRefused:
            # Another tab judged a card in between: the lock must seal that judgement too.
            if len(ledger.records()) == len(records):
                raise
    raise RecordRefused(
        "another tab kept judging while the pass was being locked", "close it and lock again"
    )


def reopen_pass(
    ledger: Ledger,
    *,
    reason: str,
    by: str,
    click_id: str,
    study: str,
    round_: str,
    pass_: str,
    rater: str,
    origin: Origin,
) -> Record:
    """Let a locked pass take judgements again; the lead ``by`` says why.

    The record names the lock it lifts, so the digest that was given out stays findable.
    """
    lock = pass_state(ledger.records()).lock
    earlier = ledger.find(click_id)
    if earlier is not None and earlier.kind == "reopen":
        return ledger.append(earlier)
    return ledger.append(
        _entry(
            kind="reopen",
            click_id=click_id,
            study=study,
            round=round_,
            pass_=pass_,
            rater=rater,
            origin=origin,
            reason=reason,
            details={"by": by, "lock": lock.digest if lock else ""},
        )
    )


def _entry(**fields: Any) -> Entry:
    # Built unchecked: ``append`` checks every field of every entry and words what is wrong.
    return Entry.model_construct(**fields)


def _clamped(seconds: float) -> float:
    # A laptop closed over a weekend is no reason to lose a decision.
    return min(max(float(seconds), 0.0), DAY) if seconds == seconds else 0.0  # noqa: PLR0124


def _must_be_defects(
    defects: Mapping[Any, Any], outcome: Outcome, form: Form, families: Collection[str]
) -> None:
    """Refuse a family for what did not fail, and a family that nobody knows."""
    failed = () if isinstance(form, Codebook) else outcome.failed
    for check, family in defects.items():
        if check not in failed:
            raise RecordRefused(
                f"check {str(check)[:64]} did not fail, so it has no defect",
                "take the defect back and save again",
            )
        if not isinstance(family, str) or family not in families:
            raise RecordRefused(
                f"there is no family of defects {str(family)[:64]!r}",
                "choose one of checklists/defects/families.yaml and save again",
            )


def _must_have_types(answers: Any, note: object, escalated: object, seconds: object) -> None:
    """Refuse what a hostile message may hold where these are expected."""
    fits = (
        isinstance(answers, Mapping)
        and all(isinstance(name, str) for name in answers)
        and all(isinstance(value, str | tuple | list) for value in answers.values())
        and isinstance(note, str)
        and isinstance(escalated, bool)
        and isinstance(seconds, int | float)
    )
    if not fits:
        raise RecordRefused(
            "answers, note, escalation or time are not of their kind", "reload the page"
        )
    lists = [each for each in answers.values() if not isinstance(each, str)]
    if max(map(len, lists), default=0) > SPAN_LIMIT:
        raise RecordRefused(
            f"an answer has more than {SPAN_LIMIT} entries", "leave some out and save again"
        )
    if isinstance(note, str) and len(note) > NOTE_LIMIT:
        raise RecordRefused(
            f"the note has {len(note):,} characters and may have {NOTE_LIMIT:,}",
            "shorten it and save again",
        )
