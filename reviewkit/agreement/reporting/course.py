"""Agreement along a walk: one point for each stretch of time or order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.figure import Figure

from reviewkit.agreement.measures.estimates import FEW_PAIRS
from reviewkit.agreement.reporting.canvas import EDGE, TICK, WIDTH, Canvas, canvas, short, width_of
from reviewkit.agreement.reporting.colours import BLUE, LINE, PAPER, SOFT
from reviewkit.agreement.reporting.model import Point

HEIGHT, TOP, BOTTOM, LEFT = 220.0, 16.0, 186.0, 52.0
ROOM = 150.0
"""The widest name below the plot."""


def course(points: Sequence[Point]) -> Figure:
    """Return agreement with its interval at each point, in order; a point without units is a gap.

    The scale runs from 0 to 100 %, or from 50 % where nothing lies below: a drop is shown for what
    it is.
    """
    shares = [each.agree / each.n if each.n else None for each in points]
    ends = [
        each.interval.low if each.interval else share
        for each, share in zip(points, shares, strict=True)
        if share is not None
    ]
    floor = 0.5 if min(ends, default=0.0) >= 0.5 else 0.0
    on = canvas(HEIGHT, 0, WIDTH - 2 * EDGE)

    def height(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (share - floor) / (1 - floor)

    for at in range(5):
        tick = floor + (1 - floor) * at / 4
        on.axes.plot([LEFT, WIDTH - 2 * EDGE], [height(tick)] * 2, color=LINE, linewidth=0.8,
                     zorder=0)  # fmt: skip
        said = f"{100 * tick:g} %"
        on.text(EDGE + LEFT - 8, height(tick) + 4, said, ha="right", fontsize=TICK, color=SOFT)
    wide = (WIDTH - 2 * EDGE - LEFT) / len(points)
    places = [LEFT + wide * (at + 0.5) for at in range(len(points))]
    line = [float("nan") if share is None else height(share) for share in shares]
    on.axes.plot(places, line, color=BLUE, linewidth=1.1, zorder=2)
    for x, y, point in zip(places, line, points, strict=True):
        if point.interval is not None:
            ends = [height(point.interval.low), height(point.interval.high)]
            on.axes.plot([x, x], ends, color=BLUE, linewidth=1.8, solid_capstyle="butt", zorder=2)
            for end in ends:
                on.axes.plot([x - 3.5, x + 3.5], [end, end], color=BLUE, linewidth=1.4, zorder=2)
        if point.n:
            inside = PAPER if point.n < FEW_PAIRS else BLUE
            on.axes.plot([x], [y], marker="o", markersize=7.5, color=BLUE, zorder=4, clip_on=False,
                         markeredgewidth=1.6, markerfacecolor=inside)  # fmt: skip
    _names(on, points, places)
    return on.figure


def _names(on: Canvas, points: Sequence[Point], places: Sequence[float]) -> None:
    """Write the names below that fit beside each other, the first among them."""
    taken = -math.inf
    for point, place in zip(points, places, strict=True):
        told = (short(point.label, ROOM, TICK), f"n {point.n}")
        half = max(width_of(each, TICK) for each in told) / 2
        x = min(max(place, half), WIDTH - 2 * EDGE - half)
        if x - half < taken:
            continue
        taken = x + half + 10
        for at, text in enumerate(told):
            y = BOTTOM + 16 + 13 * at
            on.text(EDGE + x, y, text, ha="center", fontsize=TICK, color=SOFT)
