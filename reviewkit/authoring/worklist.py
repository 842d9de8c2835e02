"""The worklist: where every group stands, what is open, and what became of every batch.

Everything is derived from the bank, the ledgers of the study of record, the record of retirements
and the file of batches; nobody ticks anything off by hand.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from reviewkit.authoring.batch_history import BatchHistory, batch_histories
from reviewkit.authoring.batches import held_by, load_batches
from reviewkit.authoring.families import (
    FamilyCount,
    FixKind,
    count_families,
    count_fixes,
    load_families,
)
from reviewkit.authoring.history import Histories, histories_of
from reviewkit.authoring.lines import (
    PROGRESSES,
    WORK_STATES,
    Line,
    Progress,
    WorkState,
    lines_of,
)
from reviewkit.authoring.retirement import Retirement, retired
from reviewkit.authoring.standing import standings_of
from reviewkit.bank.load import read_whole_bank
from reviewkit.study import load_study
from reviewkit.workspace import Workspace, find_workspace


@dataclass(frozen=True, slots=True)
class Worklist:
    """Where the work on a bank stands."""

    study: str
    """The study of record; empty when there is none."""
    lines: tuple[Line, ...]
    """A line for every group, those that left the bank at the end."""
    families: tuple[FamilyCount, ...]
    batches: tuple[BatchHistory, ...]
    retirements: tuple[Retirement, ...] = ()
    histories: Histories = field(default_factory=Histories)
    several: tuple[str, ...] = ()
    """The studies that all claim to be of record: then nobody knows what stands."""
    unreadable: int = 0
    """Faults of group files; the groups concerned are not in the list."""

    def __repr__(self) -> str:
        """Say what it is on one line: a notebook stores this beside what it shows."""
        return f"<Worklist: {self.live} groups, {self.open_checks} open checks>"

    @property
    def live(self) -> int:
        """How many groups the bank has."""
        return sum(each.state not in ("retired", "merged") for each in self.lines)

    @property
    def live_items(self) -> int:
        """How many items the bank has."""
        return sum(each.items for each in self.lines if each.state not in ("retired", "merged"))

    @property
    def identifiers(self) -> int:
        """How many groups the bank has and ever had: no identifier is used twice."""
        return len(self.lines)

    @property
    def failed_checks(self) -> int:
        """How many checks ever failed, each once a group."""
        return sum(len(each.checks) for each in self.lines)

    @property
    def open_checks(self) -> int:
        """How many of them still wait."""
        return sum(len(each.open_checks) for each in self.lines)

    def by_progress(self) -> dict[Progress, int]:
        """Return how far the groups with failed checks are, those that left the bank included."""
        found = Counter(each.progress for each in self.lines)
        return {progress: found[progress] for progress in PROGRESSES}

    def line(self, template_id: str) -> Line | None:
        """Return the line of a group, or None."""
        return next((each for each in self.lines if each.template_id == template_id), None)

    def counts(self) -> dict[WorkState, int]:
        """Return how many groups are in each state, every state named."""
        found = Counter(each.state for each in self.lines)
        return {state: found[state] for state in WORK_STATES}

    def by_fix(self) -> dict[FixKind, tuple[int, int]]:
        """Return kind of fix -> groups and checks that wait for it; a group may wait for several.

        Checks without a family are in none.
        """
        return count_fixes(self.lines, self.families)

    def as_text(self) -> str:
        """Return the list for a terminal."""
        from reviewkit.authoring.layout import as_text  # noqa: PLC0415 - it lays this out

        return as_text(self)

    def as_markdown(self) -> str:
        """Return the list as Markdown."""
        from reviewkit.authoring.layout import as_markdown  # noqa: PLC0415

        return as_markdown(self)

    def as_json(self) -> dict[str, Any]:
        """Return everything as a script reads it; no list is cut."""
        from reviewkit.authoring.layout import as_json  # noqa: PLC0415

        return as_json(self)

    def as_html(self) -> str:
        """Return the list with its pictures as one page that needs nothing else."""
        from reviewkit.authoring.page import html_page  # noqa: PLC0415

        return html_page(self)

    def _repr_html_(self) -> str:
        """Return the list as a notebook shows it."""
        from reviewkit.authoring.page import html_fragment  # noqa: PLC0415

        return html_fragment(self)


def worklist(ws: Workspace | None = None) -> Worklist:
    """Return where the work on a bank stands.

    Args:
        ws: The project folder; the one here or above when not given.

    Raises:
        ProblemsFound: When taxonomy, registry, a study, a form, the families or the batches are
            at fault. Files of groups that cannot be read are counted and left out.
        LedgerBroken: When a ledger or the record of retirements is damaged.
    """
    ws = find_workspace() if ws is None else ws
    bank, problems = read_whole_bank(ws)
    families, batches, gone = load_families(ws), load_batches(ws), retired(ws)
    standings = standings_of(ws, bank)
    histories = Histories()
    if standings.study:
        study = load_study(ws, standings.study)
        ids = held_by(bank, gone)
        histories = histories_of(ws, bank, study, families, ids)
    lines = lines_of(bank, standings, histories, gone, batches)
    return Worklist(
        study=standings.study,
        lines=lines,
        families=count_families(lines, families),
        batches=batch_histories(batches, bank, lines, histories, gone),
        retirements=gone,
        histories=histories,
        several=standings.several,
        unreadable=len(problems),
    )
