"""The adjudicator's work: he labels a card, then sees the codings, then confirms or changes.

A hearing has the public face of a walk, so that one desk drives either. It opens when the labels of
its round do. That a first label comes before the reveal is a rule of the adjudicator's ledger
(``decisions/hearings.py``), not of the screen.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from reviewkit.decisions import (
    Kind,
    Origin,
    Record,
    store_of,
)
from reviewkit.decisions.hearings import (
    ADJUDICATION,
    codes_digest,
    coding_details,
    digest_of_codes,
)
from reviewkit.decisions.second_readings import SECOND_READING
from reviewkit.problems import ReviewkitError
from reviewkit.questions import (
    AnswerValue,
    is_blank,
)
from reviewkit.study.docket import Docket
from reviewkit.study.names import folded_name
from reviewkit.study.opening import LabelsClosed
from reviewkit.study.seat import Seat, Start
from reviewkit.study.study import Study
from reviewkit.workspace import Workspace


class ReasonMissing(ReviewkitError):
    """A first label is changed after the reveal and nothing says why."""

    def __init__(self, card_id: str) -> None:
        self.card_id = card_id
        super().__init__(
            f"{card_id}: not recorded: your final codes are not those that you gave first; "
            "say in one sentence why you changed them, then save again"
        )


class UnknownExclusion(ReviewkitError):
    """The study file has no such ground for leaving a card without a final label."""


class NoCodingLeft(ReviewkitError):
    """Nobody's coding of the card is in force any more."""


class NotLockable(ReviewkitError):
    """An adjudication has no lock of its own."""


