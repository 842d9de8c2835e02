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


@lru_cache(maxsize=200_000)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words and numbers of a name: ``finalLabel2`` -> ``final``, ``label``, ``2``."""
    return tuple(
        _folded(part)
        for piece in _CAMEL.split(plain_name(unicodedata.normalize("NFC", name)))
        for part in _PARTS.findall(piece)
    )


@lru_cache(maxsize=200_000)
def says(name: str, kind: str) -> bool:
    """Return whether a name holds a word of this kind: ``gold``, ``rater``, ``label``, ..."""
    return rank(name, kind) is not None


@lru_cache(maxsize=200_000)
def rank(name: str, kind: str) -> int | None:
    """Return the place of the first word of this kind that a name holds, None when it has none."""
    places = _places(kind)
    parts = words_of(name)
    joined = "".join(parts)
    found = [places[each] for each in (*parts, joined) if each in places]
    if _UNSPACED.search(joined):
        found += [at for word, at in _unspaced(kind) if word in joined]
    if kind == "gold" and joined in _gold_labels():
        found.append(_gold_labels()[joined])
    return min(found, default=None)


@cache
def _places(kind: str) -> dict[str, int]:
    """Return each word of a kind with its place."""
    return {word: at for at, word in reversed([*enumerate(_words()[kind])])}


@cache
def _unspaced(kind: str) -> tuple[tuple[str, int], ...]:
    """Return the words of scripts without spaces, with their places."""
    return tuple((word, at) for word, at in _places(kind).items() if _UNSPACED.search(word))


@cache
def _gold_labels() -> dict[str, int]:
    """Return gold and label written as one, ``goldlabel``, with the place of the first."""
    labels = _words()["label"]
    return {word + label: at for word, at in _places("gold").items() for label in labels}


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
