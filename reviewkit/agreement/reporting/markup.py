"""Blocks of a report as HTML. All words are text: whatever stands in them is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from html import escape
from itertools import groupby

from reviewkit.agreement.reporting.blocks import (
    UNDEFINED,
    Block,
    Grid,
    Heading,
    Plot,
    Points,
    Sentence,
)

_UNIT = re.compile(r"(?<=\d) (?=%)")
_ISOLATED = re.compile("\u2068([^\u2068\u2069]*)\u2069")
_LONG = 60
"""A table with more rows scrolls in a box of its own on the screen."""
_WORDY = 24
"""A longer cell is words to read: where rows are stacked it has a line of its own."""
_TABLE = '<figure class="rka-table">'
_FAINT = {UNDEFINED, "none"}


def words(text: str) -> str:
    """Return ``text`` as markup; what was isolated by characters is isolated by elements."""
    return _ISOLATED.sub(r"<bdi>\1</bdi>", _UNIT.sub("\u00a0", escape(text)))


def without_isolates(text: str) -> str:
    """Return ``text`` without the characters that isolate, to be read out."""
    return re.sub("[\u2068\u2069]", "", text)


def plain(text: str) -> str:
    """Return ``text`` as markup that holds no element, for a title or an attribute."""
    return escape(without_isolates(text))


class Body:
    """Blocks as markup, with an id for each section so that a list of contents can lead there."""

    def __init__(
        self, prefix: str, picture: Callable[[Plot], str], *, stacked: bool = False
    ) -> None:
        """Lay out blocks; ``stacked``: on a telephone a table of words is a list of its rows."""
        self._prefix = prefix
        self._stacked = stacked
        self._picture = picture
        self._under = ""
        self._tables = 0
        self.contents: list[tuple[str, str]] = []
        """(id, heading) of each section."""

    def sections(self, blocks: Sequence[Block]) -> str:
        """Return blocks that begin with a heading of level 2, each such heading a section."""
        parts: list[str] = []
        for heading, inside in sections_of(blocks):
            name = f"{self._prefix}-s{len(self.contents) + 1}"
            self.contents.append((name, heading.text))
            self._under = heading.text
            parts.append(
                f'<section class="rka-section" aria-labelledby="{name}">'
                f'<h2 id="{name}">{words(heading.text)}</h2>{self.flow(inside)}</section>'
            )
        return "".join(parts)

    def flow(self, blocks: Iterable[Block]) -> str:
        """Return blocks one after the other; plots that follow each other stand side by side.

        A single plot stands beside the table that it draws, where there is room.
        """
        parts: list[str] = []
        for plots, together in groupby(blocks, key=lambda each: isinstance(each, Plot)):
            if not plots:
                parts += map(self._block, together)
                continue
            drawn = [self._picture(each) for each in together if isinstance(each, Plot)]
            drawn = [each for each in drawn if each]
            if len(drawn) == 1 and parts and parts[-1].startswith(_TABLE):
                parts[-1] = f'<div class="rka-beside">{parts[-1]}{drawn[0]}</div>'
            elif drawn:
                parts.append(f'<div class="rka-figures">{"".join(drawn)}</div>')
        return "".join(parts)

    def _block(self, block: Block) -> str:
        match block:
            case Heading(text, level):
                self._under = text
                rank = min(max(level, 2), 6)
                return f"<h{rank}>{words(text)}</h{rank}>"
            case Sentence(text):
                return f"<p>{words(text)}</p>"
            case Points(items):
                return points(items)
            case Grid():
                return self._grid(block)
            case Plot():
                return self._picture(block)

    def _grid(self, grid: Grid) -> str:
        self._tables += 1
        name = f"{self._prefix}-t{self._tables}"
        caption = f'<figcaption id="{name}">{words(grid.caption)}</figcaption>' * bool(grid.caption)
        called = f'aria-labelledby="{name}"' if caption else f'aria-label="{plain(self._under)}"'
        head = "".join(
            # a corner names nothing, and a heading without words would be read out as one
            f'<th scope="col"{_kind(grid, at)}>{words(text)}</th>' if text else "<td></td>"
            for at, text in enumerate(grid.header)
        )
        wordy = _wordy(grid) if self._stacked else frozenset[int]()
        rows = "".join(f"<tr>{_cells(grid, row, wordy)}</tr>" for row in grid.rows)
        long = " rka-long" * (len(grid.rows) > _LONG) + " rka-stacked" * bool(wordy)
        return (
            f"{_TABLE}{caption}"
            f'<div class="rka-scroll{long}" role="group" tabindex="0" {called}>'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></figure>"
        )


def points(items: Iterable[str], kind: str = "rka-points") -> str:
    """Return sentences as a list."""
    return f'<ul class="{kind}">{"".join(f"<li>{words(each)}</li>" for each in items)}</ul>'


def sections_of(blocks: Sequence[Block]) -> Iterator[tuple[Heading, list[Block]]]:
    """Yield each heading of level 2 with what stands under it."""
    heading: Heading | None = None
    inside: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level <= 2:
            if heading is not None:
                yield heading, inside
            heading, inside = block, []
        else:
            inside.append(block)
    if heading is not None:
        yield heading, inside


def _kind(grid: Grid, at: int) -> str:
    return "" if at in grid.left else ' class="rka-number"'


def _wordy(grid: Grid) -> frozenset[int]:
    """Return the columns, after the first, that hold words to read."""
    return frozenset(
        at
        for at in sorted(grid.left - {0})
        if any(len(without_isolates(row[at])) > _WORDY for row in grid.rows if at < len(row))
    )


def _cells(grid: Grid, row: Sequence[str], wordy: Set[int]) -> str:
    """Return the cells of a row; where rows are stacked, each says what it is of."""
    parts: list[str] = []
    for at, text in enumerate(row):
        called = f' data-of="{plain(grid.header[at])}"' if wordy else ""
        if at == 0 and 0 in grid.left:
            parts.append(f'<th scope="row">{words(text)}</th>')
        elif at in grid.left:
            # a note of several words reads from its own side
            kind = ' class="rka-words"' if at in wordy else ""
            parts.append(f'<td dir="auto"{kind}{called}>{words(text)}</td>')
        else:
            faint = " rka-faint" * (text in _FAINT)
            parts.append(f'<td class="rka-number{faint}"{called}>{words(text)}</td>')
    return "".join(parts)
