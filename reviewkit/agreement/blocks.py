"""Reports as blocks of words, and the blocks as terminal text or Markdown.

Names, categories and ids may be in any script. Each right-to-left run is isolated and padded by
display width, so no column depends on the direction of what stands in it.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from reviewkit.agreement.report import LeftOut

WIDTH = 88
IDS_SHOWN = 6
UNDEFINED = "undefined"
_ISOLATE, _END = "\u2068", "\u2069"
_DIRECTION_MARKS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_STRONG = {"L", "R", "AL"}
_LETTER = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200c\u200d]"
_RIGHT_TO_LEFT = re.compile(f"{_LETTER}+(?: +{_LETTER}+)*")


@dataclass(frozen=True, slots=True)
class Heading:
    """A title; level 1 is the report's."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Sentence:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns; the columns named in ``left`` hold words, the others figures."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[int] = field(default=frozenset({0}))


Block = Heading | Sentence | Points | Grid


def shown(text: str) -> str:
    """Return ``text`` on one line with its right-to-left parts isolated.

    A text that begins right to left is isolated whole, so that its own order stays; in any other
    each right-to-left run is, so that the sentence around it keeps its order.
    """
    line = " ".join("".join(" " if _breaks(char) else char for char in text).split())
    strong = (kind for char in line if (kind := unicodedata.bidirectional(char)) in _STRONG)
    if next(strong, "L") != "L":
        return f"{_ISOLATE}{line}{_END}"
    return _RIGHT_TO_LEFT.sub(lambda run: f"{_ISOLATE}{run[0]}{_END}", line)


def _breaks(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Zl", "Zp"} or char in _DIRECTION_MARKS


def display_width(text: str) -> int:
    """Return how many terminal columns ``text`` takes."""
    return sum(
        0
        if unicodedata.category(char) in {"Mn", "Me", "Cf"}
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )


def share(part: int, whole: int) -> str:
    """Return a count as people print it: ``60/79 (75.9 %)``; without a share of nothing."""
    if not whole:
        return f"{part}/{whole}"
    percent = (Decimal(100 * part) / whole).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{part}/{whole} ({percent} %)"


def three_decimals(value: float) -> str:
    """Return a coefficient with three decimals, ties away from zero, never ``-0.000``."""
    return f"{Decimal(repr(value)).quantize(Decimal('0.001'), ROUND_HALF_UP):z.3f}"


def left_out_line(group: LeftOut) -> str:
    """Return why some cards were left out, how many, and the first of them."""
    ids = ", ".join(shown(unit) for unit in group.units[:IDS_SHOWN])
    more = len(group.units) - IDS_SHOWN
    return f"{len(group.units)}: {shown(group.reason)} ({ids}{f' and {more} more' * (more > 0)})"


def blocks_as_text(blocks: Iterable[Block]) -> str:
    """Return the blocks for a terminal, with columns in line."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{text}\n{('=' if level == 1 else '-') * display_width(text)}")
            case Sentence(text):
                parts.append(_wrapped(text))
            case Points(items):
                parts.append("\n".join(_wrapped(item, "- ") for item in items))
            case Grid():
                parts.append(_text_grid(block))
    return "\n\n".join(parts) + "\n"


def blocks_as_markdown(blocks: Iterable[Block]) -> str:
    """Return the blocks as Markdown with GitHub tables."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{'#' * level} {_escaped(text)}")
            case Sentence(text):
                parts.append(_plain(text))
            case Points(items):
                parts.append("\n".join(f"- {_escaped(item)}" for item in items))
            case Grid(header, rows, left):
                rule = (":---" if i in left else "---:" for i in range(len(header)))
                lines = [_markdown_row(header), f"| {' | '.join(rule)} |"]
                parts.append("\n".join(lines + [_markdown_row(row) for row in rows]))
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Return a paragraph that does not begin as a list or a number would."""
    return re.sub(r"^([-+]|\d+[.)])(?=\s)", r"\\\1", _escaped(text))


def _wrapped(text: str, bullet: str = "") -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _text_grid(grid: Grid) -> str:
    lines = (grid.header, *grid.rows)
    widths = [max(display_width(line[i]) for line in lines) for i in range(len(grid.header))]
    return "\n".join(
        "  ".join(
            _padded(cell, widths[i], left=i in grid.left) for i, cell in enumerate(line)
        ).rstrip()
        for line in lines
    )


def _padded(cell: str, width: int, *, left: bool) -> str:
    space = " " * (width - display_width(cell))
    return cell + space if left else space + cell


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*\[\]<>|#&])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"
