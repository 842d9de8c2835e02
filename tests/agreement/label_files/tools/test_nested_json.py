"""Records with their annotations: who said what, and nothing where nobody is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.tools.recognised import recognise
from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.tools.exports import rows, votes_in


def read(folder: Path, *records: Any, name: str = "cards.jsonl", **asked: Any) -> Votes:
    """Return the votes of a file that must be known by what it holds."""
    path = folder / name
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return votes_in(path, "nested-json", **asked)


TWO = [("c1", "amal", "yes"), ("c1", "badr", "no")]


@pytest.mark.parametrize(
    ("unit", "where", "rater", "label"),
    [("id", "annotations", "annotator", "label"), ("item_id", "votes", "worker_id", "answer")],
)
def test_annotations_by_any_of_their_names(
    tmp_path: Path, unit: str, where: str, rater: str, label: str
) -> None:
    """Fields are known by the names that tools and people give them."""
    given = [{rater: "amal", label: "yes"}, {rater: "badr", label: "no"}]
    assert rows(read(tmp_path, {unit: "c1", where: given})) == TWO


@pytest.mark.parametrize(
    "record",
    [
        {"id": "c1", "labels": {"amal": "yes", "badr": "no"}},
        {
            "uid": "c1",
            "ratings": [
                {"user": {"id": "amal"}, "value": "yes"},
                {"user": {"id": "badr"}, "value": "no"},
            ],
        },
    ],
)
def test_annotations_in_their_record(tmp_path: Path, record: Any) -> None:
    """An object by rater holds a vote each, and a rater may be an object himself."""
    assert rows(read(tmp_path, record)) == TWO


def test_a_line_a_vote(tmp_path: Path) -> None:
    """Lines with a rater and a label are votes, and their other fields stay beside them."""
    votes = read(
        tmp_path,
        {"id": "c1", "coder": "amal", "code": "yes", "line": "red"},
        {"id": "c1", "coder": "badr", "code": "no", "line": "red"},
    )
    assert rows(votes) == TWO
    assert votes.more["line"].values == ("red",)
    assert votes.where is not None
    assert votes.where.tolist() == [1, 2]


def test_the_example_of_the_docs(tmp_path: Path) -> None:
    """What the page "From another tool" shows is read as it says."""
    page = Path(__file__).parents[4] / "docs" / "from-another-tool.md"
    example = page.read_text(encoding="utf-8").partition("```json\n")[2].partition("```")[0]
    records = [json.loads(line) for line in example.splitlines()]
    assert rows(read(tmp_path, *records)) == [
        ("c1", "amal", "yes"), ("c1", "badr", "no"), ("c2", "amal", "yes"), ("c2", "badr", "no"),
        ("c3", "amal", "yes"),
    ]  # fmt: skip


def test_numbers_and_ids_stay_as_written(tmp_path: Path) -> None:
    """A rating of 1.0 is not 1, true is a word, and 007 is no number."""
    path = tmp_path / "cards.json"
    path.write_text(
        '[{"id": "007", "labels": {"a": 1.0, "b": 1, "c": true, "d": "None", "e": null}}]',
        encoding="utf-8",
    )
    votes = votes_in(path, "nested-json")
    assert [each[2] for each in rows(votes)] == ["1.0", "1", "true", "None"]
    assert votes.unit.values == ("007",)
    assert [(each.reason, each.examples) for each in votes.left_out] == [
        ("no label", ("cards.json:1",))
    ]


def test_several_answers_are_several_questions(tmp_path: Path) -> None:
    """Without a field for the label every field of an annotation is asked for by its name."""
    given = [
        {"annotator": "amal", "kind": "yes", "clear": "no", "created_at": "2026-01-01"},
        {"annotator": "badr", "answer": {"kind": "no", "clear": "no"}},
    ]
    votes = read(tmp_path, {"id": "c1", "annotations": given})
    assert votes.question is not None
    assert [(*row, votes.question.cell(at)) for at, row in enumerate(rows(votes))] == [
        ("c1", "amal", "yes", "kind"), ("c1", "amal", "no", "clear"),
        ("c1", "badr", "no", "kind"), ("c1", "badr", "no", "clear"),
    ]  # fmt: skip


def test_named_fields_go_before_known_ones(tmp_path: Path) -> None:
    """A person can say which fields hold the unit, the rater, the label and the question."""
    given = [{"who": "amal", "said": "yes", "label": "x", "of": "tone"}]
    record = {"id": 1, "card": "c1", "answers": given}
    named = {"unit": "card", "rater": "who", "label": "said", "question": "of"}
    votes = read(tmp_path, record, **named)
    assert rows(votes) == [("c1", "amal", "yes")]
    assert votes.question is not None
    assert votes.question.values == ("tone",)


def test_lists_of_labels_are_sets(tmp_path: Path) -> None:
    """Several labels of one annotation are a set, and the empty list is the empty set."""
    given = [{"rater": "amal", "labels": ["b", "a"]}, {"rater": "badr", "labels": []}]
    votes = read(tmp_path, {"id": "c1", "annotations": given})
    assert votes.sets
    assert [each[2] for each in rows(votes)] == ['["a", "b"]', "[]"]


def test_marked_places(tmp_path: Path) -> None:
    """Annotations with a beginning and an end are places of the record's text."""
    given = [
        {"annotator": "amal", "start": 0, "end": 3, "label": "WORD"},
        {"annotator": "amal", "start": 2, "end": 2, "label": "WORD"},
        {"annotator": "badr", "start": 0, "end": 3, "label": "WORD"},
    ]
    votes = read(tmp_path, {"id": "c1", "text": "The bus", "annotations": given})
    assert rows(votes) == [("c1:0-3", "amal", "WORD"), ("c1:0-3", "badr", "WORD")]
    assert [each.reason for each in votes.left_out] == ["a marked place without length"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"id": 1, "label": "yes", "is_authoritative": True}, "authoritative"),
        ({"id": 1, "annotations": [{"label": "yes"}, {"label": "no"}]}, "says of no annotation"),
    ],
)
def test_without_raters_there_is_no_agreement(tmp_path: Path, record: Any, reason: str) -> None:
    """A file that names nobody is refused, with what to export instead."""
    with pytest.raises(ProblemsFound, match=reason) as raised:
        read(tmp_path, record)
    assert "--rater" in str(raised.value)


