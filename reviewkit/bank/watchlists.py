"""Frozen lists of terms, read from ``bank/watchlists/``, and where their terms stand in a text.

A term is found whatever its spelling (``bank.folding``) and with what Arabic attaches to a word. A
match always covers whole words, and its offsets count code points of the text exactly as stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, cast

from pydantic import Field, StringConstraints

from reviewkit.bank.folding import (
    ARTICLE,
    Reading,
    Word,
    before_pronoun,
    has_letters,
    readings,
    words_of,
)
from reviewkit.bank.items import Frozen, Some, Tag, Written
from reviewkit.bank.taxonomy import Wording
from reviewkit.digests import digest_of
from reviewkit.problems import Problem, ReviewkitError
from reviewkit.sources import Gathering, Loc, Source, build, collect, load_yaml
from reviewkit.workspace import Workspace

TermClass = Literal["neutral", "loaded_a", "loaded_b", "proper_name", "other"]
Phrase = Annotated[Written, StringConstraints(min_length=1, strip_whitespace=True)]


class UnknownWatchlist(ReviewkitError):
    """A watchlist that no file in ``bank/watchlists/`` holds."""


class Term(Frozen):
    """One term, its class, and other written forms of it."""

    term: Phrase
    term_class: TermClass
    note: Written | None = None
    also: tuple[Phrase, ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """The term and its other written forms."""
        return (self.term, *self.also)


# Patterns ----------------------------------------------------------------------------------------


class _Piece(NamedTuple):
    """One word or sign of a term."""

    alone: str
    joined: tuple[str, ...]
    """How it is read before a pronoun."""
    spaced: bool

    def is_read_in(self, reading: Reading) -> bool:
        return reading.stem in self.joined if reading.has_pronoun else reading.stem == self.alone


class _Pattern(NamedTuple):
    """One written form of a term."""

    term: Term
    pieces: tuple[_Piece, ...]

    def attached(self, words: Sequence[Word]) -> int | None:
        """Return how many letters the words have beyond the term's, None when they are not it."""
        pieces = self.pieces
        if len(words) < len(pieces) or any(
            word.spaced != piece.spaced for word, piece in zip(words[1:], pieces[1:], strict=False)
        ):
            return None
        last = len(pieces) - 1
        ways = [self._attached(words, last)]
        if last and all(word.folded.startswith(ARTICLE) for word in words[1:]):
            ways.append(self._attached(words, 0))  # إبادتها البيئية
        return min((way for way in ways if way is not None), default=None)

    def _attached(self, words: Sequence[Word], pronoun_at: int) -> int | None:
        total = 0
        for at, (piece, word) in enumerate(zip(self.pieces, words, strict=False)):
            fitting = [
                reading.attached
                for reading in readings(word.folded)
                if piece.is_read_in(reading)
                and (at == 0 or reading.before in ("", ARTICLE))
                and (at == pronoun_at or not reading.has_pronoun)
            ]
            if not fitting:
                return None
            total += min(fitting)
        return total


def _pieces(form: str) -> tuple[_Piece, ...]:
    return tuple(
        _Piece(word.folded, before_pronoun(form[word.start : word.end]), word.spaced and at > 0)
        for at, word in enumerate(words_of(form))
    )


class Watchlist(Frozen):
    """One edition of a watchlist."""

    name: Tag = Field(alias="watchlist")
    edition: Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]*$")]
    language: Tag
    title: Wording
    terms: Some[Term]

    @property
    def full_name(self) -> str:
        """How a study names this edition: ``marsh@1``."""
        return f"{self.name}@{self.edition}"

    @cached_property
    def digest(self) -> str:
        """The digest of all that decides what is found; title, notes and order are not part."""
        terms = [
            {"term": each.term, "term_class": each.term_class, "also": sorted(each.also)}
            for each in self.terms
        ]
        return digest_of(
            {
                "watchlist": self.name,
                "edition": self.edition,
                "terms": sorted(terms, key=lambda entry: str(entry["term"])),
            }
        )

    @cached_property
    def patterns(self) -> dict[str, tuple[_Pattern, ...]]:
        """Every written form, by the stems that its first word can be met as; made once."""
        by_stem: dict[str, list[_Pattern]] = {}
        for term in self.terms:
            for form in term.forms:
                pattern = _Pattern(term, _pieces(form))
                for stem in {pattern.pieces[0].alone, *pattern.pieces[0].joined}:
                    by_stem.setdefault(stem, []).append(pattern)
        return {stem: tuple(patterns) for stem, patterns in by_stem.items()}


