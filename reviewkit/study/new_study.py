"""A new study of responses: its file, written so that a person can read and change it."""

from __future__ import annotations

from collections.abc import Sequence

from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import FormShelf
from reviewkit.sources import build, load_yaml
from reviewkit.study.dealing import coding_material
from reviewkit.study.drawing import units_of
from reviewkit.study.practice import load_practice
from reviewkit.study.queue import check_adjudication
from reviewkit.study.sample_record import check_sample
from reviewkit.study.study import Study
from reviewkit.workspace import Workspace


class StudyExists(ReviewkitError):
    """A study of this name is already there; it is never overwritten."""


def check_coding(ws: Workspace, study: Study, shelf: FormShelf) -> None:
    """Raise ProblemsFound with everything that keeps a study of responses from being run."""
    shown = ws.shown(ws.study_file(study.study))
    for round_ in study.rounds:
        coding_material(ws, study.as_in(round_), shelf)
    _table, codebook, watchlist = coding_material(ws, study, shelf)
    units = units_of(ws, study)
    problems: list[Problem] = []
    if study.sample is not None:
        problems += check_sample(study.sample, units, shown)
    if study.adjudication is not None:
        problems += check_adjudication(study.adjudication, [codebook], shown)
    names = {field.id for field in codebook.fields} | {each.id for each in codebook.derived}
    columns = {name for unit in units.values() for name in unit}
    for name, column in study.automatic.items():
        if name not in names:
            wrong, remedy = f"{codebook.name} has no {name!r}", f"use one of {', '.join(names)}"
            problems.append(Problem(f"{shown} automatic", wrong, remedy))
        if column not in columns:
            wrong = f"the table has no column {column!r}"
            problems.append(
                Problem(f"{shown} automatic.{name}", wrong, f"use one of {', '.join(columns)}")
            )
    if problems:
        raise ProblemsFound(problems)
    load_practice(ws, study.study, codebook, watchlist)


def write_study(
    ws: Workspace,
    shelf: FormShelf,
    *,
    name: str,
    codebook: str,
    responses: str,
    raters: Sequence[str],
    adjudicator: str | None = None,
    watchlist: str | None = None,
    raters_per_card: int | None = None,
    size: int | None = None,
    seed: int = 1,
) -> Study:
    """Write ``rulings/<name>/study.yaml`` for a table of responses and return the study.

    Raises StudyExists, or ProblemsFound with all that keeps it from being run; then nothing stays.
    """
    path = ws.study_file(name)
    if path.exists():
        raise StudyExists(f"{ws.shown(path)} is already there; choose another name")
    passes = [f"      - {{pass: {_pass_name(n)}, rater: {each}}}" for n, each in enumerate(raters)]
    lines = [
        "# Who codes which responses with which codebook; see docs/lead.md.",
        f"study: {name}",
        f"codebook: {codebook}",
        f"responses: {responses}",
    ]
    lines += [f"watchlist: {watchlist}"] if watchlist else []
    if size is not None:
        lines += ["sample:", f"  seed: {seed}", "  draws:", f"    - {{name: main, size: {size}}}"]
    if raters_per_card is not None:
        lines.append(f"assignment: {{seed: {seed}, raters_per_card: {raters_per_card}}}")
    else:
        lines.append(f"assignment: {{seed: {seed}}}")
    lines += [f"adjudication: {{adjudicator: {adjudicator}}}"] if adjudicator else []
    lines += ["rounds:", '  - round: "1"', "    passes:", *passes]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    try:
        study = build(load_yaml(path, ws.shown(path)), Study)
        check_coding(ws, study, shelf)
    except ReviewkitError:
        path.unlink()
        raise
    return study


def _pass_name(number: int) -> str:
    return ("first", "second", "third")[number] if number < 3 else f"pass-{number + 1}"
