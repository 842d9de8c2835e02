"""Winogender's sentences as published, already filled: three rows, one a gender, are a T1 group.

``sentid`` says all there is: ``baker.guest.1.female.txt`` is the occupation, the participant (or
``someone``), the answer and the gender of the pronoun. Texts are kept as written.
"""

from __future__ import annotations

from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.spans import template_of
from reviewkit.bank.item_sets.taken import Gathered, as_id, notes_of
from reviewkit.bank.item_sets.winogender import PRONOUNS
from reviewkit.sources import Table

COLUMNS = ("sentid", "sentence")
GENDERS = ("male", "female", "neutral")
_NEUTRAL = {(one, other): neutral for one, other, neutral in PRONOUNS.values()}


def take_sentences(table: Table, settled: Settled) -> Gathered:
    """Return a group for each occupation, participant and answer."""
    taken = Gathered()
    held: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
    for at, row in enumerate(table.rows):
        cell = dict(zip(table.columns, row, strict=True))
        parts = cell["sentid"].strip().removesuffix(".txt").split(".")
        where = table.where(at)
        if len(parts) != 4 or parts[3] not in GENDERS:
            taken.leave_out([where], "its sentid is no occupation, participant, answer and gender")
            continue
        versions = held.setdefault(tuple(parts[:3]), {})
        if parts[3] in versions:
            taken.leave_out([where], f"the {parts[3]} version stands on another line already")
            continue
        versions[parts[3]] = (where, cell["sentence"])
    for key, versions in held.items():
        places = [where for where, _ in versions.values()]
        values = _values({gender: text for gender, (_, text) in versions.items()})
        if isinstance(values, str):
            taken.leave_out(places, values)
            continue
        base, pronouns = values
        template_id = as_id(settled.prefix, *key)
        items = [
            settled.item(
                f"{template_id}-{gender}", text=versions[gender][1], swapped_value=pronouns[gender]
            )
            for gender in GENDERS
            if gender in versions
        ]
        occupation, participant, answer = key
        notes = notes_of(
            f"Winogender, occupation {occupation}, participant {participant}",
            f"answer as published: {answer}",
        )
        fields = settled.group(
            template_id, swapped_variable="pronoun", base_text=base,
            value_list=[item["swapped_value"] for item in items], notes=notes, items=items,
        )  # fmt: skip
        taken.make(places, fields, table.shown)
    return taken


def _values(texts: dict[str, str]) -> tuple[str, dict[str, str]] | str:
    """Return the template and the pronoun of each version, or why there is none."""
    if "male" not in texts or "female" not in texts:
        return "its male or its female version is not there"
    pair = template_of(texts["male"], texts["female"])
    if isinstance(pair, str):
        return pair
    one, other = pair.values
    neutral = _NEUTRAL.get((one.casefold(), other.casefold()))
    if neutral is None:
        return "the versions differ in something else than a pronoun"
    if one[:1].isupper():
        neutral = neutral.capitalize()
    return pair.base, {"male": one, "female": other, "neutral": neutral}
