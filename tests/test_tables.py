"""Tables of other people arrive as text, or are refused with line and remedy."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.problems import ProblemsFound
from reviewkit.sources import Table, read_table


def read(folder: Path, content: str | bytes, name: str = "t.csv", **declared: Any) -> Table:
    """Return the table in a file of this content."""
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return read_table(path, name, **declared)


def refused(folder: Path, content: str | bytes, name: str = "t.csv", **declared: Any) -> list[str]:
    """Return the problems of a file that must be refused."""
    with pytest.raises(ProblemsFound) as raised:
        read(folder, content, name, **declared)
    return [str(problem) for problem in raised.value.problems]


# CSV -----------------------------------------------------------------------------------------


def test_nothing_is_understood(tmp_path: Path) -> None:
    """Words and digits that other readers take for missing values and numbers stay text."""
    table = read(tmp_path, "a,b,c,d,e,f\nNA,None,null,007,N,\n1.50,TRUE,nan,1e5,N/A,-\n")
    assert table.rows == (
        ("NA", "None", "null", "007", "N", ""),
        ("1.50", "TRUE", "nan", "1e5", "N/A", "-"),
    )


def test_rows_know_their_lines(tmp_path: Path) -> None:
    """A cell with line breaks moves the rows below it, and blank lines count."""
    table = read(tmp_path, 'a,b\n1,"x\ny\n\nz"\n\n2,w\n')
    assert table.rows == (("1", "x\ny\n\nz"), ("2", "w"))
    assert table.lines == (2, 7)
    assert table.where(1) == "t.csv:7"


@pytest.mark.parametrize(
    ("header", "row", "expected"),
    [
        ("a,b", "1,2", ("a", "b")),
        ("a;b", "1;2", ("a", "b")),
        ("a\tb", "1\t2", ("a", "b")),
        ("a|b", "1|2", ("a", "b")),
        ('"a;x;y;z",b', "1,2", ("a;x;y;z", "b")),
        ('"a\n;;",b', "1,2", ("a\n;;", "b")),
        ("a,x;b", "1,2", ("a", "x;b")),
        ("a;b;c,d", "1;2;3", ("a", "b", "c,d")),
    ],
)
def test_the_header_outside_quotes_decides_the_delimiter(
    tmp_path: Path, header: str, row: str, expected: tuple[str, ...]
) -> None:
    """The most frequent delimiter wins and the comma wins a tie."""
    table = read(tmp_path, f"{header}\n{row}\n")
    assert table.columns == expected


def test_a_declared_delimiter_wins(tmp_path: Path) -> None:
    """What the mapping says is not guessed again; a .tsv file is one by its name."""
    assert read(tmp_path, "a,b,c;d\n1;2\n", delimiter=";").columns == ("a,b,c", "d")
    assert read(tmp_path, "a,b,c\td\n1\t2\n", delimiter="tab").columns == ("a,b,c", "d")
    assert read(tmp_path, "a,b,c\td\n1\t2\n", "t.tsv").columns == ("a,b,c", "d")


def test_windows_files_are_read(tmp_path: Path) -> None:
    """A byte order mark and CR LF line ends are no part of the text; inside quotes they are."""
    table = read(tmp_path, b'\xef\xbb\xbfid,text\r\n1,"a\r\nb"\r\n')
    assert table.columns == ("id", "text")
    assert table.rows == (("1", "a\r\nb"),)


def test_long_cells_are_read(tmp_path: Path) -> None:
    """A cell longer than the library's own limit is read whole."""
    long = "x" * 300_000
    assert read(tmp_path, f"a,b\n1,{long}\n").rows == (("1", long),)


def test_faults_of_shape_are_told_together(tmp_path: Path) -> None:
    """Doubled names and rows of another width come at once, each with its line."""
    remedy = "check the delimiter and the quotes of this row"
    assert refused(tmp_path, "a,b, a\n1,2\n1,2,3\n1,2,3,4\n") == [
        "t.csv:1: columns 1 and 3 are both named 'a'; rename one of them",
        f"t.csv:2: has 2 cells, and the header has 3; {remedy}",
        f"t.csv:4: has 4 cells, and the header has 3; {remedy}",
    ]


