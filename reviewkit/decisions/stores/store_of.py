"""Which store a project folder has; asked anew each time, made once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from reviewkit.decisions.stores.file_store import FileStore
from reviewkit.decisions.stores.store_file import StoreUnusable, load_store_file, shown_url
from reviewkit.workspace import Workspace

if TYPE_CHECKING:
    from reviewkit.decisions.stores.sql_store import SqlStore

_MADE: dict[tuple[str, str, int], FileStore | SqlStore] = {}


def store_of(ws: Workspace) -> FileStore | SqlStore:
    """Return the store of a project folder.

    Raises ProblemsFound for a bad ``rulings/store.yaml``, StoreUnusable when the packages for a
    database are not installed. Nothing is connected to before something is asked.
    """
    try:
        changed = os.stat(ws.store_file).st_mtime_ns  # noqa: PTH116 - one call, on every access
    except OSError:
        changed = 0
    found = load_store_file(ws)
    key = (str(ws.root), found.url if found else "", changed)
    if key not in _MADE:
        _MADE[key] = sql_store(ws, found.url, found.project) if found else FileStore(ws)
    return _MADE[key]


def sql_store(ws: Workspace, url: str, project: str | None = None) -> SqlStore:
    """Return the store in this database, configured or not; StoreUnusable without its packages.

    With ``project``, the id in ``rulings/store.yaml`` or an empty one, it must be the database of
    this folder; otherwise whoever asks looks by himself.
    """
    try:
        from reviewkit.decisions.stores.sql_store import SqlStore  # noqa: PLC0415 - costs 0.3 s
        from reviewkit.decisions.stores.whose import must_be_ours  # noqa: PLC0415 - as above
    except ImportError as error:
        raise StoreUnusable(
            f"{shown_url(url)}: a database needs {error.name}, which is not installed; install it"
            " with `pip install -e '.[postgres]'` in the checkout of reviewkit"
        ) from error
    if project is None:
        return SqlStore(ws, url)
    shown = shown_url(url)
    return SqlStore(ws, url, look=lambda asked: must_be_ours(ws, project, asked, shown))
