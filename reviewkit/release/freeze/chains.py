"""Every chained file of ``rulings/``, each checked as the kind that its place says it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from reviewkit.authoring.retirement import verify_retirements
from reviewkit.decisions import Lines, Report, store_of, verify_ledger
from reviewkit.decisions.stores import Store
from reviewkit.decisions.stores.shared_logs import is_shared, shared_logs
from reviewkit.questions import Form
from reviewkit.release.freeze.log import verify_freeze_log
from reviewkit.release.publications import verify_publications
from reviewkit.rulings import verify_rulings
from reviewkit.rulings.guides import verify_editions
from reviewkit.study.card_book import verify_card_book
from reviewkit.study.second_review import verify_second_review
from reviewkit.workspace import Workspace

Forms = Callable[[str], Form | None]
"""Gives the form with a digest, where it is still at hand."""


def ledger_reports(ws: Workspace, form_of: Forms | None = None) -> tuple[Report, ...]:
    """Return what every chained file of the folder is found to be, the rulings last."""
    return tuple(report_on(ws, path, form_of) for path in _chained_files(ws))


def _chained_files(ws: Workspace) -> Iterator[Path]:
    files = {
        path
        for path in ws.rulings.rglob("*.jsonl")
        # a freeze's own folder holds a list of groups, which is no chain
        if (ws.freezes not in path.parents or path == ws.freeze_log) and not is_shared(ws, path)
    }
    found = sorted(files.union(shared_logs(ws, store_of(ws))))
    yield from (path for path in found if path != ws.rulings_log)
    yield from (path for path in found if path == ws.rulings_log)


def report_on(
    ws: Workspace, path: Path, form_of: Forms | None = None, store: Store | None = None
) -> Report:
    """Return what one chained file is found to be; faults are in the report, none is raised.

    With ``store`` it is looked for there, else in the store that the folder has.
    """
    shown = ws.shown(path)
    place: Path | Lines = (store or store_of(ws)).lines(path) if is_shared(ws, path) else path
    by_place: dict[Path, Callable[[Any, str], Report]] = {
        ws.rulings_log: verify_rulings,
        ws.retirements: verify_retirements,
        ws.freeze_log: verify_freeze_log,
        ws.guide_editions: verify_editions,
        ws.publications: verify_publications,
        ws.card_book(path.parent.name): verify_card_book,
        ws.second_review_log(path.parent.name): verify_second_review,
    }
    verify = by_place.get(path)
    if verify is not None:
        return verify(place, shown)
    return verify_ledger(place, shown, form_of, _owner_by_place(ws, path))


def _owner_by_place(ws: Workspace, path: Path) -> tuple[str, str, str] | None:
    """Return study, pass and rater of a ledger by where it lies; the lead's acts have none."""
    parts = path.relative_to(ws.rulings).parts
    return (parts[0], parts[1], path.stem) if len(parts) == 3 else None
