"""Imported tables of model responses, read one response at a time.

``bank/responses/NAME.yaml`` is the mapping, ``NAME.jsonl`` what a coder may see, and
``NAME.hidden.jsonl`` the rest, which only ``load_hidden`` and ``columns_of`` open, for the lead.

The mapping names the digests of both files, and it is put in place first: from then on a file that
is not yet in place is read beside it, under its staged name, and moved. So an import that was
killed leaves the old table or the new one, and a mix of two never opens.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from reviewkit.bank.parse_fields import Parsed
from reviewkit.bank.response_index import ResponseIndex, index_of, keep_index, kept_index
from reviewkit.bank.response_lines import NotALine, Response, object_of, response_of
from reviewkit.bank.response_mapping import ResponseMapping, load_mapping
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.workspace import Workspace

__all__ = [
    "NoSuchResponse", "Parsed", "Response", "ResponseTable", "ResponsesChanged",
    "UnknownResponses", "columns_of", "load_hidden", "open_responses",
]  # fmt: skip

SHOWN, HIDDEN = ".jsonl", ".hidden.jsonl"
_KEPT = 8
"""Responses kept in memory: the one on the screen and its neighbours."""


class UnknownResponses(ReviewkitError):
    """No table of this name was imported."""


class NoSuchResponse(ReviewkitError):
    """A table has no response of this id."""


class ResponsesChanged(ReviewkitError):
    """A response was changed while the table was open."""


class ResponseTable:
    """An open table: ids and digests in memory, responses read when asked for."""

    def __init__(self, ws: Workspace, name: str) -> None:
        self.name = name
        self._ws = ws
        mapping, self._path, index = _located(ws, name, trusting=True)
        self.ids: tuple[str, ...] = index.ids
        """In the order of the table."""
        self.digests: Mapping[str, str] = MappingProxyType(
            dict(zip(index.ids, index.digests, strict=True))
        )
        self.titles: Mapping[str, Mapping[str, str]] = MappingProxyType(dict(mapping.all_titles))
        """Role, fact or parsed field -> what people call it, by language."""
        self._places = _places(index)
        self._recent: OrderedDict[str, Response] = OrderedDict()

    def __len__(self) -> int:
        return len(self.ids)

    def get(self, response_id: str) -> Response:
        """Return one response.

        Raises:
            NoSuchResponse: The table has none of this id.
            ResponsesChanged: It is no longer what it was when the table was opened.
        """
        if response_id not in self.digests:
            raise NoSuchResponse(
                f"the table {self.name} has no response {response_id!r}; use an id that it has"
            )
        found = self._recent.pop(response_id, None)
        if found is None:
            found = self._read(response_id) or self._read_anew(response_id)
        self._recent[response_id] = found
        if len(self._recent) > _KEPT:
            self._recent.popitem(last=False)
        return found

    def _read(self, response_id: str) -> Response | None:
        """Return the response where the index says, or None when another text stands there."""
        start, length = self._places[response_id]
        try:
            with self._path.open("rb") as stream:
                stream.seek(start)
                response = response_of(stream.read(length))
        except (OSError, NotALine):
            return None
        return response if response.digest == self.digests[response_id] else None

    def _read_anew(self, response_id: str) -> Response:
        """Look where the response stands now: the index was wrong, or the file was replaced."""
        _, self._path, index = _located(self._ws, self.name, trusting=False)
        # A response that is gone keeps a place in which it is not found.
        self._places |= _places(index)
        found = self._read(response_id)
        if found is None:
            raise ResponsesChanged(
                f"{self._ws.shown(self._path)}: the response {response_id!r} was changed while "
                "the table was open; open it again"
            )
        return found


def open_responses(ws: Workspace, name: str) -> ResponseTable:
    """Return a table ready to read; what is hidden stays closed.

    Raises:
        UnknownResponses: No table of this name was imported; lists what there is.
        ProblemsFound: Its files are broken or do not belong together.
    """
    return ResponseTable(ws, name)


def load_hidden(ws: Workspace, name: str) -> dict[str, dict[str, str]]:
    """Return id -> hidden name -> value, in the order of the table; for the lead's side only.

    Raises:
        UnknownResponses: No table of this name was imported.
        ProblemsFound: Its files are broken or do not belong together.
    """
    mapping, _, index = _located(ws, name, trusting=True)
    path = ws.response_file(name, HIDDEN)
    if not mapping.hidden and not path.exists():
        return {response_id: {} for response_id in index.ids}
    expected = mapping.imported.hidden if mapping.imported else None
    _, data, _ = _found(ws, name, HIDDEN, expected)
    shown = ws.shown(path)
    rows: dict[str, dict[str, str]] = {}
    problems: list[Problem] = []
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            row = object_of(raw)
            response_id, values = row["id"], {key: row["hidden"][key] for key in mapping.hidden}
        except NotALine as error:
            problems.append(Problem(f"{shown}:{number}", str(error), "import the table again"))
        except (KeyError, TypeError):
            wrong = f"has no id, or not the columns {', '.join(mapping.hidden)}"
            problems.append(Problem(f"{shown}:{number}", wrong, "import the table again"))
        else:
            if rows.setdefault(response_id, values) is not values:
                wrong = f"the id {response_id!r} stands a second time"
                problems.append(Problem(f"{shown}:{number}", wrong, "import the table again"))
    if not problems and rows.keys() != set(index.ids):
        wrong = f"has other ids than {ws.shown(ws.response_file(name))}"
        problems.append(Problem(shown, wrong, "import the table again"))
    if problems:
        raise ProblemsFound(problems)
    return {response_id: rows[response_id] for response_id in index.ids}


def columns_of(ws: Workspace, name: str) -> dict[str, dict[str, str]]:
    """Return id -> every column that strata may be made of; for the lead's side only.

    ``group``, ``language``, facts, hidden columns, and how each field was parsed, as in
    ``selection.parse``.
    """
    hidden = load_hidden(ws, name)
    _, path, index = _located(ws, name, trusting=True)
    data = path.read_bytes()
    columns: dict[str, dict[str, str]] = {}
    for start, length in zip(index.starts, index.lengths, strict=True):
        response = response_of(data[start : start + length])
        columns[response.response_id] = {
            "group": response.group,
            "language": response.language,
            **response.facts,
            **hidden[response.response_id],
            **{f"{parsed.name}.parse": parsed.how for parsed in response.parsed},
        }
    return columns


def table_names(ws: Workspace) -> tuple[str, ...]:
    """Return the names of the imported tables."""
    return tuple(sorted(path.stem for path in ws.responses.glob("*.yaml")))


def mapping_of(ws: Workspace, name: str) -> ResponseMapping:
    """Return the mapping that a table was imported with."""
    path = ws.response_file(name, ".yaml")
    if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9_-]*", name) or not path.is_file():
        known = ", ".join(table_names(ws))
        remedy = f"use one of {known}" if known else "import one with `reviewkit import responses`"
        folder = ws.shown(ws.responses)
        raise UnknownResponses(f"there is no table of responses {name!r} in {folder}/; {remedy}")
    mapping, source = load_mapping(path, ws.shown(path))
    if mapping.responses != name:
        wrong = f"is the mapping of {mapping.responses!r}"
        raise ProblemsFound(
            [source.problem(("responses",), wrong, f"import it again, or write {name} here")]
        )
    return mapping


def staged(ws: Workspace, name: str, ending: str) -> Path:
    """Return where a file of an import lies until it is put in place."""
    final = ws.response_file(name, ending)
    return final.with_name(f".{final.name}.new")


def index_file(ws: Workspace, name: str) -> Path:
    """Return where the index of a table is kept."""
    return ws.index / f"{name}.json"


def put_in_place(ws: Workspace, name: str, ending: str, file_digest: str) -> Path:
    """Move a staged file in place when it is the one the mapping names; return where it is."""
    waiting, final = staged(ws, name, ending), ws.response_file(name, ending)
    with suppress(OSError):
        if hashlib.sha256(waiting.read_bytes()).hexdigest() == file_digest:
            with suppress(OSError):
                waiting.replace(final)
            # Where the folder may only be read, it is read where it is.
            return waiting if waiting.exists() else final
    return final


def _places(index: ResponseIndex) -> dict[str, tuple[int, int]]:
    return dict(zip(index.ids, zip(index.starts, index.lengths, strict=True), strict=True))


def _located(
    ws: Workspace, name: str, *, trusting: bool
) -> tuple[ResponseMapping, Path, ResponseIndex]:
    """Return the mapping, the file of the shown columns and its index.

    ``trusting`` believes a kept index that fits the file from outside.
    """
    mapping = mapping_of(ws, name)
    for last in (False, True):
        try:
            path, index = _indexed(ws, name, mapping, trusting=trusting)
        except ProblemsFound:
            # An import may have replaced the table between the two reads.
            now = mapping_of(ws, name)
            if last or now == mapping:
                raise
            mapping = now
        else:
            return mapping, path, index
    raise AssertionError("the last try returns or raises")


def _indexed(
    ws: Workspace, name: str, mapping: ResponseMapping, *, trusting: bool
) -> tuple[Path, ResponseIndex]:
    expected = mapping.imported.shown if mapping.imported else None
    final = ws.response_file(name)
    kept = kept_index(index_file(ws, name)) if trusting else None
    if kept is not None and expected in (None, kept.file_digest):
        places = (final,) if expected is None else (final, staged(ws, name, SHOWN))
        for place in places:
            with suppress(OSError):
                if kept.fits(place.stat()):
                    return place, kept
    path, data, stat = _found(ws, name, SHOWN, expected)
    index = index_of(data, stat, ws.shown(path))
    keep_index(index_file(ws, name), index)
    return path, index


def _found(
    ws: Workspace, name: str, ending: str, expected: str | None
) -> tuple[Path, bytes, os.stat_result]:
    """Return the file of a table, in place or still staged, that its mapping names."""
    path = ws.response_file(name, ending)
    shown = ws.shown(path)
    try:
        data, stat = _read(path)
        if expected is None or hashlib.sha256(data).hexdigest() == expected:
            return path, data, stat
    except FileNotFoundError:
        data, stat = b"", None
    except OSError as error:
        raise ProblemsFound([_unreadable(shown, error)]) from error
    if expected is not None:
        path = put_in_place(ws, name, ending, expected)
        try:
            moved, moved_stat = _read(path)
            if hashlib.sha256(moved).hexdigest() == expected:
                return path, moved, moved_stat
        except OSError:
            pass
    if stat is None:
        raise ProblemsFound([Problem(shown, "does not exist", "import the table again")])
    if ending == SHOWN:
        # A broken line says more than a digest that differs.
        index_of(data, stat, shown)
    wrong = f"is not the file that was imported with {name}.yaml"
    remedy = "import the table again, or put both files back from one import"
    raise ProblemsFound([Problem(shown, wrong, remedy)])


def _unreadable(shown: str, error: OSError) -> Problem:
    wrong = f"cannot be read ({error.strerror or type(error).__name__})"
    return Problem(shown, wrong, "check the file and its permissions")


def _read(path: Path) -> tuple[bytes, os.stat_result]:
    with path.open("rb") as stream:
        # Taken before: a file that is written meanwhile fits no index.
        stat = os.fstat(stream.fileno())
        return stream.read(), stat