def test_single_faults_are_left_out_and_the_rest_kept(tmp_path: Path) -> None:
    """An annotation of nobody, a record of none and a torn line cost themselves alone."""
    path = tmp_path / "cards.jsonl"
    lines = [
        '{"id": "c1", "annotations": [{"rater": "amal", "label": "yes"}, {"label": "no"}]}',
        '{"id": "c2", "annotations": []}',
        '{"id": "c3", "annotations": [{"rater": "amal", "label": "  "}]}',
        '{"annotations": [{"rater": "amal", "label": "yes"}]}',
        '{"id": "c4", "id": "c5", "annotations": [{"rater": "amal", "label": "yes"}]}',
        '[1]',
        '{"id": "c6", "annot',
    ]  # fmt: skip
    path.write_text("\n".join(lines), encoding="utf-8")
    votes = votes_in(path, "nested-json")
    assert rows(votes) == [("c1", "amal", "yes")]
    assert {each.reason: each.examples for each in votes.left_out} == {
        "names the key 'id' twice": ("cards.jsonl:5",),
        "not valid JSON": ("cards.jsonl:7",),
        "not an object": ("cards.jsonl:6",),
        "an annotation that does not say who made it": ("cards.jsonl:1",),
        "a record without an annotation": ("cards.jsonl:2",),
        "no label": ("cards.jsonl:3",),
        "no id of the unit": ("cards.jsonl:4",),
    }


def test_half_a_character_is_no_label(tmp_path: Path) -> None:
    """A label that no file could hold is left out, and not written into a report."""
    given = {"amal": "\ud800", "badr": "yes"}
    votes = read(tmp_path, {"id": "c1", "labels": given})
    assert rows(votes) == [("c1", "badr", "yes")]
    assert votes.left_out[0].reason == "the text holds half a character (a surrogate)"


def test_annotations_as_lists_side_by_side(tmp_path: Path) -> None:
    """An object of lists is a table of annotations, and its fields are no raters."""
    lists = {"annotator": ["amal", "badr"], "label": ["yes", "no"], "note": ["", "sure"]}
    other = {"annotator": ["amal", "badr"], "label": ["yes"]}
    alone = {"annotator": "amal", "label": "yes"}
    votes = read(
        tmp_path,
        {"id": "c1", "annotations": lists},
        {"id": "c2", "annotations": other},
        {"id": "c3", "annotations": alone},
    )
    assert rows(votes) == [*TWO, ("c3", "amal", "yes")]
    (left,) = votes.left_out
    assert (left.reason, left.examples) == ("a record without an annotation", ("cards.jsonl:2",))


def test_counts_of_labels_are_no_raters(tmp_path: Path) -> None:
    """``{"yes": 2, "no": 1}`` is no rater called yes who said 2; points of a scale are labels."""
    path = tmp_path / "counts.jsonl"
    counts = [{"id": at, "labels": {"yes": at % 4, "no": 3 - at % 4}} for at in range(8)]
    path.write_text("".join(json.dumps(each) + "\n" for each in counts), encoding="utf-8")
    assert recognise(path) is None
    points = [{"id": at, "labels": {"amal": at % 4, "badr": 3}} for at in range(8)]
    assert len(rows(read(tmp_path, *points))) == 16
