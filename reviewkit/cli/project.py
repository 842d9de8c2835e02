"""Commands of the author: init, new, check, import."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from reviewkit.bank import (
    Bank,
    Group,
    check_bank,
    load_bank,
    load_watchlists,
    read_bank,
    read_bbq,
    render_group,
    render_new_group,
    table_names,
)
from reviewkit.bank.axes import load_axes
from reviewkit.bank.leakage import load_leakage
from reviewkit.bank.plan import load_plan
from reviewkit.cli.printing import print_json, problem_as_json
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.protocol import load_adjudication_plan
from reviewkit.questions import load_forms
from reviewkit.release.waivers import load_waivers
from reviewkit.sources import Gathering
from reviewkit.study import check_study, list_studies, load_study
from reviewkit.study.new_study import check_coding
from reviewkit.workspace import Workspace, find_workspace, shipped

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
STARTER = Path(__file__).parent.parent / "starter"


class FolderInTheWay(ReviewkitError):
    """Something is already where a new project folder is to be laid."""


class FileInTheWay(ReviewkitError):
    """A file is already there; it is never overwritten."""


def init(
    folder: Annotated[Path, typer.Argument(help="The new project folder.")],
    first: Annotated[str, typer.Option(help="Name of the first reviewer.")] = "reviewer-1",
    second: Annotated[str, typer.Option(help="Name of the second reviewer.")] = "reviewer-2",
    demo: Annotated[bool, typer.Option("--demo", help="With the demo bank.")] = False,
) -> None:
    """Lay a new project folder: bank, checklists, rulings, notebooks and apps."""
    if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderInTheWay(f"{folder} is not empty; name a new folder")
    names = {"FIRST": first, "SECOND": second}
    study_text = (STARTER / "study.yaml").read_text(encoding="utf-8")
    study_text = re.sub("FIRST|SECOND", lambda found: names[found.group()], study_text)
    _must_be_a_study(study_text)
    ws = Workspace(folder)
    ws.groups.mkdir(parents=True)
    for name in ("checklists", "notebooks", "voila_apps"):
        shutil.copytree(shipped(name), folder / name, ignore=_LEFT_OUT)
    if demo:
        shutil.copytree(shipped("bank"), ws.bank, dirs_exist_ok=True, ignore=_LEFT_OUT)
    else:
        shutil.copy(STARTER / "taxonomy.yaml", ws.taxonomy)
        shutil.copy(STARTER / "registry.yaml", ws.registry)
        shutil.copy(STARTER / "plan.yaml", ws.plan)
        shutil.copytree(shipped("bank") / "leakage", ws.leakage)
    shutil.copy(STARTER / "gitignore", folder / ".gitignore")
    (folder / ".gitattributes").write_text("* text=auto eol=lf\n", encoding="utf-8")
    ws.study_folder("review").mkdir(parents=True)
    ws.study_file("review").write_text(study_text, encoding="utf-8", newline="\n")
    typer.echo(
        f"laid {folder}: put groups into bank/groups/ (`reviewkit new T1 MY-T1-001`), then"
        f" `reviewkit check` and `reviewkit review --as {first}`"
    )


def _must_be_a_study(text: str) -> None:
    """Raise ProblemsFound when names make no study, before anything is laid."""
    with TemporaryDirectory() as folder:
        trial = Workspace(Path(folder))
        trial.study_folder("review").mkdir(parents=True)
        trial.study_file("review").write_text(
            text, encoding="utf-8", errors="surrogateescape", newline="\n"
        )
        load_study(trial, "review")


# the page template belongs to the installed version; a copy of it would grow stale
_LEFT_OUT = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__", "*.pyc", "templates")


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
    for name in list_studies(ws):
        try:
            study = load_study(ws, name)
            if study.is_coding and shelf is not None:
                check_coding(ws, study, shelf)
            elif bank is not None and shelf is not None:
                problems += check_study(study, bank, shelf, ws.shown(ws.study_file(name)))
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
    for load in (load_watchlists, load_leakage, load_axes, load_waivers):
        faults.attempt(load, ws)
    if bank is not None:
        faults.attempt(load_plan, ws, bank.taxonomy)
    if ws.adjudication_plan.exists():
        path = ws.adjudication_plan
        faults.attempt(load_adjudication_plan, path, ws.shown(path))
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
