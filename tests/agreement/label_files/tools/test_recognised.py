"""A tool is known by what its files hold, and archives by more than their name."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.recognised import read_tool, recognise
from reviewkit.agreement.label_files.tools.records import entries_of
from reviewkit.problems import ProblemsFound

TASK = {"id": 1, "data": {"text": "a"}, "annotations": [{"id": 1, "completed_by": 4, "result": []}]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("doccano.csv", "id,rater1,rater2\n1,yes,no\n"),
        ("prodigy.jsonl", '{"id": 1, "rater1": "yes", "rater2": "no"}\n'),
        ("potato.json", "[]"),
        ("label-studio.json", "not json at all"),
        ("id-text-label.csv", "id,text,label\n1,one,yes\n"),
        ("argilla.csv", ""),
    ],
)
def test_a_name_alone_is_no_tool(tmp_path: Path, name: str, content: str) -> None:
    """A plain table is not taken for an export, whatever it is called."""
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert recognise(path) is None


def test_any_name_will_do(tmp_path: Path) -> None:
    """An export is known under another name and ending, and in UTF-16 with its mark."""
    path = tmp_path / "my file (2).txt"
    path.write_text(json.dumps([TASK]), encoding="utf-16")
    assert recognise(path) == "label-studio"


def test_a_large_file_is_known_by_its_beginning(tmp_path: Path) -> None:
    """The sample ends in the middle of a task, and the tasks before it tell the tool."""
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{**TASK, "id": at} for at in range(30_000)]), encoding="utf-8")
    assert path.stat().st_size > 2_000_000
    assert recognise(path) == "label-studio"
    path.write_text(json.dumps({"text": "x" * 2_100_000, **TASK}), encoding="utf-8")
    assert recognise(path) == "label-studio"


def test_a_workbook_is_no_archive(tmp_path: Path) -> None:
    """A workbook is packed like an archive and is left to the reader of tables."""
    path = tmp_path / "labels.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/data.json", json.dumps([TASK]))
    assert recognise(path) is None


def test_an_empty_archive_names_the_likely_cause(tmp_path: Path) -> None:
    """Nothing inside is not nothing to compare: the filter of the export is to blame."""
    path = tmp_path / "approved.zip"
    with zipfile.ZipFile(path, "w"):
        pass
    with pytest.raises(ProblemsFound, match="no file of labels in it; export again without a filt"):
        recognise(path)
    folder = tmp_path / "empty"
    folder.mkdir()
    with pytest.raises(ProblemsFound, match="is a folder with no file of labels"):
        recognise(folder)
    with pytest.raises(ProblemsFound, match="does not exist"):
        recognise(tmp_path / "gone.json")


def test_a_broken_archive_says_so(tmp_path: Path) -> None:
    """A download that was cut off is refused by its name."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tasks.json", json.dumps([TASK] * 50))
    path.write_bytes(path.read_bytes()[:120])
    with pytest.raises(ProblemsFound, match=r"is a broken archive .*export it again"):
        recognise(path)


def test_a_locked_archive_says_so(tmp_path: Path) -> None:
    """An archive with a password is refused with what to do instead."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tasks.json", json.dumps([TASK]))
    data = bytearray(path.read_bytes())
    # the flag of encryption, in the entry and in the directory of the archive
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(ProblemsFound, match="archive with a password; unpack it"):
        recognise(path)


def test_an_archive_beyond_the_limit_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an archive says it holds is looked at before any of it is unpacked."""
    monkeypatch.setattr("reviewkit.agreement.label_files.tools.archives.SIZE_LIMIT", 1_000_000)
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tasks.json", " " * 1_000_001)
    assert path.stat().st_size < 10_000
    with pytest.raises(ProblemsFound, match="holds more than 1 MB; unpack it"):
        recognise(path)