# Finding -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """Where a term stands: the words ``text[start:end]``, clitics included."""

    start: int
    end: int
    term: str
    """The term as the watchlist writes it, whatever form was met."""
    term_class: TermClass


@lru_cache(maxsize=16384)
def stems_of(folded: str) -> frozenset[str]:
    """Return every stem that a folded word may be read as."""
    return frozenset(reading.stem for reading in readings(folded))


def find_terms(text: str, watchlist: Watchlist) -> tuple[Match, ...]:
    """Return where the terms of ``watchlist`` stand in ``text``, in order and never overlapping.

    Where two could stand, the longer one does, then the one that begins first, then the one with
    fewer letters attached. Length is counted on the folded words, so spelling decides nothing.
    """
    return find_in_words(tuple(words_of(text)), watchlist)


def find_in_words(words: Sequence[Word], watchlist: Watchlist) -> tuple[Match, ...]:
    """Return what ``find_terms`` does, of a text that is cut into its words already."""
    patterns = watchlist.patterns
    found: list[tuple[int, int, int, int, Term]] = []
    for first, word in enumerate(words):
        for stem in stems_of(word.folded) & patterns.keys():
            for pattern in patterns[stem]:
                behind = first + len(pattern.pieces)
                attached = pattern.attached(words[first:behind])
                if attached is not None:
                    length = sum(len(each.folded) for each in words[first:behind])
                    found.append((-length, first, attached, behind, pattern.term))
    taken: set[int] = set()
    matches: list[Match] = []
    for _, first, _, behind, term in sorted(found, key=lambda each: (*each[:4], each[4].term)):
        if taken.isdisjoint(range(first, behind)):
            taken.update(range(first, behind))
            start, end = words[first].start, words[behind - 1].end
            matches.append(Match(start, end, term.term, term.term_class))
    return tuple(sorted(matches))


# Loading -----------------------------------------------------------------------------------------


def load_watchlist(ws: Workspace, name: str) -> Watchlist:
    """Return one edition, e.g. ``marsh@1``; the file that holds it may have any name.

    A file at fault that holds another edition does not matter.

    Raises:
        UnknownWatchlist: No file holds it; the sentence lists what there is.
        ProblemsFound: With every fault of its file, or of the files that could be it.
    """
    read = _read_all(ws)
    holding = [each for each in read if each.full_name == name]
    if holding:
        return _built(holding)[0]
    if any(each.could_be_any for each in read):
        _built([each for each in read if each.could_be_any])
    known = ", ".join(sorted({each.full_name for each in read}))
    remedy = f"use one of {known}" if known else "put it there as a .yaml file"
    raise UnknownWatchlist(f"there is no watchlist {name!r} in {_shown_folder(ws)}/; {remedy}")


def load_watchlists(ws: Workspace) -> tuple[Watchlist, ...]:
    """Return every edition, in order of name and edition; ProblemsFound tells of every file."""
    found = _built(_read_all(ws))
    return tuple(sorted(found, key=lambda each: (each.name, int(each.edition))))


