"""What the lead sees while a round is under way: counts and timing, never a label.

Nothing here reads an answer, a note, a verdict or a derived value; skipped cards are counted and
ranked nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any, Literal

from reviewkit.decisions import JUDGEMENTS, ChainedLedger, Record
from reviewkit.decisions.passes import pass_state
from reviewkit.study.forecast import Act, Pace, pace_of
from reviewkit.study.ledgers import ledger_of
from reviewkit.study.study import Pass, Round, Study
from reviewkit.workspace import Workspace

State = Literal["not_started", "in_progress", "locked", "withdrawn"]
Cards = Sequence[str] | Mapping[str, Sequence[str]]
"""The cards of every pass alike, or pass -> its cards."""


@dataclass(frozen=True, slots=True)
class PassProgress:
    """How far one pass is."""

    round: str
    pass_: str
    rater: str
    decided: int
    skipped: int
    total: int
    seconds_per_card: float | None
    """Median over the effective decisions; None before the first one."""
    last: str
    """Time of the rater's last act, or an empty string."""
    locked: bool
    lock_digest: str
    unsure: int = 0
    """Decided cards that the rater would look at again."""
    lock_time: str = ""
    withdrawn: str = ""
    """When consent was withdrawn, or an empty string."""
    pace: Pace | None = None

    @property
    def open(self) -> int:
        """Cards that are neither decided nor skipped."""
        return max(0, self.total - self.decided - self.skipped)

    @property
    def state(self) -> State:
        """Where the pass stands."""
        if self.withdrawn:
            return "withdrawn"
        if self.locked:
            return "locked"
        return "in_progress" if self.last else "not_started"

    @property
    def seconds_left(self) -> float | None:
        """Working time for the open cards at the recent pace; None without a pace or at the end."""
        if self.pace is None or not self.open or self.state != "in_progress":
            return None
        return self.pace.seconds_for(self.open)

    def as_json(self) -> dict[str, Any]:
        """Return the fields as a script reads them."""
        left = self.seconds_left
        return {
            "round": self.round,
            "pass": self.pass_,
            "rater": self.rater,
            "state": self.state,
            "decided": self.decided,
            "skipped": self.skipped,
            "open": self.open,
            "unsure": self.unsure,
            "total": self.total,
            "seconds_per_card": self.seconds_per_card,
            "cards_per_hour": None if self.pace is None else round(self.pace.cards_per_hour, 1),
            "seconds_left": None if left is None else round(left),
            "last": self.last,
            "locked": self.locked,
            "lock_digest": self.lock_digest,
            "lock_time": self.lock_time,
            "withdrawn": self.withdrawn,
        }


class PassLedgers:
    """The ledgers of a study's passes, kept open so that an unchanged file is read once."""

    def __init__(self, ws: Workspace, study: Study) -> None:
        self._ws = ws
        self._study = study.study
        self._kept: dict[str, ChainedLedger] = {}

    def records(self, each: Pass) -> tuple[Record, ...]:
        """Return all records of one pass; empty when nobody has opened it."""
        key = f"{each.pass_}/{each.rater}"
        if key not in self._kept:
            self._kept[key] = ledger_of(self._ws, self._study, each.pass_, each.rater)
        return self._kept[key].records()


def pass_records(ws: Workspace, study: Study, each: Pass) -> tuple[Record, ...]:
    """Return all records of one pass; empty when nobody has opened it."""
    return PassLedgers(ws, study).records(each)


def progress_of(
    round_: Round, each: Pass, card_ids: Sequence[str], records: Sequence[Record]
) -> PassProgress:
    """Count what stands in one pass, without reading a label out of it."""
    wanted = set(card_ids)
    state = pass_state(records)
    judged = [record for card_id, record in state.judged.items() if card_id in wanted]
    decisions = [record for record in judged if record.kind == "decision"]
    own = [record for record in records if record.details.get("by") is None]
    return PassProgress(
        round=round_.round,
        pass_=each.pass_,
        rater=each.rater,
        decided=len(decisions),
        skipped=len(judged) - len(decisions),
        total=len(wanted),
        seconds_per_card=median(record.seconds for record in decisions) if decisions else None,
        last=own[-1].time if own else "",
        locked=state.lock is not None,
        lock_digest=str(state.lock.details.get("digest", "")) if state.lock is not None else "",
        unsure=sum(record.unsure for record in decisions),
        lock_time=state.lock.time if state.lock is not None else "",
        withdrawn=state.withdrawal.time if state.withdrawal is not None else "",
        pace=pace_of(_acts(records)),
    )


def _acts(records: Sequence[Record]) -> list[Act]:
    """Return the judgements that a person made in front of a card; an import has no pace."""
    return [
        Act(record.card_id or "", datetime.fromisoformat(record.time), record.seconds)
        for record in records
        if record.kind in JUDGEMENTS and record.origin != "import"
    ]


def study_progress(
    ws: Workspace, study: Study, cards: Cards, ledgers: PassLedgers | None = None
) -> tuple[PassProgress, ...]:
    """Return the progress of every pass of the study, in the order of the study file."""
    read = ledgers or PassLedgers(ws, study)
    return tuple(
        progress_of(round_, each, _cards_of(cards, each), read.records(each))
        for round_ in study.rounds
        for each in round_.passes
    )


def _cards_of(cards: Cards, each: Pass) -> Sequence[str]:
    return cards.get(each.pass_, ()) if isinstance(cards, Mapping) else cards
