"""One rater's walk: which cards, in which order, what stands on each, and the next one open.

A walk opens the ledger, the drafts and the pins of its own pass and no other rater's file. It
decides nothing about answers (that is ``questions`` and ``decisions``) and draws nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from reviewkit.bank import Bank, Group, load_group, read_bank
from reviewkit.cards import Card, card_from_group
from reviewkit.decisions import (
    Draft,
    Drafts,
    Entry,
    FileLedger,
    Origin,
    Record,
    effective_judgements,
    is_locked,
    lock_pass,
    skip_card,
    submit_decision,
)
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.questions import Form, FormShelf, load_forms
from reviewkit.study.contents import KeptContents
from reviewkit.study.pins import RoundPins, pin_round, read_pins
from reviewkit.study.study import Study, check_study, forms_by_type, load_study
from reviewkit.workspace import Workspace

Status = Literal["open", "accepted", "needs_fix", "rejected", "skipped", "changed"]
"""``changed``: there is a verdict, but on other content or another edition of the form."""


class CardUnreadable(ReviewkitError):
    """The file of a card cannot be read just now."""


class NoSuchCard(ReviewkitError):
    """The study has no card of this id."""


class _Whose(TypedDict):
    study: str
    round_: str
    pass_: str
    rater: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class _FileStamp:
    modified_ns: int
    size: int


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
        self._groups: dict[str, Group] = {
            card_id: found[card_id]
            for card_id in self.study.group_ids(self.bank)
            if card_id in found
        }
        self.card_ids: tuple[str, ...] = tuple(self._groups)
        self._cards: dict[str, Card] = {}
        self._stamps: dict[str, _FileStamp | None] = {
            card_id: self._stamp(group) for card_id, group in self._groups.items()
        }
        self._faults: dict[str, str] = {}
        path = ws.ledger(study_name, self.pass_.pass_, rater)
        self.ledger = FileLedger(path, ws.shown(path))
        self.drafts = Drafts(path.with_suffix(".draft.json"))
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
            {card_id: group.digest for card_id, group in self._groups.items()},
            {form.name: form.digest for form in self.forms.values()},
        )
        if any(record.kind == "start" for record in self.ledger.records()):
            return
        self.ledger.append(
            Entry(
                kind="start",
                click_id=f"start-{secrets.token_hex(8)}",
                study=self.study.study,
                round=self.round.round,
                pass_=self.pass_.pass_,
                rater=self.rater,
                origin=self.origin,
                details={"rulings": rulings_in_force},
            )
        )

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

    # cards

    def card(self, card_id: str) -> Card:
        """Return the card with its present content; raises NoSuchCard."""
        group = self._group(card_id)
        card = self._cards.get(card_id)
        if card is None or card.digest != group.digest:
            card = card_from_group(group, self.bank.taxonomy, group.source)
            self._cards[card_id] = card
        return card

    def form(self, card_id: str) -> Form:
        """Return the form the card is judged with."""
        return self.forms[self._group(card_id).test_type]

    def fault(self, card_id: str) -> str:
        """Return why the card's file cannot be read just now, or an empty string."""
        return self._faults.get(card_id, "")

    def look_again(self, card_id: str) -> bool:
        """Re-read the card's file when it was saved since; return whether anything changed."""
        group = self._group(card_id)
        stamp = self._stamp(group)
        if stamp == self._stamps[card_id]:
            return False
        before = (group.digest, self.fault(card_id))
        self._stamps[card_id] = stamp
        try:
            path = self.ws.root / group.source
            read = load_group(path, group.source, self.bank.taxonomy)
            found = [each for each in read if each.template_id == card_id]
            if not found:
                self._faults[card_id] = f"{group.source} no longer holds {card_id}"
            else:
                self._faults.pop(card_id, None)
                self._groups[card_id] = found[0]
                taken = self._ids_of_others(card_id) & {item.id for item in found[0].items}
                if taken:
                    self._faults[card_id] = (
                        f"{group.source}: item id {min(taken)} stands in another group"
                    )
        except (ProblemsFound, OSError) as error:
            self._faults[card_id] = str(error)
        return before != (self._groups[card_id].digest, self.fault(card_id))

    def _ids_of_others(self, card_id: str) -> set[str]:
        return {
            item.id
            for other_id, other in self._groups.items()
            if other_id != card_id
            for item in other.items
        }

    def _group(self, card_id: str) -> Group:
        try:
            return self._groups[card_id]
        except KeyError:
            raise NoSuchCard(
                f"study {self.study.study} has no card {card_id!r}; choose one from the list"
            ) from None

    def _stamp(self, group: Group) -> _FileStamp | None:
        try:
            stat = (self.ws.root / group.source).stat()
        except OSError:
            return None
        return _FileStamp(stat.st_mtime_ns, stat.st_size)

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
        same_content = judgement.card_digest == self._groups[card_id].digest
        if not same_content or judgement.form_digest != self.form(card_id).digest:
            return "changed"
        return judgement.verdict

    def reopened_checks(self, card_id: str) -> tuple[str, ...]:
        """Return the checks that a newer edition of the form opened on an unchanged card."""
        decision = self.decision(card_id)
        form = self.form(card_id)
        if (
            decision is None
            or decision.card_digest != self._group(card_id).digest
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
        group, form = self._group(card_id), self.form(card_id)
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

    def group(self, card_id: str) -> Group:
        """Return the group behind the card with its present content."""
        return self._group(card_id)

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
        group = self._group(card_id)
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
            card_digest=self._group(card_id).digest,
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
        cards = {card_id: group.digest for card_id, group in self._groups.items()}
        return lock_pass(self.ledger, cards=cards, click_id=click_id, **self._whose())

    def _whose(self) -> _Whose:
        return {
            "study": self.study.study,
            "round_": self.round.round,
            "pass_": self.pass_.pass_,
            "rater": self.rater,
            "origin": self.origin,
        }
