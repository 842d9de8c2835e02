"""How a project speaks to the outside: the guard over it, and passes and notices told there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from reviewkit.bank import Bank, Group, load_group
from reviewkit.decisions.retirements import retired
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.guard.looking import Guard, Piece
from reviewkit.release.guard.names import NameFinder, passes_outside
from reviewkit.release.guard.sealed_texts import SealedTexts
from reviewkit.release.layers import Layers
from reviewkit.study import Study
from reviewkit.workspace import Workspace


def guard_of(
    ws: Workspace, bank: Bank, layers: Layers, names: Iterable[str], *,
    public: Iterable[Group] | None = None, words: Iterable[str] = (),
) -> Guard:  # fmt: skip
    """Return the guard over a project.

    Args:
        ws: The project folder.
        bank: Its bank.
        layers: Which groups are sealed.
        names: Everybody who may not be named.
        public: The groups whose texts are published; all that are not sealed when not given.
        words: Names that are words as well, and so are not sought.

    Raises ProblemsFound when the file of a retired, sealed group cannot be read.
    """
    shut = [group for group in bank.groups if group.template_id in layers.sealed]
    if public is None:
        public = [group for group in bank.groups if group.template_id in layers.public]
    known = [text for texts in bank.taxonomy.cannot_be_determined.values() for text in texts]
    sealed = SealedTexts((*shut, *_gone(ws, bank, layers)), public, known)
    return Guard(sealed, NameFinder(names, words))


def _gone(ws: Workspace, bank: Bank, layers: Layers) -> list[Group]:
    """Return the groups that were sealed and have left the bank."""
    found: list[Group] = []
    problems: list[Problem] = []
    for each in retired(ws):
        if layers.gone.get(each.template_id) == "sealed":
            path = ws.root / each.kept_in
            try:
                found += load_group(path, ws.shown(path), bank.taxonomy)
            except ProblemsFound as faults:
                problems += faults.problems
    if problems:
        raise ProblemsFound(problems)
    return found


@dataclass(frozen=True, slots=True)
class Outside:
    """How passes are called and notices are told where nobody may be named."""

    guard: Guard
    _passes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def passes(self, study: Study) -> dict[str, str]:
        """Return every pass of a study and what it is called outside."""
        if study.study not in self._passes:
            self._passes[study.study] = passes_outside(study, self.guard.names)
        return self._passes[study.study]

    def notice(self, study: Study, notice: str) -> str:
        """Return a notice with passes as they are called outside.

        The reason in it stands in a record that nobody can reword, so one that names somebody or
        gives away what is sealed is kept back.
        """
        for name, said in self.passes(study).items():
            if name != said:
                notice = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", said, notice)
        if next(self.guard.faults_of([Piece("", notice)]), None) is None:
            return notice
        return f"{notice.partition(': ')[0]}; the reason is kept back."
