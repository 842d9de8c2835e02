"""Looks for what may not go out, in single texts and in a written folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reviewkit.problems import Problem
from reviewkit.release.guard.addresses import addresses_in
from reviewkit.release.guard.codes import JOINED
from reviewkit.release.guard.names import NameFinder
from reviewkit.release.guard.sealed_texts import SealedTexts
from reviewkit.release.guard.unpacking import (
    CannotLookInside,
    Found,
    texts_behind,
    texts_in,
)
from reviewkit.release.reading import words_in

ITEMS = ("bank/groups/", "bank/axes.yaml")
"""Where the words of items stand in a publication."""
LEAVE_OUT = "leave it out"


@dataclass(frozen=True, slots=True)
class Piece:
    """One text that somebody wrote and that is to be published."""

    where: str
    text: str
    may_name: tuple[str, ...] = ()
    """The people who agreed to be named in it."""
    of_an_item: bool = False
    """Whether it is the text of an item: people in it are invented, and streets too."""
    remedy: str = ""
    """What to do where the text itself cannot be reworded."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What must not leave the project, ready to be sought."""

    sealed: SealedTexts
    names: NameFinder

    def faults_of(self, pieces: Iterable[Piece]) -> Iterator[Problem]:
        """Yield what is wrong with texts before anything is written, each fault once."""
        for piece in pieces:
            if piece.of_an_item:
                # nothing public counts as sealed, and the written file is read once more anyway
                kinds = addresses_in(piece.text, handles=False, streets=False)
                yield from (
                    Problem(piece.where, f"holds what looks like {kind}", LEAVE_OUT)
                    for kind in kinds
                )
                continue
            look = _Look(self, piece.where, piece.may_name, names=True, handles=True)
            for found in texts_behind(piece.text):
                look.at(found)
            yield from (
                Problem(each.where, each.wrong, piece.remedy or each.remedy) for each in look.faults
            )

    def faults_in(self, folder: Path, excused: dict[str, tuple[str, ...]]) -> Iterator[Problem]:
        """Yield what an attacker would find in a written folder, each fault once a file.

        Args:
            folder: What was written.
            excused: Path within the folder -> the people who agreed to be named in that file.
        """
        for path in sorted(folder.rglob("*")):
            shown = path.relative_to(folder).as_posix()
            name = _Look(self, f"the name of {shown}", addresses=False)
            for found in texts_behind(shown):
                name.at(found)
            yield from name.faults
            if path.is_file():
                yield from self.faults_of_file(shown, path.read_bytes(), excused.get(shown, ()))

    def faults_of_file(
        self, shown: str, raw: bytes, may_name: tuple[str, ...] = ()
    ) -> tuple[Problem, ...]:
        """Return what an attacker would find in one file."""
        # people in items are invented; whatever else stands in these files was looked at before
        items = shown.startswith(ITEMS)
        look = _Look(self, shown, may_name, names=not items, addresses=not items)
        try:
            for each in texts_in(raw, shown):
                look.at(each)
        except CannotLookInside as refused:
            wrong, _, remedy = str(refused).rpartition("; ")
            look.faults[Problem(shown, wrong.removeprefix(f"{shown} "), remedy)] = None
        return tuple(look.faults)


@dataclass(slots=True)
class _Look:
    """One look at every reading of one text or file."""

    guard: Guard
    where: str
    may_name: tuple[str, ...] = ()
    names: bool = True
    addresses: bool = True
    handles: bool = False
    faults: dict[Problem, None] = field(default_factory=dict[Problem, None])
    _seen: set[int] = field(default_factory=set[int])
    _told: set[str] = field(default_factory=set[str])

    def at(self, found: Found) -> None:
        """Look at one reading; words that another reading had as well are looked at once."""
        wrapped = f" (behind {', '.join(found.way)})" if found.way else ""
        words = words_in(found.text)
        key = hash(tuple(words))
        if key not in self._seen:
            self._seen.add(key)
            self._words(words, found.text, wrapped)
        if self.addresses:
            numbers = JOINED not in found.way
            for kind in addresses_in(found.text, handles=self.handles, numbers=numbers):
                self._tell(f"holds what looks like {kind}", wrapped, LEAVE_OUT)

    def _words(self, words: list[str], text: str, wrapped: str) -> None:
        group = self.guard.sealed.group_in(words)
        if group is not None:
            remedy = "name the group by its identifier and leave its words out"
            self._tell(f"holds words of the sealed group {group}", wrapped, remedy)
        if not self.names:
            return
        name = self.guard.names.name_in(words, self.may_name, text)
        if name is not None:
            remedy = (
                "say what was decided and not by whom, or use the person's role; a name that is"
                " a word here is left out of the search with `--word`"
            )
            self._tell(f"names {name}", wrapped, remedy)

    def _tell(self, wrong: str, wrapped: str, remedy: str) -> None:
        """Keep a fault once, with the plainest way to it: other readings show the same again."""
        if wrong not in self._told:
            self._told.add(wrong)
            self.faults[Problem(self.where, f"{wrong}{wrapped}", remedy)] = None
