"""``reviewkit guide``: the next edition of the guide, its publication, and the editions so far."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from reviewkit.cli.labels import Markdown
from reviewkit.cli.printing import print_json, print_table, problem_as_json, short_time
from reviewkit.cli.study import AsJson
from reviewkit.problems import ReviewkitError
from reviewkit.rulings.guides import Edition, Guide, editions, next_edition, publish
from reviewkit.workspace import Workspace, find_workspace


class FilesInTheWay(ReviewkitError):
    """A draft is to be written where files are already."""


def guide(
    publishing: Annotated[
        bool, typer.Option("--publish", help="Write the next edition and record it.")
    ] = False,
    name: Annotated[
        str | None, typer.Option("--name", help="Who publishes it; recorded, on no page.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the published editions.")] = False,
    part: Annotated[
        str, typer.Option("--part", help="With --md or --html: author, or a checklist: t1.")
    ] = "author",
    language: Annotated[str, typer.Option("--language", help="With --md or --html.")] = "en",
    markdown: Markdown = False,
    html: Annotated[bool, typer.Option("--html", help="Print an HTML page.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write all pages of the draft to a new folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what the next edition of the guide says, publish it, or list the editions.

    Exit status 1 when something keeps the next edition from being published.
    """
    ws = find_workspace()
    if publishing and listing:
        raise typer.BadParameter("choose one of --publish and --list", param_hint="--list")
    if markdown + html + as_json + (out is not None) > 1:
        raise typer.BadParameter("choose one of --md, --html, --json and --out")
    if (publishing or listing) and (markdown or html or out is not None):
        raise typer.BadParameter("--md, --html and --out are of the draft alone")
    if name is not None and not publishing:
        raise typer.BadParameter("goes with --publish", param_hint="--name")
    if publishing:
        if not name:
            raise typer.BadParameter("say who publishes it", param_hint="--name")
        _publish(ws, name, as_json)
    elif listing:
        _list(editions(ws), as_json)
    else:
        draft = next_edition(ws)
        if markdown or html:
            page = draft.as_markdown if markdown else draft.as_html
            typer.echo(page(language, part), nl=False)
        elif out is not None:
            _write(draft, out)
        else:
            _preview(draft, as_json)
        raise typer.Exit(1 if draft.problems else 0)


def _publish(ws: Workspace, name: str, as_json: bool) -> None:
    edition = publish(ws, name=name)
    if as_json:
        print_json(_edition_as_json(edition))
        return
    typer.echo(
        f"published edition {edition.number} in {edition.shown}/: {len(edition.files)} files,"
        f" {_counted(edition.rulings)} folded in"
    )
    typer.echo(f"  digest {edition.digest}")


def _list(published: tuple[Edition, ...], as_json: bool) -> None:
    if as_json:
        print_json([_edition_as_json(each) for each in published])
        return
    if not published:
        typer.echo("no edition yet: look at `reviewkit guide`, then publish it")
        return
    rows = [
        (
            str(each.number),
            short_time(each.time),
            each.name,
            str(len(each.rulings)),
            ", ".join(each.forms),
            each.digest[:16],
        )
        for each in published
    ]
    print_table(("edition", "published", "by", "rulings", "forms", "digest"), rows)


def _preview(draft: Guide, as_json: bool) -> None:
    content = draft.content
    if as_json:
        print_json(
            {
                "number": draft.number,
                "digest": draft.digest,
                "is_changed": draft.is_changed,
                "waiting": list(draft.waiting),
                "problems": [problem_as_json(each) for each in draft.problems],
                "content": content.model_dump(mode="json"),
            }
        )
        return
    rules = sum(len(each.rules) for each in content.rules)
    checks = sum(len(each.checks) for each in content.checklists)
    rulings = sum(1 for each in content.rulings if each.type == "ruling")
    apart = len(content.rulings) - rulings
    forms = ", ".join(content.forms)
    typer.echo(
        f"draft of edition {draft.number}: rules {rules}, checks {checks} ({forms}),"
        f" rulings {rulings}, design disagreements {apart}, superseded {len(content.superseded)}"
    )
    if draft.number > 1 and not draft.is_changed:
        typer.echo(f"nothing has changed since edition {draft.number - 1}")
    for kind, changed in content.changes.by_kind():
        for how, names in changed.model_dump().items():
            if names:
                typer.echo(f"  {kind} {how}: {', '.join(names)}")
    if draft.waiting:
        typer.echo(f"  {', '.join(draft.waiting)} wait until their blind round is open")
    for problem in draft.problems:
        typer.echo(f"  in the way: {problem}")


def _write(draft: Guide, folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FilesInTheWay(f"{folder} is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    files = dict(draft.files())
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    typer.echo(f"wrote the draft of edition {draft.number} to {folder}: {len(files)} files")


def _counted(numbers: tuple[str, ...]) -> str:
    """Return how many rulings and design disagreements these are."""
    apart = sum(each.startswith("D-") for each in numbers)
    rulings = len(numbers) - apart
    said = f"{rulings} ruling{'' if rulings == 1 else 's'}"
    return f"{said} and {apart} design disagreement{'' if apart == 1 else 's'}" if apart else said


def _edition_as_json(edition: Edition) -> dict[str, Any]:
    return {
        "number": edition.number,
        "digest": edition.digest,
        "time": edition.time,
        "name": edition.name,
        "rulings": list(edition.rulings),
        "forms": edition.forms,
        "files": edition.files,
        "folder": edition.shown,
    }
