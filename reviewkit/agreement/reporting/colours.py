"""Colours of plots: those of Okabe and Ito, told apart by people who see few colours.

The purple and the amber are darker than theirs, until a thin line of them is seen on white.
"""

from __future__ import annotations

PAPER, INK, SOFT, LINE, STRONG = "#ffffff", "#1b2028", "#566070", "#d5dae1", "#8b95a3"
BLUE, VERMILION, GREEN, PURPLE, AMBER = "#0072b2", "#d55e00", "#009e73", "#b0578d", "#b87a00"
SERIES: tuple[tuple[str, str], ...] = (
    (BLUE, "o"), (VERMILION, "D"), (GREEN, "^"), (PURPLE, "s"), (AMBER, "v"), (INK, "P"),
)  # fmt: skip
"""Colour and shape of each series: either alone tells them apart."""
