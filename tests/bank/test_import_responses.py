"""A table goes into the bank whole, or every fault of it is told and nothing is written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reviewkit.bank import columns_of, load_hidden, open_responses
from reviewkit.bank.import_responses import CannotImport, Imported, import_responses
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace

MAPPING = """\
# which column is what
responses: fair
id: key
texts: {request: prompt, response: answer}
group: template
language_is: en
facts: {paradigm: task}
hidden: {model: model_name, judge: judge_label}
parse: {from: response, fields: [selection, rationale]}
titles:
  paradigm: {en: Task, ar: المهمة}
"""
HEADER = "key,prompt,answer,template,task,model_name,judge_label,comment"
ROWS = (
    '007,Who paid?,"Selection: A\nRationale: The receipt.",g1,qa,north,E,x',
    "8,Who paid?,**Selection:** B,g1,qa,south,N,x",
    "9,Who lost?,,g2,cloze,north,NA,y",
)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a project folder without any responses."""
    (tmp_path / "project" / "bank").mkdir(parents=True)
    return Workspace(tmp_path / "project")


def write(ws: Workspace, mapping: str = MAPPING, rows: tuple[str, ...] = ROWS) -> tuple[Path, Path]:
    """Write a table and its mapping."""
    table, file = ws.root / "answers.csv", ws.root / "mapping.yaml"
    table.write_text("\n".join((HEADER, *rows)) + "\n", encoding="utf-8")
    file.write_text(mapping, encoding="utf-8")
    return table, file


def imported(ws: Workspace, mapping: str = MAPPING, rows: tuple[str, ...] = ROWS) -> Imported:
    """Import a table."""
    return import_responses(ws, *write(ws, mapping, rows))


def refused(ws: Workspace, mapping: str = MAPPING, rows: tuple[str, ...] = ROWS) -> list[str]:
    """Return the problems of an import that must be refused, and see that nothing was written."""
    with pytest.raises(ProblemsFound) as raised:
        imported(ws, mapping, rows)
    assert not ws.responses.exists()
    return [str(problem) for problem in raised.value.problems]


def test_a_table_is_imported(ws: Workspace) -> None:
    """Every cell arrives as text, fields are parsed, and what was understood is told."""
    done = imported(ws)
    assert (done.name, done.rows) == ("fair", 3)
    assert done.parsed == {
        "selection": {"conforming": 1, "tolerant": 1, "failed": 1},
        "rationale": {"conforming": 1, "failed": 2},
    }
    assert done.said == (
        (
            "a coder sees: id (key), texts.request (prompt), texts.response (answer), "
            "group (template), facts.paradigm (task)"
        ),
        "hidden: model (model_name), judge (judge_label)",
        "left out, not in the mapping: comment",
        "selection: 1 conforming, 1 tolerant, 1 failed",
        "rationale: 1 conforming, 0 tolerant, 2 failed",
        "1 of 3 rows have an empty response",
        (
            "ids such as '8' beside '007': zeros may have been lost in a spreadsheet; "
            "ids are kept as written"
        ),
    )
    table = open_responses(ws, "fair")
    assert table.ids == ("007", "8", "9")
    response = table.get("007")
    assert response.texts == {
        "request": "Who paid?",
        "response": "Selection: A\nRationale: The receipt.",
    }
    assert (response.group, response.language, response.facts) == ("g1", "en", {"paradigm": "qa"})
    assert [(each.value, each.how, each.raw) for each in response.parsed] == [
        ("A", "conforming", "Selection: A"),
        ("The receipt.", "conforming", "Rationale: The receipt."),
    ]
    assert table.titles["paradigm"] == {"en": "Task", "ar": "المهمة"}
    assert list(table.titles) == ["selection", "rationale", "request", "response", "paradigm"]


def test_hidden_columns_never_reach_the_shown_file(ws: Workspace) -> None:
    """Neither their values nor columns outside the mapping stand where a desk reads."""
    imported(ws)
    shown = ws.response_file("fair").read_text(encoding="utf-8")
    assert "north" not in shown
    assert '"x"' not in shown
    assert load_hidden(ws, "fair")["9"] == {"model": "north", "judge": "NA"}
    assert columns_of(ws, "fair")["8"] == {
        "group": "g1", "language": "en", "paradigm": "qa", "model": "south", "judge": "N",
        "selection.parse": "tolerant", "rationale.parse": "failed",
    }  # fmt: skip


