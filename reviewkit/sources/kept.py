"""What files were found to hold, kept by their content: the same bytes are parsed once.

Nothing here knows a file's name or its time. A file that was edited is another content and is
parsed; one that was changed back, or that a forked process reads after its parent, is not. What is
kept is packed, so each reader gets values of his own and can change nothing for the next.
"""

from __future__ import annotations

import hashlib
import marshal
from collections import OrderedDict
from typing import Any

from reviewkit.sources.source import Loc

LARGEST_BYTES = 1_000_000
"""A document that takes more, packed, is not kept."""
ALL_BYTES = 16_000_000
"""All that is kept, packed; what was read longest ago goes first."""


class KeptContents:
    """Faultless documents by the digest of the bytes they stood in; bounded."""

    def __init__(self, largest: int = LARGEST_BYTES, altogether: int = ALL_BYTES) -> None:
        self._largest, self._altogether = largest, altogether
        self._packed: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def find(self, digest: bytes) -> tuple[Any, dict[Loc, int]] | None:
        """Return value and lines of a document that was kept, made anew for this caller."""
        packed = self._packed.get(digest)
        if packed is None:
            return None
        self._packed.move_to_end(digest)
        return marshal.loads(packed)  # noqa: S302 - packed below, by this very process

    def keep(self, digest: bytes, value: Any, lines: dict[Loc, int]) -> None:
        """Keep a document of text, lists and mappings."""
        packed = marshal.dumps((value, lines))
        if len(packed) > self._largest or digest in self._packed:
            return
        self._packed[digest] = packed
        self._bytes += len(packed)
        while self._bytes > self._altogether:
            _, oldest = self._packed.popitem(last=False)
            self._bytes -= len(oldest)


def digest_of(data: bytes) -> bytes:
    """Return the SHA-256 of a file's bytes."""
    return hashlib.sha256(data).digest()


YAML_FILES = KeptContents()
"""The YAML files that this process, or the one it was forked from, has read."""
