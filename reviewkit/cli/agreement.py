"""``reviewkit agree``: how far raters agree, from the passes of a study or from files of labels."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from reviewkit.agreement.label_files.asked import names_in
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.cli.agreement_output import Output, give_out, output_of
from reviewkit.cli.study import AsJson, RoundName, chosen_study, status
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.study import LabelsClosed, list_studies
from reviewkit.workspace import NoWorkspace, find_workspace

_FILE_ENDINGS = frozenset({
    ".csv", ".tsv", ".tab", ".txt", ".json", ".jsonl", ".ndjson", ".xlsx", ".zip", ".parquet",
})  # fmt: skip
"""What is no study of the folder and ends like this is the name of a file."""

_FILES = "Files of labels"
_STUDIES = "Studies"
_MEASURES = "Measures"
_FORMS = "Forms of the report"

Level = Literal["nominal", "ordinal", "interval", "ratio", "jaccard", "masi"]
Weights = Literal["linear", "quadratic", "ordinal"]
Several = list[str] | None


def _several(name: str, what: str, panel: str = _FILES) -> Any:
    return typer.Option(name, help=f"{what} Repeat it, or separate with commas.",
                        rich_help_panel=panel)  # fmt: skip


def _one(name: str, what: str, panel: str = _FILES) -> Any:
    return typer.Option(name, help=what, rich_help_panel=panel)


def agree(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="A study, or files of labels; not needed when the folder has one study."
        ),
    ] = None,
    round_name: RoundName = None,
    unit: Annotated[str | None, _one("--unit", "The column with the id of the unit.")] = None,
    rater: Annotated[str | None, _one("--rater", "The column that says who rated.")] = None,
    label: Annotated[str | None, _one("--label", "The column with the label.")] = None,
    question: Annotated[
        str | None, _one("--question", "The column that says what was rated.")
    ] = None,
    raters: Annotated[Several, _several("--raters", "The columns that are raters.")] = None,
    gold: Annotated[
        Several, _several("--gold", "Columns of final or gold labels, which are no raters.")
    ] = None,
    shape: Annotated[
        str | None, _one("--shape", "How the file is laid out: wide, long, confusion, ...")
    ] = None,
    cluster: Annotated[
        str | None,
        _one("--cluster", "The column that says which units belong together.", _MEASURES),
    ] = None,
    by: Annotated[Several, _several("--by", "Columns to split the report by.", _MEASURES)] = None,
    compare: Annotated[
        Several,
        _several("--compare", "Columns whose parts are compared; of a study, rounds.", _MEASURES),
    ] = None,
    scheme: Annotated[
        Path | None, _one("--scheme", "A YAML file with categories, level, aliases.")
    ] = None,
    codebook: Annotated[
        str | None, _one("--codebook", "A codebook's field as the scheme: rationale@1:rationale.")
    ] = None,
    categories: Annotated[
        Several, _several("--categories", "Every label of the scheme, in order.")
    ] = None,
    collapse: Annotated[
        list[str] | None,
        _one("--collapse", "Coarser classes beside the whole: 'accepted=a,b;other=c'."),
    ] = None,
    level: Annotated[
        Level | None, _one("--level", "The level of Krippendorff's alpha.", _MEASURES)
    ] = None,
    weights: Annotated[
        Weights | None, _one("--weights", "The weights of weighted kappa and AC2.", _MEASURES)
    ] = None,
    missing: Annotated[
        Several, _several("--missing", "Cells that mean no rating; a blank cell always does.")
    ] = None,
    skipped: Annotated[
        Several, _several("--skipped", "Cells that mean that the rater passed the unit over.")
    ] = None,
    fold: Annotated[
        bool, _one("--fold", "Count labels that differ in case or spaces only as one.")
    ] = False,
    sets: Annotated[
        bool | None,
        typer.Option("--sets/--no-sets", help="Whether a label is a set of labels."),
    ] = None,
    repeats: Annotated[
        Literal["refuse", "last", "first"],
        _one("--repeats", "Which label counts when a rater gave a unit several."),
    ] = "refuse",
    encoding: Annotated[str | None, _one("--encoding", "The encoding of the file.")] = None,
    delimiter: Annotated[
        str | None, _one("--delimiter", "What separates cells: one character, or tab.")
    ] = None,
    sheet: Annotated[str | None, _one("--sheet", "The sheet of a workbook.")] = None,
    confidence: Annotated[
        float,
        typer.Option(min=0.5, max=0.999, help="Of the intervals.", rich_help_panel=_MEASURES),
    ] = 0.95,
    draws: Annotated[
        int,
        typer.Option(min=0, max=1_000_000, help="Of the bootstrap.", rich_help_panel=_MEASURES),
    ] = 2000,
    seed: Annotated[
        int, typer.Option(min=0, help="Of the bootstrap.", rich_help_panel=_MEASURES)
    ] = 1,
    title: Annotated[str, _one("--title", "What the report is called.", _FORMS)] = "",
    as_json: AsJson = False,
    html: Annotated[bool, _one("--html", "A page of its own, plots included.", _FORMS)] = False,
    markdown: Annotated[bool, _one("--md", "Markdown.", _FORMS)] = False,
    latex: Annotated[bool, _one("--latex", "LaTeX.", _FORMS)] = False,
    csv: Annotated[bool, _one("--csv", "CSV, a row a figure.", _FORMS)] = False,
    excel: Annotated[bool, _one("--excel", "CSV that Excel opens as UTF-8.", _FORMS)] = False,
    plots: Annotated[
        bool,
        typer.Option(
            "--plots/--no-plots", rich_help_panel=_FORMS,
            help="Draw plots beside a Markdown or LaTeX file.",
        ),
    ] = True,
    out: Annotated[
        Path | None,
        _one("--out", "Write to this file; without a form, its ending says which.", _FORMS),
    ] = None,
) -> None:  # fmt: skip
    """Say how far raters agree: the passes of a study once they are locked, or files of labels."""
    output = output_of(
        as_json=as_json, html=html, markdown=markdown, latex=latex, csv=csv, excel=excel,
        plots=plots, out=out,
    )  # fmt: skip
    settings = Settings(
        level=level or "nominal", weights=weights or "", confidence=confidence, draws=draws,
        seed=seed,
    )  # fmt: skip
    of_files: dict[str, Any] = {
        "unit": unit, "rater": rater, "label": label, "question": question,
        "raters": _parts(raters), "gold": _parts(gold), "shape": shape,
        "scheme": scheme, "codebook": codebook, "categories": _parts(categories),
        "collapse": tuple(collapse or ()), "missing": _parts(missing), "skipped": _parts(skipped),
        "fold": fold, "sets": sets, "repeats": repeats, "encoding": encoding,
        "delimiter": delimiter, "sheet": sheet,
    }  # fmt: skip
    files = _files(what or [])
    if files:
        if round_name is not None:
            raise typer.BadParameter("--round is of a study; files of labels have no rounds")
        _spared(files, out)
        of_files |= {"cluster": cluster, "by": _parts(by), "compare": _parts(compare)}
        _of_files(files, output, settings, level=level, title=title, **of_files)
        return
    given = [name for name, value in of_files.items() if value not in (None, (), False, "refuse")]
    if given:
        names = ", ".join(f"--{name}" for name in given)
        raise typer.BadParameter(f"{names}: for files of labels; a study says it in its own files")
    if len(what or ()) > 1:
        raise typer.BadParameter(f"{' and '.join(what or ())} are two studies; name one")
    _of_study(
        (what or [None])[0], round_name, output, settings, by=_parts(by), cluster=cluster,
        compare=_parts(compare), title=title,
    )  # fmt: skip


def _parts(given: Iterable[str] | None) -> tuple[str, ...]:
    """Return what was named, repeated or separated by commas."""
    return tuple(name for each in given or () for name in names_in(each))


def _files(what: Sequence[str]) -> tuple[Path, ...]:
    """Return the arguments as paths, or nothing when they name a study.

    The name of a study goes before that of a file beside it, which ``./NAME`` reads. A name with a
    separator or with the ending of a file is a path, whether there is such a file or not.
    """
    if len(what) == 1 and os.sep not in what[0] and "/" not in what[0] and what[0] in _studies():
        return ()
    paths = tuple(map(Path, what))
    looks = [
        path.exists() or "/" in name or os.sep in name or path.suffix.lower() in _FILE_ENDINGS
        for path, name in zip(paths, what, strict=True)
    ]
    return paths if any(looks) else ()


def _spared(files: Sequence[Path], out: Path | None) -> None:
    """Refuse to write the report over the labels it is made of.

    Raises:
        ProblemsFound: When ``--out`` is one of the files, by whatever name, or lies in a folder
            that is read.
    """
    if out is None:
        return
    target = out.resolve()
    for file in files:
        source = file.resolve()
        if target == source or (out.exists() and file.exists() and out.samefile(file)):
            wrong = f"is read as labels ({file}), and the report would take their place"
            raise ProblemsFound([Problem(f"--out {out}", wrong, "name another file")])
        labels = target.suffix.lower() in _FILE_ENDINGS
        if labels and target.exists() and source.is_dir() and source in target.parents:
            wrong = f"lies in {file}, which is read as labels"
            raise ProblemsFound([Problem(f"--out {out}", wrong, "name another file")])


def _studies() -> Sequence[str]:
    try:
        return list_studies(find_workspace())
    except NoWorkspace:
        return ()


def _of_files(files: Sequence[Path], output: Output, settings: Settings, **asked: Any) -> None:
    from reviewkit.cli.agree_files import agree_files  # noqa: PLC0415 - heavy

    agree_files(files, output, settings, **asked)


def _of_study(
    name: str | None, round_name: str | None, output: Output, settings: Settings, **asked: Any
) -> None:
    from reviewkit.agreement.of_study.report import StudyAsked, study_report  # noqa: PLC0415 - heavy

    try:
        ws = find_workspace()
    except NoWorkspace as error:
        if name is None:
            raise
        wrong = "is no file or folder here, and no project folder is around that has its study"
        remedy = "correct the name, or change into the project folder"
        raise ProblemsFound([Problem(name, wrong, remedy)]) from error
    chosen = chosen_study(ws, name)
    try:
        report = study_report(ws, chosen, round_name, settings, StudyAsked(**asked))
    except LabelsClosed as closed:
        if closed.waiting:
            status(chosen.study, output.form == "json")
        raise
    give_out(report, output)