def test_missing_is_only_what_is_declared(ws: Workspace) -> None:
    """A declared code becomes empty everywhere but in ids; another NA stays."""
    mapping = MAPPING.replace("hidden: {", "missing: [NA]\nhidden: {")
    done = imported(ws, mapping, (*ROWS, "NA,Who?,NA,g3,qa,south,E,x"))
    assert "'NA' stands for missing in 2 cells" in done.said
    assert load_hidden(ws, "fair")["9"]["judge"] == ""
    assert open_responses(ws, "fair").get("NA").texts["response"] == ""


def test_every_fault_is_told_at_once(ws: Workspace) -> None:
    """Mapping and rows are looked at together."""
    mapping = (
        MAPPING.replace("group: template", "group: model_name")
        .replace("paradigm: task", "paradigm: taks")
        .replace("language_is: en", "language: comment")
    )
    rows = (*ROWS, "8,a,b,g,t,m,j,en", ",a,b,g,t,m,j,en", f"{'k' * 201},a,b,g,t,m,j,en")
    assert refused(ws, mapping, rows) == [
        "mapping.yaml:7 facts.paradigm: answers.csv has no column 'taks'; did you mean 'task'?",
        (
            "mapping.yaml:8 hidden.model: would show a hidden column: 'model_name' stands at "
            "mapping.yaml:5 group too; take it out of one of the two places"
        ),
        (
            "answers.csv:2 comment: 'x' is not a language tag (2 rows); use a tag such as en or ar,"
            " or write language_is in the mapping"
        ),
        (
            "answers.csv:5 comment: 'y' is not a language tag; use a tag such as en or ar,"
            " or write language_is in the mapping"
        ),
        ("answers.csv:6 key: the id '8' stands on line 4 already; give one of the two another id"),
        "answers.csv:7 key: the id is empty; give every row an id",
        (
            "answers.csv:8 key: the id has 201 characters; "
            "give ids of at most 200; is this the id column?"
        ),
    ]


@pytest.mark.parametrize("place", ["id: model_name", "texts: {response: model_name}",
                                   "group: model_name", "language: model_name",
                                   "facts: {who: model_name}"])  # fmt: skip
def test_a_mapping_that_would_show_a_hidden_column_is_refused(ws: Workspace, place: str) -> None:
    """Wherever a coder would come to see it."""
    lines = {
        "id": "id: key", "texts": "texts: {response: answer}", "group": "group: template",
        "language": "language_is: en", "facts": "facts: {paradigm: task}",
    }  # fmt: skip
    lines[place.partition(":")[0]] = place
    mapping = "\n".join(("responses: fair", "hidden: {model: model_name}", *lines.values(), ""))
    problems = refused(ws, mapping)
    assert "would show a hidden column: 'model_name'" in problems[0]
    assert "take it out of one of the two places" in problems[0]


def test_a_copy_of_a_hidden_column_is_refused(ws: Workspace) -> None:
    """The same values under another name are shown all the same."""
    rows = tuple(row.replace(",x", ",South").replace(",y", ",North") for row in ROWS[1:])
    problems = refused(ws, MAPPING.replace("paradigm: task", "paradigm: comment"), rows)
    assert problems == [
        (
            "mapping.yaml:8 hidden.model: would show a hidden column: 'comment', which a coder "
            "sees at mapping.yaml:7 facts.paradigm, equals 'model_name' in every row; "
            "hide both, or take one out of the mapping"
        )
    ]


