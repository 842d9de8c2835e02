"""Where the declared value stands in a text, whatever is written onto the word it stands in.

A value may carry Arabic proclitics (``و ف ب ك ل ال`` and their unions, with the alef of the
article dropped after ``ل``), a case ending, or a Latin ending such as ``'s``. What is carried is
kept as the slot's *residue* and compared: a twin whose clitic changed differs by more than its
value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reviewkit.cards.spelling import without_hidden
from reviewkit.cards.tokens import Tokens, is_word, tokenise

_MARKS = r"[\u064b-\u0652\u0670]*"
# *+ gives nothing back: runs of marks side by side would be divided in every way there is
_PROCLITICS = re.compile(
    rf"(?:[وف]{_MARKS}+)?(?:ل{_MARKS}+ل{_MARKS}+|[بكلعه]?{_MARKS}+(?:ال{_MARKS}+)?)"
)
_ENDINGS = re.compile(rf"(?:['’]s?|e?s)|{_MARKS}+(?:ا\u064b{_MARKS}+|(?<=\u064b)ا{_MARKS}+)?")
_MARK = re.compile(r"[\u064b-\u0652\u0670\u0640]")


@dataclass(frozen=True, slots=True)
class Slot:
    """One occurrence of the declared value: words ``start`` to ``end`` (not included)."""

    start: int
    end: int
    residue: tuple[str, ...]
    """What the words carry beside the value: proclitics, ending, and codes of how the value itself
    is written otherwise than declared."""

    @property
    def indices(self) -> range:
        """The positions of its words."""
        return range(self.start, self.end)


def find_slots(tokens: Tokens, value: str | None) -> tuple[Slot, ...]:
    """Return every place where ``value`` stands as whole words, in order, none overlapping."""
    wanted = tokenise((value or "").strip())
    if not wanted.words:
        return ()
    slots: list[Slot] = []
    loose = [_loose(word) for word in wanted.words]
    length = len(loose)
    at = 0
    while at + length <= len(tokens.words):
        slot = _slot_at(tokens, at, wanted, loose)
        if slot:
            slots.append(slot)
        at = slot.end if slot else at + 1
    return tuple(slots)


def _loose(word: str) -> str:
    return _MARK.sub("", without_hidden(unicodedata.normalize("NFKC", word))).casefold()


def _slot_at(tokens: Tokens, at: int, wanted: Tokens, loose: Sequence[str]) -> Slot | None:
    last = len(loose) - 1
    carried = ["", ""]
    otherwise: set[str] = set()
    for offset, bare in enumerate(loose):
        word, declared = tokens.words[at + offset], wanted.words[offset]
        affixes = _affixes(word, declared, bare, first=offset == 0, last=offset == last)
        if affixes is None:
            return None
        before, after, spelled = affixes
        carried[0] += before
        carried[1] += after
        otherwise |= spelled
        inner = tokens.gaps[at + offset]
        if offset and inner != wanted.gaps[offset]:
            if bool(inner) != bool(wanted.gaps[offset]):
                return None
            otherwise.add("white_space")
    return Slot(at, at + len(loose), (*carried, *sorted(otherwise)))


def _affixes(
    word: str, declared: str, bare: str, *, first: bool, last: bool
) -> tuple[str, str, set[str]] | None:
    """Return what ``word`` carries around the declared one and how that is spelled otherwise."""
    if word == declared:
        return "", "", set()
    open_ends = is_word(declared)
    found = _cut(word, declared, first and open_ends, last and open_ends)
    if found:
        return (*found, set())
    found = _cut(_loose(word), bare, first and open_ends, last and open_ends)
    if not found:
        return None
    exact = _exact_residue(word, declared)
    return (*exact, set()) if exact else (*found, _spelled_otherwise(word, declared))


def _exact_residue(word: str, declared: str) -> tuple[str, str] | None:
    """Return everything around the value where it is written as declared, hidden marks included."""
    at = word.find(declared)
    if at >= 0:
        return word[:at], word[at + len(declared) :]
    if not declared.startswith("ال") or len(declared) == 2:
        return None
    article = "" if declared[2] == "ل" else f"ل{_MARKS}"
    found = re.search(f"(ل{_MARKS}){article}{re.escape(declared[2:])}", word)
    return (word[: found.end(1)], word[found.end() :]) if found else None


def _cut(word: str, value: str, before: bool, after: bool) -> tuple[str, str] | None:
    if not value:
        return None
    # After ل the article loses its alef, and before another lam its lam too: للبصرة, لليبية.
    forms = [(value, "")]
    if before and value.startswith("ال") and len(value) > 2:
        forms.append((value[2:], "ل" if value[2] == "ل" else "لل"))
    for form, swallowed in forms:
        at = word.find(form)
        while at >= 0:
            prefix, suffix = word[:at], word[at + len(form) :]
            fits = prefix.endswith(swallowed) if swallowed else True
            if (
                fits
                and (before or not prefix)
                and (after or not suffix)
                and _PROCLITICS.fullmatch(prefix)
                and _ENDINGS.fullmatch(suffix)
            ):
                # The article belongs to the value: what the word carries is one lam.
                return (prefix[:-1] if swallowed == "لل" else prefix), suffix
            at = word.find(form, at + 1)
    return None


def _spelled_otherwise(word: str, declared: str) -> set[str]:
    compatible = unicodedata.normalize("NFKC", word)
    wanted = unicodedata.normalize("NFKC", declared)
    if _exact_residue(compatible, wanted):
        return {"normalisation"}
    # A capital at the start of a sentence is no other spelling.
    if wanted[:1].upper() + wanted[1:] in compatible:
        return set()
    if wanted.casefold() in compatible.casefold():
        return {"case"}
    return {"letter_form"}


def common_to_both(
    slots: Iterable[Slot], others: Iterable[Slot], pairs: Iterable[tuple[int, int]]
) -> set[Slot]:
    """Return the slots whose words stand in the other text too, outside the slots of that text.

    ``pairs`` are the words of both texts that an alignment of the plain words matches. Such an
    occurrence is common wording ("from Basra to Basra"), not the declared slot.
    """
    there = {index for slot in others for index in slot.indices}
    matched = {one for one, other in pairs if other not in there}
    return {slot for slot in slots if matched.issuperset(slot.indices)}
