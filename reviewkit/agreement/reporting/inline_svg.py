"""An SVG document made part of a page: its colours follow the page, its ids collide with no other.

Only for SVG that ``svg_of`` made; it is no sanitiser.
"""

from __future__ import annotations

import re
from html import escape
from xml.etree import ElementTree as ET

from reviewkit.agreement.reporting import colours

_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_FONT = re.compile(r"font-family:[^;]*;?\s*")
_REFERENCE = re.compile(r"url\(#([^()]+)\)")
_VARIABLES = {
    colours.PAPER: "paper", colours.INK: "ink", colours.SOFT: "soft", colours.LINE: "line",
    colours.STRONG: "strong", colours.BLUE: "blue", colours.VERMILION: "vermilion",
    colours.GREEN: "green", colours.PURPLE: "purple", colours.AMBER: "amber",
}  # fmt: skip
"""Colour of a plot -> the variable of the page's style sheet that stands in for it."""


def inline(svg: str, prefix: str, alt: str) -> str:
    """Return the ``svg`` element of a page.

    Args:
        svg: a whole document, as ``svg_of`` gives it.
        prefix: begins every id, so that two plots of a page share none.
        alt: what the plot shows, for whoever does not see it.
    """
    root = ET.fromstring(svg)  # noqa: S314  made by matplotlib a moment ago
    for parent in list(root.iter()):
        for child in list(parent):
            # the style element would hold for the whole page; its two rules stand on the root
            if _name(child.tag) in {"metadata", "style"}:
                parent.remove(child)
    wanted = _referenced(root)
    for element in root.iter():
        element.tag = _name(element.tag)
        element.attrib = _attributes(element, prefix, wanted)
        if element.tag != "text":
            element.text = None
        element.tail = None
    box = root.attrib["viewBox"]
    inner = "".join(ET.tostring(child, encoding="unicode") for child in root)
    return (
        f'<svg role="img" aria-label="{escape(alt)}" viewBox="{box}" stroke-linejoin="round"'
        f' stroke-linecap="butt" xmlns="http://www.w3.org/2000/svg">{inner}</svg>'
    )


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]


def _referenced(root: ET.Element) -> set[str]:
    found: set[str] = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            found.update(_REFERENCE.findall(value))
            if _name(key) == "href":
                found.add(value.removeprefix("#"))
    return found


def _attributes(element: ET.Element, prefix: str, wanted: set[str]) -> dict[str, str]:
    kept: dict[str, str] = {}
    for key, value in element.attrib.items():
        name = _name(key)
        if name == "id":
            if value in wanted:
                kept["id"] = f"{prefix}-{value}"
        elif name == "href":
            kept["href"] = f"#{prefix}-{value.removeprefix('#')}"
        elif name == "style":
            kept["style"] = _of_page(_FONT.sub("", value), prefix)
        elif name == "d":
            kept["d"] = " ".join(value.split())
        elif not (name == "transform" and value.startswith("rotate(-0 ")):
            kept[name] = _REFERENCE.sub(rf"url(#{prefix}-\1)", value)
    return kept


def _of_page(style: str, prefix: str) -> str:
    style = _REFERENCE.sub(rf"url(#{prefix}-\1)", style)
    return _COLOUR.sub(
        lambda found: (
            f"var(--rka-{_VARIABLES[found[0]]},{found[0]})" if found[0] in _VARIABLES else found[0]
        ),
        style,
    )
