"""Whether a frozen bank is still what was frozen, from the files of the project folder alone.

A file that only grows may have grown: then the part that was frozen is checked, and it is said that
there is more now. Everything else must be what it was, byte for byte. A change that an amendment
names is told apart from one that nobody answers for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from reviewkit.decisions import verify_chain
from reviewkit.decisions.stores import must_be_files
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import load_forms
from reviewkit.release.freeze.building import groups_as_lines, read_groups
from reviewkit.release.freeze.certificate import Certificate, LedgersFrozen, read_written
from reviewkit.release.freeze.chains import report_on
from reviewkit.release.freeze.facts import all_facts, counts_of, what_is_counted
from reviewkit.release.freeze.files import (
    frozen_files,
    is_same_but_for_line_ends,
    only_grows,
    sum_of,
    sums_from_text,
)
from reviewkit.release.freeze.log import (
    AFTERWARDS,
    FILES,
    Freeze,
    find_freeze,
    freeze_chain,
    freezes,
)
from reviewkit.release.freeze.page import afterwards_page
from reviewkit.release.material import Material
from reviewkit.workspace import Workspace

_BACK = "put it back as it was frozen, from git or a backup"


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of a freeze."""

    freeze: str
    time: str
    bank_digest: str
    """As it was frozen."""
    certificate: str
    """The digest of the certificate."""
    same: int | None
    """How many files are what they were; None when the list of sums itself is damaged."""
    grown: tuple[str, ...] = ()
    """Files that only grow and have grown: the frozen part is as it was."""
    amended: Mapping[str, int] | None = None
    """File -> the number of the amendment, in the page of what was said since."""
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    """Files of the bank that were not there."""
    new: tuple[str, ...] = ()
    """Other new files: forms, studies, ledgers, responses of models asked since."""
    retracted: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    """Freezes made since."""
    problems: tuple[Problem, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether the folder holds what was frozen."""
        return not self.problems

    @property
    def said(self) -> tuple[str, ...]:
        """What there is to tell beside the problems, in sentences."""
        same = (
            "nothing was compared" if self.same is None else f"{self.same} files are as they were"
        )
        told = [
            (
                f"freeze {self.freeze} of {self.time[:16].replace('T', ' ')} UTC, bank digest"
                f" {self.bank_digest[:12]}, certificate {self.certificate}: {same}"
            )
        ]
        told += [f"{each}: it has grown; what was frozen of it is as it was" for each in self.grown]
        told += [
            f"{each}: changed by amendment {number}, see {AFTERWARDS}"
            for each, number in (self.amended or {}).items()
        ]
        if self.new:
            count = "1 file is" if len(self.new) == 1 else f"{len(self.new)} files are"
            told.append(f"{count} new since, outside the bank: {_some(self.new)}")
        if self.retracted:
            told.append(f"withdrawn since: {_some(self.retracted)}")
        if self.later:
            told.append(f"frozen since: {_some(self.later)}; the bank may have moved on")
        return tuple(told)

    def as_json(self) -> dict[str, Any]:
        """Return everything as a script reads it."""
        return {
            "freeze": self.freeze,
            "time": self.time,
            "sound": self.sound,
            "bank_digest": self.bank_digest,
            "certificate": self.certificate,
            "same": self.same,
            "grown": list(self.grown),
            "amended": dict(self.amended or {}),
            "changed": list(self.changed),
            "missing": list(self.missing),
            "added": list(self.added),
            "new": list(self.new),
            "retracted": list(self.retracted),
            "later": list(self.later),
            "problems": [
                {"where": each.where, "wrong": each.wrong, "remedy": each.remedy}
                for each in self.problems
            ],
        }


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more


def verify_freeze(ws: Workspace, freeze_name: str | None = None) -> Verification:
    """Check a freeze, the last one by default, against the project folder as it is.

    Raises UnknownFreeze when there is none; ProblemsFound when the log of freezes is damaged, for
    then nobody can say what was frozen.
    """
    must_be_files(ws, "what is verified of a freeze")
    log = verify_chain(freeze_chain(ws))
    if ws.freeze_log.exists() and not log.sound:
        raise ProblemsFound(log.problems)
    made = find_freeze(ws, freeze_name)
    problems, at_fault = _folder(ws, made)
    if at_fault & {"SHA256SUMS", "ledgers.json"}:
        # what the folder says is not what was recorded: no file can be measured against it
        return _found(ws, made, problems)
    checking = _Files(ws, made)
    problems += checking.problems
    if not at_fault & {"certificate.json", "groups.jsonl", "CERTIFICATE.md"}:
        problems += _contents(ws, made, made.certificate, checking)
    problems += _page(ws, made)
    return _found(ws, made, problems, checking)


def _found(
    ws: Workspace, made: Freeze, problems: list[Problem], checking: _Files | None = None
) -> Verification:
    names = [each.name for each in freezes(ws)]
    later = tuple(names[names.index(made.name) + 1 :])
    what = (made.name, made.time, made.bank_digest, made.certificate_digest)
    if checking is None:
        return Verification(*what, None, later=later, problems=tuple(problems))
    return Verification(
        *what, checking.same, grown=tuple(checking.grown), amended=checking.amended,
        changed=tuple(checking.changed), missing=tuple(checking.missing),
        added=tuple(checking.added), new=tuple(checking.new), retracted=tuple(made.retracted),
        later=later, problems=tuple(problems),
    )  # fmt: skip


def _folder(ws: Workspace, made: Freeze) -> tuple[list[Problem], set[str]]:
    """Return what is not as the log recorded it in the freeze's own folder, and which files."""
    problems: list[Problem] = []
    at_fault: set[str] = set()
    for name in FILES:
        path = made.folder / name
        found = list(_same(path, ws.shown(path), made.line.files.get(name, "")))
        problems += found
        at_fault |= {name} if found else set()
    return problems, at_fault


def _same(path: Path, shown: str, digest: str) -> Iterator[Problem]:
    if path.is_symlink() or not path.is_file():
        yield Problem(shown, "is a link" if path.is_symlink() else "is missing", _BACK)
    elif sum_of(path).digest != digest:
        yield Problem(shown, _how(path, digest), _BACK)


def _how(path: Path, digest: str) -> str:
    if is_same_but_for_line_ends(path, digest):
        return "its line ends were changed, by git or an editor; no word was"
    return "is not what was frozen"


class _Files:
    """Every frozen file beside what lies there now."""

    def __init__(self, ws: Workspace, made: Freeze) -> None:
        self._ws = ws
        self.same = 0
        self.grown: list[str] = []
        self.amended: dict[str, int] = {}
        self.changed: list[str] = []
        self.missing: list[str] = []
        self.added: list[str] = []
        self.new: list[str] = []
        self.problems: list[Problem] = []
        self._amendments = {
            path: (digest, number)
            for number, line in enumerate(made.afterwards, start=1)
            for path, digest in line.files.items()
        }
        sums = sums_from_text((made.folder / "SHA256SUMS").read_bytes())
        if sums is None:
            raise AssertionError("the file is what the log recorded, so it is a list of sums")
        ledgers = read_written(
            made.folder / "ledgers.json", f"{made.name}/ledgers.json", LedgersFrozen
        )
        sizes = {each.file: each.size for each in ledgers.ledgers}
        for path, digest in sums.items():
            self._check(path, digest, sizes.get(path))
        self._look_for_more(sums)

    def _check(self, path: str, digest: str, size: int | None) -> None:
        at = self._ws.root / path
        if at.is_symlink() or not at.is_file():
            self.missing.append(path)
            wrong = "is a link" if at.is_symlink() else "is missing"
            self.problems.append(Problem(path, wrong, _BACK))
            return
        found = sum_of(at)
        if found.digest == digest:
            self.same += 1
        elif size is not None and found.size > size and sum_of(at, size).digest == digest:
            self._grown(path, at)
        else:
            self._unexplained(path, digest)

    def _grown(self, path: str, at: Path) -> None:
        self.same += 1
        self.grown.append(path)
        try:
            form_of = load_forms(self._ws.checklists).by_digest
        except ProblemsFound:
            # the sums name the forms at fault; the chain is checked without them
            form_of = None
        self.problems += report_on(self._ws, at, form_of).problems

    def _unexplained(self, path: str, digest: str) -> None:
        at = self._ws.root / path
        amended, number = self._amendments.get(path, ("", 0))
        if amended and sum_of(at).digest == amended:
            self.amended[path] = number
            return
        self.changed.append(path)
        since = f"; amendment {number} named another content" if amended else ""
        wrong = _how(at, digest)
        if only_grows(path):
            wrong = f"{wrong}: its frozen part was altered or cut off"
        self.problems.append(Problem(path, f"{wrong}{since}", _BACK))

    def _look_for_more(self, sums: Mapping[str, str]) -> None:
        listed = frozen_files(self._ws)
        for path in (*listed.files, *listed.irregular):
            if path in sums:
                continue
            digest, number = self._amendments.get(path, ("", 0))
            if digest and path in listed.files and sum_of(self._ws.root / path).digest == digest:
                self.amended[path] = number
            elif path.startswith("bank/") and not path.startswith("bank/responses/"):
                self.added.append(path)
                wrong = "was not in the bank when it was frozen"
                remedy = "move it out, or name it in an amendment (`reviewkit amend --file`)"
                self.problems.append(Problem(path, wrong, remedy))
            else:
                self.new.append(path)


def _contents(
    ws: Workspace, made: Freeze, certificate: Certificate, checking: _Files
) -> Iterator[Problem]:
    """Yield where the bank as it loads now is not the one that was certified."""
    shown = ws.shown(made.folder / "certificate.json")
    yield from _same_act(ws, made, certificate)
    if certificate.bank_digest != made.bank_digest or certificate.freeze != made.name:
        yield Problem(shown, "is of another freeze than its record", _BACK)
    # the log can be written anew; the certificate's digest is known outside
    for name, digest in (
        ("SHA256SUMS", certificate.sums_digest),
        ("groups.jsonl", certificate.groups_digest),
        ("ledgers.json", certificate.ledgers_digest),
        ("CERTIFICATE.md", certificate.page_digest),
    ):
        if digest is not None and made.line.files.get(name) != digest:
            yield Problem(shown, f"was made of another {name} than there is", _BACK)
    try:
        material = what_is_counted(ws)
    except ProblemsFound as faults:
        # the sums have named the files; what is wrong in them says why nothing can be counted
        if not checking.problems:
            yield from faults.problems
        yield Problem("bank", "cannot be read, so nothing was counted again", _BACK)
        return
    yield from _counted_again(made, certificate, material)


def _same_act(ws: Workspace, made: Freeze, certificate: Certificate) -> Iterator[Problem]:
    """Yield where the log says other than the certificate, whose digest is known outside."""
    then, written = (datetime.fromisoformat(each) for each in (certificate.time, made.time))
    if abs(written - then) > timedelta(days=1):
        wrong = f"its record names {made.time[:10]}, the certificate {certificate.time[:10]}"
        yield Problem(ws.shown(ws.freeze_log), wrong, _BACK)


def _counted_again(made: Freeze, certificate: Certificate, material: Material) -> Iterator[Problem]:
    if material.unreadable:
        yield Problem(
            "bank", f"{len(material.unreadable)} places cannot be read", "see `reviewkit check`"
        )
    digest = material.bank.digest
    if digest != made.bank_digest:
        wrong = f"its digest is {digest[:12]}, frozen was {made.bank_digest[:12]}"
        yield Problem("bank", wrong, _BACK)
    facts = all_facts(material)
    if groups_as_lines(facts) != (made.folder / "groups.jsonl").read_bytes():
        frozen = read_groups(made.folder / "groups.jsonl", f"{made.name}/groups.jsonl")
        then, now = {each.group: each for each in frozen}, {each.group: each for each in facts}
        other = sorted(each for each in {*then, *now} if then.get(each) != now.get(each))
        wrong = f"{len(other)} groups are not as they were counted: {_some(tuple(other))}"
        yield Problem("bank", wrong, _BACK)
    counts = counts_of(material, facts)
    for name in type(counts).model_fields:
        if getattr(counts, name) != getattr(certificate.counts, name):
            wrong = f"the count of {name.replace('_', ' ')} is another than certified"
            yield Problem("bank", wrong, _BACK)


def _page(ws: Workspace, made: Freeze) -> Iterator[Problem]:
    """Yield the page of what was said since, when it does not say what the log says."""
    path = made.folder / AFTERWARDS
    wanted = afterwards_page(made.name, made.afterwards).encode("utf-8") if made.afterwards else b""
    found = path.read_bytes() if path.is_file() else b""
    if found != wanted:
        wrong = "does not say what the log of freezes says"
        yield Problem(ws.shown(path), wrong, "write it again with `reviewkit freeze --pages`")
