"""Responses are read one at a time; files that do not belong together never open."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from reviewkit.bank import (
    NoSuchResponse,
    ResponsesChanged,
    UnknownResponses,
    columns_of,
    load_hidden,
    open_responses,
    table_names,
)
from reviewkit.bank.import_responses import import_responses
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace

MAPPING = """\
responses: fair
id: id
texts: {response: answer}
language: language
hidden: {model: model}
parse: {from: response, fields: [selection]}
"""


def imported(ws: Workspace, answers: list[str], model: str = "north") -> Path:
    """Import one response for each answer and return the shown file."""
    rows = [
        {"id": f"r{at}", "answer": answer, "language": "ar", "model": f"{model}{at}"}
        for at, answer in enumerate(answers)
    ]
    table, mapping = ws.root / "a.jsonl", ws.root / "m.yaml"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    mapping.write_text(MAPPING, encoding="utf-8")
    import_responses(ws, table, mapping)
    return ws.response_file("fair")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a project folder with twenty responses."""
    (tmp_path / "bank").mkdir()
    ws = Workspace(tmp_path)
    imported(ws, [f"Selection: سوق {at}" for at in range(20)])
    return ws


def by_hand(ws: Workspace) -> Path:
    """Make the table one that no import signed, as a team writes it, and return its file."""
    copy = ws.response_file("fair", ".yaml")
    copy.write_text(MAPPING, encoding="utf-8")
    return ws.response_file("fair")


def faults(ws: Workspace) -> list[str]:
    """Return the problems of a table that must not open."""
    with pytest.raises(ProblemsFound) as raised:
        open_responses(ws, "fair")
    return [str(problem) for problem in raised.value.problems]


def test_a_table_knows_ids_and_digests(ws: Workspace) -> None:
    """In the order of the table; a digest is that of the content it stands for."""
    table = open_responses(ws, "fair")
    assert table.ids == tuple(f"r{at}" for at in range(20))
    assert list(table.digests) == list(table.ids)
    for response_id in table.ids:
        response = table.get(response_id)
        assert response.response_id == response_id
        assert response.digest == table.digests[response_id]
    assert table.get("r19").parsed[0].value == "سوق 19"
    assert table.get("r19") is table.get("r19")


def test_unknown_names_list_what_there_is(ws: Workspace) -> None:
    """A wrong table or response is one sentence."""
    assert table_names(ws) == ("fair",)
    with pytest.raises(UnknownResponses, match=r"no table of responses 'fare'.*use one of fair"):
        open_responses(ws, "fare")
    with pytest.raises(UnknownResponses):
        open_responses(ws, "../fair")
    with pytest.raises(NoSuchResponse, match="has no response 'r99'"):
        open_responses(ws, "fair").get("r99")


def test_hidden_columns_stay_closed(ws: Workspace) -> None:
    """A desk works where the hidden file could not even be opened."""
    hidden = ws.response_file("fair", ".hidden.jsonl")
    hidden.unlink()
    hidden.mkdir()
    assert open_responses(ws, "fair").get("r3").facts == {}
    (ws.index / "fair.json").unlink()
    assert open_responses(ws, "fair").get("r3").facts == {}
    with pytest.raises(ProblemsFound, match="cannot be read"):
        load_hidden(ws, "fair")


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", "\xff", '{"version": 1}'])
def test_a_damaged_index_is_made_anew(ws: Workspace, damage: str) -> None:
    """It holds nothing of its own, so nobody hears of it."""
    kept = ws.index / "fair.json"
    whole = kept.read_bytes()
    kept.write_bytes(damage.encode("latin-1"))
    assert open_responses(ws, "fair").get("r7").parsed[0].value == "سوق 7"
    assert kept.read_bytes() == whole


def test_an_index_with_wrong_places_is_noticed(ws: Workspace) -> None:
    """Whatever it says, a response is shown only under its own digest."""
    kept = ws.index / "fair.json"
    index = json.loads(kept.read_text())
    index["starts"] = index["starts"][::-1]
    kept.write_text(json.dumps(index))
    assert open_responses(ws, "fair").get("r7").parsed[0].value == "سوق 7"


def test_a_folder_that_may_only_be_read_serves(ws: Workspace) -> None:
    """Without a place for the index it lives in memory."""
    shutil.rmtree(ws.private)
    ws.private.write_text("in the way")
    assert open_responses(ws, "fair").get("r7").parsed[0].value == "سوق 7"
    assert ws.private.read_text() == "in the way"


def test_an_edited_table_is_indexed_anew(ws: Workspace) -> None:
    """Another size or time makes the index stale; another content has another digest."""
    path = by_hand(ws)
    before = open_responses(ws, "fair").digests
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("سوق 3", "قلم 3"), encoding="utf-8")
    os.utime(path, ns=(1, 1))
    table = open_responses(ws, "fair")
    assert table.get("r3").texts["response"] == "Selection: قلم 3"
    assert [each for each in table.ids if table.digests[each] != before[each]] == ["r3"]
    # layout is no content
    spaced = [json.dumps(json.loads(line)) for line in text.splitlines()]
    path.write_text("\n\n".join(spaced), encoding="utf-8")
    assert open_responses(ws, "fair").digests == before


