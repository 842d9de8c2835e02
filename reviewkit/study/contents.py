"""The texts that verdicts were made on, kept under their digest so that an edit can be shown.

They lie in ``.reviewkit/``, out of git: ledgers travel further than a sealed bank may.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


class KeptContents:
    """A folder of canonical contents, one file a digest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, digest: str) -> dict[str, Any] | None:
        """Return the content with this digest, if this machine kept it."""
        try:
            kept = json.loads(self._place(digest).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return kept if isinstance(kept, dict) else None

    def keep(self, digest: str, content: Mapping[str, object]) -> None:
        """Keep a content; one that cannot be kept is missed later and no reason to fail now."""
        path = self._place(digest)
        if path.exists():
            return
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        text = json.dumps(content, ensure_ascii=False, sort_keys=True)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
        except OSError:
            with suppress(OSError):
                temporary.unlink()

    def _place(self, digest: str) -> Path:
        return self._folder / f"{digest}.json"
