"""What became of every batch: accepted at once, returned and accepted later, rejected, open.

It follows from what reviewers said of its groups. Of a group that a batch only added items to,
only what was said since the batch was authored is of this batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reviewkit.authoring.batches import Batch, Batches, held_by
from reviewkit.authoring.history import Event, Histories
from reviewkit.authoring.lines import Line, WorkState
from reviewkit.authoring.retirement import Retirement
from reviewkit.bank import Bank

Outcome = Literal[
    "outright", "after_fix", "returned", "rejected", "withheld", "open", "retired", "excluded"
]
"""``outright``: accepted by the first verdict; ``after_fix``: returned, and accepted later;
``returned``: the last verdict asks for a fix; ``withheld``: closed until the locks; ``open``: not
reviewed yet, or accepted and changed since."""
OUTCOMES: tuple[Outcome, ...] = (
    "outright", "after_fix", "returned", "rejected", "open", "withheld", "excluded", "retired",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BatchHistory:
    """What became of one batch."""

    batch: Batch
    items: int
    outcomes: Mapping[str, Outcome]
    """Template id -> how it stands, for every group the batch brought or added to."""

    @property
    def groups(self) -> int:
        """How many groups it brought or added to."""
        return len(self.outcomes)

    def counts(self) -> dict[Outcome, int]:
        """Return how many groups came out in which way, every way named."""
        found = Counter(self.outcomes.values())
        return {outcome: found[outcome] for outcome in OUTCOMES}

    @property
    def accepted(self) -> int:
        """The groups that are accepted, at once or after a fix."""
        found = self.counts()
        return found["outright"] + found["after_fix"]


def batch_histories(
    batches: Batches, bank: Bank, lines: Sequence[Line], histories: Histories,
    gone: Sequence[Retirement],
) -> tuple[BatchHistory, ...]:  # fmt: skip
    """Return what became of every batch, in the order of the file."""
    held = held_by(bank, gone)
    by_id = {line.template_id: line for line in lines}
    items, names = batches.items_of(held), batches.groups_of(held)
    found: list[BatchHistory] = []
    for batch in batches.batches:
        outcomes: dict[str, Outcome] = {}
        brought = set(batch.groups)
        for name in names[batch.id]:
            verdicts = histories.verdicts(name)
            if name not in brought:
                verdicts = tuple(each for each in verdicts if each.time[:10] >= batch.authored_on)
            if name in by_id:
                outcomes[name] = _outcome(by_id[name], verdicts)
        found.append(BatchHistory(batch, len(items[batch.id]), outcomes))
    return tuple(found)


_STANDS: Mapping[WorkState, Outcome] = {
    "needs_fix": "returned", "rejected": "rejected", "reviewed": "withheld",
    "excluded": "excluded", "retired": "retired", "merged": "retired",
}  # fmt: skip


def _outcome(line: Line, verdicts: Sequence[Event]) -> Outcome:
    """Return how a group of a batch stands, and how it came there."""
    returned = [each for each in verdicts if each.state != "accepted"]
    if line.state == "accepted" and verdicts:
        return "after_fix" if returned else "outright"
    if line.state == "changed" and verdicts and verdicts[-1] in returned:
        # edited after it was returned: the author is at work, and nobody has looked again
        return "returned"
    return _STANDS.get(line.state, "open")
