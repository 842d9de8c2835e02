"""Tables of counts as heat maps: two raters over the categories, and raters against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reviewkit.agreement.reporting.canvas import (
    EDGE,
    LABEL,
    TICK,
    VALUE,
    WIDTH,
    Canvas,
    canvas,
    lines_of,
    one_line,
    short,
    width_of,
)
from reviewkit.agreement.reporting.colours import BLUE, INK, SOFT, STRONG, VERMILION

DARKEST = 0.5
"""How much of the colour the fullest cell has: ink stays readable on it, on white and on black."""
GUTTER, NARROW_GUTTER = 148.0, 118.0
WIDEST = 84.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what is written in it, how full it is from 0 to 1, and how it is drawn."""

    said: str
    full: float
    agree: bool
    framed: bool = True


def confusion(
    table: Sequence[Sequence[int]], labels: Sequence[str], rows: str, columns: str
) -> Figure:
    """Return a confusion matrix as a heat map.

    Cells of agreement are blue and framed, their tint by share of the fullest of them; cells of
    disagreement are orange, their tint by share of the fullest of those. With one common tint a
    handful of disagreements among hundreds of agreements would be invisible.
    """
    same = max((table[at][at] for at in range(len(labels))), default=0)
    differ = max(
        (count for i, row in enumerate(table) for j, count in enumerate(row) if i != j), default=0
    )
    cells = [
        [
            Cell(compact(count), count / ((same if i == j else differ) or 1), i == j)
            for j, count in enumerate(row)
        ]
        for i, row in enumerate(table)
    ]
    return _grid(cells, labels, f"rows: {one_line(rows)}", f"columns: {one_line(columns)}")


def raters(
    shares: Sequence[Sequence[float | None]], sizes: Sequence[Sequence[int]], names: Sequence[str]
) -> Figure:
    """Return how often each two raters agree, below the diagonal; how many units, above.

    Args:
        shares: a square, rater by rater; None where two share no unit. Only its lower half is read.
        sizes: a square of counts of units. Only its upper half is read.
        names: the raters.
    """
    known = [each for i, row in enumerate(shares) for each in row[:i] if each is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)

    def cell(i: int, j: int) -> Cell:
        share = shares[i][j]
        if j >= i:
            return Cell("" if i == j else compact(sizes[i][j]), 0.0, agree=False, framed=False)
        if share is None:
            return Cell("–", 0.0, agree=True)
        # the lowest keeps some tint: an empty cell is one without units
        return Cell(f"{100 * share:.0f}", 0.15 + 0.85 * (share - low) / ((high - low) or 1), True)

    every = range(len(names))
    cells = [[cell(i, j) for j in every] for i in every]
    return _grid(cells, names, "below: agree in %", "above: n")


def compact(count: int) -> str:
    """Return a count in at most four characters: ``9999``, ``12k``, ``250k``, ``1.2M``."""
    if count < 10_000:
        return str(count)
    size, letter = (1_000_000, "M") if count >= 999_500 else (1_000, "k")
    places = 1 if count < 9.95 * size else 0
    return f"{count / size:.{places}f}{letter}"


def _grid(
    cells: Sequence[Sequence[Cell]], labels: Sequence[str], rows: str, columns: str
) -> Figure:
    """Return the cells with their labels to the left, and above them if they fit there.

    Else numbers head the columns: a long label fits no column, and tilted Arabic is hard to read.
    """
    number = len(labels)
    gutter = GUTTER if number <= 8 else NARROW_GUTTER
    wide = min(WIDEST, (WIDTH - 2 * EDGE - gutter) / number)
    high = min(44.0, max(34.0, wide))
    top = 48.0
    on = canvas(top + high * number + 12, 0, WIDTH - 2 * EDGE)
    on.text(EDGE, 18, short(rows, gutter - 8, VALUE), fontsize=VALUE, color=SOFT)
    room = WIDTH - 2 * EDGE - gutter
    on.text(EDGE + gutter, 18, short(columns, room, VALUE), fontsize=VALUE, color=SOFT)
    named = all(width_of(one_line(each), TICK) < wide - 4 for each in labels)
    for at, label in enumerate(labels):
        _label(on, label, (gutter, top + high * (at + 0.5)), "" if named else str(at + 1))
        on.text(EDGE + gutter + wide * (at + 0.5), top - 8, label if named else str(at + 1),
                ha="center", fontsize=TICK, color=SOFT)  # fmt: skip
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            corner = (gutter + wide * j, top + high * i)
            _draw(on, cell, corner, (wide, high))
    return on.figure


def _label(on: Canvas, label: str, place: tuple[float, float], number: str) -> None:
    """Write a label in one line, or in two smaller ones, left of ``place``."""
    end, middle = place
    room = end - 30
    size = LABEL if width_of(one_line(label), LABEL) <= room else VALUE
    lines = lines_of(label, room, 2, size)
    first = middle + 4.5 - 7.5 * (len(lines) - 1)
    on.text(EDGE + end - 8, middle + 4.5, number, ha="right", fontsize=TICK, color=SOFT)
    for at, line in enumerate(lines):
        on.text(EDGE, first + 15 * at, line, fontsize=size)


def _draw(on: Canvas, cell: Cell, corner: tuple[float, float], size: tuple[float, float]) -> None:
    (x, y), (wide, high) = corner, size
    gap = 1.5
    inner = (x + gap, y + gap), wide - 2 * gap, high - 2 * gap
    colour = BLUE if cell.agree else VERMILION
    on.axes.add_patch(
        Rectangle(*inner, facecolor=(colour, DARKEST * cell.full), edgecolor="none", clip_on=False)
    )
    if cell.framed:
        on.axes.add_patch(
            Rectangle(
            *inner, fill=False, edgecolor=colour if cell.agree else STRONG, clip_on=False,
            linewidth=1.6 if cell.agree else 0.5,
        )
        )  # fmt: skip
    fits = LABEL * min(1.0, (wide - 5) / max(1.0, width_of(cell.said, LABEL)))
    on.axes.text(
        x + wide / 2, y + high / 2 + 4.5, cell.said, ha="center", va="baseline",
        fontsize=fits, color=INK if cell.full else SOFT, clip_on=False,
    )  # fmt: skip
