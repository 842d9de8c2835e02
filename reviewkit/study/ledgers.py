"""Where a person's ledger of a study lies, and whose it must be."""

from __future__ import annotations

from reviewkit.decisions import FileLedger
from reviewkit.workspace import Workspace


def ledger_of(ws: Workspace, study: str, pass_name: str, person: str) -> FileLedger:
    """Return the ledger of one pass of one person; another's, copied there, is not read."""
    path = ws.ledger(study, pass_name, person)
    return FileLedger(path, ws.shown(path), owner=(study, pass_name, person))