def test_many_faults_of_one_kind_are_counted(tmp_path: Path) -> None:
    """The twenty-first says how many there are, and does not fill the screen."""
    problems = refused(tmp_path, "a,b\n" + "1\n" * 100)
    assert len(problems) == 20
    assert "(80 more like it below)" in problems[-1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "t.csv: is empty; write a header and a row for each response"),
        ("\n\n", "t.csv: is empty; write a header and a row for each response"),
        ("a,b\n", "t.csv:1: has no row below its header; add one"),
        ("a,b\n,\n", "t.csv:1: has no row below its header; add one"),
        ('a,b\n1,2\n3,"x\ny\n', "t.csv:3: a quote is opened and not closed; close it with a quote"),
        (
            'a,b\n1,"x"y\n',
            (
                "t.csv:2: after a closing quote stands something other than a comma; "
                "double the quotes inside the text"
            ),
        ),
        ("a,b\n1,x\0y\n", "t.csv:2 b: the text holds a NUL character; remove it"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, content: str, said: str) -> None:
    """Each sentence names the line and what to do."""
    assert refused(tmp_path, content) == [said]


def test_a_column_without_a_name_is_left_out(tmp_path: Path) -> None:
    """The row numbers that pandas writes have no name, and it is said that they are left out."""
    table = read(tmp_path, ",id,text\n0,a,x\n1,b,y\n,,\n")
    assert table.columns == ("id", "text")
    assert table.rows == (("a", "x"), ("b", "y"))
    assert table.said == (
        "column 1 of t.csv has no name and is left out",
        "1 empty rows of t.csv are left out",
    )


_CELLS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))


@given(st.lists(st.tuples(_CELLS, _CELLS), min_size=1))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    """What is quoted as the standard says is read as it was."""
    lines = [f"{at},{quoted(one)},{quoted(two)}" for at, (one, two) in enumerate(rows)]
    table = read(tmp_path_factory.mktemp("t"), "id,a,b\n" + "\n".join(lines))
    assert [row[1:] for row in table.rows] == rows


def quoted(cell: str) -> str:
    """Return a cell as CSV writes it."""
    return '"' + cell.replace('"', '""') + '"'


# encodings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_a_byte_order_mark_decides(tmp_path: Path, encoding: str) -> None:
    """UTF-16 as spreadsheets save it is read by itself."""
    table = read(tmp_path, "id,نص\n1,سوق\n".encode(encoding))
    assert table.columns == ("id", "نص")
    assert table.rows == (("1", "سوق"),)
    assert bool(table.said) == (encoding != "utf-8-sig")


@pytest.mark.parametrize(
    ("encoding", "text", "at", "excerpt"),
    [
        ("gb18030", "回答", "byte 0xbb, number 3", "'encoding: gb18030' (would read '回答')"),
        ("windows-1256", "سوق", "byte 0xd3", "'encoding: windows-1256' (would read 'سوق')"),
        ("latin-1", "café au lait", "byte 0xe9", "(would read 'é au lait')"),
    ],
)
def test_other_encodings_are_offered_by_name(
    tmp_path: Path, encoding: str, text: str, at: str, excerpt: str
) -> None:
    """The sentence names line and byte, and shows what each encoding would read there."""
    content = f"id,a\n0,plain\n1,{text}\n".encode(encoding)
    [problem] = refused(tmp_path, content)
    assert problem.startswith("t.csv:3: is not UTF-8 (byte ")
    assert at in problem
    assert excerpt in problem
    assert read(tmp_path, content, encoding=encoding).rows[1] == ("1", text)


def test_utf_16_without_a_mark_is_named(tmp_path: Path) -> None:
    """Bytes that are valid UTF-8 by accident are not taken for it."""
    content = "id,text\n1,hello\n".encode("utf-16-le")
    assert refused(tmp_path, content) == [
        "t.csv:1: is UTF-16 without a byte order mark; write 'encoding: utf-16-le' in the mapping"
    ]
    assert read(tmp_path, content, encoding="utf-16-le").rows == (("1", "hello"),)


