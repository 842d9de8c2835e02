"""What the lead sees while a round is under way: counts and timing, never a label."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from reviewkit.decisions import FileLedger, Record, effective_judgements, lock_in_force
from reviewkit.study.study import Pass, Round, Study
from reviewkit.workspace import Workspace


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
    """Time of the last record, or an empty string."""
    locked: bool
    lock_digest: str

    def as_json(self) -> dict[str, Any]:
        """Return the fields as a script reads them."""
        return {
            "round": self.round,
            "pass": self.pass_,
            "rater": self.rater,
            "decided": self.decided,
            "skipped": self.skipped,
            "total": self.total,
            "seconds_per_card": self.seconds_per_card,
            "last": self.last,
            "locked": self.locked,
            "lock_digest": self.lock_digest,
        }


def pass_records(ws: Workspace, study: Study, each: Pass) -> tuple[Record, ...]:
    """Return all records of one pass; empty when nobody has opened it."""
    path = ws.ledger(study.study, each.pass_, each.rater)
    owner = (study.study, each.pass_, each.rater)
    return FileLedger(path, ws.shown(path), owner=owner).records()


def progress_of(
    ws: Workspace, study: Study, round_: Round, each: Pass, card_ids: tuple[str, ...]
) -> PassProgress:
    """Count what stands in one pass, without reading a label out of it."""
    records = pass_records(ws, study, each)
    judged = [
        record for card_id, record in effective_judgements(records).items() if card_id in card_ids
    ]
    decisions = [record for record in judged if record.kind == "decision"]
    lock = lock_in_force(records)
    return PassProgress(
        round=round_.round,
        pass_=each.pass_,
        rater=each.rater,
        decided=len(decisions),
        skipped=len(judged) - len(decisions),
        total=len(card_ids),
        seconds_per_card=median(record.seconds for record in decisions) if decisions else None,
        last=records[-1].time if records else "",
        locked=lock is not None,
        lock_digest=str(lock.details.get("digest", "")) if lock is not None else "",
    )


def study_progress(
    ws: Workspace, study: Study, card_ids: tuple[str, ...]
) -> tuple[PassProgress, ...]:
    """Return the progress of every pass of the study, in the order of the study file."""
    return tuple(
        progress_of(ws, study, round_, each, card_ids)
        for round_ in study.rounds
        for each in round_.passes
    )
