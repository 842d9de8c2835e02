"""A new study of responses: its file, written so that a person can read and change it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from pydantic import TypeAdapter, ValidationError

from reviewkit.bank.responses import ResponseTable
from reviewkit.decisions import Word
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import Codebook, FormShelf
from reviewkit.sources import build, load_yaml
from reviewkit.study.dealing import coding_material
from reviewkit.study.drawing import units_of
from reviewkit.study.practice import load_practice
from reviewkit.study.queue import check_adjudication
from reviewkit.study.sample_record import check_sample
from reviewkit.study.sampling import Units
from reviewkit.study.study import Study
from reviewkit.workspace import Workspace


class StudyExists(ReviewkitError):
    """A study of this name is already there; it is never overwritten."""


class BadStudyName(ReviewkitError):
    """The name of a study is no name of a folder."""


def check_coding(ws: Workspace, study: Study, shelf: FormShelf) -> None:
    """Raise ProblemsFound with everything that keeps a study of responses from being run."""
    shown = ws.shown(ws.study_file(study.study))
    materials = [coding_material(ws, study.as_in(each), shelf) for each in study.rounds]
    units = units_of(ws, study)
    problems: list[Problem] = []
    if study.sample is not None:
        problems += check_sample(study.sample, units, shown)
    names: dict[str, None] = {}
    for table, codebook, watchlist in materials:
        names |= dict.fromkeys((*codebook.parts, *(each.id for each in codebook.derived)))
        problems += _texts_are_there(table, codebook, shown)
        if study.adjudication is not None:
            problems += check_adjudication(study.adjudication, [codebook], shown)
        try:
            load_practice(ws, study.study, codebook, watchlist, table.digests)
        except ProblemsFound as found:
            problems += found.problems
    columns = dict.fromkeys(name for unit in units.values() for name in unit)
    for name, column in study.automatic.items():
        if name not in names:
            wrong = f"no codebook of the study has {name!r}"
            problems.append(Problem(f"{shown} automatic", wrong, f"use one of {', '.join(names)}"))
        if column not in columns:
            wrong = f"the table has no column {column!r}"
            problems.append(
                Problem(f"{shown} automatic.{name}", wrong, f"use one of {', '.join(columns)}")
            )
        for _table, codebook, _watchlist in materials[-1:]:
            problems += _strange_labels(codebook, name, column, units, f"{shown} automatic.{name}")
    if problems:
        # two rounds with one codebook have one fault
        raise ProblemsFound(dict.fromkeys(problems))


def _texts_are_there(table: ResponseTable, codebook: Codebook, shown: str) -> list[Problem]:
    """Return a problem for every field whose spans lie in a text that no response has."""
    if not table.ids:
        return []
    first = table.get(table.ids[0])
    roles = [*first.texts, *(each.name for each in first.parsed)]
    return [
        Problem(
            f"{shown} codebook",
            f"{codebook.name} marks {field.id} in {field.of!r} and table {table.name} has no such"
            " text",
            f"name one of {', '.join(roles)} in the codebook, or import the table with that text",
        )
        for field in codebook.fields
        if field.type == "spans" and field.of not in roles
    ]


def _strange_labels(
    codebook: Codebook, name: str, column: str, units: Units, where: str
) -> list[Problem]:
    """Return a problem for every automatic label that the codebook does not have."""
    field = next((each for each in codebook.fields if each.id == name), None)
    derived = next((each for each in codebook.derived if each.id == name), None)
    known: tuple[str, ...] = ()
    if field is not None and field.type in ("choice", "yes_no"):
        known = field.code_ids
    elif derived is not None:
        known = derived.values
    if not known:
        return []
    strange = Counter(
        label for unit in units.values() if (label := unit.get(column, "")) and label not in known
    )
    return [
        Problem(where, f"{column} holds {label!r} on {count} cards", f"use {', '.join(known)}")
        for label, count in strange.items()
    ]


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
    _must_be_a_name(name)
    path = ws.study_file(name)
    if os.path.lexists(path):
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
    except BaseException:
        path.unlink()
        with suppress(OSError):
            path.parent.rmdir()  # unless something else lies there
        raise
    return study


def _must_be_a_name(name: str) -> None:
    """Raise BadStudyName before a folder of that name is made."""
    try:
        TypeAdapter(Word).validate_python(name)
    except ValidationError:
        raise BadStudyName(
            f"{name!r} is no name of a study: letters, digits, `.`, `_` and `-`, no space; choose"
            " another"
        ) from None


def _pass_name(number: int) -> str:
    return ("first", "second", "third")[number] if number < 3 else f"pass-{number + 1}"
