"""StereoSet: three sentences, or three continuations, for one context, as versions of a T1.

The development file is one JSON document; its clusters are named by their place, since a document
has no lines to speak of. Flattened, it is a table with a row a cluster, whose sentences are a list
or lists side by side, or with a row a sentence. Gold labels are kept as published, in the notes of
each item: a number stays a number, since tables count them differently.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from reviewkit.bank.item_sets.cells import DoubledKey, each_key_once, value_in
from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.spans import PLACE
from reviewkit.bank.item_sets.taken import TARGET_NOT_GIVEN, Gathered, as_id, notes_of
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Table

KINDS = ("intrasentence", "intersentence")
_BLANK = "BLANK"
Cluster = Mapping[str, Any]


def read_clusters(path: Path, shown: str) -> list[tuple[str, str, Cluster]] | None:
    """Return (kind, place, cluster) for each cluster, or None when this is no StereoSet file.

    Raises ProblemsFound when the file is no JSON.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=each_key_once)
    except DoubledKey as doubled:
        wrong, _, remedy = str(doubled).partition("; ")
        raise ProblemsFound([Problem(shown, wrong, remedy)]) from doubled
    except (ValueError, RecursionError) as error:
        raise ProblemsFound(
            [Problem(shown, f"is not valid JSON ({error})", "correct the file")]
        ) from error
    data = document.get("data") if isinstance(document, dict) else None
    if not isinstance(data, dict) or not set(KINDS) & set(cast("dict[str, Any]", data)):
        return None
    return list(_clusters(cast("dict[str, Any]", data), shown))


def _clusters(data: dict[str, Any], shown: str) -> Iterator[tuple[str, str, Cluster]]:
    for kind in KINDS:
        listed = data.get(kind)
        for at, cluster in enumerate(cast("list[Any]", listed) if isinstance(listed, list) else []):
            place = f"{shown} data.{kind}[{at}]"
            yield kind, place, cast("Cluster", cluster) if isinstance(cluster, dict) else {}


def take_clusters(
    clusters: Sequence[tuple[str, str, Cluster]], settled: Settled, shown: str
) -> Gathered:
    """Return a group for each cluster of the document."""
    taken = Gathered()
    placed = [(kind, (place,), cluster) for kind, place, cluster in clusters]
    _take(placed, settled, shown, taken)
    return taken


COLUMNS = ("context", "bias_type")


def is_flattened(table: Table) -> bool:
    """Return whether a table has the sentences of its clusters, in lists or a row each."""
    return "sentences" in table.columns or {"sentence", "gold_label"} <= set(table.columns)


def take_table(table: Table, settled: Settled) -> Gathered:
    """Return a group for each cluster of a flattened table."""
    taken = Gathered()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    places = [table.where(at) for at in range(len(rows))]
    if "sentences" in table.columns:
        clusters = list(_of_rows(rows, places, taken))
    else:
        clusters = list(_of_sentences(rows, places))
    placed = [
        (KINDS[0] if _BLANK in _text(each, "context") else KINDS[1], at, each)
        for at, each in clusters
    ]
    _take(placed, settled, table.shown, taken)
    return taken


Flat = Iterator[tuple[tuple[str, ...], Cluster]]


def _of_rows(rows: Sequence[dict[str, str]], places: Sequence[str], taken: Gathered) -> Flat:
    """Yield a cluster for each row, whose sentences are a list or lists side by side."""
    for row, place in zip(rows, places, strict=True):
        try:
            told = value_in(row["sentences"])
        except DoubledKey as doubled:
            taken.leave_out([place], str(doubled))
            continue
        sentences = _side_by_side(told) if isinstance(told, dict) else told
        if not isinstance(sentences, list):
            taken.leave_out([place], "its sentences are no list that can be read")
            continue
        yield (place,), {**row, "sentences": sentences}


def _side_by_side(told: object) -> list[dict[str, Any]] | None:
    """Return lists of equal length, one a field, as a list of sentences."""
    lists = {
        name: cast("list[Any]", value)
        for name, value in cast("dict[str, Any]", told).items()
        if name in ("sentence", "gold_label") and isinstance(value, list)
    }
    if "sentence" not in lists or len({len(each) for each in lists.values()}) > 1:
        return None
    return [dict(zip(lists, each, strict=True)) for each in zip(*lists.values(), strict=True)]


def _of_sentences(rows: Sequence[dict[str, str]], places: Sequence[str]) -> Flat:
    """Yield a cluster for each run of rows about one context and target."""
    same = ("context", "bias_type", "target")
    numbered = enumerate(rows)
    for _, run in groupby(numbered, key=lambda each: [each[1].get(name, "") for name in same]):
        held = list(run)
        first = {**held[0][1], "id": ""}
        yield tuple(places[at] for at, _ in held), {**first, "sentences": [row for _, row in held]}


def _take(
    clusters: Sequence[tuple[str, tuple[str, ...], Cluster]],
    settled: Settled,
    shown: str,
    taken: Gathered,
) -> None:
    for number, (kind, places, cluster) in enumerate(clusters):
        context = _text(cluster, "context")
        sentences = [
            (_text(each, "sentence"), _label(each))
            for each in cast("list[Any]", cluster.get("sentences") or [])
            if isinstance(each, dict)
        ]
        if not context or not sentences or not all(sentence for sentence, _ in sentences):
            taken.leave_out(places, "it has no context, or a sentence without text")
            continue
        values = _values(kind, context, [sentence for sentence, _ in sentences])
        if values is None:
            taken.leave_out(places, "a sentence is not its context with BLANK filled")
            continue
        base = context.replace(_BLANK, PLACE) if kind == KINDS[0] else f"{context} {PLACE}"
        template_id = as_id(settled.prefix, kind, str(number))
        items = [
            settled.item(
                f"{template_id}-{at + 1}", swapped_value=value,
                text=base.replace(PLACE, value),
                notes=f"gold_label as published: {label or 'none'}",
            )
            for at, (value, (_, label)) in enumerate(zip(values, sentences, strict=True))
        ]  # fmt: skip
        notes = notes_of(
            f"StereoSet {kind}, id {_text(cluster, 'id') or 'none'}",
            f"bias_type as published: {_text(cluster, 'bias_type') or 'none'}",
            f"target as published: {_text(cluster, 'target')}"
            if _text(cluster, "target")
            else TARGET_NOT_GIVEN,
        )
        fields = settled.group(
            template_id, swapped_variable="continuation", base_text=base,
            value_list=list(dict.fromkeys(values)), notes=notes, items=items,
        )  # fmt: skip
        taken.make(places, fields, shown)


def _label(sentence: Cluster) -> str:
    """Return a gold label as written; flattened sets have numbers for words."""
    value = sentence.get("gold_label")
    return "" if value is None else str(value)


def _text(cluster: Cluster, name: str) -> str:
    value = cluster.get(name)
    return value if isinstance(value, str) else ""


def _values(kind: str, context: str, sentences: list[str]) -> list[str] | None:
    """Return what each sentence puts in the place of BLANK; whole continuations are their own."""
    if kind != KINDS[0]:
        return sentences
    if context.count(_BLANK) != 1:
        return None
    before, after = context.split(_BLANK)
    values: list[str] = []
    for sentence in sentences:
        inner = sentence[len(before) : len(sentence) - len(after)]
        if before + inner + after != sentence or not inner:
            return None
        values.append(inner)
    return values
