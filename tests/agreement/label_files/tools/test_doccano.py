"""doccano: a file for each user, and what in an export is no user."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.people import of_people
from reviewkit.agreement.label_files.together import together
from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.tools.exports import left_out, rows, votes_in


def lines(*records: Mapping[str, Any]) -> str:
    """Return JSONL."""
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records)


def document(number: int, *labels: Any, **more: Any) -> dict[str, Any]:
    """Return a document as doccano exports it."""
    text = f"card {number} of the bus line"
    return {"id": number, "text": text, "label": list(labels), "Comments": [], **more}


def packed(folder: Path, files: Mapping[str, str], name: str = "export.zip") -> Path:
    """Return an archive with these files."""
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return path


def read(path: Path, **asked: Any) -> Votes:
    """Return the votes of an export that must be known by what it holds."""
    return of_people(together([votes_in(path, "doccano", **asked)]), Asked.of(**asked)).votes


def test_the_file_names_its_user(tmp_path: Path) -> None:
    """Each file is a rater; whoever labelled nothing, and nobody's documents, are none."""
    path = packed(
        tmp_path,
        {
            "admin.jsonl": lines(document(1), document(2)),
            "m1.jsonl": lines(document(1, "yes"), document(2, "no")),
            "m2.jsonl": lines(document(1, "yes"), document(2)),
            "unknown.jsonl": lines(document(3, "no")),
            "late.jsonl": "",
        },
    )
    votes = read(path)
    assert rows(votes) == [("1", "m1", "yes"), ("2", "m1", "no"), ("1", "m2", "yes")]
    assert dict(votes.raters_set_aside) == {
        "admin": "the file of this name holds no label",
        "late": "the file of this name holds no label",
        "unknown": "it holds documents of no known user",
    }
    assert left_out(votes) == {
        "a document without a label of admin": 2, "a document without a label of m2": 1,
    }  # fmt: skip
    assert votes.left_out[-1].examples == ("export.zip/m2.jsonl:2",)


def test_users_can_be_ticked(tmp_path: Path) -> None:
    """Named raters are kept and the others told; a named ``unknown`` is a rater."""
    path = packed(
        tmp_path,
        {name: lines(document(1, "yes")) for name in ("m1.jsonl", "m2.jsonl", "unknown.jsonl")},
    )
    votes = read(path, raters=("m1", "unknown"))
    assert votes.rater.values == ("m1", "unknown")
    assert list(votes.raters_set_aside) == ["m2"]


def test_all_users_in_one_file_cannot_be_compared(tmp_path: Path) -> None:
    """A shared project's export says nobody's name, and is refused with the reason."""
    path = tmp_path / "all.jsonl"
    path.write_text(lines(document(1, "yes", "no")), encoding="utf-8")
    with pytest.raises(ProblemsFound, match="shares annotations among its members"):
        read(path)
    both = packed(
        tmp_path, {"all.jsonl": lines(document(1, "no")), "m1.jsonl": lines(document(1, "yes"))}
    )
    votes = read(both)
    assert rows(votes) == [("1", "m1", "yes")]
    assert "all users" in votes.raters_set_aside["all"]


def test_a_file_alone_is_a_rater(tmp_path: Path) -> None:
    """One user's file is read by itself, so that several can be named; an empty one is no fault."""
    path = tmp_path / "m1.jsonl"
    path.write_text(lines(document(1, "نعم"), document(2)), encoding="utf-8")
    assert rows(read(path)) == [("1", "m1", "نعم")]
    path.write_text(lines(document(1), document(2)), encoding="utf-8")
    votes = read(path)
    assert rows(votes) == []
    assert list(votes.raters_set_aside) == ["m1"]
    assert votes.question is None


