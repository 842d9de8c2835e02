"""Publishes the public tier of a project into a new folder, or says all that keeps it in.

Everything is made in memory, looked at text by text, written into a folder beside, read back from
the disk as a stranger would read it, put on record, and only then renamed into place. A refusal
leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from reviewkit.bank import Bank, load_bank
from reviewkit.bank.axes import load_axes
from reviewkit.bank.rest import collector_at_rest
from reviewkit.decisions import disk
from reviewkit.decisions.stores import must_be_files
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.release.freeze import Certificate
from reviewkit.release.guard import Guard, Outside, Piece, guard_of
from reviewkit.release.layers import Layers, layers_of, load_layers
from reviewkit.release.publications import deciding_layers, record_publication
from reviewkit.release.publish.card import Facts, croissant, data_card, front_page, sums
from reviewkit.release.publish.certified import certificate_files, chosen_freeze, freeze_problems
from reviewkit.release.publish.judgements import Judgements, judgements
from reviewkit.release.publish.people import People, people_of
from reviewkit.release.publish.statements import (
    HarmReviewHead,
    Statement,
    read_statements,
    statement,
)
from reviewkit.release.publish.tier import (
    PublicTier,
    bank_files,
    harm_problems,
    pieces_of,
    public_tier,
)
from reviewkit.release.redrawing import verify_layers
from reviewkit.release.waivers import load_waivers
from reviewkit.rulings.guides import editions
from reviewkit.sources import collect
from reviewkit.workspace import Workspace

SUMS = "SHA256SUMS"


class FolderInTheWay(ReviewkitError):
    """The publication has no folder of its own to go to."""


class LayersMoved(ReviewkitError):
    """Groups were drawn while a publication was made."""


@dataclass(slots=True)
class Prepared:
    """A publication before it is written, and all that keeps it in."""

    tier: PublicTier
    people: People
    guard: Guard
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    copied: dict[str, str] = field(default_factory=dict[str, str])
    """Path of a file that goes out as it is -> where it lies in the project."""
    may_name: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    problems: list[Problem] = field(default_factory=list[Problem])
    notices: list[str] = field(default_factory=list[str])
    freeze: str = ""
    certificate_digest: str = ""
    said_since: int = 0
    certificate: Certificate | None = None

    @property
    def may_go(self) -> bool:
        """Whether nothing keeps it in."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Publication:
    """What was published."""

    folder: Path
    number: int
    groups: int
    items: int
    sealed_groups: int
    files: int
    notices: tuple[str, ...]


@collector_at_rest()
def prepare(
    ws: Workspace, *, freeze: str | None = None, notes: bool = True, words: Iterable[str] = ()
) -> Prepared:
    """Return a publication with everything that keeps it in.

    Args:
        ws: The project folder.
        freeze: The freeze whose certificate goes along; the last one by default.
        notes: Whether notes on public groups and responses go along.
        words: Names that are words as well, and so are not sought.

    Raises:
        ProblemsFound: When the project cannot be read, so that nobody knows what is in it.
        MustBeFiles: What people wrote stands in a database.
    """
    must_be_files(ws, "a publication")
    with collect() as faults:
        bank = faults.attempt(load_bank, ws)
        layers = faults.attempt(layers_of, ws, bank) if bank is not None else None
        axes = faults.attempt(load_axes, ws)
        waivers = faults.attempt(load_waivers, ws)
        people = faults.attempt(people_of, ws, bank) if bank is not None else None
        found_freeze, freeze_faults = chosen_freeze(ws, freeze)
        retracted = tuple(found_freeze.retracted) if found_freeze is not None else ()
        unsought = tuple(words)
        tier = made = guard = None
        if bank is not None and layers is not None and people is not None:
            tier = public_tier(bank, layers, retracted)
            guard = faults.attempt(
                guard_of, ws, bank, layers, people.names, public=tier.groups, words=unsought
            )
        if tier is not None and people is not None and guard is not None:
            made = faults.attempt(judgements, ws, tier, people, Outside(guard), notes=notes)
    if (
        bank is None or layers is None or axes is None or waivers is None or people is None
        or tier is None or made is None or guard is None
    ):  # fmt: skip
        raise AssertionError("what could not be read has left its problems")
    ready = Prepared(tier, people, guard)
    ready.problems += layer_problems(ws, layers)
    ready.problems += harm_problems(tier)
    ready.problems += freeze_faults
    pieces: list[Piece] = [*pieces_of(tier, people, waivers), *made.pieces]
    ready.files |= dict(bank_files(tier, people, axes, waivers))
    ready.files |= made.files
    if found_freeze is not None:
        ready.freeze = found_freeze.name
        ready.certificate_digest = found_freeze.certificate_digest
        ready.said_since = len(found_freeze.afterwards)
        ready.problems += freeze_problems(ws, found_freeze, bank.digest)
        try:
            certified, told = certificate_files(found_freeze, ws, people)
            ready.certificate = found_freeze.certificate
            ready.files |= certified
            pieces += told
        except ProblemsFound as found:
            ready.problems += found.problems
    _add_copies(ws, ready, made)
    _add_statements(ws, ready, made, bank, notes=notes)
    ready.problems += ready.guard.faults_of(pieces)
    for path, source in ready.copied.items():
        may_name = ready.may_name.get(path, ())
        ready.problems += ready.guard.faults_of_file(source, ready.files[path], may_name)
    ready.problems = list(dict.fromkeys(ready.problems))
    roles = people.not_sought
    if roles:
        ready.notices.append(f"not looked for, since a role is nobody's name: {', '.join(roles)}")
    if unsought:
        ready.notices.append(f"not looked for, as you said: {', '.join(unsought)}")
    return ready


