"""WinoBias: the same sentence with two pronouns, one in each of two files, as a T1.

A line is ``12 [The developer] argued with the designer because [she] ...``. The brackets are marks
for a coreference system and no part of the sentence. A pair is looked for by number and by all of
the sentence but its pronoun, so both files (pro and anti) must be given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reviewkit.bank.item_sets.settled import Settled
from reviewkit.bank.item_sets.spans import PLACE
from reviewkit.bank.item_sets.taken import Gathered, as_id, notes_of

LINE = re.compile(r"\s*(\d+)\s+(?=\S)([^\[\n]*\[.[^\]\n]*\].*)")
PRONOUN = re.compile(r"\[(he|she|his|her|hers|him)\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file."""

    shown: str
    number: int
    """Of the line in its file, from 1."""
    text: str

    @property
    def where(self) -> str:
        """``file:line``."""
        return f"{self.shown}:{self.number}"


@dataclass(frozen=True, slots=True)
class _Sentence:
    line: Line
    label: str
    base: str
    pronoun: str


def lines_of(text: str, shown: str) -> list[Line]:
    """Return the lines of a file that are not blank."""
    lines = enumerate(text.split("\n"), 1)
    return [Line(shown, n, each.rstrip("\r")) for n, each in lines if each.strip()]


def is_winobias(lines: Sequence[Line]) -> bool:
    """Return whether most lines are numbered sentences with a pronoun in brackets."""
    fitting = sum(bool(LINE.fullmatch(each.text) and PRONOUN.search(each.text)) for each in lines)
    return bool(lines) and 2 * fitting > len(lines)


def take_sentences(files: Sequence[Sequence[Line]], settled: Settled) -> Gathered:
    """Return a group for each sentence that stands with two pronouns."""
    taken = Gathered()
    waiting: dict[tuple[str, str], list[_Sentence]] = {}
    for lines in files:
        for line in lines:
            sentence = _read(line)
            if isinstance(sentence, str):
                taken.leave_out([line.where], sentence)
            else:
                waiting.setdefault((sentence.label, sentence.base), []).append(sentence)
    for (label, base), held in waiting.items():
        first = held[0]
        other = next((each for each in held[1:] if each.pronoun != first.pronoun), None)
        if other is None:
            places = [each.line.where for each in held]
            taken.leave_out(places, "its twin with another pronoun is not there: give both files")
            continue
        spare = [each.line.where for each in held if each not in (first, other)]
        taken.leave_out(spare, "the same sentence stands more than once with this pronoun")
        stem = first.line.shown.rsplit("/", 1)[-1].removesuffix(".txt")
        kind = re.search(r"type(\d)", stem)
        template_id = as_id(settled.prefix, f"type{kind[1]}" if kind else "", label)
        items = [
            settled.item(
                f"{template_id}-{each.pronoun.casefold()}", swapped_value=each.pronoun,
                text=base.replace(PLACE, each.pronoun),
                notes=f"from {each.line.shown.rsplit('/', 1)[-1]}",
            )
            for each in (first, other)
        ]  # fmt: skip
        fields = settled.group(
            template_id, swapped_variable="pronoun", base_text=base,
            value_list=[first.pronoun, other.pronoun],
            notes=notes_of("WinoBias", f"sentence {label}"), items=items,
        )  # fmt: skip
        taken.make([first.line.where, other.line.where], fields, first.line.shown)
    taken.said.append("brackets around mentions are marks of the set and left out of the texts")
    return taken


def _read(line: Line) -> _Sentence | str:
    found = LINE.fullmatch(line.text)
    pronouns = PRONOUN.findall(line.text)
    if found is None:
        return "it is no numbered sentence with mentions in brackets"
    if len(pronouns) != 1:
        return f"it has {len(pronouns) or 'no'} pronouns in brackets"
    text = PRONOUN.sub(PLACE, found[2])
    return _Sentence(line, found[1], re.sub(r"\[([^\[\]]*)\]", r"\1", text), pronouns[0])
