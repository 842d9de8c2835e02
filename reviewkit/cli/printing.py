"""How the command prints: plain aligned tables that survive any terminal, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from rich.cells import cell_len

from reviewkit.problems import Problem


def print_json(value: Any) -> None:
    """Print one JSON value, readable and with its letters as they are."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns as wide as their widest cell, each row on one line."""
    table = [[" ".join(cell.splitlines()) for cell in row] for row in (heading, *rows)]
    widths = [max(cell_len(row[at]) for row in table) for at in range(len(heading))]
    for row in table:
        cells = (
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        )
        typer.echo("  ".join(cells).rstrip())


def print_sentences(sentences: Iterable[object]) -> None:
    """Print each on a line: no name of a column, no cell and no note makes a line of its own."""
    for sentence in sentences:
        typer.echo(" ".join(str(sentence).splitlines()))


def short_time(time: str) -> str:
    """Return ``2026-11-29 14:02`` of a record's time."""
    return time[:16].replace("T", " ")


def problem_as_json(problem: Problem) -> dict[str, str]:
    """Return the parts of a problem as a script reads them."""
    return {"where": problem.where, "wrong": problem.wrong, "remedy": problem.remedy}
