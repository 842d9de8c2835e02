"""What every plot stands on: one size, one set of colours, text that stays text, and SVG of it.

A plot is drawn in pixels, 72 to the inch, at the width of a telephone, with labels above their
rows. So it stays readable on a narrow screen, in one column of a paper, and with labels of any
length or script. Colours are those of Okabe and Ito, and nothing is told by colour alone.
"""

from __future__ import annotations

import io
import math
import unicodedata
import warnings
from bisect import bisect_left
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.textpath import text_to_path

from reviewkit.agreement.reporting.colours import INK, LINE, PAPER, SOFT, STRONG

WIDTH = 420.0
EDGE = 10.0
LABEL, VALUE, TICK = 12.5, 11.5, 11.0

_FALLBACKS = (
    "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Bengali",
    "Noto Sans Ethiopic", "Noto Sans CJK SC", "Noto Sans CJK JP", "Arial Unicode MS",
)  # fmt: skip
LONGEST = 400
"""So many characters fill any room; of a longer text the rest is not looked at."""
_UNDRAWABLE = {"Cc", "Cs", "Zl", "Zp"}


@contextmanager
def style() -> Generator[None, None, None]:
    """Settings under which plots are drawn and saved, whatever the reader's own settings are.

    DejaVu Sans comes with matplotlib and has Latin, Greek, Cyrillic, Hebrew and Arabic letters;
    installed fonts of other scripts are asked where it has none.
    """
    installed = set(font_manager.get_font_names())
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams |= {
            "font.family": ["DejaVu Sans", *(each for each in _FALLBACKS if each in installed)],
            "text.parse_math": False,  # a label may hold dollar signs
            "svg.fonttype": "none",  # text stays text, so a browser shapes it
            "svg.hashsalt": "reviewkit",  # the same plot gives the same file
            "pdf.fonttype": 42,
            "hatch.linewidth": 0.9,
        }
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure whose single pair of axes counts pixels downwards and some quantity across."""

    figure: Figure
    axes: Axes
    width: float

    def across(self, value: float) -> float:
        """Return where a value of the quantity stands, as a share of the width."""
        low, high = self.axes.get_xlim()
        return (value - low) / (high - low)

    def text(self, x: float, y: float, text: str, **more: Any) -> None:
        """Write ``text`` ``x`` pixels from the left and ``y`` from the top; both its baseline."""
        style_of: dict[str, Any] = {"fontsize": LABEL, "color": INK, "va": "baseline"} | more
        self.axes.text(
            (x - EDGE) / (self.width - 2 * EDGE), y, one_line(text),
            transform=self.axes.get_yaxis_transform(), clip_on=False, **style_of,
        )  # fmt: skip

    def right(self, y: float, text: str, **more: Any) -> None:
        """Write ``text`` against the right edge."""
        self.text(self.width - EDGE, y, text, ha="right", **({"fontsize": VALUE} | more))


def canvas(height: float, low: float = 0.0, high: float = 1.0, width: float = WIDTH) -> Canvas:
    """Return an empty canvas of so many pixels, its quantity running from ``low`` to ``high``."""
    figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor=PAPER)
    axes = figure.add_axes((EDGE / width, 0.0, 1 - 2 * EDGE / width, 1.0))
    axes.set_xlim(low, high)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    return Canvas(figure, axes, width)


def scale(
    on: Canvas, ticks: Sequence[float], top: float, bottom: float, say: Callable[[float], str]
) -> None:
    """Draw a line at each tick from ``top`` to ``bottom`` and name it below."""
    low, high = on.axes.get_xlim()
    for tick in ticks:
        firm = tick == 0 and low < 0
        on.axes.plot(
            [tick, tick], [top, bottom], color=STRONG if firm else LINE,
            linewidth=1.1 if firm else 0.8, zorder=0, clip_on=False,
        )  # fmt: skip
        side = "left" if tick == low else "right" if tick == high else "center"
        x = EDGE + on.across(tick) * (on.width - 2 * EDGE)
        on.text(x, bottom + 14, say(tick), ha=side, fontsize=TICK, color=SOFT)


def one_line(text: str) -> str:
    """Return ``text`` on one line, without what no font and no XML can carry."""
    kept = (" " if unicodedata.category(each) in _UNDRAWABLE else each for each in text)
    return " ".join("".join(kept).replace("\ufffe", "").replace("\uffff", "").split())


@cache
def width_of(text: str, size: float) -> float:
    """Return how wide ``text`` is in pixels, in a font wider than most that a browser has.

    One of more than ``LONGEST`` characters is wider than any room, and is not measured.
    """
    if len(text) > LONGEST:
        return math.inf
    font = font_manager.FontProperties(family="DejaVu Sans", size=size)
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawn, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return drawn + 0.4 * size * wide


def short(text: str, room: float, size: float = LABEL) -> str:
    """Return ``text`` on one line of at most ``room`` pixels, cut at a word if it can be."""
    return lines_of(text, room, 1, size)[0]


def lines_of(text: str, room: float, most: int, size: float = LABEL) -> list[str]:
    """Return ``text`` in at most ``most`` lines of ``room`` pixels; an ellipsis where it is cut."""
    lines = [""]
    left = one_line(text).split()
    while left:
        longer = f"{lines[-1]} {left[0]}".strip()
        if width_of(longer, size) <= room:
            lines[-1] = longer
            left.pop(0)
        elif lines[-1] and len(lines) < most:
            lines.append("")
        else:
            lines[-1] = _cut(lines[-1] or left[0], room, size)
            break
    return lines


def _cut(text: str, room: float, size: float) -> str:
    """Return ``text`` with an ellipsis, without the words or letters that leave no room for it."""
    held = text[:LONGEST]
    words = [at for at, each in enumerate(held) if each == " "]
    # the ellipsis follows a letter, and none of the marks above it
    letters = [at for at in range(1, len(held)) if not unicodedata.combining(held[at - 1])]
    for ends in ([*words, len(held)], [*letters, len(held)]):
        # bisected: a text without a space may have thousands of letters
        fitting = bisect_left(ends, 1, key=lambda end: width_of(f"{held[:end]}…", size) > room)
        if fitting:
            return f"{held[: ends[fitting - 1]]}…"
    return f"{held[: letters[0] if letters else 1]}…"


def svg_of(figure: Figure) -> str:
    """Return the figure as a whole SVG document, the same text for the same figure.

    Labels stay text: whoever shows it shapes Arabic by its own font.
    """
    held = io.StringIO()
    with style():
        figure.savefig(held, format="svg", metadata={"Date": None, "Creator": None})
    return held.getvalue()


def save(figure: Figure, path: Path, kind: Literal["svg", "pdf", "png"]) -> None:
    """Write the figure to ``path``, the same bytes for the same figure.

    In PDF and PNG matplotlib sets the text itself; from 3.11 on it joins and orders Arabic.
    """
    if kind == "svg":
        path.write_text(svg_of(figure), encoding="utf-8", newline="\n")
        return
    empty = {"pdf": {"CreationDate": None, "Creator": None, "Producer": None}}
    with style():
        figure.savefig(path, format=kind, dpi=216, metadata=empty.get(kind, {"Software": None}))
