"""Names that are paths: through every command, file and message they stay names."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.desk.apps import OutsideOfProject, load_apps, project_file
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.study import Walk
from reviewkit.workspace import Workspace
from tests.attacks.every_command import every_command, run, words_for

MARK = "BAIT-THAT-NOBODY-MAY-READ"
DOTS = "../../outside"
HOSTILE = (DOTS, "{outside}", DOTS, "..\\..\\outside", DOTS, "x\0y", DOTS, "%2e%2e/%2e%2e/outside")
FREE_TEXT = ("reason", "text", "effect", "word", "title", "author", "flag", "name", "formats",
             "categories", "collapse", "missing", "skipped", "gold", "fill")  # fmt: skip
"""Parameters that are prose or cells of a table; what is shown of them is test_hostile_words'."""
SERVERS = ("review", "serve")
"""Commands that start a server when all is well; test_served_routes holds theirs."""
CASES = [
    (command, each)
    for command in every_command()
    for each in command.parameters
    if each.is_text and command.words[0] not in SERVERS and each.name not in FREE_TEXT
]


def test_traversal_through_every_parameter_of_every_command(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No parameter reads, makes or changes anything outside of the project folder."""
    outside = demo.root.parent / "outside"
    _bait(outside)
    monkeypatch.chdir(demo.root)
    before = _seen(outside.parent, demo.root)
    wrong: list[str] = []
    for at, (command, each) in enumerate(CASES):
        value = HOSTILE[at % len(HOSTILE)].format(outside=outside)
        words = words_for(command, each, value, outside / "nothing.csv")
        try:
            status = run(words, monkeypatch)
        except Exception as error:  # noqa: BLE001 - every one is a fault, and all are told
            wrong.append(f"{words}: {error!r}")
            continue
        told = "".join(capsys.readouterr())
        if status not in (0, 1, 2) or MARK in told or "Traceback" in told:
            wrong.append(f"{words}: {status} {told[:300]}")
        if (now := _seen(outside.parent, demo.root)) != before:
            wrong.append(f"{words}: {now ^ before}")
            before = now
    assert wrong == []


def _bait(outside: Path) -> None:
    """Lay what a name with dots would find, everything marked."""
    outside.mkdir()
    text = f"study: outside\ntitle: {MARK}\nname: {MARK}\n"
    for name in ("study.yaml", "outside.yaml", "practice.yaml"):
        (outside / name).write_text(text, encoding="utf-8")
    for ending in (".yaml", ".jsonl", ".json", ".csv", ".md"):
        outside.with_suffix(ending).write_text(f"{MARK}\n", encoding="utf-8")


def _seen(root: Path, project: Path) -> set[tuple[str, int]]:
    """Return every file below a folder but not in the project, with its time."""
    return {
        (str(path), path.lstat().st_mtime_ns)
        for path in root.rglob("*")
        if path != project and project not in path.parents
    }


@pytest.mark.parametrize(
    "notebook",
    ["../outside.ipynb", "{outside}.ipynb", "notebooks/../../outside.ipynb", "bank/x.ipynb",
     "notebooks/..\\\\outside.ipynb", "notebooks/x\\0.ipynb", ".reviewkit/links.jsonl"],
)  # fmt: skip
def test_notebook_of_an_app_outside_of_the_notebooks(demo: Workspace, notebook: str) -> None:
    """apps.yaml names notebooks of the project's own folder and nothing else."""
    outside = demo.root.parent / "outside"
    outside.with_suffix(".ipynb").write_text(MARK, encoding="utf-8")
    rename_notebook(demo, notebook.format(outside=outside))
    with pytest.raises(ProblemsFound, match=r"apps\.yaml"):
        load_apps(demo, "review")


def test_symbolic_link_to_a_notebook_outside(demo: Workspace) -> None:
    """A link in notebooks/ that leads out of the project folder is not served."""
    target = demo.root.parent / "outside.ipynb"
    target.write_text(MARK, encoding="utf-8")
    (demo.notebooks / "linked.ipynb").symlink_to(target)
    with pytest.raises(OutsideOfProject, match="lies outside"):
        project_file(demo, "notebooks/linked.ipynb")
    assert project_file(demo, "notebooks/01_review.ipynb").is_file()


def test_two_apps_at_one_address(demo: Workspace) -> None:
    """An address has one app, or a later entry would open the lead's page to others."""
    path = demo.root / "voila_apps" / "apps.yaml"
    text = path.read_text(encoding="utf-8").replace("address: guide", "address: audit")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsFound, match="guide and audit both stand at 'audit'"):
        load_apps(demo, "review")


def test_study_of_a_linked_ledger(demo: Workspace) -> None:
    """A ledger that is a symbolic link is neither followed nor written through."""
    target = demo.root.parent / "outside.txt"
    target.write_text("", encoding="utf-8")
    ledger = demo.ledger("demo", "first", "first-reviewer")
    ledger.parent.mkdir(parents=True)
    ledger.symlink_to(target)
    with pytest.raises(ReviewkitError, match="symbolic link"):
        Walk(demo, "demo", "first-reviewer", origin="lab").skip("DEMO-T1-001", click_id="click-01")
    assert target.read_text(encoding="utf-8") == ""


def rename_notebook(ws: Workspace, notebook: str) -> None:
    """Let the raters' app name another notebook."""
    path = ws.root / "voila_apps" / "apps.yaml"
    text = path.read_text(encoding="utf-8").replace("notebooks/01_review.ipynb", f'"{notebook}"')
    path.write_text(text, encoding="utf-8")
