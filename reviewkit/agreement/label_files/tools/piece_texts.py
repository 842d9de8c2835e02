"""The pieces of an export as text, objects and rows, in the encoding that was declared."""

from __future__ import annotations

import csv
import io

from reviewkit.agreement.label_files.tools.archives import Piece
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.records import Entry, entries_of
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.encodings import OPTIONS, decoded


def text_in(piece: Piece, gathered: Gathered) -> str:
    """Return the text of a piece; how it was decoded is said.

    Raises:
        ProblemsFound: When it is in another encoding than was declared.
    """
    said: list[str] = []
    text = decoded(piece.read(), piece.shown, gathered.asked.encoding, said, OPTIONS)
    for sentence in said:
        gathered.say(sentence)
    return text


def entries_in(piece: Piece, gathered: Gathered) -> tuple[Entry, ...]:
    """Return the objects of a piece; lines without one are left out.

    Raises:
        ProblemsFound: When it is no JSON at all.
    """
    found = entries_of(text_in(piece, gathered), piece.shown)
    for reason, where in found.bad:
        gathered.leave_out(reason, where)
    return found.good


def rows_in(piece: Piece, gathered: Gathered) -> tuple[tuple[str, ...], list[Entry]]:
    """Return the header of a CSV or TSV and its rows; rows of another length are left out.

    Raises:
        ProblemsFound: When it is no CSV, with the line at which the fault begins.
    """
    text = text_in(piece, gathered)
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    found: list[Entry] = []
    following = 1
    # the library's own limit is shorter than some texts
    before = csv.field_size_limit(len(text) + 1)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = tuple(reader.fieldnames or ())
        following = reader.line_num + 1
        for row in reader:
            line, following = following, reader.line_num + 1
            where = f"{piece.shown}:{line}"
            if None in row or None in row.values():
                gathered.leave_out("a row with more or fewer cells than the header", where)
            else:
                found.append(Entry(where, line, dict(row)))
    except csv.Error as error:
        wrong = f"is not valid CSV ({error})"
        where = f"{piece.shown}:{following}"
        raise ProblemsFound([Problem(where, wrong, "export it again")]) from error
    finally:
        csv.field_size_limit(before)
    return names, found
