"""Tables of labels arrive as columns of text, small ones and large ones alike."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.label_files.tables import delimited
from reviewkit.agreement.label_files.tables.delimited import TextTable, read_delimited
from reviewkit.problems import ProblemsFound

Rows = dict[str, list[str | None]]


def read(folder: Path, content: str | bytes, name: str = "t.csv", **declared: Any) -> TextTable:
    """Return the table in a file of this content."""
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return read_delimited(path, name, **declared)


def cells(table: TextTable) -> Rows:
    """Return the cells of each column, None where one is blank."""
    return {
        name: [column.cell(row) for row in range(table.rows)]
        for name, column in table.columns.items()
    }


def refused(folder: Path, content: str | bytes, name: str = "t.csv", **declared: Any) -> list[str]:
    """Return the problems of a file that must be refused."""
    with pytest.raises(ProblemsFound) as raised:
        read(folder, content, name, **declared)
    return [str(problem) for problem in raised.value.problems]


@pytest.fixture(params=["small", "large"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Read every file as a small one, and as a large one."""
    if request.param == "large":
        monkeypatch.setattr(delimited, "_LARGE", 0)
    return request.param


def test_every_cell_is_text(tmp_path: Path, size: str) -> None:
    """What other readers take for missing, true or a number stays as written; 007 is not 7."""
    table = read(tmp_path, "id,a\n007,NA\n7,None\n1E+05,null\n3,N\n4,TRUE\n5,[]\n6,1.0\n")
    assert cells(table) == {
        "id": ["007", "7", "1E+05", "3", "4", "5", "6"],
        "a": ["NA", "None", "null", "N", "TRUE", "[]", "1.0"],
    }


def test_a_cell_of_spaces_is_blank(tmp_path: Path, size: str) -> None:
    """Nothing, a quoted nothing, spaces and no-break spaces are blank; edges of a label stay."""
    table = read(tmp_path, 'id,a\n1,\n2,""\n3,  \n4,\u00a0\n5, no \n')
    assert cells(table)["a"] == [None, None, None, None, " no "]
    assert table.columns["a"].values == (" no ",)


def test_values_are_held_once_in_the_order_they_occur(tmp_path: Path, size: str) -> None:
    """The codes of a column are places in its values."""
    column = read(tmp_path, "id,a\n1,no\n2,yes\n3,\n4,no\n").columns["a"]
    assert column.values == ("no", "yes")
    assert column.codes.tolist() == [0, 1, -1, 0]
    assert column.codes.dtype == np.int32


def test_rows_know_their_lines(tmp_path: Path, size: str) -> None:
    """Line ends inside a cell and blank lines move the rows below."""
    table = read(tmp_path, 'id,a\r\n1,"x\r\ny"\r\n\r\n2,z\r\n\r\n\r\n')
    assert table.lines.tolist() == [2, 5]
    assert table.where(1, "a") == "t.csv:5 a"
    assert cells(table)["a"] == ["x\r\ny", "z"]


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n", "\r\n\r\n", "\n,\n,\n", "\n   \n"])
def test_blank_lines_at_the_end_do_no_harm(tmp_path: Path, size: str, end: str) -> None:
    """Spreadsheets leave blank lines and rows of empty cells behind."""
    assert cells(read(tmp_path, f"id,a\n1,x\n2,y{end}")) == {"id": ["1", "2"], "a": ["x", "y"]}


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfid,a\n1,\xd9\x86\xd8\xb9\xd9\x85\n",
        "id,a\n1,\u0646\u0639\u0645\n".encode("utf-16"),
        "\ufeffid,a\n1,\u0646\u0639\u0645\n".encode("utf-16-be"),
    ],
)
def test_a_byte_order_mark_is_no_part_of_the_first_name(
    tmp_path: Path, size: str, content: bytes
) -> None:
    """The first column is found whatever marks its encoding."""
    assert cells(read(tmp_path, content)) == {"id": ["1"], "a": ["\u0646\u0639\u0645"]}


