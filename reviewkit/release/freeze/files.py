"""Which files a freeze covers, and their sums as ``sha256sum`` writes them.

Covered is all of ``bank/``, ``checklists/`` and ``rulings/`` but the freezes themselves, what a
desk keeps while somebody works (drafts, marks, locks), and the page that is rendered from the
rulings. A name that the bank does not read, hidden or a backup, is no part of it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reviewkit.workspace import Workspace

_PASSING = (".draft.json", ".writer.json", ".lock", ".part", "~", ".pyc")
"""Endings of what comes and goes beside the files that count."""
_TEXT = (".yaml", ".yml", ".json", ".jsonl", ".md")
_LINE = re.compile(r"(\\?)([0-9a-f]{64}) [ *](.+)", re.DOTALL)
_ESCAPED = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_UNESCAPED = {told: char for char, told in _ESCAPED.items()}


@dataclass(frozen=True, slots=True)
class Listed:
    """What lies where a freeze looks."""

    files: tuple[str, ...]
    """Relative to the project folder, with slashes, in the order of their bytes."""
    irregular: tuple[str, ...] = ()
    """Links, pipes and the like: their content lies elsewhere, so no sum can vouch for them."""


def frozen_files(ws: Workspace) -> Listed:
    """Return every file that a freeze of the folder as it is would cover."""
    files: list[str] = []
    irregular: list[str] = []
    for top in (ws.bank, ws.checklists, ws.rulings):
        for path in _below(ws, top):
            name = path.relative_to(ws.root).as_posix()
            regular = path.is_file() and not path.is_symlink()
            (files if regular else irregular).append(name)
    return Listed(tuple(sorted(files, key=os.fsencode)), tuple(sorted(irregular, key=os.fsencode)))


def _below(ws: Workspace, top: Path) -> Iterator[Path]:
    for folder, inner, names in os.walk(top):
        at = Path(folder)
        links = [name for name in inner if (at / name).is_symlink() and not name.startswith(".")]
        inner[:] = [
            name
            for name in inner
            if not name.startswith(".") and name != "__pycache__" and at / name != ws.freezes
        ]
        for name in names:
            path = at / name
            if not name.startswith(".") and not name.endswith(_PASSING) and path != ws.rulings_page:
                yield path
        yield from (at / name for name in links)


def only_grows(path: str) -> bool:
    """Return whether a file is one that people's records are appended to, by its place."""
    return path.startswith("rulings/") and path.endswith(".jsonl")


@dataclass(frozen=True, slots=True)
class Sum:
    """The SHA-256 of a file and how many bytes it was taken over."""

    digest: str
    size: int


def sum_of(path: Path, size: int | None = None) -> Sum:
    """Return the sum of a file, or of its first ``size`` bytes; OSError when it cannot be read."""
    running = hashlib.sha256()
    read = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20 if size is None else min(1 << 20, size - read)):
            running.update(part)
            read += len(part)
    return Sum(running.hexdigest(), read)


def is_same_but_for_line_ends(path: Path, digest: str) -> bool:
    """Return whether a file has this digest once its line ends are LF again, or CRLF again.

    Git and editors of another system exchange them; then nobody edited a word.
    """
    raw = path.read_bytes()
    plain = raw.replace(b"\r\n", b"\n")
    others = (plain, plain.replace(b"\n", b"\r\n"))
    return any(hashlib.sha256(each).hexdigest() == digest for each in others)


def has_crlf(path: Path) -> bool:
    """Return whether a text file has CRLF, which a checkout of git makes LF."""
    return path.suffix.lower() in _TEXT and b"\r\n" in path.read_bytes()


def sums_as_text(sums: dict[str, str]) -> bytes:
    """Return path -> digest as ``sha256sum`` prints it.

    A line whose path holds a backslash or a line end begins with a backslash, and the path is
    written with escapes.
    """
    lines: list[bytes] = []
    for path, digest in sums.items():
        escaped = "".join(_ESCAPED.get(char, char) for char in path)
        mark = "\\" if escaped != path else ""
        lines.append(os.fsencode(f"{mark}{digest}  {escaped}\n"))
    return b"".join(lines)


def sums_from_text(raw: bytes) -> dict[str, str] | None:
    """Return path -> digest of a file that ``sums_as_text`` wrote, or None when it is none.

    Line ends may have become CRLF on the way.
    """
    found: dict[str, str] = {}
    text = os.fsdecode(raw.replace(b"\r\n", b"\n"))
    if not text.endswith("\n"):
        return None
    for line in text[:-1].split("\n"):
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        mark, digest, path = match.groups()
        if mark:
            path = re.sub(r"\\[\\nr]", lambda told: _UNESCAPED[told[0]], path)
        if path in found or not _is_inside(path):
            return None
        found[path] = digest
    return found


def _is_inside(path: str) -> bool:
    """Return whether a path stays in the project folder: a list may come from elsewhere."""
    return not path.startswith("/") and ".." not in path.split("/")
