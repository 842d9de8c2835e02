"""Reports as blocks of words, and the blocks as terminal text or Markdown.

Names, categories and ids may be in any script. Each right-to-left run is isolated and padded by
display width, so no column depends on the direction of what stands in it. A sentence keeps its own
direction, left to right, whatever it begins with.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from urllib.parse import quote

from reviewkit.agreement.passes.report import LeftOut

WIDTH = 88
GRID_WIDTH = 100
"""A table that is wider is folded: words wrap in their cells, then columns go on below it."""
NARROWEST = 16
"""A column of words is made no narrower than this for the sake of a single line."""
IDS_SHOWN = 6
_RULES = {1: "=", 2: "-"}
UNDEFINED = "undefined"
_ISOLATE, _END = "\u2068", "\u2069"
_ISOLATED = re.compile(f"{_ISOLATE}[^{_ISOLATE}{_END}]*{_END}")
_LEFT_TO_RIGHT = "\u200e"
_DIRECTION_MARKS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067"
_BREAK = f"\\x00-\\x1f\\x7f-\\x9f\u2028\u2029{_DIRECTION_MARKS}"
_BREAKS = re.compile(f"[{_BREAK}][ {_BREAK}]*")
_TIE = "\u00a0"
_BEGINS = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=([-+=])(?:\s|\2|$)))")
"""What would be a list, a rule or the line below a heading."""
_BEFORE_PERCENT = re.compile(r"(?<=\d) (?=%)")
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
    caption: str = ""
    """What the figures in it rest on, in sentences."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of figures that stand in a table as well; left out where there is none."""

    id: str
    """What to draw: ``KIND:PART``, ``confusion:whole``."""
    caption: str
    alt: str
    """What it shows, for whoever does not see it."""
    title: str = ""


Block = Heading | Sentence | Points | Grid | Plot


def shown(text: str) -> str:
    """Return a name, label, id or note on one line with its right-to-left parts isolated.

    One that begins right to left is isolated whole, so that its own order stays; in any other each
    right-to-left run is. A text that was shown already stays as it is. Sentences are for ``prose``.
    """
    line = _one_line(text.replace(_ISOLATE, "").replace(_END, ""))
    strong = (kind for char in line if (kind := unicodedata.bidirectional(char)) in _STRONG)
    if next(strong, "L") != "L":
        return f"{_ISOLATE}{line}{_END}"
    return _runs_isolated(line)


def prose(text: str) -> str:
    """Return a sentence on one line, each right-to-left run in it isolated and never the whole.

    Names that were shown already stay as they are. So a sentence that begins with an Arabic name
    still reads from left to right.
    """
    line = _one_line(text)
    told: list[str] = []
    last = 0
    for held in _ISOLATED.finditer(line):
        told += [_runs_isolated(line[last : held.start()]), held[0]]
        last = held.end()
    return "".join((*told, _runs_isolated(line[last:])))


def _one_line(text: str) -> str:
    return " ".join(_BREAKS.sub(" ", text).split())


def _runs_isolated(text: str) -> str:
    plain = text.replace(_ISOLATE, "").replace(_END, "")
    return _RIGHT_TO_LEFT.sub(lambda run: f"{_ISOLATE}{run[0]}{_END}", plain)


def _kept_to_one_line(text: str) -> str:
    """Return a text whose words nobody has laid out: what would end its line is a space."""
    return _BREAKS.sub(" ", text).strip(" ")


def display_width(text: str) -> int:
    """Return how many terminal columns ``text`` takes."""
    if text.isascii():
        return len(text)
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
    return f"{len(group.units)}: {prose(group.reason)} ({ids}{f' and {more} more' * (more > 0)})"


def blocks_as_text(blocks: Iterable[Block]) -> str:
    """Return the blocks for a terminal, with columns in line."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text, level):
                title = _kept_to_one_line(text)
                parts.append(f"{title}\n{_RULES.get(level, '~') * display_width(title)}")
            case Sentence(text):
                parts.append(_wrapped(text))
            case Points(items):
                parts.append("\n".join(_wrapped(item, "- ") for item in items))
            case Grid():
                parts += [_wrapped(block.caption)] * bool(block.caption)
                parts.append(_text_grid(block))
            case Plot():
                continue
    return "\n\n".join(parts) + "\n"


def blocks_as_markdown(
    blocks: Iterable[Block], plots: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return the blocks as Markdown with GitHub tables.

    ``plots`` gives the file of each plot by its id; a plot without a file is left out.
    """
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{'#' * level} {_escaped(text)}")
            case Sentence(text):
                parts.append(markdown_line(text))
            case Points(items):
                parts.append("\n".join(f"- {markdown_line(item)}" for item in items))
            case Grid(header, rows, left, caption):
                parts += [markdown_line(caption)] * bool(caption)
                rule = (":---" if i in left else "---:" for i in range(len(header)))
                lines = [_markdown_row(header), f"| {' | '.join(rule)} |"]
                parts.append("\n".join(lines + [_markdown_row(row) for row in rows]))
            case Plot(plot_id, caption, alt, title):
                if plot_id in plots:
                    address = quote(plots[plot_id], safe="/._-~")
                    told = f"{title}. {caption}" if title else caption
                    parts += [f"![{_escaped(alt)}]({address})", markdown_line(told)]
    return "\n\n".join(parts) + "\n"


