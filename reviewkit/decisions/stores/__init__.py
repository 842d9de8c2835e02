"""Where what people write stands: in files of the project folder, or in a database they share.

A project folder with ``rulings/store.yaml`` has a database, so that several servers, each with a
checkout of its own, share one set of ledgers; without it everything is a file. Both offer the same:
``Lines`` that only grow, which ``Chain`` reads and appends to, and ``Kept`` values that are
replaced whole. Names in the database are names in the folder: ``rulings/demo/first/amal.jsonl``.

SQLAlchemy is loaded only when a database is configured.
"""

from __future__ import annotations

from reviewkit.decisions.stores.protocols import Fold, Kept, Lines, Pen, Store, Torn
from reviewkit.decisions.stores.store_file import (
    MustBeFiles,
    StoreUnusable,
    load_store_url,
    must_be_files,
    shown_url,
    store_file_text,
)
from reviewkit.decisions.stores.store_of import store_of

__all__ = [
    "Fold",
    "Kept",
    "Lines",
    "MustBeFiles",
    "Pen",
    "Store",
    "StoreUnusable",
    "Torn",
    "load_store_url",
    "must_be_files",
    "shown_url",
    "store_file_text",
    "store_of",
]