def test_ids_that_spell_out_the_model_are_told(ws: Workspace) -> None:
    """It cannot be refused, since ids are what they are, and must not pass in silence."""
    rows = ("north-1,q,a,g1,qa,north,E,x", "south-1,q,a,g1,qa,south,E,y")
    said = imported(ws, rows=rows).said
    assert said[-1] == (
        "look at 'key': in every row it spells out the hidden model, e.g. 'north-1', "
        "and a coder can read it"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "id: key",
            "id: nokey",
            "mapping.yaml:3 id: answers.csv has no id column 'nokey'; did you",
        ),
        ("id: key\n", "", "mapping.yaml:2: has no field 'id'; add it"),
        ("language_is: en", "language_is: English", "'English' is not a language tag"),
        ("language_is: en\n", "", "names no language; write 'language: COLUMN' or"),
        (
            "language_is: en",
            "language_is: en\nlanguage: task",
            "a language column and one language",
        ),
        (
            "from: response",
            "from: answer",
            "there is no text 'answer'; use one of request, response",
        ),
        ("hidden: {model:", "hidden: {request:", "the name 'request' stands under texts already"),
        ("hidden: {model:", "hidden: {group:", "the name 'group' has a meaning already"),
        ("hidden: {model:", "hidden: {selection:", "the name 'selection' stands under hidden"),
        ("  paradigm: {", "  model: {", "a coder sees nothing that is named 'model'"),
        ("responses: fair", "responses: a.hidden", "got 'a.hidden'; use only letters"),
        (
            "language_is: en",
            "language_is: en\ndelimiter: ';;'",
            "use one character, or the word tab",
        ),
        ("fields: [sel", "labels: {choice: X}, fields: [sel", "there is no field 'choice'"),
        ("texts:", "text:", "unknown field 'text'; did you mean 'texts'?"),
    ],
)
def test_a_faulty_mapping_is_refused(ws: Workspace, old: str, new: str, said: str) -> None:
    """Each fault stands with its line and what to do."""
    assert any(said in problem for problem in refused(ws, MAPPING.replace(old, new, 1)))


def test_ids_that_cannot_be_seen_are_refused(ws: Workspace) -> None:
    """Blanks around an id and control characters would be lost between two tools."""
    problems = refused(ws, rows=(" 1,q,a,g,t,m,j,x", "2\t,q,a,g,t,m,j,x", "3\x07,q,a,g,t,n,j,x"))
    assert [problem.partition("; ")[0] for problem in problems] == [
        "answers.csv:2 key: the id ' 1' begins or ends with a blank",
        "answers.csv:3 key: the id '2\\t' begins or ends with a blank",
        "answers.csv:3 key: the id '2\\t' holds a control character",
        "answers.csv:4 key: the id '3\\x07' holds a control character",
    ]


def test_numbers_a_spreadsheet_shortened_are_told(ws: Workspace) -> None:
    """Ids in scientific notation have lost their digits before they came to us."""
    said = imported(ws, rows=("1.2E+15,q,a,g,t,m,j,x", "2e9,q,b,g,t,n,j,x")).said
    assert any(each.startswith("2 ids look like numbers a spreadsheet shortened") for each in said)


def test_other_encodings_come_through_the_mapping(ws: Workspace) -> None:
    """The refusal names the encoding to write, and with it the table is read."""
    table, mapping = write(ws)
    table.write_text(f"{HEADER}\n1,问题,回答,g,t,m,j,x\n", encoding="gb18030")
    with pytest.raises(ProblemsFound, match=r"answers.csv:2: is not UTF-8.*encoding: gb18030"):
        import_responses(ws, table, mapping)
    mapping.write_text(MAPPING + "encoding: gb18030\n", encoding="utf-8")
    import_responses(ws, table, mapping)
    assert open_responses(ws, "fair").get("1").texts == {"request": "问题", "response": "回答"}


def test_the_copy_of_the_mapping_can_be_imported_again(ws: Workspace) -> None:
    """The author's words stay, and what the import added does not pile up."""
    table, _ = write(ws)
    imported(ws)
    copy = ws.response_file("fair", ".yaml")
    first = copy.read_text(encoding="utf-8")
    assert first.startswith(MAPPING)
    done = import_responses(ws, table, copy)
    assert copy.read_text(encoding="utf-8") == first
    assert done.said[-1] == "replaced a table of 3 responses: 0 new, 0 changed, 0 gone"


def test_a_mapping_in_braces_is_copied_too(ws: Workspace) -> None:
    """A style that no line can be added to is written anew."""
    imported(ws, "{responses: fair, id: key, texts: {response: answer}, language_is: en}")
    assert len(open_responses(ws, "fair")) == 3
    assert load_hidden(ws, "fair")["8"] == {}


