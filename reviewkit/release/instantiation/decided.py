"""Whether what is decided in public before any run is decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from reviewkit.protocol import cost_of, load_adjudication_plan
from reviewkit.release.instantiation.told import Project, Told, counted, named
from reviewkit.release.publish.statements import OPEN
from reviewkit.study import load_study

WANTED = ("positionality.md", "competing-interests.md")
LAID = frozenset({"reviewer-1", "reviewer-2"})
"""The reviewers that `reviewkit init` lays, for want of names."""


def _sizes(project: Project) -> Told:
    plan, path = project.material.plan, project.ws.adjudication_plan
    if plan is None:
        return Told(False, "there is no bank/plan.yaml")
    planned = {size.test_type for size in plan.sizes}
    lacking = [each for each in project.measured_types if each not in planned]
    if lacking:
        return Told(False, f"bank/plan.yaml plans nothing for {named(lacking)}")
    if not path.exists():
        return Told(False, "there is no bank/adjudication.yaml to cut them to")
    cost = cost_of(load_adjudication_plan(path, project.ws.shown(path)))
    return Told(True, f"{float(cost.hours):.0f} rater-hours as planned")


def _directions(project: Project) -> Told:
    if "T2" not in project.measured_types:
        return Told(True, "no active cell needs them", settles=True)
    found = project.audit.figures.directions
    if project.audit.of("direction-parity") or project.audit.of("direction-not-given"):
        said = project.found("direction-parity", "direction-not-given")
        return Told(False, f"{found.with_} with, {found.against} against; {said}")
    if not found.with_ + found.against:
        return Told(False, "no T2 group says which way it resolves")
    return Told(True, f"{found.with_} with, {found.against} against", settles=True)


def _raters(project: Project) -> Told:
    study = project.audit.standings.study
    if not study:
        return Told(False, "no study is of record")
    rounds = load_study(project.ws, study).rounds
    raters = {each.rater for round_ in rounds for each in round_.passes}
    if raters <= LAID:
        return Told(False, f"{study} names {named(sorted(raters))}, as laid")
    if not any(len({each.rater for each in round_.passes}) > 1 for round_ in rounds):
        return Told(False, f"no round of {study} has two raters")
    # names stay in the study file: this listing travels
    return Told(True, f"{counted(len(raters), 'rater')} in {study}")


def _statements(project: Project) -> Told:
    folder = project.ws.statements
    unwritten = [name for name in WANTED if not _is_written(folder / name)]
    if unwritten:
        return Told(False, f"not written: {named(unwritten)}")
    return Told(True, counted(len(WANTED), "statement"), settles=True)


def _is_written(path: Path) -> bool:
    """Return whether a statement is there and none of its places is left to fill."""
    if not path.is_file():
        return False
    raw = path.read_bytes()
    return not any(begin.encode() in raw for begin in OPEN)


DECIDED: Mapping[str, Callable[[Project], Told]] = {
    "sizes": _sizes,
    "directions": _directions,
    "raters": _raters,
    "positionality": _statements,
}
"""What files tell of the entries that are decided; on the others only people can speak."""
