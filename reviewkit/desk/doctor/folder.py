"""Rights in the project folder, room on its disk, its last record, and what git makes of it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reviewkit.decisions.disk import open_regular, read_span
from reviewkit.desk.doctor.finding import Finding, fault, ok, some_of, warning
from reviewkit.desk.server.health import FILES, ROOM, takes_a_file
from reviewkit.workspace import Workspace

MOST = 20_000
"""So many files are looked at; a bank of this size has its groups many to a file."""
LITTLE = 10 * ROOM
"""Bytes below which the room on the disk is worth a word."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_TAIL = 65_536


@dataclass(frozen=True, slots=True)
class Rights:
    """Names, relative to the folder, of what this account cannot use or others can."""

    unreadable: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    """Folders and ledgers that take no record."""
    odd: tuple[str, ...] = ()
    """Ledgers that are links, folders or devices."""
    open_to_all: tuple[str, ...] = ()
    """What any account of the machine may write."""
    looked_at: int = 0


@dataclass(frozen=True, slots=True)
class Private:
    """The rights of ``.reviewkit/``; None where there is none yet."""

    mode: int | None
    secrets: tuple[tuple[str, int], ...] = ()
    """Names and modes of files that hold secrets or hashes of them."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is free on the disk; ``files`` None where the file system makes inodes as it goes."""

    free: int
    files: int | None


@dataclass(frozen=True, slots=True)
class Git:
    """What git makes of ledgers and secrets; ``refused`` says why it could not be asked."""

    checkout: bool
    refused: str = ""
    ignored: tuple[tuple[str, str], ...] = ()
    """Ledgers that are ignored, and by which rule."""
    secrets_ignored: bool = True


def look_rights(ws: Workspace, studies: Iterable[str]) -> Rights:
    """Walk the folder as the account of the server would."""
    unreadable: list[str] = []
    open_to_all: list[str] = []
    looked_at = 0
    for top in (ws.bank, ws.checklists, ws.rulings, ws.notebooks, ws.root / "voila_apps"):
        for path in _below(top):
            looked_at += 1
            if looked_at > MOST:
                break
            try:
                mode = path.lstat().st_mode
            except OSError:
                continue
            if stat.S_ISLNK(mode):
                continue
            if mode & stat.S_IWOTH:
                open_to_all.append(ws.shown(path))
            needed = os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)
            if not os.access(path, needed):
                unreadable.append(ws.shown(path))
    folders = [ws.rulings]
    for study in studies:
        inside = ws.study_folder(study)
        folders.append(inside)
        if inside.is_dir() and os.access(inside, os.R_OK | os.X_OK):
            folders += sorted(each for each in inside.iterdir() if each.is_dir())
    ledgers = [path for folder in folders if folder.is_dir() for path in folder.glob("*.jsonl")]
    plain = [path for path in ledgers if stat.S_ISREG(path.lstat().st_mode)]
    closed = [each for each in folders if not takes_a_file(each)]
    closed += [each for each in plain if not os.access(each, os.R_OK | os.W_OK)]
    return Rights(
        unreadable=tuple(unreadable),
        closed=tuple(map(ws.shown, closed)),
        odd=tuple(ws.shown(each) for each in ledgers if each not in plain),
        open_to_all=tuple(open_to_all),
        looked_at=looked_at,
    )


def _below(top: Path) -> Iterator[Path]:
    yield top
    for folder, folders, files in os.walk(top):
        for name in (*folders, *files):
            yield Path(folder, name)


def check_rights(rights: Rights) -> Iterator[Finding]:
    """Say what cannot be read or written, and what anybody could change."""
    wrong = False
    for names, found, remedy in (
        (rights.unreadable, "this account cannot read", "chown or chmod u+r (u+rx for folders)"),
        (
            rights.closed, "takes no record from this account",
            "chown or chmod u+rw (u+rwx for folders); a full or read-only disk looks the same",
        ),
        (
            rights.odd, "a ledger that is no plain file",
            "put the real file there (a linked folder is fine)",
        ),
        (rights.open_to_all, "any account of this machine can change", "chmod o-w"),
    ):  # fmt: skip
        if names:
            wrong = True
            yield fault("folder rights", f"{found}: {some_of(names)}", remedy)
    if rights.looked_at > MOST:
        yield warning(
            "folder rights", f"only the first {MOST:,} files were looked at",
            "find . -perm -o+w ! -type l",
        )  # fmt: skip
    if not wrong:
        yield ok(
            "folder rights",
            f"{min(rights.looked_at, MOST):,} files and folders can be read, rulings take records",
        )


def look_private(ws: Workspace) -> Private:
    """Read the rights of what only the server's account may read."""
    try:
        mode = ws.private.lstat().st_mode
    except OSError:
        return Private(None)
    names = [ws.links, ws.secret, ws.pseudonym_key, *ws.servers.glob("*.json")]
    there = [each for each in names if each.exists()]
    return Private(
        stat.S_IMODE(mode),
        tuple((ws.shown(each), stat.S_IMODE(each.lstat().st_mode)) for each in there),
    )


