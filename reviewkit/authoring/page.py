"""The worklist, or one group of it, as a page that needs nothing else and as a notebook shows it.

The page asks for no script, font, picture or style of anybody, and its content security policy
holds it to that. Item texts, notes and names are text: whatever stands in them is escaped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path

from reviewkit import __version__
from reviewkit.agreement import reporting
from reviewkit.agreement.reporting.blocks import Block, Grid, Heading, Plot, Points, Sentence
from reviewkit.agreement.reporting.markup import Body, plain, points, words
from reviewkit.authoring.history import Event
from reviewkit.authoring.layout import STATE_WORDS, blocks_of
from reviewkit.authoring.one_group import OneGroup, changed_sentence, closing, opening
from reviewkit.authoring.pictures import bars_of, draw_bars
from reviewkit.authoring.worklist import Worklist
from reviewkit.cards.card import Segment
from reviewkit.cards.changes import Change
from reviewkit.cards.marking import Segments

_STYLES = (Path(reporting.__file__).with_name("page.css"), Path(__file__).with_name("page.css"))
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_RULES = "/* rules */\n"
"""In the style of reports, what is before it are fonts: those cannot be nested."""
_GUEST = ".rka-guest:not(#rka-none)"
"""No element has the id: it lends the weight of one."""
_WHOLE = re.compile("^\u2068([^\u2068\u2069]*)\u2069$")
_GAP = '<mark class="rkw-gap" title="the other side has more here">\u2026</mark>'
_TITLES = {
    "states": "Groups by state", "families": "Failed checks by family",
    "batches": "What became of each batch",
}  # fmt: skip


def html_page(work: Worklist) -> str:
    """Return the worklist as one HTML document.

    It follows the reader's light or dark setting, prints in ink on white, and fits a telephone.
    """
    return _page("Worklist", _list(work, contents=True))


def html_fragment(work: Worklist) -> str:
    """Return the worklist as a notebook shows it: one element with its own style."""
    return _fragment(_list(work, contents=False))


def group_page(one: OneGroup) -> str:
    """Return one group as one HTML document."""
    return _page(one.line.template_id, _group(one))


def group_fragment(one: OneGroup) -> str:
    """Return one group as a notebook shows it."""
    return _fragment(_group(one))


def _page(title: str, inside: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="reviewkit {plain(__version__)}">\n'
        f"<title>{plain(title)}</title>\n<style>\n{_style()}</style>\n</head>\n"
        f'<body class="rka-page">\n<main class="rka-report">{inside}</main>\n</body>\n</html>\n'
    )


def _fragment(inside: str) -> str:
    # a notebook styles headings, lists and tables of what it shows, some by two classes
    fonts, rules = _style().split(_RULES)
    style = f"{fonts}{_GUEST} {{\n{rules}}}\n"
    return (
        f'<div class="rka-guest"><style>\n{style}</style><div class="rka-report">{inside}</div>'
        "</div>\n"
    )


@cache
def _style() -> str:
    return "".join(path.read_text(encoding="utf-8") for path in _STYLES)


def _list(work: Worklist, *, contents: bool) -> str:
    def picture(plot: Plot) -> str:
        return draw_bars(_TITLES[plot.id], plot.caption, bars_of(work, plot.id))

    blocks = [_own_side(each) for each in blocks_of(work)]
    body = Body(_prefix(blocks), picture, stacked=True)
    first = next((at for at, each in enumerate(blocks) if _is_section(each)), len(blocks))
    sections = body.sections(blocks[first:])
    listed = _contents(body.contents) if contents and body.contents else ""
    return f"{_head(blocks[:first])}{listed}{sections}"


def _group(one: OneGroup) -> str:
    blocks = [*opening(one)]
    last = [*closing(one)]
    body = Body(_prefix([*blocks, *last]), _no_picture, stacked=True)
    first = next((at for at, each in enumerate(blocks) if _is_section(each)), len(blocks))
    checks = body.sections(blocks[first:])
    changed = "" if one.retirement is not None else _changes(one)
    return f"{_head(blocks[:first])}{checks}{_history(one)}{changed}{body.sections(last)}"


def _history(one: OneGroup) -> str:
    """Return what was said as a list: a note is read whole, on a telephone too."""
    if not one.events:
        return ""
    said = "".join(map(_event, one.events))
    return (
        f'<section class="rka-section"><h2>What was said</h2><ul class="rkw-said-list">{said}</ul>'
        "</section>"
    )


def _event(event: Event) -> str:
    time = escape(event.time[:16].replace("T", " "))
    failed = "".join(
        f'<span class="rkw-check">{escape(each.check)}'
        f"{f' · {escape(each.family)}' if each.family else ''}</span>"
        for each in event.failed
    )
    note = f'<p class="rkw-note" dir="auto">{escape(event.note)}</p>' if event.note else ""
    return (
        f"<li><p><b>{escape(STATE_WORDS[event.state])}</b> {time}, by {escape(event.by)}"
        f"{failed}</p>{note}</li>"
    )


def _own_side(block: Block) -> Block:
    """Return a table whose cells of one right-to-left text are not isolated.

    The cell itself takes its side from the text; it would look into no isolate.
    """
    if not isinstance(block, Grid):
        return block
    rows = tuple(tuple(_WHOLE.sub(r"\1", cell) for cell in row) for row in block.rows)
    return replace(block, rows=rows)


def _no_picture(plot: Plot) -> str:
    del plot
    return ""


def _prefix(blocks: Sequence[Block]) -> str:
    """Return what ids begin with, so that two lists in one notebook share none."""
    return f"w{hashlib.sha256(repr(blocks).encode()).hexdigest()[:8]}"


def _is_section(block: Block) -> bool:
    return isinstance(block, Heading) and block.level == 2


def _head(blocks: Iterable[Block]) -> str:
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text):
                parts.append(f"<h1>{words(text)}</h1>")
            case Sentence(text):
                parts.append(f'<p class="rka-lead">{words(text)}</p>')
            case Points(items):
                parts.append(points(items, "rka-notices"))
            case _:
                raise AssertionError(f"{block} has no place above the sections")
    return f'<header class="rka-head">{"".join(parts)}</header>'


def _contents(sections: Sequence[tuple[str, str]]) -> str:
    links = "".join(f'<a href="#{name}">{words(text)}</a>' for name, text in sections)
    return f'<nav class="rka-contents" aria-label="Sections">{links}</nav>'


def _changes(one: OneGroup) -> str:
    sentence = changed_sentence(one)
    if not sentence:
        return ""
    changes = one.changes or ()
    listed = "".join(map(_change, changes))
    return (
        '<section class="rka-section"><h2>What changed since</h2>'
        f"<p>{words(sentence)}</p>{_legend(changes)}{listed}</section>"
    )


def _legend(changes: Iterable[Change]) -> str:
    """Return what the marks of these differences mean: those that stand there, and no other."""
    segments = [part for each in changes for part in (*each.before, *each.after)]
    marked = [each for each in segments if each.mark != "same"]
    told: list[str] = []
    if any(each.text and each.mark != "slot" for each in marked):
        told.append("<mark>word</mark> differs")
    if any(each.text and each.mark == "slot" for each in marked):
        told.append('<mark class="rkw-slot">word</mark> differs where the declared value stands')
    if not all(each.text for each in marked):
        told.append(f"{_GAP} the other side has more here")
    if any(_signs(each) for each in segments):
        told.append('<span class="rkw-sign">NAME</span> a character that nobody sees')
    said = "".join(f"<li>{each}</li>" for each in told)
    return f'<ul class="rkw-marks rkw-text" aria-label="Marks">{said}</ul>' if told else ""


def _change(change: Change) -> str:
    where = f"<bdi>{escape(change.where)}</bdi> · " if change.where else ""
    return (
        f'<div class="rkw-change"><h3>{where}{escape(change.field)}</h3>'
        f"{_side('Before', change.before)}{_side('After', change.after)}</div>"
    )


def _side(title: str, segments: Segments) -> str:
    text = "".join(_segment(each) for each in segments)
    inside = text or '<span class="rkw-nothing" dir="ltr">nothing</span>'
    return (
        f'<div class="rkw-side"><h4>{title}</h4><p class="rkw-text" dir="auto">{inside}</p></div>'
    )


def _segment(segment: Segment) -> str:
    """Return a run of text; what differs is marked, and what is not seen is named."""
    signs = "".join(f'<span class="rkw-sign">{escape(name)}</span>' for name in _signs(segment))
    text = escape(segment.text)
    if segment.mark == "same":
        return f"{text}{signs}"
    if not segment.text:
        return _GAP
    kind = ' class="rkw-slot"' if segment.mark == "slot" else ""
    title = escape(segment.note.replace("_", " "))
    return f'<mark{kind} title="{title}">{text}</mark>{signs}'


def _signs(segment: Segment) -> tuple[str, ...]:
    named = (segment.note,) if segment.mark == "hidden" and not segment.hidden else ()
    return (*named, *segment.hidden)