def markdown_line(text: str) -> str:
    """Return a text as one line of Markdown: it begins no list and no rule, and nothing acts."""
    # a digit cannot be escaped, the sign after it can
    return _BEGINS.sub(r"\1\\", _escaped(_led(text)))


def _led(text: str) -> str:
    """Return a sentence whose first strong character is of its own direction.

    Who guesses a paragraph's direction from its first letter may look into an isolate, and would
    turn a sentence around that begins with an Arabic name.
    """
    return f"{_LEFT_TO_RIGHT}{text}" if text.startswith(_ISOLATE) else text


def _wrapped(text: str, bullet: str = "") -> str:
    filled = textwrap.fill(
        _BEFORE_PERCENT.sub(_TIE, _led(_kept_to_one_line(text))),
        WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return _closed(filled.replace(f"{_TIE}%", " %"))


def _closed(text: str) -> str:
    """Return lines in which no isolate is left open: one that goes on is opened again."""
    told: list[str] = []
    inside = False
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        opened = f"{line[:indent]}{_ISOLATE * inside}{line[indent:]}"
        inside = opened.count(_ISOLATE) > opened.count(_END)
        told.append(opened + _END * inside)
    return "\n".join(told)


def _text_grid(grid: Grid) -> str:
    rows = (tuple(map(_kept_to_one_line, row)) for row in (grid.header, *grid.rows))
    header, *lines = rows
    grid = Grid(header, tuple(lines), grid.left)
    widths = _natural_widths(grid)
    if _together(widths) > GRID_WIDTH:
        widths = _narrowed(grid, widths)
    panels = _panels(grid, widths)
    return "\n\n".join(_panel_text(grid, widths, panel) for panel in panels)


def _natural_widths(grid: Grid) -> list[int]:
    lines = (grid.header, *grid.rows)
    return [max(display_width(line[i]) for line in lines) for i in range(len(grid.header))]


def _together(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


def _narrowed(grid: Grid, widths: Sequence[int]) -> list[int]:
    """Return widths with the widest columns made narrower; no word and no figure is broken."""
    least: list[int] = []
    for i, title in enumerate(grid.header):
        cells = [row[i] for row in grid.rows]
        held = [word for cell in cells for word in cell.split(" ")] if i in grid.left else cells
        words = (*title.split(" "), *held)
        least.append(max(map(display_width, words), default=0))
        if i in grid.left:
            least[i] = max(least[i], min(NARROWEST, widths[i]))
    narrow = list(widths)
    while _together(narrow) > GRID_WIDTH:
        spare = [i for i, low in enumerate(least) if narrow[i] > low]
        spare = [i for i in spare if i not in grid.left] or spare  # titles first, then words
        if not spare:
            return narrow
        narrow[max(spare, key=narrow.__getitem__)] -= 1
    return narrow


def _panels(grid: Grid, widths: Sequence[int]) -> list[list[int]]:
    """Return which columns stand side by side; each panel begins with the words of the row."""
    every = list(range(len(widths)))
    first = next((i for i in every if i not in grid.left), len(every))
    if _together(widths) <= GRID_WIDTH or first == len(every):
        return [every]
    kept = every[:first] or [0]
    if _together([widths[i] for i in kept]) > GRID_WIDTH // 2:
        kept = [0]
    rest = every[len(kept) :]
    panels: list[list[int]] = []
    while rest:
        panel = [*kept, rest.pop(0)]
        while rest and _together([widths[i] for i in (*panel, rest[0])]) <= GRID_WIDTH:
            panel.append(rest.pop(0))
        panels.append(panel)
    return panels


def _panel_text(grid: Grid, widths: Sequence[int], panel: Sequence[int]) -> str:
    told: list[str] = []
    for number, line in enumerate((grid.header, *grid.rows)):
        cells = [_cell_lines(line[i], widths[i]) for i in panel]
        deep = max(map(len, cells))
        if number == 0:  # a title stands right above its figures
            cells = [[""] * (deep - len(cell)) + cell for cell in cells]
        for at in range(deep):
            padded = (
                _padded(cell[at] if at < len(cell) else "", widths[i], left=i in grid.left)
                for i, cell in zip(panel, cells, strict=True)
            )
            told.append("  ".join(padded).rstrip())
    return "\n".join(told)


def _cell_lines(cell: str, width: int) -> list[str]:
    if display_width(cell) <= width:
        return [cell]
    lines = [""]
    for word in cell.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if display_width(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return _closed("\n".join(lines)).split("\n")


def _padded(cell: str, width: int, *, left: bool) -> str:
    space = " " * (width - display_width(cell))
    return cell + space if left else space + cell


def _escaped(text: str) -> str:
    """Return text on one line in which nothing acts: no mark, formula, mention or address."""
    text = _kept_to_one_line(text)
    text = re.sub(r"([\\`*\[\]<>|#&$@]|~(?=~)|(?<=~)~)", r"\\\1", text)
    text = re.sub(r"(?i)\b(https?|ftp|mailto|xmpp)(?=:)|\bwww(?=\.)", r"\g<0>\\", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"
