"""``reviewkit plan``: what a study will cost before it begins."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewkit.cli.printing import print_json, print_table
from reviewkit.cli.study import AsJson, chosen_study
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.protocol import (
    AdjudicationPlan,
    MeasuredPace,
    Steps,
    load_adjudication_plan,
    measured_pace,
    steps_of,
)
from reviewkit.sources import Source, build
from reviewkit.study import study_progress
from reviewkit.workspace import NoWorkspace, Workspace, find_workspace

plan = typer.Typer(help="What a study will cost, before it begins.", no_args_is_help=True)


@plan.command()
def adjudication(
    file: Annotated[
        Path | None, typer.Argument(help="The plan; bank/adjudication.yaml by default.")
    ] = None,
    classes: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            metavar="NAME=ITEMS[:SHARE[:REPETITIONS]]",
            help="A class instead of the file's: T3=100:25 is a quarter of 100 items.",
        ),
    ] = None,
    systems: Annotated[int | None, typer.Option(min=1, help="Systems that answer.")] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="Independent runs.")] = None,
    repetitions: Annotated[
        int | None, typer.Option(min=1, help="Answers per item and run.")
    ] = None,
    raters: Annotated[int | None, typer.Option(min=1, help="Raters per response.")] = None,
    per_hour: Annotated[
        int | None, typer.Option("--per-hour", min=1, help="Judgements an hour, assumed.")
    ] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="The hours there are.")] = None,
    study: Annotated[
        str | None, typer.Option("--study", help="Use the measured pace of this study.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compute responses, judgements and rater-hours, and what each lever takes off, in order."""
    given = {
        "systems": systems, "runs": runs, "repetitions": repetitions, "raters": raters,
        "per_hour": per_hour, "budget": budget,
    }  # fmt: skip
    planned = _plan(file, classes or [], {k: v for k, v in given.items() if v is not None})
    pace = _pace(study) if study is not None else None
    steps = steps_of(planned, pace.per_hour if pace is not None else None)
    if as_json:
        print_json(_as_json(steps, pace))
    else:
        _say(steps, pace)


def _plan(file: Path | None, classes: list[str], given: dict[str, Any]) -> AdjudicationPlan:
    """Return the plan of the file with what options change, or of the options alone."""
    value: dict[str, Any] = {}
    if file is not None:
        value = _of_file(file, str(file))
    elif ws := _project(needed=not classes):
        value = _of_file(ws.adjudication_plan, ws.shown(ws.adjudication_plan))
    if classes:
        value |= {"classes": [_class(each) for each in classes], "levers": []}
    if "systems" not in (value | given):
        raise ProblemsFound([Problem("--systems", "not given", "say how many systems answer")])
    return build(Source("the options", value | given, {(): 1}), AdjudicationPlan)


def _of_file(path: Path, shown: str) -> dict[str, Any]:
    return load_adjudication_plan(path, shown).model_dump(by_alias=True, exclude_none=True)


def _project(*, needed: bool) -> Workspace | None:
    """Return the project folder; where the options are enough, only one that has a plan."""
    try:
        ws = find_workspace()
    except NoWorkspace:
        if needed:
            raise
        return None
    return ws if needed or ws.adjudication_plan.exists() else None


def _class(written: str) -> dict[str, str]:
    name, _, numbers = written.partition("=")
    parts = numbers.split(":")
    if not name or not 1 <= len(parts) <= 3 or not all(part.isdecimal() for part in parts):
        wrong = f"{written!r} is no class"
        raise ProblemsFound([Problem("--class", wrong, "write NAME=ITEMS[:SHARE[:REPETITIONS]]")])
    return {"name": name, **dict(zip(("items", "share", "repetitions"), parts, strict=False))}


def _pace(study: str) -> MeasuredPace:
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    return measured_pace(chosen.study, study_progress(ws, chosen, ()))


def _say(steps: Steps, pace: MeasuredPace | None) -> None:
    names = [name for name, _ in steps.costs[0].classes]
    rows = [
        (
            cost.title, *(str(number) for _, number in cost.classes), f"{cost.per_system:,}",
            f"{cost.responses:,}", f"{cost.judgements:,}", hours(cost.hours),
        )
        for cost in steps.costs
    ]  # fmt: skip
    print_table(("step", *names, "per system", "responses", "judgements", "hours"), rows)
    raters = steps.plan.raters
    typer.echo(
        f"{_rate(steps.per_hour)} judgements an hour, {_source(pace)};"
        f" each response is judged by {raters} rater{'' if raters == 1 else 's'}"
    )
    if steps.cut is not None:
        typer.echo(_cut(steps))


def _source(pace: MeasuredPace | None) -> str:
    if pace is None:
        return "assumed"
    passes = f"{pace.passes} pass{'' if pace.passes == 1 else 'es'}"
    return f"measured in study {pace.study} on {pace.cards} cards of {passes}"


def _cut(steps: Steps) -> str:
    cut = steps.cut
    if cut is None:
        raise AssertionError("only a plan with a budget is cut")
    if cut.step is None:
        return (
            f"the budget of {cut.budget:,} hours is passed by {hours(cut.over)} after every lever:"
            " cut the sizes before the bank is frozen"
        )
    if cut.step == 0:
        return f"the plan fits the budget of {cut.budget:,} hours"
    levers = "the first lever" if cut.step == 1 else f"the first {cut.step} levers"
    return f"the budget of {cut.budget:,} hours takes {levers}"


def hours(number: Fraction) -> str:
    """Return hours as they are said: whole ones plainly, others about, to the nearest one."""
    if number.denominator == 1:
        return f"{int(number):,}"
    return f"about {round(number):,}" if number >= 1 else "under 1"


def _rate(number: Fraction) -> str:
    return str(int(number)) if number.denominator == 1 else f"{float(number):.1f}"


def _as_json(steps: Steps, pace: MeasuredPace | None) -> dict[str, Any]:
    return {
        "per_hour": float(steps.per_hour),
        "pace": None
        if pace is None
        else {"study": pace.study, "passes": pace.passes, "cards": pace.cards},
        "steps": [
            {
                "title": cost.title, "classes": dict(cost.classes), "per_system": cost.per_system,
                "responses": cost.responses, "judgements": cost.judgements,
                "hours": float(cost.hours),
            }
            for cost in steps.costs
        ],
        "budget": None
        if steps.cut is None
        else {
            "hours": steps.cut.budget, "levers": steps.cut.step, "over": float(steps.cut.over),
        },
    }  # fmt: skip
