"""Small files that unpack, nest or multiply without end: refused in bounded room and time."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.decisions import FileLedger
from reviewkit.sources import load_jsonl, load_yaml
from reviewkit.sources.tables import read_table
from tests.attacks.bounded import told_by

LAUGHS = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30)
)
YAML_BOMBS = {
    "billion laughs": (LAUGHS, "alias"),
    "a merge key": ("a: &a {b: c}\nd:\n  <<: *a\n", "alias"),
    "a tag that runs": ("a: !!python/object/apply:os.system [ls]\n", "YAML tag"),
    "deep flow": ("a: " + "[" * 400_000, "without its end"),
    "deep blocks": ("".join(f"{' ' * n}a:\n" for n in range(2_000)), "nested more than"),
    "a million aliases": ("a:\n" + "- *b\n" * 900_000, "alias"),
    "a million anchors": ("a:\n" + "- &b c\n" * 700_000, "anchor"),
    "a million equal keys": ("a: b\n" * 900_000, "second time"),
    "a million keys that are lists": ("[a]: b\n" * 600_000, "key"),
    "a million documents": ("a: b\n---\n" * 500_000, "second document"),
    "a huge text": ("a: " + "x" * 5_100_000, "larger than 5 MB"),
    "control signs": ("a: \x01\n" * 800_000, "control character"),
}  # fmt: skip


@pytest.mark.parametrize("name", YAML_BOMBS)
def test_yaml_bomb(tmp_path: Path, name: str) -> None:
    """YAML that multiplies, nests or repeats is refused with the file and the reason."""
    text, reason = YAML_BOMBS[name]
    path = tmp_path / "bomb.yaml"
    path.write_text(text, encoding="utf-8")
    said = told_by(lambda: load_yaml(path, "bomb.yaml"))
    assert "bomb.yaml" in said
    assert reason in said


JSON_BOMBS = {
    "deep lists": (b'{"a": ' + b"[" * 300_000 + b"]" * 300_000 + b"}\n", "nested"),
    "deep objects": (b'{"a": ' * 100_000 + b"1" + b"}" * 100_000 + b"\n", "nested"),
    "no number": (b'{"a": NaN}\n', "NaN"),
    "infinity": (b'{"a": -Infinity}\n', "Infinity"),
    "equal keys": (b'{"a": 1, "a": 2}\n', "second time"),
    "a million broken lines": (b"{\n" * 2_000_000, "not valid JSON"),
    "a million bare lines": (b"1\n" * 2_000_000, "not an object"),
    "NUL": (b'{"a": "\\u0000"}\n', "NUL"),
}


@pytest.mark.parametrize("name", JSON_BOMBS)
def test_json_bomb(tmp_path: Path, name: str) -> None:
    """JSONL that nests, repeats or is no JSON is refused with the file and the reason."""
    raw, reason = JSON_BOMBS[name]
    path = tmp_path / "bomb.jsonl"
    path.write_bytes(raw)
    said = told_by(lambda: load_jsonl(path, "bomb.jsonl"))
    assert "bomb.jsonl" in said
    assert reason in said


def test_enormous_integer(tmp_path: Path) -> None:
    """A number of two million digits stays the text it is: nothing computes it."""
    path = tmp_path / "bomb.jsonl"
    path.write_text('{"a": ' + "9" * 2_000_000 + "}\n", encoding="utf-8")
    assert told_by(lambda: load_jsonl(path, "bomb.jsonl"), seconds=5) == "read"


SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'


def _workbook(sheet: bytes, strings: bytes = b"") -> bytes:
    """Return a workbook with one sheet of these bytes."""
    from openpyxl import Workbook

    held = io.BytesIO()
    Workbook().save(held)
    out = io.BytesIO()
    with (
        zipfile.ZipFile(held) as plain,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bomb,
    ):
        for each in plain.namelist():
            raw = plain.read(each)
            if each == "xl/worksheets/sheet1.xml":
                raw = sheet
            if each != "xl/sharedStrings.xml" or not strings:
                bomb.writestr(each, raw)
        if strings:
            bomb.writestr("xl/sharedStrings.xml", strings)
    return out.getvalue()


def _far_cells() -> bytes:
    rows = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 20_001))
    return _workbook(f"{SHEET}{rows}</sheetData></worksheet>".encode())


def _far_row() -> bytes:
    row = '<row r="1"><c r="A1"><v>1</v></c></row><row r="900000000"><c r="A900000000"/></row>'
    return _workbook(f"{SHEET}{row}</sheetData></worksheet>".encode())


def _large_sheet() -> bytes:
    return _workbook(SHEET.encode() + b" " * 520_000_000 + b"</sheetData></worksheet>")


def _large_strings() -> bytes:
    start = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    return _workbook(
        f'{SHEET}<row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>'.encode(),
        start + b"<si><t>xxxxxxxxxx</t></si>" * 24_000_000 + b"</sst>",
    )


def _parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    held = io.BytesIO()
    one = pa.array(["x" * 1000], pa.string())
    same = pa.DictionaryArray.from_arrays(pa.array([0] * 3_000_000, pa.int32()), one)
    pq.write_table(pa.table({"a": same}), held, compression="zstd")
    return held.getvalue()


TABLE_BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "cells far to the right": (".xlsx", _far_cells),
    "a row far below": (".xlsx", _far_row),
    "a sheet that unpacks": (".xlsx", _large_sheet),
    "strings that unpack": (".xlsx", _large_strings),
    "a column that unpacks": (".parquet", _parquet),
    "an object with its own column each": (
        ".jsonl", lambda: b"".join(b'{"a%d": 1}\n' % n for n in range(30_000)),
    ),
    "nested lists": (".json", lambda: b'[{"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}]"),
    "nested a little less": (".json", lambda: b'[{"a": ' + b"[" * 900 + b"]" * 900 + b"}]"),
    "a million columns": (".csv", lambda: b"a," * 2_000_000 + b"\n" + b"1," * 2_000_000 + b"\n"),
    "a million ragged rows": (".csv", lambda: b"a,b\n" + b"1\n" * 1_500_000),
    "a gzip that is called a table": (".csv", lambda: gzip.compress(b"a,b\n" * 50_000_000)),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE_BOMBS)
def test_table_bomb(tmp_path: Path, name: str) -> None:
    """Tables that unpack or multiply are refused with the file and the reason."""
    ending, make = TABLE_BOMBS[name]
    path = tmp_path / f"bomb{ending}"
    path.write_bytes(make())
    said = told_by(lambda: read_table(path, path.name))
    assert path.name in said


LEDGER_BOMBS = {
    "a long line": (b'{"a": "' + b"x" * 100_000_000 + b'"}\n', "a record has at most 1,000,000"),
    "a long line cut off": (b"x" * 100_000_000, "read"),
    "millions of lines": (b"xx\n" * 15_000_000, "not JSON"),
    "deep lists": (b'{"a": ' + b"[" * 400_000 + b"]" * 400_000 + b"}\n", "not JSON"),
    "a huge number": (b'{"seq": ' + b"9" * 100_000 + b"}\n", "not JSON"),
    "NUL": (b"\0" * 1_000_000 + b"\n", "not JSON"),
    "no UTF-8": (b'{"a": "\xff"}\n', "not UTF-8"),
}


@pytest.mark.parametrize("name", LEDGER_BOMBS)
def test_ledger_bomb(tmp_path: Path, name: str) -> None:
    """A ledger of lines that nobody wrote is refused with file, line and reason, in little room."""
    raw, reason = LEDGER_BOMBS[name]
    path = tmp_path / "amal.jsonl"
    path.write_bytes(raw)
    said = told_by(lambda: FileLedger(path, "amal.jsonl").records(), seconds=5, megabytes=450)
    assert reason in said
    assert said == "read" or said.startswith("amal.jsonl:1: ")
