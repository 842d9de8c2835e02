"""When labels open: after all passes of a round are locked, or by a recorded act of the lead.

Opening early and reopening a locked pass need a reason, are recorded, and every figure printed
afterwards says so. A pass whose rater withdrew consent is no longer waited for, and its labels are
in nothing that is read from here.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviewkit.decisions import (
    Entry,
    Record,
    effective_judgements,
    reopen_pass,
)
from reviewkit.decisions.passes import is_closed, withdrawal_in_force
from reviewkit.problems import ReviewkitError
from reviewkit.study.board import pass_records
from reviewkit.study.ledgers import lead_ledger_of, ledger_of
from reviewkit.study.study import Pass, Round, Study, UnknownStudy
from reviewkit.workspace import Workspace

LEAD = "lead"
"""The name under which acts of the lead are recorded in ``lead.jsonl``."""


class LabelsClosed(ReviewkitError):
    """The labels of the round are not open yet."""

    def __init__(self, said: str, waiting: Sequence[str] = ()) -> None:
        self.waiting = tuple(waiting)
        """The passes that are still open."""
        super().__init__(said)


class OpenAlready(ReviewkitError):
    """Every pass of the round is locked: there is nothing to open early."""


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
    """Without those whose raters withdrew consent."""
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
    return lead_ledger_of(ws, study.study).records()


def open_round(ws: Workspace, study: Study, round_: Round) -> OpenRound:
    """Return the labels of a round.

    Raises LabelsClosed while a pass is unlocked and no unblinding is recorded.
    """
    records = {each.pass_: pass_records(ws, study, each) for each in round_.passes}
    return opened(study, round_, records, lead_records(ws, study))


def keeps_labels_closed(study: Study, round_: Round) -> bool:
    """Return whether the labels of a round are closed until its passes are locked.

    A round of groups that is not blind, such as one in which mended groups are judged again, keeps
    nothing from anybody: its verdicts count at once.
    """
    return round_.is_blind or study.is_coding or study.second_review is not None


def told_round(ws: Workspace, study: Study, round_: Round) -> OpenRound:
    """Return the labels of a round as they may be told, and say what is not locked.

    Raises LabelsClosed as ``open_round`` does when the round keeps them closed.
    """
    records = {each.pass_: pass_records(ws, study, each) for each in round_.passes}
    unlocked = not keeps_labels_closed(study, round_)
    return opened(study, round_, records, lead_records(ws, study), unlocked=unlocked)


def opened(
    study: Study,
    round_: Round,
    records: Mapping[str, Sequence[Record]],
    lead: Iterable[Record],
    *,
    unlocked: bool = False,
) -> OpenRound:
    """Return the labels of a round from the records of its passes and the acts of the lead.

    With ``unlocked`` a pass that is not locked is told as well, and named in a notice.

    Raises LabelsClosed as ``open_round`` does.
    """
    waiting = [each for each in round_.passes if not is_closed(records[each.pass_])]
    unblindings = [
        record for record in lead if record.kind == "unblinding" and record.round == round_.round
    ]
    if waiting and not (unblindings or unlocked):
        names = " and ".join(f"{each.pass_} ({each.rater})" for each in waiting)
        raise LabelsClosed(
            f"labels of round {round_.round} stay closed until every pass is locked; still open:"
            f" {names}: lock with `reviewkit lock RATER --study {study.study}`",
            [each.pass_ for each in waiting],
        )
    notices = [
        f"Opened early by the lead on {record.time[:10]}: {record.reason}" for record in unblindings
    ]
    if waiting:
        notices.append(f"Not locked yet: {', '.join(each.pass_ for each in waiting)}.")
    taking_part: list[OpenPass] = []
    for each in round_.passes:
        withdrawal = withdrawal_in_force(records[each.pass_])
        if withdrawal is not None:
            notices.append(
                f"Pass {each.pass_} is left out: consent was withdrawn on {withdrawal.time[:10]}."
            )
            continue
        notices += [
            f"Pass {each.pass_} was reopened on {record.time[:10]}: {record.reason}"
            for record in records[each.pass_]
            if record.kind == "reopen"
        ]
        taking_part.append(
            OpenPass(each.pass_, each.rater, effective_judgements(records[each.pass_]))
        )
    return OpenRound(round_.round, tuple(taking_part), tuple(notices))


def of_present_texts(opened_round: OpenRound, digests: Mapping[str, str]) -> OpenRound:
    """Return the round without the codings of responses that are others now, or gone, and say so.

    Every table and figure of codings goes through here, so that all of them count the same.
    """
    passes = tuple(
        replace(
            each,
            decisions={
                card: record
                for card, record in each.decisions.items()
                if record.kind == "skip" or record.card_digest == digests.get(card)
            },
        )
        for each in opened_round.passes
    )
    notices = (*opened_round.notices, *_of_other_texts(opened_round, digests))
    return replace(opened_round, passes=passes, notices=notices)


def _of_other_texts(opened_round: OpenRound, digests: Mapping[str, str]) -> list[str]:
    """Return a notice when codings are of texts that the table has not, or not any more."""
    decided = {
        (card, record.card_digest)
        for each in opened_round.passes
        for card, record in each.decisions.items()
        if record.kind == "decision"
    }
    gone = {card for card, _ in decided if card not in digests}
    changed = {card for card, digest in decided if digests.get(card) != digest} - gone
    said: list[str] = []
    if changed:
        number = "1 card was" if len(changed) == 1 else f"{len(changed)} cards were"
        said.append(f"{number} changed after the coding; what was said of the old text is out.")
    if gone:
        number = "1 coded card is" if len(gone) == 1 else f"{len(gone)} coded cards are"
        said.append(f"{number} no longer in the table and out of every figure.")
    return said


def unblind(ws: Workspace, study: Study, round_: Round, reason: str) -> Record:
    """Record that the lead opens the labels of a round before all its passes are locked.

    Raises OpenAlready when they all are: the record would be a notice that is not true.
    """
    if all(is_closed(pass_records(ws, study, each)) for each in round_.passes):
        raise OpenAlready(
            f"labels of round {round_.round} are open already, since every pass is locked; nothing"
            f" was recorded: read them with `reviewkit agree {study.study}`"
        )
    return lead_ledger_of(ws, study.study).append(
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
    return reopen_pass(
        ledger_of(ws, study.study, each.pass_, each.rater),
        reason=reason,
        by=LEAD,
        click_id=secrets.token_hex(8),
        study=study.study,
        round_=round_.round,
        pass_=each.pass_,
        rater=each.rater,
        origin="cli",
    )


def withdraw(
    ws: Workspace, study: Study, round_: Round, each: Pass, reason: str = "", by: str = LEAD
) -> Record:
    """Record in the pass's own ledger that its rater withdraws consent, and return the record.

    The records stay; no label of the pass is in any table or figure from then on, and the pass
    takes none any more. No reason is asked for. A second withdrawal gives the first one back.
    """
    ledger = ledger_of(ws, study.study, each.pass_, each.rater)
    earlier = withdrawal_in_force(ledger.records())
    if earlier is not None:
        return earlier
    return ledger.append(
        # built unchecked: ``append`` checks every field of every entry and words what is wrong
        Entry.model_construct(
            kind="withdrawal",
            click_id=secrets.token_hex(8),
            study=study.study,
            round=round_.round,
            pass_=each.pass_,
            rater=each.rater,
            origin="cli",
            reason=reason,
            details={"by": by},
        )
    )