def layer_problems(ws: Workspace, layers: Layers) -> Iterator[Problem]:
    """Yield why the layers do not let anything out."""
    shown = ws.shown(ws.layers)
    if not layers.draws:
        yield Problem(shown, "nothing is sealed yet", "draw with `reviewkit seal --seed WORD`")
        return
    if layers.undrawn:
        named = ", ".join(sorted(layers.undrawn)[:5])
        wrong = f"{len(layers.undrawn)} groups were never drawn: {named}"
        yield Problem(shown, wrong, "draw them with `reviewkit seal`")
    redrawn = verify_layers(ws)
    yield from (
        Problem(shown, said, "a draw is never written by hand; take the file from git")
        for said in redrawn.faults
    )
    for shut, open_ in layers.torn_apart:
        wrong = f"{shut}, sealed, shares a template or a text with {open_}, public"
        yield Problem(shown, wrong, "reword one of them, or retire it")
    if layers.draws and layers.sealed_items * 2 < layers.items:
        wrong = f"{layers.sealed_items} of {layers.items} items are sealed, less than half"
        yield Problem(shown, wrong, "write groups and draw them with `reviewkit seal`")
    if not layers.public:
        yield Problem(shown, "no group is public", "write more groups and draw them")


def _add_copies(ws: Workspace, ready: Prepared, made: Judgements) -> None:
    """Add the files that go out as they are."""
    sources = [ws.taxonomy, ws.plan, ws.layers, *_files_below(ws.checklists)]
    sources += _files_below(ws.leakage)
    published = editions(ws)
    for each in published:
        paths = _files_below(each.folder)
        # no edition can be reworded; the last one is looked at with everything else
        if each is not published[-1] and any(
            ready.guard.faults_of_file(ws.shown(path), path.read_bytes()) for path in paths
        ):
            said = f"Edition {each.number} of the guide is not here: it says what may not go out."
            made.notices.append(said)
        else:
            sources += paths
    for path in sources:
        if path.is_file():
            shown = ws.shown(path)
            ready.files[shown] = path.read_bytes()
            ready.copied[shown] = shown


