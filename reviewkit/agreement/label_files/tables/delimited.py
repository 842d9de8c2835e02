"""Tables as columns of text, also of a million rows.

Small files go through ``reviewkit.sources``, which knows the exact fault of every row. Large ones
are cut by pyarrow, after a look at their quotes and line ends that proves that both would cut them
alike; where it does not, the exact reader has them, and its faults.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.votes import NONE, Column
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.encodings import OPTIONS, decoded, read_bytes
from reviewkit.sources.tables import delimiter_of, read_table, without_sep_line

_LARGE = 1_000_000
"""Bytes from which on the time to load pyarrow is worth it."""
_TEXT = (".csv", ".tsv", ".tab", ".txt")
_BLOCK = 4_000_000
_QUOTE, _LF, _CR = 34, 10, 13
_SPACES = re.compile("[\u00a0\u2007\u202f]")
_NO_WIDTH = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
_MAGIC = {
    b"PK\x03\x04": ("is a workbook or an archive by its content", "give it the ending .xlsx"),
    b"\xd0\xcf\x11\xe0": ("is a workbook of an old kind", "save it as .xlsx or as CSV in UTF-8"),
}


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of text; each column holds its different values once."""

    columns: dict[str, Column]
    """By name. A first column without a name has the empty one."""
    lines: NDArray[np.int32]
    """Shape (rows,): the line of each row; in a sheet its row."""
    shown: str
    """The file as messages name it."""
    said: tuple[str, ...] = ()
    stem: str = ""
    """The name of the file without folder and ending: in a file a rater, the rater."""

    @property
    def rows(self) -> int:
        """How many rows there are below the header."""
        return len(self.lines)

    def where(self, row: int, column: str = "") -> str:
        """Return ``file:line column`` of a cell; rows are counted from 0."""
        return f"{self.shown}:{int(self.lines[row])} {column}".rstrip()

    def only(self, chosen: NDArray[np.bool_]) -> TextTable:
        """Return the chosen rows."""
        columns = {name: column.only(chosen) for name, column in self.columns.items()}
        return replace(self, columns=columns, lines=self.lines[chosen])


def read_delimited(
    path: Path,
    shown: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
) -> TextTable:
    """Return the table in a file, every cell as the text it is.

    CSV, TSV, JSON, JSONL, XLSX and Parquet; the ending of the name tells the kind. A cell of
    nothing but spaces is blank.

    Args:
        path: The file.
        shown: The file as messages name it.
        encoding: The encoding of a text file; without it UTF-8, or what a byte order mark says.
        delimiter: One character or ``tab``; without it the header decides, and the comma wins ties.
        sheet: The sheet of a workbook; without it, the only one that holds anything.

    Raises:
        ProblemsFound: With every fault that can be seen, each with its line.
    """
    if path.suffix.lower() in _TEXT:
        data = read_bytes(path, shown)
        if fault := _MAGIC.get(data[:4]):
            raise ProblemsFound([Problem(shown, *fault)])
        if len(data) >= _LARGE:
            cut = _cut(path, data, shown, encoding, delimiter)
            if cut is not None:
                return cut
    table = read_table(
        path, shown, encoding=encoding, delimiter=delimiter, sheet=sheet, door=OPTIONS,
        keep_unnamed=True,
    )  # fmt: skip
    said = [*table.said, *_unused(path, shown, encoding, delimiter, sheet)]
    columns = {
        name: Column.of(cell if cell and not cell.isspace() else None for cell in cells)
        for name, cells in zip(
            _named(table.columns, shown, said), zip(*table.rows, strict=True), strict=True
        )
    }
    lines = np.array(table.lines, dtype=np.int32)
    return TextTable(columns, lines, shown, tuple(said), path.stem)


def _unused(
    path: Path, shown: str, encoding: str | None, delimiter: str | None, sheet: str | None
) -> list[str]:
    """Return the sentences on options that a file of this kind has no use for."""
    ending = path.suffix.lower()
    cut = ending in _TEXT
    written = cut or ending in (".json", ".jsonl", ".ndjson")
    given = {
        "--sheet": sheet is not None and ending != ".xlsx",
        "--delimiter": delimiter is not None and not cut,
        "--encoding": encoding is not None and not written,
    }
    return [f"{option} says nothing of {shown}" for option, unused in given.items() if unused]


def _named(written: tuple[str, ...], shown: str, said: list[str]) -> list[str]:
    """Return the names of columns without what nobody sees, and say where it was."""
    names = [plain_name(name) for name in written]
    if len({*names}) < len(names):
        doubled = sorted({name for name in names if names.count(name) > 1})
        wrong = f"columns look alike and are named apart: {', '.join(map(repr, doubled))}"
        raise ProblemsFound([Problem(shown, wrong, "rename one of them")])
    said += (
        f"the name of column {name!r} of {shown} holds characters that do not show"
        for name, before in zip(names, written, strict=True)
        if name != before
    )
    return names


def plain_name(name: str) -> str:
    """Return the name of a column with plain spaces and without characters of no width."""
    return _NO_WIDTH.sub("", _SPACES.sub(" ", name)).strip()


