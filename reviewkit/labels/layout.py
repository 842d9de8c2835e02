"""How the reports on labels look: counts with their share, and blocks as text or Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from reviewkit.agreement.coefficients import Table, cohen_kappa
from reviewkit.agreement.layout import (
    IDS_SHOWN,
    Block,
    Grid,
    Heading,
    Points,
    Sentence,
    display_width,
    shown,
)
from reviewkit.agreement.layout import _escaped as escaped
from reviewkit.agreement.layout import _markdown_row as markdown_row
from reviewkit.agreement.layout import _text_grid as text_grid
from reviewkit.agreement.layout import _wrapped as wrapped
from reviewkit.agreement.report import LeftOut

__all__ = ["Block", "Grid", "Heading", "Points", "Sentence", "shown"]

UNDEFINED = "undefined"


def share(part: int, whole: int) -> str:
    """Return a count as people print it: ``60/79 (75.9 %)``; without a share of nothing."""
    if not whole:
        return f"{part}/{whole}"
    percent = (Decimal(100 * part) / whole).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{part}/{whole} ({percent} %)"


def three_decimals(value: float) -> str:
    """Return a coefficient with three decimals, ties away from zero, never ``-0.000``."""
    return f"{Decimal(repr(value)).quantize(Decimal('0.001'), ROUND_HALF_UP):z.3f}"


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


def left_out_line(group: LeftOut) -> str:
    """Return why some cards were left out, how many, and the first of them."""
    ids = ", ".join(shown(unit) for unit in group.units[:IDS_SHOWN])
    more = len(group.units) - IDS_SHOWN
    return f"{len(group.units)}: {shown(group.reason)} ({ids}{f' and {more} more' * (more > 0)})"


def group_left_out(reasons: Iterable[tuple[str, str]]) -> tuple[LeftOut, ...]:
    """Return (reason, card id) pairs grouped by reason, the most frequent first."""
    grouped: dict[str, list[str]] = {}
    for reason, card_id in reasons:
        grouped.setdefault(reason, []).append(card_id)
    ordered = sorted(grouped.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return tuple(LeftOut(reason, tuple(cards)) for reason, cards in ordered)


def blocks_as_text(blocks: Iterable[Block]) -> str:
    """Return the blocks for a terminal, with columns in line."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{text}\n{('=' if level == 1 else '-') * display_width(text)}")
            case Sentence(text):
                parts.append(wrapped(text))
            case Points(items):
                parts.append("\n".join(wrapped(item, "- ") for item in items))
            case Grid():
                parts.append(text_grid(block))
    return "\n\n".join(parts) + "\n"


def blocks_as_markdown(blocks: Iterable[Block]) -> str:
    """Return the blocks as Markdown with GitHub tables."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{'#' * level} {escaped(text)}")
            case Sentence(text):
                parts.append(_plain(text))
            case Points(items):
                parts.append("\n".join(f"- {escaped(item)}" for item in items))
            case Grid(header, rows, left):
                rule = (":---" if i in left else "---:" for i in range(len(header)))
                lines = [markdown_row(header), f"| {' | '.join(rule)} |"]
                parts.append("\n".join(lines + [markdown_row(row) for row in rows]))
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Return a paragraph that does not begin as a list or a number would."""
    return re.sub(r"^([-+]|\d+[.)])(?=\s)", r"\\\1", escaped(text))
