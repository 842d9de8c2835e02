"""What the tests of the decisions share: a small form, entries, a ledger, children that may die."""

from __future__ import annotations

import itertools
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import Entry, FileLedger
from reviewkit.questions.forms import Check, Checklist

CARD = "a" * 64
WHO = {"study": "demo", "round_": "1", "pass_": "first", "rater": "amal", "origin": "cli"}
EN = {"en": "words"}


def _check(name: str, on_fail: str = "fix", **more: Any) -> Check:
    return Check.model_validate(
        {
            "id": name,
            "text": EN,
            "explanation": EN,
            "failure_example": EN,
            "nature": "structural",
            "on_fail": on_fail,
            **more,
        }
    )


@pytest.fixture
def form() -> Checklist:
    """Return a form of two fixable checks, a rejecting one and one for dialect twins only."""
    return Checklist(
        form="t1",
        version="1",
        kind="checklist",
        test_type="T1",
        title=EN,
        instruction=EN,
        checks=(
            _check("one_variable"),
            _check("same_length"),
            _check("no_harm", "reject"),
            _check("dialect_true", applies_when={"dialect_twin": ("yes",)}),
        ),
    )


@pytest.fixture
def submission(form: Checklist) -> Callable[..., dict[str, Any]]:
    """Return a maker of the arguments of a submission that is accepted unless told otherwise."""
    clicks = itertools.count(1)

    def make(**over: Any) -> dict[str, Any]:
        return {
            "form": form,
            "card_id": "DEMO-T1-001",
            "card_digest": CARD,
            "current_digest": CARD,
            "facts": {"dialect_twin": "no"},
            "answers": {"one_variable": "yes", "same_length": "yes", "no_harm": "yes"},
            "note": "",
            "escalated": False,
            "seconds": 12.5,
            "click_id": f"click-{next(clicks):08d}",
            **WHO,
            **over,
        }

    return make


@pytest.fixture
def entry() -> Callable[..., Entry]:
    """Return a maker of entries: a decision with one failed check unless told otherwise."""
    clicks = itertools.count(1)

    def make(kind: str = "decision", **over: Any) -> Entry:
        fields: dict[str, Any] = {
            "kind": kind,
            "click_id": f"entry-{next(clicks):08d}",
            "study": "demo",
            "round": "1",
            "pass": "first",
            "rater": "amal",
            "origin": "cli",
            "card_id": "DEMO-T1-001",
            "card_digest": CARD,
        }
        if kind == "decision":
            fields |= {
                "form": "t1",
                "form_version": "1",
                "form_digest": "b" * 64,
                "asked": ("one_variable", "same_length"),
                "answers": {"one_variable": "no", "same_length": "yes"},
                "note": "الاسم ليس الفرق الوحيد",
                "verdict": "needs_fix",
                "rule_version": "1",
            }
        return Entry.model_validate({**fields, **over})

    return make


@pytest.fixture
def ledger(tmp_path: Path) -> FileLedger:
    """Return a ledger that is not yet on the disk."""
    return FileLedger(tmp_path / "rulings" / "demo" / "first" / "amal.jsonl", "first/amal.jsonl")


@pytest.fixture
def in_child() -> Callable[[Callable[[], object]], int]:
    """Return a runner of a function in a process of its own: 0, 1 for an error, -N for a signal."""

    def run(work: Callable[[], object]) -> int:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                work()
                code = 0
            except BaseException:  # noqa: BLE001 - the parent reads the exit code
                traceback.print_exc(file=sys.__stderr__)
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    return run