class Hearing(Docket, Seat):
    """The adjudication of one round by the person whom the study file names."""

    def __init__(
        self, ws: Workspace, study_name: str, adjudicator: str, *, origin: Origin,
        round_name: str | None = None,
    ) -> None:  # fmt: skip
        """Open the adjudication of a round; raises what a docket raises."""
        super().__init__(ws, study_name, adjudicator, round_name=round_name)
        self.origin: Origin = origin
        self._sit_down()

    # who

    @property
    def was_rater(self) -> bool:
        """Whether the adjudicator is or was a rater of the study, by its file or by a ledger."""
        me = folded_name(self.rater)
        if any(folded_name(each.rater) == me for r in self.study.rounds for each in r.passes):
            return True
        return any(
            folded_name(path.stem) == me and path.parent.name not in (ADJUDICATION, SECOND_READING)
            for path in store_of(self.ws).logs(self.ws.study_folder(self.study.study), "*/*.jsonl")
        )

    def start(self, rulings_in_force: int) -> None:
        """Record that the adjudication of the round begins, unless that is recorded."""
        if any(r.kind == "start" and r.round == self.round.round for r in self.ledger.records()):
            return
        details = {"rulings": rulings_in_force, "was_rater": self.was_rater}
        self.ledger.append(self._entry("start", f"start-{secrets.token_hex(8)}", details))

    @property
    def rulings_pin(self) -> int | None:
        """Return None: an adjudicator sees every ruling."""
        return None

    def lock(self, *, click_id: str) -> Record:
        """Raise NotLockable."""
        del click_id
        raise NotLockable(
            "an adjudication has no lock: what is settled stays, and only cards whose codes change"
            " come back; close the page when no card is open"
        )

    def limit_reached(self) -> bool:
        """Whether the adjudicator has begun the day's number of cards; none is cut in two."""
        limit = self.study.welfare.daily_limit
        if limit is None:
            return False
        today = datetime.now(UTC).date().isoformat()
        begun = {
            record.card_id
            for record in self.ledger.records()
            if record.kind in ("first_label", "adjudication", "exclusion")
            and record.time.startswith(today)
        }
        return len(begun) >= limit

    # the card on the screen

    def reopened_checks(self, card_id: str) -> tuple[str, ...]:
        """Return nothing: a card on another edition of the form is labelled anew as a whole."""
        del card_id
        return ()

    def starting_point(self, card_id: str) -> Start:
        """Return what the card opens with: a draft, else the latest label while it holds.

        A card that came back because its codes changed opens empty: it is labelled first again.
        """
        draft = self.draft(card_id)
        if draft is not None and draft.card_digest == self.digest(card_id):
            known = self.form(card_id).parts
            answers = {name: value for name, value in draft.answers.items() if name in known}
            return Start(answers, draft.note, draft.escalated, draft.unsure)
        label = self.decision(card_id)
        if label is None or self.mine(card_id) is None:
            return Start({})
        return Start(dict(label.answers), label.note, label.escalated, label.unsure)

    # acts

    def submit(
        self, card_id: str, card_digest: str, answers: Mapping[str, AnswerValue], note: str,
        *, escalated: bool, seconds: float, click_id: str, unsure: bool = False, reason: str = "",
    ) -> Record:  # fmt: skip
        """Record a first label, or after it the final one, and return its record.

        Raises LabelsClosed when a pass was reopened meanwhile, ReasonMissing, NotReady,
        CardChanged, CardUnreadable, NoCodingLeft, CannotWrite or LedgerBroken.
        """
        self.look_again(card_id)
        earlier = self.ledger.find(click_id)
        if earlier is not None:
            # the acknowledgement of this click got lost: it means what it meant then
            kind, details = earlier.kind, dict(earlier.details)
        else:
            kind, details = self._next_act(card_id, answers, note, escalated, reason)
        return self._record(
            card_id, card_digest, answers, note, escalated=escalated, unsure=unsure,
            seconds=seconds, click_id=click_id, kind=kind, reason=reason, details=details,
        )  # fmt: skip

    def _next_act(
        self, card_id: str, answers: Mapping[str, AnswerValue], note: str, escalated: bool,
        reason: str,
    ) -> tuple[Kind, dict[str, Any]]:  # fmt: skip
        details = self._details(card_id)
        first = self.first_in_force(card_id)
        if first is None:
            return "first_label", details
        outcome = self.outcome(card_id, answers, note, escalated=escalated)
        same = digest_of_codes(outcome.answers, outcome.verdict) == codes_digest(first)
        if not outcome.faults and not same and is_blank(reason):
            raise ReasonMissing(card_id)
        route = "confirmed" if same else "changed"
        return "adjudication", {**details, "route": route, "first_label": first.digest}

    def exclude(
        self, card_id: str, code: str, reason: str = "", *, click_id: str, seconds: float = 0.0
    ) -> Record:
        """Record that the card gets no final label, on one of the study's grounds.

        Raises UnknownExclusion, NoCodingLeft or LabelsClosed.
        """
        if code not in self.settings.exclusions:
            known = ", ".join(self.settings.exclusions)
            raise UnknownExclusion(f"{card_id}: no ground {code!r}; choose one of {known}")
        earlier = self.ledger.find(click_id)
        details = dict(earlier.details) if earlier else self._details(card_id) | {"code": code}
        return self.ledger.append(
            self._entry(
                "exclusion",
                click_id,
                details,
                card_id=card_id,
                card_digest=self.digest(card_id),
                reason=code if is_blank(reason) else reason,
                seconds=min(max(seconds, 0.0), 86_400.0),
            )
        )

    def _details(self, card_id: str) -> dict[str, Any]:
        codings = self.records_of(card_id)
        if not codings:
            raise NoCodingLeft(
                f"{card_id}: no coding of this card is in force, so there is nothing to settle;"
                " ask the lead"
            )
        return coding_details(codings)


@dataclass(frozen=True, slots=True)
class AdjudicationProgress:
    """How far an adjudication is: counts alone."""

    round: str
    opened: bool
    waiting_for: tuple[str, ...] = ()
    """The passes that keep it closed; until they are locked, how many cards differ is not told."""
    queue: int = 0
    """All cards that come before the adjudicator, those that are done included."""
    labelled: int = 0
    """Cards with a first label and no final one."""
    settled: int = 0
    excluded: int = 0
    changed: int = 0
    """Cards that came back because their codes, content or form changed."""
    skipped: int = 0


def adjudication_progress(
    ws: Workspace, study: Study, round_name: str | None = None
) -> AdjudicationProgress | None:
    """Return how far the adjudication of a round is; None when the study has none.

    Never a label, and nothing at all of the cards while the labels are closed.
    """
    if study.adjudication is None:
        return None
    name = round_name or study.rounds[-1].round
    try:
        docket = Docket(ws, study.study, study.adjudication.adjudicator, round_name=name)
    except LabelsClosed as closed:
        return AdjudicationProgress(name, opened=False, waiting_for=closed.waiting)
    statuses = list(docket.statuses().values())
    return AdjudicationProgress(
        name,
        opened=True,
        queue=len(statuses),
        labelled=statuses.count("labelled"),
        settled=statuses.count("coded"),
        excluded=statuses.count("excluded"),
        changed=statuses.count("changed"),
        skipped=statuses.count("skipped"),
    )
