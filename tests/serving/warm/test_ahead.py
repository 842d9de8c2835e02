"""What the warm parent reads before anybody comes is not parsed again for a person."""

from pathlib import Path

import pytest

from reviewkit.bank import read_bank
from reviewkit.desk.server.warm.ahead import STUDY_VARIABLE, read_ahead
from reviewkit.questions import load_forms
from reviewkit.study import load_study
from reviewkit.workspace import Workspace

REPOSITORY = Path(__file__).parents[3]


def test_the_files_of_the_study_are_parsed_once(
    monkeypatch: pytest.MonkeyPatch, parses: list[str]
) -> None:
    """After the reading ahead, opening the study parses no file."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(REPOSITORY))
    assert read_ahead({STUDY_VARIABLE: "demo"}) == ""
    assert any(name.startswith("bank/groups/") for name in parses)
    del parses[:]
    ws = Workspace(REPOSITORY)
    load_study(ws, "demo")
    load_forms(ws.checklists)
    read_bank(ws)
    assert parses == []


def test_a_fault_is_none_of_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A study that is not there, or no project at all, is told where a person opens it."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(REPOSITORY))
    assert read_ahead({STUDY_VARIABLE: "nosuch"}) == "UnknownStudy"
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(tmp_path))
    assert read_ahead({STUDY_VARIABLE: "demo"}) == "NoWorkspace"
    assert read_ahead({}) == ""
