"""One command, ``reviewkit``: parses, calls, prints. All it does can be done from Python.

Exit status: 0 done; 1 problems in the user's files or a situation to mend; 2 wrong usage.
"""

from __future__ import annotations

import io
import os
import sys

import typer

from reviewkit import __version__
from reviewkit.cli import (
    agreement,
    archives,
    audit,
    cards,
    desk,
    doctor,
    freeze,
    guide,
    instantiation,
    items,
    labels,
    ledger,
    plan,
    project,
    publish,
    rulings,
    second_reading,
    second_review,
    study,
    verification,
    worklist,
)
from reviewkit.cli.terminal import guard_terminals
from reviewkit.problems import ProblemsFound, ReviewkitError

app = typer.Typer(
    name="reviewkit",
    help="The human half of a fairness benchmark: review, coding, adjudication, agreement.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"reviewkit {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Run one command of the workbench."""


for command in (
    project.init, project.new, project.check, instantiation.instantiation, audit.audit,
    audit.waive, desk.review, desk.serve, desk.link, study.status,
    cards.study, cards.sample, cards.add, cards.reassign, cards.withdraw, cards.questions,
    cards.answer, study.lock, study.reopen, study.unblind, agreement.agree, labels.labels,
    labels.automatic, labels.adapters, worklist.worklist, worklist.retire, rulings.ruling,
    guide.guide, freeze.freeze, freeze.retract, freeze.amend, freeze.deviation, publish.seal,
    publish.publish, verification.verify, archives.backup,
    doctor.doctor,
):  # fmt: skip
    app.command()(command)
app.command(name="restore")(archives.restore_archive)
imports = typer.Typer(help="Read what others made: item sets into the bank, tables of responses.")
imports.command(name="items")(items.read_item_set)
imports.command(name="bbq")(project.import_bbq)
imports.command(name="responses")(cards.read_responses)
imports.command(name="codings")(cards.read_codings)
app.add_typer(imports, name="import")
app.add_typer(ledger.ledger, name="ledger")
app.add_typer(plan.plan, name="plan")
app.add_typer(second_reading.second, name="second")
app.add_typer(second_review.second_review, name="second-review")


def main() -> None:
    """Run the command; known situations become one line on stderr and exit status 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal that has no letter for a text must not end the command
            stream.reconfigure(errors="backslashreplace")
    guard_terminals()
    try:
        app()
    except ProblemsFound as found:
        for problem in found.problems:
            typer.echo(str(problem), err=True)
        count = len(found.problems)
        typer.echo(f"{count} problem{'s' if count > 1 else ''}", err=True)
        sys.exit(1)
    except ReviewkitError as error:
        typer.echo(f"reviewkit: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
        why = (error.strerror or str(error)).lower()
        typer.echo(
            f"reviewkit: {name or 'the output'}: {why}; look at the name, its permissions and the"
            " space on the disk",
            err=True,
        )
        if not name:
            # what could not be written is not tried again when Python ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
