"""Prodigy: the input is the unit, and who answered is the rater."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.tools.exports import left_out, rows, votes_in


def answer(given: int, task: int, rater: str | None, **more: Any) -> dict[str, Any]:
    """Return an answer."""
    return {
        "text": f"sentence {given}", "_input_hash": given, "_task_hash": task, "answer": "accept",
        "_annotator_id": rater, "_session_id": rater, "_timestamp": 1767225600 + task, **more,
    }  # fmt: skip


def read(folder: Path, *answers: dict[str, Any], name: str = "cards.jsonl", **asked: Any) -> Votes:
    """Return the votes of an export that must be known by what it holds."""
    path = folder / name
    path.write_text("".join(json.dumps(each) + "\n" for each in answers), encoding="utf-8")
    return votes_in(path, "prodigy", **asked)


def test_choices_by_input(tmp_path: Path) -> None:
    """The same input is the same unit; ignored is skipped, rejected is no choice."""
    options = [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]
    votes = read(
        tmp_path,
        answer(1, 11, "cards-amal", options=options, accept=["yes"]),
        answer(1, 11, "cards-badr", options=options, accept=["no"]),
        answer(-2, 12, "cards-amal", options=options, accept=[], answer="ignore"),
        answer(-2, 12, "cards-badr", options=options, accept=["no"], answer="reject"),
        answer(3, 13, "cards-badr", options=options, accept=[]),
    )
    assert rows(votes) == [("1", "cards-amal", "yes"), ("1", "cards-badr", "no")]
    assert [(each.reason, each.examples) for each in votes.skipped] == [
        ("skipped by cards-amal", ("-2",))
    ]
    assert left_out(votes) == {"a task rejected as a whole": 1, "no label": 1}
    assert votes.where is not None
    assert votes.where.tolist() == [1, 2]


def test_several_choices_are_sets(tmp_path: Path) -> None:
    """Where several may be chosen, choosing none is an answer too."""
    multiple = {"options": [], "config": {"choice_style": "multiple"}}
    votes = read(
        tmp_path,
        answer(1, 11, "amal", accept=["b", "a"], **multiple),
        answer(1, 11, "badr", accept=[], **multiple),
    )
    assert votes.sets
    assert rows(votes) == [("1", "amal", '["a", "b"]'), ("1", "badr", "[]")]


def test_yes_or_no_to_a_label_is_asked_by_label(tmp_path: Path) -> None:
    """One input asked about two labels is one unit with two questions."""
    votes = read(
        tmp_path,
        answer(1, 11, "amal", label="KIND"),
        answer(1, 12, "amal", label="RUDE", answer="reject"),
        answer(1, 11, "badr", label="KIND", answer="ignore"),
    )
    assert rows(votes) == [("1", "amal", "accept"), ("1", "amal", "reject")]
    assert votes.question is not None
    assert votes.question.values == ("KIND", "RUDE")
    assert votes.skipped[0].count == 1


def test_a_suggested_place_is_a_unit_by_its_task(tmp_path: Path) -> None:
    """Two places suggested in one text are two units, because each is judged by itself."""
    votes = read(
        tmp_path,
        answer(1, 11, "amal", spans=[{"start": 0, "end": 8, "label": "A"}], _view_id="ner"),
        answer(1, 12, "amal", spans=[{"start": 9, "end": 10, "label": "A"}], _view_id="ner"),
    )
    assert [each[0] for each in rows(votes)] == ["11", "12"]


def test_marked_places(tmp_path: Path) -> None:
    """Places that a person marked are compared where they are equal; bad ones are left out."""
    places = [{"start": 0, "end": 8, "label": "A"}, {"start": 9, "end": 9, "label": "B"}]
    votes = read(
        tmp_path,
        answer(1, 11, "amal", spans=places, _view_id="ner_manual"),
        answer(1, 11, "badr", spans=places[:1], _view_id="ner_manual"),
        answer(2, 12, "badr", spans=[{"start": 0, "end": 99, "label": "A"}], _view_id="ner_manual"),
    )
    assert rows(votes) == [("1:0-8", "amal", "A"), ("1:0-8", "badr", "A")]
    assert left_out(votes) == {
        "a marked place without length": 1, "a marked place that ends beyond the text": 1,
    }  # fmt: skip


def test_a_review_is_no_rating(tmp_path: Path) -> None:
    """What the review recipe settled is left out."""
    votes = read(
        tmp_path,
        answer(1, 11, "amal", label="KIND"),
        answer(1, 11, "lead", label="KIND", versions=[], _view_id="review"),
    )
    assert rows(votes) == [("1", "amal", "accept")]
    assert left_out(votes) == {"an answer of a review, which settles and is no rating": 1}


@pytest.mark.parametrize("session", [None, "cards-2026-01-02_10-20-30", "cards-default"])
def test_a_session_without_a_name_is_nobody(tmp_path: Path, session: str | None) -> None:
    """A file of one unnamed person is a rater named for the file; of several it is refused."""
    votes = read(tmp_path, answer(1, 11, session, label="KIND"), name="amal.jsonl")
    assert rows(votes) == [("1", "amal", "accept")]
    assert votes.said == (
        "No answer in amal.jsonl says who gave it: the rater is named for the file.",
    )
    twice = (answer(1, 11, session, label="KIND"), answer(1, 11, session, label="KIND"))
    with pytest.raises(ProblemsFound, match="task 11 was answered 2 times"):
        read(tmp_path, *twice)


def test_broken_lines_and_answers(tmp_path: Path) -> None:
    """A line that is cut off, or names nobody, is left out and the rest is kept."""
    path = tmp_path / "cards.jsonl"
    good = json.dumps(answer(1, 11, "amal", label="KIND"))
    nobody = json.dumps(answer(1, 11, None, label="KIND"))
    odd = json.dumps(answer(2, 12, "amal", label="KIND", answer="later"))
    path.write_text("\n".join([good, nobody, odd, good[:40]]), encoding="utf-8")
    votes = votes_in(path, "prodigy")
    assert rows(votes) == [("1", "amal", "accept")]
    assert {each.reason: each.examples for each in votes.left_out} == {
        "not valid JSON": ("cards.jsonl:4",),
        "an answer that does not say who gave it": ("cards.jsonl:2",),
        "no answer": ("cards.jsonl:3",),
    }
