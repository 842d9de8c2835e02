"""``reviewkit init``: what it lays, and what it never overwrites."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.bank.axes import load_axes
from reviewkit.cli.app import main
from reviewkit.workspace import Workspace

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command in a folder below the test's own."""

    def run_command(*words: str, inside: str = ".") -> tuple[int, str, str]:
        monkeypatch.chdir(tmp_path / inside)
        monkeypatch.setattr(sys, "argv", ["reviewkit", *words])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return run_command


def test_a_plain_project_has_axes_to_fill(run: Run, tmp_path: Path) -> None:
    """The file of axes is laid, read, and empty but for what explains it."""
    assert run("init", "plain")[0] == 0
    ws = Workspace(tmp_path / "plain")
    assert load_axes(ws).axes == ()
    assert "spaces" in ws.axes.read_text(encoding="utf-8")
    assert run("check", inside="plain")[0] == 0
    assert not ws.instantiation.exists()


def test_a_new_country_is_laid_whole(run: Run, tmp_path: Path) -> None:
    """Every file of the checklist is there, the check finds no fault, the listing what is open."""
    assert run("init", "new", "--instantiation")[0] == 0
    bank = tmp_path / "new" / "bank"
    for name in (
        "instantiation.yaml", "taxonomy.yaml", "axes.yaml", "registry.yaml", "plan.yaml",
        "adjudication.yaml", "watchlists/README.md", "leakage/README.md",
        "statements/positionality.md",
    ):  # fmt: skip
        assert (bank / name).is_file(), name
    assert run("check", inside="new")[0] == 0
    status, out, _ = run("instantiation", inside="new")
    assert status == 1
    assert "there is only `general`, as laid" in out


def test_into_a_project_only_what_is_missing_is_laid(run: Run, tmp_path: Path) -> None:
    """A project that is there gets the checklist; no file of its own is touched."""
    run("init", "old")
    plan = tmp_path / "old" / "bank" / "plan.yaml"
    plan.write_text("sizes: []\n", encoding="utf-8")
    status, out, _ = run("init", "--instantiation", inside="old")
    assert status == 0
    assert "bank/instantiation.yaml" in out
    assert "plan.yaml" not in out.replace("bank/adjudication.yaml", "")
    assert plan.read_text(encoding="utf-8") == "sizes: []\n"
    assert "everything is laid already" in run("init", "--instantiation", inside="old")[1]


def test_the_example_is_laid_and_sound(run: Run) -> None:
    """The German example passes check and audit as it is laid."""
    assert run("init", "austria", "--example", "german", "--first", "anna")[0] == 0
    assert "40 items on 14 groups" in run("check", inside="austria")[1]
    assert run("audit", inside="austria")[0] == 0


def test_without_a_folder_the_usage_is_wrong(run: Run) -> None:
    """Only the checklist can be laid where one stands; a project wants a folder's name."""
    status, _, err = run("init")
    assert status == 2
    assert "name the new project folder" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "--example", "latin"), "there is no example 'latin'; use german"),
        (("new", "--demo", "--example", "german"), "leave out --demo, or the other option"),
        (("new", "--demo", "--instantiation"), "leave out --demo, or the other option"),
    ],
)
def test_what_cannot_be_laid_is_refused_whole(
    run: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    """Options that do not go together are told, and no folder is begun."""
    status, _, err = run("init", *words)
    assert status == 1
    assert said in err
    assert not (tmp_path / "new").exists()
