"""The ruling command: file a ruling, or list those there are."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer
from pydantic import ValidationError

from reviewkit.agreement.reporting.blocks import shown
from reviewkit.bank import load_bank
from reviewkit.cli.printing import print_json
from reviewkit.decisions import RecordRefused, faults_of
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import load_forms
from reviewkit.rulings import Ruling, RulingEntry, rulings_log
from reviewkit.rulings.guides import folded_in, rulings_of
from reviewkit.workspace import Workspace, find_workspace


def ruling(
    text: Annotated[
        str | None, typer.Argument(help="The rule, in words that hold for other items too.")
    ] = None,
    author: Annotated[str, typer.Option("--as", help="Who takes it.")] = "lead",
    check: Annotated[
        list[str] | None, typer.Option("--check", help="A check it governs: t1/one_variable.")
    ] = None,
    item: Annotated[
        list[str] | None, typer.Option("--item", help="An item it was taken on, by id.")
    ] = None,
    supersedes: Annotated[
        str, typer.Option("--supersedes", help="The ruling it replaces: R-003.")
    ] = "",
    disagreement: Annotated[
        bool, typer.Option("--disagreement", help="Record a design disagreement (D-001).")
    ] = False,
    of: Annotated[
        str | None,
        typer.Option("--of", help="List the rulings on an item, a group, or a check: t1/natural."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """File a ruling; without a text, list the rulings there are, or those on one thing."""
    ws = find_workspace()
    log = rulings_log(ws)
    if text is not None and of is not None:
        raise typer.BadParameter("lists rulings; give no text with it", param_hint="--of")
    if text is None:
        _list(ws, log.all(), of, as_json)
        return
    checks, items = tuple(check or ()), tuple(item or ())
    _must_exist(ws, checks, items)
    try:
        entry = RulingEntry(
            click_id=secrets.token_hex(8),
            type="disagreement" if disagreement else "ruling",
            text=text.strip(),
            checks=checks,
            item_ids=items,
            supersedes=supersedes,
            author=author,
        )
    except ValidationError as error:
        raise RecordRefused(faults_of(error), "correct it and file again") from error
    filed_now = log.file(entry)
    if as_json:
        print_json(filed_now.model_dump(mode="json", by_alias=True))
    else:
        typer.echo(f"filed {filed_now.number}")


def _list(ws: Workspace, every: tuple[Ruling, ...], of: str | None, as_json: bool) -> None:
    listed = every if of is None else rulings_of(ws, of)
    replaced_by = {each.supersedes: each.number for each in every if each.supersedes}
    editions = folded_in(ws)
    if as_json:
        print_json(
            [
                {
                    **each.model_dump(mode="json", by_alias=True),
                    "superseded_by": replaced_by.get(each.number),
                    "folded_in": editions.get(each.number),
                }
                for each in listed
            ]
        )
        return
    for each in listed:
        governs = f" [{shown(', '.join(each.checks))}]" if each.checks else ""
        marks: list[str] = []
        if each.number in replaced_by:
            marks.append(f"superseded by {replaced_by[each.number]}")
        if each.number in editions:
            marks.append(f"in the guide since edition {editions[each.number]}")
        said = f" ({'; '.join(marks)})" if marks else ""
        typer.echo(f"{each.number}{governs} {shown(each.text)}{said}")
    if not listed:
        typer.echo(f"no ruling on {of}" if of else "no ruling yet")


def _must_exist(ws: Workspace, checks: tuple[str, ...], items: tuple[str, ...]) -> None:
    forms = load_forms(ws.checklists).forms
    known_checks = {f"{form.form}/{each}" for form in forms for each in form.parts}
    known_items = {each.id for group in load_bank(ws).groups for each in group.items}
    problems = [
        Problem("--check", f"no check {name!r}", f"name one like {min(known_checks)}")
        for name in checks
        if name not in known_checks
    ]
    problems += [
        Problem("--item", f"no item {name!r} in the bank", "name an item id")
        for name in items
        if name not in known_items
    ]
    if problems:
        raise ProblemsFound(problems)
