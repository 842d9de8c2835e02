"""``reviewkit second``: a second reader agrees with a verdict or objects; it changes nothing."""

from __future__ import annotations

import secrets
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from reviewkit.agreement.reporting.blocks import shown
from reviewkit.cli.printing import print_json, short_time
from reviewkit.cli.study import AsJson, StudyName, chosen_study
from reviewkit.study.second_reading import import_readings, list_objections, read_second
from reviewkit.workspace import find_workspace

InStudy = Annotated[str | None, typer.Option("--study", help="The study.")]
Reader = Annotated[str, typer.Option("--as", help="Name of the second reader.")]

second = typer.Typer(
    help="A second reading after the verdict: agree or object with a reason.", no_args_is_help=True
)


class By(StrEnum):
    """Who made the readings of a file; it is disclosed beside each of them."""

    PERSON = "person"
    ASSISTANT = "assistant"


@second.command()
def agree(
    card: Annotated[str, typer.Argument(help="The card.")], reader: Reader, study: InStudy = None
) -> None:
    """Record that the second reader agrees with what stands on a card."""
    ws = find_workspace()
    read_second(ws, chosen_study(ws, study), reader, card, "agree", click_id=secrets.token_hex(8))
    typer.echo(f"{reader} agrees on {card}")


@second.command(name="object")
def object_to(
    card: Annotated[str, typer.Argument(help="The card.")],
    reason: Annotated[str, typer.Option("--reason", help="What is wrong with the verdict.")],
    reader: Reader,
    study: InStudy = None,
) -> None:
    """Record an objection; the verdict stays, and the lead sees the objection."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    read_second(ws, chosen, reader, card, "object", reason, click_id=secrets.token_hex(8))
    typer.echo(f"recorded; the verdict stays, `reviewkit second list {chosen.study}` shows it")


@second.command(name="import")
def read_file(
    file: Annotated[Path, typer.Argument(help="JSONL: card_id, opinion, reason in each line.")],
    reader: Reader,
    by: Annotated[By, typer.Option(help="Who made it; disclosed as such.")] = By.ASSISTANT,
    study: InStudy = None,
) -> None:
    """Record a file of second readings; nothing of it when one line is at fault."""
    ws = find_workspace()
    read = import_readings(ws, chosen_study(ws, study), file, reader, by=by.value)
    typer.echo(
        f"recorded {read.agreed} agreements and {read.objected} objections by {reader}"
        f" ({by.value}); {read.repeated} were there already"
    )


@second.command(name="list")
def show(study: StudyName = None, as_json: AsJson = False) -> None:
    """List the objections in force, for the lead."""
    ws = find_workspace()
    objections = list_objections(ws, chosen_study(ws, study))
    if as_json:
        print_json(
            [
                {
                    "card": each.card_id, "reader": each.reader, "by": each.by, "time": each.time,
                    "round": each.round, "reason": each.reason, "stands": each.stands,
                }
                for each in objections
            ]
        )  # fmt: skip
        return
    for each in objections:
        typer.echo(f"{each.card_id}  {short_time(each.time)}  {each.reader} ({each.by})")
        reason = shown(each.reason) if each.reason else ""
        typer.echo(f"  {reason or '(the reason is shown when the labels are open)'}")
    if not objections:
        typer.echo("no objections")
