"""Argilla: submitted responses are ratings, suggestions are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.tools.exports import left_out, rows, votes_in


def record(number: int, responses: Any, **more: Any) -> dict[str, Any]:
    """Return a record."""
    fields = {"text": f"sentence {number}"}
    return {"id": f"r{number}", "fields": fields, "metadata": {}, "responses": responses, **more}


def response(user: str | None, value: Any, status: str | None = "submitted") -> dict[str, Any]:
    """Return a response to one question."""
    return {"user_id": user, "value": value} | ({} if status is None else {"status": status})


def read(folder: Path, *records: dict[str, Any], name: str = "records.json", **asked: Any) -> Votes:
    """Return the votes of an export that must be known by what it holds."""
    path = folder / name
    path.write_text(json.dumps(list(records)), encoding="utf-8")
    return votes_in(path, "argilla", **asked)


def test_only_what_was_submitted_counts(tmp_path: Path) -> None:
    """A draft is left out, a discarded record is a skip, a suggestion is told and is no rater."""
    votes = read(
        tmp_path,
        record(
            1,
            {
                "tone": [
                    response("amal", "kind"), response("badr", "rude", "draft"),
                    response("carla", None, "discarded"), response(None, "kind"),
                    response("dina", None),
                ]
            },
            suggestions={"tone": {"value": "kind", "score": 0.9, "agent": "model"}},
        ),
    )  # fmt: skip
    assert rows(votes) == [("r1", "amal", "kind")]
    assert left_out(votes) == {
        "a response that is draft and not submitted": 1,
        "a response that does not say whose it is": 1,
        "no label": 1,
    }
    assert [(each.reason, each.examples) for each in votes.skipped] == [
        ("skipped by carla", ("r1",))
    ]
    assert "A suggestion is no rater: 1 left out." in votes.said


def test_an_export_without_states_says_so(tmp_path: Path) -> None:
    """Where responses carry no status all of them count, and the person is told."""
    votes = read(tmp_path, record(1, {"tone": [response("amal", "kind", None)]}))
    assert rows(votes) == [("r1", "amal", "kind")]
    assert votes.said[0].endswith("so all of them are read: 1.")


def test_responses_by_user(tmp_path: Path) -> None:
    """The records of version 1 hold all answers of a user together, one status for all."""
    values = {"tone": {"value": "kind"}, "topics": {"value": ["b", "a"]}}
    votes = read(
        tmp_path,
        record(
            1,
            [
                {"user_id": "amal", "status": "submitted", "values": values},
                {"user_id": "badr", "status": "discarded", "values": None},
            ],
            suggestions=[{"question_name": "tone", "value": "rude"}], external_id="card-7",
        ),
    )  # fmt: skip
    assert votes.question is not None
    assert votes.question.values == ("tone", "topics")
    assert rows(votes) == [("card-7", "amal", '["kind"]'), ("card-7", "amal", '["a", "b"]')]
    assert votes.skipped[0].reason == "skipped by badr"
    assert "A suggestion is no rater: 1 left out." in votes.said


def test_the_flattened_export(tmp_path: Path) -> None:
    """Columns of values, users and states that stand side by side are put together again."""
    flat = {
        "id": "r1", "text": "one", "tone.responses": ["kind", "rude"],
        "tone.responses.users": ["amal", "badr"], "tone.responses.status": ["submitted", "draft"],
        "tone.suggestion": "kind", "tone.suggestion.score": 0.5,
    }  # fmt: skip
    votes = read(tmp_path, flat)
    assert rows(votes) == [("r1", "amal", "kind")]
    assert votes.more["text"].values == ("one",)
    assert left_out(votes) == {"a response that is draft and not submitted": 1}
    assert "A suggestion is no rater: 1 left out." in votes.said


def test_free_text_and_rankings_are_not_compared(tmp_path: Path) -> None:
    """A question answered in sentences is left out whole, a ranking record by record."""
    votes = read(
        tmp_path,
        record(
            1,
            {
                "tone": [response("amal", "kind")],
                "why": [response("amal", "because the sentence thanks the driver " * 3)],
                "order": [response("amal", [{"value": "a", "rank": 1}])],
            },
        ),
    )
    assert rows(votes) == [("r1", "amal", "kind")]
    assert left_out(votes) == {"free text, which is no label": 1, "a ranking": 1}
    assert any(each.startswith("'why' is answered in free text") for each in votes.said)


def test_marked_places(tmp_path: Path) -> None:
    """Places of a field are compared where two users marked the same characters."""
    place = {"start": 0, "end": 8, "label": "WORD"}
    bad = {"start": 3, "end": 99, "label": "WORD"}
    given = [response("amal", [place, bad]), response("badr", [place])]
    votes = read(tmp_path, record(1, {"where": given}))
    assert rows(votes) == [("r1:0-8", "amal", "WORD"), ("r1:0-8", "badr", "WORD")]
    assert left_out(votes) == {"a marked place that ends beyond the text": 1}


def test_suggestions_alone_are_no_result(tmp_path: Path) -> None:
    """An export of records that nobody answered says that nothing counts."""
    with pytest.raises(ProblemsFound, match="holds no label that counts"):
        read(tmp_path, record(1, {}, suggestions={"tone": {"value": "kind"}}))
