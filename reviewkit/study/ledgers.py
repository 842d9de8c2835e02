"""Where a person's ledger of a study lies, and whose it must be."""

from __future__ import annotations

from reviewkit.decisions import ChainedLedger, store_of
from reviewkit.workspace import Workspace


def ledger_of(ws: Workspace, study: str, pass_name: str, person: str) -> ChainedLedger:
    """Return the ledger of one pass of one person; another's, copied there, is not read."""
    lines = store_of(ws).lines(ws.ledger(study, pass_name, person))
    return ChainedLedger(lines, owner=(study, pass_name, person))


def lead_ledger_of(ws: Workspace, study: str) -> ChainedLedger:
    """Return the ledger of the lead's acts in a study."""
    return ChainedLedger(store_of(ws).lines(ws.lead_ledger(study)))