def test_a_wrong_declaration_is_told(tmp_path: Path) -> None:
    """An unknown name, bytes that do not fit it, and a mark that contradicts it."""
    assert "unknown encoding, 'utf-9'" in refused(tmp_path, "a\n1\n", encoding="utf-9")[0]
    assert "unknown encoding, 'hex'" in refused(tmp_path, "a\n1\n", encoding="hex")[0]
    [problem] = refused(tmp_path, "a\n1\né\n", encoding="ascii")
    assert problem.startswith("t.csv:3: is not ASCII (byte 0xc3, number 1 of the line)")
    [problem] = refused(tmp_path, b"\xef\xbb\xbfa\n1\n", encoding="gb18030")
    assert "is UTF-8 by its byte order mark" in problem


# JSON ----------------------------------------------------------------------------------------


def test_json_lines_keep_what_is_written(tmp_path: Path) -> None:
    """Numbers stay as written, lists and objects become canonical JSON, null is empty."""
    lines = (
        '{"id": 7, "a": 1.50}\n'
        '\n{"id": "007", "b": {"y": [1.0, null, "é"], "x": true}, "a": null}\n'
    )
    table = read(tmp_path, lines, "t.jsonl")
    assert table.columns == ("id", "a", "b")
    assert table.rows == (("7", "1.50", ""), ("007", "", '{"x":true,"y":[1.0,null,"é"]}'))
    assert table.lines == (1, 3)
    assert table.said == ("1 of 2 objects have no 'b': read as empty",)


@pytest.mark.parametrize(
    "content",
    [
        '[\n {"id": 1},\n {"id": 2}\n]',
        '{"made": {"by": [1]}, "data":\n [{"id": 1},\n{"id": 2}], "n": 2}',
        '{"versions": [1, 2],\n "rows":[{"id": 1},\n{"id": 2}]}',
    ],
)
def test_json_is_one_list_of_objects(tmp_path: Path, content: str) -> None:
    """Alone or inside an object; rows know the line they begin on."""
    table = read(tmp_path, content, "t.json")
    assert table.rows == (("1",), ("2",))
    assert table.lines == (2, 3)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.json", "{}", "t.json:1: holds no lists of rows"),
        ("t.json", '{"a": [{"x": 1}], "b": [{"x": 1}]}', "t.json:1: holds 2 lists of rows"),
        ("t.json", '"text"', "t.json:1: "),
        ("t.json", '[{"a": 1},\n{"a": }]', "t.json:2: is not valid JSON at column 7"),
        ("t.json", '[{"a": 1}\n{"a": 1}]', "t.json:2: is not valid JSON at column 1"),
        ("t.json", '[{"a": 1}] x', "t.json:1: is not valid JSON at column 12"),
        ("t.json", '[{"a": 1},\n7]', "t.json:2: is not an object"),
        ("t.json", "[]", "t.json: is empty"),
        ("t.json", '[{"a": NaN}]', "t.json:1: holds NaN, which is not JSON"),
        ("t.jsonl", '{"a": 1}\n{"a": NaN}\n', "t.jsonl:2: holds NaN, which is not JSON"),
        ("t.jsonl", '{"a": 1}\n{"a"\n', "t.jsonl:2: is not valid JSON at column 5"),
        ("t.jsonl", '{"a": 1, "a": 2}\n', "t.jsonl:1: the key 'a' stands a second time"),
        ("t.jsonl", "[1]\n", "t.jsonl:1: is not an object"),
        ("t.jsonl", '{"a": "\\ud800"}\n', "t.jsonl:1 a: the text holds half a character"),
        ("t.jsonl", "[" * 100_000, "t.jsonl:1: is nested too deep"),
    ],
)
def test_broken_json_is_refused(tmp_path: Path, name: str, content: str, said: str) -> None:
    """Each sentence names the line."""
    assert refused(tmp_path, content, name)[0].startswith(said)


# XLSX and Parquet ----------------------------------------------------------------------------