def test_an_import_replaces_the_table_and_says_so(ws: Workspace) -> None:
    """What changed is counted, since codings of it no longer count."""
    imported(ws)
    before = dict(open_responses(ws, "fair").digests)
    done = imported(ws, rows=(ROWS[0], ROWS[1].replace("B", "C"), "10,q,a,g,t,north,E,x"))
    assert done.said[-1] == (
        "replaced a table of 3 responses: 1 new, 1 changed, 1 gone; "
        "codings of the changed ones no longer count"
    )
    after = open_responses(ws, "fair").digests
    assert after["007"] == before["007"]
    assert after["8"] != before["8"]


def test_a_folder_that_refuses_is_told(ws: Workspace) -> None:
    """A file where the folder belongs leaves one sentence, and no trace."""
    ws.responses.write_text("in the way")
    with pytest.raises(CannotImport, match="could not be written"):
        imported(ws)


KILLED = """
import os, sys
from pathlib import Path
from reviewkit.bank.import_responses import import_responses
from reviewkit.workspace import Workspace

left = int(sys.argv[2])

def watch(event, arguments):
    global left
    if event == "os.rename" and ".reviewkit" not in str(arguments[1]):
        left -= 1
        if left < 0:
            os._exit(9)

sys.addaudithook(watch)
root = Path(sys.argv[1])
import_responses(Workspace(root), root / "answers.csv", root / "mapping.yaml")
"""


@pytest.mark.process
@pytest.mark.parametrize("renamed", range(4))
@pytest.mark.parametrize("lead_first", [False, True])
def test_a_killed_import_leaves_the_old_table_or_the_new(
    ws: Workspace, renamed: int, lead_first: bool
) -> None:
    """Killed before each of its renames, shown and hidden columns come from one import."""
    imported(ws)
    other = tuple(row.replace("paid", "sold").replace("north", "west") for row in ROWS)
    write(ws, rows=other)
    command = [sys.executable, "-c", KILLED, str(ws.root), str(renamed)]
    assert subprocess.run(command, check=False).returncode == (9 if renamed < 3 else 0)
    new = renamed > 0
    for look in ("hidden", "shown") if lead_first else ("shown", "hidden"):
        if look == "hidden":
            assert load_hidden(ws, "fair")["007"]["model"] == ("west" if new else "north")
        else:
            text = open_responses(ws, "fair").get("007").texts["request"]
            assert text == ("Who sold?" if new else "Who paid?")
    # and the next import does not stumble over what was left
    imported(ws)
    assert open_responses(ws, "fair").get("007").texts["request"] == "Who paid?"
    assert load_hidden(ws, "fair")["007"]["model"] == "north"
    assert not list(ws.responses.glob(".*"))


@pytest.mark.process
def test_a_killed_import_is_finished_before_the_next(ws: Workspace) -> None:
    """A second import that is killed too does not overwrite what the first one still needs."""
    imported(ws)
    for word, renamed in (("sold", 1), ("lent", 2)):
        write(ws, rows=tuple(row.replace("paid", word) for row in ROWS))
        command = [sys.executable, "-c", KILLED, str(ws.root), str(renamed)]
        assert subprocess.run(command, check=False).returncode == 9
    assert open_responses(ws, "fair").get("007").texts["request"] == "Who sold?"
    assert load_hidden(ws, "fair")["007"]["model"] == "north"


def test_xlsx_and_jsonl_give_the_same_responses(ws: Workspace) -> None:
    """The kind of file is no part of what a coding is bound to."""
    rows = [dict(zip(HEADER.split(","), ("1", "q", "a", "g", "t", "m", "j", "x"), strict=True))]
    digests: set[str] = set()
    _, mapping = write(ws)
    lines = ws.root / "a.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    from openpyxl import Workbook

    book = Workbook()
    for row in (list(rows[0]), list(rows[0].values())):
        book.active.append(row)
    book.save(ws.root / "a.xlsx")
    for file in (lines, ws.root / "a.xlsx"):
        import_responses(ws, file, mapping)
        digests.add(open_responses(ws, "fair").digests["1"])
    assert len(digests) == 1
