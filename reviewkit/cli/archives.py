"""``reviewkit backup`` and ``reviewkit restore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reviewkit.archives import Restored, check_archive, restore, write_backup
from reviewkit.cli.printing import short_time
from reviewkit.workspace import find_workspace

NO_SECRETS = (
    "Without secrets: personal links are made anew (`reviewkit serve --new-links`), and pseudonyms "
    "get a new key. `--with-secrets` keeps them in it."
)


def backup(
    out: Annotated[
        Path | None, typer.Option(help="The archive; by default named for the time, here.")
    ] = None,
    with_secrets: Annotated[
        bool,
        typer.Option(
            "--with-secrets",
            help="Keep link hashes, the cookie secret and the key of pseudonyms in it.",
        ),
    ] = False,
    check: Annotated[
        Path | None, typer.Option(help="Make nothing; read this archive through and verify it.")
    ] = None,
) -> None:
    """Make one verified archive of the project folder, while people work."""
    if check is not None:
        held = check_archive(check)
        typer.echo(f"{check}: sound, made {short_time(held.manifest.made)} UTC; {_counts(held)}")
        return
    made = write_backup(find_workspace(), out, with_secrets=with_secrets)
    typer.echo(f"{made.path}: {made.size:,} bytes, read back and sound; {_counts(made.held)}")
    for name in made.passed_over:
        typer.echo(f"{name}: a link or no plain file; not followed, not in the archive")
    typer.echo("With secrets: keep it as you keep passwords." if with_secrets else NO_SECRETS)


def restore_archive(
    archive: Annotated[Path, typer.Argument(help="What `reviewkit backup` made.")],
    folder: Annotated[Path, typer.Argument(help="A new or an empty folder.")],
) -> None:
    """Lay the project folder of an archive anew, after verifying all of it."""
    held = restore(archive, folder)
    typer.echo(f"{folder}: restored as of {short_time(held.manifest.made)} UTC; {_counts(held)}")
    for study in held.studies:
        typer.echo(f"  study {study}")
    if held.manifest.database:
        typer.echo("What was in the database is files here; `reviewkit ledger copy` moves it.")
    for name in held.left_out:
        typer.echo(f"{name}: left out, so that the folder does not write to the old database")
    if not held.manifest.secrets:
        typer.echo("No secrets were in it: make links anew with `reviewkit serve --new-links`.")


def _counts(held: Restored) -> str:
    last = f", the last of {short_time(held.last)} UTC" if held.last else ""
    studies = "1 study" if len(held.studies) == 1 else f"{len(held.studies)} studies"
    chained = "1 chained file" if held.ledgers == 1 else f"{held.ledgers} chained files"
    records = "1 record" if held.records == 1 else f"{held.records} records"
    return f"{len(held.manifest.files)} files, {studies}, {chained} with {records}{last}"
