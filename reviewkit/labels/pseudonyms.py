"""Raters under names that say nothing of them: ``rater-1``, ``rater-2`` and so on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

ADJUDICATOR = "adjudicator"


def pseudonyms(
    raters: Iterable[str], *, study: str, seed: str = "", later: Iterable[str] = ()
) -> dict[str, str]:
    """Return every rater's pseudonym, the same in every table of the study.

    The numbers follow an order that study and seed decide, not the order of the names or of the
    study file. Who joined ``later`` is numbered after those who were there from the start, so that
    nobody's number moves; for the same reason raters who withdrew stay among ``raters``.
    """

    def place(rater: str) -> bytes:
        return hashlib.sha256("\0".join((study, seed, rater)).encode("utf-8")).digest()

    ordered = [*sorted(set(raters), key=place), *later]
    return {
        rater: f"rater-{number}" for number, rater in enumerate(dict.fromkeys(ordered), start=1)
    }
