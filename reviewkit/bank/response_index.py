"""Where each response of a table stands in its file, so that opening reads no response.

The index holds nothing of its own: whatever is odd about it, it is made anew. Where it cannot be
kept, in a folder that may only be read, it lives in memory.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from reviewkit.bank.response_lines import NotALine, response_of
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import capped
from reviewkit.workspace import make_folder

_VERSION = 1


@dataclass(frozen=True, slots=True)
class ResponseIndex:
    """The places and digests of all responses of one file, in its order."""

    size: int
    mtime_ns: int
    file_digest: str
    """SHA-256 of the file's bytes."""
    ids: tuple[str, ...]
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    digests: tuple[str, ...]

    def fits(self, stat: os.stat_result) -> bool:
        """Return whether the file is the one that was indexed, as far as can be seen outside."""
        return (self.size, self.mtime_ns) == (stat.st_size, stat.st_mtime_ns)


def index_of(data: bytes, stat: os.stat_result, shown: str) -> ResponseIndex:
    """Return the index of a file's bytes; ProblemsFound names every broken or doubled line."""
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    starts: list[int] = []
    lengths: list[int] = []
    digests: list[str] = []
    start = 0
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if raw.strip():
            try:
                response = response_of(raw)
            except NotALine as error:
                remedy = "import the table again"
                problems.append(Problem(f"{shown}:{number}", str(error), remedy))
            else:
                if (first := lines.setdefault(response.response_id, number)) != number:
                    wrong = f"the id {response.response_id!r} stands on line {first} already"
                    problems.append(Problem(f"{shown}:{number}", wrong, "import the table again"))
                starts.append(start)
                lengths.append(len(raw))
                digests.append(response.digest)
        start += len(raw) + 1
    if problems:
        raise ProblemsFound(capped(problems))
    return ResponseIndex(
        len(data), stat.st_mtime_ns, hashlib.sha256(data).hexdigest(), tuple(lines),
        tuple(starts), tuple(lengths), tuple(digests),
    )  # fmt: skip


def kept_index(path: Path) -> ResponseIndex | None:
    """Return the index kept at ``path``; None when there is none, or it is damaged."""
    try:
        kept = json.loads(path.read_bytes())
        index = ResponseIndex(
            int(kept["size"]), int(kept["mtime_ns"]), str(kept["file"]),
            _column(kept["ids"], str), _column(kept["starts"], int),
            _column(kept["lengths"], int), _column(kept["digests"], str),
        )  # fmt: skip
        sound = kept["version"] == _VERSION
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    columns = (index.ids, index.starts, index.lengths, index.digests)
    same = (
        len({len(column) for column in columns}) == 1 == len({len(set(index.ids)), len(index.ids)})
    )
    return index if sound and same else None


def keep_index(path: Path, index: ResponseIndex) -> None:
    """Keep an index whole or not at all; one that cannot be kept is made anew next time."""
    content = {
        "version": _VERSION, "size": index.size, "mtime_ns": index.mtime_ns,
        "file": index.file_digest, "ids": index.ids, "starts": index.starts,
        "lengths": index.lengths, "digests": index.digests,
    }  # fmt: skip
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        make_folder(path.parent)
        part.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _column(value: Any, kind: type[Any]) -> tuple[Any, ...]:
    entries = cast("list[Any]", value)
    if not isinstance(value, list) or not all(type(each) is kind for each in entries):
        raise ValueError("not a column of an index")
    return tuple(entries)
