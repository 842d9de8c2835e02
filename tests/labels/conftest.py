"""Small records of coders and of an adjudicator, so that a test says only what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reviewkit.decisions.records import FIRST, Record
from reviewkit.digests import digest_of

MakeRecord = Callable[..., Record]
EVIDENCE = {"E": "bias_evidence", "QE": "bias_evidence", "N": "none", "D": "none", "R": "none"}


@pytest.fixture
def coded() -> MakeRecord:
    """Return a maker of records: ``coded("c-1", "amal", rationale="E")`` is a coding of a card."""

    def make(card_id: str, rater: str = "amal", kind: str = "decision", **answers: Any) -> Record:
        changes = answers.pop("changes", {})
        labels = kind in ("decision", "first_label", "adjudication")
        rationale = answers.get("rationale")
        fields: dict[str, Any] = {
            "kind": kind,
            "click_id": f"click-of-{card_id}",
            "study": "rationale-demo",
            "round": "1",
            "pass": "adjudication" if kind in _ADJUDICATOR else rater,
            "rater": rater,
            "origin": "voila",
            "card_id": card_id,
            "card_digest": "a" * 64,
            "form": "rationale",
            "form_kind": "codebook",
            "form_version": "1",
            "form_digest": "c" * 64,
            "asked": tuple(answers) if labels else (),
            "answers": answers if labels else {},
            "derived": {"evidence": EVIDENCE.get(rationale, "")} if rationale else {},
            "rule_version": "2",
            "schema_version": 2,
            "seq": 1,
            "previous": FIRST,
            "time": "2026-01-01T00:00:00.000Z",
            "digest": digest_of([card_id, rater, kind, str(answers)]),
        }
        return Record.model_validate({**fields, **changes})

    return make


_ADJUDICATOR = ("first_label", "adjudication", "exclusion")


def two_passes(*pairs: tuple[Record, Record]) -> dict[str, dict[str, Record]]:
    """Return the codings of two passes, from pairs of records of the same card."""
    return {
        name: {str(pair[i].card_id): pair[i] for pair in pairs}
        for i, name in enumerate(("first", "second"))
    }


@pytest.fixture
def passes() -> Callable[..., dict[str, dict[str, Record]]]:
    """Return ``two_passes``."""
    return two_passes
