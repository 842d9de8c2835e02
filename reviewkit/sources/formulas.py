"""Cells that a spreadsheet would take for a formula, and how they stay text."""

from __future__ import annotations

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"
"""How a text may begin that some spreadsheet takes for a formula; the last four are full-width."""
GUARD = "'"
_UNSEEN = " \u00a0\u2000\u2001\u2002\u2003\u2009\u202f\u3000\u200b\u200e\u200f\u2060\ufeff"
"""What a spreadsheet may drop before it looks at how a cell begins."""


def guarded(text: str) -> str:
    """Return a cell in which no spreadsheet sees a formula: an apostrophe stands before it.

    One that begins with an apostrophe gets another, so that taking one leading apostrophe off every
    cell gives the exact text back.
    """
    seen = text.lstrip(_UNSEEN)
    return GUARD + text if seen.startswith((*FORMULA_STARTS, GUARD)) else text
