"""Codings made elsewhere, read from a table into one rater's pass, by the same rules as the desk.

A row names its card and, in a column a field, the codes; several codes of one field are separated
by spaces. Nothing is recorded when one row is at fault, and nothing twice when the file is read
again. Spans are marked at the desk and not read from a table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reviewkit.decisions import NOTE_LIMIT
from reviewkit.decisions.passes import PassLocked, PassWithdrawn, pass_state
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import AnswerValue, Codebook, CodeField, Fault
from reviewkit.sources import Table, read_table
from reviewkit.sources.encodings import OPTIONS
from reviewkit.study.decks import NoSuchCard
from reviewkit.study.live_responses import ResponseDeck
from reviewkit.study.walk import Walk

NOTE, UNSURE, CARD = "note", "unsure", "card"
"""Columns that are no field; ``card`` must be there."""
_DOOR = replace(OPTIONS, row="card")


@dataclass(frozen=True, slots=True)
class ImportedCodings:
    """What a file of codings came to."""

    recorded: int
    repeated: int
    """Rows that an earlier reading of the same file had recorded."""


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    card_id: str
    answers: Mapping[str, AnswerValue]
    note: str
    unsure: bool
    click_id: str


def import_codings(
    walk: Walk,
    file: Path,
    *,
    encoding: str | None = None,
    sheet: str | None = None,
    rulings_in_force: int = 0,
) -> ImportedCodings:
    """Record every row of the file as a decision of the walk's rater.

    Args:
        walk: the pass, opened with origin ``import``.
        file: CSV, TSV, JSONL, JSON, XLSX or Parquet.
        encoding: of a text file that is not UTF-8.
        sheet: of a workbook with several.
        rulings_in_force: how many rulings there are; a pass that begins here is pinned to them.

    Raises ProblemsFound with every fault, PassLocked or PassWithdrawn.
    """
    state = pass_state(walk.ledger.records())
    if state.lock is not None:
        raise PassLocked(state.lock)
    if state.withdrawal is not None:
        raise PassWithdrawn(state.withdrawal)
    shown = walk.ws.shown(file)
    table = read_table(file, shown, encoding=encoding, sheet=sheet, door=_DOOR)
    deck = walk.deck
    if not isinstance(deck, ResponseDeck):
        wrong = f"study {walk.study.study} reviews template groups"
        raise ProblemsFound([Problem(table.shown, wrong, "name a study of responses")])
    problems = list(_wrong_columns(table, deck.codebook))
    if problems:
        raise ProblemsFound(problems)
    file_digest = hashlib.sha256(file.read_bytes()).hexdigest()
    rows = [_row(table, number, deck.codebook, file_digest) for number in range(len(table.rows))]
    first_at: dict[str, int] = {}
    problems = [
        problem
        for row in rows
        for problem in _wrong_row(row, first_at.setdefault(row.card_id, row.number), table, walk)
    ]
    if problems:
        raise ProblemsFound(problems)
    new = [row for row in rows if walk.ledger.find(row.click_id) is None]
    if new:
        walk.start(rulings_in_force)
    for row in new:
        walk.submit(
            row.card_id, walk.digest(row.card_id), row.answers, row.note,
            escalated=False, seconds=0.0, click_id=row.click_id, unsure=row.unsure,
        )  # fmt: skip
    return ImportedCodings(len(new), len(rows) - len(new))


def _wrong_columns(table: Table, codebook: Codebook) -> Iterator[Problem]:
    fields = {field.id: field for field in codebook.fields}
    known = (CARD, *fields, NOTE, UNSURE)
    if CARD not in table.columns:
        yield Problem(table.shown, f"has no column {CARD!r}", "add one with the ids of the cards")
    for column in table.columns:
        if column not in known:
            remedy = f"use {', '.join(known)}, or leave it out"
            yield Problem(table.shown, f"the column {column!r} is no field", remedy)
        elif column in fields and fields[column].type == "spans":
            wrong = f"{column} holds spans, which are marked at the desk"
            yield Problem(table.shown, wrong, "leave the column out")


def _row(table: Table, number: int, codebook: Codebook, file_digest: str) -> _Row:
    cells = dict(zip(table.columns, table.rows[number], strict=True))
    answers = {
        field.id: value
        for field in codebook.fields
        if (value := _answer(field, cells.get(field.id, "").strip())) is not None
    }
    click = hashlib.sha256(f"{file_digest}|{number}".encode()).hexdigest()[:32]
    unsure = cells.get(UNSURE, "").strip().casefold() in ("yes", "true", "1")
    return _Row(number, cells[CARD].strip(), answers, cells.get(NOTE, ""), unsure, click)


def _answer(field: CodeField, cell: str) -> AnswerValue | None:
    if field.type == "many":
        return tuple(cell.split())
    return cell or None


def _wrong_row(row: _Row, first: int, table: Table, walk: Walk) -> Iterator[Problem]:
    where = table.where(row.number)
    try:
        walk.deck.card(row.card_id)
    except NoSuchCard:
        yield Problem(
            f"{where} {CARD}", f"the pass has no card {row.card_id!r}", "name a card of this pass"
        )
        return
    if first != row.number:
        wrong = f"{row.card_id} stands in {table.where(first)} too"
        yield Problem(f"{where} {CARD}", wrong, "keep one of the two")
    if len(row.note) > NOTE_LIMIT:
        wrong = f"the note has {len(row.note):,} characters and may have {NOTE_LIMIT:,}"
        yield Problem(f"{where} {NOTE}", wrong, "shorten it")
    outcome = walk.outcome(row.card_id, row.answers, row.note)
    for fault in outcome.faults:
        yield _told(fault, row, where, walk)


def _told(fault: Fault, row: _Row, where: str, walk: Walk) -> Problem:
    form = walk.form(row.card_id)
    name = fault.check_id
    field = form.field(name) if isinstance(form, Codebook) and name in form.parts else None
    codes = ", ".join(field.code_ids) if field is not None else ""
    match fault.code:
        case "bad_answer":
            return Problem(
                f"{where} {name}", f"{row.answers[name]!r} is no code of {name}", f"use {codes}"
            )
        case "unanswered":
            return Problem(f"{where} {name}", "is empty", f"use {codes}")
        case "not_asked":
            return Problem(f"{where} {name}", "is not asked of this card", "leave it empty")
        case "note_missing":
            return Problem(f"{where} {NOTE}", "this answer needs a note", "write why")
        case _:
            return Problem(f"{where} {name}", f"not recorded: {fault.code}", "code it at the desk")
