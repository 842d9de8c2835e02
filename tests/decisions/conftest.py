"""What the tests of the decisions share: a small form, entries, a ledger, children that may die."""

from __future__ import annotations

import itertools
import os
import secrets
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import ChainedLedger, Entry
from reviewkit.questions.forms import Check, Checklist
from tests.decisions.sql_places import SqlPlace, ledger_at
from tests.postgres import Postgres

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


KINDS = ("file", "sqlite", pytest.param("postgres", marks=pytest.mark.database))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of the contract on files, SQLite and PostgreSQL; what is about a disk on files."""
    if "stands_in" in metafunc.fixturenames:
        files_only = metafunc.definition.get_closest_marker("files_only")
        metafunc.parametrize("stands_in", KINDS[:1] if files_only else KINDS, indirect=True)


@pytest.fixture(scope="session")
def sqlite_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of a SQLite database for many ledgers."""
    return f"sqlite:///{tmp_path_factory.mktemp('sqlite') / 'lines.db'}"


@pytest.fixture(scope="session")
def postgres_url(postgres: Postgres) -> str:
    """Return the address of a PostgreSQL database for many ledgers."""
    return postgres.fresh()


@pytest.fixture
def stands_in(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Path | SqlPlace]:
    """Return a maker of places by their name: in a folder, or in a database, of this test alone."""
    if request.param == "file":
        return tmp_path.joinpath
    url = str(request.getfixturevalue(f"{request.param}_url"))
    own = secrets.token_hex(6)
    return lambda name: SqlPlace(url, f"{own}/{name}")


@pytest.fixture
def ledger(stands_in: Callable[[str], Path | SqlPlace]) -> ChainedLedger:
    """Return a ledger that nothing was written to yet."""
    return ledger_at(stands_in("rulings/demo/first/amal.jsonl"), "first/amal.jsonl")


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
