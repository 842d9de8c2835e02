"""Other accounts of the machine: whatever needs ``.reviewkit`` first makes it for its owner."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import reviewkit
from reviewkit.bank.response_index import ResponseIndex, keep_index
from reviewkit.decisions import disk
from reviewkit.decisions.stores import store_of
from reviewkit.desk.server.listening import listed
from reviewkit.study.contents import KeptContents
from reviewkit.study.links import link_book
from reviewkit.workspace import Workspace, make_folder

PACKAGE = Path(reviewkit.__file__).parent
MAKERS: dict[str, Callable[[Workspace], object]] = {
    "an index": lambda ws: keep_index(
        ws.index / "t.json", ResponseIndex(0, 0, "", (), (), (), ())
    ),
    "a kept content": lambda ws: KeptContents(
        ws.shown(ws.contents), store_of(ws).kept
    ).keep("a" * 64, {"text": "sealed"}),
    "a kept secret": lambda ws: store_of(ws).kept.first(
        ws.shown(ws.pseudonym_key), b"key", secret=True
    ),
    "a link": lambda ws: link_book(ws).make("demo", "first", "amal"),
    "a lock": lambda ws: _held(disk.exclusive(ws.private / "retirement", "retirement")),
    "a server": lambda ws: _held(listed(ws, "demo", "127.0.0.1", 1, "/", "http://127.0.0.1:1/")),
}  # fmt: skip


def _held(lock: AbstractContextManager[object]) -> None:
    with lock:
        pass


@pytest.mark.parametrize("maker", MAKERS)
def test_private_folder_whoever_makes_it(demo: Workspace, maker: str) -> None:
    """Not even with a loose umask can another account enter, whatever came first."""
    assert not demo.private.exists()
    before = os.umask(0)
    try:
        MAKERS[maker](demo)
    finally:
        os.umask(before)
    folders = [demo.private, *(path for path in demo.private.rglob("*") if path.is_dir())]
    assert {path: oct(path.stat().st_mode & 0o777) for path in folders} == dict.fromkeys(
        folders, "0o700"
    )


def test_private_folder_and_the_folders_around_it(tmp_path: Path) -> None:
    """The project itself keeps the rights that its owner's umask gives."""
    before = os.umask(0o022)
    try:
        made = make_folder(tmp_path / "project" / ".reviewkit" / "deep" / "er")
    finally:
        os.umask(before)
    assert [oct(path.stat().st_mode & 0o777) for path in made] == ["0o755", *3 * ["0o700"]]


ELSEWHERE = {
    "agreement/reporting/plots.py", "archives/unpacking.py", "authoring/retirement.py",
    "authoring/second_review_acts.py", "authoring/second_review_start.py",
    "bank/import_responses.py", "bank/item_sets/writing.py", "cli/guide.py", "cli/laying.py",
    "cli/project.py", "release/publish/publication.py", "release/publish/statements.py",
    "rulings/guides/editions.py", "study/new_study.py", "workspace.py",
}  # fmt: skip
"""These make folders of their own that are not in ``.reviewkit``, or set its rights afterwards."""


def _makers() -> Iterator[str]:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("mkdir", "makedirs"):
                yield path.relative_to(PACKAGE).as_posix()


def test_private_folder_has_no_other_maker() -> None:
    """Who makes a folder in another module decides here whether others may enter it."""
    assert set(_makers()) <= ELSEWHERE
