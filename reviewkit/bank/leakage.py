"""Phrases by which a prompt gives away what it is built to observe, read from ``bank/leakage/``.

A prompt that asks for equal depth, for neutral words or for both sides tells the model the
criterion it is measured by. The phrases are data, a file per language; a phrase is found whatever
its spelling and with what Arabic attaches to a word, as terms of watchlists are. ``same … depth``
also finds the two parts with up to four words between them, within one sentence. ``<depth>`` stands
for any word of the set ``depth``, so that plurals and genders are written once for all phrases.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, islice, product, takewhile
from math import prod
from typing import Annotated

from pydantic import Field, StringConstraints

from reviewkit.bank.folding import Word, has_letters, words_of
from reviewkit.bank.items import Frozen, Some, Tag, TestType, Written
from reviewkit.bank.taxonomy import Wording
from reviewkit.bank.watchlists import (
    Match,
    Phrase,
    Term,
    Watchlist,
    find_in_words,
    stems_of,
)
from reviewkit.problems import Problem
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.workspace import Workspace

GAP = "…"
"""Stands in a form where other words may stand."""
WORDS_BETWEEN = 4
"""How many words a gap may hold."""
MOST_WORDINGS = 2_000
"""More wordings than that one part of a form may not stand for."""
_SENTENCE_END = re.compile(r"[.!?؟۔;؛\n]")
_SET = re.compile(r"<([^<>]*)>")
Chain = tuple[Watchlist, ...]
"""The parts of a form between its gaps; each part holds all its wordings."""


class LeakingPhrase(Frozen):
    """One way of giving the criterion away, with every written form of it."""

    id: Tag
    """What findings name it by: they never quote a prompt."""
    forms: Some[Phrase]
    unless: tuple[Phrase, ...] = ()
    """Longer wordings that are innocent: what stands inside one of them is not found."""
    test_types: Some[TestType] = ("T1", "T3", "T4")
    """The test types whose criterion it gives away."""
    note: Written | None = None


class LeakageList(Frozen):
    """The phrases of one language."""

    name: Tag = Field(alias="leakage")
    edition: Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]*$")]
    language: Tag
    title: Wording
    words: dict[Tag, Some[Phrase]] = Field(default_factory=dict)
    """Sets of words of which any may stand where a form names the set: ``<depth>``."""
    phrases: Some[LeakingPhrase]

    @cached_property
    def _whole(self) -> tuple[Watchlist, dict[str, tuple[LeakingPhrase, ...]]]:
        """The forms without a gap as one watchlist, and the phrases each wording belongs to."""
        owners: dict[str, dict[str, LeakingPhrase]] = {}
        for phrase in self.phrases:
            for form in phrase.forms:
                if GAP not in form:
                    for wording in wordings(form, self.words):
                        owners.setdefault(wording, {})[phrase.id] = phrase
        return self._watchlist(owners), {
            wording: tuple(phrases.values()) for wording, phrases in owners.items()
        }

    @cached_property
    def _parted(self) -> tuple[tuple[LeakingPhrase, Chain], ...]:
        return tuple(
            (phrase, self._chain(form))
            for phrase in self.phrases
            for form in phrase.forms
            if GAP in form
        )

    @cached_property
    def _innocent(self) -> dict[str, tuple[Chain, ...]]:
        """What each phrase is innocent in."""
        return {
            phrase.id: tuple(self._chain(form) for form in phrase.unless)
            for phrase in self.phrases
            if phrase.unless
        }

    def _chain(self, form: str) -> Chain:
        return tuple(
            self._watchlist(wordings(part.strip(), self.words)) for part in form.split(GAP)
        )

    def _watchlist(self, forms: Iterable[str]) -> Watchlist:
        terms = tuple(Term(term=form, term_class="other") for form in forms)
        return Watchlist.model_construct(
            name=self.name, edition=self.edition, language=self.language, title=self.title,
            terms=terms,
        )  # fmt: skip

    def find(self, text: str, words: Sequence[Word]) -> Iterator[tuple[LeakingPhrase, Leak]]:
        """Yield every place of every phrase in a text and its words, in no particular order."""
        stems = frozenset[str]().union(*(stems_of(word.folded) for word in words))
        innocent: dict[str, _Spared] = {}
        for phrase, leak in self._found(text, words, stems):
            if phrase.id not in innocent:
                chains = self._innocent.get(phrase.id, ())
                innocent[phrase.id] = _Spared(_places(text, words, stems, chains))
            if not innocent[phrase.id].holds(leak):
                yield phrase, leak

    def _found(
        self, text: str, words: Sequence[Word], stems: frozenset[str]
    ) -> Iterator[tuple[LeakingPhrase, Leak]]:
        whole, owners = self._whole
        for match in find_in_words(words, whole) if owners else ():
            for phrase in owners[match.term]:
                yield phrase, Leak(match.start, match.end, phrase.id)
        for phrase, chain in self._parted:
            for start, end in _places(text, words, stems, (chain,)):
                yield phrase, Leak(start, end, phrase.id)


def wordings(form: str, words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what a form stands for, a word of its set in each ``<set>``; KeyError for no such."""
    literal = _SET.split(form)[::2]
    for chosen in product(*(words[name] for name in _SET.findall(form))):
        yield literal[0] + "".join(
            word + text for word, text in zip(chosen, literal[1:], strict=True)
        )


