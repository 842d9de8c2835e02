"""Commands of the author: init, new, check, import."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from reviewkit.authoring.batches import check_batches
from reviewkit.authoring.retirement import must_be_free, retired_groups, retirement_faults
from reviewkit.authoring.second_review_acts import check_second_reviews
from reviewkit.bank import (
    Bank,
    Group,
    check_bank,
    load_bank,
    load_watchlists,
    read_bank,
    render_group,
    table_names,
)
from reviewkit.bank.axes import load_axes
from reviewkit.bank.instantiation import load_instantiation
from reviewkit.bank.item_sets.bbq import read_bbq
from reviewkit.bank.leakage import load_leakage
from reviewkit.bank.new_group import render_new_group
from reviewkit.bank.plan import load_plan
from reviewkit.cli.laying import examples, lay_checklist, lay_project
from reviewkit.cli.printing import print_json, problem_as_json
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.protocol import load_adjudication_plan
from reviewkit.questions import FormShelf, load_forms
from reviewkit.questions.defects import check_families
from reviewkit.release.layers import load_layers
from reviewkit.release.waivers import load_waivers
from reviewkit.rulings.guides import load_guide_rules
from reviewkit.sources import Gathering
from reviewkit.study import check_study, list_studies, load_study
from reviewkit.study.new_study import check_coding
from reviewkit.workspace import Workspace, find_workspace

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


class FileInTheWay(ReviewkitError):
    """A file is already there; it is never overwritten."""


def init(
    folder: Annotated[
        Path | None,
        typer.Argument(help="The new project folder; without it --instantiation adds to this one."),
    ] = None,
    first: Annotated[str, typer.Option(help="Name of the first reviewer.")] = "reviewer-1",
    second: Annotated[str, typer.Option(help="Name of the second reviewer.")] = "reviewer-2",
    demo: Annotated[bool, typer.Option("--demo", help="With the demo bank.")] = False,
    instantiation: Annotated[
        bool, typer.Option("--instantiation", help="With the checklist of a new country.")
    ] = False,
    example: Annotated[
        str | None, typer.Option(help=f"With an example of one: {', '.join(examples())}.")
    ] = None,
) -> None:
    """Lay a new project folder: bank, checklists, rulings, notebooks and apps."""
    if folder is None:
        if not instantiation:
            raise typer.BadParameter("name the new project folder", param_hint="FOLDER")
        laid = lay_checklist()
        what = f"laid {', '.join(laid)}" if laid else "everything is laid already"
        typer.echo(f"{what}; `reviewkit instantiation` says what is open")
        return
    lay_project(
        folder, first=first, second=second, demo=demo, checklist=instantiation, example=example
    )
    then = (
        "`reviewkit instantiation` says what is open"
        if instantiation or example
        else ("put groups into bank/groups/ (`reviewkit new T1 MY-T1-001`)")
    )
    typer.echo(f"laid {folder}: {then}, then `reviewkit check` and `reviewkit review --as {first}`")


def new(
    test_type: Annotated[str, typer.Argument(help="T1, T2, T3 or T4.")],
    template_id: Annotated[str, typer.Argument(help="The new group's id: MY-T1-001.")],
    domain: Annotated[str | None, typer.Option(help="A domain of the taxonomy.")] = None,
    language: Annotated[str | None, typer.Option(help="Language of the items.")] = None,
    variable: Annotated[str | None, typer.Option(help="Name of the swapped variable.")] = None,
    value: Annotated[
        list[str] | None, typer.Option("--value", help="A value; give the option once for each.")
    ] = None,
    register: Annotated[
        list[str] | None, typer.Option("--register", help="A register; once for each.")
    ] = None,
) -> None:
    """Write a fresh group file of a test type, ready to fill."""
    ws = find_workspace()
    # files that still wait to be filled must not keep the next one from being written
    bank, _problems = read_bank(ws)
    must_be_free(ws, [template_id])
    path = ws.groups / f"{template_id}.yaml"
    if any(group.template_id == template_id for group in bank.groups) or path.exists():
        raise FileInTheWay(f"the bank already has a group {template_id}; choose another id")
    text = render_new_group(
        bank.taxonomy,
        test_type.upper(),
        template_id,
        domain=domain,
        language=language,
        swapped_variable=variable,
        values=value or (),
        registers=register or (),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    typer.echo(f"wrote {ws.shown(path)}: fill it in, then `reviewkit check`")


def check(as_json: AsJson = False) -> None:
    """Check bank, checklists and studies; every problem at once."""
    ws = find_workspace()
    problems: list[Problem] = []
    bank = shelf = None
    try:
        shelf = load_forms(ws.checklists)
    except ProblemsFound as found:
        problems += found.problems
    try:
        bank = load_bank(ws)
        problems += check_bank(bank)
    except ProblemsFound as found:
        problems += found.problems
    problems += _beside_the_groups(ws, bank)
    if shelf is not None:
        problems += _families(ws, shelf)
    for name in list_studies(ws):
        try:
            study = load_study(ws, name)
            if study.is_coding and shelf is not None:
                check_coding(ws, study, shelf)
            elif bank is not None and shelf is not None:
                shown, gone = ws.shown(ws.study_file(name)), retired_groups(ws)
                problems += check_study(study, bank, shelf, shown, retired=gone)
        except ProblemsFound as found:
            problems += found.problems
    # a watchlist at fault is a fault of every study that uses it; it is told once
    problems = list(dict.fromkeys(problems))
    if as_json:
        print_json({"problems": [problem_as_json(each) for each in problems]})
        raise typer.Exit(1 if problems else 0)
    if problems or bank is None or shelf is None:
        raise ProblemsFound(problems)
    items = sum(len(group.items) for group in bank.groups)
    studies, tables = len(list_studies(ws)), len(table_names(ws))
    responses = f" {tables} table{'' if tables == 1 else 's'} of responses," if tables else ""
    typer.echo(
        f"no problems: {items} items on {len(bank.groups)} groups, {len(shelf.forms)} forms,"
        f"{responses} {studies} {'study' if studies == 1 else 'studies'};"
        f" bank digest {bank.digest[:12]}"
    )


def _beside_the_groups(ws: Workspace, bank: Bank | None) -> list[Problem]:
    """Return the faults of watchlists, phrases, axes, waivers and plans."""
    faults = Gathering()
    for load in (
        load_watchlists, load_leakage, load_axes, load_instantiation, load_waivers,
        load_guide_rules, load_layers,
    ):  # fmt: skip
        faults.attempt(load, ws)
    faults.attempt(check_second_reviews, ws)
    if bank is not None:
        faults.attempt(load_plan, ws, bank.taxonomy)
        for found in (retirement_faults, check_batches):
            faults.add(faults.attempt(found, ws, bank) or ())
    if ws.adjudication_plan.exists():
        path = ws.adjudication_plan
        faults.attempt(load_adjudication_plan, path, ws.shown(path))
    return list(faults.problems)


def _families(ws: Workspace, shelf: FormShelf) -> list[Problem]:
    """Return the faults of the families of defects, what they say of the forms included."""
    faults = Gathering()
    faults.add(faults.attempt(check_families, ws, shelf) or ())
    return list(faults.problems)


def import_bbq(
    file: Annotated[Path, typer.Argument(help="The file to read.")],
    domain: Annotated[
        str | None, typer.Option(help="Domain of the items; the taxonomy's only one by default.")
    ] = None,
) -> None:
    """Read BBQ blocks into the bank as T2 groups, one file each; nothing is overwritten."""
    ws = find_workspace()
    bank = load_bank(ws)
    domains = bank.taxonomy.codes("domain")
    if domain is None and len(domains) == 1:
        domain = domains[0]
    if domain is None or domain not in domains:
        problem = Problem(
            "--domain", f"{domain!r} is no domain of the taxonomy" if domain else "not given",
            f"name one of {', '.join(domains)} or add it to {ws.shown(ws.taxonomy)}",
        )  # fmt: skip
        raise ProblemsFound([problem])
    groups = read_bbq(file, str(file), domain=domain)
    taken = _ids(bank.groups) & _ids(groups)
    if taken:
        raise FileInTheWay(
            f"the bank already has {', '.join(sorted(taken)[:3])}; nothing was written"
        )
    must_be_free(ws, sorted(_ids(groups)))
    problems = check_bank(Bank(groups, bank.taxonomy, bank.registry))
    if problems:
        raise ProblemsFound(problems)
    ws.groups.mkdir(parents=True, exist_ok=True)
    for group in groups:
        path = ws.groups / f"{group.template_id}.yaml"
        with path.open("x", encoding="utf-8", newline="\n") as target:
            target.write(render_group(group))
    items = sum(len(group.items) for group in groups)
    typer.echo(f"read {items} items on {len(groups)} groups into {ws.shown(ws.groups)}/")


def _ids(groups: Iterable[Group]) -> set[str]:
    return {each for group in groups for each in (group.template_id, *(i.id for i in group.items))}
