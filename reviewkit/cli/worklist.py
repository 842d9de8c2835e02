"""``reviewkit worklist`` and ``reviewkit retire``: where the work stands, and what leaves."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from reviewkit.authoring.one_group import OneGroup, one_group
from reviewkit.authoring.retirement import retire as take_out
from reviewkit.authoring.worklist import Worklist
from reviewkit.authoring.worklist import worklist as list_work
from reviewkit.cli.labels import Markdown
from reviewkit.cli.printing import print_json
from reviewkit.cli.study import AsJson
from reviewkit.workspace import find_workspace


def worklist(
    group: Annotated[
        str | None, typer.Argument(help="One group: its history, what changed, its rulings.")
    ] = None,
    as_json: AsJson = False,
    markdown: Markdown = False,
    as_html: Annotated[
        bool, typer.Option("--html", help="Print one page with pictures, for a browser.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write it to this file instead of printing it.")
    ] = None,
) -> None:
    """Show where every group stands: verdicts, open and closed checks, defects, batches."""
    if as_json + markdown + as_html > 1:
        raise typer.BadParameter("choose one of --json, --md and --html")
    ws = find_workspace()
    found: Worklist | OneGroup = list_work(ws) if group is None else one_group(group, ws)
    if as_json and out is None:
        print_json(found.as_json())
        return
    text = _laid_out(found, as_json=as_json, markdown=markdown, as_html=as_html)
    if out is None:
        typer.echo(text, nl=False)
        return
    _write(out, text)
    typer.echo(f"wrote {out}")


def _laid_out(found: Worklist | OneGroup, *, as_json: bool, markdown: bool, as_html: bool) -> str:
    if as_json:
        return json.dumps(found.as_json(), ensure_ascii=False, indent=2) + "\n"
    if as_html:
        return found.as_html()
    return found.as_markdown() if markdown else found.as_text()


def _write(out: Path, text: str) -> None:
    """Write a file beside its place and rename it, so that nobody meets half of it."""
    temporary = out.with_name(f".{out.name}.{secrets.token_hex(4)}")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(out)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        # whoever named the file knows nothing of the one beside it
        raise type(error)(error.errno, error.strerror, str(out)) from error


def retire(
    group: Annotated[str, typer.Argument(help="The group that leaves the bank, for good.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it is listed for ever.")] = "",
    name: Annotated[str, typer.Option("--name", help="Who answers for it.")] = "",
    into: Annotated[
        str | None, typer.Option("--into", help="The group that takes over what is sound in it.")
    ] = None,
    on: Annotated[str | None, typer.Option("--on", help="The day; today by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Take a group out of the bank, or merge it into another; its ids are never used again."""
    ws = find_workspace()
    line = take_out(ws, group, reason=reason, name=name, merged_into=into, on=on)
    if as_json:
        print_json(line.model_dump(mode="json"))
        return
    merged = f", merged into {line.merged_into}" if line.merged_into else ""
    count = len(line.item_ids)
    typer.echo(
        f"retired {line.template_id}{merged}: its file is {line.kept_in}; its id and the ids of"
        f" its {count} item{'' if count == 1 else 's'} stay taken"
    )
