"""The ways between the lead's pages: the board, the worklist, the guide and the audit."""

from __future__ import annotations

from typing import Literal

from reviewkit.desk.apps import lead_addresses
from reviewkit.desk.wording import Wording, load_strings
from reviewkit.workspace import Workspace

PageName = Literal["board", "worklist", "guide", "audit"]
PAGES: dict[PageName, str] = {
    "board": "notebooks/04_board.ipynb",
    "worklist": "notebooks/07_worklist.ipynb",
    "guide": "notebooks/08_guide.ipynb",
    "audit": "notebooks/06_audit.ipynb",
}
"""Page -> its notebook. Served, the board is at the address itself, the others below it."""


def links_between(
    ws: Workspace, wording: Wording, current: PageName, *, served: bool
) -> list[dict[str, object]]:
    """Return the pages as links relative to where this one is shown, the current one marked.

    Left out is what this folder has not: an address that it does not serve, a notebook that was
    never laid.
    """
    strings = load_strings("page_strings.yaml")
    addresses = lead_addresses(ws) if served else frozenset[str]()
    return [
        {
            "page": name,
            "title": strings[f"title.{name}"].get(wording.language, name),
            "current": name == current,
            # JupyterLab opens a notebook below its own address; a served page has names of its own
            "url": ("./" if name == "board" else name) if served else f"lab/tree/{notebook}",
        }
        for name, notebook in PAGES.items()
        if name == current
        or (name == "board" and served)
        or ((ws.root / notebook).exists() and (name in addresses or not served))
    ]