def _files_below(folder: Path) -> list[Path]:
    """Return the files below a folder but hidden ones, backups and links."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not path.is_symlink()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not path.name.endswith(("~", ".part", ".lock"))
        and "__pycache__" not in path.parts
    )


def _add_statements(
    ws: Workspace, ready: Prepared, made: Judgements, bank: Bank, *, notes: bool
) -> None:
    statements, faults = read_statements(ws)
    ready.problems += faults
    ready.problems += _harm_review_problems(statements, ready.tier)
    for each in statements:
        if each.name != "data-card":
            path = f"statements/{each.name}.md"
            ready.files[path] = (ws.root / each.shown).read_bytes()
            ready.copied[path] = each.shown
            ready.may_name[path] = each.may_name
    ready.notices += made.notices
    if statement(statements, "data-card") is None:
        return
    facts = Facts(
        ready.tier, tuple(made.studies), tuple(made.notices), ready.freeze,
        ready.certificate_digest, ready.said_since, ready.certificate, bank.digest,
        datetime.now(UTC).date().isoformat(), notes,
    )  # fmt: skip
    ready.files["DATACARD.md"] = data_card(statements, facts).encode("utf-8")
    ready.copied["DATACARD.md"] = "bank/statements/data-card.md"
    ready.files["README.md"] = front_page(statements, facts, ready.files).encode("utf-8")
    ready.files["croissant.json"] = croissant(statements, facts, ready.files)
    ready.files[SUMS] = sums(ready.files)


def _harm_review_problems(statements: Iterable[Statement], tier: PublicTier) -> Iterator[Problem]:
    """Yield that the harm review holds for other groups than these."""
    for each in statements:
        if isinstance(each.head, HarmReviewHead) and not tier.digest.startswith(each.head.covers):
            wrong = f"the harm review covers {each.head.covers[:12]}, and the public groups are"
            yield Problem(
                each.shown, f"{wrong} {tier.digest[:12]}",
                f"review what changed, then set `covers: {tier.digest[:12]}`",
            )  # fmt: skip


# Writing -----------------------------------------------------------------------------------------


@collector_at_rest()
def publish(
    ws: Workspace, folder: Path, *, freeze: str | None = None, notes: bool = True,
    words: Iterable[str] = (),
) -> Publication:  # fmt: skip
    """Publish into a new folder and return what was published.

    Args:
        ws: The project folder.
        folder: Where to; it must not be there, or be empty, and not lie among the project's files.
        freeze: The freeze whose certificate goes along; the last one by default.
        notes: Whether notes on public groups and responses go along.
        words: Names that are words as well, and so are not sought.

    Raises:
        FolderInTheWay: The folder is not empty, or is one of the project's own.
        LayersMoved: Somebody sealed meanwhile.
        CannotWrite: The disk or the folder does not take it.
        ProblemsFound: With everything that keeps it in; nothing is written then.
    """
    _must_be_free(ws, folder)
    folder = folder.resolve()
    ready = prepare(ws, freeze=freeze, notes=notes, words=words)
    if not ready.may_go:
        raise ProblemsFound(ready.problems)
    staged = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
    try:
        try:
            disk.make_folder(folder.parent)
            _write(staged, ready)
        except OSError as error:
            raise disk.cannot_write(str(folder), error) from error
        with deciding_layers(ws):
            # it took a while, and what is recorded must be what goes out
            _must_be_free(ws, folder)
            if load_layers(ws) != ready.tier.layers.draws:
                raise LayersMoved("somebody sealed groups meanwhile; publish again")
            if folder.is_dir():
                folder.rmdir()
            number = record_publication(
                ws, freeze=ready.freeze, public_digest=ready.tier.digest,
                sums=_sum_of(staged / SUMS), public=ready.tier.ids,
                sealed=ready.tier.layers.sealed,
            )  # fmt: skip
            staged.rename(folder)
            disk.sync_folder(folder.parent)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return Publication(
        folder, number, len(ready.tier.groups), len(ready.tier.item_ids),
        len(ready.tier.layers.sealed), len(ready.files), tuple(ready.notices),
    )  # fmt: skip


@collector_at_rest()
def try_to_publish(
    ws: Workspace, *, freeze: str | None = None, notes: bool = True, words: Iterable[str] = ()
) -> Prepared:
    """Go through a whole publication in a folder that is thrown away; nothing is recorded."""
    ready = prepare(ws, freeze=freeze, notes=notes, words=words)
    if ready.may_go:
        with TemporaryDirectory() as folder:
            try:
                _write(Path(folder) / "publication", ready)
            except ProblemsFound as found:
                ready.problems += found.problems
    return ready


def _write(folder: Path, ready: Prepared) -> None:
    """Write every file, then read them back as a stranger would; ProblemsFound tells what leaks."""
    for path, raw in ready.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            file.write(raw)
            file.flush()
    os.sync()
    problems = tuple(ready.guard.faults_in(folder, ready.may_name))
    if problems:
        raise ProblemsFound(problems)


def _sum_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _must_be_free(ws: Workspace, folder: Path) -> None:
    if folder.is_symlink():
        raise FolderInTheWay(f"{folder} is a link; name the folder itself")
    if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderInTheWay(f"{folder} is not empty; name a new folder")
    places = (ws.bank, ws.rulings, ws.checklists, ws.notebooks, ws.private)
    for own in (*places, *(ws.root / name for name in ("voila_apps", ".git"))):
        if folder.resolve().is_relative_to(own.resolve()):
            raise FolderInTheWay(f"{folder} lies among the project's own files; name another")
