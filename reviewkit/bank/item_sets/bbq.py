"""BBQ, as published or flattened into a table: blocks of four rows are T2 groups of four items.

A block is the four rows ``4n .. 4n+3`` of ``example_id``: two question polarities, each ambiguous
and disambiguated. Texts are taken letter by letter. Which answer the stereotype points at is not
in these files (``stereotyped_groups`` names no answer), so the direction stays ``not_given``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from reviewkit.bank.item_sets.cells import DoubledKey, mapping_in, same_kind
from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.taken import TARGET_NOT_GIVEN, Gathered, Made
from reviewkit.bank.items import Frozen, Group, Item, Prose
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Source, Table, build, collect, load_jsonl

Number = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,9}$")]
_SHARED = ("category", "question_index", "ans0", "ans1", "ans2")
"""What the four rows of a block have in common, besides the version."""
_POLARITY: dict[str, Any] = {"neg": "negative", "nonneg": "nonnegative"}
_TWIN: dict[str, Any] = {"ambig": "ambiguous", "disambig": "disambiguated"}


class BbqRow(Frozen):
    """One line of a BBQ file, with the fields and names it is published with."""

    example_id: Number
    question_index: Number
    question_polarity: Literal["neg", "nonneg"]
    context_condition: Literal["ambig", "disambig"]
    category: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
    answer_info: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    additional_metadata: dict[str, str | tuple[str, ...]] = Field(
        default_factory=dict[str, str | tuple[str, ...]]
    )
    context: Prose
    question: Prose
    ans0: Prose
    ans1: Prose
    ans2: Prose
    label: Literal["0", "1", "2"]


_Placed = tuple[Source, BbqRow]


def read_bbq(
    path: Path,
    shown: str,
    *,
    domain: str,
    bias_form: str = "stereotype-reliance",
    reference_category: str = "value-laden",
    language: str = "en",
    register: str = "standard",
    prefix: str = "BBQ",
) -> tuple[Group, ...]:
    """Return the blocks of a BBQ file as T2 groups, in order of ``example_id``.

    A group is called ``<prefix>-<category>-<first example_id, five digits>`` and its items
    ``<prefix>-<category>-<example_id>``, so that every item names the row it came from. Raises
    ProblemsFound with every fault of the file; nothing is taken from a file at fault.
    """
    blocks: dict[tuple[str, int], list[_Placed]] = defaultdict(list)
    unread: set[int] = set()
    with collect() as faults:
        for source in load_jsonl(path, shown):
            row = faults.attempt(build, source, BbqRow)
            if row is None:
                unread.add(_block_number(source.value))
            else:
                blocks[row.category, int(row.example_id) // 4].append((source, row))
        for (_, number), block in blocks.items():
            faults.add(_block_faults(block))
            if not unread & {number, -1}:
                faults.add(_missing_rows(block))
    settled = Settled(
        test_type="T2", domain=domain, bias_form=bias_form, reference_category=reference_category,
        language=language, register=register, prefix=prefix,
    )  # fmt: skip
    return tuple(_group(block, settled).placed_in(shown) for _, block in sorted(blocks.items()))


def take_blocks(table: Table, settled: Settled) -> Gathered:
    """Return the whole blocks of a table; the rows of a block at fault are left out together."""
    taken = Gathered()
    blocks: dict[tuple[str, int], list[_Placed]] = defaultdict(list)
    for at in range(len(table.rows)):
        try:
            source = _row_source(table, at)
            row = build(source, BbqRow)
        except DoubledKey as doubled:
            taken.leave_out([table.where(at)], str(doubled))
            continue
        except ProblemsFound as found:
            taken.leave_out([table.where(at)], _reason(found.problems[0]))
            continue
        blocks[row.category, int(row.example_id) // 4].append((source, row))
    for _, block in sorted(blocks.items()):
        places = [source.where() for source, _ in block]
        faults = [*_block_faults(block), *_missing_rows(block)]
        if faults:
            taken.leave_out(places, _reason(faults[0]))
        else:
            taken.made.append(Made(_group(block, settled).placed_in(table.shown), tuple(places)))
    return taken


COLUMNS = ("context_condition", "question_polarity", "context", "question", "ans0", "ans1", "ans2")


def _row_source(table: Table, at: int) -> Source:
    """Return a row of a table as the line of JSON that it was before it was flattened."""
    cell = dict(zip(table.columns, table.rows[at], strict=True))
    value: dict[str, Any] = {name: cell[name] for name in BbqRow.model_fields if name in cell}
    value["label"] = value.get("label", "").removesuffix(".0")
    value["answer_info"] = mapping_in(cell, "answer_info")
    value["additional_metadata"] = same_kind(mapping_in(cell, "additional_metadata"))
    return Source(table.shown, value, {(): table.lines[at]})


def _reason(problem: Problem) -> str:
    return f"{problem.wrong}; {problem.remedy}"


def _group(block: list[_Placed], settled: Settled) -> Group:
    rows = sorted((row for _, row in block), key=lambda row: int(row.example_id))
    first = rows[0]
    stem, number = f"{settled.prefix}-{first.category}", int(first.example_id) // 4 * 4
    return Group.model_validate(settled.group(
        f"{stem}-{number:05d}",
        disambig_direction="not_given",
        notes=_provenance(block[0][1]),
        items=[_item(row, f"{stem}-{row.example_id}", settled) for row in rows],
    ))  # fmt: skip


def _item(row: BbqRow, item_id: str, settled: Settled) -> Item:
    return Item(
        id=item_id,
        language=settled.language,
        register=settled.register,
        twin=_TWIN[row.context_condition],
        context=row.context,
        question=row.question,
        question_polarity=_POLARITY[row.question_polarity],
        options=(row.ans0, row.ans1, row.ans2),
        correct_position=int(row.label) + 1,
    )


def _provenance(row: BbqRow) -> str:
    groups = row.additional_metadata.get("stereotyped_groups", ())
    named = groups if isinstance(groups, str) else ", ".join(groups)
    return (
        f"BBQ {row.category}, question {row.question_index}, version {_version(row)}; "
        f"stereotyped_groups as published: {named or 'none'}; "
        f"{TARGET_NOT_GIVEN.replace('target', 'target answer')}"
    )


def _version(row: BbqRow) -> str:
    version = row.additional_metadata.get("version", "")
    return version if isinstance(version, str) else ", ".join(version)


def _block_number(value: dict[str, Any]) -> int:
    """Return which block a row belongs to that could not be read, or -1 when it does not say."""
    example_id = str(value.get("example_id"))
    return int(example_id) // 4 if re.fullmatch(r"[0-9]{1,9}", example_id) else -1


def _block_faults(block: list[_Placed]) -> Iterator[Problem]:
    """Yield rows that contradict the rest of their block, or themselves."""
    head_source, head = block[0]
    conditions: dict[tuple[str, str], Source] = {}
    ids: dict[int, Source] = {}
    for source, row in block:
        number, condition = int(row.example_id), (row.question_polarity, row.context_condition)
        if number in ids:
            yield Problem(
                source.where(("example_id",)),
                f"example_id {row.example_id} also stands at {ids[number].where(('example_id',))}",
                "keep one of the two rows",
            )
        elif condition in conditions:
            yield Problem(
                source.where(("context_condition",)),
                f"the block already has a {' '.join(condition)} row at "
                f"{conditions[condition].where(('context_condition',))}",
                "mend the condition, the polarity or the example_id",
            )
        ids.setdefault(number, source)
        conditions.setdefault(condition, source)
        for field in _SHARED:
            if getattr(row, field) != getattr(head, field):
                yield Problem(
                    source.where((field,)),
                    f"{field} differs from the first row of its block, "
                    f"{head_source.where((field,))}",
                    "mend it: example_id 4n to 4n+3 are one block",
                )
        unknown = {name for name, tags in row.answer_info.items() if "unknown" in tags}
        if unknown and (f"ans{row.label}" in unknown) != (row.context_condition == "ambig"):
            wrong = "does not key" if row.context_condition == "ambig" else "keys"
            yield Problem(
                source.where(("label",)),
                f"a row with condition {row.context_condition} {wrong} the unknown answer",
                "mend the label or the condition",
            )


def _missing_rows(block: list[_Placed]) -> Iterator[Problem]:
    found = {(row.question_polarity, row.context_condition) for _, row in block}
    missing = [" ".join(each) for each in product(_POLARITY, _TWIN) if each not in found]
    if missing:
        source, head = block[0]
        first = int(head.example_id) // 4 * 4
        yield Problem(
            source.where(()),
            f"the block of example_id {first} to {first + 3} has no {', no '.join(missing)} row",
            "add the row or leave the block out",
        )
