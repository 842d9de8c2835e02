"""A second reading: somebody reads what stands on a card, and agrees or objects with a reason.

The reader is a person, or an assistant whose file is imported and disclosed as such. Whatever he
says lies in a ledger of its own: no verdict and no label is ever computed from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter, ValidationError

from reviewkit.decisions import (
    ChainedLedger,
    Entry,
    Origin,
    Record,
    Word,
    effective_judgements,
    store_of,
)
from reviewkit.decisions.hearings import ADJUDICATION, settling_records
from reviewkit.decisions.second_readings import SECOND_READING
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import is_blank, load_forms
from reviewkit.sources import Source, build, load_jsonl
from reviewkit.study.board import pass_records
from reviewkit.study.dealing import deal_deck
from reviewkit.study.ledgers import ledger_of
from reviewkit.study.names import folded_name
from reviewkit.study.opening import LabelsClosed, open_round
from reviewkit.study.study import Pass, Round, Study
from reviewkit.workspace import Workspace

Opinion = Literal["agree", "object"]
Reader = Literal["person", "assistant"]


class NothingToRead(ReviewkitError):
    """A card has no verdict or label to agree with or to object to."""


class ReaderIsRater(ReviewkitError):
    """A rater of a blind round may not read the verdicts of that round before the locks."""


class BadReaderName(ReviewkitError):
    """The name of a reader is no name of a file."""


class ReadingLine(BaseModel):
    """One line of a file of second readings."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    card_id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    opinion: Opinion
    reason: Annotated[str, StringConstraints(max_length=20_000)] = ""
    """Why; an objection needs it."""
    card_digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None
    """The digest of the content that was read, where the reader knows it."""


@dataclass(frozen=True, slots=True)
class ImportedReadings:
    """What an import of second readings recorded."""

    agreed: int
    objected: int
    repeated: int
    """Lines that an earlier import of the same file had recorded."""


@dataclass(frozen=True, slots=True)
class Objection:
    """One objection, for the lead."""

    card_id: str
    reader: str
    by: Reader
    reason: str
    """Empty while the labels of the round are closed: the words would tell the label."""
    time: str
    round: str
    of: str
    """The digest of the record that was read."""
    stands: bool
    """Whether that record is still what stands on the card."""
    closed: bool = False
    """Whether the labels of the round are closed."""


def read_second(
    ws: Workspace,
    study: Study,
    reader: str,
    card_id: str,
    opinion: Opinion,
    reason: str = "",
    *,
    click_id: str,
    origin: Origin = "cli",
    card_digest: str | None = None,
) -> Record:
    """Record what a person says of the verdict or label that stands on a card.

    Raises NothingToRead, ReaderIsRater, BadReaderName or what an append raises; RecordRefused also
    for an objection without a reason.
    """
    ledger = _ledger(ws, study, reader)
    earlier = ledger.find(click_id)
    if earlier is None:
        standing = _standing_for(ws, study, reader)
        _, digests = _cards(ws, study)
        fault = _fault(card_id, card_digest, standing, digests, reader)
        if fault:
            raise NothingToRead(f"{card_id}: not recorded: it {fault[0]}; {fault[1]}")
        of = standing[card_id]
        round_, digest, read = of.round, of.card_digest, of.digest
    else:
        round_, digest = earlier.round, earlier.card_digest
        read = str(earlier.details.get("of", ""))
    details = {"by": "person", "name": reader, "opinion": opinion, "of": read}
    return ledger.append(
        _entry(study, round_, reader, origin, card_id, digest, reason, details, click_id)
    )


def import_readings(
    ws: Workspace, study: Study, file: Path, name: str, *, by: Reader = "assistant"
) -> ImportedReadings:
    """Record every line of a JSONL file as a second reading by ``name``.

    A line has ``card_id``, ``opinion`` (agree or object), ``reason`` and, where it is known, the
    ``card_digest`` of what was read. Nothing is recorded when one line is at fault, and nothing
    twice when the file is imported again. Raises ProblemsFound with every fault.
    """
    shown = ws.shown(file)
    sources = load_jsonl(file, shown)
    file_digest = hashlib.sha256(file.read_bytes()).hexdigest()
    ledger = _ledger(ws, study, name)
    lines, problems = _lines(sources)
    known, digests = _cards(ws, study)
    standing = _standing_for(ws, study, name)
    new: list[tuple[str, ReadingLine, Record]] = []
    repeated = 0
    first_at: dict[str, int] = {}
    for source, line in lines:
        click_id = _click(file_digest, source.line())
        if ledger.find(click_id) is not None:
            repeated += 1
            continue
        earlier = first_at.setdefault(line.card_id, source.line())
        fault = (
            (f"card {line.card_id} stands in line {earlier} already", "keep one of the two")
            if earlier != source.line()
            else _unknown(line.card_id, known)
            or _fault(line.card_id, line.card_digest, standing, digests, name)
        )
        if fault:
            problems.append(source.problem(("card_id",), *fault))
            continue
        if line.opinion == "object" and is_blank(line.reason):
            problems.append(source.problem(("reason",), "an objection without a reason", "say why"))
            continue
        new.append((click_id, line, standing[line.card_id]))
    if problems:
        raise ProblemsFound(problems)
    for click_id, line, of in new:
        details = {
            "by": by, "name": name, "file": file_digest, "opinion": line.opinion, "of": of.digest,
        }  # fmt: skip
        ledger.append(
            _entry(
                study, of.round, name, "import", line.card_id, of.card_digest, line.reason,
                details, click_id,
            )
        )  # fmt: skip
    objected = sum(1 for _, line, _ in new if line.opinion == "object")
    return ImportedReadings(len(new) - objected, objected, repeated)


