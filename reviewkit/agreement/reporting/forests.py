"""Rows of values with their intervals: coefficients, parts, checks, labels of each rater, time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from reviewkit.agreement.measures.estimates import Estimate, Interval
from reviewkit.agreement.reporting.canvas import (
    EDGE,
    VALUE,
    WIDTH,
    Canvas,
    canvas,
    scale,
    short,
    width_of,
)
from reviewkit.agreement.reporting.colours import INK, PAPER, SERIES, SOFT, STRONG
from reviewkit.agreement.reporting.printed import interval_cell, value_cell

FOOT = 26.0
LEGEND = 250.0
"""The widest name in a legend."""
STEP = 11.0
"""Pixels between the marks of one row."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One value of a row."""

    value: float | None
    interval: Interval | None
    series: int
    few: bool = False
    """Too few units carry it for a claim: drawn hollow."""
    stem: bool = False
    """A thin line leads to it from 0: a share, without an interval."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a label above, its marks on lines below it."""

    label: str
    said: str
    """What stands at the end of the label's line: the figures, or why there are none."""
    marks: tuple[Mark, ...]


def forest(
    rows: Sequence[Row],
    series: Sequence[str] = (),
    *,
    shares: bool = False,
    apart: bool = True,
    heaps: Sequence[Sequence[float]] = (),
) -> Figure:
    """Return the rows below each other over one scale.

    Args:
        rows: from top to bottom.
        series: the name of each series, shown above the rows; none: there is one.
        shares: the scale is a share, from 0 to 100 %; otherwise a coefficient, from -1 or 0 to 1.
        apart: the marks of a row have a line each; otherwise all lie on one.
        heaps: the values of each series once more, piled up over the scale above all rows. Two
            heaps of marks are two kinds of rows: what a mean would hide.
    """
    heads = _legend_places(series)
    heap_top = 8.0 + (heads[-1][1] + 4 if heads else 0)
    top = heap_top + sum(map(_heap_height, heaps)) + (8 if heads or heaps else 0)
    bottom = top + sum(_height(row, apart) for row in rows)
    low = 0.0 if shares else lowest(rows)
    on = canvas(bottom + FOOT, low, 1.0)
    step = 0.25 if shares or low == 0 else 0.5
    ticks = [low + step * at for at in range(round((1 - low) / step) + 1)]
    scale(on, ticks, heap_top, bottom, _percent if shares else _plain)
    for at, (name, place) in enumerate(zip(series, heads, strict=True)):
        _legend(on, place, name, at)
    y = heap_top
    for at, values in enumerate(heaps):
        y += _heap_height(values)
        _heap(on, values, y, at)
    y = top
    for row in rows:
        _labelled(on, row, y)
        for at, mark in enumerate(row.marks):
            draw(on, mark, y + 26 + STEP * apart * at)
        y += _height(row, apart)
    return on.figure


def _labelled(on: Canvas, row: Row, y: float) -> None:
    """Write both ends of a row's label on strips of paper: no line runs through a letter."""
    backed = {"bbox": {"facecolor": PAPER, "edgecolor": "none", "pad": 1.0}}
    room = on.width - 2 * EDGE - width_of(row.said, VALUE) - 12
    on.text(EDGE, y + 15, short(row.label, room), **backed)
    on.right(y + 15, row.said, color=SOFT, **backed)


def _height(row: Row, apart: bool) -> float:
    return 38.0 + STEP * apart * max(0, len(row.marks) - 1)


def lowest(rows: Sequence[Row]) -> float:
    """Return where a scale of coefficients begins: 0, or a half step below the lowest end."""
    ends = [
        end
        for row in rows
        for mark in row.marks
        if mark.value is not None
        for end in (mark.value, mark.interval.low if mark.interval else mark.value)
    ]
    return min(0.0, max(-1.0, math.floor(2 * min(ends, default=0.0)) / 2))


