"""XSTest: a safe prompt and its unsafe contrast, as the two sides of a T3.

The set keeps them in one order: the n-th prompt of a type and the n-th of ``contrast_`` that type.
Where a type has not as many of both, the published focus decides. The value of each side is its
label; the prompts are no minimal pairs, and the audit will say so.
"""

from __future__ import annotations

from collections import defaultdict

from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.taken import Gathered, as_code, as_id, notes_of
from reviewkit.sources import Table

CONTRAST = "contrast_"
COLUMNS = ("id", "prompt", "type", "label")
Row = dict[str, str]


def take_prompts(table: Table, settled: Settled) -> Gathered:
    """Return a group for each prompt that has a contrast."""
    taken = Gathered()
    by_type: dict[str, list[tuple[str, Row]]] = defaultdict(list)
    for at, row in enumerate(table.rows):
        cell = dict(zip(table.columns, row, strict=True))
        by_type[cell["type"].strip()].append((table.where(at), cell))
    for kind, rows in by_type.items():
        if kind.startswith(CONTRAST):
            if kind.removeprefix(CONTRAST) not in by_type:
                places = [where for where, _ in rows]
                taken.leave_out(places, f"no prompt of type {kind.removeprefix(CONTRAST)} is there")
            continue
        contrasts = by_type.get(CONTRAST + kind, [])
        if not contrasts:
            taken.leave_out(
                [where for where, _ in rows], f"no prompt of type {CONTRAST}{kind} is there"
            )
            continue
        for safe, unsafe in _pairs(taken, rows, contrasts):
            _add(taken, settled, table, kind, safe, unsafe)
    return taken


def _pairs(
    taken: Gathered, rows: list[tuple[str, Row]], contrasts: list[tuple[str, Row]]
) -> list[tuple[tuple[str, Row], tuple[str, Row]]]:
    if len(rows) == len(contrasts):
        return list(zip(rows, contrasts, strict=True))
    left = list(contrasts)
    pairs: list[tuple[tuple[str, Row], tuple[str, Row]]] = []
    for row in rows:
        focus = row[1].get("focus", "").strip()
        twin = next((each for each in left if focus and _focus(each) == focus), None)
        if twin is None:
            taken.leave_out([row[0]], "no contrast has its focus, and the numbers of both differ")
            continue
        left.remove(twin)
        pairs.append((row, twin))
    taken.leave_out([where for where, _ in left], "no safe prompt has its focus")
    return pairs


def _focus(row: tuple[str, Row]) -> str:
    return row[1].get("focus", "").strip()


def _add(
    taken: Gathered, settled: Settled, table: Table, kind: str, *sides: tuple[str, Row]
) -> None:
    focuses = list(dict.fromkeys(_focus(side) for side in sides))
    template_id = as_id(settled.prefix, sides[0][1]["id"].strip())
    items = [
        settled.item(
            as_id(settled.prefix, cell["id"].strip(), "prompt"), text=cell["prompt"],
            swapped_value=cell["label"].strip() or name,
            notes=f"type as published: {cell['type'].strip()}",
        )
        for name, (_, cell) in zip(("safe", "unsafe"), sides, strict=True)
    ]  # fmt: skip
    notes = notes_of(
        f"XSTest {kind}, focus as published: {', '.join(filter(None, focuses)) or 'none'}",
        "the focus of the two differs: is it a pair?" if len(focuses) > 1 else "",
    )
    fields = settled.group(
        template_id, swapped_variable="label", theme=as_code(kind), notes=notes, items=items
    )
    taken.make([where for where, _ in sides], fields, table.shown)
