"""The editions of the guide: published once, recorded in a chain, never rewritten.

``rulings/guides/edition-01/`` holds ``guide.json`` and the pages rendered from it; a line of
``rulings/guides/editions.jsonl`` holds the number, the SHA-256 of every file, and the rulings
folded in. The digest of an edition is that of its ``guide.json``: ``sha256sum`` prints the same.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from reviewkit.decisions import Chain, ChainLine, RecordRefused, Report, verify_chain
from reviewkit.decisions.disk import cannot_write, sync_folder
from reviewkit.decisions.lines import Digest
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import is_blank
from reviewkit.rulings.guides.content import Day, GuideContent
from reviewkit.rulings.guides.gather import gather
from reviewkit.rulings.guides.guide import CONTENT_FILE, Guide
from reviewkit.rulings.log import RulingsLog
from reviewkit.workspace import Workspace

NAME_LIMIT = 200
_PUT_BACK = "put the file back as it was, from git or a backup"


class EditionDamaged(ReviewkitError):
    """The files of a published edition are not what was recorded."""


class NothingNew(ReviewkitError):
    """The next edition would say what the last one says."""


class EditionLine(ChainLine):
    """One line of ``editions.jsonl``."""

    number: Annotated[int, Field(ge=1)]
    guide_digest: Digest
    """SHA-256 of ``guide.json``."""
    made_on: Day
    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_LIMIT)]
    """Who published it; it stands on no page."""
    rulings: tuple[str, ...]
    """The numbers of the rulings that are folded in."""
    forms: dict[str, Digest]
    """The checklists (``t3@2``) and their digests."""
    files: dict[str, Digest]
    """Name of every file of the edition and its SHA-256."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A published edition."""

    number: int
    digest: str
    time: str
    name: str
    rulings: tuple[str, ...]
    forms: dict[str, str]
    files: dict[str, str]
    folder: Path
    shown: str
    """The folder as messages name it."""

    def guide(self) -> Guide:
        """Return what it says; raises EditionDamaged when its content is not what was recorded."""
        shown = f"{self.shown}/{CONTENT_FILE}"
        try:
            raw = (self.folder / CONTENT_FILE).read_bytes()
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise EditionDamaged(f"{shown}: {why}; {_PUT_BACK}") from error
        if hashlib.sha256(raw).hexdigest() != self.digest:
            raise EditionDamaged(
                f"{shown}: is not what edition {self.number} was recorded with; {_PUT_BACK}"
            )
        return Guide(GuideContent.model_validate_json(raw))


class _InOrder:
    """Editions are numbered by their place."""

    def check(self, line: EditionLine) -> None:
        if line.number != line.seq:
            raise RecordRefused(f"edition {line.number} is no. {line.seq}", "publish it again")

    def take(self, line: EditionLine) -> None:
        """Remember nothing: the place says all."""


def _chain(path: Path, shown: str) -> Chain[EditionLine]:
    return Chain(path, shown, EditionLine, rules=_InOrder)


def editions(ws: Workspace) -> tuple[Edition, ...]:
    """Return every published edition in order; raises LedgerBroken when the record is damaged."""
    chain = _chain(ws.guide_editions, ws.shown(ws.guide_editions))
    return tuple(_edition(ws, line) for line in chain.lines())


def _edition(ws: Workspace, line: EditionLine) -> Edition:
    folder = ws.guides / _folder_name(line.number)
    return Edition(
        number=line.number,
        digest=line.guide_digest,
        time=line.time,
        name=line.name,
        rulings=line.rulings,
        forms=line.forms,
        files=line.files,
        folder=folder,
        shown=ws.shown(folder),
    )


def _folder_name(number: int) -> str:
    return f"edition-{number:02d}"


def folded_in(ws: Workspace) -> dict[str, int]:
    """Return the number of each ruling and of the first edition that it was folded into."""
    found: dict[str, int] = {}
    for edition in editions(ws):
        for number in edition.rulings:
            found.setdefault(number, edition.number)
    return found


def rulings_log(ws: Workspace) -> RulingsLog:
    """Return the rulings log of a project, whose page tells where each ruling was folded in."""
    shown = ws.shown(ws.rulings_log)
    return RulingsLog(ws.rulings_log, shown, ws.rulings_page, lambda: folded_in(ws))


def next_edition(ws: Workspace, on: str | None = None) -> Guide:
    """Return the edition that would be published now.

    Args:
        ws: the project folder.
        on: the day, ``2026-11-30``; today (UTC) when not given.

    Raises ProblemsFound when rules, forms or studies are at fault, LedgerBroken when a chain is,
    EditionDamaged when the last edition is not what was recorded.
    """
    return _next(ws, editions(ws), on or _today())


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _next(ws: Workspace, published: Sequence[Edition], day: str) -> Guide:
    last = published[-1].guide().content if published else None
    found = gather(ws, last, len(published) + 1, day)
    return Guide(
        found.content,
        is_draft=True,
        is_changed=last is None or last.substance != found.content.substance,
        waiting=found.waiting,
        problems=found.problems,
    )


