"""A page of the guide as one HTML document that asks nobody for anything, made to be printed.

Every page of paper carries the title, the edition and its digest in the margin. All words are
escaped, and each text has a direction of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from html import escape
from pathlib import Path

from reviewkit import __version__
from reviewkit.rulings.guides.outline import Detail, Entry, Note, Page
from reviewkit.rulings.guides.words import Said, Words, direction_of

_STYLE = Path(__file__).with_name("page.css")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_DIGEST_SHOWN = 16
_FSI, _PDI = "\u2068", "\u2069"


def html_of(page: Page, words: Words) -> str:
    """Return the page as a document; the same text for the same page and reviewkit."""
    title = f"{page.title}, {page.edition}"
    body = "".join((_head(page), _contents(page, words), *_sections(page, words)))
    return (
        f'<!doctype html>\n<html lang="{words.language}" dir="{direction_of(words.language)}">\n'
        '<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="reviewkit {escape(__version__)}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_style()}{_margins(page, words)}</style>\n"
        f'</head>\n<body>\n<main class="guide">{body}</main>\n</body>\n</html>\n'
    )


@cache
def _style() -> str:
    return _STYLE.read_text(encoding="utf-8")


def _margins(page: Page, words: Words) -> str:
    """Return what stands at the head and the foot of every page of paper."""
    digest = f"{_FSI}sha256 {page.digest[:_DIGEST_SHOWN]}{_PDI}"
    start, end = ("right", "left") if direction_of(words.language) == "rtl" else ("left", "right")
    number = f'{_quoted(words.say("page") + " ")} counter(page) " / " counter(pages)'
    return (
        f"@page {{ @top-{start} {{ content: {_quoted(page.title)} }}"
        f" @top-{end} {{ content: {_quoted(f'{page.edition} · {digest}')} }}"
        f" @bottom-{end} {{ content: {number} }} }}\n"
    )


def _quoted(text: str) -> str:
    """Return a CSS string; no text ends it, or the style that it stands in."""
    return (
        '"' + "".join(f"\\{ord(char):x} " if char in '"\\\n\r\f<>' else char for char in text) + '"'
    )


def _head(page: Page) -> str:
    facts = "".join(f"<div><dt>{escape(each.label)}</dt><dd>{_value(each)}</dd></div>"
                    for each in page.facts)  # fmt: skip
    remarks = "".join(_paragraph(each, "remark") for each in page.remarks)
    return (
        f'<header><p class="edition">{escape(page.edition)}</p><h1>{escape(page.title)}</h1>'
        f'{remarks}<dl class="facts">{facts}</dl></header>'
    )


def _contents(page: Page, words: Words) -> str:
    links = "".join(
        f'<li><a href="#{each.anchor}"{_language(each.title)}>{escape(each.title.text)}</a></li>'
        for each in page.sections
    )
    return f'<nav aria-label="{escape(words.say("contents"))}"><ul>{links}</ul></nav>'


def _sections(page: Page, words: Words) -> Iterator[str]:
    here = {entry.name for each in page.sections for entry in each.entries}
    here |= {note.number for each in page.sections for note in each.notes}
    here |= {
        note.number for each in page.sections for entry in each.entries for note in entry.notes
    }
    for each in page.sections:
        lead = _lead(each.lead, here)
        entries = "".join(_entry(entry, words) for entry in each.entries)
        notes = "".join(_note(note, "h3") for note in each.notes)
        yield (
            f'<section aria-labelledby="{each.anchor}"><h2 id="{each.anchor}"'
            f"{_language(each.title)}>{escape(each.title.text)}</h2>{lead}{entries}{notes}</section>"
        )


def _lead(lead: Sequence[Detail], here: Set[str]) -> str:
    if all(not each.label for each in lead):
        return "".join(_paragraph(each.said, "lead") for each in lead if each.said)
    if any(each.names for each in lead):
        return f'<dl class="details">{"".join(_linked(each, here) for each in lead)}</dl>'
    return _details(lead)


def _entry(entry: Entry, words: Words) -> str:
    tag = ""
    if entry.tags:
        kind, said = entry.tags
        tag = f'<span class="tag {escape(kind)}">{escape(said)}</span>'
    boxes = ""
    if entry.boxes:
        both = "".join(f"<span>{escape(words.say(each))}</span>" for each in ("yes", "no"))
        boxes = f'<p class="boxes" aria-hidden="true">{both}</p>'
    see = "".join(f'<a href="#{each}">{each}</a>' for each in entry.see)
    also = f'<p class="see">{escape(words.say("see"))} {see}</p>' * bool(see)
    name = f'<div class="name">{tag}{_name(entry.name)}{boxes}</div>'
    return (
        f'<article id="{_anchor(entry.name)}">{name}'
        f"<h3{_language(entry.text)}>{escape(entry.text.text)}</h3>{_details(entry.details)}"
        f"{''.join(_note(each, 'h4') for each in entry.notes)}{also}</article>"
    )


def _note(note: Note, heading: str) -> str:
    lines = "".join(_paragraph(Said(line, note.said.language), "said")
                    for line in note.said.text.splitlines() if line.strip())  # fmt: skip
    return (
        f'<div class="ruling" id="{note.number}"><{heading}><bdi dir="ltr">{note.number}</bdi>'
        f"</{heading}><blockquote>{lines}</blockquote>{_details(note.details)}</div>"
    )


def _details(details: Iterable[Detail]) -> str:
    rows = "".join(
        f"<div><dt>{escape(each.label)}</dt><dd>{_value(each)}</dd></div>" for each in details
    )
    return f'<dl class="details">{rows}</dl>' * bool(rows)


def _value(detail: Detail) -> str:
    if detail.said is not None:
        return f"<span{_language(detail.said)}>{escape(detail.said.text)}</span>"
    return f'<span class="names">{" ".join(map(_name, detail.names))}</span>'


def _linked(detail: Detail, here: Set[str]) -> str:
    """Return names as links to what is on the page, so that a change leads to what changed."""
    names = " ".join(
        f'<a href="#{_anchor(each)}">{_name(each)}</a>' if each in here else _name(each)
        for each in detail.names
    )
    return f'<div><dt>{escape(detail.label)}</dt><dd><span class="names">{names}</span></dd></div>'


def _anchor(name: str) -> str:
    return name.replace("/", ".").replace(":", ".")


def _name(name: str) -> str:
    return f'<code dir="ltr">{escape(name)}</code>'


def _paragraph(said: Said, kind: str) -> str:
    return f'<p class="{kind}"{_language(said)}>{escape(said.text)}</p>'


def _language(said: Said) -> str:
    named = f' lang="{escape(said.language)}"' if said.language else ""
    return f'{named} dir="{said.direction}"'