@pytest.mark.parametrize(
    ("content", "declared"),
    [
        ("id;a;note\n1;x;u, v, w\n", None),
        ("id,a,note\n1,x,u; v; w; z\n", None),
        ("id\ta\tnote\n1\tx\tu, v\n", None),
        ("id|a|note\n1|x|u\n", None),
        ('"id","a","n;o;t;e"\n1,x,u\n', None),
        ("id^a^note\n1^x^u\n", "^"),
        ("sep=;\nid;a;note\n1;x;u\n", None),
        ("sep=\t\r\nid\ta\tnote\r\n1\tx\tu\r\n", None),
    ],
)
def test_the_header_decides_the_delimiter(
    tmp_path: Path, size: str, content: str, declared: str | None
) -> None:
    """Semicolons of a European Excel, and semicolons inside texts of a comma file."""
    table = read(tmp_path, content, delimiter=declared)
    assert len(table.columns) == 3
    assert cells(table)["a"] == ["x"]


def test_a_note_for_excel_counts_as_a_line(tmp_path: Path, size: str) -> None:
    """Rows keep the line that an editor shows."""
    assert read(tmp_path, "sep=;\nid;a\n1;x\n").lines.tolist() == [3]


def test_another_width_is_a_fault_with_its_line(tmp_path: Path, size: str) -> None:
    """All rows with too many or too few cells come at once."""
    remedy = "check the delimiter and the quotes of this row"
    assert refused(tmp_path, 'id,a\n1,"x\ny"\n2\n3,a,b\n4,c\n') == [
        f"t.csv:4: has 1 cells, and the header has 2; {remedy}",
        f"t.csv:5: has 3 cells, and the header has 2; {remedy}",
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,a\n1,x\n2,\0\n", "t.csv:3 a: the text holds a NUL character; remove it"),
        ('id,a\n1,"x\n2,y\n', "t.csv:2: a quote is opened and not closed; close it with a quote"),
        ("id,a\n", "t.csv:1: has no row below its header; add one"),
        ("", "t.csv: is empty; write a header and a row for each unit"),
        ("id,id\n1,x\n", "t.csv:1: columns 1 and 2 are both named 'id'; rename one of them"),
    ],
)
def test_faults_are_those_of_the_exact_reader(
    tmp_path: Path, size: str, content: str, said: str
) -> None:
    """A large file names the same fault on the same line as a small one."""
    assert refused(tmp_path, content) == [said]


def test_an_encoding_is_named_as_an_option(tmp_path: Path, size: str) -> None:
    """What reads the bytes is offered by name, and is read with it."""
    data = "id,a\n1,\u0646\u0639\u0645\n".encode("windows-1256")
    (said,) = refused(tmp_path, data)
    assert said.startswith("t.csv:2: is not UTF-8 (byte 0xe4, number 3 of the line)")
    assert "or give --encoding windows-1256 (would read '\u0646\u0639\u0645')" in said
    assert "mapping" not in said
    assert cells(read(tmp_path, data, encoding="windows-1256"))["a"] == ["\u0646\u0639\u0645"]
    (wrong,) = refused(tmp_path, data, encoding="klingon")
    assert wrong.startswith("t.csv: --encoding names an unknown encoding, 'klingon'")
    (marked,) = refused(tmp_path, b"\xef\xbb\xbfid,a\n1,x\n", encoding="latin-1")
    assert marked.endswith("and --encoding says latin-1; leave --encoding out")
    (unmarked,) = refused(tmp_path, "id,a\n1,yes\n2,no\n".encode("utf-16-le"))
    assert unmarked.endswith("give --encoding utf-16-le")


@pytest.mark.parametrize("mark", ["", "ab", '"', "\n"])
def test_a_delimiter_is_one_character(tmp_path: Path, size: str, mark: str) -> None:
    """Anything else is refused in words."""
    (said,) = refused(tmp_path, "id,a\n1,x\n", delimiter=mark)
    assert said.endswith("cannot be a delimiter; name one character, or tab")


def test_names_that_look_alike_are_found(tmp_path: Path, size: str) -> None:
    """A no-break space or a character of no width in a heading does not hide a column."""
    table = read(tmp_path, "id,not\u00a0sure,a\u200b\n1,x,y\n")
    assert [*table.columns] == ["id", "not sure", "a"]
    assert table.said == (
        "the name of column 'not sure' of t.csv holds characters that do not show",
        "the name of column 'a' of t.csv holds characters that do not show",
    )
    (said,) = refused(tmp_path, "id,a,a\u200b\n1,x,y\n")
    assert said == "t.csv: columns look alike and are named apart: 'a'; rename one of them"


def test_a_first_column_without_a_name_is_kept(tmp_path: Path, size: str) -> None:
    """It may hold the ids; another one is left out, and said to be."""
    table = read(tmp_path, ",a,\n1,x,u\n2,y,v\n")
    assert cells(table) == {"": ["1", "2"], "a": ["x", "y"]}
    assert table.said == ("column 3 of t.csv has no name and is left out",)


