"""What was said of every group in the study of record, one event after the other.

A later decision of one pass on the same content is a changed mind and takes the place of the
earlier one; on another content, or in another pass, it is a review of its own. While the round of a
blind pass is closed an event says that there is a verdict and nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reviewkit.authoring.standing import (
    SECOND_REVIEW,
    State,
    failed_second_reviews,
    passes_of_record,
    round_is_closed,
)
from reviewkit.bank import Bank
from reviewkit.decisions import Record, pass_state
from reviewkit.decisions.hearings import ADJUDICATION
from reviewkit.questions.defects import Families
from reviewkit.study import LabelsClosed, Study
from reviewkit.study.board import pass_records
from reviewkit.study.docket import Docket
from reviewkit.workspace import Workspace

VERDICTS: tuple[State, ...] = ("accepted", "needs_fix", "rejected")


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """One failed check of one verdict, and the kind of defect that stands behind it."""

    check: str
    """``t1/one_variable``."""
    family: str = ""
    """The id of the family; empty where nobody named one and no check suggests one."""
    chosen: bool = False
    """Whether the reviewer named the family; else the check suggested it."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that was said of a group."""

    template_id: str
    state: State
    """``reviewed``: there is a verdict, and it is closed until the locks."""
    time: str
    by: str
    """The pass, ``adjudication`` or ``second-review``; never a rater's name."""
    digest: str
    """The digest of the content it was said of."""
    form: str = ""
    """The form and its version: ``t1@1``."""
    form_digest: str = ""
    failed: tuple[FailedCheck, ...] = ()
    note: str = ""

    @property
    def is_verdict(self) -> bool:
        """Whether it is a verdict that may be read."""
        return self.state in VERDICTS


@dataclass(frozen=True, slots=True)
class Histories:
    """The events of every group, by template id, in order of time."""

    events: Mapping[str, tuple[Event, ...]] = field(default_factory=dict[str, tuple[Event, ...]])

    def of(self, template_id: str) -> tuple[Event, ...]:
        """Return what was said of a group."""
        return self.events.get(template_id, ())

    def verdicts(self, template_id: str) -> tuple[Event, ...]:
        """Return the verdicts on a group that may be read."""
        return tuple(each for each in self.of(template_id) if each.is_verdict)


def histories_of(
    ws: Workspace, bank: Bank, study: Study, families: Families, template_ids: Iterable[str]
) -> Histories:
    """Return what the primary pass, its rater's later passes and the adjudication said.

    Of second reviews it returns the verdicts that sent a group back.

    Args:
        ws: The project folder.
        bank: The bank as it is now.
        study: The study of record.
        families: The kinds of defects; a failed check suggests one where the reviewer named none.
        template_ids: The groups, those that left the bank included.

    Raises:
        LedgerBroken: When a ledger is damaged.
        ProblemsFound: When the study is at fault.
    """
    wanted = set(template_ids)
    found: dict[str, list[Event]] = {each: [] for each in wanted}
    settled_in: set[str] = set()
    for round_, each in passes_of_record(study):
        closed = round_.is_blind and round_is_closed(ws, study, round_)
        for record in _judgements(pass_records(ws, study, each)):
            if record.card_id in wanted:
                event = _event(record, families, by=each.pass_, closed=closed)
                _add(found[record.card_id], event)
        if not closed and round_.round not in settled_in:
            settled_in.add(round_.round)
            for record in _settled(ws, study, round_.round):
                if record.card_id in wanted:
                    _add(found[record.card_id], _event(record, families, by=ADJUDICATION))
    for record in failed_second_reviews(ws, bank, study):
        if record.card_id in wanted:
            _add(found[record.card_id], _event(record, families, by=SECOND_REVIEW))
    return Histories(
        {
            name: tuple(sorted(events, key=lambda event: event.time))
            for name, events in found.items()
        }
    )


def _judgements(records: Iterable[Record]) -> list[Record]:
    """Return the decisions and skips of a pass, none when consent was withdrawn."""
    kept = list(records)
    if pass_state(kept).withdrawal is not None:
        return []
    return [each for each in kept if each.kind in ("decision", "skip")]


def _settled(ws: Workspace, study: Study, round_name: str) -> list[Record]:
    if study.adjudication is None:
        return []
    try:
        docket = Docket(ws, study.study, study.adjudication.adjudicator, round_name=round_name)
    except LabelsClosed:
        return []
    return [
        each for each in docket.ledger.records()
        if each.kind in ("adjudication", "exclusion") and each.round == round_name
    ]  # fmt: skip


def _event(record: Record, families: Families, *, by: str, closed: bool = False) -> Event:
    card_id, digest = record.card_id or "", record.card_digest or ""
    if record.kind in ("skip", "exclusion"):
        state: State = "skipped" if record.kind == "skip" else "excluded"
        return Event(card_id, state, record.time, by, digest)
    form = f"{record.form}@{record.form_version}"
    form_digest = record.form_digest or ""
    if closed or record.verdict is None:
        return Event(card_id, "reviewed", record.time, by, digest, form, form_digest)
    failed = tuple(
        failed_check(record, check, families)
        for check in record.asked
        if record.answers[check] == "no"
    )
    return Event(
        card_id, record.verdict, record.time, by, digest, form, form_digest, failed, record.note
    )


def failed_check(record: Record, check: str, families: Families) -> FailedCheck:
    """Return a failed check of a record with the family that was named, or is suggested."""
    name = record.form or ""
    chosen = record.defects.get(check, "")
    family = chosen or families.suggest(name, check) or ""
    return FailedCheck(f"{name}/{check}", family, chosen=bool(chosen))


def _add(events: list[Event], event: Event) -> None:
    """Add an event in the place of those it changes: the same pass on the same content."""
    while events and _is_of_the_same(events[-1], event):
        events.pop()
    events.append(event)


def _is_of_the_same(one: Event, other: Event) -> bool:
    """Return whether two events of one pass are of one content and, where both say, one form."""
    forms = {each.form_digest for each in (one, other) if each.form_digest}
    return one.by == other.by and one.digest == other.digest and len(forms) < 2
