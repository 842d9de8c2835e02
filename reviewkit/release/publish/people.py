"""The people of a project: their names, their pseudonyms, and whether a text names one.

Pseudonyms are numbered in an order that a secret of the project decides, so that somebody who knows
the team cannot work out who is who. The secret lies in ``.reviewkit/``, beside the hashes of the
links, and is in no publication; without it the next publication numbers people anew.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reviewkit.bank import Bank
from reviewkit.bank.folding import ARTICLE, CONJUNCTIONS, LI_AND_ARTICLE, PREPOSITIONS
from reviewkit.decisions import disk
from reviewkit.decisions.retirements import retired
from reviewkit.labels import pseudonyms
from reviewkit.release.freeze.log import freeze_chain
from reviewkit.release.reading import words_in
from reviewkit.release.waivers import load_waivers
from reviewkit.rulings import RulingsLog
from reviewkit.sources import load_yaml
from reviewkit.study import Study, list_studies, load_study
from reviewkit.study.study import NOT_A_PASS
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


@dataclass(frozen=True)
class People:
    """Everybody whose name stands in the files of a project, and what each is called outside."""

    raters: Mapping[str, Mapping[str, str]]
    """Study -> rater -> pseudonym within this study."""
    others: Mapping[str, str]
    """Anybody -> pseudonym across the project: who filed a ruling, waived, verified, froze."""
    passes: Mapping[str, str]
    """A pass that is called after somebody -> what it is called outside."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of a person; the lead and the adjudicator as such are none."""
        return tuple(sorted(self.others.keys() - set(NOT_A_PASS)))

    @property
    def not_sought(self) -> tuple[str, ...]:
        """The names that are no more than a role, and so are not looked for."""
        return tuple(name for name in self.names if is_role(name))

    def without_passes(self, text: str) -> str:
        """Return a text in which passes that are called after people have other names."""
        for name, said in self.passes.items():
            text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", said, text)
        return text

    def veiled(self, name: str) -> str:
        """Return the project-wide pseudonym of somebody; nobody stays nobody."""
        return self.others[name] if name else ""


def people_of(ws: Workspace, bank: Bank) -> People:
    """Return everybody, and make the secret of the project if it has none.

    Raises ProblemsFound when a study or the waivers cannot be read, LedgerBroken when a log is
    damaged.
    """
    secret = _secret(ws)
    raters: dict[str, Mapping[str, str]] = {}
    everybody: set[str] = set()
    passes: set[str] = set()
    for name in list_studies(ws):
        study = load_study(ws, name)
        first = [each.rater for each in study.rounds[0].passes]
        every = _raters(study)
        later = [each for each in every if each not in first]
        raters[name] = pseudonyms(first, study=name, seed=secret, later=later)
        everybody |= set(every) | _on_disk(ws, name)
        passes |= {each.pass_ for round_ in study.rounds for each in round_.passes}
        if study.adjudication is not None:
            everybody.add(study.adjudication.adjudicator)
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log))
    everybody |= {each.author for each in log.all()}
    everybody |= {each.name for each in load_waivers(ws)}
    everybody |= {each.verified_by for each in bank.registry.entries if each.verified_by}
    everybody |= {each.name for each in retired(ws)}
    everybody |= {each.name for each in freeze_chain(ws).lines()}
    everybody |= _in_other_chains(ws)
    for group in bank.groups:
        everybody |= {*group.reviewers, *(name for item in group.items for name in item.reviewers)}
    everybody -= {"", *NOT_A_PASS}
    numbered = pseudonyms(everybody, study="", seed=secret)
    others = {name: said.replace("rater", "person") for name, said in numbered.items()}
    others |= {each: each for each in NOT_A_PASS}
    finder = NameFinder(everybody)
    called = {name for name in passes if finder.name_in(words_in(name)) is not None}
    renamed = pseudonyms(called, study="passes", seed=secret)
    return People(
        raters, others, {name: said.replace("rater", "pass") for name, said in renamed.items()}
    )


def _raters(study: Study) -> list[str]:
    return [each.rater for round_ in study.rounds for each in round_.passes]


def _on_disk(ws: Workspace, study: str) -> set[str]:
    """Return whose ledgers lie in a study: somebody may have left the study file since."""
    folder = ws.study_folder(study)
    return {path.stem for path in folder.glob("*/*.jsonl")}


def _in_other_chains(ws: Workspace) -> set[str]:
    """Return the names in chains that lie beside the ledgers of raters: editions, acts, books."""
    found: set[str] = set()
    for path in (*ws.rulings.glob("*/*.jsonl"), *ws.rulings.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            # whether a chain is sound is asked elsewhere; here a torn line still tells its names
            with suppress(ValueError):
                fields = json.loads(line)
                values = (fields.get(key) for key in _CHAINS_WITH_NAMES)
                found |= {value for value in values if isinstance(value, str)}
    return found


def _secret(ws: Workspace) -> str:
    """Return the secret of the project; the first call makes it."""
    path = ws.pseudonym_key
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        pass
    disk.make_folder(path.parent)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32) + "\n")
        file.flush()
        os.fsync(file.fileno())
    # whole or not at all, and never over one that somebody made meanwhile
    with suppress(FileExistsError):
        path.hardlink_to(part)
    part.unlink()
    disk.sync_folder(path.parent)
    return path.read_text(encoding="ascii").strip()
