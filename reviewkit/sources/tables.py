"""Tables of other people, read as text: CSV, TSV, JSON, JSONL, XLSX and Parquet.

No cell is ever understood: ``NA``, ``null``, ``007`` and ``N`` arrive as written.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.encodings import MAPPING, Door, decoded, read_bytes
from reviewkit.sources.json_tables import rows_of_json, rows_of_lines
from reviewkit.sources.spreadsheets import rows_of_parquet, rows_of_sheet
from reviewkit.sources.text_files import FAULTS_TOLD, text_fault, too_many

NumberedRows = list[tuple[int, list[str]]]
"""Rows with the line (in a sheet: the row) they begin on; the first one is the header."""

_SHOWN_FAULTS = 20
_DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
_SEP_LINE = re.compile(r'(sep=([^\s"]|\t))\r?\n', re.IGNORECASE)
_KINDS = ".csv, .tsv, .jsonl, .json, .xlsx or .parquet"


@dataclass(frozen=True, slots=True)
class Table:
    """A table as read; every cell is text and every row has a cell for every column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    said: tuple[str, ...]
    """What was understood beyond the plain reading, in sentences."""
    lines: tuple[int, ...]
    """The line of each row; in a sheet its row, in Parquet its number."""
    shown: str

    def where(self, row: int) -> str:
        """Return ``file:line`` of a row, counted from 0."""
        return f"{self.shown}:{self.lines[row]}"

    def column(self, name: str) -> tuple[str, ...]:
        """Return the cells of one column."""
        at = self.columns.index(name)
        return tuple(row[at] for row in self.rows)


def read_table(
    path: Path,
    shown: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    door: Door = MAPPING,
    keep_unnamed: bool = False,
) -> Table:
    """Return the table in a file; the ending of its name tells its kind.

    Args:
        path: The file.
        shown: The file as messages name it.
        encoding: The encoding of a text file; without it UTF-8, or what a byte order mark says.
        delimiter: The delimiter of a CSV file (``tab`` for a tab); without it, the header decides.
        sheet: The sheet of a workbook; without it, the only one that holds anything.
        door: Where a person declares encoding, delimiter and sheet, for the remedies.
        keep_unnamed: Keep a first column without a name, as spreadsheets and data frames write
            the names of their rows; its name is empty.

    Raises:
        ProblemsFound: With every fault that can be seen.
    """
    said: list[str] = []
    problems: list[Problem] = []
    kind = path.suffix.lower()
    rows: NumberedRows
    if kind in (".csv", ".tsv", ".tab", ".txt"):
        text = decoded(read_bytes(path, shown), shown, encoding, said, door)
        text, delimiter = without_sep_line(text, delimiter)
        rows = _delimited(text, shown, delimiter_of(text, shown, kind, delimiter), problems)
    elif kind in (".jsonl", ".ndjson"):
        text = decoded(read_bytes(path, shown), shown, encoding, said, door)
        rows = rows_of_lines(text, shown, problems, said)
    elif kind == ".json":
        text = decoded(read_bytes(path, shown), shown, encoding, said, door)
        rows = rows_of_json(text, shown, problems, said)
    elif kind in (".xlsx", ".xlsm"):
        rows = rows_of_sheet(read_bytes(path, shown), shown, sheet, problems, said, door)
    elif kind == ".parquet":
        rows = rows_of_parquet(read_bytes(path, shown), shown, problems)
    else:
        wrong = f"a file that ends in {kind!r} is not read" if kind else "has no ending"
        raise ProblemsFound([Problem(shown, wrong, f"save the table as {_KINDS}")])
    table = _table(rows, shown, problems, said, door, keep_unnamed=keep_unnamed)
    if problems:
        raise ProblemsFound(problems)
    return table


