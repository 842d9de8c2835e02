"""The card's script: its source files joined into the one ES module that anywidget loads."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"

SOURCES = (
    "dom.js",
    "texts.js",
    "highlights.js",
    "spans.js",
    "fields.js",
    "defects.js",
    "questions.js",
    "connection.js",
    "dialogs.js",
    "card_list.js",
    "coding.js",
    "adjudication.js",
    "frame.js",
    "showing.js",
    "keys.js",
    "card.js",
)
"""In the order of joining; anywidget loads a module from a Blob, so none may import another."""


STYLES = ("card.css", "coding.css", "places.css")


@lru_cache(maxsize=1)
def joined_script() -> str:
    """Return the whole script; only its last file exports."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in SOURCES)


@lru_cache(maxsize=1)
def style_sheet() -> str:
    """Return the whole style sheet; what depends on place and width comes last and wins."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