def check_private(private: Private) -> Iterator[Finding]:
    """Say whether others could read links, secrets, or what lies beside them."""
    if private.mode is None:
        yield ok("private folder", ".reviewkit is not there yet; it is made for this account alone")
        return
    loose = [name for name, mode in private.secrets if mode & _OTHERS]
    if loose:
        yield fault(
            "private folder", f"others may read or write {some_of(loose)}",
            f"chmod 600 {' '.join(loose[:3])}; then `reviewkit link renew` for everybody",
        )  # fmt: skip
    if private.mode & _OTHERS:
        found = f".reviewkit has rights {private.mode:04o}"
        if private.mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield fault("private folder", f"{found}: others can replace secrets", _CLOSE)
        else:
            yield warning("private folder", f"{found}: others can list it", _CLOSE)
    elif not loose:
        yield ok("private folder", f".reviewkit is 0700, its {len(private.secrets)} secrets 0600")


_CLOSE = "chmod 700 .reviewkit"


def look_room(folder: Path) -> Room:
    """Ask the disk of a folder what is free for this account."""
    found = os.statvfs(folder)
    return Room(found.f_bavail * found.f_frsize, found.f_favail if found.f_files else None)


def check_room(room: Room) -> Finding:
    """Say whether the disk has room for records; below the fault, ``/healthz`` says 503."""
    files = "" if room.files is None else f", room for {room.files:,} files"
    told = f"{room.free / 1e6:,.0f} MB free{files}"
    if room.free < ROOM or (room.files is not None and room.files < FILES):
        return fault(
            "disk", told, f"free some room: at least {ROOM / 1e6:.0f} MB and {FILES} files"
        )
    if room.free < LITTLE or (room.files is not None and room.files < 10 * FILES):
        return warning("disk", told, "free some room before the study begins")
    return ok("disk", told)


def look_last_record(ws: Workspace, studies: Iterable[str]) -> tuple[datetime, str] | None:
    """Return when the youngest record of the ledgers was written, and in which."""
    found: list[tuple[datetime, str]] = []
    for study in studies:
        for path in (ws.study_folder(study)).rglob("*.jsonl"):
            time = _last_time(path)
            if time is not None:
                found.append((time, ws.shown(path)))
    return max(found, default=None)


def _last_time(ledger: Path) -> datetime | None:
    """Return the time of the last whole line; a ledger that is broken is another command's."""
    try:
        # a pipe or a device in its place would never end
        descriptor = open_regular(ledger, os.O_RDONLY)
        try:
            size = os.fstat(descriptor).st_size
            whole = read_span(descriptor, max(0, size - _TAIL), size).rpartition(b"\n")[0]
        finally:
            os.close(descriptor)
        record: dict[str, Any] = json.loads(whole.rpartition(b"\n")[2])
        time = datetime.fromisoformat(record["time"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return time if time.tzinfo is not None else None


def look_git(ws: Workspace, ledgers: Iterable[Path]) -> Git:
    """Ask git whether it would leave ledgers out, and secrets too."""
    command = shutil.which("git")
    if command is None:
        return Git(checkout=False, refused="git is not installed")
    secrets = [ws.shown(path) for path in (ws.secret, ws.links)]
    names = [*dict.fromkeys(map(ws.shown, ledgers)), *secrets]
    asked = [command, "-C", str(ws.root), "check-ignore", "-v", "-z", "--stdin"]
    said = subprocess.run(  # noqa: S603 - git, with names of ours
        asked, input="\0".join(names) + "\0", capture_output=True, text=True, timeout=5,
        check=False, env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    if said.returncode > 1:
        text = said.stderr.strip().splitlines() or ["no reason given"]
        outside = "not a git repository" in said.stderr
        return Git(checkout=not outside, refused="" if outside else text[0])
    # groups of four: file with the rule, its line, the rule, the name it is about
    fields = said.stdout.split("\0")
    rules = {
        name: f"{source}:{line}"
        for source, line, rule, name in zip(*(fields[at::4] for at in range(4)), strict=False)
        if not rule.startswith("!")
    }
    return Git(
        checkout=True,
        ignored=tuple((name, rules[name]) for name in names if name in rules.keys() - {*secrets}),
        secrets_ignored=all(name in rules for name in secrets),
    )


def check_git(git: Git) -> Iterator[Finding]:
    """Say whether git keeps the ledgers, and leaves the secrets out."""
    if git.refused:
        found = f"could not be asked: {git.refused}"
        if git.checkout:
            yield warning("git", found, "do what git says, or see that ledgers are committed")
        else:
            yield ok("git", found)
        return
    if not git.checkout:
        yield ok("git", "the folder is no checkout; `reviewkit backup` keeps copies")
        return
    if git.ignored:
        rules = sorted({rule for _name, rule in git.ignored})
        yield warning(
            "git",
            f"ledgers are ignored ({some_of(rules)}): {some_of([name for name, _ in git.ignored])}",
            "as it should be for a demo; in a study of record take the rule out",
        )
    if not git.secrets_ignored:
        yield warning(
            "git", ".reviewkit is not ignored: its secrets would be committed",
            "write .reviewkit/ into .gitignore",
        )  # fmt: skip
    if not git.ignored and git.secrets_ignored:
        yield ok("git", "ledgers are kept, .reviewkit is ignored")
