"""YAML as plain text with line numbers.

Only events of the parser are used: no scalar is ever resolved, so ``yes`` is not a boolean, and
keys can be compared before a mapping would swallow the first of two equal ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.kept import YAML_FILES, digest_of
from reviewkit.sources.source import Loc, ReadFaults, Source, show_loc
from reviewkit.sources.text_files import (
    FAULTS_TOLD,
    control_faults,
    decoded,
    read_bytes,
    text_fault,
    too_many,
)

SIZE_LIMIT = 5_000_000
DEPTH_LIMIT = 50

# libyaml is some ten times faster; both parsers end in the same sentences.
LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def load_yaml(path: Path, shown: str) -> Source:
    """Return a YAML file as a ``Source`` whose root is a mapping.

    Args:
        path: The file.
        shown: The file as messages name it.

    Raises:
        ProblemsFound: With every fault the parser gets to see.
    """
    data = read_bytes(path, shown, SIZE_LIMIT)
    digest = digest_of(data)
    if found := YAML_FILES.find(digest):
        return Source(shown, *found)
    text = decoded(data, shown)
    if faults := control_faults(text, shown):
        raise ProblemsFound(faults)
    source = read_yaml(text, shown)
    YAML_FILES.keep(digest, source.value, dict(source.lines))
    return source


def read_yaml(text: str, shown: str, loader: Any = None) -> Source:
    """Return YAML text as a ``Source``; see ``load_yaml``."""
    reading = _Reading(shown)
    try:
        for event in yaml.parse(text, Loader=loader or LOADER):
            if not reading.take(event):
                break
    except yaml.MarkedYAMLError as error:
        reading.problems.append(_syntax_problem(error, text, shown))
        raise ProblemsFound(reading.problems) from error
    except yaml.YAMLError as error:
        wrong = f"is not valid YAML ({' '.join(str(error).split())})"
        raise ProblemsFound([Problem(shown, wrong, "correct the file")]) from error
    if not reading.problems and not isinstance(reading.root, dict):
        wrong = "is empty" if reading.documents == 0 else "is not a mapping of fields"
        reading.problems.append(
            Problem(f"{shown}:1", wrong, "write 'field: value', one field a line")
        )
    source = Source(shown, reading.root, reading.lines)
    if reading.problems:
        whole = reading.whole and isinstance(reading.root, dict)
        raise ReadFaults(reading.problems, source if whole else None)
    return source


@dataclass(slots=True)
class _Frame:
    """A mapping or list that is still open."""

    loc: Loc
    value: dict[str, Any] | list[Any]
    key: str | None = None
    """The key that waits for its value, in a mapping."""
    key_lines: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(slots=True)
class _Reading:
    """The document as far as its events have come."""

    shown: str
    root: Any = None
    documents: int = 0
    whole: bool = True
    """Whether every value is as written, faults or not."""
    lines: dict[Loc, int] = field(default_factory=lambda: {(): 1})
    problems: list[Problem] = field(default_factory=list[Problem])
    stack: list[_Frame] = field(default_factory=list[_Frame])

    def take(self, event: Event) -> bool:
        """Take the next event; False when reading further would tell nothing."""
        if len(self.problems) >= FAULTS_TOLD:
            self.whole = False
            self.problems.append(too_many(self.shown))
            return False
        line = event.start_mark.line + 1
        if isinstance(event, DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.whole = False
                self._fault(line, (), "a second document begins", "keep one document a file")
                return False
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            self.stack.pop()
        elif isinstance(event, AliasEvent):
            self.whole = False
            self._fault(
                line, self._place("", line), f"'*{event.anchor}' is a YAML alias",
                "write the value out, or put the text in quotes",
            )  # fmt: skip
        elif isinstance(event, ScalarEvent | MappingStartEvent | SequenceStartEvent):
            return self._take_node(event, line)
        return True

    def _take_node(
        self, event: ScalarEvent | MappingStartEvent | SequenceStartEvent, line: int
    ) -> bool:
        if isinstance(event, ScalarEvent):
            loc = self._place(event.value, line)
            if fault := text_fault(event.value):
                self._fault(line, loc, *fault)
        else:
            opened: dict[str, Any] | list[Any] = {} if isinstance(event, MappingStartEvent) else []
            loc = self._place(opened, line)
            self.stack.append(_Frame(loc, opened))
            if len(self.stack) > DEPTH_LIMIT:
                self.whole = False
                wrong = f"is nested more than {DEPTH_LIMIT} deep"
                self._fault(line, (), wrong, "write it flatter")
                return False
        if event.anchor is not None:
            self._fault(
                line, loc, f"'&{event.anchor}' is a YAML anchor",
                "remove it, or put the text in quotes",
            )  # fmt: skip
        if event.tag is not None:
            self._fault(
                line, loc, f"{event.tag!r} is a YAML tag", "remove it, or put the text in quotes"
            )
        return True

    def _place(self, value: Any, line: int) -> Loc:
        """Put a value (or a key) where it belongs and return its place."""
        if not self.stack:
            self.root = value
            self.lines[()] = line
            return ()
        frame = self.stack[-1]
        if isinstance(frame.value, list):
            loc: Loc = (*frame.loc, len(frame.value))
            frame.value.append(value)
            self.lines[loc] = line
            return loc
        if frame.key is None:
            return self._open_key(frame, value, line)
        loc = (*frame.loc, frame.key)
        # The first of two equal keys stays: its lines are the ones that messages name.
        frame.value.setdefault(frame.key, value)
        frame.key = None
        return loc

    def _open_key(self, frame: _Frame, value: Any, line: int) -> Loc:
        if not isinstance(value, str):
            self.whole = False
            self._fault(line, frame.loc, "a key is not plain text", "write a name before the colon")
            value = f"<key on line {line}>"
        loc = (*frame.loc, value)
        if (first := frame.key_lines.get(value)) is not None:
            self._fault(
                line, loc, f"the key {value!r} stands a second time, first on line {first}",
                "keep one of the two",
            )  # fmt: skip
        else:
            frame.key_lines[value] = line
            self.lines[loc] = line
        frame.key = value
        return loc

    def _fault(self, line: int, loc: Loc, wrong: str, remedy: str) -> None:
        where = f"{self.shown}:{line} {show_loc(loc)}".rstrip()
        self.problems.append(Problem(where, wrong, remedy))


def _syntax_problem(error: yaml.MarkedYAMLError, text: str, shown: str) -> Problem:
    """Return a parser's complaint in our shape and words."""
    mark = error.problem_mark or error.context_mark
    line = mark.line if mark else 0
    column = mark.column if mark else 0
    lines = text.split("\n")
    written = lines[line] if line < len(lines) else ""
    char = written[column : column + 1]
    indent = written[: len(written) - len(written.lstrip())]
    said = (error.problem or "").lower()
    context = (error.context or "").lower()

    opened = error.context_mark.line if error.context_mark else line
    if "end of stream" in said and "quoted scalar" in context:
        wrong, remedy = "a quote is opened and not closed", "close it with a quote"
        return Problem(f"{shown}:{opened + 1}", wrong, remedy)
    if "flow" in context and char != "\t":
        wrong, remedy = "a '[' or '{' without its end", "close it or put the text in quotes"
        return Problem(f"{shown}:{opened + 1}", wrong, remedy)
    if "expected ':'" in said:
        wrong, remedy = "a line without 'field: value'", "add the colon or indent the line"
        return Problem(f"{shown}:{opened + 1}", wrong, remedy)
    if "\t" in indent or char == "\t":
        wrong, remedy = "a tab stands where YAML wants spaces", "indent with spaces"
    elif "mapping values are not allowed" in said:
        wrong, remedy = "a colon and a space inside a text", "put the text in quotes"
    elif "escape" in said:
        wrong, remedy = "a backslash in double quotes that means nothing", "use single quotes"
    elif "cannot start any token" in said:
        wrong, remedy = f"a text cannot begin with {char!r}", "put the text in quotes"
    elif "alphabetic or numeric" in said:
        wrong, remedy = "a text cannot begin with '*' or '&'", "put the text in quotes"
    elif "block" in context:
        wrong, remedy = "the line does not fit what stands above", "align it, or check the quotes"
    else:
        wrong, remedy = f"is not valid YAML ({error.problem})", "correct the line or quote the text"
    return Problem(f"{shown}:{line + 1}", wrong, remedy)
