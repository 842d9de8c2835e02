"""What ``reviewkit init`` lays: a new project, or the checklist of a new country in one."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.study import load_study
from reviewkit.workspace import Workspace, find_workspace, shipped

STARTER = Path(__file__).parent.parent / "starter"
EXAMPLES = STARTER / "examples"
CHECKLIST = "instantiation.yaml"

# the page template belongs to the installed version; a copy of it would grow stale
_LEFT_OUT = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__", "*.pyc", "templates")
_BANK_FILES = ("taxonomy.yaml", "axes.yaml", "registry.yaml", "plan.yaml")
_TO_REBUILD = (*_BANK_FILES, "adjudication.yaml", CHECKLIST)
_TO_WRITE = ("watchlists", "leakage", "statements")


class FolderInTheWay(ReviewkitError):
    """Something is already where a new project folder is to be laid."""


def examples() -> tuple[str, ...]:
    """Return the names of the example instantiations."""
    return tuple(sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))


def lay_project(
    folder: Path, *, first: str, second: str, demo: bool, checklist: bool, example: str | None
) -> None:
    """Lay a new project folder; raises before anything is laid when it cannot be whole."""
    if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderInTheWay(f"{folder} is not empty; name a new folder")
    if example is not None and example not in examples():
        wrong = f"there is no example {example!r}"
        raise ProblemsFound([Problem("--example", wrong, f"use {' or '.join(examples())}")])
    if demo and (checklist or example is not None):
        wrong = "the demo bank is an instantiation of its own"
        raise ProblemsFound([Problem("--demo", wrong, "leave out --demo, or the other option")])
    names = {"FIRST": first, "SECOND": second}
    study_text = (STARTER / "study.yaml").read_text(encoding="utf-8")
    study_text = re.sub("FIRST|SECOND", lambda found: names[found.group()], study_text)
    _must_be_a_study(study_text)
    ws = Workspace(folder)
    ws.groups.mkdir(parents=True)
    for name in ("checklists", "notebooks", "voila_apps"):
        shutil.copytree(shipped(name), folder / name, ignore=_LEFT_OUT)
    if demo:
        shutil.copytree(shipped("bank"), ws.bank, dirs_exist_ok=True, ignore=_LEFT_OUT)
    elif example is not None:
        shutil.copytree(EXAMPLES / example / "bank", ws.bank, dirs_exist_ok=True)
        _lay_missing(ws, ("statements",))
    else:
        for name in _BANK_FILES:
            shutil.copy(STARTER / name, ws.bank / name)
        shutil.copytree(shipped("bank") / "leakage", ws.leakage)
        _lay_missing(ws, ("statements",))
        if checklist:
            _lay_missing(ws, (*_TO_REBUILD, *_TO_WRITE))
    shutil.copy(STARTER / "gitignore", folder / ".gitignore")
    (folder / ".gitattributes").write_text("* text=auto eol=lf\n", encoding="utf-8")
    ws.study_folder("review").mkdir(parents=True)
    ws.study_file("review").write_text(study_text, encoding="utf-8", newline="\n")


def lay_checklist() -> tuple[str, ...]:
    """Lay the checklist of a new country, and what of it is missing, into the project at hand.

    Nothing is overwritten. Returns the files that were laid, as shown to people.
    """
    ws = find_workspace()
    return _lay_missing(ws, (*_TO_REBUILD, *_TO_WRITE))


def _lay_missing(ws: Workspace, names: tuple[str, ...]) -> tuple[str, ...]:
    laid: list[str] = []
    for name in names:
        there = STARTER / name
        sources = sorted(there.rglob("*")) if there.is_dir() else [there]
        for source in sources:
            target = ws.bank / source.relative_to(STARTER)
            if source.is_file() and not os.path.lexists(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
                laid.append(ws.shown(target))
    return tuple(laid)


def _must_be_a_study(text: str) -> None:
    """Raise ProblemsFound when names make no study, before anything is laid."""
    with TemporaryDirectory() as folder:
        trial = Workspace(Path(folder))
        trial.study_folder("review").mkdir(parents=True)
        trial.study_file("review").write_text(
            text, encoding="utf-8", errors="surrogateescape", newline="\n"
        )
        load_study(trial, "review")
