"""``reviewkit doctor``: what is wrong with this machine or folder, before people find it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Annotated

import typer

from reviewkit.cli.printing import print_json
from reviewkit.cli.study import AsJson
from reviewkit.workspace import NoWorkspace, find_workspace


def doctor(
    study: Annotated[
        str | None, typer.Argument(help="The study to look at; by default all of the folder.")
    ] = None,
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Port that the server will listen on.")
    ] = 8866,
    raters: Annotated[
        int | None,
        typer.Option(
            min=1, max=10_000,
            help="How many people work at once; by default those of the largest study.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Look at Python, machine and project folder; each line says what was found and what to do."""
    from reviewkit.desk.doctor import State, examine  # noqa: PLC0415 - no other command needs it

    why_no_folder = ""
    try:
        ws = find_workspace()
    except NoWorkspace as error:
        ws, why_no_folder = None, str(error)
        if study is not None:
            raise
    found = examine(ws, study, port=port, raters=raters, why_no_folder=why_no_folder)
    count = Counter(each.state for each in found)
    if as_json:
        worst = next((state for state in reversed(State) if count[state]), State.OK)
        print_json({"state": worst, "checks": [asdict(each) for each in found]})
    else:
        wide = max(len(each.check) for each in found)
        for each in found:
            typer.echo(f"{each.state:<7}  {each.check:<{wide}}  {each.found}")
            if each.remedy:
                typer.echo(f"{'':<7}  {'':<{wide}}  -> {each.remedy}")
        faults, warnings = count[State.FAULT], count[State.WARNING]
        typer.echo(
            f"{count[State.OK]} ok, {warnings} warning{'s' if warnings != 1 else ''}, "
            f"{faults} fault{'s' if faults != 1 else ''}"
        )
    if count[State.FAULT]:
        raise typer.Exit(1)
