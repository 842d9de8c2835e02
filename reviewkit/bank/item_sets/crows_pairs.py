"""CrowS-Pairs: a sentence about one group and the same about another, as two versions of a T1.

``sent_more`` and ``sent_less`` are kept as written. Half of the defective pairs known differ in
more than the group: the audit counts the spans, the import only says how many there are.
"""

from __future__ import annotations

from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.spans import template_of
from reviewkit.bank.item_sets.taken import TARGET_NOT_GIVEN, Gathered, as_id, notes_of
from reviewkit.sources import Table

COLUMNS = ("sent_more", "sent_less")


def take_pairs(table: Table, settled: Settled) -> Gathered:
    """Return a group for each pair; ids come from the first column, which has no name."""
    taken = Gathered()
    several = 0
    names = [row_id(table, at) for at in range(len(table.rows))]
    unique = len(set(names)) == len(names)
    for at in range(len(table.rows)):
        cell = dict(zip(table.columns, table.rows[at], strict=True))
        where = (table.where(at),)
        pair = template_of(cell["sent_more"], cell["sent_less"])
        if isinstance(pair, str):
            taken.leave_out(where, pair)
            continue
        several += pair.spans > 1
        template_id = as_id(settled.prefix, names[at] if unique else str(table.lines[at]))
        texts = zip(COLUMNS, pair.values, strict=True)
        items = [
            settled.item(
                f"{template_id}-{side.removeprefix('sent_')}", text=cell[side], swapped_value=value,
                notes=f"{side} as published",
            )
            for side, value in texts
        ]  # fmt: skip
        direction = cell.get("stereo_antistereo", "").strip()
        notes = notes_of(
            f"CrowS-Pairs, bias_type as published: {cell.get('bias_type', '') or 'none'}",
            f"direction as published: {direction}" if direction else "",
            f"{pair.spans} changed spans, the first is the value" if pair.spans > 1 else "",
            TARGET_NOT_GIVEN,
        )
        taken.make(
            where,
            settled.group(
                template_id, swapped_variable=cell.get("bias_type", "").strip() or "group",
                base_text=pair.base, value_list=list(dict.fromkeys(pair.values)), notes=notes,
                items=items,
            ),
            table.shown,
        )  # fmt: skip
    if several:
        taken.said.append(f"{several} pairs differ in several places: the audit names them")
    return taken


def row_id(table: Table, at: int) -> str:
    """Return what a column without a name, or one named id, calls a row; else its line."""
    for name in ("", "id"):
        if name in table.columns:
            return table.rows[at][table.columns.index(name)].strip()
    return str(table.lines[at])
