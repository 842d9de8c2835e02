"""The ledger command: copy what people wrote into a database that servers share, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from reviewkit.cli.printing import print_json
from reviewkit.cli.study import AsJson
from reviewkit.decisions.stores.store_file import checked_url, load_store_url
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.study import load_study
from reviewkit.workspace import Workspace, find_workspace

if TYPE_CHECKING:
    from reviewkit.decisions.stores.sql_store import SqlStore

ledger = typer.Typer(help="Ledgers in files and in a database.", no_args_is_help=True)


@ledger.callback()
def _ledger() -> None:
    """Ledgers in files and in a database."""


@ledger.command()
def copy(
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="[URL]", help="The database; the one of rulings/store.yaml by default."
        ),
    ] = None,
    to_database: Annotated[
        bool, typer.Option("--to-database", help="From the files into the database.")
    ] = False,
    from_database: Annotated[
        bool, typer.Option("--from-database", help="From the database into the files.")
    ] = False,
    study: Annotated[str | None, typer.Option("--study", help="Only the logs of this.")] = None,
    switch: Annotated[
        bool,
        typer.Option(
            "--switch", help="Use the other place from then on: write or remove rulings/store.yaml."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Copy every log, checked as a chain on both sides; what is there is never overwritten."""
    ws = find_workspace()
    if to_database == from_database:
        _refuse("ledger copy", "it must be said which way", "add --to-database or --from-database")
    if switch and study is not None:
        _refuse("--switch", "a switch takes every study along", "leave out --study")
    if study is not None:
        load_study(ws, study)
    store = _database(ws, url)
    # SQLAlchemy is loaded by those who have a database
    from reviewkit.release.ledger_copy import (  # noqa: PLC0415
        copy_from_database,
        copy_to_database,
    )

    for danger in store.dangers() if to_database else []:
        typer.echo(str(danger), err=True)
    run = copy_to_database if to_database else copy_from_database
    copied = run(ws, store, study=study, switch=switch)
    shown = store.database.shown
    if as_json:
        print_json(
            [
                {"name": each.name, "records": each.records, "added": each.added, "tip": each.tip}
                for each in copied
            ]
        )
        return
    for each in copied:
        typer.echo(f"{each.name}: {each.records} records, {each.added} new, tip {each.tip[:12]}")
    if not copied:
        typer.echo("no ledger yet")
    if switch:
        now = f"in {shown} (rulings/store.yaml)" if to_database else "in the files of this folder"
        typer.echo(f"from now on everything is {now}; pages that are open must be opened again")


def _database(ws: Workspace, url: str | None) -> SqlStore:
    found = load_store_url(ws) if url is None else checked_url(ws, url)
    if found is None:
        _refuse(
            "ledger copy",
            "no database is named",
            "write its address after it: postgresql+psycopg://USER@HOST/DATABASE",
        )
    return sql_store(ws, found)


def _refuse(where: str, wrong: str, remedy: str) -> NoReturn:
    raise ProblemsFound([Problem(where, wrong, remedy)])
