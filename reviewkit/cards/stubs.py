"""Whether a text was really written, or only holds the place of one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from reviewkit.bank.taxonomy import Writing
from reviewkit.cards.tokens import has_word
from reviewkit.cards.twins import PLACEHOLDER, normalised

_BRACKETED = re.compile(r"\s*(?:\[[^\]]*\]|<[^>]*>|\{[^}]*\}|⟦[^⟧]*⟧|【[^】]*】)\s*")
_PROMISES = re.compile(
    r"\b(?:TODO|TBD|TBA|TBC|FIXME|XXX|WIP|placeholder|to be (?:written|added|done)|lorem ipsum)\b"
    r"|قيد (?:الكتابة|الإعداد|التأليف)|(?:ت?يكتب|ت?كتب|ت?يضاف|تضاف) لاحق|نص مؤقت",
    re.IGNORECASE,
)
_SHORT = 60
"""A promise to write a text is a stub when little else is written."""


def is_stub(text: str, standard_texts: Iterable[str] = (), writing: Writing | None = None) -> bool:
    """Return whether ``text`` holds the place of a text that was not written.

    So it is when it is blank, has no word, stands in brackets as a whole, is a short promise to
    write, or is a bracketed tag before a copy of one of ``standard_texts``. ``writing`` names the
    promises of the text's language beside those known here.
    """
    if _is_unwritten(text) or (writing is not None and _promises(text, writing)):
        return True
    tagged = _BRACKETED.match(text)
    rest = normalised(text[tagged.end() :]) if tagged else ""
    return bool(rest) and any(rest == normalised(standard) for standard in standard_texts)


@lru_cache(maxsize=4096)  # twins share a context, and many groups a question
def _is_unwritten(text: str) -> bool:
    if not has_word(text) or _BRACKETED.fullmatch(text):
        return True
    return len(text) <= _SHORT and _PROMISES.search(text) is not None


def _promises(text: str, writing: Writing) -> bool:
    folded = text.casefold()
    return len(text) <= _SHORT and any(
        promise.casefold() in folded for promise in writing.not_written_yet
    )


def has_placeholder(text: str) -> bool:
    """Return whether the template's ``{value}`` was left unfilled."""
    return PLACEHOLDER in text
