"""StereoSet: three sentences, or three continuations, for one context, as versions of a T1.

The development file is one JSON document; its clusters are named by their place, since a document
has no lines to speak of. Gold labels are kept as published, in the notes of each item.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.spans import PLACE
from reviewkit.bank.item_sets.taken import TARGET_NOT_GIVEN, Gathered, as_id, notes_of
from reviewkit.problems import Problem, ProblemsFound

KINDS = ("intrasentence", "intersentence")
_BLANK = "BLANK"
Cluster = Mapping[str, Any]


def read_clusters(path: Path, shown: str) -> list[tuple[str, str, Cluster]] | None:
    """Return (kind, place, cluster) for each cluster, or None when this is no StereoSet file.

    Raises ProblemsFound when the file is no JSON.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
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
    """Return a group for each cluster."""
    taken = Gathered()
    for number, (kind, place, cluster) in enumerate(clusters):
        context = _text(cluster, "context")
        sentences = [
            (_text(each, "sentence"), _text(each, "gold_label"))
            for each in cast("list[Any]", cluster.get("sentences") or [])
            if isinstance(each, dict)
        ]
        if not context or not sentences or not all(sentence for sentence, _ in sentences):
            taken.leave_out([place], "it has no context, or a sentence without text")
            continue
        values = _values(kind, context, [sentence for sentence, _ in sentences])
        if values is None:
            taken.leave_out([place], "a sentence is not its context with BLANK filled")
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
        taken.make([place], fields, shown)
    return taken


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
