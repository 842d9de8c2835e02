"""What tells a board that something it reads has changed, by stats alone: no ledger is read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from reviewkit.decisions import store_of
from reviewkit.problems import ReviewkitError
from reviewkit.workspace import Workspace


def mark_of_study(ws: Workspace, name: str) -> str:
    """Return a text that changes when a file that a study is read from has, or its store."""
    folder = ws.study_folder(name)
    paths = [*_files(folder), *(p for each in _folders(folder) for p in _files(each))]
    beside = (ws.links, ws.responses, ws.groups, *sorted(_files(ws.checklists)))
    try:
        stored = store_of(ws).changes(folder)
    except ReviewkitError as error:
        stored = str(error)
    return "|".join((stored, *(_stat(path) for path in (*sorted(paths), *beside))))


def mark_of_folder(folder: Path) -> str:
    """Return a text that changes when a file of the folder has."""
    return "|".join(_stat(path) for path in sorted(_files(folder)))


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    names = (".jsonl", ".yaml")
    return [path for path in folder.iterdir() if path.suffix in names and path.is_file()]


def _folders(folder: Path) -> Iterable[Path]:
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _stat(path: Path) -> str:
    try:
        stat = os.stat(path)  # noqa: PTH116 - one call a file, on every look
    except OSError:
        return f"{path.name}-"
    return f"{path.name}:{stat.st_size}:{stat.st_mtime_ns}"
