"""The store that a project folder has by itself: every ledger is a file in it."""

from __future__ import annotations

import os
from pathlib import Path

from reviewkit.decisions.disk import CannotWrite
from reviewkit.decisions.stores.file_kept import FileKept
from reviewkit.decisions.stores.file_lines import FileLines
from reviewkit.problems import Problem
from reviewkit.workspace import Workspace


class FileStore:
    """The files of one project folder.

    A process that opened files before ``rulings/store.yaml`` came is refused from then on: what it
    appended would be missing in the database.
    """

    is_shared = False

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self.kept = FileKept(ws.root, still_here=self.must_be_in_use)

    def lines(self, path: Path) -> FileLines:
        """Return the lines of a file."""
        shown = self._ws.shown(path)
        return FileLines(path, shown, still_here=lambda: self.must_be_in_use(shown))

    def logs(self, folder: Path, pattern: str = "*.jsonl") -> tuple[Path, ...]:
        """Return the files below ``folder`` that match, sorted."""
        return tuple(sorted(folder.glob(pattern))) if folder.is_dir() else ()

    def changes(self, folder: Path) -> str:
        """Return nothing: whoever asks has the times of the files."""
        del folder
        return ""

    def dangers(self) -> list[Problem]:
        """Return nothing: each record is forced to the disk before it is said to be safe."""
        return []

    def must_be_in_use(self, shown: str) -> None:
        """Raise CannotWrite once the folder has a database, which is where all is from then on."""
        if os.path.lexists(self._ws.store_file):
            raise CannotWrite(
                shown,
                f"{self._ws.shown(self._ws.store_file)} says that it is in a database now",
                "open this page or notebook again",
            )
