"""A pass: which judgements are in force, whether it is locked, and what may come next.

``PassRules`` is the one statement of what a ledger admits. The ledger folds it over its lines when
it appends and when it reads, so a decision in a locked pass is refused through every door, a text
editor included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reviewkit.decisions.lines import RecordRefused
from reviewkit.decisions.records import JUDGEMENTS, Record
from reviewkit.digests import digest_of

_OF_ONE_PASS = (*JUDGEMENTS, "start", "lock", "withdrawal")
"""Kinds that are the rater's own; acts of the lead may stand beside them under another name."""

_CLOSED_BY_WITHDRAWAL = (
    *JUDGEMENTS, "start", "consent", "practice", "lock", "reopen", "withdrawal",
)  # fmt: skip
"""Kinds that a pass takes no more once consent is withdrawn; questions and answers may go on."""

_ELSEWHERE = {
    "first_label": "the adjudicator's ledger",
    "adjudication": "the adjudicator's ledger",
    "exclusion": "the adjudicator's ledger",
    "second_reading": "the second reader's ledger",
}
"""Kinds that stand in another ledger, and in which: no pass is adjudicated in itself."""


Owner = tuple[str, str, str]
"""Study, pass and rater of a ledger."""


class PassLocked(RecordRefused):
    """The pass is sealed: it takes no judgement until the lead reopens it."""

    def __init__(self, lock: Record) -> None:
        self.lock = lock
        super().__init__(
            f"pass {lock.pass_} of {lock.rater} was locked at {lock.time}",
            "ask the lead to reopen it",
        )


class PassWithdrawn(RecordRefused):
    """Consent to this pass was withdrawn: it takes no judgement any more."""

    def __init__(self, withdrawal: Record) -> None:
        self.withdrawal = withdrawal
        super().__init__(
            f"consent to pass {withdrawal.pass_} was withdrawn at {withdrawal.time}",
            "the lead may add another pass in its place",
        )


class PassRules:
    """What may follow what in the ledger of one rater's pass.

    Args:
        owner: study, pass and rater whose ledger it is; without it, its first record says.
    """

    def __init__(self, owner: Owner | None = None) -> None:
        self.lock: Record | None = None
        """The lock in force."""
        self.withdrawal: Record | None = None
        """The withdrawal of consent; nothing lifts it."""
        self.judged: dict[str, Record] = {}
        """Per card the latest decision or skip before the lock."""
        self._pass = owner

    def check(self, line: Record) -> None:
        """Raise RecordRefused when ``line`` may not come next."""
        whose = (line.study, line.pass_, line.rater)
        if line.kind in _OF_ONE_PASS and self._pass not in (None, whose):
            raise RecordRefused(
                f"the ledger is of {'/'.join(self._pass or ())} and the record of "
                f"{'/'.join(whose)}",
                "use the ledger of that study, pass and rater",
            )
        if line.kind in _ELSEWHERE:
            where = _ELSEWHERE[line.kind]
            named = line.kind.replace("_", " ")
            raise RecordRefused(f"the ledger of a pass holds no {named}", f"write it to {where}")
        if self.withdrawal is not None and line.kind in _CLOSED_BY_WITHDRAWAL:
            raise PassWithdrawn(self.withdrawal)
        if self.lock is not None and (line.kind in JUDGEMENTS or line.kind == "lock"):
            raise PassLocked(self.lock)
        if line.kind == "lock" and line.details != {**line.details, **lock_details(self.judged)}:
            raise RecordRefused(
                "the lock does not fit the decisions it seals", "look at them and lock again"
            )
        if line.kind == "reopen" and self.lock is None:
            raise RecordRefused("the pass is not locked", "go on judging, there is nothing to open")

    def take(self, line: Record) -> None:
        """Go on with ``line`` in place."""
        if line.kind in _OF_ONE_PASS and self._pass is None:
            self._pass = (line.study, line.pass_, line.rater)
        if line.kind in JUDGEMENTS and line.card_id is not None:
            self.judged[line.card_id] = line
        elif line.kind == "lock":
            self.lock = line
        elif line.kind == "reopen":
            self.lock = None
        elif line.kind == "withdrawal":
            self.withdrawal = line


def lock_details(judged: Mapping[str, Record]) -> dict[str, Any]:
    """Return what a lock says of the judgements it seals.

    Its digest covers card id -> record digest of every decision in force.
    """
    decided = {card: record.digest for card, record in judged.items() if record.kind == "decision"}
    return {
        "digest": digest_of(decided),
        "decided": len(decided),
        "skipped": len(judged) - len(decided),
    }


def pass_state(records: Iterable[Record]) -> PassRules:
    """Return the state of the pass after ``records``, which must be of one ledger, in order."""
    state = PassRules()
    for record in records:
        closed = state.lock is not None or state.withdrawal is not None
        if not closed or record.kind not in JUDGEMENTS:
            state.take(record)
    return state


def effective_judgements(records: Iterable[Record]) -> dict[str, Record]:
    """Return per card the latest decision or skip before the lock; a changed mind is a new one.

    Of a pass whose rater withdrew consent nothing is in force: the records stay, the labels do not
    count in any table or figure.
    """
    state = pass_state(records)
    return {} if state.withdrawal is not None else dict(state.judged)


def effective_decisions(records: Iterable[Record]) -> dict[str, Record]:
    """Return per card the decision in force; a card skipped after its decision has none."""
    judged = effective_judgements(records)
    return {card: record for card, record in judged.items() if record.kind == "decision"}


def lock_in_force(records: Iterable[Record]) -> Record | None:
    """Return the lock that seals the pass, or None while it is open."""
    return pass_state(records).lock


def is_locked(records: Iterable[Record]) -> bool:
    """Return whether the pass is sealed; a reopened pass is not."""
    return lock_in_force(records) is not None


def withdrawal_in_force(records: Iterable[Record]) -> Record | None:
    """Return the withdrawal of consent, or None where the rater takes part."""
    return pass_state(records).withdrawal


def is_closed(records: Iterable[Record]) -> bool:
    """Return whether nothing more is awaited of the pass: it is locked, or withdrawn."""
    state = pass_state(records)
    return state.lock is not None or state.withdrawal is not None
