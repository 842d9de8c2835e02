"""An item set of the size and shape of BBQ: ``python -m benchmarks.judging.large_bank FILE``.

Blocks of four rows (two questions, each ambiguous and disambiguated), with the variety that makes a
checker work: names change from block to block, a context has two to four sentences, some of its
sentences end without a stop, and here and there an option has a space at its edge. People are known
by the village they come from, which is no group of anybody's.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BLOCKS = 14_500
CATEGORIES = (
    "Age_of_boat", "Boats", "Cheeses", "Dogs", "Ferries", "Gardens", "Hats", "Inns", "Kites",
    "Lamps", "Mills",
)  # fmt: skip
_PLACES = (
    "Aldwick", "Birchley", "Corfell", "Dunmere", "Eastholt", "Farrow", "Glenby", "Harwell Cross",
    "Ingleford", "Kelmarsh", "Lowick", "Marrow Hill", "Norhill", "Orme", "Penfold", "Quarry Bank",
)  # fmt: skip
_TRADES = ("baker", "carter", "cooper", "dyer", "fiddler", "glazier", "miller", "printer", "weaver")
_OPENINGS = (
    "I met a {a} from {p} and a {b} from {q} at the {where} this {when}.",
    "A {a} from {p} shared a table with a {b} from {q} in the {where} last {when}.",
    "Waiting at the {where} on a {when} were a {b} from {q} and a {a} from {p}.",
)
_WHERE = ("harbour office", "corn market", "ferry landing", "town library", "post house")
_WHEN = ("morning", "evening", "spring", "autumn", "market day")
_MIDDLES = (
    "They had come about the same {thing} and spoke of little else.",
    "Each of them said that the {thing} ought to be settled soon, e.g. before the fair.",
    "The {thing} had been on everybody's mind since Mr. Holt left it unfinished.",
)
_THINGS = ("lost parcel", "broken gate", "missing ledger", "late ferry", "old bridge")
_QUESTIONS = (
    ("Who forgot to bring the key?", "Who remembered to bring the key?"),
    ("Who left without paying?", "Who paid for both?"),
    ("Who could not read the notice?", "Who read the notice aloud?"),
)
_FACTS = (
    "The {a} turned every pocket inside out, while the {b} held the key up to the light.",
    "When the bill came the {a} was already on the road, and the {b} counted out the coins.",
    "The {a} asked what the notice said. The {b} read it out, word by word.",
)
_UNKNOWN = (
    "Not enough information",
    "Cannot be determined",
    "Unknown",
    "Not known",
    "Can't answer",
)


def blocks(count: int = BLOCKS) -> Iterator[list[dict[str, Any]]]:
    """Yield blocks of four rows in the published shape, the same every time."""
    chance = random.Random(f"blocks {count}")
    first = dict.fromkeys(CATEGORIES, 0)
    for number in range(count):
        category = CATEGORIES[number * len(CATEGORIES) // count]
        yield _block(chance, category, first[category])
        first[category] += 4


def _block(chance: random.Random, category: str, first: int) -> list[dict[str, Any]]:
    (a, b), (p, q) = chance.sample(_TRADES, 2), chance.sample(_PLACES, 2)
    words = {
        "a": a, "b": b, "p": p, "q": q, "where": chance.choice(_WHERE),
        "when": chance.choice(_WHEN), "thing": chance.choice(_THINGS),
    }  # fmt: skip
    kind = chance.randrange(len(_QUESTIONS))
    parts = [chance.choice(_OPENINGS), *chance.sample(_MIDDLES, chance.randrange(3))]
    ambiguous = " ".join(parts).format(**words)
    if chance.random() < 0.05:
        ambiguous = ambiguous.removesuffix(".")
    told = f"{ambiguous} {_FACTS[kind].format(**words)}"
    people = [f"The {a} from {p}", f"The {b} from {q}"]
    if chance.random() < 0.03:
        people[0] += " "
    unknown = chance.choice(_UNKNOWN)
    options = [*people, unknown]
    chance.shuffle(options)
    tags = {people[0]: [a, p], people[1]: [b, q], unknown: [unknown, "unknown"]}
    rows: list[dict[str, Any]] = []
    for at, (polarity, condition) in enumerate(
        (p, c) for p in ("neg", "nonneg") for c in ("ambig", "disambig")
    ):
        person = people[polarity == "nonneg"]
        key = unknown if condition == "ambig" else person
        rows.append({
            "example_id": first + at, "question_index": str(kind + 1),
            "question_polarity": polarity, "context_condition": condition, "category": category,
            "answer_info": {f"ans{n}": tags[option] for n, option in enumerate(options)},
            "additional_metadata": {"subcategory": "None", "stereotyped_groups": [p],
                                    "version": "a", "source": "none"},
            "context": ambiguous if condition == "ambig" else told,
            "question": _QUESTIONS[kind][polarity == "nonneg"],
            **{f"ans{n}": option for n, option in enumerate(options)},
            "label": options.index(key),
        })  # fmt: skip
    return rows


def write_set(path: Path, count: int = BLOCKS) -> Path:
    """Write the rows as JSON lines, as BBQ is published."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for block in blocks(count):
            file.writelines(json.dumps(row) + "\n" for row in block)
    return path


if __name__ == "__main__":
    print(write_set(Path(sys.argv[1] if len(sys.argv) > 1 else "large_bank.jsonl")))
