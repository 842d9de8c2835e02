"""The command in the demo folder, within this very process."""

from __future__ import annotations

import sys

import pytest

from reviewkit.cli.app import main
from reviewkit.workspace import Workspace


@pytest.fixture
def run(demo: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Return a function that runs the command in the demo folder: (status, stdout, stderr)."""
    monkeypatch.chdir(demo.root)

    def run_command(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["reviewkit", *words])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return run_command
