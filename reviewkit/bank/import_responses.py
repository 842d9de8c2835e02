"""Takes a table of model responses into the bank, once; desks read only what this writes."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from filelock import FileLock, Timeout

from reviewkit.bank.check_rows import row_faults, said_of_ids, said_of_leaks
from reviewkit.bank.parse_fields import Slice, find_fields
from reviewkit.bank.response_index import index_of, keep_index
from reviewkit.bank.response_lines import hidden_line, response_line
from reviewkit.bank.response_mapping import ResponseMapping, would_show_hidden
from reviewkit.bank.responses import (
    HIDDEN,
    SHOWN,
    index_file,
    mapping_of,
    open_responses,
    put_in_place,
    staged,
)
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.sources import Source, Table, build, collect, load_yaml, read_table
from reviewkit.sources.yaml_files import read_yaml
from reviewkit.workspace import Workspace, make_folder

_LOCK_SECONDS = 10.0
_WRITTEN = "# Written by `reviewkit import responses`: these digests hold the files together."


class CannotImport(ReviewkitError):
    """The disk or the folder does not let us write; the table is what it was."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    name: str
    rows: int
    said: tuple[str, ...]
    """What was understood, in sentences for the person who imports."""
    parsed: Mapping[str, Mapping[str, int]]
    """Parsed field -> how it was found -> in how many responses."""


def import_responses(ws: Workspace, file: Path, mapping_file: Path) -> Imported:
    """Read a table by its mapping and keep it in ``bank/responses/``.

    A table of this name that is there is replaced whole; after a kill at any moment the old one or
    the new one opens, never a mix.

    Raises:
        ProblemsFound: With every fault of mapping and table; nothing was written.
        CannotImport: The disk or the folder refused; the old table stands.
    """
    mapping, table, source = _read(ws, file, mapping_file)
    slices = _parsed_fields(mapping, table)
    shown = b"".join(_shown_lines(mapping, table, slices))
    hidden = b"".join(_hidden_lines(mapping, table))
    counts = {
        name: dict(Counter(row[at].how for row in slices)) for at, name in enumerate(mapping.fields)
    }
    before = _digests(ws, mapping.responses)
    copy = _mapping_copy(source, mapping_file, {
        "file": file.name, "rows": str(len(table.rows)),
        "shown": hashlib.sha256(shown).hexdigest(), "hidden": hashlib.sha256(hidden).hexdigest(),
    })  # fmt: skip
    _write(ws, mapping.responses, copy, shown, hidden)
    said = (
        *table.said,
        *_said(mapping, table, counts),
        *said_of_ids(mapping, table),
        *said_of_leaks(mapping, table),
        *_said_of_change(before, _digests(ws, mapping.responses)),
    )
    return Imported(mapping.responses, len(table.rows), said, counts)


def _read(ws: Workspace, file: Path, mapping_file: Path) -> tuple[ResponseMapping, Table, Source]:
    table = None
    with collect() as faults:
        source = load_yaml(mapping_file, ws.shown(mapping_file))
        # What an earlier import wrote into its copy says nothing about this one.
        value = {name: each for name, each in source.value.items() if name != "imported"}
        mapping = build(source, ResponseMapping, value)
        faults.add(would_show_hidden(mapping, source))
        table = read_table(
            file, ws.shown(file), encoding=mapping.encoding, delimiter=mapping.delimiter,
            sheet=mapping.sheet,
        )  # fmt: skip
        faults.add(row_faults(mapping, source, table))
    return mapping, table, source


# The content of the files --------------------------------------------------------------------


def _parsed_fields(mapping: ResponseMapping, table: Table) -> list[tuple[Slice, ...]]:
    if mapping.parse is None:
        return [()] * len(table.rows)
    texts = _cells(mapping, table, mapping.texts[mapping.parse.from_])
    return [find_fields(text, mapping.fields, mapping.parse.labels) for text in texts]


def _cells(mapping: ResponseMapping, table: Table, column: str | None) -> tuple[str, ...]:
    """Return a column with what is declared missing as empty."""
    if column is None:
        return ("",) * len(table.rows)
    return tuple("" if cell in mapping.missing else cell for cell in table.column(column))


def _shown_lines(
    mapping: ResponseMapping, table: Table, slices: list[tuple[Slice, ...]]
) -> Iterator[bytes]:
    texts = {role: _cells(mapping, table, column) for role, column in mapping.texts.items()}
    facts = {name: _cells(mapping, table, column) for name, column in mapping.facts.items()}
    groups = _cells(mapping, table, mapping.group)
    languages = _cells(mapping, table, mapping.language)
    for at, response_id in enumerate(table.column(mapping.id)):
        yield response_line(
            response_id, groups[at], mapping.language_is or languages[at],
            {role: column[at] for role, column in texts.items()},
            {name: column[at] for name, column in facts.items()},
            mapping.parse.from_ if mapping.parse else "", slices[at],
        )  # fmt: skip


