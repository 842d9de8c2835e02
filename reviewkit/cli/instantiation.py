"""``reviewkit instantiation``: what a society has still to keep, rebuild and decide."""

from __future__ import annotations

import typer

from reviewkit.cli.labels import Markdown
from reviewkit.cli.printing import print_json
from reviewkit.cli.study import AsJson
from reviewkit.release.instantiation import instantiation as measure
from reviewkit.workspace import find_workspace


def instantiation(as_json: AsJson = False, markdown: Markdown = False) -> None:
    """List what is kept, rebuilt and decided, told from the files wherever they can tell.

    Exit status 1 while an entry is open, or kept in name only without an answer.
    """
    found = measure(find_workspace())
    if as_json:
        print_json(found.as_json())
    else:
        typer.echo(found.as_markdown() if markdown else found.as_text(), nl=False)
    raise typer.Exit(1 if found.open else 0)