def _table(
    rows: NumberedRows,
    shown: str,
    problems: list[Problem],
    said: list[str],
    door: Door,
    *,
    keep_unnamed: bool,
) -> Table:
    """Return the table of these rows, adding what is wrong with its shape to ``problems``."""
    if not rows:
        if not problems:
            remedy = f"write a header and a row for each {door.row}"
            problems.append(Problem(shown, "is empty", remedy))
        return Table((), (), (), (), shown)
    (header_line, written), *body = rows
    header = [name.strip() for name in written]
    kept = [at for at, name in enumerate(header) if name or (keep_unnamed and not at)]
    problems += capped(list(islice(_header_faults(header, f"{shown}:{header_line}"), FAULTS_TOLD)))
    named = set(kept)
    unnamed = [at for at in range(len(header)) if at not in named]
    ragged: list[Problem] = []
    characters: list[Problem] = []
    lines: list[int] = []
    cells: list[tuple[str, ...]] = []
    for line, row in body:
        if not "".join(row).strip():
            continue
        if len(row) != len(header):
            wrong = f"has {len(row)} cells, and the header has {len(header)}"
            if len(ragged) >= FAULTS_TOLD:
                raise ProblemsFound([*capped(ragged), too_many(shown)])
            remedy = "check the delimiter and the quotes of this row"
            ragged.append(Problem(f"{shown}:{line}", wrong, remedy))
            continue
        characters += (
            Problem(f"{shown}:{line} {header[at]}".rstrip(), *fault)
            for at in kept
            if (fault := text_fault(row[at]))
        )
        lines.append(line)
        cells.append(tuple(row[at] for at in kept))
    said += (f"column {at + 1} of {shown} has no name and is left out" for at in unnamed)
    if blank := len(body) - len(cells) - len(ragged):
        said.append(f"{blank} empty rows of {shown} are left out")
    problems += capped(ragged)
    problems += capped(characters)
    if not cells and not problems:
        problems.append(Problem(f"{shown}:{header_line}", "has no row below its header", "add one"))
    return Table(tuple(header[at] for at in kept), tuple(cells), tuple(said), tuple(lines), shown)


def capped(problems: Sequence[Problem]) -> list[Problem]:
    """Return the first faults of one kind; the last one says how many more there are."""
    if len(problems) <= _SHOWN_FAULTS:
        return list(problems)
    *shown, last = problems[:_SHOWN_FAULTS]
    more = len(problems) - _SHOWN_FAULTS
    return [*shown, Problem(last.where, f"{last.wrong} ({more} more like it below)", last.remedy)]


def _header_faults(header: list[str], where: str) -> Iterable[Problem]:
    if not any(header):
        yield Problem(where, "the header names no column", "write the names in the first row")
    first: dict[str, int] = {}
    for at, name in enumerate(header):
        if name and first.setdefault(name, at) != at:
            wrong = f"columns {first[name] + 1} and {at + 1} are both named {name!r}"
            yield Problem(where, wrong, "rename one of them")
        if fault := text_fault(name):
            yield Problem(where, *fault)


def without_sep_line(text: str, declared: str | None) -> tuple[str, str | None]:
    """Return the text and its delimiter when the first line is ``sep=;``, a note for Excel.

    The line stays as an empty one, so that the others keep their numbers.
    """
    found = _SEP_LINE.match(text)
    return (text, declared) if found is None else (text[found.end(1) :], declared or found[2])


def delimiter_of(text: str, shown: str, kind: str, declared: str | None) -> str:
    """Return the declared delimiter, else the one most frequent in the header outside quotes.

    Raises:
        ProblemsFound: When what is declared is no single character.
    """
    if declared is None:
        return _delimiter(text, kind)
    if declared in ("tab", "\\t"):
        return "\t"
    if len(declared) != 1 or declared in '"\r\n\0':
        wrong = f"{declared!r} cannot be a delimiter"
        raise ProblemsFound([Problem(shown, wrong, "name one character, or tab")])
    return declared


def _delimiter(text: str, kind: str) -> str:
    counts = dict.fromkeys(_DELIMITERS, 0)
    quoted = False
    begun = False
    for char in text:
        if char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in "\r\n":
            if begun:
                break
            continue
        elif char in counts:
            counts[char] += 1
        begun = True
    if kind in (".tsv", ".tab") and counts["\t"]:
        return "\t"
    # max keeps the first of equals, and the comma stands first
    return max(counts, key=lambda char: counts[char])


def _delimited(text: str, shown: str, delimiter: str, problems: list[Problem]) -> NumberedRows:
    rows: NumberedRows = []
    # The library's own limit of 131,072 characters is shorter than some answers.
    before = csv.field_size_limit(len(text) + 1)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                rows.append((line, row))
            line = reader.line_num + 1
    except csv.Error as error:
        if "unexpected end" in str(error):
            wrong, remedy = "a quote is opened and not closed", "close it with a quote"
        elif "expected after" in str(error):
            name = _DELIMITERS.get(delimiter, repr(delimiter))
            wrong = f"after a closing quote stands something other than a {name}"
            remedy = "double the quotes inside the text"
        else:
            wrong, remedy = f"is not valid CSV ({error})", "correct the row"
        problems.append(Problem(f"{shown}:{line}", wrong, remedy))
    finally:
        csv.field_size_limit(before)
    return rows