def workbook(folder: Path, *sheets: tuple[str, list[list[Any]]]) -> Path:
    """Write a workbook."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    path = folder / "t.xlsx"
    book.save(path)
    return path


def test_sheets_are_read_as_shown(tmp_path: Path) -> None:
    """7 and not 7.0, TRUE, ISO dates, the zeros of a format; empty rows and columns are dropped."""
    rows = [
        ["id", "b", "c", "d", "e"],
        [7.0, True, dt.date(2024, 3, 1), 0.1 + 0.2, "NA"],
        [None, None, None, None, None],
        [12, False, dt.datetime.fromisoformat("2024-03-01T09:30"), 1e20, "007"],
    ]
    path = workbook(tmp_path, ("Sheet", rows), ("Empty", []))
    from openpyxl import load_workbook

    book = load_workbook(path)
    book["Sheet"]["A2"].number_format = "000"
    book["Sheet"]["H9"].number_format = "000"
    book["Sheet"]["E4"] = "a_x000D_b"
    book.save(path)
    table = read_table(path, "t.xlsx")
    assert table.columns == ("id", "b", "c", "d", "e")
    assert table.rows == (
        ("007", "TRUE", "2024-03-01", "0.3", "NA"),
        ("12", "FALSE", "2024-03-01T09:30:00", "1e+20", "a\rb"),
    )
    assert table.lines == (2, 4)
    assert table.said[0] == "the sheet 'Sheet' of t.xlsx was read"


def test_the_sheet_is_named_when_there_are_several(tmp_path: Path) -> None:
    """None is chosen by chance."""
    path = workbook(tmp_path, ("One", [["a"], [1]]), ("Two", [["b"], [2]]))
    with pytest.raises(ProblemsFound, match="has 2 sheets: One, Two; write the one to read"):
        read_table(path, "t.xlsx")
    assert read_table(path, "t.xlsx", sheet="Two").rows == (("2",),)
    with pytest.raises(ProblemsFound, match="has no sheet 'Three'; use one of One, Two"):
        read_table(path, "t.xlsx", sheet="Three")


def test_a_formula_without_a_value_is_not_read_as_empty(tmp_path: Path) -> None:
    """A file that no spreadsheet ever computed would silently lose these cells."""
    path = workbook(tmp_path, ("One", [["a", "b"], ["x", '=CONCAT("x","y")']]))
    with pytest.raises(ProblemsFound, match=r"t.xlsx:2: cell 2 of the row is a formula without"):
        read_table(path, "t.xlsx")


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    """Other files under the same name are told in one sentence."""
    assert "is not a readable workbook" in refused(tmp_path, "a,b\n1,2\n", "t.xlsx")[0]
    assert "is not a readable Parquet file" in refused(tmp_path, "a,b\n1,2\n", "t.parquet")[0]
    assert "'.xls' is not read" in refused(tmp_path, "a", "t.xls")[0]
    with pytest.raises(ProblemsFound, match="does not exist"):
        read_table(tmp_path / "none.csv", "none.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ProblemsFound, match="is not a file"):
        read_table(tmp_path / "folder.csv", "folder.csv")


def test_parquet_is_read_as_text(tmp_path: Path) -> None:
    """Every type becomes text; nested values become canonical JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "i": pa.array([7, None]),
        "f": pa.array([7.0, 0.1], pa.float32()),
        "s": pa.array(["NA", "007"]),
        "b": pa.array([True, False]),
        "l": pa.array([[1, 2], []]),
        "t": pa.array([{"y": "é", "x": 1}, None]),
        "n": pa.array([1_700_000_000_123_456_789, 0], pa.timestamp("ns")),
        "d": pa.array([dt.date(2024, 3, 1), None]),
        "m": pa.array([Decimal("1.50"), None]),
        "c": pa.array(["x", "y"]).dictionary_encode(),
    }
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", "t.parquet")
    assert dict(zip(table.columns, table.rows[0], strict=True)) == {
        "i": "7", "f": "7", "s": "NA", "b": "true", "l": "[1,2]", "t": '{"x":1,"y":"é"}',
        "n": "2023-11-14T22:13:20.123456", "d": "2024-03-01", "m": "1.50", "c": "x",
    }  # fmt: skip
    assert table.rows[1] == (
        "",
        "0.1",
        "007",
        "false",
        "[]",
        "",
        "1970-01-01T00:00:00",
        "",
        "",
        "y",
    )


@pytest.mark.process
def test_reading_a_csv_loads_no_spreadsheet_library(tmp_path: Path) -> None:
    """Neither the package nor a text file needs openpyxl, pyarrow or pandas."""
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    program = (
        "import sys; from pathlib import Path; from reviewkit.sources import read_table;"
        "read_table(Path(sys.argv[1]), 't.csv');"
        "heavy = ('openpyxl', 'pyarrow', 'pandas', 'numpy');"
        "print([name for name in heavy if name in sys.modules])"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "t.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
