"""``reviewkit import items``: item sets by other people, into groups of the bank."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reviewkit.authoring.retirement import must_be_free
from reviewkit.bank import Bank, Group, read_bank
from reviewkit.bank.item_sets.mapped import load_item_mapping
from reviewkit.bank.item_sets.reading import SETS, read_items
from reviewkit.bank.item_sets.settled import Asked
from reviewkit.bank.item_sets.taken import Taken
from reviewkit.bank.item_sets.writing import write_groups
from reviewkit.cli.printing import print_json, print_sentences
from reviewkit.cli.project import FileInTheWay
from reviewkit.cli.study import AsJson
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.workspace import find_workspace


def read_item_set(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="The set; of WinoBias both files.")
    ],
    set_name: Annotated[
        str | None, typer.Option("--as", help=f"Which set it is: {', '.join(SETS)}.")
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option("--map", help="Which column is what: docs/item-sets.md.")
    ] = None,
    domain: Annotated[str | None, typer.Option(help="Domain of the items.")] = None,
    form: Annotated[str | None, typer.Option(help="Manifestation form of the items.")] = None,
    category: Annotated[str | None, typer.Option(help="Reference category of the items.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Language; the set's own if left out.")
    ] = None,
    register: Annotated[str | None, typer.Option(help="Register of the items.")] = None,
    level: Annotated[str | None, typer.Option(help="Sensitivity level of T3 items.")] = None,
    stance: Annotated[str | None, typer.Option(help="Stance of T3 items.")] = None,
    prefix: Annotated[str | None, typer.Option(help="What every id begins with.")] = None,
    fill: Annotated[
        list[str] | None, typer.Option("--fill", help="Values of a mask: Beverage=ONE,OTHER.")
    ] = None,
    encoding: Annotated[str | None, typer.Option(help="Of a file that is not UTF-8.")] = None,
    delimiter: Annotated[str | None, typer.Option(help="Of a CSV file; tab for a tab.")] = None,
    sheet: Annotated[str | None, typer.Option(help="The sheet of a workbook.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and say; write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read an item set into groups; every row is kept, or left out by name with a reason."""
    ws = find_workspace()
    bank, _problems = read_bank(ws)
    asked = Asked(
        domain=domain, form=form, category=category, language=language, register=register,
        level=level, stance=stance, prefix=prefix, fills=_fills(fill or []), encoding=encoding,
        delimiter=delimiter, sheet=sheet,
    )  # fmt: skip
    taken = read_items(
        [(file, str(file)) for file in files], bank.taxonomy, asked, set_name=set_name,
        mapping=load_item_mapping(mapping, str(mapping)) if mapping else None,
        taxonomy_shown=ws.shown(ws.taxonomy),
    )  # fmt: skip
    _must_be_new(bank, taken)
    must_be_free(ws, [name for group in taken.groups for name in _names(group)])
    written: list[str] = []
    if not dry_run:
        folder = prefix or taken.name
        written = [ws.shown(path) for path in write_groups(ws, taken.groups, folder)]
    if as_json:
        print_json(_as_json(taken, written))
    else:
        _say(taken, written, dry_run=dry_run)
    raise typer.Exit(0 if taken.groups else 1)


def _fills(written: list[str]) -> dict[str, tuple[str, ...]]:
    fills: dict[str, tuple[str, ...]] = {}
    for each in written:
        kind, _, listed = each.partition("=")
        values = tuple(value.strip() for value in listed.split(",") if value.strip())
        if not kind.strip() or len(values) < 2:
            wrong = f"{each!r} is no kind with two values or more"
            raise ProblemsFound([Problem("--fill", wrong, "write it as Beverage=ONE,OTHER")])
        fills[kind.strip()] = values
    return fills


def _names(group: Group) -> tuple[str, ...]:
    return (group.template_id, *(item.id for item in group.items))


def _must_be_new(bank: Bank, taken: Taken) -> None:
    there = {group.template_id for group in bank.groups}
    there |= {item.id for group in bank.groups for item in group.items}
    doubled = [each for group in taken.groups for each in _names(group) if each in there]
    if doubled:
        named = ", ".join(doubled[:3])
        raise FileInTheWay(
            f"the bank already has {named}; nothing was written: name another --prefix"
        )


def _as_json(taken: Taken, written: list[str]) -> dict[str, object]:
    return {
        "set": taken.name,
        "rows": taken.rows,
        "rows_kept": taken.kept,
        "groups": len(taken.groups),
        "items": sum(len(group.items) for group in taken.groups),
        "left_out": [{"where": each.where, "reason": each.reason} for each in taken.left_out],
        "said": list(taken.said),
        "files": written,
    }


def _say(taken: Taken, written: list[str], *, dry_run: bool) -> None:
    typer.echo(f"read as {taken.title}")
    print_sentences((*taken.said, *taken.left_out))
    items = sum(len(group.items) for group in taken.groups)
    typer.echo(
        f"rows: {taken.kept} of {taken.rows} kept, {len(taken.left_out)} left out;"
        f" items: {items}; groups: {len(taken.groups)}"
    )
    if dry_run or not written:
        typer.echo("nothing was written")
    elif len(written) == 1:
        typer.echo(f"wrote {written[0]}; then `reviewkit audit`")
    else:
        typer.echo(
            f"wrote {len(written)} files, {written[0]} to {written[-1]}; then `reviewkit audit`"
        )