def _cut(
    path: Path, data: bytes, shown: str, encoding: str | None, delimiter: str | None
) -> TextTable | None:
    """Return the table, or None when only the exact reader can tell what it is."""
    said: list[str] = []
    text, delimiter = without_sep_line(decoded(data, shown, encoding, said, OPTIONS), delimiter)
    mark = delimiter_of(text, shown, path.suffix.lower(), delimiter)
    if not mark.isascii() or not text or "\0" in text:
        return None
    data = text.encode()
    del text
    rows = _rows_of(np.frombuffer(data, dtype=np.uint8), ord(mark))
    if rows is None or len(rows.starts) < 2:
        return None
    top = data[rows.starts[0] : rows.starts[1]].decode()
    written = next(csv.reader(io.StringIO(top, newline=""), delimiter=mark, strict=True))
    header = [name.strip() for name in written]
    if rows.width != len(header) or len({*header}) < len(header):
        return None
    kept = [at for at, name in enumerate(header) if name or not at]
    said += (
        f"column {at + 1} of {shown} has no name and is left out"
        for at in range(len(header))
        if at not in kept
    )
    names = _named(tuple(header[at] for at in kept), shown, said)
    body = memoryview(data)[rows.starts[1] :]
    found = _columns(body, mark, rows, len(header), kept)
    if found is None:
        return None
    lines = rows.lines[1:]
    filled = np.zeros(len(lines), dtype=np.bool_)
    for column in found:
        filled |= column.codes != NONE
    table = TextTable(
        dict(zip(names, found, strict=True)), lines, shown, tuple(said), path.stem
    )  # fmt: skip
    if filled.all():
        return table
    if not filled.any():
        return None
    empty = f"{int((~filled).sum())} empty rows of {shown} are left out"
    return replace(table.only(filled), said=(*said, empty))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where the rows of a text begin, the header among them, blank lines not."""

    starts: NDArray[np.intp]
    lines: NDArray[np.int32]
    width: int
    """How many cells each of them has."""
    longest: int
    """Bytes."""
    broken: bool
    """Whether a cell holds a line end."""


def _rows_of(data: NDArray[np.uint8], mark: int) -> _Rows | None:
    """Return the rows when quotes and line ends are plain and all rows are of one width.

    A quote that opens stands at the start of a cell and one that closes at its end; then the
    number of quotes before a byte tells whether it is inside them.
    """
    quotes = np.flatnonzero(data == _QUOTE)
    ends = np.flatnonzero(data == _LF)
    if not _plain_quotes(data, quotes, mark) or not _plain_returns(data):
        return None
    outside = np.searchsorted(quotes, ends) % 2 == 0
    marks = np.flatnonzero(data == mark)
    marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
    closing = ends[outside]
    if not len(closing) or closing[-1] != len(data) - 1:
        closing = np.append(closing, len(data))
    starts = np.concatenate([[0], closing[:-1] + 1])
    lengths = closing - starts
    lengths -= (lengths > 0) & (data[closing - 1] == _CR)
    filled = lengths > 0
    cells = np.diff(np.searchsorted(marks, closing), prepend=0)[filled] + 1
    if not len(cells) or (cells != cells[0]).any():
        return None
    starts = starts[filled]
    lines = np.searchsorted(ends, starts) + 1
    longest = int(lengths.max()) + 2
    return _Rows(
        starts, lines.astype(np.int32), int(cells[0]), longest, not bool(outside.all())
    )  # fmt: skip


def _plain_quotes(data: NDArray[np.uint8], quotes: NDArray[np.intp], mark: int) -> bool:
    if not len(quotes):
        return True
    if len(quotes) % 2:
        return False
    before, after = quotes[0::2] - 1, quotes[1::2] + 1
    beside = np.zeros(256, dtype=np.bool_)
    beside[[_QUOTE, _LF, mark]] = True
    opened = beside[data[before]] | (before < 0)
    # a carriage return before the line end closes a cell; it never stands before one that opens
    beside[_CR] = True
    closed = (after == len(data)) | beside[data[np.minimum(after, len(data) - 1)]]
    return bool(opened.all() and closed.all())


def _plain_returns(data: NDArray[np.uint8]) -> bool:
    """Return whether every carriage return belongs to a line end."""
    returns = np.flatnonzero(data == _CR)
    if not len(returns):
        return True
    return bool(returns[-1] + 1 < len(data) and (data[returns + 1] == _LF).all())


def _columns(
    body: memoryview, mark: str, rows: _Rows, width: int, kept: list[int]
) -> list[Column] | None:
    """Return the kept columns of the rows below the header; None when pyarrow cuts otherwise."""
    import pyarrow as pa  # noqa: PLC0415 - a small file is read without it
    from pyarrow import csv as arrow_csv  # noqa: PLC0415

    arrow: Any = pa
    names = [str(at) for at in range(width)]
    text = arrow.dictionary(arrow.int32(), arrow.string())
    table: Any = arrow_csv.read_csv(
        arrow.BufferReader(arrow.py_buffer(body)),
        arrow_csv.ReadOptions(column_names=names, block_size=max(_BLOCK, rows.longest + 2)),
        arrow_csv.ParseOptions(delimiter=mark, newlines_in_values=rows.broken),
        arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, text), strings_can_be_null=False, check_utf8=False,
            include_columns=[names[at] for at in kept],
        ),
    )  # fmt: skip
    if table.num_rows != len(rows.lines) - 1:
        return None
    return [_column(column) for column in table.unify_dictionaries().columns]


def _column(chunked: Any) -> Column:
    chunks: list[Any] = chunked.chunks
    values: list[str] = chunks[0].dictionary.to_pylist()
    codes = np.concatenate([each.indices.to_numpy() for each in chunks]).astype(np.int32)
    place: dict[str, int] = {}
    to = [
        place.setdefault(value, len(place)) if value and not value.isspace() else NONE
        for value in values
    ]
    if len(place) < len(values):
        codes = np.array(to, dtype=np.int32)[codes]
    return Column(tuple(place), codes)
