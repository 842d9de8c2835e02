"""What an instantiation has done and what is open, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reviewkit.agreement.reporting.blocks import (
    Block,
    Grid,
    Heading,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
)
from reviewkit.authoring.families import load_families
from reviewkit.authoring.worklist import worklist
from reviewkit.bank.instantiation import (
    PARTS,
    Entry,
    Instantiation,
    Part,
    load_instantiation,
)
from reviewkit.bank.taxonomy import in_english
from reviewkit.problems import ReviewkitError
from reviewkit.release.audit import audit_of
from reviewkit.release.instantiation.decided import DECIDED
from reviewkit.release.instantiation.kept import KEPT
from reviewkit.release.instantiation.rebuilt import REBUILT
from reviewkit.release.instantiation.told import NOT_TOLD, Project, Told, counted, named
from reviewkit.release.material import read_material
from reviewkit.release.waivers import load_waivers
from reviewkit.workspace import Workspace, find_workspace

State = Literal["done", "open", "changed", "contradicted"]
"""``changed``: kept in name only. ``contradicted``: ticked as done, and the files say otherwise."""

JUDGED = frozenset({"accepted", "needs_fix", "rejected", "changed"})
"""States of a group on which a verdict may be read."""

TOLD: Mapping[str, Mapping[str, Callable[[Project], Told]]] = {
    "kept": KEPT,
    "rebuilt": REBUILT,
    "decided": DECIDED,
}
_TITLES = {
    "kept": "Kept unchanged",
    "rebuilt": "Rebuilt for this society",
    "decided": "Decided and published before any run",
}


class NoInstantiation(ReviewkitError):
    """The project has no checklist."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry and where it stands."""

    part: Part
    entry: Entry
    state: State
    said: str
    """What the files tell of it, and what was answered."""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to do or to say."""
        return self.state in ("open", "contradicted") or (
            self.state == "changed" and self.entry.state == "open"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Listing:
    """The checklist of a project, measured."""

    instantiation: Instantiation
    lines: tuple[Line, ...]
    families: Mapping[str, int]
    """Family of defects -> in how many groups the reviews met it so far."""
    known_families: int
    """How many families there are."""
    judged: bool
    """Whether there is a verdict that may be read."""

    @property
    def open(self) -> tuple[Line, ...]:
        """The entries that are still open."""
        return tuple(line for line in self.lines if line.is_open)

    @property
    def changed(self) -> tuple[Line, ...]:
        """The entries that are to be kept and are not."""
        return tuple(line for line in self.lines if line.state == "changed")

    def line(self, entry_id: str) -> Line:
        """Return the line of an entry; KeyError when there is none."""
        for line in self.lines:
            if line.entry.id == entry_id:
                return line
        raise KeyError(entry_id)

    @property
    def headline(self) -> str:
        """How much is open, in one sentence."""
        done = len(self.lines) - len(self.open)
        return f"{self.instantiation.name}: {done} of {len(self.lines)} entries stand."

    @property
    def expected(self) -> str:
        """What of the defects that recur everywhere was met here, in one sentence."""
        known = f"the {self.known_families} families of defects"
        if not self.judged:
            return f"Nothing is reviewed yet. Expect to meet most of {known}."
        if not self.families:
            return f"The reviews report none of {known}: who finds none has probably not looked."
        met = named(f"{name} ({counted(n, 'group')})" for name, n in self.families.items())
        return f"The reviews met {len(self.families)} of {known}: {met}."

    def __repr__(self) -> str:
        return f"<instantiation {self.headline}>"

    def _repr_markdown_(self) -> str:
        return self.as_markdown()

    def as_text(self) -> str:
        """Return the listing for a terminal."""
        return blocks_as_text(self._blocks())

    def as_markdown(self) -> str:
        """Return the listing as Markdown."""
        return blocks_as_markdown(self._blocks())

    def as_json(self) -> dict[str, Any]:
        """Return the listing for a script."""
        return {
            "instantiation": self.instantiation.name,
            "open": [line.entry.id for line in self.open],
            "changed": [line.entry.id for line in self.changed],
            "expected": {"families": dict(self.families), "said": self.expected},
            "entries": [
                {
                    "part": line.part,
                    "id": line.entry.id,
                    "title": line.entry.title,
                    "state": line.state,
                    "open": line.is_open,
                    "said": line.said,
                    "file": line.entry.file,
                    "on": line.entry.on,
                }
                for line in self.lines
            ],
        }

    def _blocks(self) -> list[Block]:
        blocks: list[Block] = [Heading("Instantiation", 1), Sentence(self.headline)]
        for part in PARTS:
            rows = [
                (line.state, line.entry.id, in_english(line.entry.title), line.said)
                for line in self.lines
                if line.part == part
            ]
            if rows:
                blocks.append(Heading(_TITLES[part]))
                header = ("state", "entry", "what", "as the files and the answer have it")
                blocks.append(Grid(header, tuple(rows), frozenset({0, 1, 2, 3})))
        blocks += [Heading("Expected to recur"), Sentence(self.expected)]
        return blocks


def instantiation(ws: Workspace | None = None) -> Listing:
    """Return what is done and what is open, of the project at or above the working directory.

    Raises NoInstantiation when there is no ``bank/instantiation.yaml``, and ProblemsFound when it
    or what it is measured by is at fault.
    """
    ws = ws or find_workspace()
    checklist = load_instantiation(ws)
    if checklist is None:
        raise NoInstantiation(
            f"there is no {ws.shown(ws.instantiation)};"
            " lay it with `reviewkit init --instantiation`"
        )
    material = read_material(ws)
    project = Project(ws, material, audit_of(material, load_waivers(ws)))
    lines: list[Line] = []
    for part in PARTS:
        for entry in checklist.of(part):
            ask = TOLD[part].get(entry.id)
            told = ask(project) if ask else NOT_TOLD
            said = "; ".join(each for each in (told.said, entry.answer) if each)
            lines.append(Line(part, entry, _state(part, entry, told), said))
    work = worklist(ws)
    return Listing(
        checklist,
        tuple(lines),
        {each.family.id: each.groups for each in work.families if each.family is not None},
        len(load_families(ws).families),
        any(each.state in JUDGED for each in work.lines),
    )


def _state(part: Part, entry: Entry, told: Told) -> State:
    if told.holds is False:
        if part == "kept":
            return "changed"
        return "contradicted" if entry.state == "done" else "open"
    if told.holds and told.settles:
        return "done"
    return entry.state
