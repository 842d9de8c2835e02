"""Whether a text was really written, or only holds the place of one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from reviewkit.bank.folding import has_letters, words_of
from reviewkit.bank.taxonomy import Writing
from reviewkit.cards.tokens import has_word
from reviewkit.cards.twins import PLACEHOLDER

_BRACKETED = re.compile(r"\s*(?:\[[^\]]*\]|<[^>]*>|\{[^}]*\}|⟦[^⟧]*⟧|【[^】]*】)\s*")
_PROMISES = re.compile(
    r"\b(?:TODO|TBD|TBA|TBC|FIXME|XXX|WIP|placeholder|to be (?:written|added|done)|lorem ipsum"
    r"|coming soon|not yet written)\b"
    r"|لم [تي]كتب بعد|(?:[تي]حتاج|بحاجة)(?: إلى)? (?:كتابة|تأليف)|س[تي]كتب\b"
    r"|قيد (?:الكتابة|الإعداد|التأليف)|(?:ت?يكتب|ت?كتب|ت?يضاف|تضاف) لاحق|نص مؤقت",
    re.IGNORECASE,
)
_TAG = re.compile(
    _BRACKETED.pattern + r"|\s*\([^)]*\)\s*|\s*(?:[^\s:：]+\s+){0,2}[^\s:：]+\s*[:：]\s+"
)
"""A label before a text: in brackets of any kind, or three words at most and a colon."""
_FAR_SHORTER = 3
_SHORT = 60
"""A promise to write a text is a stub when little else is written."""


def is_stub(text: str, standard_texts: Iterable[str] = (), writing: Writing | None = None) -> bool:
    """Return whether ``text`` holds the place of a text that was not written.

    So it is when it is blank, has no word, stands in brackets as a whole, is a short promise to
    write, or is a tag before a copy of one of ``standard_texts``. ``writing`` names the promises
    of the text's language beside those known here.
    """
    if _is_unwritten(text) or (writing is not None and _promises(text, writing)):
        return True
    tagged = _TAG.match(text)
    if tagged is None:
        return False
    rest = words_read(text[tagged.end() :])
    return bool(rest) and any(rest == words_read(standard) for standard in standard_texts)


@lru_cache(maxsize=8192)
def words_read(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are read: without signs, spelling and capitals.

    A dialect text has other words than its standard version. One that is told from it by a
    capital, a full stop or a hamza was copied.
    """
    return tuple([word.folded for word in words_of(text) if has_letters(word.folded)])


def is_far_shorter(text: str, fewest: int) -> bool:
    """Return whether ``text`` has less than a third of ``fewest``, the words it should have.

    Such a text says what is to come (*same in the dialect*), whatever words it says it in.
    """
    return _FAR_SHORTER * len(words_read(text)) < fewest


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
