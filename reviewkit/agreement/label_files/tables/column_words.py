"""What a name says: of a column, a rater or a file. The words are in ``column_words.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

from reviewkit.agreement.label_files.tables.delimited import plain_name

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


@cache
def _words() -> dict[str, tuple[str, ...]]:
    text = (
        files("reviewkit.agreement.label_files.tables")
        .joinpath("column_words.toml")
        .read_text(encoding="utf-8")
    )
    return {
        kind: tuple(_folded(word) for word in words) for kind, words in tomllib.loads(text).items()
    }


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def words_of(name: str) -> tuple[str, ...]:
    """Return the words and numbers of a name: ``finalLabel2`` -> ``final``, ``label``, ``2``."""
    return tuple(
        _folded(part)
        for piece in _CAMEL.split(plain_name(unicodedata.normalize("NFC", name)))
        for part in _PARTS.findall(piece)
    )


@lru_cache(maxsize=10_000)
def says(name: str, kind: str) -> bool:
    """Return whether a name holds a word of this kind: ``gold``, ``rater``, ``label``, ..."""
    return rank(name, kind) is not None


@lru_cache(maxsize=10_000)
def rank(name: str, kind: str) -> int | None:
    """Return the place of the first word of this kind that a name holds, None when it has none."""
    words = _words()[kind]
    parts = words_of(name)
    joined = "".join(parts)
    for at, word in enumerate(words):
        if word in parts or word == joined:
            return at
        # gold and label written as one: goldlabel
        if kind == "gold" and any(joined == word + label for label in _words()["label"]):
            return at
        if _UNSPACED.search(word) and word in joined:
            return at
    return None


def why_no_rater(name: str) -> str | None:
    """Return why a column or rater of this name is no rater, None when nothing speaks for it."""
    at = rank(name, "gold")
    if at is None:
        return None
    return f"its name says {_words()['gold'][at]!r}"


def numbered_rater(name: str) -> bool:
    """Return whether a name is a letter for raters and a number, as ``R1`` is and ``Q1`` is not."""
    parts = words_of(name)
    return len(parts) == 2 and parts[0] in _words()["rater_letters"] and parts[1].isdecimal()
