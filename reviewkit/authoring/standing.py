"""Where every group stands in the study of record.

The verdict of the primary pass stands, and of later passes of the same rater, until an adjudication
settles the group. A verdict counts for the content and the form it was made on, and for no other.
While the round of a blind pass is closed nobody is told its verdicts, only that there is one.
A group that failed a locked second review on its present content is back with its author, whatever
the first review said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reviewkit.authoring.second_review import second_reviews
from reviewkit.bank import Bank, Group
from reviewkit.decisions import Record, effective_judgements
from reviewkit.decisions.hearings import ADJUDICATION
from reviewkit.questions import Checklist, load_forms
from reviewkit.study import (
    LabelsClosed,
    Pass,
    Round,
    Study,
    forms_by_type,
    list_studies,
    load_study,
    open_round,
)
from reviewkit.study.board import pass_records
from reviewkit.study.docket import Docket
from reviewkit.workspace import Workspace

State = Literal[
    "unreviewed", "skipped", "changed", "reviewed", "accepted", "needs_fix", "rejected", "excluded"
]
"""``reviewed``: there is a verdict, and it is closed until the locks. ``changed``: there is one on
an earlier content, or by an earlier form. ``excluded``: the adjudicator took the group out."""

STATES: tuple[State, ...] = (
    "accepted", "needs_fix", "rejected", "excluded", "reviewed", "changed", "skipped", "unreviewed",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands on one group."""

    state: State
    time: str = ""
    """When it was said; empty where nothing was."""
    by: str = ""
    """The pass, ``adjudication`` or ``second-review``; never a rater's name."""
    failed: tuple[str, ...] = ()
    """The failed checks of a verdict that is open: ``t1/one_variable``."""


SECOND_REVIEW = "second-review"
UNREVIEWED = Standing("unreviewed")


@dataclass(frozen=True, slots=True)
class Standings:
    """What stands on the groups of a bank."""

    study: str = ""
    """The study of record; empty when there is none."""
    groups: Mapping[str, Standing] = field(default_factory=dict[str, Standing])
    """Template id -> standing, for every group of the bank once there is a study."""
    several: tuple[str, ...] = ()
    """The studies that all claim to be of record: then nobody knows what stands."""

    def of(self, template_id: str) -> Standing:
        """Return what stands on a group."""
        return self.groups.get(template_id, UNREVIEWED)

    def counts(self) -> dict[State, int]:
        """Return how many groups are in each state, every state named."""
        found = Counter(each.state for each in self.groups.values())
        return {state: found[state] for state in STATES}


def standings_of(ws: Workspace, bank: Bank) -> Standings:
    """Return where the groups of a bank stand.

    Raises ProblemsFound when the study or a form is at fault, LedgerBroken when a ledger is.
    """
    studies = [load_study(ws, name) for name in list_studies(ws)]
    of_record = [each for each in studies if each.of_record == "yes" and not each.is_coding]
    if len(of_record) != 1:
        return Standings(several=tuple(each.study for each in of_record))
    study = of_record[0]
    forms = forms_by_type(study, load_forms(ws.checklists))
    groups = {group.template_id: group for group in bank.groups}
    found: dict[str, Standing] = {}
    settled: dict[str, Standing] = {}
    for round_, each in passes_of_record(study):
        closed = round_.is_blind and round_is_closed(ws, study, round_)
        for card_id, record in effective_judgements(pass_records(ws, study, each)).items():
            group = groups.get(card_id)
            if group is not None:
                standing = _standing(record, group, forms, closed=closed, by=each.pass_)
                found[card_id] = _better(found.get(card_id, UNREVIEWED), standing)
        if not closed:
            settled |= _settled(ws, study, round_)
    found |= {card_id: each for card_id, each in settled.items() if card_id in groups}
    for card_id, again in _failed_again(ws, bank, study).items():
        if found.get(card_id, UNREVIEWED).state not in ("rejected", "excluded"):
            found[card_id] = again
    return Standings(study.study, {each: found.get(each, UNREVIEWED) for each in groups})


