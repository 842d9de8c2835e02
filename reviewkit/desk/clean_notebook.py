"""Keeps the app notebooks as they are in git when JupyterLab saves them by itself.

Running the cell leaves outputs, counts and an empty cell behind; they would bring somebody's
machine, or a card's text, into the repository.
"""

from __future__ import annotations

from typing import Any


def strip_outputs(model: dict[str, Any], path: str, **_: Any) -> None:
    """Take outputs and empty trailing cells out of an app notebook before it is saved."""
    notebook = model.get("content")
    if model.get("type") != "notebook" or not isinstance(notebook, dict):
        return
    if not path.strip("/").startswith("notebooks/"):
        return
    cells: list[dict[str, Any]] = notebook.get("cells", [])
    while len(cells) > 1 and not "".join(cells[-1].get("source", "")).strip():
        cells.pop()
    for cell in cells:
        if cell.get("cell_type") == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
    notebook.get("metadata", {}).pop("widgets", None)