def draw(on: Canvas, mark: Mark, y: float) -> None:
    """Draw one value as a shape, and its interval as a line with ends."""
    if mark.value is None:
        return
    colour, shape = SERIES[mark.series % len(SERIES)]
    low, high = on.axes.get_xlim()
    if mark.interval is not None:
        ends = [max(low, mark.interval.low), min(high, mark.interval.high)]
        on.axes.plot(ends, [y, y], color=colour, linewidth=1.8, solid_capstyle="butt",
                     clip_on=False)  # fmt: skip
        for end in ends:
            on.axes.plot([end, end], [y - 3.5, y + 3.5], color=colour, linewidth=1.4, clip_on=False)
    if mark.stem:
        on.axes.plot([0, mark.value], [y, y], color=colour, linewidth=1.1, clip_on=False)
    on.axes.plot(
        [min(high, max(low, mark.value))], [y], linestyle="none", marker=shape, markersize=7.5,
        markeredgewidth=1.6, markeredgecolor=colour,
        markerfacecolor=PAPER if mark.few else colour, clip_on=False, zorder=4,
    )  # fmt: skip


def _legend_places(series: Sequence[str]) -> list[tuple[float, float]]:
    """Return where each name of the legend begins, in as many lines as they take."""
    places: list[tuple[float, float]] = []
    x, y = EDGE, 18.0
    for name in series:
        wide = 17 + width_of(short(name, LEGEND, VALUE), VALUE) + 22
        if x > EDGE and x + wide - 22 > WIDTH - EDGE:
            x, y = EDGE, y + 18
        places.append((x, y))
        x += wide
    return places


def _legend(on: Canvas, place: tuple[float, float], name: str, at: int) -> None:
    colour, shape = SERIES[at % len(SERIES)]
    low, high = on.axes.get_xlim()
    x, y = place
    spot = low + (high - low) * (x + 6 - EDGE) / (on.width - 2 * EDGE)
    on.axes.plot([spot], [y - 4], linestyle="none", marker=shape, markersize=7.5, color=colour,
                 clip_on=False)  # fmt: skip
    on.text(x + 17, y, short(name, LEGEND, VALUE), fontsize=VALUE, color=INK)


def _piles(values: Sequence[float]) -> dict[int, int]:
    """Return how many values share a place, a place being two hundredths wide."""
    piles: dict[int, int] = {}
    for value in values:
        piles[round(50 * value)] = piles.get(round(50 * value), 0) + 1
    return piles


def _heap_step(values: Sequence[float]) -> float:
    return min(8.5, 60 / max(_piles(values).values(), default=1))


def _heap_height(values: Sequence[float]) -> float:
    return 12 + _heap_step(values) * max(_piles(values).values(), default=1)


def _heap(on: Canvas, values: Sequence[float], bottom: float, series: int) -> None:
    """Draw every value as a mark above one line, those of one place piled up."""
    colour, shape = SERIES[series % len(SERIES)]
    on.axes.plot([0, 1], [bottom, bottom], color=STRONG, linewidth=0.8, clip_on=False)
    for slot, number in sorted(_piles(values).items()):
        heights = [bottom - 5 - _heap_step(values) * each for each in range(number)]
        on.axes.plot(
            [slot / 50] * number, heights, linestyle="none", marker=shape, markersize=6.5,
            markerfacecolor=colour, markeredgecolor=PAPER, markeredgewidth=0.6, clip_on=False,
        )  # fmt: skip


def _plain(tick: float) -> str:
    return f"{tick:g}"


def _percent(tick: float) -> str:
    return f"{100 * tick:g} %"


def figures_of(estimate: Estimate) -> str:
    """Return a coefficient and its interval as the end of a row says them."""
    said = value_cell(estimate.name, estimate.value)
    if estimate.value is not None and estimate.interval is not None:
        said += f" [{interval_cell(estimate.name, estimate.interval)}]"
    return said
