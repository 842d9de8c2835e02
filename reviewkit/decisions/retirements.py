"""Groups that left the bank: ``rulings/retirements.jsonl``, a chained file.

An identifier that was used once is never used again, neither the group's nor its items': a review
log, a ruling or a published figure that names it must go on meaning the same text.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from reviewkit.decisions.chain import Chain
from reviewkit.decisions.lines import ChainLine, Digest, RecordRefused
from reviewkit.decisions.verify import Report, verify_chain
from reviewkit.questions.verdict import is_blank
from reviewkit.workspace import Workspace

REASON_LIMIT, NAME_LIMIT = 4_000, 200
Identifier = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Retirement(ChainLine):
    """One group that left the bank, for good."""

    template_id: Identifier
    test_type: Identifier
    domain: Identifier
    item_ids: tuple[Identifier, ...] = ()
    """Its items as it left; their ids stay taken too."""
    group_digest: Digest
    """The digest of the content that left."""
    kept_in: Identifier
    """Where its file lies now, from the project folder."""
    merged_into: str = ""
    """The group that took over what was sound in it; empty when there is none."""
    reason: Annotated[str, StringConstraints(max_length=REASON_LIMIT)]
    name: Annotated[str, StringConstraints(max_length=NAME_LIMIT)]
    """Who answers for it."""
    on: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    """The day, as it was given; ``time`` is when it was recorded."""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Every identifier that stays taken."""
        return (self.template_id, *self.item_ids)


class RetirementRules:
    """A group leaves once, says why, and goes into a group that has not left before it."""

    def __init__(self) -> None:
        self._gone: dict[str, Retirement] = {}

    def check(self, line: Retirement) -> None:
        """Raise RecordRefused when ``line`` may not come next."""
        if (earlier := self._gone.get(line.template_id)) is not None:
            raise RecordRefused(
                f"{line.template_id} was retired on {earlier.on}", "an id is used once; look at it"
            )
        if is_blank(line.reason) or is_blank(line.name):
            raise RecordRefused("reason or name is blank", "say why, and who answers for it")
        if line.merged_into == line.template_id or line.merged_into in self._gone:
            raise RecordRefused(
                f"{line.template_id} cannot be merged into {line.merged_into}, which is not there",
                "name a group that is in the bank",
            )

    def take(self, line: Retirement) -> None:
        """Go on with ``line`` in place."""
        self._gone[line.template_id] = line


def retirement_chain(ws: Workspace) -> Chain[Retirement]:
    """Return the file that a retirement is appended to."""
    return _chain(ws.retirements, ws.shown(ws.retirements))


def _chain(path: Path, shown: str) -> Chain[Retirement]:
    return Chain(path, shown, Retirement, rules=RetirementRules)


def retired(ws: Workspace) -> tuple[Retirement, ...]:
    """Return every group that left, in order; raises LedgerBroken when the file is damaged."""
    return retirement_chain(ws).lines()


def retired_groups(ws: Workspace) -> frozenset[str]:
    """Return the template ids of the groups that left."""
    return frozenset(each.template_id for each in retired(ws))


def identifiers_taken(ws: Workspace) -> Mapping[str, Retirement]:
    """Return every identifier that no group or item may have again, and what took it along."""
    return {name: each for each in retired(ws) for name in each.identifiers}


def verify_retirements(path: Path, shown: str) -> Report:
    """Check every line of the record of retirements; faults are in the report, none is raised."""
    return verify_chain(_chain(path, shown))
