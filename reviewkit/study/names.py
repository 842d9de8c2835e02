"""Names of studies, rounds, passes and people: each becomes a file or folder, on any disk.

``Word`` has already refused every letter beyond ASCII, every space, separator and control sign.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import cache

from pydantic import TypeAdapter, ValidationError

from reviewkit.decisions.records import Word

DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
)
"""What Windows takes for a device under any ending; a folder of this name cannot be made there."""


def folded_name(name: str) -> str:
    """Return the form in which two names must differ: compatibility-normalised and case-folded."""
    return unicodedata.normalize("NFKC", name).casefold()


def is_name(name: str) -> bool:
    """Return whether this can name a study, a round, a pass or a person at all."""
    try:
        _word().validate_python(name)
    except ValidationError:
        return False
    return True


def name_fault(name: str, taken: Collection[str] = ()) -> tuple[str, str] | None:
    """Return (what is wrong, what to do) for a word that is no safe name of a file, else None.

    Args:
        name: a word.
        taken: names, in small letters, that stand for something else where this one is used.
    """
    if name.endswith("."):
        # Windows drops the dot, so that `amal.` and `amal` are one file
        return f"{name!r} ends with a dot", "leave the dot out"
    if folded_name(name).partition(".")[0] in DEVICES:
        return f"{name!r} names a device on Windows, not a file", "choose another name"
    if folded_name(name) in taken:
        return f"{name!r} stands for something else", "choose another name"
    return None


@cache
def _word() -> TypeAdapter[str]:
    return TypeAdapter(Word)
