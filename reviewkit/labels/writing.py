"""Label tables as files: CSV, CSV for Excel, JSONL, XLSX and Parquet, each written whole or not.

Every cell is text in every format. A cell that a spreadsheet would take for a formula is typed as
text in XLSX and begins with an apostrophe in the CSV for Excel; the plain CSV holds exactly what
the label holds and is for programs.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

from reviewkit.decisions.disk import (
    append_whole,
    cannot_write,
    make_folder,
    open_regular,
    sync_folder,
)
from reviewkit.labels.tables import LabelTable
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.formulas import guarded

Format = Literal["csv", "csv-excel", "jsonl", "xlsx", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)

CELL_LIMIT = 32_767
"""The most characters that a cell of a workbook holds."""
ROW_LIMIT = 1_048_576
COLUMN_LIMIT = 16_384
SHEET_NAME_LIMIT = 31

_NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""What a workbook spells ``_xHHHH_``: characters that XML has not, or would read as a line end,
and an underscore that would be read as such a spelling."""


_LONGEST_SPELLING = len("_x0000_")


def write_tables(
    folder: Path, tables: Iterable[LabelTable], formats: Iterable[Format], shown: str = ""
) -> tuple[Path, ...]:
    """Write every table in every format and return the files; those of the same name are replaced.

    The data dictionary goes along: as a second sheet of a workbook, else as ``NAME.dictionary``.
    Raises ProblemsFound before anything is written when a table does not fit a format, CannotWrite
    when the disk does not take a file.
    """
    made: dict[str, bytes] = {}
    problems: list[Problem] = []
    wanted = tuple(formats)
    for table in tables:
        for format_ in wanted:
            if format_ == "xlsx":
                problems += _does_not_fit(table)
                if not problems:
                    made[f"{table.name}.xlsx"] = xlsx_bytes(table)
                continue
            maker, ending = _MAKERS[format_]
            for each in (table, table.dictionary()):
                made[f"{each.name}{ending}"] = maker(each)
    if problems:
        raise ProblemsFound(problems)
    for name, raw in made.items():
        _replace(folder / name, f"{shown or folder}/{name}", raw)
    return tuple(folder / name for name in made)


def csv_bytes(table: LabelTable) -> bytes:
    """Return the table as CSV (RFC 4180, UTF-8), every cell exactly as it is."""
    return _csv(table, str, csv.QUOTE_MINIMAL).encode("utf-8")


def csv_for_excel_bytes(table: LabelTable) -> bytes:
    """Return the table as a CSV that Excel opens as UTF-8 and in which no cell is a formula.

    A cell that begins like a formula, or with an apostrophe, gets an apostrophe before it: taking
    one leading apostrophe off every cell gives the exact text back.
    """
    return _csv(table, guarded, csv.QUOTE_ALL).encode("utf-8-sig")


def jsonl_bytes(table: LabelTable) -> bytes:
    """Return the table as one JSON object a row, keys in the order of the columns."""
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in table.rows)
    return "".join(lines).encode("utf-8")


def parquet_bytes(table: LabelTable) -> bytes:
    """Return the table as Parquet, every column a string that knows its meaning."""
    import pyarrow as pa  # noqa: PLC0415 - slow to load, and only an export needs it
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = pa.schema(
        [
            pa.field(
                column.name,
                pa.string(),
                nullable=False,
                metadata={"meaning": column.meaning, "values": column.values},
            )
            for column in table.columns
        ]
    )
    columns = [
        pa.array([row[name] for row in table.rows], type=pa.string()) for name in table.header
    ]
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(columns, schema=schema), buffer)
    return buffer.getvalue()


def xlsx_bytes(table: LabelTable) -> bytes:
    """Return a workbook of two sheets, the table and its dictionary; every cell is typed as text.

    Raises ProblemsFound when a sheet cannot hold the table.
    """
    from openpyxl import Workbook  # noqa: PLC0415 - only an export needs it
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

    if problems := _does_not_fit(table):
        raise ProblemsFound(problems)
    book = Workbook(write_only=True)
    style = None
    for name, each in ((table.name[:SHEET_NAME_LIMIT], table), ("dictionary", table.dictionary())):
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        for line in (each.header, *([row[name] for name in each.header] for row in each.rows)):
            cells: list[object] = []
            for text in line:
                cell = WriteOnlyCell(sheet, _spelled(text))
                # after the value: openpyxl has read a formula or an error into it by now
                cell.data_type = "s"
                if style is None:
                    cell.number_format = "@"
                    cell.quotePrefix = True
                    style = cell._style  # noqa: SLF001
                # one style for all: looking it up anew for every cell takes most of the time
                cell._style = style  # noqa: SLF001
                cells.append(cell)
            sheet.append(cells)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


_MAKERS: dict[Format, tuple[Callable[[LabelTable], bytes], str]] = {
    "csv": (csv_bytes, ".csv"),
    "csv-excel": (csv_for_excel_bytes, ".excel.csv"),
    "jsonl": (jsonl_bytes, ".jsonl"),
    "parquet": (parquet_bytes, ".parquet"),
}


def _csv(table: LabelTable, cell: Callable[[str], str], quoting: Literal[0, 1]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=quoting, lineterminator="\r\n")
    for line in (table.header, *([row[name] for name in table.header] for row in table.rows)):
        writer.writerow([cell(text) for text in line])
    return out.getvalue()


def _spelled(text: str) -> str:
    return _NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def _does_not_fit(table: LabelTable) -> list[Problem]:
    other = "choose csv, jsonl or parquet"
    problems: list[Problem] = []
    for what, count, limit in (
        ("rows", len(table.rows) + 1, ROW_LIMIT),
        ("columns", len(table.columns), COLUMN_LIMIT),
    ):
        if count > limit:
            wrong = f"{count} {what}, and a sheet of a workbook holds {limit}"
            problems.append(Problem(table.name, wrong, other))
    for row in table.rows:
        problems += [
            Problem(
                f"{table.name} {row.get('card', '')} {name}".replace("  ", " "),
                f"{length} characters, and a cell of a workbook holds {CELL_LIMIT}",
                other,
            )
            for name, text in row.items()
            if len(text) * _LONGEST_SPELLING > CELL_LIMIT
            and (length := len(_spelled(text).encode("utf-16-le")) // 2) > CELL_LIMIT
        ]
    return problems


def _replace(path: Path, shown: str, raw: bytes) -> None:
    """Put ``raw`` in the place of the file, so that a reader never meets half of it."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        make_folder(path.parent)
        descriptor = open_regular(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            append_whole(descriptor, raw)
        finally:
            os.close(descriptor)
        part.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise cannot_write(shown, error) from error