def test_broken_and_doubled_lines_are_named(ws: Workspace) -> None:
    """With file and line, all at once."""
    path = by_hand(ws)
    lines = path.read_text(encoding="utf-8").splitlines()
    other = {**json.loads(lines[9]), "texts": {"response": 5}}
    path.write_text(
        "\n".join([*lines[:3], lines[3][:30], lines[0], json.dumps(other), "[]"]), encoding="utf-8"
    )
    assert [problem.partition(" (")[0] for problem in faults(ws)] == [
        "bank/responses/fair.jsonl:4: is not valid JSON at column 29",
        (
            "bank/responses/fair.jsonl:5: the id 'r0' stands on line 1 already; "
            "import the table again"
        ),
        ("bank/responses/fair.jsonl:6: texts is not an object of texts; import the table again"),
        "bank/responses/fair.jsonl:7: is not an object; import the table again",
    ]


def test_files_of_two_imports_do_not_open(ws: Workspace) -> None:
    """A table beside the mapping of another import is a mix, even with the same ids."""
    old = ws.response_file("fair").read_bytes()
    old_hidden = ws.response_file("fair", ".hidden.jsonl").read_bytes()
    imported(ws, [f"Selection: قلم {at}" for at in range(20)], "south")
    ws.response_file("fair").write_bytes(old)
    [problem] = faults(ws)
    assert problem.startswith(
        "bank/responses/fair.jsonl: is not the file that was imported with fair.yaml; "
    )
    imported(ws, [f"Selection: قلم {at}" for at in range(20)], "south")
    ws.response_file("fair", ".hidden.jsonl").write_bytes(old_hidden)
    assert open_responses(ws, "fair").get("r1")
    with pytest.raises(ProblemsFound, match=r"fair.hidden.jsonl: is not the file that was"):
        columns_of(ws, "fair")


def test_a_table_by_hand_needs_the_same_ids_in_both_files(ws: Workspace) -> None:
    """Where no digest holds them together, at least no row is missing."""
    by_hand(ws)
    hidden = ws.response_file("fair", ".hidden.jsonl")
    lines = hidden.read_text().splitlines()
    hidden.write_text("\n".join(lines[1:]))
    with pytest.raises(ProblemsFound, match=r"has other ids than bank/responses/fair.jsonl"):
        load_hidden(ws, "fair")
    hidden.write_text("\n".join([*lines, lines[0], "{", '{"id": "x", "hidden": {}}']))
    with pytest.raises(ProblemsFound) as raised:
        load_hidden(ws, "fair")
    assert [each.where for each in raised.value.problems] == [
        f"bank/responses/fair.hidden.jsonl:{line}" for line in (21, 22, 23)
    ]


def test_a_table_that_is_replaced_under_a_desk(ws: Workspace) -> None:
    """What is the same is still read, wherever it stands now; what changed is told."""
    table = open_responses(ws, "fair")
    imported(ws, ["a longer one", *(f"Selection: سوق {at}" for at in range(1, 20))])
    assert table.get("r7").parsed[0].value == "سوق 7"
    with pytest.raises(ResponsesChanged, match="'r0' was changed while the table was open"):
        table.get("r0")
    imported(ws, ["Selection: سوق 0"])
    assert table.get("r0").parsed[0].value == "سوق 0"
    with pytest.raises(ResponsesChanged):
        table.get("r12")


def test_opening_reads_no_response(ws: Workspace) -> None:
    """The index alone is read; a text that nothing announced is noticed when it is asked for."""
    path = ws.response_file("fair")
    times = path.stat()
    path.write_bytes(path.read_bytes().replace("سوق 7".encode(), "قلم 7".encode()))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    table = open_responses(ws, "fair")
    assert table.get("r8").parsed[0].value == "سوق 8"
    with pytest.raises(ProblemsFound, match=r"is not the file that was imported"):
        table.get("r7")


def test_a_missing_file_is_told(ws: Workspace) -> None:
    """A mapping alone is no table."""
    ws.response_file("fair").unlink()
    assert faults(ws) == ["bank/responses/fair.jsonl: does not exist; import the table again"]


def test_the_mapping_of_another_table_is_told(ws: Workspace) -> None:
    """A copied mapping keeps the name of the table it was made for."""
    for ending in (".yaml", ".jsonl", ".hidden.jsonl"):
        shutil.copy(ws.response_file("fair", ending), ws.response_file("other", ending))
    with pytest.raises(ProblemsFound, match=r"other.yaml:1 responses: is the mapping of 'fair'"):
        open_responses(ws, "other")
