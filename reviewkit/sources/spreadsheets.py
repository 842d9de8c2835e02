"""Rows of XLSX and Parquet files; their libraries are loaded only when such a file is read."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
import zipfile
from decimal import Decimal
from typing import Any

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.encodings import (
    CELLS_LIMIT,
    MAPPING,
    SIZE_LIMIT,
    Door,
    too_many_cells,
)

NumberedRows = list[tuple[int, list[str]]]

_ROWS_LIMIT = 2_000_000
"""Twice the rows that a sheet can have; a file may name any number."""
_STRINGS_LIMIT = 200_000_000
"""Bytes of the texts of a workbook, all of which are in memory at once."""
_STRINGS = "xl/sharedStrings.xml"
_CHUNK = 1_000_000
_BATCH = 1_000
_OVERLAP = 64
"""Bytes that are looked at twice, so that a tag on the seam is seen."""
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def rows_of_sheet(
    data: bytes,
    shown: str,
    sheet: str | None,
    problems: list[Problem],
    said: list[str],
    door: Door = MAPPING,
) -> NumberedRows:
    """Return the rows of one sheet, cells as a spreadsheet shows them; formulas as last computed.

    Without ``sheet`` it is the only sheet that holds anything.
    """
    from openpyxl import load_workbook  # noqa: PLC0415 - an annotator's kernel never reads one

    try:
        formulas = _has_formulas(data, shown)
        book: Any = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        names: list[str] = [each.title for each in book.worksheets]
        chosen = _chosen_sheet(book, names, shown, sheet, door)
        if len(names) > 1:
            said.append(f"the sheet {chosen!r} of {shown} was read")
        rows = _sheet_rows(book[chosen], shown)
        if formulas:
            written: Any = load_workbook(io.BytesIO(data), read_only=True)
            problems += _never_computed(written[chosen], rows, shown)
    except ProblemsFound:
        raise
    except Exception as error:  # whatever the library meets in a broken file
        wrong = f"is not a readable workbook ({type(error).__name__})"
        remedy = "save it anew as .xlsx, or as CSV in UTF-8"
        raise ProblemsFound([Problem(shown, wrong, remedy)]) from error
    while rows and not any(rows[0][1]):
        del rows[0]
    # a cell that was once used and is empty now still counts as a column
    width = max((at + 1 for _, row in rows for at, cell in enumerate(row) if cell), default=0)
    return [(line, [*row[:width], *[""] * (width - len(row))]) for line, row in rows]


def _has_formulas(data: bytes, shown: str) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = archive.infolist()
        texts = sum(each.file_size for each in files if each.filename == _STRINGS)
        if sum(each.file_size for each in files) > SIZE_LIMIT or texts > _STRINGS_LIMIT:
            most = (_STRINGS_LIMIT if texts > _STRINGS_LIMIT else SIZE_LIMIT) // 1_000_000
            wrong = f"unpacks to more than {most} MB{' of texts' if texts > _STRINGS_LIMIT else ''}"
            raise ProblemsFound([Problem(shown, wrong, "split it into several tables")])
        return any(
            _has_formula(archive, each)
            for each in files
            if each.filename.startswith("xl/worksheets/")
        )


def _has_formula(archive: zipfile.ZipFile, file: zipfile.ZipInfo) -> bool:
    with archive.open(file) as stream:
        before = b""
        while chunk := stream.read(_CHUNK):
            if re.search(rb"<(?:\w+:)?f[ >]", before + chunk):
                return True
            before = chunk[-_OVERLAP:]
    return False


def _chosen_sheet(book: Any, names: list[str], shown: str, sheet: str | None, door: Door) -> str:
    if sheet is not None:
        if sheet in names:
            return sheet
        wrong, remedy = f"has no sheet {sheet!r}", f"use one of {', '.join(names)}"
        raise ProblemsFound([Problem(shown, wrong, remedy)])
    filled = [
        name for name in names if any(any(row) for _, row in _sheet_rows(book[name], shown, 50))
    ]
    if len(filled) > 1:
        wrong = f"has {len(filled)} sheets: {', '.join(filled)}"
        example = door.one("sheet", filled[0])
        remedy = f"{door.verb} the one to read{door.place}, e.g. {example}"
        raise ProblemsFound([Problem(shown, wrong, remedy)])
    return (filled or names)[0]


def _sheet_rows(sheet: Any, shown: str, most: int | None = None) -> NumberedRows:
    # Some programs write a wrong size into the sheet, and rows beyond it would be lost.
    sheet.reset_dimensions()
    rows: NumberedRows = []
    cells = 0
    for number, row in enumerate(sheet.iter_rows(max_row=most), 1):
        # the library fills up to the place that a row or cell claims for itself
        cells += len(row)
        if cells > CELLS_LIMIT or number > _ROWS_LIMIT:
            raise ProblemsFound([too_many_cells(f"{shown}:{number}")])
        rows.append((number, [_sheet_cell(cell) for cell in row]))
    return rows


def _sheet_cell(cell: Any) -> str:
    """Return a cell as the spreadsheet shows it: ``7`` and not ``7.0``, dates as ISO."""
    value = cell.value
    if isinstance(value, str):
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if "_x" in value else value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _sheet_number(value, str(cell.number_format))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _sheet_number(value: float, number_format: str) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        # the format 000 is how a sheet keeps the zeros of 007
        zeros = len(number_format) if re.fullmatch("0+", number_format) else 0
        return str(int(value)).zfill(zeros)
    return f"{value:.15g}"


def _never_computed(sheet: Any, rows: NumberedRows, shown: str) -> list[Problem]:
    """Return a problem when a formula has no value, as in files no spreadsheet ever opened."""
    computed = dict(rows)
    for number, row in _sheet_rows(sheet, shown):
        for at, cell in enumerate(row):
            known = computed.get(number, [])
            if cell.startswith("=") and (at >= len(known) or not known[at]):
                wrong = f"cell {at + 1} of the row is a formula without a value ({cell[:40]})"
                remedy = "open the file in a spreadsheet and save it, or save it as CSV"
                return [Problem(f"{shown}:{number}", wrong, remedy)]
    return []


def rows_of_parquet(data: bytes, shown: str, problems: list[Problem]) -> NumberedRows:
    """Return the rows of a Parquet file; lists and structs become canonical JSON."""
    # The library loads pandas for timestamps in nanoseconds; we cast them to microseconds first.
    import pyarrow as pa  # noqa: PLC0415 - an annotator's kernel never reads one
    import pyarrow.parquet as pq  # noqa: PLC0415

    arrow: Any = pa
    parquet: Any = pq
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        names: list[str] = [str(name) for name in file.schema_arrow.names]
        if file.metadata.num_rows * len(names) > CELLS_LIMIT:
            raise ProblemsFound([too_many_cells(shown)])
        columns = _columns_in_batches(arrow, file, len(names), shown)
    except UnicodeDecodeError:
        wrong, remedy = "a column holds bytes that are not text", "leave it out, or save it as text"
        problems.append(Problem(shown, wrong, remedy))
        return []
    except (arrow.ArrowException, OSError, ValueError, OverflowError) as error:
        wrong = f"is not a readable Parquet file ({type(error).__name__})"
        problems.append(Problem(shown, wrong, "write it anew"))
        return []
    rows = [list(row) for row in zip(*columns, strict=True)]
    return [(1, names), *enumerate(rows, start=1)]


def _columns_in_batches(arrow: Any, file: Any, width: int, shown: str) -> list[list[str]]:
    """Return the cells by column; a text that stands in every row is stored once and read often."""
    columns: list[list[str]] = [[] for _ in range(width)]
    letters = 0
    for batch in file.iter_batches(batch_size=_BATCH):
        for at in range(width):
            texts = _column_text(arrow, batch.column(at))
            letters += sum(map(len, texts))
            columns[at] += texts
        if letters > SIZE_LIMIT:
            wrong = f"holds more than {SIZE_LIMIT // 1_000_000} MB of text"
            raise ProblemsFound([Problem(shown, wrong, "split it into several tables")])
    return columns


def _column_text(arrow: Any, column: Any) -> list[str]:
    kind = column.type
    if arrow.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if arrow.types.is_floating(kind):
        # its own text is the shortest one that reads back, also for 32 bits
        texts: list[str | None] = column.cast(arrow.string()).to_pylist()
        return ["" if each is None else each.removesuffix(".0") for each in texts]
    if arrow.types.is_timestamp(kind):
        column = column.cast(arrow.timestamp("us", tz=kind.tz), safe=False)
    return [_parquet_cell(each) for each in column.to_pylist()]


def _parquet_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list | tuple):
        return json.dumps(
            value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_parquet_cell
        )
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return format(value, "f") if isinstance(value, Decimal) else str(value)
