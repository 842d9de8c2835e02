"""What was read, with the line of every part of it, and a way to gather faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from reviewkit.problems import Problem, ProblemsFound

P = ParamSpec("P")
T = TypeVar("T")

Loc = tuple[str | int, ...]
"""A place inside a file: ``("checks", 1, "nature")``."""


def show_loc(loc: Loc) -> str:
    """Return a place as messages name it: ``checks[1].nature``; indexes count from 0."""
    shown = ""
    for part in loc:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            shown += f".{part}" if shown else part
    return shown


@dataclass(frozen=True, slots=True)
class Source:
    """One document as read: its value, in which every scalar is text, and its lines."""

    path_shown: str
    value: Any
    """Text, or lists and mappings of the same."""
    lines: Mapping[Loc, int]
    """Line of every known place, counted from 1; holds at least the root ``()``."""

    def line(self, loc: Loc = ()) -> int:
        """Return the line of ``loc``, or of its nearest known ancestor."""
        for length in range(len(loc), -1, -1):
            if (found := self.lines.get(loc[:length])) is not None:
                return found
        return 1

    def where(self, loc: Loc = ()) -> str:
        """Return ``file:line place``, the form in which every problem names a place."""
        return f"{self.path_shown}:{self.line(loc)} {show_loc(loc)}".rstrip()

    def problem(self, loc: Loc, wrong: str, remedy: str) -> Problem:
        """Return a problem at ``loc``."""
        return Problem(self.where(loc), wrong, remedy)


class ReadFaults(ProblemsFound):
    """Faults of one file that could still be read to its end."""

    def __init__(self, problems: Iterable[Problem], partial: Source | None) -> None:
        self.partial = partial
        """What was read, to look for further faults in; None where it would mislead."""
        super().__init__(problems)


_LINE = re.compile(r"^(.*?):(\d+)(?= |$)")


class Gathering:
    """Faults found so far by a block under ``collect``."""

    def __init__(self) -> None:
        self._problems: dict[Problem, tuple[int, int]] = {}
        self._files: dict[str, int] = {}

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem added so far, each once: files as they came, each in order of lines."""
        return tuple(sorted(self._problems, key=lambda problem: self._problems[problem]))

    def add(self, problems: Iterable[Problem]) -> None:
        """Keep problems; one that is already kept stays once."""
        for problem in problems:
            found = _LINE.match(problem.where)
            name, line = (found.group(1), int(found.group(2))) if found else (problem.where, 0)
            file = self._files.setdefault(name, len(self._files))
            self._problems.setdefault(problem, (file, line))

    def read(self, load: Callable[[Path, str], Source], path: Path, shown: str) -> Source | None:
        """Return what a file holds, even where it has faults, as long as it could be read.

        The faults are kept, so the block raises in the end and nothing half read gets out.
        """
        try:
            return load(path, shown)
        except ReadFaults as found:
            self.add(found.problems)
            return found.partial
        except ProblemsFound as found:
            self.add(found.problems)
            return None

    def attempt(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return what the call returns, or keep the problems it raises and return None."""
        try:
            return call(*args, **kwargs)
        except ProblemsFound as found:
            self.add(found.problems)
            return None


@contextmanager
def collect() -> Generator[Gathering]:
    """Gather the problems of many files; leaving the block raises all of them at once.

    ``with collect() as faults: ... faults.read(load_yaml, path, shown) ... faults.add([...])``
    """
    faults = Gathering()
    try:
        yield faults
    except ProblemsFound as found:
        faults.add(found.problems)
    if faults.problems:
        raise ProblemsFound(faults.problems)
