"""A ledger of three records to tamper with, and the means to forge its chain."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import FIRST, Entry, FileLedger, Record
from reviewkit.digests import canonical_json


def _decision(number: int, **over: Any) -> Entry:
    return Entry.model_validate(
        {
            "kind": "decision",
            "click_id": f"click-{number:08d}",
            "study": "demo",
            "round": "1",
            "pass": "first",
            "rater": "amal",
            "origin": "cli",
            "card_id": f"DEMO-T1-{number:03d}",
            "card_digest": "a" * 64,
            "form": "t1",
            "form_version": "1",
            "form_digest": "b" * 64,
            "asked": ("one_variable",),
            "answers": {"one_variable": "no"},
            "note": "كلمتان مختلفتان",
            "verdict": "needs_fix",
            "rule_version": "1",
            **over,
        }
    )


@pytest.fixture
def judged() -> Callable[..., Entry]:
    """Return a maker of decisions, numbered."""
    return _decision


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a ledger of three decisions."""
    path = tmp_path / "amal.jsonl"
    ledger = FileLedger(path)
    for number in (1, 2, 3):
        ledger.append(_decision(number))
    return path


@pytest.fixture
def reopened(path: Path) -> Callable[[], FileLedger]:
    """Return how another process would open the ledger."""
    return lambda: FileLedger(path, "first/amal.jsonl")


@pytest.fixture
def forge() -> Callable[[list[dict[str, Any]]], bytes]:
    """Return a forger: it gives lines whose numbers and digests are right again."""

    def make(lines: list[dict[str, Any]]) -> bytes:
        raw, previous = b"", FIRST
        for number, line in enumerate(lines, start=1):
            fields = {**line, "seq": number, "previous": previous}
            fields["digest"] = previous = Record.digest_of_fields(fields)
            raw += canonical_json(fields) + b"\n"
        return raw

    return make