def publish(ws: Workspace, *, name: str, on: str | None = None) -> Edition:
    """Write the next edition, record it and return it.

    The files are whole on the disk before the record names them. A publication that was cut short
    between the two leaves a folder that no record names; the next one sets it aside.

    Raises NothingNew when it would say what the last edition says, ProblemsFound when it would tell
    the text of an item, RecordRefused for a name that cannot be recorded, CannotWrite when the disk
    does not take it, and what ``next_edition`` raises.
    """
    if is_blank(name) or len(name) > NAME_LIMIT:
        raise RecordRefused("the name of who publishes it is blank or too long", "give a name")
    day = on or _today()
    # refused before anything is made; what others publish meanwhile is seen under the lock
    _must_be_new(next_edition(ws, day))

    def write(earlier: Sequence[EditionLine]) -> Mapping[str, Any]:
        guide = _next(ws, tuple(_edition(ws, line) for line in earlier), day)
        _must_be_new(guide)
        files = dict(replace(guide, is_draft=False).files())
        _write_folder(ws, guide.number, files)
        return {
            "number": guide.number,
            "guide_digest": guide.digest,
            "made_on": day,
            "rulings": [each.number for each in guide.content.rulings],
            "forms": guide.content.forms,
            "files": {each: hashlib.sha256(raw).hexdigest() for each, raw in files.items()},
        }

    chain = _chain(ws.guide_editions, ws.shown(ws.guide_editions))
    line = chain.append({"click_id": secrets.token_hex(8), "name": name}, write)
    with suppress(OSError):
        rulings_log(ws).render()
    return _edition(ws, line)


def _must_be_new(guide: Guide) -> None:
    if guide.problems:
        raise ProblemsFound(guide.problems)
    if not guide.is_changed:
        raise NothingNew(
            f"nothing has changed since edition {guide.number - 1}; publish again when a rule, a"
            " check or a ruling has"
        )


def _write_folder(ws: Workspace, number: int, files: Mapping[str, bytes]) -> None:
    """Put the files beside their place and rename the folder, so that nobody meets half of it."""
    place = ws.guides / _folder_name(number)
    mark = secrets.token_hex(4)
    beside = ws.guides / f".{place.name}.{mark}"
    try:
        beside.mkdir()
        for name, raw in files.items():
            with (beside / name).open("xb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
        sync_folder(beside)
        if os.path.lexists(place):
            place.rename(ws.guides / f"{place.name}.unrecorded-{mark}")
        beside.rename(place)
        sync_folder(ws.guides)
    except OSError as error:
        with suppress(OSError):
            shutil.rmtree(beside)
        raise cannot_write(ws.shown(place), error) from error


def verify_editions(path: Path, shown: str) -> Report:
    """Check the record of the editions and every file of every edition.

    Args:
        path: ``rulings/guides/editions.jsonl``; the folders of the editions lie beside it.
        shown: its name in messages.

    Returns:
        A report with every fault: a broken chain, a file that is missing, another or not recorded,
        a folder that no record names. None is raised.
    """
    chain = _chain(path, shown)
    report = verify_chain(chain)
    if not report.sound:
        return report
    above = shown.rpartition("/")[0]
    prefix = f"{above}/" if above else ""
    lines = chain.lines()
    problems = [
        problem
        for line in lines
        for problem in _faults_of(line, path.parent, f"{prefix}{_folder_name(line.number)}")
    ]
    known = {_folder_name(line.number) for line in lines}
    for folder in sorted(path.parent.glob("edition-*")):
        if folder.name not in known and ".unrecorded-" not in folder.name:
            remedy = "publish again, which sets it aside, or move it away"
            problems.append(Problem(f"{prefix}{folder.name}", "no record names it", remedy))
    return replace(report, problems=tuple(problems))


def _faults_of(line: EditionLine, guides: Path, shown: str) -> Iterator[Problem]:
    folder = guides / _folder_name(line.number)
    found = {each.name for each in folder.iterdir()} if folder.is_dir() else set[str]()
    for name, digest in line.files.items():
        where = f"{shown}/{name}"
        if name not in found:
            yield Problem(where, "the file is gone", _PUT_BACK)
            continue
        try:
            raw = (folder / name).read_bytes()
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            yield Problem(where, f"cannot be read: {why}", _PUT_BACK)
            continue
        if hashlib.sha256(raw).hexdigest() != digest:
            yield Problem(where, f"is not what edition {line.number} was recorded with", _PUT_BACK)
    for name in sorted(found - set(line.files)):
        wrong = f"edition {line.number} was recorded without it"
        yield Problem(f"{shown}/{name}", wrong, "move it away: an edition is never added to")
    if line.files.get(CONTENT_FILE) != line.guide_digest:
        wrong = f"the digest of edition {line.number} is not that of its {CONTENT_FILE}"
        yield Problem(f"{shown}/{CONTENT_FILE}", wrong, _PUT_BACK)
