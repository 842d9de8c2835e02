"""Cells and sentences that the reports on labels share."""

from __future__ import annotations

from collections.abc import Iterable

from reviewkit.agreement.coefficients import Table, cohen_kappa
from reviewkit.agreement.passes.report import LeftOut
from reviewkit.agreement.reporting.blocks import UNDEFINED, three_decimals


def kappa_cell(table: Table) -> str:
    """Return Cohen's kappa for a column of figures."""
    value = cohen_kappa(table).value
    return UNDEFINED if value is None else three_decimals(value)


def why_no_kappa(table: Table) -> str:
    """Return the sentence fragment that says why kappa has no value; empty when it has one."""
    if cohen_kappa(table).value is not None:
        return ""
    if not table.n:
        return "no card has both labels"
    only = table.categories[table.row_totals.index(table.n)]
    return f"both sides hold only {only}, so chance alone would agree always"


def group_left_out(reasons: Iterable[tuple[str, str]]) -> tuple[LeftOut, ...]:
    """Return (reason, card id) pairs grouped by reason, the most frequent first."""
    grouped: dict[str, list[str]] = {}
    for reason, card_id in reasons:
        grouped.setdefault(reason, []).append(card_id)
    ordered = sorted(grouped.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return tuple(LeftOut(reason, tuple(cards)) for reason, cards in ordered)
