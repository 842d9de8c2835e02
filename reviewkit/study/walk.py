"""One rater's walk: which cards, in which order, what stands on each, and the next one open.

A walk opens the ledger, the drafts and the pins of its own pass and no other rater's file. It
decides nothing about answers (that is ``questions`` and ``decisions``) and draws nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal, TypedDict

from reviewkit.bank import Bank, Group, read_bank
from reviewkit.cards import Card
from reviewkit.decisions import (
    CannotWrite,
    Draft,
    Drafts,
    Entry,
    FileLedger,
    Origin,
    PassNotComplete,
    Record,
    effective_judgements,
    is_locked,
    lock_pass,
    skip_card,
    submit_decision,
)
from reviewkit.problems import ProblemsFound
from reviewkit.questions import Form, FormShelf, load_forms
from reviewkit.study.contents import KeptContents
from reviewkit.study.live_groups import CardUnreadable, LiveGroups
from reviewkit.study.pins import RoundPins, pin_round, read_pins
from reviewkit.study.study import Study, check_study, forms_by_type, load_study
from reviewkit.study.welfare import decided_today, has_consented
from reviewkit.workspace import Workspace

Status = Literal["open", "accepted", "needs_fix", "rejected", "skipped", "changed"]
"""``changed``: there is a verdict, but on other content or another edition of the form."""


Details = dict[str, Any]


class _Whose(TypedDict):
    study: str
    round_: str
    pass_: str
    rater: str
    origin: Origin


class Walk:
    """A rater's independent pass over the cards of a study."""

    def __init__(
        self, ws: Workspace, study_name: str, rater: str, *, origin: Origin,
        pass_name: str | None = None,
    ) -> None:  # fmt: skip
        """Open the pass of ``rater``.

        Raises UnknownStudy, UnknownRater, ProblemsFound (bank, forms or study at fault) or
        LedgerBroken.
        """
        self.ws = ws
        self.study: Study = load_study(ws, study_name)
        self.round, self.pass_ = self.study.find_pass(rater, pass_name)
        self.origin: Origin = origin
        self.shelf: FormShelf = load_forms(ws.checklists)
        self.bank: Bank
        self.bank, self.left_out = read_bank(ws)
        shown = ws.shown(ws.study_file(study_name))
        # a group whose file is in the middle of an edit is missing for now, not for good
        problems = check_study(
            self.study, self.bank, self.shelf, shown, groups_known=not self.left_out
        )
        if problems:
            raise ProblemsFound([*problems, *self.left_out])
        self.forms: dict[str, Form] = forms_by_type(self.study, self.shelf)
        found = {group.template_id: group for group in self.bank.groups}
        ids = [each for each in self.study.group_ids(self.bank) if each in found]
        self._live = LiveGroups(ws, self.bank.taxonomy, [found[each] for each in ids], self.forms)
        self.card_ids: tuple[str, ...] = tuple(ids)
        path = ws.ledger(study_name, self.pass_.pass_, rater)
        owner = (study_name, self.pass_.pass_, rater)
        self.ledger = FileLedger(path, ws.shown(path), owner=owner)
        drafts = path.with_suffix(".draft.json")
        self.drafts = Drafts(drafts, ws.shown(drafts))
        self.writer_path = path.with_suffix(".writer.json")
        self._contents = KeptContents(ws.contents)
        self._pins: RoundPins | None = None
        self._rulings_pin: int | None = None

    @property
    def rater(self) -> str:
        """The rater's name."""
        return self.pass_.rater

    # what the pass holds fast

    def start(self, rulings_in_force: int) -> None:
        """Pin the round and write the pass's first record, unless they are there."""
        self._pins = pin_round(
            self.ws.pins(self.study.study, self.round.round),
            self._live.digests(),
            {form.name: form.digest for form in self.forms.values()},
        )
        if any(record.kind == "start" for record in self.ledger.records()):
            return
        details = {"rulings": rulings_in_force}
        self.ledger.append(self._entry("start", f"start-{secrets.token_hex(8)}", details))

    @property
    def pins(self) -> RoundPins:
        """What the round holds fast; nothing while nobody has started."""
        if self._pins is None:
            path = self.ws.pins(self.study.study, self.round.round)
            return read_pins(path) if path.exists() else RoundPins({}, {})
        return self._pins

    @property
    def rulings_pin(self) -> int | None:
        """How many lines of the rulings log the rater may see, or None: all of them."""
        if not self.round.is_blind:
            return None
        if self._rulings_pin is None:
            starts = [record for record in self.ledger.records() if record.kind == "start"]
            self._rulings_pin = int(starts[0].details.get("rulings", 0)) if starts else 0
        return self._rulings_pin

    @property
    def locked(self) -> bool:
        """Whether the pass is sealed."""
        return is_locked(self.ledger.records())

    @property
    def warning_due(self) -> bool:
        """Whether the content warning is still to be read before any card is shown."""
        warned = self.study.welfare.content_warning is not None
        return warned and not self.locked and not has_consented(self.ledger.records())

    def limit_reached(self) -> bool:
        """Whether the rater has made the day's number of decisions."""
        limit = self.study.welfare.daily_limit
        return limit is not None and decided_today(self.ledger.records()) >= limit

    # cards

    def card(self, card_id: str) -> Card:
        """Return the card with its present content; raises NoSuchCard."""
        return self._live.card(card_id)

    def form(self, card_id: str) -> Form:
        """Return the form the card is judged with."""
        return self.forms[self.group(card_id).test_type]

    def group(self, card_id: str) -> Group:
        """Return the group behind the card with its present content; raises NoSuchCard."""
        return self._live.group(card_id)

    def fault(self, card_id: str) -> str:
        """Return why the card's file cannot be read just now, or an empty string."""
        return self._live.fault(card_id)

    def look_again(self, card_id: str) -> bool:
        """Re-read the card's file when it was saved since; return whether anything changed."""
        return self._live.look_again(card_id)

    # what stands on a card

    def decision(self, card_id: str) -> Record | None:
        """Return the rater's effective decision on the card, whatever content it was made on."""
        judgement = effective_judgements(self.ledger.records()).get(card_id)
        return judgement if judgement is not None and judgement.kind == "decision" else None

    def statuses(self) -> dict[str, Status]:
        """Return what stands on every card, in walking order."""
        judgements = effective_judgements(self.ledger.records())
        return {
            card_id: self._status(card_id, judgements.get(card_id)) for card_id in self.card_ids
        }

    def _status(self, card_id: str, judgement: Record | None) -> Status:
        if judgement is None:
            return "open"
        if judgement.kind == "skip" or judgement.verdict is None:
            return "skipped"
        same_content = judgement.card_digest == self.group(card_id).digest
        if not same_content or judgement.form_digest != self.form(card_id).digest:
            return "changed"
        return judgement.verdict

    def reopened_checks(self, card_id: str) -> tuple[str, ...]:
        """Return the checks that a newer edition of the form opened on an unchanged card."""
        decision = self.decision(card_id)
        form = self.form(card_id)
        if (
            decision is None
            or decision.card_digest != self.group(card_id).digest
            or decision.form_digest == form.digest
        ):
            return ()
        carried = self._carried_answers(decision, form)
        return tuple(check.id for check in form.checks if check.id not in carried)

    def starting_point(self, card_id: str) -> tuple[Mapping[str, str], str, bool]:
        """Return the answers, note and escalation that the card opens with.

        A draft on this very content comes first, else the decision on it; of a decision on another
        edition of the form only the checks that did not change are carried over. A card whose
        content changed since opens with the earlier note and no answers: they were about a text
        that is no longer there.
        """
        group, form = self.group(card_id), self.form(card_id)
        draft = self.drafts.load(card_id)
        if draft is not None and draft.card_digest == group.digest:
            known = {check.id for check in form.checks}
            answers = {name: value for name, value in draft.answers.items() if name in known}
            return answers, draft.note, draft.escalated
        if draft is not None:
            return {}, draft.note, False
        decision = self.decision(card_id)
        if decision is None:
            return {}, "", False
        if decision.card_digest != group.digest:
            return {}, decision.note, False
        if decision.form_digest == form.digest:
            return dict(decision.answers), decision.note, decision.escalated
        return self._carried_answers(decision, form), decision.note, decision.escalated

    def _carried_answers(self, decision: Record, form: Form) -> dict[str, str]:
        earlier = self.shelf.by_digest(decision.form_digest or "")
        if earlier is None:
            return {}
        unchanged = {check.id: check.digest for check in earlier.checks}
        return {
            check.id: decision.answers[check.id]
            for check in form.checks
            if unchanged.get(check.id) == check.digest and check.id in decision.answers
        }

    def content_before(self, digest: str) -> dict[str, Any] | None:
        """Return the content that an earlier verdict was made on, if this machine kept it."""
        return self._contents.find(digest)

    # acts

    def save_draft(
        self, card_id: str, card_digest: str, answers: Mapping[str, str], note: str,
        escalated: bool,
    ) -> Draft:  # fmt: skip
        """Keep what is on the screen, so that a reload or a dead kernel loses nothing."""
        return self.drafts.save(
            card_id,
            card_digest=card_digest,
            form_digest=self.form(card_id).digest,
            answers=answers,
            note=note,
            escalated=escalated,
        )

    def submit(
        self, card_id: str, card_digest: str, answers: Mapping[str, str], note: str,
        *, escalated: bool, seconds: float, click_id: str,
    ) -> Record:  # fmt: skip
        """Record the decision and return its record once it is on disk.

        Raises NotReady when the rule refuses the answers, CardChanged when the card was edited
        since it was shown, CardUnreadable, PassLocked, CannotWrite or LedgerBroken.
        """
        self.look_again(card_id)
        if self.fault(card_id):
            raise CardUnreadable(self.fault(card_id))
        group = self.group(card_id)
        card = self.card(card_id)
        record = submit_decision(
            self.ledger,
            form=self.form(card_id),
            card_id=card_id,
            card_digest=card_digest,
            current_digest=group.digest,
            facts=card.facts,
            answers=answers,
            note=note,
            escalated=escalated,
            seconds=seconds,
            click_id=click_id,
            **self._whose(),
        )
        # the decision is on disk: a draft that stays beside it is no reason to say otherwise
        with suppress(CannotWrite):
            self.drafts.clear(card_id)
        self._contents.keep(group.digest, group.content)
        return record

    def skip(
        self, card_id: str, *, click_id: str, reason: str = "", seconds: float = 0.0
    ) -> Record:
        """Record that the rater passes over the card; no explanation is asked for."""
        return skip_card(
            self.ledger,
            card_id=card_id,
            card_digest=self.group(card_id).digest,
            reason=reason,
            seconds=seconds,
            click_id=click_id,
            **self._whose(),
        )

    def lock(self, *, click_id: str) -> Record:
        """Seal the pass with a digest of all its effective decisions.

        Raises PassNotComplete while a card is neither decided nor skipped, CardUnreadable while
        a group file is left out.
        """
        if self.left_out:
            raise CardUnreadable(f"not locked: a group file cannot be read: {self.left_out[0]}")
        for card_id in self.card_ids:
            self.look_again(card_id)
        self.ledger.recover()  # a last record that lost its newline counts as well
        cards = self._live.digests()
        waiting = tuple(c for c, status in self.statuses().items() if status == "changed")
        if waiting and not self.locked:
            raise PassNotComplete(waiting, len(cards))
        return lock_pass(self.ledger, cards=cards, click_id=click_id, **self._whose())

    def consent(self, *, click_id: str) -> Record:
        """Record that the rater has read the content warning and goes on."""
        return self.ledger.append(self._entry("consent", click_id, {}))

    def _entry(self, kind: Literal["start", "consent"], click_id: str, details: Details) -> Entry:
        whose = self._whose()
        return Entry(
            kind=kind,
            click_id=click_id,
            study=whose["study"],
            round=whose["round_"],
            pass_=whose["pass_"],
            rater=whose["rater"],
            origin=whose["origin"],
            details=details,
        )

    def _whose(self) -> _Whose:
        return {
            "study": self.study.study,
            "round_": self.round.round,
            "pass_": self.pass_.pass_,
            "rater": self.rater,
            "origin": self.origin,
        }
