"""Label tables as files: exact text in every format, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from reviewkit.decisions import CannotWrite
from reviewkit.labels import FORMATS, Column, LabelTable, write_tables
from reviewkit.labels.writing import (
    CELL_LIMIT,
    csv_bytes,
    csv_for_excel_bytes,
    jsonl_bytes,
    parquet_bytes,
    xlsx_bytes,
)
from reviewkit.problems import ProblemsFound

NASTY = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    "'=1",
    "'",
    "007",
    "NA",
    "#N/A",
    "TRUE",
    "2026-01-01",
    "1e5",
    ' two words, "quoted" ',
    "a\r\nb\rc\nd",
    "_x000D_",
    "\x00\x07\x1f\x7f",
    "جيشٌ ",
    "\u202e🙂",
    "",
    "http://a.example",
]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(NASTY)


def _table(texts: list[str], name: str = "labels") -> LabelTable:
    columns = (Column("card", "the card"), Column("=value", "a name that looks like a formula"))
    rows = tuple({"card": str(i), "=value": text} for i, text in enumerate(texts))
    return LabelTable(name, columns, rows)


def _read_csv(raw: bytes, encoding: str = "utf-8") -> list[list[str]]:
    return list(csv.reader(io.StringIO(raw.decode(encoding), newline="")))


def _plain(text: str) -> str:
    """Read the spelling of a workbook, as a spreadsheet does."""
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text)


@given(st.lists(TEXT, max_size=8))
def test_every_format_gives_the_exact_text_back(texts: list[str]) -> None:
    """Signs of a formula, line ends, control characters and any script survive in every format."""
    table = _table(texts)
    assert [line[1] for line in _read_csv(csv_bytes(table))] == ["=value", *texts]
    excel = _read_csv(csv_for_excel_bytes(table), "utf-8-sig")
    assert [line[1].removeprefix("'") for line in excel] == ["=value", *texts]
    lines = jsonl_bytes(table).decode("utf-8").split("\n")[:-1]
    assert [json.loads(line)["=value"] for line in lines] == texts
    assert pq.read_table(io.BytesIO(parquet_bytes(table))).column("=value").to_pylist() == texts
    sheet = load_workbook(io.BytesIO(xlsx_bytes(table)))["labels"]
    cells = [row[1].value or "" for row in sheet.iter_rows()]
    assert [_plain(str(cell)) for cell in cells] == ["=value", *texts]


def test_no_cell_of_a_workbook_is_a_formula_a_number_or_a_link() -> None:
    """Every cell is typed as text, says so to a spreadsheet, and no formula stands in the file."""
    raw = xlsx_bytes(_table(NASTY))
    book = load_workbook(io.BytesIO(raw))
    assert book.sheetnames == ["labels", "dictionary"]
    for sheet in book:
        for cell in (cell for row in sheet.iter_rows() for cell in row if cell.value is not None):
            assert cell.data_type in ("s", "inlineStr")
            assert cell.quotePrefix
            assert cell.number_format == "@"
            assert cell.hyperlink is None
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        for name in packed.namelist():
            if name.startswith("xl/worksheets"):
                text = packed.read(name).decode("utf-8")
                assert "<f>" not in text
                assert set(re.findall(r' t="(\w+)"', text)) == {"inlineStr"}


def test_only_the_csv_for_excel_guards_and_it_guards_every_start() -> None:
    """The plain CSV is exact; in the other no cell begins like a formula, its header included."""
    table = _table(NASTY)
    assert not csv_bytes(table).startswith(b"\xef\xbb\xbf")
    raw = csv_for_excel_bytes(table)
    assert raw.startswith(b"\xef\xbb\xbf")
    for line in _read_csv(raw, "utf-8-sig"):
        assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for cell in line)


def test_a_parquet_column_is_a_string_that_knows_its_meaning() -> None:
    """No code becomes a number or a missing value, and the dictionary goes along."""
    schema = pq.read_table(io.BytesIO(parquet_bytes(_table(["1", "NA", ""])))).schema
    assert {str(field.type) for field in schema} == {"string"}
    assert schema.field("card").metadata[b"meaning"] == b"the card"


def test_all_formats_are_written_with_their_dictionary(tmp_path: Path) -> None:
    """A folder is made, files of the same name are replaced, and nothing else is left behind."""
    folder = tmp_path / "export" / "labels"
    write_tables(folder, [_table(["old"])], FORMATS)
    files = write_tables(folder, [_table(["new"])], FORMATS)
    assert sorted(file.name for file in files) == sorted(file.name for file in folder.iterdir())
    assert {file.name for file in files} == {
        "labels.csv", "labels.dictionary.csv", "labels.excel.csv", "labels.dictionary.excel.csv",
        "labels.jsonl", "labels.dictionary.jsonl", "labels.xlsx",
        "labels.parquet", "labels.dictionary.parquet",
    }  # fmt: skip
    assert _read_csv((folder / "labels.csv").read_bytes())[1] == ["0", "new"]


def test_a_text_too_long_for_a_cell_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    """A workbook would cut it silently; every such cell is named, and CSV holds it."""
    table = _table(["x" * (CELL_LIMIT + 1), "short", "\x01" * CELL_LIMIT])
    with pytest.raises(ProblemsFound) as told:
        write_tables(tmp_path, [table], ["csv", "xlsx"])
    assert [problem.where for problem in told.value.problems] == [
        "labels 0 =value",
        "labels 2 =value",
    ]
    assert not list(tmp_path.iterdir())
    write_tables(tmp_path, [table], ["csv"])


def test_a_folder_that_cannot_be_written_says_so_and_leaves_the_old_file(tmp_path: Path) -> None:
    """A file where a folder belongs is named in one sentence."""
    (tmp_path / "labels").write_text("a file", encoding="utf-8")
    with pytest.raises(CannotWrite, match="a file stands where a folder belongs"):
        write_tables(tmp_path / "labels", [_table(["x"])], ["csv"], "rulings/labels")
    assert (tmp_path / "labels").read_text(encoding="utf-8") == "a file"