@dataclass(frozen=True, slots=True, order=True)
class Leak:
    """Where a phrase stands: ``text[start:end]``."""

    start: int
    end: int
    phrase: str
    """The id of the phrase."""


class _Spared:
    """Places in which a phrase is innocent, looked up without going through all of them."""

    def __init__(self, places: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(places)
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))

    def holds(self, leak: Leak) -> bool:
        """Return whether one of the places covers the leak."""
        before = bisect_right(self._starts, leak.start)
        return before > 0 and self._furthest[before - 1] >= leak.end


def find_leaks(text: str, lists: Iterable[LeakageList], test_type: str) -> tuple[Leak, ...]:
    """Return where the phrases that matter to a test type stand, in order, each phrase once."""
    found: dict[str, Leak] = {}
    concerned = [
        each for each in lists if any(test_type in phrase.test_types for phrase in each.phrases)
    ]
    words = tuple(words_of(text)) if concerned else ()
    for each in concerned:
        for phrase, leak in each.find(text, words):
            if test_type in phrase.test_types:
                found[phrase.id] = min(leak, found.get(phrase.id, leak))
    return tuple(sorted(found.values()))


def _places(
    text: str, words: Sequence[Word], stems: frozenset[str], chains: Iterable[Chain]
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every place of the chains; ``stems`` are those of the words."""
    for chain in chains:
        # what has not the first words of every part need not be looked at word by word
        if not any(stems.isdisjoint(part.patterns) for part in chain):
            yield from _chains(text, [find_in_words(words, part) for part in chain])


def _chains(text: str, parts: list[tuple[Match, ...]]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the parts in their order, near each other and in one sentence."""
    chains = [(match,) for match in parts[0]]
    for part in parts[1:]:
        starts = [match.start for match in part]
        chains = [
            (*chain, match)
            for chain in chains
            # the matches of a part stand in order: behind the first that is far all are
            for match in takewhile(
                partial(_near, text, chain[-1]),
                islice(part, bisect_left(starts, chain[-1].end), None),
            )
        ]
    for chain in chains:
        yield chain[0].start, chain[-1].end


def _near(text: str, one: Match, other: Match) -> bool:
    between = text[one.end : other.start]
    words = sum(has_letters(word.folded) for word in words_of(between))
    return words <= WORDS_BETWEEN and not _SENTENCE_END.search(between)


def load_leakage(ws: Workspace) -> tuple[LeakageList, ...]:
    """Return every list of ``bank/leakage/``; raises ProblemsFound with every fault of them."""
    lists: list[LeakageList] = []
    folder = ws.leakage
    with collect() as faults:
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.name.startswith(".") or path.suffix.lower() not in (".yaml", ".yml"):
                continue
            source = faults.read(load_yaml, path, ws.shown(path))
            read = faults.attempt(build, source, LeakageList) if source else None
            if source and read:
                faults.add(_faults_of(read, source))
                lists.append(read)
    return tuple(lists)


def _faults_of(read: LeakageList, source: Source) -> Iterator[Problem]:
    for name, given in read.words.items():
        for at, word in enumerate(given):
            if not _has_word(word) or GAP in word or _SET.search(word):
                wrong = f"{word!r} is no word"
                yield source.problem(("words", name, at), wrong, "write a word or a few")
    first: dict[str, int] = {}
    for at, phrase in enumerate(read.phrases):
        if phrase.id in first:
            wrong = f"{phrase.id!r} stands at {source.where(('phrases', first[phrase.id]))} already"
            yield source.problem(("phrases", at, "id"), wrong, "give one of the two another id")
        first.setdefault(phrase.id, at)
        for field, forms in (("forms", phrase.forms), ("unless", phrase.unless)):
            for n, form in enumerate(forms):
                if fault := _fault_of(form, read.words):
                    yield source.problem(("phrases", at, field, n), *fault)


def _fault_of(form: str, words: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
    """Return what is wrong with a form and what to do; None when it can be looked for."""
    for name in _SET.findall(form):
        if name not in words:
            known = f"use {', '.join(words)}" if words else "add it under words"
            return f"there is no set {name!r}", known
    for part in form.split(GAP):
        if not _has_word(_SET.sub("word", part)):
            return f"{form!r} has a part without a letter", f"write words before and after {GAP}"
        number = prod(len(words[name]) for name in _SET.findall(part))
        if number > MOST_WORDINGS:
            wrong = f"{form!r} stands for {number:,} wordings"
            return wrong, f"split it: at most {MOST_WORDINGS:,} in a part"
    return None


def _has_word(text: str) -> bool:
    return any(has_letters(word.folded) for word in words_of(text))
