"""The one canonical form that every digest in reviewkit is taken of.

Canonical JSON here: UTF-8, keys sorted by code point, no white space, no escapes for non-ASCII
letters, no NaN. Text is never normalised: two spellings that merely look the same have two digests.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> bytes:
    """Return the canonical bytes of a JSON value (dict, list, str, int, float, bool, None)."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode("utf-8")


def digest_of(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of ``value`` as 64 lower-case hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
