"""Which logs of a project folder go into a database when there is one.

What the people of a study write does: passes, adjudications, second readings, the lead's acts, the
card book, and the rulings. What the lead's machine seals or lays down in git stays a file.
"""

from __future__ import annotations

from pathlib import Path

from reviewkit.decisions.stores.protocols import Store
from reviewkit.workspace import Workspace


def is_shared(ws: Workspace, path: Path) -> bool:
    """Return whether a log stands in the database when the folder has one."""
    parts = path.relative_to(ws.rulings).parts
    if path.suffix != ".jsonl" or parts[0] in (ws.guides.name, ws.freezes.name):
        return False
    if len(parts) == 2:
        return path in (ws.lead_ledger(parts[0]), ws.card_book(parts[0]))
    return len(parts) == 3 or path == ws.rulings_log


def shared_logs(ws: Workspace, store: Store, study: str | None = None) -> tuple[Path, ...]:
    """Return these logs as a store has them, of one study or all, the rulings last."""
    place = ws.rulings if study is None else ws.study_folder(study)
    patterns = ("*.jsonl", "*/*.jsonl", *(["*/*/*.jsonl"] if study is None else []))
    found = (path for pattern in patterns for path in store.logs(place, pattern))
    return tuple(
        sorted(
            (path for path in found if is_shared(ws, path)),
            key=lambda path: (path == ws.rulings_log, path),
        )
    )
