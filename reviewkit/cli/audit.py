"""``reviewkit audit`` and ``reviewkit waive``: what is mechanically wrong with a bank."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from reviewkit.bank.load import read_whole_bank
from reviewkit.cli.labels import Markdown
from reviewkit.cli.printing import print_json
from reviewkit.cli.study import AsJson
from reviewkit.release import add_waiver, layout
from reviewkit.release import audit as run_audit
from reviewkit.workspace import find_workspace


def audit(as_json: AsJson = False, markdown: Markdown = False) -> None:
    """Audit the bank: hard checks, a list of work, balance, sizes, reviews; never an item's text.

    Exit status 1 when a hard check fails.
    """
    found = run_audit(find_workspace())
    if as_json:
        print_json(layout.as_json(found))
    else:
        typer.echo(layout.as_markdown(found) if markdown else layout.as_text(found), nl=False)
    raise typer.Exit(0 if found.passed else 1)


def waive(
    code: Annotated[str, typer.Argument(help="The code of a warning, as the audit prints it.")],
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Groups or items; `bank` is all of it.")
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why it may stand; listed in audits.")],
    name: Annotated[str, typer.Option("--name", help="Who answers for it.")],
) -> None:
    """Let a warning of the audit stand, with a reason and a name, until its item changes."""
    ws = find_workspace()
    bank, _unreadable = read_whole_bank(ws)
    today = datetime.now(UTC).date().isoformat()
    waiver = add_waiver(ws, bank, code, ids, reason=reason, name=name, on=today)
    named = ", ".join(waiver.ids)
    typer.echo(f"waived {code} for {named} in {ws.shown(ws.waivers)}, until it changes")
