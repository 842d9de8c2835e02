"""What the warm parent reads before anybody comes is not parsed again for a person."""

from pathlib import Path

import pytest

from reviewkit.bank import read_bank
from reviewkit.desk.server.warm.ahead import STUDY_VARIABLE, read_ahead
from reviewkit.questions import load_forms
from reviewkit.sources import yaml_files
from reviewkit.sources.kept import KeptContents
from reviewkit.study import load_study
from reviewkit.workspace import Workspace

REPOSITORY = Path(__file__).parents[3]


def test_the_files_of_the_study_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the reading ahead, opening the study parses no file."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(REPOSITORY))
    monkeypatch.setattr(yaml_files, "YAML_FILES", KeptContents())
    parsed: list[str] = []
    read = yaml_files.read_yaml

    def noted(text: str, shown: str) -> object:
        parsed.append(shown)
        return read(text, shown)

    monkeypatch.setattr(yaml_files, "read_yaml", noted)
    assert read_ahead({STUDY_VARIABLE: "demo"}) == ""
    assert any(name.startswith("bank/groups/") for name in parsed)
    del parsed[:]
    ws = Workspace(REPOSITORY)
    load_study(ws, "demo")
    load_forms(ws.checklists)
    read_bank(ws)
    assert parsed == []


def test_a_fault_is_none_of_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A study that is not there, or no project at all, is told where a person opens it."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(REPOSITORY))
    assert read_ahead({STUDY_VARIABLE: "nosuch"}) == "UnknownStudy"
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(tmp_path))
    assert read_ahead({STUDY_VARIABLE: "demo"}) == "NoWorkspace"
    assert read_ahead({}) == ""
