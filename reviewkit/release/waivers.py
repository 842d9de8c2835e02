"""Warnings that somebody answers for: ``bank/waivers.yaml``.

A waiver names a code, the groups or items it is for with their digests, a reason and a name. It
holds while the digests do: an edited group is a group nobody has waived. A hard check is never
waived. Every waiver is listed, those that hold and those that do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from reviewkit.bank import Bank
from reviewkit.bank.items import Frozen, Id, Prose
from reviewkit.bank.registry import Day
from reviewkit.bank.render import render_scalar
from reviewkit.digests import digest_of
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.codes import CODES
from reviewkit.release.findings import WHOLE_BANK, Finding
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.sources.yaml_files import read_yaml
from reviewkit.workspace import Workspace

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Named = Annotated[Prose, StringConstraints(strip_whitespace=True, min_length=1)]
Use = Literal["in_force", "expired", "unneeded"]
"""``expired``: what it was given for has changed or is gone; ``unneeded``: nothing to waive."""


class Waiver(Frozen):
    """One warning that stands, and who says so."""

    code: str
    ids: Annotated[dict[Id, Digest], Field(min_length=1)]
    """Template or item id, or ``bank``, and the digest it was given for."""
    reason: Named
    name: Named
    given_on: Day


class _File(Frozen):
    waivers: tuple[Waiver, ...] = ()


@dataclass(frozen=True, slots=True)
class Used:
    """A waiver and what became of it."""

    waiver: Waiver
    use: Use
    stale: tuple[str, ...] = ()
    """The ids whose digest is another now."""


class Digests:
    """The digest of everything that a waiver may name."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank

    @cached_property
    def _all(self) -> dict[str, str]:
        known = {WHOLE_BANK: self._bank.digest}
        for group in self._bank.groups:
            known.setdefault(group.template_id, group.digest)
        for group in self._bank.groups:
            shared = {name: value for name, value in group.content.items() if name != "items"}
            for item in group.items:
                # an id may be its group's as well: then it stands for all of the group
                known.setdefault(item.id, digest_of({"shared": shared, "item": item.content}))
        return known

    def of(self, name: str) -> str | None:
        """Return the digest of a group, an item or the bank; None when there is none.

        That of an item covers what all items of its group share: a new template is another item.
        """
        return self._all.get(name)


def load_waivers(ws: Workspace) -> tuple[Waiver, ...]:
    """Return the waivers, none when there is no file; ProblemsFound tells every fault."""
    if not ws.waivers.exists():
        return ()
    with collect() as faults:
        source = load_yaml(ws.waivers, ws.shown(ws.waivers))
        file = build(source, _File)
        faults.add(_faults_of(file.waivers, source))
    return file.waivers


def _faults_of(waivers: Sequence[Waiver], source: Source) -> Iterator[Problem]:
    for at, waiver in enumerate(waivers):
        if fault := _why_not(waiver.code):
            yield source.problem(("waivers", at, "code"), *fault)


def _why_not(code: str) -> tuple[str, str] | None:
    if code not in CODES:
        return f"the audit has no code {code!r}", "use a code of docs/audit.md"
    if CODES[code].is_hard:
        return f"{code} is a hard check and cannot be waived", CODES[code].remedy
    return None


def apply_waivers(
    findings: Iterable[Finding], waivers: Sequence[Waiver], digests: Digests
) -> tuple[dict[int, Waiver], tuple[Used, ...]]:
    """Return which findings, by position, are waived, and what became of every waiver.

    A finding is waived when its group is named, or all its items are, on the present digests.
    """
    holding: dict[tuple[str, str], Waiver] = {}
    for waiver in waivers:
        for name, digest in waiver.ids.items():
            if digests.of(name) == digest:
                holding[waiver.code, name] = waiver
    waived: dict[int, Waiver] = {}
    used: set[tuple[str, str]] = set()
    for at, finding in enumerate(findings):
        names = _names_for(finding, holding)
        if names and not finding.is_hard:
            waived[at] = holding[finding.code, names[0]]
            used |= {(finding.code, name) for name in names}
    return waived, tuple(_used(waiver, digests, used) for waiver in waivers)


def _names_for(finding: Finding, holding: Mapping[tuple[str, str], Waiver]) -> tuple[str, ...]:
    whole = finding.group or WHOLE_BANK
    if (finding.code, whole) in holding:
        return (whole,)
    if finding.items and all((finding.code, item) in holding for item in finding.items):
        return finding.items
    return ()


def _used(waiver: Waiver, digests: Digests, used: set[tuple[str, str]]) -> Used:
    stale = tuple(name for name, digest in waiver.ids.items() if digests.of(name) != digest)
    if any((waiver.code, name) in used for name in waiver.ids):
        return Used(waiver, "in_force", stale)
    return Used(waiver, "expired" if stale else "unneeded", stale)


def add_waiver(
    ws: Workspace, bank: Bank, code: str, ids: Sequence[str], *, reason: str, name: str, on: str
) -> Waiver:
    """Append a waiver with the present digests to the file, and return it.

    Raises ProblemsFound when the code is unknown or hard, an id is not in the bank, reason or name
    are blank, or the file as it is cannot be read; nothing is written then.
    """
    digests = Digests(bank)
    before = load_waivers(ws)
    problems: list[Problem] = []
    if fault := _why_not(code):
        problems.append(Problem("code", *fault))
    for each in ids:
        if digests.of(each) is None:
            wrong = f"the bank has no group and no item {each!r}"
            problems.append(Problem("ids", wrong, f"mend the id; {WHOLE_BANK} is the whole bank"))
    for option, words in (("--reason", reason), ("--name", name)):
        if not words.strip():
            problems.append(Problem(option, "is blank", "say it: it is listed in every audit"))
    if problems:
        raise ProblemsFound(problems)
    known = {each: digest for each in ids if (digest := digests.of(each))}
    given = {"code": code, "ids": known, "reason": reason, "name": name, "given_on": on}
    waiver = build(Source("the waiver", given, {(): 1}), Waiver)
    text = _with(before, waiver, ws)
    temporary = ws.waivers.with_name(f".{ws.waivers.name}.new")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    temporary.replace(ws.waivers)
    return waiver


def _with(before: Sequence[Waiver], waiver: Waiver, ws: Workspace) -> str:
    """Return the text of the file with one more waiver; comments stay where one can be appended."""
    old = ws.waivers.read_text(encoding="utf-8") if ws.waivers.exists() else _HEAD
    every = (*before, waiver)
    kept = old if old.endswith("\n") else f"{old}\n"
    whole = _HEAD + "".join(map(_as_yaml, every))
    for text in (kept + _as_yaml(waiver), whole):
        with suppress(ProblemsFound):
            if build(read_yaml(text, ws.shown(ws.waivers)), _File).waivers == every:
                return text
    wrong = "hold a character that a file cannot keep"
    raise ProblemsFound([Problem("--reason, --name", wrong, "write them in plain letters")])


_HEAD = """\
# Warnings of `reviewkit audit` that somebody answers for; each holds for the digests it names.
waivers:
"""


def _as_yaml(waiver: Waiver) -> str:
    """Return an entry of the list; words are quoted where YAML would read them otherwise."""
    ids = "".join(f"      {name}: {digest}\n" for name, digest in waiver.ids.items())
    return (
        f"  - code: {waiver.code}\n    ids:\n{ids}    reason: {render_scalar(waiver.reason)}\n"
        f'    name: {render_scalar(waiver.name)}\n    given_on: "{waiver.given_on}"\n'
    )
