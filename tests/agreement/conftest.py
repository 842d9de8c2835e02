"""Small forms and records, so that a test says only what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reviewkit.decisions.records import FIRST, Record
from reviewkit.questions.forms import Checklist

MakeForm = Callable[..., Checklist]
MakeRecord = Callable[..., Record]

CHECKS = {"one_variable": "structural", "bounded_length": "judgement", "natural": "judgement"}


def _check(check_id: str, nature: str, text: str) -> dict[str, Any]:
    return {
        "id": check_id,
        "text": {"en": text},
        "explanation": {"en": "why"},
        "failure_example": {"en": "such as this"},
        "nature": nature,
        "on_fail": "reject" if check_id == "one_variable" else "fix",
    }


@pytest.fixture
def make_form() -> MakeForm:
    """Return a maker of forms; a text given for a check id rewords that check."""

    def make(
        name: str = "t1",
        version: str = "1",
        checks: dict[str, str] = CHECKS,
        test_type: str = "T1",
        **texts: str,
    ) -> Checklist:
        return Checklist.model_validate(
            {
                "form": name,
                "version": version,
                "kind": "checklist",
                "test_type": test_type,
                "title": {"en": name},
                "instruction": {"en": "Judge how the item is built."},
                "checks": [
                    _check(check_id, nature, texts.get(check_id, f"{check_id}?"))
                    for check_id, nature in checks.items()
                ],
            }
        )

    return make


@pytest.fixture
def make_record() -> MakeRecord:
    """Return a maker of effective decisions; checks not named as failed are answered yes."""

    def make(form: Checklist, card_id: str, failed: str = "", **changes: Any) -> Record:
        asked = changes.pop("asked", tuple(check.id for check in form.checks))
        noes = failed.split()
        verdict = "accepted" if not noes else "needs_fix"
        fields: dict[str, Any] = {
            "kind": "decision",
            "click_id": f"click-{card_id}",
            "study": "demo",
            "round": "1",
            "pass": "first",
            "rater": "amal",
            "origin": "cli",
            "card_id": card_id,
            "card_digest": "a" * 64,
            "form": form.form,
            "form_version": form.version,
            "form_digest": form.digest,
            "asked": asked,
            "answers": {name: "no" if name in noes else "yes" for name in asked},
            "note": "seen" if noes else "",
            "verdict": "rejected" if "one_variable" in noes else verdict,
            "rule_version": "1",
            "schema_version": 1,
            "seq": 1,
            "previous": FIRST,
            "time": "2026-01-01T00:00:00.000Z",
            "digest": "b" * 64,
        }
        return Record.model_validate({**fields, **changes})

    return make


@pytest.fixture
def make_skip(make_record: MakeRecord, make_form: MakeForm) -> Callable[[str], Record]:
    """Return a maker of skips."""

    def make(card_id: str) -> Record:
        nothing = {"kind": "skip", "asked": (), "verdict": None}
        return make_record(make_form(), card_id, **nothing)

    return make
