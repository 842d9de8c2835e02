"""The notebooks run from top to bottom and show a desk or a report; git has no outputs of them."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement import read
from reviewkit.agreement.reporting.page import html_fragment
from reviewkit.study import find_round, load_study, unblind
from reviewkit.workspace import Workspace

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
OPEN_DESK = {
    "output_type": "execute_result",
    "execution_count": 1,
    "metadata": {},
    "data": {
        "text/plain": ["reviewkit desk"],
        "application/vnd.jupyter.widget-view+json": {"model_id": "any", "version_major": 2},
    },
}
"""What the cell of every app must give: the fixed name of a desk that could be opened."""


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _report(ws: Workspace) -> dict[str, Any]:
    """Return what the notebook on a file of labels must show, to the letter."""
    with contextlib.chdir(ws.notebooks):
        reading = read("labels/votes.csv", cluster="template", by="domain")
        data = {"text/plain": repr(reading), "text/html": html_fragment(reading.report())}
    return {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}


def _nbval(ws: Workspace, rater: str) -> subprocess.CompletedProcess[str]:
    """Run strict nbval over notebooks that say what their cells must give."""
    for path in ws.notebooks.glob("*.ipynb"):
        notebook = _read(path)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        shown = {"05_agreement.ipynb": _report}.get(path.name)
        expected = shown(ws) if shown else OPEN_DESK
        cells[-1] |= {"outputs": [expected], "execution_count": len(cells)}
        path.write_text(json.dumps(notebook), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval",
         "--nbval-current-env", "notebooks"],
        cwd=ws.root, env={**os.environ, "REVIEWKIT_STUDY": "demo", "REVIEWKIT_RATER": rater},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_there_is_a_notebook() -> None:
    """What the other tests say of every notebook is said of something."""
    assert [path.name for path in NOTEBOOKS][:1] == ["01_review.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_carries_no_outputs_and_little_code(path: Path) -> None:
    """Outputs would bring somebody's answers or machine into git; code belongs in the package."""
    code = [cell for cell in _read(path)["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code] == [[]] * len(code)
    assert [cell["execution_count"] for cell in code] == [None] * len(code)
    assert len(code) <= 3


@pytest.mark.kernel
def test_every_notebook_opens_its_desk(demo: Workspace) -> None:
    """Strict nbval passes in a demo folder: each cell gives an open desk, or the report."""
    path = demo.study_file("demo")
    settled = "adjudication: {adjudicator: first-reviewer}\n"
    path.write_text(path.read_text(encoding="utf-8") + settled, encoding="utf-8")
    study = load_study(demo, "demo")
    unblind(demo, study, find_round(study, None), "to show the adjudicator's desk")
    run = _nbval(demo, "first-reviewer")
    assert run.returncode == 0, run.stdout
    assert f"{len(NOTEBOOKS)} passed" in run.stdout


@pytest.mark.kernel
def test_nbval_notices_a_desk_that_stays_closed(demo: Workspace) -> None:
    """The same run fails, with the reason, when the desk can only say why it did not open."""
    taxonomy = demo.taxonomy.read_text(encoding="utf-8")
    demo.taxonomy.write_text(taxonomy.replace("domains:", "domain_list:"), encoding="utf-8")
    run = _nbval(demo, "first-reviewer")
    assert run.returncode == 1, run.stdout
    assert "reviewkit desk, closed" in run.stdout
    assert "domain_list" in run.stdout
