"""The page "From another tool" shows files and commands, and they do what it says."""

from __future__ import annotations

import json
import re
import shlex
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from reviewkit.agreement.label_files.asked import LEVELS, SHAPE_NAMES
from reviewkit.agreement.label_files.scheme import QuestionScheme, Scheme
from reviewkit.agreement.label_files.tools.recognised import ToolName
from reviewkit.cli.app import main

PAGE = Path(__file__).parents[2] / "docs" / "from-another-tool.md"
TEXT = PAGE.read_text(encoding="utf-8")


def fences(kind: str) -> list[str]:
    """Return the blocks of this kind."""
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, flags=re.DOTALL)


def commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each command and the lines that are shown below it."""
    for block in fences("console"):
        for part in block.split("$ ")[1:]:
            command, *shown = part.strip().splitlines()
            yield command, tuple(shown)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the page, and an export that is named and not shown."""
    shown = re.findall(r"^`([\w.-]+)`\n\n```\w+\n(.*?)```", TEXT, flags=re.DOTALL | re.MULTILINE)
    for name, content in shown:
        (tmp_path / name).write_text(content, encoding="utf-8")
    records = [
        {"id": at, "annotations": [{"annotator": who, "label": "yes"} for who in ("amal", "badr")]}
        for at in range(3)
    ]
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("labels.jsonl", "\n".join(map(json.dumps, records)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("command", "shown"), list(commands()), ids=[c for c, _ in commands()])
def test_every_command_prints_what_is_shown(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    shown: tuple[str, ...],
) -> None:
    """Each line below a command stands in its output; a refusal that is shown is a refusal."""
    assert folder.is_dir()
    monkeypatch.setattr(sys, "argv", [*shlex.split(command), "--draws", "50"])
    try:
        main()
        status = 0
    except SystemExit as ended:
        status = int(ended.code or 0)
    out, err = capsys.readouterr()
    refused = any("can be read in 2 ways" in line for line in shown)
    assert status == int(refused), err
    # the terminal folds long lines
    flat = " ".join((out + err).split())
    for line in shown:
        assert line in flat


def test_the_python_on_the_page_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The call from Python prints what was understood."""
    assert folder.is_dir()
    for block in fences("python"):
        exec(block, {})
    assert "3 units, all have two ratings." in capsys.readouterr().out


def test_the_page_names_every_shape_level_tool_and_key_of_a_scheme() -> None:
    """Shapes and tools have a heading each, and the scheme of the example every key."""
    for shape in SHAPE_NAMES:
        assert f"### `{shape}`: " in TEXT
    scheme = TEXT.partition("## The scheme")[2].partition("```yaml")[2].partition("```")[0]
    for key in {*QuestionScheme.model_fields, *Scheme.model_fields}:
        assert re.search(rf"^{key}:", scheme, flags=re.MULTILINE), key
    for level in LEVELS:
        assert level in scheme
    headings = "\n".join(re.findall(r"^## .*", TEXT, flags=re.MULTILINE)).lower()
    for tool in get_args(ToolName):
        assert tool.replace("-", " ").removeprefix("nested ") in headings
