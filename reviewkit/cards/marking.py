"""Segments written one after the other, with every hidden character given its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from reviewkit.cards.card import Mark, Segment
from reviewkit.cards.hidden import hidden_name, names_in, needs_naming
from reviewkit.cards.tokens import is_space, is_word, split_tokens

Segments = tuple[Segment, ...]


class Marker:
    """Collects the segments of one text; neighbours under the same mark become one segment."""

    def __init__(self, text: str, language: str = "") -> None:
        self._language = language
        self._naming = needs_naming(text, language)
        self._segments: list[Segment] = []
        self._pending: list[str] = []
        self._under: tuple[Mark, str, bool] = ("same", "", False)

    def add(self, text: str, mark: Mark = "same", note: str = "", *, differs: bool = False) -> None:
        """Add a run of whole tokens under one mark."""
        if not text:
            return
        if not self._naming:
            self._extend(text, (mark, note, differs))
            return
        for token in split_tokens(text):
            self._add_token(token, mark, note, differs)

    def add_missing(self) -> None:
        """Mark the place where the other side has something and this side has nothing."""
        self._flush()
        self._segments.append(Segment("", "stray", "missing_here", differs=True))

    def finish(self) -> Segments:
        """Return the segments; their texts join to everything added."""
        self._flush()
        return tuple(self._segments)

    def _extend(self, text: str, under: tuple[Mark, str, bool]) -> None:
        if under != self._under:
            self._flush()
            self._under = under
        self._pending.append(text)

    def _flush(self) -> None:
        if self._pending:
            mark, note, differs = self._under
            self._segments.append(Segment("".join(self._pending), mark, note, (), differs))
            self._pending = []

    def _add_token(self, token: str, mark: Mark, note: str, differs: bool) -> None:
        if is_space(token):
            for char in token:
                self._add_piece(char, hidden_name(char), mark, note, differs)
            return
        names = names_in(token, self._language)
        if is_word(token) and names and mark != "same":
            self._flush()
            self._segments.append(Segment(token, mark, note, names, differs))
        else:
            self._add_piece(token, " + ".join(names), mark, note, differs)

    def _add_piece(self, piece: str, name: str, mark: Mark, note: str, differs: bool) -> None:
        if name:
            self._flush()
            names = tuple(name.split(" + "))
            self._segments.append(Segment(piece, "hidden", name, names, differs))
        else:
            self._extend(piece, (mark, note, differs))


@lru_cache(maxsize=8192)  # options, questions and sentences come again and again
def mark_plain(text: str, language: str = "") -> Segments:
    """Return the segments of a text that stands alone: only hidden characters are marked."""
    if not needs_naming(text, language):
        return (Segment(text),) if text else ()
    marker = Marker(text, language)
    marker.add(text)
    return marker.finish()


def mark_whole(text: str, mark: Mark, note: str, language: str = "") -> Segments:
    """Return the segments of a text that lies under one mark as a whole."""
    marker = Marker(text, language)
    marker.add(text, mark, note, differs=mark in ("stray", "spelling"))
    if not text and mark == "stray":
        marker.add_missing()
    return marker.finish()


def count_differences(segments: Iterable[Segment]) -> int:
    """Return how many undeclared differences a text shows: runs of neighbouring segments."""
    count, inside = 0, False
    for segment in segments:
        count += segment.differs and not inside
        inside = segment.differs
    return count


def joined(segments: Sequence[Segment]) -> str:
    """Return the text that the segments are a marking of."""
    return "".join(segment.text for segment in segments)
