"""``rulings/freezes/log.jsonl``: freezes, and what was said about each of them afterwards.

A freeze is made at the moment when its line stands in this log. A folder without a line is a
freeze that somebody or something cut short, and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from reviewkit.decisions import Chain, ChainLine, Report, utc_now, verify_chain
from reviewkit.problems import ReviewkitError
from reviewkit.release.freeze.certificate import Certificate, read_certificate
from reviewkit.release.freeze.facts import Change, GroupFacts, Sha256
from reviewkit.workspace import Workspace

Kind = Literal["freeze", "retraction", "amendment", "deviation"]
FreezeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Said = Annotated[str, StringConstraints(max_length=4_000)]
FILES = ("SHA256SUMS", "certificate.json", "groups.jsonl", "ledgers.json", "CERTIFICATE.md")
"""The files of a freeze's folder; all of them are written before its line is."""
AFTERWARDS = "AFTERWARDS.md"


class UnknownFreeze(ReviewkitError):
    """There is no freeze of this name, or none at all."""


class FreezeLine(ChainLine):
    """One line of the log."""

    kind: Kind
    freeze: FreezeName
    """The freeze that is made, or that is spoken of."""
    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """Who answers for it."""
    files: dict[str, Sha256] = Field(default_factory=dict)
    """Of a freeze, the files of its folder; of an amendment, the files that it changes, by path."""
    bank_digest: str = ""
    """Of a freeze: the digest of the bank."""
    ids: dict[str, Sha256] = Field(default_factory=dict)
    """Of a retraction: groups or items with the digest of what is withdrawn."""
    left: tuple[GroupFacts, ...] = ()
    """Of a retraction of items: what their groups hold without them, earlier ones included."""
    text: Said = ""
    """What is amended, or departed from."""
    reason: Said = ""
    effect: Said = ""
    """What follows from it, in words."""
    changes: tuple[Change, ...] = ()
    """Of a retraction: what follows from it, in figures."""

    @model_validator(mode="after")
    def _says_what_its_kind_says(self) -> FreezeLine:
        lacking = {
            "freeze": not (self.files and self.bank_digest),
            "retraction": not (self.ids and self.reason and self.changes),
            "amendment": not (self.text and self.reason and self.effect),
            "deviation": not (self.text and self.reason and self.effect),
        }
        if lacking[self.kind]:
            raise ValueError(f"a {self.kind} lacks a part of what it must say")
        return self


def freeze_chain(ws: Workspace, clock: Callable[[], str] = utc_now) -> Chain[FreezeLine]:
    """Return the log of freezes."""
    return Chain(ws.freeze_log, ws.shown(ws.freeze_log), FreezeLine, clock=clock)


def verify_freeze_log(path: Path, shown: str) -> Report:
    """Check every line of a log of freezes; faults are in the report, none is raised."""
    return verify_chain(Chain(path, shown, FreezeLine))


@dataclass(frozen=True, slots=True)
class Freeze:
    """A freeze that was made."""

    name: str
    time: str
    bank_digest: str
    folder: Path
    line: FreezeLine
    afterwards: tuple[FreezeLine, ...] = ()
    """Retractions, amendments and deviations since, in order."""

    @property
    def certificate(self) -> Certificate:
        """The certificate as it lies in the folder; ProblemsFound when it is not readable."""
        return read_certificate(self.folder / "certificate.json", f"{self.name}/certificate.json")

    @property
    def certificate_digest(self) -> str:
        """The SHA-256 of ``certificate.json``: what a published score names."""
        return self.line.files["certificate.json"]

    @property
    def retracted(self) -> dict[str, str]:
        """Every group and item withdrawn since, with the digest of what was withdrawn."""
        return {
            each: digest
            for line in self.afterwards
            if line.kind == "retraction"
            for each, digest in line.ids.items()
        }

    def left_of(self, frozen: Iterable[GroupFacts]) -> tuple[GroupFacts, ...]:
        """Return what is left of the frozen groups after every retraction so far."""
        taken = self.retracted
        rest = {each.group: each for line in self.afterwards for each in line.left}
        found = (rest.get(each.group, each) for each in frozen if each.group not in taken)
        return tuple(each for each in found if each.items)


def freezes(ws: Workspace) -> tuple[Freeze, ...]:
    """Return the freezes of a project folder, the first one first.

    Raises LedgerBroken when the log is damaged.
    """
    return freezes_in(ws, freeze_chain(ws).lines())


def freezes_in(ws: Workspace, lines: Iterable[FreezeLine]) -> tuple[Freeze, ...]:
    """Return the freezes that some lines of the log tell of."""
    made: dict[str, FreezeLine] = {}
    later: dict[str, list[FreezeLine]] = {}
    for line in lines:
        if line.kind == "freeze":
            made[line.freeze] = line
        else:
            later.setdefault(line.freeze, []).append(line)
    return tuple(
        Freeze(
            name, line.time, line.bank_digest, ws.freezes / name, line, tuple(later.get(name, ()))
        )
        for name, line in made.items()
    )


def find_freeze(ws: Workspace, name: str | None = None) -> Freeze:
    """Return the freeze of a name, or the last one; raises UnknownFreeze."""
    known = freezes(ws)
    if not known:
        raise UnknownFreeze("nothing is frozen yet; make a freeze with `reviewkit freeze NAME`")
    if name is None:
        return known[-1]
    for each in known:
        if each.name == name:
            return each
    cut_short = " (a folder of that name was cut short and counts for nothing)" * (
        name not in ("", ".", "..") and "/" not in name and (ws.freezes / name).is_dir()
    )
    raise UnknownFreeze(
        f"there is no freeze {name!r}{cut_short}; name one of"
        f" {', '.join(each.name for each in known)}"
    )
