"""Whether what travels unchanged is unchanged; what differs is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast, get_args

from reviewkit.bank.items import TestType
from reviewkit.bank.plan import Plan
from reviewkit.problems import ProblemsFound
from reviewkit.protocol import load_adjudication_plan
from reviewkit.questions import load_forms
from reviewkit.release.codes import CODES
from reviewkit.release.instantiation.told import NOT_TOLD, Project, Told, counted, named
from reviewkit.release.layers import layers_of
from reviewkit.sources import load_yaml
from reviewkit.study import load_study
from reviewkit.workspace import shipped

ADMITTED = {"verifiable-fact", "value-laden"}
DEFERRED = "contested-empirical"
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
_NOT_STRUCTURE = {"title", "version", "edition"}


def _categories(project: Project) -> Told:
    entries = project.taxonomy.reference_categories
    admitted = {entry.id for entry in entries if entry.deferred == "no"}
    if admitted == ADMITTED:
        return Told(True, "as they come", settles=True)
    said: list[str] = []
    if more := sorted(admitted - ADMITTED):
        said.append(f"admits {named(more)} too")
    if lacking := sorted(ADMITTED - admitted):
        said.append(f"does not admit {named(lacking)}")
    return Told(False, "the taxonomy " + " and ".join(said))


def _test_types(project: Project) -> Told:
    types: tuple[str, ...] = get_args(TestType)
    missing = [each for each in types if not project.taxonomy.forms_measured_by(each)]
    if missing:
        return Told(False, f"no form of the taxonomy is measured by {named(missing)}")
    closed = [each for each in types if each not in project.measured_types]
    if closed:
        return Told(False, f"every cell of {named(closed)} is closed")
    return Told(True, "as they come", settles=True)


def _checklists(project: Project) -> Told:
    own, ours = load_forms(project.ws.checklists), load_forms(shipped("checklists"))
    folder, there = project.ws.checklists, shipped("checklists")
    said = list(_changed_files(folder, there, folder="."))
    known = {form.name for form in ours.forms}
    study = project.audit.standings.study
    if study:
        asked = load_study(project.ws, study).forms.values()
        said += [f"{study} asks with {name}" for name in asked if name not in known]
    if said:
        return Told(False, named(said))
    more = [form.name for form in own.forms if form.name not in known]
    return Told(True, f"as they come; beside them {named(more)}" if more else "as they come", True)


def _guides(project: Project) -> Told:
    folder, there = project.ws.checklists, shipped("checklists")
    said = [
        each
        for name in ("guides", "defects")
        for each in _changed_files(folder / name, there / name, folder=name)
    ]
    return Told(False, named(said)) if said else Told(True, "as they come", settles=True)


def _changed_files(own: Path, ours: Path, folder: str) -> Iterator[str]:
    """Yield the shipped files that are missing or built otherwise; other words are no change.

    Guides and families of defects may have entries of one's own beside the shipped ones.
    """
    may_grow = folder != "."
    for path in sorted(ours.glob("*.yaml")):
        shown = path.name if folder == "." else f"{folder}/{path.name}"
        if not (own / path.name).exists():
            yield f"{shown} is missing"
            continue
        try:
            theirs = load_yaml(own / path.name, shown).value
        except ProblemsFound:
            yield f"{shown} cannot be read"
            continue
        if not _same_build(load_yaml(path, shown).value, theirs, may_grow=may_grow):
            yield f"{shown} is built otherwise"


def _same_build(one: Any, other: Any, *, may_grow: bool) -> bool:
    """Return whether two values are alike but for wordings, titles and versions."""
    if isinstance(one, dict) and isinstance(other, dict):
        left, right = cast("Mapping[str, Any]", one), cast("Mapping[str, Any]", other)
        if _is_wording(left) and all(map(_LANGUAGE.fullmatch, right)):
            return True
        left = {name: value for name, value in left.items() if name not in _NOT_STRUCTURE}
        right = {name: value for name, value in right.items() if name not in _NOT_STRUCTURE}
        return left.keys() == right.keys() and all(
            _same_build(value, right[name], may_grow=may_grow) for name, value in left.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        these, those = cast("list[Any]", one), cast("list[Any]", other)
        if may_grow and (wanted := _ids(these)):
            those = [each for each in those if _ids([each]) and _ids([each])[0] in wanted]
        return len(these) == len(those) and all(
            _same_build(left, right, may_grow=may_grow)
            for left, right in zip(these, those, strict=True)
        )
    return one == other


def _ids(entries: list[Any]) -> list[str]:
    """Return the ids of the entries of a list that have one."""
    mappings = [cast("Mapping[str, Any]", each) for each in entries if isinstance(each, dict)]
    return [str(each["id"]) for each in mappings if "id" in each]


def _is_wording(value: Mapping[str, Any]) -> bool:
    return "en" in value and all(map(_LANGUAGE.fullmatch, value))


def _hard_checks(_project: Project) -> Told:
    # a waiver of a hard check is refused when the file is read, before anything gets here
    hard = sum(code.is_hard for code in CODES.values())
    return Told(True, f"{hard} codes that no waiver touches", settles=True)


def _paired_statistics(project: Project) -> Told:
    plan, usual = project.material.plan, Plan()
    if plan is None:
        return NOT_TOLD
    changed = [
        f"{name} is {getattr(plan, name)} instead of {getattr(usual, name)}"
        for name in ("sufficient_pairs", "position_alpha")
        if getattr(plan, name) != getattr(usual, name)
    ]
    return Told(False, named(changed)) if changed else Told(True, "25 pairs", settles=True)


def _rulings(project: Project) -> Told:
    log = project.ws.rulings_log
    lines = len(log.read_bytes().splitlines()) if log.exists() else 0
    return Told(True, f"{counted(lines, 'ruling')} so far", settles=True)


def _two_runs(project: Project) -> Told:
    path = project.ws.adjudication_plan
    if not path.exists():
        return Told(None, "there is no bank/adjudication.yaml")
    runs = load_adjudication_plan(path, project.ws.shown(path)).runs
    return Told(runs >= 2, counted(runs, "run"), settles=True)


def _sealing(project: Project) -> Told:
    layers = layers_of(project.ws, project.material.bank)
    if not layers.draws:
        return Told(None, "nothing is drawn yet: `reviewkit seal`")
    said = f"{layers.sealed_items} of {counted(layers.items, 'item')} sealed"
    return Told(2 * layers.sealed_items >= layers.items, said, settles=True)


KEPT: Mapping[str, Callable[[Project], Told]] = {
    "reference-categories": _categories,
    "test-types": _test_types,
    "checklists": _checklists,
    "guides": _guides,
    "hard-checks": _hard_checks,
    "paired-statistics": _paired_statistics,
    "rulings": _rulings,
    "two-runs": _two_runs,
    "sealing": _sealing,
}
"""What files tell of the entries that are kept; on the others only people can speak."""
