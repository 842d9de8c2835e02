"""When two labels are the same to a person and not to a program.

Nothing is changed here: a label is compared by what it would be without stray spaces, hidden
characters, other forms of a quote or letter, and capitals. The label as written is kept.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
"""Soft hyphen, grapheme joiner, zero-width characters, direction marks, byte order mark."""
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u0060\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    }
)
_WRAPPED = re.compile(r"""(["'])(.*)\1""", re.DOTALL)

YES_WORDS = frozenset({"true", "t", "yes", "y", "1", "1.0"})
NO_WORDS = frozenset({"false", "f", "no", "n", "0", "0.0"})
"""How programs and people write a boolean, after ``without_case``."""

MISSING_WORDS = frozenset(
    {
        "na", "n/a", "#n/a", "nan", "null", "none", "nil", "<na>", "-", "--", ".", "?", "missing",
        "[]",
    }
)  # fmt: skip
"""What often stands for no label, after ``without_case``. Only a hint: each may be a label."""


@dataclass(frozen=True, slots=True)
class Folded:
    """One label read as another."""

    raw: str
    """As written."""
    to: str
    why: str
    """``spaces``, ``case``, ``alias``: what tells the two apart, for a person."""


def plain(label: str) -> str:
    """Return a label in NFC, without hidden characters, with single plain spaces and quotes.

    Quotes around the whole label fall away.
    """
    text = unicodedata.normalize("NFC", _HIDDEN.sub("", label)).translate(_QUOTES)
    # split() knows the no-break, narrow and figure spaces
    text = " ".join(text.split())
    while (wrapped := _WRAPPED.fullmatch(text)) and wrapped.group(2).strip():
        text = wrapped.group(2).strip()
    return text


def without_case(label: str) -> str:
    """Return ``plain`` without the difference of capital and small letters."""
    return unicodedata.normalize("NFC", plain(label).casefold())


def number_of(label: str) -> float | None:
    """Return the number a label writes; None when it writes none or no finite one."""
    try:
        value = float(label)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in label else None


def as_compared(label: str) -> str:
    """Return the form in which labels are the same label: ``without_case``; a number by value."""
    word = without_case(label)
    number = number_of(word)
    return word if number is None else repr(number + 0.0)


def what_differs(one: str, other: str) -> str:
    """Return in words what tells two labels apart that fold to the same.

    The words are joined by ``and``: ``case``, ``spaces``, ``hidden characters``, ``quotes``,
    ``normalisation``, ``the form of the number``.
    """
    if without_case(one) != without_case(other):
        return "the form of the number"
    found: list[str] = []
    if without_case(one) != plain(one) or without_case(other) != plain(other):
        found += ["case"] if plain(one) != plain(other) else []
    if (_HIDDEN.search(one) is None) != (_HIDDEN.search(other) is None):
        found.append("hidden characters")
    bare = [unicodedata.normalize("NFC", _HIDDEN.sub("", each)) for each in (one, other)]
    if [_spaces(each) for each in bare] != [_spaces(bare[0])] * 2:
        found.append("spaces")
    if [_quotes(each) for each in bare] != [_quotes(bare[0])] * 2:
        found.append("quotes")
    visible = [_HIDDEN.sub("", each) for each in (one, other)]
    forms = [each == unicodedata.normalize("NFC", each) for each in visible]
    if forms[0] != forms[1]:
        found.append("normalisation")
    return " and ".join(found) or "spelling"


def _spaces(text: str) -> list[str]:
    """Return the runs of white space, and those at the ends, in order."""
    return re.findall(r"^\s+|\s+$|\s+", text)


def _quotes(text: str) -> list[str]:
    return re.findall("[\"'\u2018-\u201f\u2032\u2033\u00ab\u00bb\u02bc`\u00b4]", text)


def same_but_for_spelling(counts: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return the labels that fold to the same one, as groups of two or more.

    Args:
        counts: How often each label as written was given.

    Returns:
        Each group with the spelling first to which the others would be folded: the most frequent
        one; of equals the one that is plain already, then the first in the file.
    """
    return tuple(group for group in _spellings(counts) if len(group) > 1)


def onto_each_other(counts: Mapping[str, int]) -> tuple[Folded, ...]:
    """Return the foldings of labels onto the most frequent spelling of each, made plain."""
    return tuple(
        Folded(raw, plain(group[0]), what_differs(raw, plain(group[0])))
        for group in _spellings(counts)
        for raw in group
        if raw != plain(group[0])
    )


def _spellings(counts: Mapping[str, int]) -> list[tuple[str, ...]]:
    groups: dict[str, list[str]] = {}
    for label in counts:
        groups.setdefault(as_compared(label), []).append(label)
    return [
        tuple(sorted(group, key=lambda each: (-counts[each], each != plain(each))))
        for group in groups.values()
    ]


def onto_scheme(labels: Iterable[str], names: Sequence[str]) -> tuple[tuple[Folded, ...], set[str]]:
    """Match labels with the names of a scheme: as written, made plain, without case, as a number.

    A looser match never overrides a stricter one: with ``N`` and ``n`` declared, ``n `` is ``n``.

    Returns:
        What was folded, and the labels that are none of the names, or as well one as another.
    """
    declared = set(names)
    by_plain = _only_one(names, plain)
    by_case = _only_one(names, without_case)
    by_number = _only_one(names, as_compared)
    folded: list[Folded] = []
    strange: set[str] = set()
    for label in labels:
        if label in declared:
            continue
        to = (
            by_plain.get(plain(label))
            or by_case.get(without_case(label))
            or by_number.get(as_compared(label))
        )
        if to is None:
            strange.add(label)
        else:
            folded.append(Folded(label, to, what_differs(label, to)))
    return tuple(folded), strange


def _only_one(names: Sequence[str], key: Callable[[str], str]) -> dict[str, str]:
    """Return key -> name, without the keys that several names share."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(key(name), []).append(name)
    return {each: name for each, (name, *others) in found.items() if not others}


def booleans(labels: Iterable[str], yes: str, no: str) -> tuple[Folded, ...] | None:
    """Return the mapping of booleans onto a yes and a no; None when a label is no boolean.

    ``false alarm`` is no boolean: only a whole label is compared.
    """
    found: list[Folded] = []
    for label in labels:
        word = without_case(label)
        if word in YES_WORDS:
            found.append(Folded(label, yes, "boolean"))
        elif word in NO_WORDS:
            found.append(Folded(label, no, "boolean"))
        else:
            return None
    return tuple(found)
