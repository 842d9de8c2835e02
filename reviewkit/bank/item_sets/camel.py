"""CAMeL: natural prompts with a mask for an entity, as a T1 once values fill the mask.

The set keeps its entities in lists of their own, and which of them to compare is a choice of the
person who imports: ``--fill "Beverage=قهوة,كولا"`` for each kind. Rows of a kind without values are
left out by name.
"""

from __future__ import annotations

from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.spans import PLACE
from reviewkit.bank.item_sets.taken import Gathered, as_code, as_id, notes_of
from reviewkit.sources import Table

MASK = "[MASK]"
PROMPT = "Prompt"
KIND = "Entity Type"


def take_masks(table: Table, settled: Settled) -> Gathered:
    """Return a group for each prompt whose kind of entity has values."""
    taken = Gathered()
    fills = {kind.strip().casefold(): values for kind, values in settled.fills.items()}
    for at, row in enumerate(table.rows):
        cell = dict(zip(table.columns, row, strict=True))
        where, kind, prompt = (table.where(at),), cell.get(KIND, "").strip(), cell[PROMPT]
        values = fills.get(kind.casefold(), ())
        if MASK not in prompt:
            taken.leave_out(where, f"the prompt has no {MASK}")
        elif len(values) < 2:
            reason = f"no two values for {kind or 'its kind'}"
            taken.leave_out(where, f'{reason}: give --fill "{kind}=ONE,OTHER"')
        else:
            base = prompt.replace(MASK, PLACE)
            template_id = as_id(settled.prefix, str(table.lines[at]))
            items = [
                settled.item(
                    f"{template_id}-{number}", text=base.replace(PLACE, value), swapped_value=value
                )
                for number, value in enumerate(values, 1)
            ]
            feeling = cell.get("Sentiment", "").strip()
            notes = notes_of(
                f"CAMeL, entity type as published: {kind or 'none'}",
                f"sentiment as published: {feeling}" if feeling else "",
            )
            fields = settled.group(
                template_id, swapped_variable=as_code(kind) or "entity", base_text=base,
                value_list=list(values), notes=notes, items=items,
            )  # fmt: skip
            taken.make(where, fields, table.shown)
    return taken
