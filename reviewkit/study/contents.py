"""The texts that verdicts were made on, kept under their digest so that an edit can be shown.

They lie in ``.reviewkit/``, out of git: ledgers travel further than a sealed bank may.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from reviewkit.decisions import CannotWrite
from reviewkit.decisions.stores.protocols import Kept


class KeptContents:
    """Canonical contents below one name, a value for each digest."""

    def __init__(self, folder: str, kept: Kept) -> None:
        self._folder = folder
        self._kept = kept

    def find(self, digest: str) -> dict[str, Any] | None:
        """Return the content with this digest, if it was kept."""
        try:
            content = json.loads(self._kept.read(self._name(digest)) or b"")
        except (OSError, ValueError, RecursionError):
            return None
        return content if isinstance(content, dict) else None

    def keep(self, digest: str, content: Mapping[str, object]) -> None:
        """Keep a content; one that cannot be kept is missed later and no reason to fail now."""
        name = self._name(digest)
        with suppress(CannotWrite):
            if self._kept.changed(name) is None:
                text = json.dumps(content, ensure_ascii=False, sort_keys=True)
                self._kept.write(name, text.encode("utf-8"))

    def _name(self, digest: str) -> str:
        return f"{self._folder}/{digest}.json"
