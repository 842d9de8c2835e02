"""Whether a ledger is still what was written: ``reviewkit verify ledger`` prints these reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reviewkit.decisions.chain import Chain
from reviewkit.decisions.disk import CannotRead
from reviewkit.decisions.ledger import ChainedLedger
from reviewkit.decisions.lines import FIRST, LedgerBroken, NewerRecord
from reviewkit.decisions.passes import Owner, pass_state
from reviewkit.decisions.records import LABELS, Record
from reviewkit.decisions.stores import Lines, Torn
from reviewkit.decisions.stores.file_lines import FileLines
from reviewkit.problems import Problem
from reviewkit.questions.answers import codes_in
from reviewkit.questions.codebooks import Codebook
from reviewkit.questions.coding import contradiction, derive_values
from reviewkit.questions.forms import Checklist, Form
from reviewkit.questions.verdict import is_blank


@dataclass(frozen=True, slots=True)
class Lock:
    """One lock as the ledger has it, to be compared with the digest that was given out."""

    seq: int
    time: str
    digest: str
    """The digest over the decisions that the lock seals."""
    record: str
    """The digest of the lock's own record, which covers everything before it."""
    in_force: bool


@dataclass(frozen=True, slots=True)
class Report:
    """What a verification found."""

    file: str
    records: int
    tip: str
    """The digest of the last record: it covers the whole file."""
    locks: tuple[Lock, ...]
    pending: Torn | None
    """A last line without its end; no fault, since it was never acknowledged."""
    set_aside: tuple[str, ...]
    """The names of the files beside it that hold earlier torn tails."""
    problems: tuple[Problem, ...]

    @property
    def sound(self) -> bool:
        """Whether every line is what was written."""
        return not self.problems

    @property
    def locked(self) -> bool:
        """Whether a lock is in force."""
        return any(lock.in_force for lock in self.locks)


def verify_chain(chain: Chain[Any]) -> Report:
    """Check every line of any chained file; faults are in the report, none is raised."""
    problems: list[Problem] = []
    lines: tuple[Any, ...] = ()
    sound = 0
    try:
        lines = chain.lines()
        sound = len(lines)
    except LedgerBroken as error:
        sound = error.line - 1
        problems.append(
            Problem(
                f"{error.file}:{error.line}",
                error.why,
                f"{error.remedy} ({sound} records above are sound)",
            )
        )
    except NewerRecord as error:
        where = f"{error.file}:{error.line}"
        problems.append(Problem(where, "written by a newer reviewkit", "upgrade reviewkit"))
    except CannotRead as error:
        problems.append(Problem(error.file, error.why, error.remedy))
    if not problems and not chain.exists():
        problems.append(Problem(chain.shown, "there is no such file", "look at its name"))
    return Report(
        file=chain.shown,
        records=sound,
        tip=lines[-1].digest if lines else FIRST,
        locks=(),
        pending=None if problems else chain.pending,
        set_aside=chain.place.set_aside(),
        problems=tuple(problems),
    )


def verify_ledger(
    place: Path | Lines,
    shown: str = "",
    form_of: Callable[[str], Form | None] | None = None,
    owner: Owner | None = None,
) -> Report:
    """Check every line of a ledger, its locks, and its verdicts against the forms that are known.

    Args:
        place: the lines of a store, or a file.
        shown: the name of a file in messages; the path when empty.
        form_of: gives the form with a digest, where it is still at hand.
        owner: study, pass and rater whose ledger it is, as its place says.
    """
    lines = FileLines(place, shown or str(place)) if isinstance(place, Path) else place
    ledger = ChainedLedger(lines, owner=owner)
    report = verify_chain(ledger.chain)
    if not report.sound:
        return report
    records = ledger.records()
    in_force = pass_state(records).lock
    locks = tuple(
        Lock(
            seq=record.seq,
            time=record.time,
            digest=str(record.details["digest"]),
            record=record.digest,
            in_force=record is in_force,
        )
        for record in records
        if record.kind == "lock"
    )
    problems = [
        Problem(
            f"{report.file}:{record.seq}",
            wrong,
            "the record did not come through reviewkit; ask the rater and the lead",
        )
        for record in records
        if form_of is not None and (wrong := _contradicts_form(record, form_of))
    ]
    return replace(report, locks=locks, problems=tuple(problems))


def _contradicts_form(record: Record, form_of: Callable[[str], Form | None]) -> str:
    """Return how a decision contradicts its form, or nothing; one record alone cannot tell."""
    form = form_of(record.form_digest or "") if record.kind in LABELS else None
    if isinstance(form, Codebook):
        return _contradicts_codebook(record, form)
    if not isinstance(form, Checklist):
        return ""
    checks = {check.id: check for check in form.checks}
    strange = [check_id for check_id in record.asked if check_id not in checks]
    if strange:
        return f"the form {form.name} has no check {strange[0]}"
    failed = [checks[check_id] for check_id in record.asked if record.answers[check_id] == "no"]
    if failed:
        rejecting = record.escalated or any(check.on_fail == "reject" for check in failed)
        expected = "rejected" if rejecting else "needs_fix"
        if record.verdict != expected:
            return f"the verdict is {record.verdict}, the answers make it {expected}"
    return ""


def _contradicts_codebook(record: Record, form: Codebook) -> str:
    wrong = contradiction(form, record.asked, record.answers)
    if wrong:
        return wrong
    for name in record.asked:
        noted = set(codes_in(record.answers.get(name))) & set(form.field(name).note_when)
        if noted and is_blank(record.note):
            return f"the answer {min(noted)} to {name} needs a note"
    if record.derived != derive_values(form, record.answers):
        return "its derived values are not what its answers make"
    return ""
