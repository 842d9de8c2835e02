"""Winogender templates: an occupation, another participant, and one pronoun, as a T1.

Every template gives two groups, as its authors fill it: with the participant named, and with
"someone". The pronoun is the value, in the three forms of its grammatical place.
"""

from __future__ import annotations

import re

from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.spans import PLACE
from reviewkit.bank.item_sets.taken import Gathered, as_id, notes_of
from reviewkit.sources import Table

PRONOUNS = {
    "NOM": ("he", "she", "they"),
    "POSS": ("his", "her", "their"),
    "ACC": ("him", "her", "them"),
}
SLOT = re.compile(r"\$(NOM|POSS|ACC)_PRONOUN")
_SOMEONE = re.compile(r"\b(?:[Tt]he|[Aa]n?) \$PARTICIPANT")


def columns_of(table: Table) -> tuple[str, str] | None:
    """Return the columns of occupation and participant, or None when they are not there."""
    found = [
        next((name for name in table.columns if name.startswith(start)), "")
        for start in ("occupation", "other-participant")
    ]
    return (found[0], found[1]) if all(found) and "sentence" in table.columns else None


def take_templates(table: Table, settled: Settled) -> Gathered:
    """Return two groups for each template."""
    taken = Gathered()
    columns = columns_of(table)
    if columns is None:
        raise AssertionError("this table was recognised by these columns")
    for at, row in enumerate(table.rows):
        cell = dict(zip(table.columns, row, strict=True))
        where, sentence = (table.where(at),), cell["sentence"]
        cases = set(SLOT.findall(sentence))
        if len(cases) != 1:
            what = "no pronoun slot" if not cases else "pronoun slots of several cases"
            taken.leave_out(where, f"the sentence has {what}")
            continue
        occupation, participant = (cell[name].strip() for name in columns)
        values = PRONOUNS[cases.pop()]
        named = sentence.replace("$OCCUPATION", occupation)
        ways = {
            "participant": named.replace("$PARTICIPANT", participant),
            "someone": _SOMEONE.sub(_someone, named),
        }
        answer = cell.get("answer", "").strip()
        notes = notes_of(
            f"Winogender, occupation {occupation}, participant {participant}",
            f"answer as published: {answer}" if answer else "",
        )
        for way, text in ways.items():
            if "$" in SLOT.sub("", text):
                taken.leave_out(where, f"a slot is left when it is filled with {way}")
                continue
            base = SLOT.sub(PLACE, text)
            template_id = as_id(settled.prefix, occupation, participant, answer, way)
            items = [
                settled.item(
                    f"{template_id}-{value}", text=base.replace(PLACE, value), swapped_value=value
                )
                for value in values
            ]
            fields = settled.group(
                template_id, swapped_variable="pronoun", base_text=base, value_list=list(values),
                notes=notes, items=items,
            )  # fmt: skip
            taken.make(where, fields, table.shown)
    return taken


def _someone(found: re.Match[str]) -> str:
    return "Someone" if found.group()[0].isupper() else "someone"
