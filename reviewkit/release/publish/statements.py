"""What only people can say of a release: ``bank/statements/*.md``.

Each statement is Markdown under a head of fields between two lines ``---``. ``reviewkit publish
--slots`` lays the missing ones with places to fill; a place that is left refuses a publication.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from reviewkit.bank.items import Prose
from reviewkit.bank.registry import Day
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Source, build
from reviewkit.sources.text_files import control_faults, read_text
from reviewkit.sources.yaml_files import read_yaml
from reviewkit.workspace import Workspace

SLOTS = Path(__file__).parents[2] / "starter" / "statements"
LONGEST = 200_000
OPEN = ("<<fill in", "<<يُملأ")
"""What a place to fill begins with; who writes in one language takes the other's places out."""
_OPEN = re.compile(r"<<(?:fill in|يُملأ):?\s*([^>]*)")
_DIGEST = re.compile(r"[0-9a-f]{12,64}")
Name = Literal["positionality", "competing-interests", "harm-review", "data-card"]
Filled = Annotated[Prose, StringConstraints(strip_whitespace=True, min_length=1)]


class Head(BaseModel):
    """The fields above every statement."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    statement: Name
    """Which of the four it is; the file has the same name."""
    made_on: Day


class PositionalityHead(Head):
    """Positionality: the one statement in which people may be named."""

    consent: tuple[Filled, ...] = ()
    """The names of those who agreed to be named in it."""


class HarmReviewHead(Head):
    """The harm review: for which content it holds."""

    covers: Filled
    """The digest of the public groups that were reviewed; `publish --check` prints it."""


class DataCardHead(Head):
    """The data card: what a reader is told first."""

    title: Filled
    version: Filled
    licence: Filled
    """A licence by its SPDX name: ``CC-BY-4.0``."""
    cite_as: str = ""


HEADS: dict[str, type[Head]] = {
    "positionality": PositionalityHead,
    "competing-interests": Head,
    "harm-review": HarmReviewHead,
    "data-card": DataCardHead,
}
"""Statement -> what its head holds."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, filled in."""

    name: str
    head: Head
    body: str
    shown: str

    @property
    def may_name(self) -> tuple[str, ...]:
        """The people who agreed to be named in it."""
        return self.head.consent if isinstance(self.head, PositionalityHead) else ()


def lay_slots(ws: Workspace) -> tuple[Path, ...]:
    """Lay the statements that are missing, with places to fill, and return them."""
    ws.statements.mkdir(parents=True, exist_ok=True)
    laid: list[Path] = []
    for name in HEADS:
        path = ws.statements / f"{name}.md"
        if not path.exists():
            shutil.copyfile(SLOTS / path.name, path)
            laid.append(path)
    return tuple(laid)


def to_do_before_a_freeze(ws: Workspace) -> tuple[str, ...]:
    """Return what a publication wants and a freeze would hold fast without it, as sentences.

    A bank may be frozen and never published, so none of it stands in the way of a freeze.
    """
    found: list[str] = []
    if not ws.layers.exists():
        found.append("nothing is sealed yet: draw with `reviewkit seal --seed WORD`")
    _read, problems = read_statements(ws)
    if problems:
        shown = ws.shown(ws.statements)
        found.append(f"{shown}/ is not filled in: `reviewkit publish --check` says where")
    return tuple(found)


def read_statements(ws: Workspace) -> tuple[tuple[Statement, ...], tuple[Problem, ...]]:
    """Return the statements that are filled in, and what is wrong with the others."""
    read: list[Statement] = []
    problems: list[Problem] = []
    for name in HEADS:
        path = ws.statements / f"{name}.md"
        shown = ws.shown(path)
        if not path.exists():
            remedy = "lay it with `reviewkit publish --slots` and fill it in"
            problems.append(Problem(shown, f"there is no statement on {_spoken(name)}", remedy))
            continue
        try:
            read.append(load_statement(path, shown, name))
        except ProblemsFound as found:
            problems += found.problems
    return tuple(read), tuple(problems)


def load_statement(path: Path, shown: str, name: str) -> Statement:
    """Return one statement; raises ProblemsFound with every fault, places to fill included."""
    text = read_text(path, shown, LONGEST)
    problems: list[Problem] = list(control_faults(text, shown))
    problems += _open_places(text, shown)
    lines = text.splitlines()
    ends = [at for at, line in enumerate(lines) if line.strip() == "---"]
    if len(ends) < 2 or ends[0] != 0:
        remedy = "write the fields between two lines `---`, as `reviewkit publish --slots` lays it"
        raise ProblemsFound([*problems, Problem(f"{shown}:1", "has no head", remedy)])
    body = "\n".join(lines[ends[1] + 1 :]).strip()
    if not body:
        wrong = f"says nothing on {_spoken(name)}"
        problems.append(Problem(f"{shown}:{ends[1] + 1}", wrong, "write it below the head"))
    if problems:
        raise ProblemsFound(problems)
    # the first line of the head stays empty, so that lines count as in the file
    source = read_yaml("\n".join(("", *lines[1 : ends[1]])), shown)
    head = build(source, HEADS[name])
    _must_be_a_digest(head, source)
    _must_be_named(head, name, source)
    return Statement(name, head, f"{body}\n", shown)


def _must_be_a_digest(head: Head, source: Source) -> None:
    if isinstance(head, HarmReviewHead) and not _DIGEST.fullmatch(head.covers):
        wrong = f"{head.covers!r} is no digest of groups"
        remedy = "write the one that `reviewkit publish --check` prints first"
        raise ProblemsFound([source.problem(("covers",), wrong, remedy)])


def _must_be_named(head: Head, name: str, source: Source) -> None:
    if head.statement != name:
        wrong = f"the statement is {head.statement!r} and the file is {name}.md"
        raise ProblemsFound([source.problem(("statement",), wrong, "give both the same name")])


def _open_places(text: str, shown: str) -> Iterator[Problem]:
    for number, line in enumerate(text.splitlines(), start=1):
        for place in _OPEN.finditer(line):
            what = place[1].strip() or "a place"
            yield Problem(
                f"{shown}:{number}", f"still to be filled in: {what}",
                "write it in place of <<...>>; one language is enough",
            )  # fmt: skip


def _spoken(name: str) -> str:
    return name.replace("-", " ")


def statement(statements: Sequence[Statement], name: str) -> Statement | None:
    """Return the statement of this name, or None."""
    return next((each for each in statements if each.name == name), None)