def test_a_workbook_named_csv_is_known(tmp_path: Path) -> None:
    """Its bytes are not taken for an odd encoding."""
    assert refused(tmp_path, b"PK\x03\x04rest") == [
        "t.csv: is a workbook or an archive by its content; give it the ending .xlsx"
    ]


def test_booleans_of_a_workbook_are_words(tmp_path: Path) -> None:
    """TRUE and FALSE as Excel shows them, numbers as written, ids with their zeros."""
    from openpyxl import Workbook

    book = Workbook()
    sheet: Any = book.active
    sheet.append(["id", "ann", "bob", "score"])
    sheet.append([7, True, "false alarm", 1.0])
    sheet.append([8, False, None, 2.5])
    sheet["A2"].number_format = "000"
    path = tmp_path / "t.xlsx"
    book.save(path)
    assert cells(read_delimited(path, "t.xlsx")) == {
        "id": ["007", "8"], "ann": ["TRUE", "FALSE"], "bob": ["false alarm", None],
        "score": ["1", "2.5"],
    }  # fmt: skip


def test_the_sheet_is_named_as_an_option(tmp_path: Path) -> None:
    """A workbook with two filled sheets asks for one."""
    from openpyxl import Workbook

    book = Workbook()
    first: Any = book.active
    first.title = "Round 1"
    first.append(["id", "a"])
    first.append(["1", "x"])
    second = book.create_sheet("Round 2")
    second.append(["id", "a"])
    second.append(["1", "y"])
    path = tmp_path / "t.xlsx"
    book.save(path)
    with pytest.raises(ProblemsFound, match=r"give the one to read, .* --sheet Round 1"):
        read_delimited(path, "t.xlsx")
    assert cells(read_delimited(path, "t.xlsx", sheet="Round 2"))["a"] == ["y"]


def test_lines_of_json_are_a_table(tmp_path: Path) -> None:
    """Each object is a row, and a list stays a list."""
    table = read(tmp_path, '{"id": "1", "a": "x"}\n{"id": "2", "a": ["x", "y"]}\n', "t.jsonl")
    assert cells(table) == {"id": ["1", "2"], "a": ["x", '["x","y"]']}


TEXTS = st.text(st.sampled_from('ab0 ",;\n\r\t\u0646\u00a0NA='), max_size=6)


@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(st.lists(TEXTS, min_size=width, max_size=width), max_size=8)
    ),
    st.sampled_from(",;\t"),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_large_files_are_cut_as_small_ones(
    rows: list[list[str]], mark: str, quoting: Any, end: str
) -> None:
    """Whatever the csv module writes is read alike by both ways, lines and all."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=mark, quoting=quoting, lineterminator=end)
    writer.writerow([f"c{at}" for at in range(len(rows[0]) if rows else 2)])
    writer.writerows(rows)
    assert_alike(text.getvalue(), mark)


@given(st.text(st.sampled_from('ab",\n\r '), max_size=25))
def test_odd_files_are_cut_as_small_ones(text: str) -> None:
    """A file of stray quotes, lone carriage returns and uneven rows has the same end both ways."""
    assert_alike("c0,c1\n" + text, None)


def assert_alike(text: str, mark: str | None) -> None:
    """Check that a file has the same table, or the same faults, as a small and as a large one."""
    outcome: list[Any] = []
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for limit in (0, 10**9):
            patch.setattr(delimited, "_LARGE", limit)
            try:
                table = read(Path(folder), text, delimiter=mark)
            except ProblemsFound as fault:
                outcome.append(str(fault))
            else:
                outcome.append(
                    (
                        cells(table),
                        [each.values for each in table.columns.values()],
                        table.lines.tolist(),
                        table.said,
                    )
                )
    assert outcome[0] == outcome[1]


def test_blocks_of_a_large_file_are_put_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values keep the order of the file when it is read in many blocks."""
    monkeypatch.setattr(delimited, "_BLOCK", 64)
    monkeypatch.setattr(delimited, "_LARGE", 0)
    labels = [f"label {at * 7 % 50}" for at in range(500)]
    table = read(tmp_path, "id,a\n" + "".join(f"{at},{a}\n" for at, a in enumerate(labels)))
    assert cells(table)["a"] == labels
    assert table.columns["a"].values == tuple(dict.fromkeys(labels))
