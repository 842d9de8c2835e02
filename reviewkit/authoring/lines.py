"""A line for every group of the list of work: its state, and the checks that failed on it.

A failed check is open while the last verdict on its group has it, and closed once a later verdict
has not, or the group has left the bank. An edit closes nothing: only a reviewer does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reviewkit.authoring.batches import Batches, Held, held_by
from reviewkit.authoring.history import Event, FailedCheck, Histories
from reviewkit.authoring.retirement import Retirement, successor_of
from reviewkit.authoring.standing import STATES, Standings, State
from reviewkit.bank import Bank

WorkState = State | Literal["retired", "merged"]
WORK_STATES: tuple[WorkState, ...] = (*STATES, "retired", "merged")
Progress = Literal["closed", "partly", "open"]
"""Of a group with failed checks: all of them are closed, some are, none is."""
PROGRESSES: tuple[Progress, ...] = ("closed", "partly", "open")


@dataclass(frozen=True, slots=True)
class OneCheck:
    """One check that failed on one group."""

    failed: FailedCheck
    since: str
    """When it failed first."""
    closed_on: str = ""
    """When a verdict had it no more, or the group left; empty while it is open."""

    @property
    def is_open(self) -> bool:
        """Whether it still waits."""
        return not self.closed_on


@dataclass(frozen=True, slots=True)
class Line:
    """One group of the list."""

    template_id: str
    test_type: str
    domain: str
    items: int
    state: WorkState
    since: str = ""
    """When what stands was said; the day it left, of a group that did."""
    by: str = ""
    checks: tuple[OneCheck, ...] = ()
    batches: tuple[str, ...] = ()
    merged_into: str = ""
    """The group it was merged into, and ``lives_in`` where that is now."""
    lives_in: str = ""

    @property
    def open_checks(self) -> tuple[OneCheck, ...]:
        """The checks that still wait."""
        return tuple(each for each in self.checks if each.is_open)

    @property
    def closed_checks(self) -> tuple[OneCheck, ...]:
        """The checks that failed once and wait no more."""
        return tuple(each for each in self.checks if not each.is_open)

    @property
    def progress(self) -> Progress | None:
        """How far its failed checks are; None where no check failed."""
        if not self.checks:
            return None
        if not self.open_checks:
            return "closed"
        return "partly" if self.closed_checks else "open"


def lines_of(
    bank: Bank, standings: Standings, histories: Histories, gone: Sequence[Retirement],
    batches: Batches,
) -> tuple[Line, ...]:  # fmt: skip
    """Return a line for every group of the bank, and after them for every one that left it."""
    of_group = _batches_of(batches, held_by(bank, gone))
    left = {each.template_id: each for each in gone}
    lines: list[Line] = []
    for group in bank.groups:
        if group.template_id in left:
            continue
        name = group.template_id
        standing = standings.of(name)
        lines.append(
            Line(
                name, group.test_type, group.domain, len(group.items), standing.state,
                standing.time, standing.by, _checks(histories.verdicts(name), ""),
                of_group.get(name, ()),
            )
        )  # fmt: skip
    for each in gone:
        name = each.template_id
        checks = _checks(histories.verdicts(name), each.time)
        lines.append(
            Line(
                name, each.test_type, each.domain, len(each.item_ids),
                "merged" if each.merged_into else "retired", each.on, each.name, checks,
                of_group.get(name, ()), each.merged_into, successor_of(name, gone),
            )
        )  # fmt: skip
    return tuple(lines)


def _batches_of(batches: Batches, held: Held) -> dict[str, tuple[str, ...]]:
    """Return the ids of the batches that brought each group or added items to it, in order."""
    found: dict[str, tuple[str, ...]] = {}
    for batch, names in batches.groups_of(held).items():
        for name in names:
            found[name] = (*found.get(name, ()), batch)
    return found


def _checks(verdicts: Sequence[Event], left_at: str) -> tuple[OneCheck, ...]:
    """Return every check that a verdict failed, once, with when it failed first and was closed."""
    since: dict[str, str] = {}
    latest: dict[str, FailedCheck] = {}
    closed: dict[str, str] = {}
    for verdict in verdicts:
        named = {each.check: each for each in verdict.failed}
        for check, each in named.items():
            since.setdefault(check, verdict.time)
            latest[check] = each
            closed.pop(check, None)
        for check in since.keys() - named.keys():
            closed.setdefault(check, verdict.time)
    return tuple(
        OneCheck(latest[check], time, closed.get(check, left_at)) for check, time in since.items()
    )
