"""How a report on agreement is given out: on the screen, or as a file in the form asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import typer

from reviewkit.agreement.reporting.model import AgreementReport

Form = Literal["text", "md", "latex", "csv", "json", "html"]
_OF_ENDING: dict[str, Form] = {
    ".txt": "text", ".md": "md", ".markdown": "md", ".tex": "latex", ".csv": "csv",
    ".json": "json", ".html": "html", ".htm": "html",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Output:
    """Where a report goes, and in which form."""

    form: Form = "text"
    out: Path | None = None
    plots: bool = True
    """Whether plots are drawn beside a Markdown or LaTeX file; a page holds its own."""
    for_excel: bool = False
    """Whether CSV gets a byte order mark, and no cell is taken for a formula."""


def output_of(
    *,
    as_json: bool, html: bool, markdown: bool, latex: bool, csv: bool, excel: bool, plots: bool,
    out: Path | None,
) -> Output:  # fmt: skip
    """Return where the report goes; without a form, the ending of the file says it.

    Raises typer.BadParameter when two forms are named, or none and the ending is that of no form.
    """
    asked: dict[Form, bool] = {
        "json": as_json, "html": html, "md": markdown, "latex": latex, "csv": csv or excel,
    }  # fmt: skip
    named: list[Form] = [form for form, wanted in asked.items() if wanted]
    if len(named) > 1:
        names = " and ".join(f"--{each}" for each in named)
        raise typer.BadParameter(f"{names} are two forms; run the command once for each")
    if named:
        return Output(named[0], out, plots, excel)
    ending = out.suffix.lower() if out is not None else ""
    if ending and ending not in _OF_ENDING:
        raise typer.BadParameter(
            f"--out: no form of the report ends in {ending}; use one of {', '.join(_OF_ENDING)}"
            " (Excel opens the .csv of --excel, a browser prints the .html), or name the form,"
            " such as --html"
        )
    return Output(_OF_ENDING.get(ending, "text"), out, plots, excel)


def give_out(report: AgreementReport, output: Output) -> None:
    """Print the report, or write it to the file and say so."""
    from reviewkit.agreement.reporting.render import render  # noqa: PLC0415 - heavy

    if output.form == "csv" and output.for_excel:
        from reviewkit.agreement.reporting.csv_rows import csv_for_excel  # noqa: PLC0415

        data = csv_for_excel(report)
    elif output.out is None:
        text = render(report, output.form)
        typer.echo(text, nl=not text.endswith("\n"))
        return
    else:
        data = render(report, output.form, _plots(report, output, output.out)).encode("utf-8")
    if output.out is None:
        typer.echo(data, nl=False)
        return
    output.out.write_bytes(data)
    typer.echo(f"wrote {output.out}")


def _plots(report: AgreementReport, output: Output, out: Path) -> dict[str, str]:
    """Draw the plots into a folder beside the file; return each one's place as seen from there."""
    if not output.plots or output.form not in ("md", "latex"):
        return {}
    from reviewkit.agreement.reporting.plots import plot_files  # noqa: PLC0415 - heavy

    # the file first: a name that cannot be written must not leave a folder of plots
    with out.open("ab"):
        pass
    folder = out.with_name(f"{out.stem}-plots")
    drawn = plot_files(report, folder, "svg" if output.form == "md" else "pdf")
    return {name: path.relative_to(out.parent).as_posix() for name, path in drawn.items()}
