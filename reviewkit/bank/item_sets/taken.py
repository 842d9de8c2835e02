"""What came of a file: groups with the rows they were made of, and rows left out with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from reviewkit.bank.items import Group
from reviewkit.problems import ProblemsFound
from reviewkit.sources import Source, build

TARGET_NOT_GIVEN = "target not given"
"""What notes say where a set does not tell whom a stereotype is about."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One row that is in no group."""

    where: str
    """``file:line``."""
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: left out: {self.reason}"


@dataclass(frozen=True, slots=True)
class Made:
    """A group and the rows that it was made of."""

    group: Group
    rows: tuple[str, ...]


@dataclass(slots=True)
class Gathered:
    """What a reader of one set fills, row by row."""

    made: list[Made] = field(default_factory=list["Made"])
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])
    said: list[str] = field(default_factory=list[str])

    def leave_out(self, rows: Iterable[str], reason: str) -> None:
        """Note rows that are in no group, all for one reason."""
        self.left_out += (LeftOut(where, reason) for where in rows)

    def make(self, rows: Iterable[str], fields: dict[str, Any], shown: str) -> None:
        """Add the group of these fields, or leave its rows out with what is wrong."""
        rows = tuple(rows)
        try:
            group = build(Source(shown, fields, {(): 1}), Group)
        except ProblemsFound as found:
            first = found.problems[0]
            place = first.where.partition(" ")[2]
            self.leave_out(rows, f"{place} {first.wrong}; {first.remedy}".strip())
        except ValidationError as error:  # pragma: no cover - build turns them into problems
            raise AssertionError from error
        else:
            self.made.append(Made(group.placed_in(shown), rows))


@dataclass(frozen=True, slots=True)
class Taken:
    """What reading one item set came to."""

    name: str
    """The set: ``crows-pairs``."""
    title: str
    groups: tuple[Group, ...]
    left_out: tuple[LeftOut, ...]
    """Every row that is in no group, in order of the file."""
    said: tuple[str, ...]
    """What was understood, in sentences for the person who imports."""
    rows: int
    """Rows read; each is in a group or left out."""
    kept: int
    """Rows that are in a group."""


def as_id(*parts: str) -> str:
    """Return an id of these parts; what an id cannot hold becomes a hyphen."""
    joined = "-".join(part for part in parts if part)
    return re.sub(r"[^A-Za-z0-9._-]+", "-", joined).strip("-._")[:100] or "X"


def as_code(text: str) -> str:
    """Return a published word as a code of ours: small letters, hyphens."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.strip().casefold()).strip("-_")


def notes_of(*facts: str) -> str:
    """Return facts as the notes of a group or item, blank ones left out."""
    return "; ".join(fact for fact in facts if fact)
