"""Formulas in exported tables: what people and models wrote computes nothing in a spreadsheet."""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

import reviewkit
from reviewkit.labels.tables import Column, LabelTable
from reviewkit.labels.writing import csv_bytes, csv_for_excel_bytes, xlsx_bytes
from reviewkit.sources.formulas import GUARD, guarded

PACKAGE = Path(reviewkit.__file__).parent
FORMULAS = (
    "=1+1", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x","y")', "+1+1", "-2+3", "@SUM(1)",
    "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠SUM(1)", " =1+1", "\u00a0=1", "\u3000+1",
    "\u200b=1", "\ufeff@x", "\u202f-1", "'=1", "''", "'", '"=1"', "=\u202e1", "=" + "1" * 32_000,
)  # fmt: skip
HARMLESS = ("", "a=1", "1-2", "a note; =1", "لا", "０")
WRITERS = {
    "labels/writing.py": "guards in csv-excel and types cells as text in xlsx; plain csv is exact",
    "agreement/reporting/csv_rows.py": "guards with --excel; --csv is exact",
    "release/publish/judgements.py": "exact: its digest is in the publication, for programs",
}


def table() -> LabelTable:
    """Return a table whose cells, header included, begin like formulas."""
    columns = (Column("card", "the card"), Column("=note", "what somebody wrote"))
    rows = [{"card": f"c{n}", "=note": text} for n, text in enumerate((*FORMULAS, *HARMLESS))]
    return LabelTable("=name", columns, tuple(rows))


def test_formula_in_a_csv_for_a_spreadsheet() -> None:
    """No cell begins like a formula, also behind what is not seen; the text comes back exactly."""
    raw = csv_for_excel_bytes(table())
    read = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    header, *rows = read
    assert header == ["card", "'=note"]
    assert [cell.removeprefix(GUARD) for _, cell in rows] == [*FORMULAS, *HARMLESS]
    for text, (_, cell) in zip(FORMULAS, rows, strict=False):
        assert cell.startswith(GUARD) or text.startswith('"')
    assert [cell for _, cell in rows[len(FORMULAS) :]] == list(HARMLESS)


def test_formula_in_a_csv_for_programs() -> None:
    """The plain CSV holds what was written, byte for byte, and never claims to be for Excel."""
    read = list(csv.reader(io.StringIO(csv_bytes(table()).decode("utf-8"), newline="")))
    assert [cell for _, cell in read[1:]] == [*FORMULAS, *HARMLESS]


def test_formula_in_a_workbook() -> None:
    """Every cell of a workbook is a string cell; none is a formula, a number or a link."""
    book = load_workbook(io.BytesIO(xlsx_bytes(table())))
    cells = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value is not None} <= {"s", "inlineStr"}
    assert not [cell for cell in cells if cell.hyperlink]


@pytest.mark.parametrize("text", FORMULAS)
def test_guarded_text_comes_back(text: str) -> None:
    """Taking one leading apostrophe off gives the text back, guarded or not."""
    kept = guarded(text)
    assert (kept[1:] if kept.startswith(GUARD) else kept) == text


def test_every_writer_of_tables_is_known() -> None:
    """A new place that writes CSV or workbooks must be entered here, with its rule."""
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func)
        in ("csv.writer", "csv.DictWriter", "Workbook", "openpyxl.Workbook")
    }
    assert found == WRITERS.keys()
