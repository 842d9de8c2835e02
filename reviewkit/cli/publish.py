"""``reviewkit seal`` and ``reviewkit publish``: what is held back, and what goes out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from reviewkit.bank import load_bank
from reviewkit.cli.printing import print_json, print_table, problem_as_json
from reviewkit.cli.study import AsJson
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.layers import Layers
from reviewkit.release.layers import seal as draw_layers
from reviewkit.release.publish import lay_slots, try_to_publish
from reviewkit.release.publish import publish as publish_to
from reviewkit.release.redrawing import verify_layers
from reviewkit.workspace import Workspace, find_workspace


def seal(
    seed: Annotated[
        str | None, typer.Option("--seed", help="Any word; the last draw's when not given.")
    ] = None,
    share: Annotated[
        str | None,
        typer.Option("--share", help="Seal at least this share of every stratum: 50%."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw which groups are sealed; groups that were drawn before keep their layer."""
    ws = find_workspace()
    bank = load_bank(ws)
    layers = draw_layers(ws, bank, seed=seed, share=_percent(share))
    if as_json:
        print_json(_as_json(layers))
        return
    print_table(
        ("stratum", "groups", "sealed", "items", "sealed"),
        [
            (each.stratum, str(each.groups), str(each.sealed_groups), str(each.items),
             str(each.sealed_items))
            for each in layers.strata
        ],
    )  # fmt: skip
    typer.echo(
        f"{layers.sealed_items} of {layers.items} items are sealed"
        f" ({100 * layers.share_of_items:.1f} %), {len(layers.sealed)} of"
        f" {len(layers.sealed | layers.public)} groups, seed {layers.seed}"
    )
    whole = [each.stratum for each in layers.strata if each.sealed_groups == each.groups]
    if whole:
        typer.echo(f"nothing is public of {', '.join(whole)}: a second group there would mend it")
    for each in layers.short:
        typer.echo(
            f"{each.stratum}: {each.sealed_items} of {each.items} items are sealed, less than"
            f" {layers.share} %: its other groups are public for good; write new ones"
        )
    for shut, shown in layers.torn_apart:
        typer.echo(f"{shut}, sealed, shares a template or a text with {shown}, public")
    typer.echo(f"{ws.shown(ws.layers)} says which, and may be shown to anybody")


def _percent(share: str | None) -> int | None:
    if share is None:
        return None
    number = share.strip().removesuffix("%").strip()
    if not (number.isascii() and number.isdecimal() and len(number) <= 3):
        raise ProblemsFound([Problem("--share", f"{share!r} is no share", "give 50% to 100%")])
    return int(number)


def _as_json(layers: Layers) -> dict[str, object]:
    return {
        "seed": layers.seed,
        "share": layers.share,
        "items": layers.items,
        "sealed_items": layers.sealed_items,
        "sealed": sorted(layers.sealed),
        "public": sorted(layers.public),
        "strata": [
            {"stratum": each.stratum, "groups": each.groups, "sealed_groups": each.sealed_groups,
             "items": each.items, "sealed_items": each.sealed_items}
            for each in layers.strata
        ],
        "short": [each.stratum for each in layers.short],
    }  # fmt: skip


def verify_draws(ws: Workspace, *, as_json: bool) -> None:
    """Print whether every draw of the layers comes out the same; exit status 1 when not."""
    found = verify_layers(ws)
    if as_json:
        print_json({"same": found.same, "said": list(found.said), "faults": list(found.faults)})
    else:
        for sentence in found.said:
            typer.echo(sentence)
        for fault in found.faults:
            typer.echo(f"{fault}; take {ws.shown(ws.layers)} from git")
    raise typer.Exit(0 if found.same else 1)


def publish(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The new folder to publish into.")
    ] = None,
    freeze: Annotated[
        str | None, typer.Option("--freeze", help="The freeze to certify it; the last one.")
    ] = None,
    without_notes: Annotated[
        bool, typer.Option("--without-notes", help="Leave all notes of reviewers out.")
    ] = False,
    word: Annotated[
        list[str] | None,
        typer.Option("--word", help="A name that is a word too, and is not sought: mark."),
    ] = None,
    slots: Annotated[
        bool, typer.Option("--slots", help="Lay the statements that are missing, to fill in.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Tell everything that stands in the way; write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Publish the public groups under pseudonyms; refuse names, sealed texts and addresses."""
    ws = find_workspace()
    if slots:
        laid = lay_slots(ws)
        for path in laid:
            typer.echo(f"laid {ws.shown(path)}: fill it in")
        if not laid:
            typer.echo(f"every statement is in {ws.shown(ws.statements)}/ already")
        return
    if check:
        _check(freeze, word or (), without_notes=without_notes, as_json=as_json)
        return
    if folder is None:
        raise typer.BadParameter("name the new folder, or ask with --check", param_hint="DIR")
    done = publish_to(ws, folder, freeze=freeze, notes=not without_notes, words=word or ())
    if as_json:
        print_json(
            {
                "folder": str(done.folder), "publication": done.number, "groups": done.groups,
                "items": done.items, "sealed_groups": done.sealed_groups, "files": done.files,
                "notices": list(done.notices),
            }
        )  # fmt: skip
        return
    typer.echo(
        f"published {done.items} items on {done.groups} groups in {done.files} files to"
        f" {done.folder}; {done.sealed_groups} groups stay sealed"
    )
    for notice in done.notices:
        typer.echo(notice)


def _check(freeze: str | None, words: Iterable[str], *, without_notes: bool, as_json: bool) -> None:
    ready = try_to_publish(find_workspace(), freeze=freeze, notes=not without_notes, words=words)
    digest = ready.tier.digest[:12]
    if as_json:
        print_json(
            {
                "may_go": ready.may_go, "public_digest": digest, "notices": ready.notices,
                "problems": [problem_as_json(each) for each in ready.problems],
            }
        )  # fmt: skip
        raise typer.Exit(0 if ready.may_go else 1)
    typer.echo(f"digest of the public groups: {digest}")
    for notice in ready.notices:
        typer.echo(notice)
    if ready.problems:
        raise ProblemsFound(ready.problems)
    typer.echo("nothing stands in the way")