def _hidden_lines(mapping: ResponseMapping, table: Table) -> Iterator[bytes]:
    columns = {name: _cells(mapping, table, column) for name, column in mapping.hidden.items()}
    for at, response_id in enumerate(table.column(mapping.id)):
        yield hidden_line(response_id, {name: column[at] for name, column in columns.items()})


def _mapping_copy(source: Source, mapping_file: Path, imported: dict[str, str]) -> bytes:
    """Return the mapping as its author wrote it, with what the import adds at the end."""
    value = {name: each for name, each in source.value.items() if name != "imported"}
    whole = {**value, "imported": imported}
    added = "".join(f"  {key}: {_scalar(each)}\n" for key, each in imported.items())
    written = mapping_file.read_text(encoding="utf-8").partition(f"\n{_WRITTEN}")[0].rstrip("\n")
    text = f"{written}\n\n{_WRITTEN}\nimported:\n{added}"
    try:
        same = read_yaml(text, source.path_shown).value == whole
    except ProblemsFound:
        same = False
    # A mapping in another style than lines of 'name: value' is written anew.
    return (text if same else _dumped(whole)).encode("utf-8")


def _dumped(value: Any) -> str:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False)


def _scalar(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# Writing -------------------------------------------------------------------------------------


def _write(ws: Workspace, name: str, mapping: bytes, shown: bytes, hidden: bytes) -> None:
    """Put the three files in place.

    Both tables are whole on the disk under their staged names before the mapping that names their
    digests is renamed: that rename is the moment from which the new table holds. What a kill leaves
    staged after it is moved by whoever opens the table next.
    """
    folder = ws.responses
    try:
        folder.mkdir(parents=True, exist_ok=True)
        make_folder(ws.index)
        with FileLock(ws.index / f"{name}.lock", timeout=_LOCK_SECONDS):
            _finish_earlier(ws, name)
            _durable(staged(ws, name, SHOWN), shown)
            _durable(staged(ws, name, HIDDEN), hidden)
            waiting = staged(ws, name, ".yaml")
            _durable(waiting, mapping)
            _sync(folder)
            waiting.replace(ws.response_file(name, ".yaml"))
            _sync(folder)
            put_in_place(ws, name, HIDDEN, hashlib.sha256(hidden).hexdigest())
            path = put_in_place(ws, name, SHOWN, hashlib.sha256(shown).hexdigest())
            _sync(folder)
            keep_index(index_file(ws, name), index_of(shown, path.stat(), ws.shown(path)))
    except Timeout:
        raise CannotImport(
            f"{ws.shown(folder)}: another import of {name} is at work; wait for it, then try again"
        ) from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise CannotImport(
            f"{ws.shown(folder)}: the import could not be written ({reason}); "
            "check the disk and the folder, then import again"
        ) from error


def _finish_earlier(ws: Workspace, name: str) -> None:
    """Move what a killed import left, since its staged files are about to be overwritten."""
    with suppress(ReviewkitError):
        if (imported := mapping_of(ws, name).imported) is not None:
            put_in_place(ws, name, SHOWN, imported.shown)
            put_in_place(ws, name, HIDDEN, imported.hidden)


def _durable(path: Path, content: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# What is told --------------------------------------------------------------------------------


def _digests(ws: Workspace, name: str) -> dict[str, str] | None:
    """Return id -> digest of the table as it stands; None when there is none that opens."""
    try:
        return dict(open_responses(ws, name).digests)
    except ReviewkitError:
        return None


def _said(
    mapping: ResponseMapping, table: Table, counts: Mapping[str, Mapping[str, int]]
) -> Iterator[str]:
    rows = len(table.rows)
    shown = mapping.shown_columns()
    seen = ", ".join(f"{'.'.join(map(str, place))} ({column})" for place, column in shown.items())
    yield f"a coder sees: {seen}"
    hidden = ", ".join(f"{name} ({column})" for name, column in mapping.hidden.items())
    yield f"hidden: {hidden or 'nothing'}"
    used = {*shown.values(), *mapping.hidden.values()}
    if unused := [column for column in table.columns if column not in used]:
        yield f"left out, not in the mapping: {', '.join(unused)}"
    for name, found in counts.items():
        told = ", ".join(
            f"{found.get(how, 0)} {how}" for how in ("conforming", "tolerant", "failed")
        )
        yield f"{name}: {told}"
    column = mapping.texts[mapping.main_text]
    if empty := sum(not cell.strip() for cell in _cells(mapping, table, column)):
        yield f"{empty} of {rows} rows have an empty {mapping.main_text}"
    for code in mapping.missing:
        cells = sum(table.column(column).count(code) for column in used - {mapping.id})
        yield f"{code!r} stands for missing in {cells} cells"


def _said_of_change(
    before: Mapping[str, str] | None, after: Mapping[str, str] | None
) -> Iterator[str]:
    if before is None or after is None:
        return
    new = len(after.keys() - before.keys())
    gone = len(before.keys() - after.keys())
    changed = sum(before[each] != after[each] for each in before.keys() & after.keys())
    yield (
        f"replaced a table of {len(before)} responses: {new} new, {changed} changed, {gone} gone"
        + ("; codings of the changed ones no longer count" if changed else "")
    )
