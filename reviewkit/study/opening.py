"""When labels open: after all passes of a round are locked, or by a recorded act of the lead.

Opening early and reopening a locked pass need a reason, are recorded, and every figure printed
afterwards says so.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from reviewkit.decisions import (
    Entry,
    FileLedger,
    Record,
    effective_judgements,
    is_locked,
    reopen_pass,
)
from reviewkit.problems import ReviewkitError
from reviewkit.study.board import pass_records
from reviewkit.study.study import Pass, Round, Study, UnknownStudy
from reviewkit.workspace import Workspace

LEAD = "lead"
"""The name under which acts of the lead are recorded in ``lead.jsonl``."""


class LabelsClosed(ReviewkitError):
    """The labels of the round are not open yet."""


@dataclass(frozen=True, slots=True)
class OpenPass:
    """A pass whose labels may be read: its effective record on every card."""

    pass_: str
    rater: str
    decisions: dict[str, Record]
    """Card id -> effective decision, or the skip where there is no decision."""


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round whose labels may be read, with what must be said beside every figure."""

    round: str
    passes: tuple[OpenPass, ...]
    notices: tuple[str, ...]


def find_round(study: Study, name: str | None) -> Round:
    """Return the named round, or the last one; raises UnknownStudy when there is none."""
    if name is None:
        return study.rounds[-1]
    for round_ in study.rounds:
        if round_.round == name:
            return round_
    known = ", ".join(round_.round for round_ in study.rounds)
    raise UnknownStudy(f"study {study.study} has no round {name!r}; its rounds are {known}")


def lead_records(ws: Workspace, study: Study) -> tuple[Record, ...]:
    """Return the acts of the lead in this study."""
    path = ws.lead_ledger(study.study)
    return FileLedger(path, ws.shown(path)).records() if path.exists() else ()


def open_round(ws: Workspace, study: Study, round_: Round) -> OpenRound:
    """Return the labels of a round.

    Raises LabelsClosed while a pass is unlocked and no unblinding is recorded.
    """
    records = {each.pass_: pass_records(ws, study, each) for each in round_.passes}
    unlocked = [each for each in round_.passes if not is_locked(records[each.pass_])]
    notices: list[str] = []
    unblindings = [
        record
        for record in lead_records(ws, study)
        if record.kind == "unblinding" and record.round == round_.round
    ]
    if unlocked and not unblindings:
        names = " and ".join(f"{each.pass_} ({each.rater})" for each in unlocked)
        raise LabelsClosed(
            f"labels of round {round_.round} stay closed until every pass is locked; still open:"
            f" {names}: lock with `reviewkit lock RATER --study {study.study}`"
        )
    notices += [
        f"Opened early by the lead on {record.time[:10]}: {record.reason}" for record in unblindings
    ]
    if unlocked:
        notices.append(f"Not locked yet: {', '.join(each.pass_ for each in unlocked)}.")
    for each in round_.passes:
        notices += [
            f"Pass {each.pass_} was reopened on {record.time[:10]}: {record.reason}"
            for record in records[each.pass_]
            if record.kind == "reopen"
        ]
    return OpenRound(
        round_.round,
        tuple(
            OpenPass(each.pass_, each.rater, effective_judgements(records[each.pass_]))
            for each in round_.passes
        ),
        tuple(notices),
    )


def unblind(ws: Workspace, study: Study, round_: Round, reason: str) -> Record:
    """Record that the lead opens the labels of a round before all its passes are locked."""
    path = ws.lead_ledger(study.study)
    return FileLedger(path, ws.shown(path)).append(
        # built unchecked: ``append`` checks every field of every entry and words what is wrong
        Entry.model_construct(
            kind="unblinding",
            click_id=secrets.token_hex(8),
            study=study.study,
            round=round_.round,
            pass_=LEAD,
            rater=LEAD,
            origin="cli",
            reason=reason,
        )
    )


def reopen(ws: Workspace, study: Study, round_: Round, each: Pass, reason: str) -> Record:
    """Record in the pass's own ledger that the lead lets its rater go on after a lock."""
    path = ws.ledger(study.study, each.pass_, each.rater)
    return reopen_pass(
        FileLedger(path, ws.shown(path), owner=(study.study, each.pass_, each.rater)),
        reason=reason,
        by=LEAD,
        click_id=secrets.token_hex(8),
        study=study.study,
        round_=round_.round,
        pass_=each.pass_,
        rater=each.rater,
        origin="cli",
    )
