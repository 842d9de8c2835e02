"""Potato: a folder a user, in every form its state has been kept in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.tools.exports import left_out, rows, votes_in


def state(folder: Path, user: str, labels: Any, spans: Any = None, **more: Any) -> None:
    """Write the state of a user."""
    kept = {
        "user_id": user, "instance_id_to_label_to_value": labels,
        "instance_id_to_span_to_value": spans or {}, **more,
    }  # fmt: skip
    file = folder / user / "user_state.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def instances(folder: Path, user: str, *records: dict[str, Any]) -> None:
    """Write the annotated instances of a user."""
    file = folder / user / "annotated_instances.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


def instance(name: str, labels: Any, spans: Any = ()) -> dict[str, Any]:
    """Return an annotated instance."""
    return {
        "id": name, "displayed_text": "The red bus", "label_annotations": labels,
        "span_annotations": list(spans), "behavioral_data": {"time_string": "4 s"},
    }  # fmt: skip


def read(path: Path, **asked: Any) -> Votes:
    """Return the votes of an export that must be known by what it holds."""
    return votes_in(path, "potato", **asked)


@pytest.mark.parametrize(
    "kept",
    [
        {"tone": {"kind": "true", "rude": "false"}},
        {"tone": {"kind": "1"}},
        {"tone": {"labels": {"kind": True, "rude": False}}},
        [[{"schema": "tone", "name": "kind"}, True]],
        [[{"schema": "tone", "name": "kind"}, "true"], [{"schema": "tone", "name": "rude"}, False]],
        {"tone": "kind"},
        {"tone": {"select-one": "kind"}},
    ],
)
def test_every_form_of_a_label(tmp_path: Path, kept: Any) -> None:
    """All the ways in which a version keeps one choice are the same choice."""
    state(tmp_path, "amal", {"i1": kept})
    votes = read(tmp_path)
    assert rows(votes) == [("i1", "amal", "kind")]
    assert votes.question is not None
    assert votes.question.values == ("tone",)


def test_scales_sliders_and_free_text(tmp_path: Path) -> None:
    """A step of a scale is its number, a slider its value, and a text box no label."""
    kept = {
        "stars": {"scale_4": "4"}, "zero": {"scale_0": "0"}, "slide": {"slider": "17"},
        "note": {"text_box": "well said"},
    }  # fmt: skip
    state(tmp_path, "amal", {"i1": kept})
    votes = read(tmp_path)
    assert [each[2] for each in rows(votes)] == ["4", "0", "17"]
    assert left_out(votes) == {"free text, which is no label": 1}


def test_the_folder_is_the_user(tmp_path: Path) -> None:
    """Instances name nobody, so the rater is their folder; a state beside them goes before."""
    instances(tmp_path, "amal", instance("i1", {"tone": {"kind": "true"}}))
    instances(tmp_path, "badr", instance("i1", {"tone": {"rude": "true"}}))
    state(tmp_path, "badr", {"i1": {"tone": {"kind": "true"}}})
    assert rows(read(tmp_path)) == [("i1", "amal", "kind"), ("i1", "badr", "kind")]
    alone = read(tmp_path / "amal" / "annotated_instances.jsonl")
    assert alone.rater.values == ("amal",)


def test_pages_tests_and_silence_are_no_units(tmp_path: Path) -> None:
    """Pages around the task, tests of attention and instances without a label are left out."""
    instances(
        tmp_path,
        "amal",
        instance("consent.html", {"agree": {"I agree": "true"}}),
        instance("i1_testing_0", {"tone": {"kind": "true"}}),
        instance("i2", {}),
        instance("i3", {"tone": {"kind": "true", "sad": "true"}}),
    )
    votes = read(tmp_path)
    assert rows(votes) == [("i3", "amal", '["kind", "sad"]')]
    assert left_out(votes) == {
        "a page around the task, which is no unit": 1,
        "a test of attention, which is no unit": 1,
        "an instance that was opened and not labelled": 1,
    }
    assert votes.more["text"].values == ("The red bus",)


def test_a_machine_is_no_rater(tmp_path: Path) -> None:
    """A state that says a model wrote it is set aside, unless the person names it."""
    state(tmp_path, "amal", {"i1": {"tone": {"kind": "true"}}}, origin={"kind": "human"})
    state(tmp_path, "robot", {"i1": {"tone": {"kind": "true"}}}, origin={"kind": "llm"})
    votes = read(tmp_path)
    assert votes.rater.values == ("amal",)
    assert votes.raters_set_aside["robot"] == "a machine labelled under this name (llm)"
    assert "robot" in read(tmp_path, raters=("amal", "robot")).rater.values


@pytest.mark.parametrize(
    "kept",
    [
        {"where": [{"start": 4, "end": 7, "label": "COLOUR"}]},
        [[{"schema": "where", "name": "COLOUR", "title": "c", "start": 4, "end": 7}, "true"]],
        [{"schema": "where", "start": 4, "end": 7, "annotation": "COLOUR"}],
    ],
)
def test_marked_places(tmp_path: Path, kept: Any) -> None:
    """Places are kept in three forms too."""
    state(tmp_path, "amal", {}, {"i1": kept})
    state(tmp_path, "badr", {}, {"i1": kept})
    votes = read(tmp_path)
    assert rows(votes) == [("i1:4-7", "amal", "COLOUR"), ("i1:4-7", "badr", "COLOUR")]


def test_bad_places_and_users_without_work(tmp_path: Path) -> None:
    """A place beyond the text goes with its reason, and a user who did nothing is told."""
    far = [{"schema": "where", "start": 4, "end": 70, "annotation": "COLOUR"}]
    instances(tmp_path, "amal", instance("i1", {"tone": {"kind": "true"}}, far))
    state(tmp_path, "badr", {})
    votes = read(tmp_path)
    assert rows(votes) == [("i1", "amal", "kind")]
    assert left_out(votes) == {
        "a user without an annotation": 1, "a marked place that ends beyond the text": 1,
    }  # fmt: skip
    with pytest.raises(ProblemsFound, match="holds no label that counts"):
        read(tmp_path / "badr")


def test_a_users_file_counts_whatever_its_first_line_holds(tmp_path: Path) -> None:
    """A file of the same name is another user's, though its lines lack what tells the tool."""
    line = {"id": "1", "label_annotations": {"tone": {"kind": "true"}}}
    instances(tmp_path / "out", "ann", {**line, "span_annotations": {}})
    instances(tmp_path / "out", "bob", line)
    assert rows(votes_in(tmp_path / "out", "potato")) == [
        ("1", "ann", "kind"),
        ("1", "bob", "kind"),
    ]
