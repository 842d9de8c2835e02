"""What a society keeps, rebuilds and decides: the checklist in ``bank/instantiation.yaml``.

The protocol travels, its content does not. The checklist has three parts: what stays as it is, what
is written anew for a society, and what is decided and published before any model is run. Each entry
names the file that holds its answer. Which of them are still open is told by
``reviewkit.release.instantiation``, from the files wherever files can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from reviewkit.bank.items import Frozen, Prose, Tag, Written
from reviewkit.bank.registry import Day
from reviewkit.bank.taxonomy import Wording
from reviewkit.problems import Problem
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.workspace import Workspace

SHIPPED = Path(__file__).parent.parent / "starter" / "instantiation.yaml"
PARTS = ("kept", "rebuilt", "decided")
Part = Literal["kept", "rebuilt", "decided"]
Said = Annotated[Prose, StringConstraints(strip_whitespace=True, min_length=1)]


class Entry(Frozen):
    """One thing that an instantiation answers for."""

    id: Tag
    title: Wording
    file: Written | None = None
    """The file or folder that holds the answer, from the project folder on."""
    state: Literal["open", "done"] = "open"
    answer: Said | None = None
    on: Day | None = None
    by: Said | None = None


class Instantiation(Frozen):
    """The checklist of one society."""

    name: Tag = Field(alias="instantiation")
    title: Wording
    kept: tuple[Entry, ...] = ()
    rebuilt: tuple[Entry, ...] = ()
    decided: tuple[Entry, ...] = ()

    def of(self, part: Part) -> tuple[Entry, ...]:
        """Return the entries of one part."""
        return {"kept": self.kept, "rebuilt": self.rebuilt, "decided": self.decided}[part]


def load_instantiation(ws: Workspace) -> Instantiation | None:
    """Return the checklist of a project, None when there is no file.

    Raises ProblemsFound with every fault: an entry that the shipped checklist has and the file
    lacks, one that is done without answer, day and name, an id that stands twice.
    """
    if not ws.instantiation.exists():
        return None
    with collect() as faults:
        source = load_yaml(ws.instantiation, ws.shown(ws.instantiation))
        read = build(source, Instantiation)
        faults.add(_faults_of(read, source, ws.root))
    return read


@cache
def shipped_instantiation() -> Instantiation:
    """Return the checklist as reviewkit ships it, with every entry open."""
    return build(load_yaml(SHIPPED, SHIPPED.name), Instantiation)


def _faults_of(read: Instantiation, source: Source, root: Path) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for part in PARTS:
        for at, entry in enumerate(read.of(part)):
            if entry.id in seen:
                wrong = f"{entry.id!r} stands at {seen[entry.id]} already"
                yield source.problem((part, at, "id"), wrong, "keep one of the two")
            seen.setdefault(entry.id, source.where((part, at, "id")))
            yield from _faults_of_entry(entry, source, (part, at), root)
    for part in PARTS:
        wanted = {entry.id for entry in shipped_instantiation().of(part)}
        for missing in sorted(wanted - {entry.id for entry in read.of(part)}):
            yield source.problem(
                (part,),
                f"the entry {missing!r} of the checklist is missing",
                "add it; what does not concern you is answered so",
            )


def _faults_of_entry(
    entry: Entry, source: Source, loc: tuple[str, int], root: Path
) -> Iterator[Problem]:
    if entry.state == "done":
        for name in ("answer", "on", "by"):
            if getattr(entry, name) is None:
                wrong = f"{entry.id!r} is done without {name}"
                yield source.problem((*loc, name), wrong, "write it, or say that it is open")
    if entry.file is None:
        return
    path = PurePosixPath(entry.file)
    if path.is_absolute() or ".." in path.parts:
        wrong = f"{entry.file!r} is no file of the project"
        yield source.problem((*loc, "file"), wrong, "name it from the project folder on")
    elif entry.state == "done" and not (root / path).exists():
        wrong = f"{entry.id!r} is done, and {entry.file!r} is not there"
        yield source.problem((*loc, "file"), wrong, "write the file, or say that it is open")