def failed_second_reviews(ws: Workspace, bank: Bank, study: Study) -> list[Record]:
    """Return the decisions by which locked second reviews of a study failed groups, in order.

    A second review that was declared void, or whose reviewer withdrew consent, has none.
    """
    found: list[Record] = []
    for review in second_reviews(ws, bank):
        if review.of != study.study or review.outcome == "void" or not review.failing:
            continue
        again = load_study(ws, review.study)
        for each in again.rounds[0].passes:
            records = pass_records(ws, again, each)
            # what is judged again after a lock was lifted is closed until the next one
            locked = next(at for at, record in enumerate(records) if record.digest == review.lock)
            for record in records[:locked]:
                verdict = review.failing.get(record.card_id or "")
                if verdict == (record.verdict, record.card_digest):
                    found.append(record)
    return found


def _failed_again(ws: Workspace, bank: Bank, study: Study) -> dict[str, Standing]:
    failed = failed_second_reviews(ws, bank, study)
    digests = {group.template_id: group.digest for group in bank.groups} if failed else {}
    found: dict[str, Standing] = {}
    for record in failed:
        card_id, verdict = record.card_id or "", record.verdict
        if verdict is not None and digests.get(card_id) == record.card_digest:
            found[card_id] = Standing(verdict, record.time, SECOND_REVIEW, _failed(record))
    return found


def passes_of_record(study: Study) -> list[tuple[Round, Pass]]:
    """Return the primary pass and the later passes of its rater, each with its round."""
    every = [(round_, each) for round_ in study.rounds for each in round_.passes]
    first = study.primary or every[0][1].pass_
    start = next(at for at, (_, each) in enumerate(every) if each.pass_ == first)
    rater = every[start][1].rater
    return [pair for pair in every[start:] if pair[1].rater == rater]


def round_is_closed(ws: Workspace, study: Study, round_: Round) -> bool:
    """Return whether the labels of a round may not be read yet."""
    try:
        open_round(ws, study, round_)
    except LabelsClosed:
        return True
    return False


def _standing(
    record: Record, group: Group, forms: Mapping[str, Checklist], *, closed: bool, by: str
) -> Standing:
    if record.kind == "skip":
        return Standing("skipped", record.time, by)
    form = forms.get(group.test_type)
    if record.card_digest != group.digest or (form and record.form_digest != form.digest):
        return Standing("changed", record.time, by)
    if closed or record.verdict is None:
        return Standing("reviewed", record.time, by)
    return Standing(record.verdict, record.time, by, _failed(record))


def _failed(record: Record) -> tuple[str, ...]:
    return tuple(
        f"{record.form}/{check}" for check in record.asked if record.answers[check] == "no"
    )


_STRENGTH: dict[State, int] = {"unreviewed": 0, "skipped": 1, "changed": 1, "reviewed": 2}


def _better(one: Standing, other: Standing) -> Standing:
    """Return which of two holds: a verdict on what is there, then the later one."""
    return other if _STRENGTH.get(other.state, 3) >= _STRENGTH.get(one.state, 3) else one


def _settled(ws: Workspace, study: Study, round_: Round) -> dict[str, Standing]:
    """Return what the adjudicator settled in a round whose labels are open."""
    if study.adjudication is None:
        return {}
    name = study.adjudication.adjudicator
    try:
        docket = Docket(ws, study.study, name, round_name=round_.round)
    except LabelsClosed:
        return {}
    settled: dict[str, Standing] = {}
    for card_id, status in docket.statuses().items():
        record = docket.cases()[card_id].settled if status in ("coded", "excluded") else None
        if record is not None:
            state: State = "excluded" if status == "excluded" else record.verdict or "reviewed"
            settled[card_id] = Standing(state, record.time, ADJUDICATION)
    return settled
