"""Groups of an import as files of the bank: one each, or many to a file where there are many."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from reviewkit.bank.items import Group
from reviewkit.bank.render import render_group
from reviewkit.workspace import Workspace

FILE_EACH = 500
"""Up to so many groups have a file each, to be read and edited one by one."""
GROUPS_A_FILE = 200
"""Of more groups so many stand in a file, one a line: a saved edit is read anew at once."""


def write_groups(ws: Workspace, groups: Sequence[Group], folder: str) -> tuple[Path, ...]:
    """Write groups into ``bank/groups/`` and return the files; nothing is overwritten.

    More than ``FILE_EACH`` groups go to ``bank/groups/<folder>/``, many to a file. Raises
    FileExistsError when a file is there, or what the disk says; nothing new stays then.
    """
    written: list[Path] = []
    try:
        for path, text in _files(ws.groups, groups, folder):
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                written.append(path)
                file.write(text)
    except OSError:
        for path in written:
            with suppress(OSError):
                path.unlink()
        raise
    return tuple(written)


def _files(root: Path, groups: Sequence[Group], folder: str) -> Iterator[tuple[Path, str]]:
    if len(groups) <= FILE_EACH:
        for group in groups:
            yield root / f"{group.template_id}.yaml", render_group(group)
        return
    for at in range(0, len(groups), GROUPS_A_FILE):
        some = groups[at : at + GROUPS_A_FILE]
        path = root / folder / f"{some[0].template_id}.jsonl"
        yield path, "".join(f"{_line(group)}\n" for group in some)


def _line(group: Group) -> str:
    fields = group.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return json.dumps(fields, ensure_ascii=False)
