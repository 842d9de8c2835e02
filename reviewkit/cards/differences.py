"""The differences of two texts: word by word, the fewest there can be, the same from either side.

Words (and punctuation) are aligned by an optimal edit script; white space is compared between the
words it separates, so that it never keeps two unrelated words apart or together. Occurrences of the
declared value count as one and the same word when they carry the same clitics and endings. Where
words are left over, those that are one word spelled differently are paired and named.

The script is computed in one canonical order of the two texts and read from the side asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from reviewkit.cards.alignment import align
from reviewkit.cards.marking import Marker, Segments, mark_plain
from reviewkit.cards.slots import Slot, common_to_both, find_slots
from reviewkit.cards.spelling import pairing_key, spelling_note
from reviewkit.cards.tokens import Tokens, is_word, tokenise


@dataclass(frozen=True, slots=True)
class Sought:
    """A text with the value that is declared to stand in it."""

    text: str
    value: str | None
    tokens: Tokens
    slots: tuple[Slot, ...]

    @property
    def value_missing(self) -> bool:
        """Whether a value is declared and stands nowhere as a whole word."""
        return bool(self.value) and not self.slots


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts with their differences marked."""

    first: Segments
    second: Segments
    complete: bool = True
    """False when the texts were too long: what lies between their equal ends is marked whole."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    slot: Slot | None = None

    @property
    def key(self) -> Hashable:
        return self.text if self.slot is None else self.slot.residue

    @property
    def loose_key(self) -> Hashable:
        return pairing_key(self.text) if self.slot is None else ()


@dataclass(frozen=True, slots=True)
class _Side:
    words: tuple[_Word, ...]
    gaps: tuple[str, ...]
    marker: Marker

    def pieces(self, start: int, end: int) -> Iterator[str]:
        for index in range(start, end):
            if index > start:
                yield self.gaps[index]
            yield self.words[index].text


def seek(text: str, value: str | None) -> Sought:
    """Return ``text`` in tokens with every place where ``value`` stands."""
    tokens = tokenise(text)
    return Sought(text, value, tokens, find_slots(tokens, value))


def compare_texts(
    a: str, b: str, slot_a: str | None = None, slot_b: str | None = None, *, language: str = ""
) -> tuple[Segments, Segments]:
    """Return both texts with the declared slots and every other difference marked.

    The segments of each join to the text exactly. ``compare_texts(b, a, slot_b, slot_a)`` returns
    the same two, swapped.
    """
    if a == b and not slot_a and not slot_b:
        # most sentences of twins are equal: these need no words
        alone = mark_plain(a, language)
        return alone, alone
    found = compare(seek(a, slot_a), seek(b, slot_b), language)
    return found.first, found.second


def compare(a: Sought, b: Sought, language: str = "") -> Comparison:
    """Return the differences of two texts whose slots have been sought."""
    if (a.text, a.value or "") > (b.text, b.value or ""):
        turned = compare(b, a, language)
        return Comparison(turned.second, turned.first, turned.complete)
    if a.text == b.text and a.slots == b.slots:
        alone = _mark_equal(a, language)
        return Comparison(alone, alone)
    slots_a, slots_b = _declared(a, b)
    one = _side(a, slots_a, language)
    other = _side(b, slots_b, language)
    complete = _walk(one, other)
    return Comparison(one.marker.finish(), other.marker.finish(), complete)


def keys_of(sought: Sought) -> tuple[Hashable, ...]:
    """Return what decides whether a text equals another: its words, slots as one, and its gaps."""
    side = _side(sought, sought.slots, "")
    return (*(word.key for word in side.words), *side.gaps)


def _mark_equal(sought: Sought, language: str) -> Segments:
    side = _side(sought, sought.slots, language)
    for gap, word in zip(side.gaps, side.words, strict=False):
        side.marker.add(gap)
        side.marker.add(word.text, "slot" if word.slot else "same")
    side.marker.add(side.gaps[-1])
    return side.marker.finish()


def _declared(a: Sought, b: Sought) -> tuple[Sequence[Slot], Sequence[Slot]]:
    """Return the slots of both texts without occurrences that are common wording."""
    if len(a.slots) == len(b.slots) or not a.slots or not b.slots:
        return a.slots, b.slots
    pairs = align(a.tokens.words, b.tokens.words).pairs
    common_a = common_to_both(a.slots, b.slots, pairs)
    common_b = common_to_both(b.slots, a.slots, ((j, i) for i, j in pairs))
    kept_a = [slot for slot in a.slots if slot not in common_a]
    kept_b = [slot for slot in b.slots if slot not in common_b]
    return kept_a or a.slots, kept_b or b.slots


def _side(sought: Sought, slots: Sequence[Slot], language: str) -> _Side:
    tokens = sought.tokens
    words: list[_Word] = []
    gaps: list[str] = []
    at = 0
    for slot in slots:
        gaps += tokens.gaps[at : slot.start + 1]
        words += [_Word(text) for text in tokens.words[at : slot.start]]
        whole = "".join(
            tokens.words[index] + (tokens.gaps[index + 1] if index + 1 < slot.end else "")
            for index in slot.indices
        )
        words.append(_Word(whole, slot))
        at = slot.end
    gaps += tokens.gaps[at:]
    words += [_Word(text) for text in tokens.words[at:]]
    return _Side(tuple(words), tuple(gaps), Marker(sought.text, language))


def _walk(a: _Side, b: _Side) -> bool:
    alignment = align([word.key for word in a.words], [word.key for word in b.words])
    i0 = j0 = 0
    for i, j in (*alignment.pairs, (len(a.words), len(b.words))):
        _between(a, b, range(i0, i), range(j0, j), pair=alignment.complete)
        if i < len(a.words):
            for side, index in ((a, i), (b, j)):
                word = side.words[index]
                side.marker.add(word.text, "slot" if word.slot else "same")
        i0, j0 = i + 1, j + 1
    return alignment.complete


def _between(a: _Side, b: _Side, these: range, those: range, *, pair: bool) -> None:
    """Mark what lies between two matched words: the gaps, and the words that have no match."""
    if not these or not those or not pair:
        _mark_changed(a, b, these, those)
        return
    alignment = align(
        [a.words[index].loose_key for index in these], [b.words[index].loose_key for index in those]
    )
    i0, j0 = these.start, those.start
    for i, j in (*alignment.pairs, (len(these), len(those))):
        _mark_changed(a, b, range(i0, these.start + i), range(j0, those.start + j))
        if i < len(these):
            _mark_respelled(a, b, these.start + i, those.start + j)
        i0, j0 = these.start + i + 1, those.start + j + 1


def _mark_respelled(a: _Side, b: _Side, i: int, j: int) -> None:
    one, other = a.words[i], b.words[j]
    for side, word in ((a, one), (b, other)):
        if one.slot:
            side.marker.add(word.text, "stray", "slot_affix", differs=True)
        elif note := spelling_note(one.text, other.text):
            side.marker.add(word.text, "spelling", note, differs=True)
        else:
            side.marker.add(word.text, "stray", "changed", differs=True)


def _mark_changed(a: _Side, b: _Side, these: range, those: range) -> None:
    """Mark the gaps and unmatched words from ``start`` to the gap that stands at ``stop``."""
    if not these and not those:
        _mark_gaps(a, b, these.start, those.start)
        return
    if these and those:
        _mark_gaps(a, b, these.start, those.start)
        _mark_words(a, b, these, those)
        _mark_gaps(a, b, these.stop, those.stop)
        return
    if those:
        a, b, these, those = b, a, those, these
    # Only ``a`` has words here: its gap on one side of them stands on the other side too.
    before, after = a.gaps[these.start], a.gaps[these.stop]
    gap = b.gaps[those.start]
    note = _kind_of_words(a, these) or "only_here"
    inner = "".join(a.pieces(these.start, these.stop))
    if gap == before:
        a.marker.add(before)
        b.marker.add(gap)
        _add_words(a, these, note)
        a.marker.add(after, "stray", note, differs=True)
        b.marker.add_missing()
    elif gap == after:
        a.marker.add(before, "stray", note, differs=True)
        _add_words(a, these, note)
        a.marker.add(after)
        b.marker.add_missing()
        b.marker.add(gap)
    else:
        a.marker.add(before + inner + after, "stray", "changed", differs=True)
        b.marker.add(gap, "stray", "changed", differs=True)
        if not gap:
            b.marker.add_missing()


def _mark_gaps(a: _Side, b: _Side, i: int, j: int) -> None:
    one, other = a.gaps[i], b.gaps[j]
    if one == other:
        a.marker.add(one)
        b.marker.add(other)
        return
    for side, gap in ((a, one), (b, other)):
        side.marker.add(gap, "stray", "white_space", differs=True)
        if not gap:
            side.marker.add_missing()


def _mark_words(a: _Side, b: _Side, these: range, those: range) -> None:
    one = "".join(a.pieces(these.start, these.stop))
    other = "".join(b.pieces(those.start, those.stop))
    slots = any(word.slot for side, run in ((a, these), (b, those)) for word in _words(side, run))
    pairable = not slots and _squeezed(a, these) == _squeezed(b, those)
    spelled = spelling_note(one, other) if pairable else ""
    if spelled:
        a.marker.add(one, "spelling", spelled, differs=True)
        b.marker.add(other, "spelling", spelled, differs=True)
        return
    if "".join(one.split()) == "".join(other.split()):
        note = "white_space"
    else:
        note = "punctuation" if _signs_alone_differ(a, b, these, those) else "changed"
    _add_words(a, these, note)
    _add_words(b, those, note)


def _squeezed(side: _Side, run: range) -> str:
    """Return the pairing keys of a run without spaces: equal where the run may be respelled."""
    keys = "".join(pairing_key(word.text) for word in _words(side, run))
    return "".join(keys.split())


def _add_words(side: _Side, run: range, note: str) -> None:
    for index in run:
        if index > run.start:
            side.marker.add(side.gaps[index], "stray", note, differs=True)
        word = side.words[index]
        code = "slot_unpaired" if word.slot else note
        side.marker.add(word.text, "stray", code, differs=True)


def _words(side: _Side, run: range) -> tuple[_Word, ...]:
    return side.words[run.start : run.stop]


def _signs_alone_differ(a: _Side, b: _Side, these: range, those: range) -> bool:
    left = [word.text for word in _words(a, these) if is_word(word.text)]
    right = [word.text for word in _words(b, those) if is_word(word.text)]
    return left == right


def _kind_of_words(side: _Side, run: range) -> str:
    return "" if any(is_word(word.text) for word in _words(side, run)) else "punctuation"