def test_an_older_export_names_the_user_of_each_label(tmp_path: Path) -> None:
    """Where annotations carry the number of their user, that is the rater, not the file."""
    record = {
        "id": 1, "text": "one", "meta": {"line": "red"}, "annotation_approver": None,
        "annotations": [{"label": 12, "user": 3}, {"label": 13, "user": 4}],
    }  # fmt: skip
    path = tmp_path / "all.jsonl"
    path.write_text(lines(record), encoding="utf-8")
    votes = read(path)
    assert rows(votes) == [("1", "3", "12"), ("1", "4", "13")]
    assert votes.more["line"].values == ("red",)


def test_places_are_compared_where_they_are_equal(tmp_path: Path) -> None:
    """Triples and entities are places; impossible ones are left out with where they stand."""
    entity = {"id": 9, "label": "THING", "start_offset": 0, "end_offset": 4}
    path = packed(
        tmp_path,
        {
            "m1.jsonl": lines(
                document(1, [0, 4, "THING"], [5, 5, "NUMBER"]), document(2, [0, 99, "A"])
            ),
            "m2.jsonl": lines({"id": 1, "text": "card 1", "entities": [entity], "relations": []}),
        },
    )
    votes = read(path)
    assert rows(votes) == [("1:0-4", "m1", "THING"), ("1:0-4", "m2", "THING")]
    assert left_out(votes) == {
        "a marked place without length": 1, "a marked place that ends beyond the text": 1,
    }  # fmt: skip


def test_several_labels_are_a_set(tmp_path: Path) -> None:
    """A document with two categories makes every label of the export a set."""
    path = packed(
        tmp_path,
        {"m1.jsonl": lines(document(1, "b", "a")), "m2.jsonl": lines(document(1, "a", None))},
    )
    votes = read(path)
    assert votes.sets
    assert rows(votes) == [("1", "m1", '["a", "b"]'), ("1", "m2", '["a"]')]
    assert left_out(votes) == {"no label": 1}


def test_tables_in_an_archive(tmp_path: Path) -> None:
    """The CSV of each user is read as its JSONL is; a torn row is left out with its line."""
    path = packed(
        tmp_path,
        {
            "m1.csv": 'id,text,label,Comments\n1,"one, or two",yes#kind,\n2,two\n',
            "m2.csv": "id,text,label,Comments\n1,one,yes,\n",
        },
    )
    votes = read(path)
    assert rows(votes) == [("1", "m1", '["kind", "yes"]'), ("1", "m2", '["yes"]')]
    assert votes.left_out[0].examples == ("export.zip/m1.csv:3",)


def test_a_long_text_is_no_fault(tmp_path: Path) -> None:
    """A cell may be longer than the library's own limit of 131,072 characters."""
    table = f"id,text,label,x\n1,{'word ' * 40_000},yes,\n"
    votes = read(packed(tmp_path, {"m1.csv": table, "m2.csv": table}))
    assert rows(votes) == [("1", "m1", "yes"), ("1", "m2", "yes")]


def test_an_export_without_a_label_says_so(tmp_path: Path) -> None:
    """Nothing but empty documents is a fault with what was seen, not an empty result."""
    path = packed(tmp_path, {"a.jsonl": lines(document(1)), "b.jsonl": lines(document(1))})
    with pytest.raises(
        ProblemsFound, match=r"counts \(1 x a document .*; b: the file of this name"
    ):
        read(path)
    broken = packed(
        tmp_path, {"a.csv": 'id,text,label,x\n1,"one,yes,\n', "b.jsonl": lines(document(1))}
    )
    with pytest.raises(ProblemsFound, match=r"a.csv:2: is not valid CSV"):
        read(broken)


def test_a_curator_is_no_rater(tmp_path: Path) -> None:
    """A user whose name says that something was settled is set aside unless he is named."""
    files = {name: lines(document(1, "yes")) for name in ("m1.jsonl", "m2.jsonl", "curator.jsonl")}
    assert read(packed(tmp_path, files)).rater.values == ("m1", "m2")
    named = read(packed(tmp_path, files), raters=("m1", "curator"))
    assert set(named.rater.values) == {"m1", "curator"}
