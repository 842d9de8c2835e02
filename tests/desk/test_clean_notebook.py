"""What JupyterLab saves of an app notebook."""

from __future__ import annotations

from typing import Any

from reviewkit.desk.clean_notebook import strip_outputs


def saved(path: str, *cells: dict[str, Any]) -> dict[str, Any]:
    """Return what would be saved of a notebook with these cells."""
    model = {
        "type": "notebook", "content": {"cells": list(cells), "metadata": {"widgets": {"a": 1}}},
    }  # fmt: skip
    strip_outputs(model, path)
    return model["content"]


def cell(source: str) -> dict[str, Any]:
    """Return a code cell that was run."""
    return {"cell_type": "code", "source": source, "outputs": [{"text": "x"}], "execution_count": 3}


def test_an_app_notebook_is_saved_as_it_is_in_git() -> None:
    """Outputs, counts, widget states and the empty cell that Shift+Enter adds are not saved."""
    content = saved("notebooks/01_review.ipynb", cell("review()"), cell(""))
    assert content == {
        "cells": [
            {"cell_type": "code", "source": "review()", "outputs": [], "execution_count": None}
        ],
        "metadata": {},
    }


def test_other_notebooks_are_left_alone() -> None:
    """An author's own analysis keeps its outputs."""
    content = saved("analysis/mine.ipynb", cell("1 + 1"))
    assert content["cells"][0]["outputs"]
