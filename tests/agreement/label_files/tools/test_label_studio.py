"""Label Studio: who rated what, and what in an export is no rating."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.tools.exports import left_out, rows, votes_in


def choice(*labels: str, control: str = "tone") -> dict[str, Any]:
    """Return a result of a choice."""
    value = {"choices": list(labels)}
    return {"type": "choices", "from_name": control, "to_name": "text", "value": value}


def span(start: int, end: int, label: str | None) -> dict[str, Any]:
    """Return a result that marks a place."""
    value = {"start": start, "end": end, "labels": [] if label is None else [label]}
    return {"type": "labels", "from_name": "where", "to_name": "text", "value": value}


def annotation(number: int, rater: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a finished annotation."""
    return {
        "id": number, "completed_by": rater, "result": list(results), "was_cancelled": False,
        "ground_truth": False, "created_at": f"2026-01-01T00:00:{number:02d}Z", **more,
    }  # fmt: skip


def task(number: int, *annotations: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a task with its annotations."""
    data = {"text": f"the bus number {number} came late", "line": "red"}
    return {"id": number, "annotations": list(annotations), "data": data, **more}


def read(folder: Path, tasks: Any, name: str = "tasks.json", **asked: Any) -> Votes:
    """Return the votes of an export that must be known by what it holds."""
    path = folder / name
    path.write_text(tasks if isinstance(tasks, str) else json.dumps(tasks), encoding="utf-8")
    return votes_in(path, "label-studio", **asked)


def test_the_rater_is_who_completed_it(tmp_path: Path) -> None:
    """A reviewer who changed an annotation last is not its rater, whatever form a user has."""
    amal = {"id": 4, "email": "amal@example.org", "first_name": ""}
    votes = read(
        tmp_path,
        [
            task(
                1, annotation(1, amal, choice("kind"), updated_by=9),
                annotation(2, 5, choice("rude"), updated_by=5),
            )
        ],
    )  # fmt: skip
    assert rows(votes) == [("1", "amal@example.org", "kind"), ("1", "5", "rude")]
    assert any("another last changed 1" in each for each in votes.said)


def test_a_task_exported_twice_counts_once(tmp_path: Path) -> None:
    """Copies of a task bring the same annotations again, and they are two ratings and not four."""
    copy = task(7, annotation(1, 4, choice("kind")), annotation(2, 5, choice("rude")))
    votes = read(tmp_path, [copy, copy])
    assert rows(votes) == [("7", "4", "kind"), ("7", "5", "rude")]
    assert left_out(votes) == {"the same annotation exported once more": 2}


def test_cancelled_and_ground_truth_are_no_votes(tmp_path: Path) -> None:
    """A cancelled annotation is a skip although it carries a label; a truth is nobody's rating."""
    votes = read(
        tmp_path,
        [
            task(
                1, annotation(1, 4, choice("kind"), was_cancelled=True, ground_truth=True),
                annotation(2, 5, choice("rude")),
            ),
            task(
                2, annotation(3, 5, choice("rude"), was_cancelled=True),
                annotation(4, 5, choice("kind")),
                annotation(5, 9, choice("rude"), ground_truth=True),
            ),
        ],
    )  # fmt: skip
    assert rows(votes) == [("1", "5", "rude"), ("2", "5", "kind")]
    assert [(each.reason, each.count, each.examples) for each in votes.skipped] == [
        ("skipped by 4", 1, ("1",))
    ]
    assert left_out(votes) == {
        "a cancelled annotation of a rater who also finished one": 1,
        "marked as ground truth, which is no vote": 1,
    }


def test_two_annotations_of_one_rater_come_in_their_order(tmp_path: Path) -> None:
    """Both are kept, the earlier first, so that the last one can be asked for."""
    votes = read(
        tmp_path,
        [task(1, annotation(10, 4, choice("rude")), annotation(9, 4, choice("kind")))],
    )
    assert rows(votes) == [("1", "4", "kind"), ("1", "4", "rude")]


def test_predictions_drafts_and_empty_tasks_are_told(tmp_path: Path) -> None:
    """What a model or nobody finished says is counted for the person, and is no vote."""
    predictions = [{"model_version": "m", "result": [choice("kind")]}]
    votes = read(
        tmp_path,
        [
            task(1, annotation(1, 4, choice("kind")), predictions=predictions, drafts=[{"id": 3}]),
            task(2),
            task(3, annotation(2, 4)),
            task(4, annotation(3, None, choice("kind"))),
        ],
    )
    assert rows(votes) == [("1", "4", "kind")]
    assert "Predictions of models are no rater: 1 left out." in votes.said
    assert "Drafts are no votes: 1 left out." in votes.said
    assert "Tasks without an annotation: 1." in votes.said
    assert left_out(votes) == {
        "a finished annotation without a label": 1,
        "an annotation that does not say who completed it": 1,
    }


def test_each_control_is_a_question(tmp_path: Path) -> None:
    """Choices, ratings and taxonomies are asked apart; free text is no label."""
    rating = {"type": "rating", "from_name": "stars", "value": {"rating": 4}}
    paths = {"taxonomy": [["Food", "Bread"], ["Food"]]}
    taxonomy = {"type": "taxonomy", "from_name": "topic", "value": paths}
    note = {"type": "textarea", "from_name": "note", "value": {"text": ["well"]}}
    votes = read(tmp_path, [task(1, annotation(1, 4, choice("kind"), rating, taxonomy, note))])
    assert votes.question is not None
    given = {votes.question.cell(at): votes.label.cell(at) for at in range(len(votes.label))}
    assert votes.sets
    assert given == {"tone": '["kind"]', "stars": '["4"]', "topic": '["Food", "Food > Bread"]'}
    assert left_out(votes) == {"free text, which is no label": 1}
    stars = read(tmp_path, [task(1, annotation(1, 4, choice("kind"), rating))], label="stars")
    assert rows(stars) == [("1", "4", "4")]
    with pytest.raises(ProblemsFound, match=r"give --label one of 'tone', 'stars'"):
        read(tmp_path, [task(1, annotation(1, 4, choice("kind"), rating))], label="mood")


def test_marked_places_are_units(tmp_path: Path) -> None:
    """What two raters marked at the same characters is compared; bad places go with a reason."""
    votes = read(
        tmp_path,
        [
            task(
                1, annotation(1, 4, span(4, 7, "THING"), span(8, 14, "WORD"), span(5, 5, "THING"))
            ),
            task(2, annotation(2, 4, span(0, 99, "THING"), span(4, 7, None))),
            task(1, annotation(3, 5, span(4, 7, "PLACE"))),
        ],
    )
    assert sorted(rows(votes)) == [
        ("1:4-7", "4", "THING"), ("1:4-7", "5", "PLACE"), ("1:8-14", "4", "WORD"),
    ]  # fmt: skip
    assert left_out(votes) == {
        "a marked place without length": 1,
        "a marked place that ends beyond the text": 1,
        "a marked place without a label": 1,
    }
    assert votes.left_out[0].examples == ("tasks.json:1 annotation 1 5-5",)
    assert votes.said[0].startswith("A unit is a place that a rater marked")
    assert set(votes.more["document"].values) == {"1"}
    assert set(votes.more["text"].values) == {"bus", "number"}


def test_places_count_as_a_browser_counts(tmp_path: Path) -> None:
    """A character beyond U+FFFF counts as two, so the end of such a text is inside it."""
    short = task(1, annotation(1, 4, span(2, 5, "WORD")), annotation(2, 5, span(2, 6, "WORD")))
    short["data"] = {"text": "\U0001f68c bus"}
    votes = read(tmp_path, [short])
    assert sorted(rows(votes)) == [("1:2-5", "4", "WORD"), ("1:2-6", "5", "WORD")]


def test_a_text_marked_twice_by_one_rater_is_refused(tmp_path: Path) -> None:
    """Two different markings stop with their place, unless one of them is asked for."""
    tasks = [task(1, annotation(1, 4, span(4, 7, "A")), annotation(2, 4, span(4, 7, "B")))]
    with pytest.raises(ProblemsFound, match=r"annotation 2: 4 marked 1 a second time"):
        read(tmp_path, tasks)
    assert rows(read(tmp_path, tasks, repeats="last")) == [("1:4-7", "4", "B")]
    assert rows(read(tmp_path, tasks, repeats="first")) == [("1:4-7", "4", "A")]


def test_pictures_and_relations_are_left_out(tmp_path: Path) -> None:
    """What cannot be compared place by place is told and not dropped in silence."""
    box = {
        "type": "rectanglelabels",
        "from_name": "box",
        "value": {"x": 1, "rectanglelabels": ["a"]},
    }
    link = {"type": "relation", "from_id": "a", "to_id": "b"}
    odd = {"type": "chatmessage", "from_name": "chat", "value": {}}
    votes = read(tmp_path, [task(1, annotation(1, 4, choice("kind"), box, link, odd))])
    assert left_out(votes) == {
        "a region of a picture, which two raters never draw alike": 1,
        "a relation between places": 1,
        "a result of the type 'chatmessage'": 1,
    }


def test_seconds_of_a_recording_are_places(tmp_path: Path) -> None:
    """A part of a recording is known by its seconds, which are not compared with a text."""
    part = {
        "type": "labels", "from_name": "who", "original_length": 90.0,
        "value": {"start": 70, "end": 82.5, "channel": 0, "labels": ["A"]},
    }  # fmt: skip
    recorded = task(1, annotation(1, 4, part))
    recorded["data"] = {"audio": "/data/a.wav"}
    assert rows(read(tmp_path, [recorded])) == [("1:70-82.5", "4", "A")]


def test_another_field_can_name_the_unit(tmp_path: Path) -> None:
    """A field of the data is the unit when it is asked for, and tasks without it are left out."""
    one, other = task(1, annotation(1, 4, choice("a"))), task(2, annotation(2, 4, choice("a")))
    one["data"]["card"] = "007"
    votes = read(tmp_path, [one, other], unit="card")
    assert rows(votes) == [("007", "4", "a")]
    assert left_out(votes) == {"no 'card', which --unit names": 1}


def test_minimal_json_knows_its_labels(tmp_path: Path) -> None:
    """In JSON_MIN the labels stand between the id and the annotator, and the rest is data."""
    records = [
        {
            "text": "one", "id": 1, "tone": "kind", "topic": {"choices": ["a", "b"]},
            "annotator": 4, "annotation_id": 1, "lead_time": 1.5,
        },
        {
            "text": "one", "id": 1, "tone": "rude", "annotator": 5, "annotation_id": 2,
            "created_at": "", "updated_at": "", "lead_time": 1.5,
        },
        {"text": "one", "id": 1, "annotator": 6, "annotation_id": 3, "lead_time": 1.5},
    ]  # fmt: skip
    votes = read(tmp_path, records, sets=False)
    assert rows(votes) == [("1", "4", "kind"), ("1", "4", '["a", "b"]'), ("1", "5", "rude")]
    assert votes.shape.startswith("Label Studio JSON_MIN")
    assert left_out(votes) == {"a finished annotation without a label": 1}
    assert votes.more["text"].values == ("one",)


def test_minimal_json_of_tasks_with_an_id_of_their_own(tmp_path: Path) -> None:
    """The id of the data takes the place of the task's, and data behind it is no question."""
    records = [
        {
            "id": at, "text": f"card {at}", "domain": "work", "tone": tone, "annotator": who,
            "annotation_id": 10 * at + who, "lead_time": 1.5,
        }
        for at, who, tone in ((1, 4, "kind"), (1, 5, "kind"), (2, 4, "rude"), (2, 5, "kind"))
    ]  # fmt: skip
    votes = read(tmp_path, records)
    assert votes.question is not None
    assert votes.question.values == ("tone",)
    assert {*votes.more} >= {"text", "domain"}
    assert any("text, domain" in each and "--label" in each for each in votes.said)


HEADER = "annotation_id,annotator,created_at,id,lead_time,text,tone,updated_at\n"


def test_a_csv_tells_labels_by_what_differs(tmp_path: Path) -> None:
    """The column in which two annotations of a task differ is a label; the others are told."""
    rows_written = "1,4,,1,2,one,kind,\n2,5,,1,2,one,rude,\n3,4,,2,1,two,,\n2,5,,1,9,one,rude,\n"
    table = HEADER + rows_written
    votes = read(tmp_path, table, "export.csv")
    assert rows(votes) == [("1", "4", "kind"), ("1", "5", "rude")]
    assert votes.where is not None
    assert votes.where.tolist() == [2, 3]
    assert any(each.startswith("text of export.csv never differ") for each in votes.said)
    assert left_out(votes) == {
        "a finished annotation without a label": 1,
        "the same annotation exported once more": 1,
    }


def test_a_csv_without_a_difference_needs_its_label_named(tmp_path: Path) -> None:
    """Where raters agree on everything, data and labels look alike, and a person decides."""
    table = HEADER + "1,4,,1,2.5,one,kind,\n2,5,,1,2.5,one,kind,\n"
    with pytest.raises(ProblemsFound, match=r"give --label one of text, tone"):
        read(tmp_path, table, "export.csv")
    assert rows(read(tmp_path, table, "export.csv", label="tone")) == [
        ("1", "4", "kind"), ("1", "5", "kind"),
    ]  # fmt: skip


def test_faults_of_a_csv(tmp_path: Path) -> None:
    """A row of another length is left out; an open quote and an unknown label stop the reading."""
    good = "1,4,,1,2,one,kind,\n2,5,,1,2,one,rude,\n"
    votes = read(tmp_path, f"{HEADER}{good}3,6,,1\n", "export.csv")
    assert rows(votes) == [("1", "4", "kind"), ("1", "5", "rude")]
    assert [(each.reason, each.examples) for each in votes.left_out] == [
        ("a row with more or fewer cells than the header", ("export.csv:4",))
    ]
    with pytest.raises(ProblemsFound, match=r"export.csv:4: is not valid CSV"):
        read(tmp_path, f'{HEADER}{good}3,6,,1,2,"one,kind,\n', "export.csv")
    with pytest.raises(ProblemsFound, match="has no column 'mood'; give --label one of text, tone"):
        read(tmp_path, HEADER + good, "export.csv", label="mood")


def test_a_csv_may_say_what_was_cancelled(tmp_path: Path) -> None:
    """A cancelled row is a skip, and answers written as JSON are sets of labels."""
    header = "annotation_id,annotator,id,lead_time,topic,was_cancelled\n"
    table = (
        header + '1,4,1,2,"{""choices"":[""a"",""b""]}",False\n2,5,1,2,a,True\n3,6,1,2,a,False\n'
    )
    votes = read(tmp_path, table, "export.csv")
    assert rows(votes) == [("1", "4", '["a", "b"]'), ("1", "6", '["a"]')]
    assert [each.reason for each in votes.skipped] == ["skipped by 5"]
