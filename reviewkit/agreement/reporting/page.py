"""The report as a page that needs nothing else, and as what a notebook shows.

The page asks for no script, font, picture or style of anybody: it can be mailed, archived and
opened without a network, and its content security policy holds it to that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from reviewkit.agreement.measures.estimates import Estimate, Measured, Name
from reviewkit.agreement.reporting.blocks import Block, Heading, Plot, Points, Sentence
from reviewkit.agreement.reporting.inline_svg import inline
from reviewkit.agreement.reporting.markup import Body, plain, points, without_isolates, words
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.plots import Drawing, drawings_of
from reviewkit.agreement.reporting.printed import interval_cell, value_cell
from reviewkit.agreement.reporting.sections import blocks_of
from reviewkit.agreement.reporting.sufficiency import too_few
from reviewkit.agreement.reporting.wording import main_parts

_STYLE = Path(__file__).with_name("page.css")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_TILES: tuple[tuple[Name, ...], ...] = (
    ("observed",), ("kappa", "fleiss"), ("brennan_prediger",), ("pabak",), ("ac1",), ("alpha",),
)  # fmt: skip
"""The companions: no one of them is read without the others."""
_RULES = "/* rules */\n"
"""In the style, what is before it are fonts: those cannot be nested."""
_GUEST = ".rka-guest:not(#rka-none)"
"""No element has the id: it lends the weight of one."""
_CONTENTS_FROM = 4
"""With fewer sections a list of contents says nothing."""


def html_page(report: AgreementReport) -> str:
    """Return the report as one HTML document, the same text for the same report and matplotlib.

    It follows the reader's light or dark setting, prints in ink on white, and fits a telephone.
    """
    title = plain(report.title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="reviewkit {plain(report.version)}">\n'
        f"<title>{title}</title>\n<style>\n{_style()}</style>\n</head>\n"
        f'<body class="rka-page">\n<main class="rka-report">{_inside(report, contents=True)}'
        "</main>\n</body>\n</html>\n"
    )


def html_fragment(report: AgreementReport) -> str:
    """Return the report as a notebook shows it: one element with its own style, no contents.

    A notebook styles headings, lists and tables of what it shows, some by two classes: our rules
    are nested in a selector that outweighs any of them and leaves their own order as it is.
    """
    fonts, rules = _style().split(_RULES)
    style = f"{fonts}{_GUEST} {{\n{rules}}}\n"
    inside = _inside(report, contents=False)
    return (
        f'<div class="rka-guest"><style>\n{style}</style><div class="rka-report">{inside}</div>'
        "</div>\n"
    )


@cache
def _style() -> str:
    return _STYLE.read_text(encoding="utf-8")


def _inside(report: AgreementReport, *, contents: bool) -> str:
    blocks = blocks_of(report)
    prefix = f"r{hashlib.sha256(repr(blocks).encode()).hexdigest()[:8]}"
    held = {each.id: each for each in drawings_of(report)}
    drawn: set[str] = set()

    def picture(plot: Plot) -> str:
        drawing = held.get(plot.id)
        if drawing is None or plot.id in drawn:
            return ""
        drawn.add(plot.id)
        return _figure(drawing, plot, f"{prefix}-p{len(drawn)}")

    first = next((at for at, each in enumerate(blocks) if _section(each)), len(blocks))
    body = Body(prefix, picture)
    sections = body.sections(blocks[first:])
    listed = body.contents if contents and len(body.contents) >= _CONTENTS_FROM else []
    return f"{_head(report, blocks[:first], body)}{_contents(listed)}{sections}"


def _section(block: Block) -> bool:
    return isinstance(block, Heading) and block.level == 2


def _head(report: AgreementReport, blocks: Sequence[Block], body: Body) -> str:
    """Return what stands above the sections, the sentence first.

    In the blocks what was read comes before the sentence. On a page the sentence leads, the
    figures follow, and what was read stands below in smaller type: all of it is in one view.
    """
    notices = [each for each in blocks if isinstance(each, Points) and _notices(each)]
    lists = [each for each in blocks if isinstance(each, Points) and not _notices(each)]
    lead = [each for each in blocks if isinstance(each, Sentence)]
    understood = lists[:1] if report.understood else []
    remarks = [each for each in lists if each not in understood]
    rest = [each for each in blocks if not isinstance(each, Heading | Points | Sentence)]
    parts = [f"<h1>{words(_title(report, blocks))}</h1>"]
    parts += [points(each.items, "rka-notices") for each in notices]
    sentences = [f'<p class="rka-lead">{words(each.text)}</p>' for each in lead]
    mains = main_parts(report)
    # the figures belong to the first sentence, and stand right below it
    parts += sentences[:1]
    parts += [_tiles(mains[0].measured)] if len(mains) == 1 else []
    parts += sentences[1:]
    parts += [points(each.items, "rka-remarks") for each in remarks]
    if understood:
        read = "".join(points(each.items) for each in understood)
        parts.append(f'<div class="rka-read"><h2>What was read</h2>{read}</div>')
    return f'<header class="rka-head">{"".join(parts)}{body.flow(rest)}</header>'


def _title(report: AgreementReport, blocks: Sequence[Block]) -> str:
    return next((each.text for each in blocks if isinstance(each, Heading)), report.title)


def _notices(block: Points) -> bool:
    return all(item.startswith("Notice: ") for item in block.items)


def _contents(sections: Sequence[tuple[str, str]]) -> str:
    if not sections:
        return ""
    links = "".join(f'<a href="#{name}">{words(text)}</a>' for name, text in sections)
    return f'<nav class="rka-contents" aria-label="Sections">{links}</nav>'


def _tiles(measured: Measured) -> str:
    found = [each for names in _TILES if (each := measured.find(*names)) is not None]
    if not measured.paired or not found:
        return ""
    ends = [each.interval.low if each.interval else each.value for each in found]
    signed = any(end < 0 for end in ends if end is not None)
    few = bool(too_few(measured))
    tiles = "".join(_tile(each, signed=signed, few=few) for each in found)
    return f'<dl class="rka-tiles">{tiles}</dl>'


def _tile(estimate: Estimate, *, signed: bool, few: bool) -> str:
    """Return one companion: its value, its interval in words and as a bar.

    All bars run from 0 to 1, or from -1 with a notch at 0 when one of them goes below 0.
    """
    interval = estimate.interval
    said = f'<dd class="rka-value">{words(value_cell(estimate.name, estimate.value))}</dd>'
    if estimate.value is None:
        said = f'<dd class="rka-value rka-faint">undefined</dd><dd>{words(estimate.why)}</dd>'
    elif interval is not None:
        ends = interval_cell(estimate.name, interval)
        bar = _bar((interval.low, interval.high, estimate.value), signed=signed)
        said += f"<dd>{words(ends)}{bar}</dd>"
    mark = '<dd class="rka-few">insufficient</dd>' * few
    return f'<div class="rka-tile"><dt>{words(estimate.short)}</dt>{said}{mark}</div>'


def _bar(values: tuple[float, float, float], *, signed: bool) -> str:
    low, high, at = (
        f"{100 * min(1.0, max(0.0, (each + signed) / (1 + signed))):.1f}%" for each in values
    )
    style = f"--low:{low};--high:{high};--at:{at}"
    kind = "rka-bar rka-signed" if signed else "rka-bar"
    return f'<span class="{kind}" style="{style}" aria-hidden="true"></span>'


def _figure(drawing: Drawing, plot: Plot, prefix: str) -> str:
    from reviewkit.agreement.reporting.canvas import svg_of  # noqa: PLC0415  heavy

    svg = inline(svg_of(drawing.draw()), prefix, without_isolates(plot.alt))
    return (
        f'<figure class="rka-figure"><h3>{words(drawing.title)}</h3>{svg}'
        f"<figcaption>{words(plot.caption)}</figcaption></figure>"
    )