@dataclass(frozen=True, slots=True)
class _ReadFile:
    """A file of the folder as far as it could be read."""

    source: Source | None
    problems: tuple[Problem, ...]

    @property
    def full_name(self) -> str:
        """Name and edition, empty when the file does not tell them."""
        value = self.source.value if self.source else {}
        name, edition = value.get("watchlist"), value.get("edition")
        told = isinstance(name, str) and isinstance(edition, str) and name and edition
        return f"{name}@{edition}" if told else ""

    @property
    def could_be_any(self) -> bool:
        """Whether nobody can tell which edition the file holds."""
        return not self.full_name


def _folder(ws: Workspace) -> Path:
    return ws.bank / "watchlists"


def _shown_folder(ws: Workspace) -> str:
    return ws.shown(_folder(ws))


def _read_all(ws: Workspace) -> list[_ReadFile]:
    folder = _folder(ws)
    read: list[_ReadFile] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name.startswith(".") or path.suffix.lower() not in (".yaml", ".yml"):
            continue
        faults = Gathering()
        source = faults.read(load_yaml, path, ws.shown(path))
        if path.suffix != ".yaml":
            wrong = "is not read, because watchlists end in .yaml"
            faults.add([Problem(ws.shown(path), wrong, f"rename it to {path.stem}.yaml")])
        read.append(_ReadFile(source, faults.problems))
    return read


def _built(files: Sequence[_ReadFile]) -> list[Watchlist]:
    """Return the watchlists of files; raises with every fault of all of them."""
    built: list[Watchlist] = []
    holders: dict[str, Source] = {}
    with collect() as faults:
        for file in files:
            faults.add(file.problems)
            if (source := file.source) is None:
                continue
            faults.add(_faults_between(source))
            watchlist = faults.attempt(build, source, Watchlist)
            first = holders.setdefault(file.full_name, source)
            if file.full_name and first is not source:
                wrong = f"{file.full_name} stands in {first.where(('edition',))} too"
                faults.add([source.problem(("edition",), wrong, "give one a new edition")])
            if watchlist is not None:
                built.append(watchlist)
    return built


def _faults_between(source: Source) -> Iterator[Problem]:
    """Yield what is wrong with terms beside one another.

    Works on the text as read, so that other faults hide none.
    """
    first: dict[tuple[tuple[str, bool], ...], tuple[int, Loc, str, object]] = {}
    for entry, loc, form, term_class in _forms_in(source):
        key = tuple((piece.alone, piece.spaced) for piece in _pieces(form))
        if not any(has_letters(read) for read, _ in key):
            if form.strip():
                wrong = f"{form!r} has no letter and no digit"
                yield source.problem(loc, wrong, "write a word")
            continue
        if key not in first:
            first[key] = (entry, loc, form, term_class)
            continue
        other_entry, other_loc, other_form, other_class = first[key]
        if entry == other_entry and form != other_form:
            continue  # two spellings of one term that are read alike: needless, and right
        where = source.where(other_loc)
        same = "" if form == other_form else f" as {other_form!r}, which is read alike,"
        if entry != other_entry and term_class != other_class:
            wrong = f"{form!r} is {term_class} here and{same} {other_class} at {where}"
            yield source.problem(loc, wrong, "keep it in one class")
        else:
            wrong = f"{form!r} stands{same} at {where} already"
            yield source.problem(loc, wrong, "keep one of the two")


def _forms_in(source: Source) -> Iterator[tuple[int, Loc, str, object]]:
    """Yield every written form: entry, place, text, class."""
    listed = source.value.get("terms")
    for at, entry in enumerate(cast("list[Any]", listed) if isinstance(listed, list) else []):
        if not isinstance(entry, dict):
            continue
        fields = cast("dict[str, Any]", entry)
        term_class = fields.get("term_class")
        if isinstance(fields.get("term"), str):
            yield at, ("terms", at, "term"), fields["term"], term_class
        also = fields.get("also")
        for place, form in enumerate(cast("list[Any]", also) if isinstance(also, list) else []):
            if isinstance(form, str):
                yield at, ("terms", at, "also", place), form, term_class
