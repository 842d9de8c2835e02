"""The drill of docs/operation.md: back up, look, restore, and go on there."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down


def test_the_drill(run, demo: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the commands print is what was restored; a damaged archive is exit 1 and a sentence."""
    sit_down(demo, "first-reviewer").submit()
    status, out, _ = run("backup", "--out", "../b.tar.gz")
    assert status == 0
    assert "read back and sound" in out
    assert "1 study, 1 chained file with " in out
    assert "links are made anew" in out
    assert run("backup", "--check", "../b.tar.gz")[0] == 0
    status, out, _ = run("restore", "../b.tar.gz", "../again")
    assert status == 0
    assert "  study demo\n" in out
    assert "1 study, 1 chained file with " in out
    monkeypatch.chdir(tmp_path / "again")
    status, out, _ = run("verify", "ledger")
    assert status == 0
    assert "rulings/demo/first/first-reviewer.jsonl: " in out
    monkeypatch.chdir(demo.root)
    archive = tmp_path / "b.tar.gz"
    archive.write_bytes(archive.read_bytes()[:-3])
    for words in (("backup", "--check", "../b.tar.gz"), ("restore", "../b.tar.gz", "../third")):
        status, _, err = run(*words)
        assert status == 1
        assert "nothing was restored: take another archive" in err
    assert not (tmp_path / "third").exists()
