"""``reviewkit verify``: whether the files are what was written."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from reviewkit.cli.printing import print_json, problem_as_json, short_time
from reviewkit.cli.study import AsJson
from reviewkit.decisions import Report, verify_ledger
from reviewkit.problems import ProblemsFound
from reviewkit.questions import load_forms
from reviewkit.rulings import verify_rulings
from reviewkit.study import list_studies, load_study
from reviewkit.study.card_book import verify_card_book
from reviewkit.study.drawing import verify_sample
from reviewkit.workspace import Workspace, find_workspace


class What(StrEnum):
    """What can be verified from the files alone."""

    LEDGER = "ledger"
    SAMPLE = "sample"


def verify(
    what: Annotated[
        What,
        typer.Argument(help="ledger: every chain of the folder. sample: every sample, drawn anew."),
    ] = What.LEDGER,
    as_json: AsJson = False,
) -> None:
    """Check that the files are what was written, or that the samples can be drawn again."""
    ws = find_workspace()
    (_verify_samples if what is What.SAMPLE else _verify_ledgers)(ws, as_json)


def _verify_ledgers(ws: Workspace, as_json: bool) -> None:
    forms = load_forms(ws.checklists)
    paths = sorted(path for path in ws.rulings.rglob("*.jsonl") if path != ws.rulings_log)
    reports: list[Report] = [
        verify_card_book(path, ws.shown(path))
        if path == ws.card_book(path.parent.name)
        else verify_ledger(path, ws.shown(path), forms.by_digest, _owner_by_place(ws, path))
        for path in paths
    ]
    if ws.rulings_log.exists():
        reports.append(verify_rulings(ws.rulings_log, ws.shown(ws.rulings_log)))
    if as_json:
        print_json(
            [
                {
                    "file": report.file,
                    "records": report.records,
                    "tip": report.tip,
                    "locks": [
                        {"digest": each.digest, "time": each.time, "in_force": each.in_force}
                        for each in report.locks
                    ],
                    "pending": str(report.pending) if report.pending else None,
                    "set_aside": list(report.set_aside),
                    "problems": [problem_as_json(each) for each in report.problems],
                }
                for report in reports
            ]
        )
        raise typer.Exit(0 if all(report.sound for report in reports) else 1)
    for report in reports:
        if not report.sound:
            continue
        state = ", locked" if report.locked else ""
        count = "1 record" if report.records == 1 else f"{report.records} records"
        typer.echo(f"{report.file}: {count} sound{state}, tip {report.tip[:12]}")
        for lock_found in report.locks:
            word = "lock" if lock_found.in_force else "lifted lock"
            typer.echo(f"  {word} {short_time(lock_found.time)}: {lock_found.digest}")
        if report.pending:
            typer.echo(f"  {report.pending}")
        for name in report.set_aside:
            typer.echo(f"  a torn tail is kept in {name}")
    problems = [problem for report in reports for problem in report.problems]
    if problems:
        raise ProblemsFound(problems)
    if not reports:
        typer.echo("no ledger yet")


def _verify_samples(ws: Workspace, as_json: bool) -> None:
    found = {
        name: verify_sample(ws, study)
        for name in list_studies(ws)
        if (study := load_study(ws, name)).sample is not None
    }
    if as_json:
        print_json(
            [
                {"study": name, "same": each.same, "said": list(each.said)}
                for name, each in found.items()
            ]
        )
    for name, each in found.items() if not as_json else ():
        for sentence in each.said:
            typer.echo(f"{name}: {sentence}")
    if not found and not as_json:
        typer.echo("no study has a sample")
    raise typer.Exit(0 if all(each.same for each in found.values()) else 1)


def _owner_by_place(ws: Workspace, path: Path) -> tuple[str, str, str] | None:
    """Return study, pass and rater of a ledger by where it lies; the lead's acts have none."""
    parts = path.relative_to(ws.rulings).parts
    return (parts[0], parts[1], path.stem) if len(parts) == 3 else None
