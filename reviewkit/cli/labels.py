"""Commands after the labels: export them, compare automatic labels with them, report adapters."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from reviewkit.agreement.reporting.blocks import markdown_line, shown
from reviewkit.cli.printing import print_json
from reviewkit.cli.study import AsJson, RoundName, StudyName, chosen_study
from reviewkit.labels import (
    EVERY,
    AdapterReport,
    AutomaticReport,
    Readout,
    Subset,
    adapter_report,
    automatic_report,
    each_of,
    unanimous,
    write_tables,
)
from reviewkit.labels.of_study import StudyLabels, study_labels
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.study import Study, find_round
from reviewkit.workspace import find_workspace


class AsFormat(StrEnum):
    """How tables are written."""

    CSV = "csv"
    CSV_EXCEL = "csv-excel"
    JSONL = "jsonl"
    XLSX = "xlsx"
    PARQUET = "parquet"


Markdown = Annotated[bool, typer.Option("--md", help="Print Markdown.")]
Out = Annotated[Path, typer.Option("--out", help="The folder to write to.")]


def _labels(study: str | None, round_name: str | None) -> tuple[Study, StudyLabels]:
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    return chosen, study_labels(ws, chosen, find_round(chosen, round_name))


def labels(
    out: Out,
    study: StudyName = None,
    round_name: RoundName = None,
    formats: Annotated[
        list[AsFormat] | None, typer.Option("--format", help="The file format; once for each.")
    ] = None,
    notes: Annotated[
        bool, typer.Option("--notes", help="With the notes; they may name somebody.")
    ] = False,
    blind: Annotated[
        bool, typer.Option("--blind", help="Without model, condition and automatic labels.")
    ] = False,
) -> None:
    """Export final labels, long and wide, with a data dictionary and pseudonymous raters."""
    _must_not_be_ours(out)
    _chosen, found = _labels(study, round_name)
    tables = found.tables(notes=notes, hidden=not blind)
    written = write_tables(
        out, tables, [each.value for each in formats or (AsFormat.CSV,)], shown=str(out)
    )
    for path in written:
        typer.echo(f"wrote {path}")
    for notice in found.notices:
        typer.echo(notice)


def _must_not_be_ours(out: Path) -> None:
    """Raise ProblemsFound when tables would be written among the project's own files."""
    ws = find_workspace()
    for folder in (ws.bank, ws.rulings, ws.checklists):
        if out.resolve().is_relative_to(folder.resolve()):
            wrong = (
                f"{out} lies in {ws.shown(folder)}/, where exported tables may replace its files"
            )
            raise ProblemsFound([Problem("--out", wrong, "name a folder of its own")])


def automatic(
    study: StudyName = None,
    round_name: RoundName = None,
    by: Annotated[
        list[str] | None, typer.Option("--by", help="Also for each value of this column.")
    ] = None,
    judges: Annotated[
        str | None,
        typer.Option("--unanimous", help="Also where these columns agree: judge_a,judge_b."),
    ] = None,
    as_json: AsJson = False,
    markdown: Markdown = False,
) -> None:
    """Say how far the automatic labels of study.yaml agree with the final ones."""
    chosen, found = _labels(study, round_name)
    if not chosen.automatic:
        where = f"rulings/{chosen.study}/study.yaml automatic"
        remedy = "add `automatic: {FIELD: COLUMN}` with a hidden column"
        raise ProblemsFound([Problem(where, "names no automatic label", remedy)])
    rows = next(table for table in found.tables() if table.name == "wide").rows
    subsets: list[Subset] = [EVERY]
    if judges:
        named = [each.strip() for each in judges.split(",")]
        for column in named:
            _must_be_there("--unanimous", column, found)
        subsets.append(unanimous([f"response.{each}" for each in named]))
    for column in by or ():
        _must_be_there("--by", column, found)
        subsets += each_of(rows, f"response.{column}")
    readouts = [
        Readout(name, f"response.{column}", f"{name}.final")
        for name, column in chosen.automatic.items()
    ]
    report = automatic_report(rows, [(readout, subsets) for readout in readouts])
    _print_report(report, found, as_json=as_json, markdown=markdown)


def adapters(
    study: StudyName = None,
    round_name: RoundName = None,
    flag: Annotated[
        str, typer.Option("--flag", help="The field or derived value that marks a critical one.")
    ] = "critical",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the two exclusion lists to this folder.")
    ] = None,
    as_json: AsJson = False,
    markdown: Markdown = False,
) -> None:
    """Report checked adapters: per question and reviewer, flagged by either, by both, final."""
    _chosen, found = _labels(study, round_name)
    names = [field.id for field in found.codebook.fields]
    derived = [each.id for each in found.codebook.derived]
    if flag not in (*names, *derived):
        known = ", ".join((*names, *derived))
        problem = Problem("--flag", f"{found.codebook.name} has no {flag!r}", f"use one of {known}")
        raise ProblemsFound([problem])
    questions = [
        field.id for field in found.codebook.fields if field.type == "yes_no" and field.id != flag
    ]
    report = adapter_report(found.labels, questions=questions, flag=flag)
    _print_report(report, found, as_json=as_json, markdown=markdown)
    if out is not None:
        for path in write_tables(out, (report.items, report.sources), ("csv",), shown=str(out)):
            typer.echo(f"wrote {path}", err=as_json)


def _print_report(
    report: AutomaticReport | AdapterReport, found: StudyLabels, *, as_json: bool, markdown: bool
) -> None:
    """Print a report under what must stand beside every figure of the round."""
    if as_json:
        print_json({"notices": list(found.notices), **report.as_json()})
        return
    for notice in found.notices:
        typer.echo(f"- Notice: {markdown_line(notice)}" if markdown else f"Notice: {shown(notice)}")
    if found.notices:
        typer.echo()
    typer.echo(report.as_markdown() if markdown else report.as_text(), nl=False)


def _must_be_there(option: str, column: str, found: StudyLabels) -> None:
    known = sorted({name for columns in found.columns.values() for name in columns})
    if column not in known:
        raise ProblemsFound(
            [
                Problem(
                    option, f"the table has no column {column!r}", f"use one of {', '.join(known)}"
                )
            ]
        )