def list_objections(ws: Workspace, study: Study) -> tuple[Objection, ...]:
    """Return the objections in force, for the lead: a reader's last word on a card counts.

    Of a blind round whose labels are closed the reasons are left out.
    """
    closed = {round_.round for round_ in study.rounds if _is_closed(ws, study, round_)}
    standing = standing_records(ws, study)
    found: list[Objection] = []
    for path in store_of(ws).logs(ws.study_folder(study.study) / SECOND_READING):
        latest: dict[str, Record] = {}
        for record in ledger_of(ws, study.study, SECOND_READING, path.stem).records():
            latest[record.card_id or ""] = record
        found += [
            Objection(
                card_id,
                record.rater,
                record.details["by"],
                "" if record.round in closed else record.reason,
                record.time,
                record.round,
                record.details["of"],
                stands=card_id in standing and standing[card_id].digest == record.details["of"],
                closed=record.round in closed,
            )
            for card_id, record in latest.items()
            if record.details["opinion"] == "object"
        ]
    return tuple(sorted(found, key=lambda each: each.time))


def standing_records(ws: Workspace, study: Study) -> dict[str, Record]:
    """Return card id -> the record of the last round that says what stands on it.

    The adjudication or exclusion where there is one, else the decision of the primary pass, or of
    the first pass that made one. Withdrawn passes have none.
    """
    round_ = study.rounds[-1]
    found: dict[str, Record] = {}
    for each in _primary_first(study, round_):
        for card_id, record in effective_judgements(pass_records(ws, study, each)).items():
            if record.kind == "decision":
                found.setdefault(card_id, record)
    for path in store_of(ws).logs(ws.study_folder(study.study) / ADJUDICATION):
        records = ledger_of(ws, study.study, ADJUDICATION, path.stem).records()
        found |= settling_records(records, round_.round)
    return found


def _primary_first(study: Study, round_: Round) -> tuple[Pass, ...]:
    every = {each.pass_: each for one in study.rounds for each in one.passes}
    primary = every.get(study.primary or "")
    others = tuple(each for each in round_.passes if each != primary)
    return (primary, *others) if primary is not None else others


def _standing_for(ws: Workspace, study: Study, reader: str) -> dict[str, Record]:
    """Return what stands, for the eyes of this reader."""
    me = folded_name(reader)
    for round_ in study.rounds:
        mine = any(folded_name(each.rater) == me for each in round_.passes)
        if mine and _is_closed(ws, study, round_):
            raise ReaderIsRater(
                f"{reader} is a rater of round {round_.round}, which is blind until every pass is"
                " locked; let somebody else read, or wait for the locks"
            )
    return standing_records(ws, study)


def _is_closed(ws: Workspace, study: Study, round_: Round) -> bool:
    if not round_.is_blind:
        return False
    try:
        open_round(ws, study, round_)
    except LabelsClosed:
        return True
    return False


def _cards(ws: Workspace, study: Study) -> tuple[frozenset[str], Mapping[str, str]]:
    digests = deal_deck(ws, study, load_forms(ws.checklists), "").digests()
    return frozenset(digests), digests


def _unknown(card_id: str, known: Iterable[str]) -> tuple[str, str] | None:
    if card_id in known:
        return None
    return f"the study has no card {card_id!r}", "mend the id or leave the line out"


def _fault(
    card_id: str,
    read: str | None,
    standing: Mapping[str, Record],
    digests: Mapping[str, str],
    reader: str,
) -> tuple[str, str] | None:
    """Return what keeps a card from being read a second time, and what to do."""
    record = standing.get(card_id)
    if record is None and card_id not in digests:
        return "is no card of the study", "mend the id"
    if record is None:
        return "has no verdict or label yet", "read it when it has one"
    if folded_name(record.rater) == folded_name(reader):
        return f"was judged by {record.rater}", "let somebody else read it"
    if record.card_digest != digests.get(card_id):
        return "was changed after its verdict", "let it be judged anew first"
    if read is not None and read != record.card_digest:
        return "is not what was read: its digest is another one", "read it as it is now"
    return None


def _lines(sources: Iterable[Source]) -> tuple[list[tuple[Source, ReadingLine]], list[Problem]]:
    lines: list[tuple[Source, ReadingLine]] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            lines.append((source, build(source, ReadingLine)))
        except ProblemsFound as found:
            problems += found.problems
    return lines, problems


def _click(file_digest: str, line: int) -> str:
    return f"reading-{hashlib.sha256(f'{file_digest}:{line}'.encode()).hexdigest()[:40]}"


def _ledger(ws: Workspace, study: Study, reader: str) -> ChainedLedger:
    try:
        TypeAdapter(Word).validate_python(reader)
    except ValidationError:
        raise BadReaderName(
            f"{reader!r} is no name of a reader: letters, digits, `.`, `_` and `-`, no space;"
            " choose another"
        ) from None
    for other in store_of(ws).logs(ws.study_folder(study.study) / SECOND_READING):
        if other.stem != reader and folded_name(other.stem) == folded_name(reader):
            raise BadReaderName(
                f"{reader!r} and {other.stem!r} are one name in another spelling; write"
                f" {other.stem!r}, or choose another"
            )
    return ledger_of(ws, study.study, SECOND_READING, reader)


def _entry(
    study: Study,
    round_: str,
    reader: str,
    origin: Origin,
    card_id: str,
    card_digest: str | None,
    reason: str,
    details: dict[str, Any],
    click_id: str,
) -> Entry:
    # built unchecked: ``append`` checks every field of every entry and words what is wrong
    return Entry.model_construct(
        kind="second_reading", click_id=click_id, study=study.study, round=round_,
        pass_=SECOND_READING, rater=reader, origin=origin, card_id=card_id,
        card_digest=card_digest, reason=reason, details=details,
    )  # fmt: skip