def test_several_files_are_read_together_and_others_told(tmp_path: Path) -> None:
    """Parts of one export make one file of votes; what is of no tool beside them is counted."""
    choice = {"type": "choices", "from_name": "tone", "value": {"choices": ["kind"]}}
    for at in (1, 2):
        answer = {"id": at, "completed_by": 4, "result": [choice]}
        task = {**TASK, "id": at, "annotations": [answer]}
        (tmp_path / f"part{at}.json").write_text(json.dumps([task]), encoding="utf-8")
    (tmp_path / "readme.txt").write_text("how this came about", encoding="utf-8")
    (tmp_path / ".hidden.json").write_text("{}", encoding="utf-8")
    votes = read_tool(tmp_path, "label-studio", Asked(), "export")
    assert votes.unit.values == ("1", "2")
    assert votes.where is None
    assert votes.said == (
        "Other files in export, not read because they hold no labels of this tool: 1.",
    )


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[{"id": 1},\n{"id": }]', "t.json:2: not valid JSON"),
        ('[{"id": 1}\n{"id": 2}]', "t.json:2: a comma or the end of the list is missing"),
        ('[{"id": 1}', "t.json:1: a comma or the end of the list is missing"),
        ('[{"id": 1}]\n]', "t.json:2: more text stands after the end"),
        ('[{"id": 1, "id": 2}]', "t.json:1: names the key 'id' twice"),
        ('[{"id": NaN}]', "t.json:1: holds NaN, which is not JSON"),
        ("[" * 200_000, "t.json:1: nested too deep"),
        ("no json", "t.json:1: not valid JSON"),
    ],
)
def test_broken_json_is_refused_with_its_line(text: str, where: str) -> None:
    """A list that breaks off is not read in part."""
    with pytest.raises(ProblemsFound) as raised:
        entries_of(text, "t.json")
    assert str(raised.value).startswith(where)


def test_objects_keep_their_line() -> None:
    """In a list over many lines each object is known by the line it begins on."""
    found = entries_of('\n[\n  {"id": 1},\n\n  {\n"id": 2}\n]\n', "t.json")
    assert [each.where for each in found.good] == ["t.json:3", "t.json:5"]
    assert [each.value["id"] for each in found.good] == ["1", "2"]
    assert entries_of("", "t.json").good == ()
    assert entries_of('{\n"id": 1\n}', "t.json").good[0].line == 1


def test_old_line_ends_and_bytes_that_are_no_table_are_no_export(tmp_path: Path) -> None:
    """A file with the line ends of an old Mac is a table, and a workbook called CSV a fault."""
    path = tmp_path / "labels.csv"
    path.write_bytes(b"id,ann,bob\r1,yes,no\r2,no,no\r")
    assert recognise(path) is None
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\rIHDR\r\x00")
    assert recognise(path) is None


def test_a_strange_path_in_an_archive_hides_nobody(tmp_path: Path) -> None:
    """Nothing is unpacked to the disk, so a file above the archive is read like the others."""
    path = tmp_path / "export.zip"
    line = json.dumps({"id": 1, "text": "one", "label": ["kind"]})
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../../ann.jsonl", "a/../bob.jsonl", "/cid.jsonl", ".hidden/dan.jsonl"):
            archive.writestr(name, line)
    assert recognise(path) == "doccano"
    votes = read_tool(path, "doccano", Asked())
    assert sorted(votes.rater.values) == ["ann", "bob", "cid"]
    assert not (tmp_path.parent / "ann.jsonl").exists()


def test_json_under_the_ending_of_a_text_is_read_as_json(tmp_path: Path) -> None:
    """What is known by its content is read by its content."""
    result = [{"from_name": "tone", "type": "choices", "value": {"choices": ["kind"]}}]
    path = tmp_path / "export.txt"
    path.write_text(
        json.dumps([{**TASK, "annotations": [{"id": 1, "completed_by": 4, "result": result}]}]),
        encoding="utf-8",
    )
    votes = read_tool(path, "label-studio", Asked())
    assert votes.shape.startswith("Label Studio JSON")
    assert votes.label.values == ("kind",)
    other = read_tool(path, "label-studio", Asked(rater="updated_by", sheet="Tasks"), "export.txt")
    assert "--rater, --sheet say nothing of export.txt, an export of a tool" in other.said


def test_an_export_in_which_nothing_counts_says_what_was_seen(tmp_path: Path) -> None:
    """Predictions alone, and units without the field that --unit names, each have their remedy."""
    path = tmp_path / "export.json"
    guess = {"model_version": "m", "result": []}
    path.write_text(json.dumps([{**TASK, "annotations": [], "predictions": [guess]}]), "utf-8")
    with pytest.raises(ProblemsFound, match=r"Predictions of models are no rater: 1 left out"):
        read_tool(path, "label-studio", Asked())
    result = [{"from_name": "tone", "type": "choices", "value": {"choices": ["kind"]}}]
    made = {"id": 1, "completed_by": 4, "result": result}
    path.write_text(json.dumps([{**TASK, "annotations": [made]}]), "utf-8")
    with pytest.raises(ProblemsFound, match=r"no 'card', .*name the field with the id .* --unit"):
        read_tool(path, "label-studio", Asked(unit="card"))
