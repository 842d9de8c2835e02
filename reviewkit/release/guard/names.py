"""The people of a project: whose names stand in its files, and whether a text names one of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from reviewkit.bank import Bank
from reviewkit.bank.folding import ARTICLE, CONJUNCTIONS, LI_AND_ARTICLE, PREPOSITIONS
from reviewkit.decisions.retirements import retired
from reviewkit.release.reading import words_in
from reviewkit.release.waivers import load_waivers
from reviewkit.rulings import RulingsLog
from reviewkit.sources import load_yaml
from reviewkit.study import Study, list_studies, load_study
from reviewkit.study.names import folded_name
from reviewkit.study.study import LEAD, NOT_A_PASS
from reviewkit.workspace import Workspace

ROLES_FILE = Path(__file__).parent / "roles.yaml"
_SMALL_THEN_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BEFORE_ARABIC = tuple(
    conjunction + preposition
    for conjunction in ("", *CONJUNCTIONS)
    for preposition in ("", *PREPOSITIONS)
)
"""Particles, which are written as one with the word they stand before."""
_MAQSURA = re.compile("\u0649[\u0640\u064b-\u0655\u0670]*(?!\\w)")
_CHAINS_WITH_NAMES = ("name", "author", "rater", "by", "reviewer")


@cache
def role_words() -> frozenset[str]:
    """Return the words that name a role, as they are read; the file with them can be added to."""
    languages = load_yaml(ROLES_FILE, ROLES_FILE.name).value
    return frozenset(
        read for words in languages.values() for word in words for read in words_in(word)
    )


def is_role(name: str) -> bool:
    """Return whether a name is made of role words, numbers and single letters alone."""
    return all(
        word in role_words() or word.isdecimal() or len(word) == 1 for word in words_in(name)
    )


class NameFinder:
    """Tells whether a text names somebody, as whole words in any spelling.

    A name of several words is found with anything but letters between them, or nothing; each word
    of it is found alone when it has three letters and names no role.

    Args:
        names: The names to seek.
        words: Names that are words as well, ``mark`` or ``will``: these are not sought alone.
    """

    def __init__(self, names: Iterable[str], words: Iterable[str] = ()) -> None:
        self._words = {tuple(words_in(word)) for word in words}
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._dotted: set[str] = set()
        """Names with a yeh at an end: ``علي`` is a name, and ``على`` a word of every text."""
        for name in sorted(set(names)):
            if not is_role(name):
                self._take(name)

    def _take(self, name: str) -> None:
        words = words_in(name)
        if any(word.endswith("\u064a") for word in words) and not _MAQSURA.search(name):
            self._dotted.add(name)
        apart = words_in(_SMALL_THEN_CAPITAL.sub(" ", name))
        forms = {tuple(words), tuple(apart), ("".join(words),)}
        if len(apart) > 1:
            forms |= {(word,) for word in apart if len(word) > 2 and word not in role_words()}
        for form in forms - self._words:
            for first in _with_particles(form[0]):
                self._by_first.setdefault(first, []).append(((first, *form[1:]), name))

    def name_in(self, words: Sequence[str], but: Iterable[str] = (), text: str = "") -> str | None:
        """Return a name that the words of a text hold, other than those in ``but``; or None.

        The text itself tells a yeh from the alef maqsura that the words are read with.
        """
        if self._by_first.keys().isdisjoint(words):
            return None
        excused = set(but)
        unlike: set[str] | None = None
        for name in self._names_in(words):
            if name in excused:
                continue
            if name in self._dotted and _MAQSURA.search(text):
                if unlike is None:
                    unlike = set(self._names_in(words_in(_MAQSURA.sub("", text))))
                if name not in unlike:
                    continue
            return name
        return None

    def _names_in(self, words: Sequence[str]) -> Iterator[str]:
        for at, word in enumerate(words):
            for form, name in self._by_first.get(word, ()):
                if tuple(words[at : at + len(form)]) == form:
                    yield name


def _with_particles(word: str) -> list[str]:
    """Return a word as it stands and, when it is Arabic, behind every particle."""
    if not "\u0600" <= word[0] <= "\u06ff":
        return [word]
    with_article = (
        [conjunction + LI_AND_ARTICLE + word[len(ARTICLE) :] for conjunction in ("", *CONJUNCTIONS)]
        if word.startswith(ARTICLE) and len(word) > len(ARTICLE)
        else []
    )
    return [before + word for before in _BEFORE_ARABIC] + with_article


def people_named(ws: Workspace, bank: Bank) -> frozenset[str]:
    """Return everybody whose name stands in the files of a project.

    Raises ProblemsFound when a study or the waivers cannot be read, LedgerBroken when a log is
    damaged.
    """
    found: set[str] = set()
    for name in list_studies(ws):
        study = load_study(ws, name)
        found |= {each.rater for round_ in study.rounds for each in round_.passes}
        found |= _on_disk(ws, name)
        if study.adjudication is not None:
            found.add(study.adjudication.adjudicator)
    log = RulingsLog.of(ws)
    found |= {each.author for each in log.all()}
    found |= {each.name for each in load_waivers(ws)}
    found |= {each.verified_by for each in bank.registry.entries if each.verified_by}
    found |= {each.name for each in retired(ws)}
    found |= _in_other_chains(ws)
    for group in bank.groups:
        found |= {*group.reviewers, *(name for item in group.items for name in item.reviewers)}
    return frozenset(found - {"", *NOT_A_PASS})


def _on_disk(ws: Workspace, study: str) -> set[str]:
    """Return whose ledgers lie in a study: somebody may have left the study file since."""
    folder = ws.study_folder(study)
    return {path.stem for path in folder.glob("*/*.jsonl")}


def _in_other_chains(ws: Workspace) -> set[str]:
    """Return the names in chains that lie beside the ledgers of raters: editions, acts, freezes."""
    found: set[str] = set()
    for path in (*ws.rulings.glob("*/*.jsonl"), *ws.rulings.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            # whether a chain is sound is asked elsewhere; here a torn line still tells its names
            with suppress(ValueError):
                fields = json.loads(line)
                values = (fields.get(key) for key in _CHAINS_WITH_NAMES)
                found |= {value for value in values if isinstance(value, str)}
    return found


def passes_outside(study: Study, names: NameFinder) -> dict[str, str]:
    """Return every pass of a study and what it is called outside.

    A pass that is called after somebody of the study, or names anybody whom ``names`` knows, is
    ``pass-1`` and so on, in the order of the study file; another keeps its name.
    """
    people = [folded_name(name) for pass_, name in study.people if pass_ != LEAD]
    every = [each.pass_ for round_ in study.rounds for each in round_.passes]
    called = [
        name
        for name in every
        if any(person in folded_name(name) for person in people)
        or names.name_in(words_in(name)) is not None
    ]
    kept = {folded_name(name) for name in every if name not in called}
    numbered = (f"pass-{number}" for number in range(1, 2 * len(every) + 1))
    free = (name for name in numbered if name not in kept)
    return {name: next(free) if name in called else name for name in every}
