"""KoBBQ: blocks of four rows, two questions with both twins each, as T2 groups of four items.

A row's id ends in ``amb`` or ``dis`` and in ``bsd`` or ``cnt``, the biased and the counter-biased
question. Unlike BBQ this set says which answer the bias points at, so the direction in which the
twin resolves is read from ``biased_answer``, never from the words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Any

from reviewkit.bank.item_sets.cells import list_in
from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.taken import TARGET_NOT_GIVEN, Gathered, as_id, notes_of
from reviewkit.sources import Table

COLUMNS = ("sample_id", "context", "question", "choices", "answer")
_ID = re.compile(r"(.+)-(amb|dis)-(bsd|cnt)")
_TWIN = {"amb": "ambiguous", "dis": "disambiguated"}
_ORDER = (("amb", "bsd"), ("dis", "bsd"), ("amb", "cnt"), ("dis", "cnt"))
Row = dict[str, str]


def take_blocks(table: Table, settled: Settled) -> Gathered:
    """Return the whole blocks; the rows of a block at fault are left out together."""
    taken = Gathered()
    blocks: dict[str, dict[tuple[str, str], tuple[str, Row]]] = defaultdict(dict)
    for at, row in enumerate(table.rows):
        cell = dict(zip(table.columns, row, strict=True))
        where, found = table.where(at), _ID.fullmatch(cell["sample_id"].strip())
        if found is None:
            taken.leave_out([where], "its sample_id does not end in amb or dis and bsd or cnt")
        elif (found[2], found[3]) in blocks[found[1]]:
            taken.leave_out([where], f"sample_id {found[0]} stands more than once")
        else:
            blocks[found[1]][found[2], found[3]] = (where, cell)
    unknown: Counter[str] = Counter()
    for name, block in blocks.items():
        places = [where for where, _ in block.values()]
        missing = ["-".join(each) for each in _ORDER if each not in block]
        if missing:
            taken.leave_out(places, f"block {name} has no {', no '.join(missing)} row")
            continue
        rows = {kind: cell for kind, (_, cell) in block.items()}
        items = _items(name, rows, settled)
        if isinstance(items, str):
            taken.leave_out(places, items)
            continue
        unknown.update(rows[kind]["answer"] for kind in _ORDER if kind[0] == "amb")
        fields = settled.group(
            as_id(settled.prefix, name), disambig_direction=_direction(rows),
            notes=_notes(rows["amb", "bsd"]), items=items,
        )  # fmt: skip
        taken.make(places, fields, table.shown)
    if unknown:
        told = ", ".join(repr(text) for text, _ in unknown.most_common(5))
        taken.said.append(
            f"ambiguous rows key {told}: cannot_be_determined of the taxonomy should list it under"
            f" {settled.language}, or the audit finds no undetermined option"
        )
    return taken


def _items(name: str, rows: dict[tuple[str, str], Row], settled: Settled) -> list[Any] | str:
    items: list[Any] = []
    for kind in _ORDER:
        cell = rows[kind]
        choices = list_in(cell["choices"])
        if choices is None:
            return f"the choices of {'-'.join(kind)} are no list"
        if choices.count(cell["answer"]) != 1:
            return f"the answer of {'-'.join(kind)} is not one of its choices"
        items.append(settled.item(
            as_id(settled.prefix, name, *kind), twin=_TWIN[kind[0]], context=cell["context"],
            question=cell["question"], options=choices,
            correct_position=choices.index(cell["answer"]) + 1,
            notes="biased question as published" if kind[1] == "bsd" else "counter-biased question",
        ))  # fmt: skip
    return items


def _direction(rows: dict[tuple[str, str], Row]) -> str:
    """Return which way the twins resolve, when both questions say the same."""
    said = {
        rows["dis", kind]["answer"] == rows["dis", kind].get("biased_answer", "")
        for kind in ("bsd", "cnt")
    }
    if len(said) > 1 or not all(row.get("biased_answer") for row in rows.values()):
        return "not_given"
    return "with" if said.pop() else "against"


def _notes(row: Row) -> str:
    biased = row.get("biased_answer", "")
    return notes_of(
        f"KoBBQ, category as published: {row.get('bbq_category', '') or 'none'}",
        f"label_annotation {row['label_annotation']}" if row.get("label_annotation") else "",
        "the biased answer is given per question" if biased else TARGET_NOT_GIVEN,
    )
