"""Text that stands in Markdown as text: nothing in it acts as markup."""

from __future__ import annotations

import re

_MARKS = frozenset("\\`*_{}[]<>#|~!&$@^")
_LINE_START = re.compile(r"^(\s*)([-+=:]|\d{1,9}(?=[.)]))")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp)(?=:)|\bwww(?=\.)")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f]")
_PDI = "\u2069"


def literal(text: str) -> list[str]:
    """Return the lines of a text so that a Markdown reader shows them as they are.

    Marks are escaped, what could begin a list, a heading line or an address is broken up, and
    characters that turn the direction of writing are closed at the end of each line. Control
    characters, which no reader shows and a terminal obeys, are spaces.
    """
    return [_literal_line(line) for line in text.splitlines()] or [""]


def code(name: str) -> str:
    """Return a name as code on one line; no sign in it ends the code."""
    return f"`{' '.join(_CONTROL.sub(' ', name.replace('`', '')).split())}`"


def _literal_line(line: str) -> str:
    line = _CONTROL.sub(" ", line).strip()
    line = "".join(f"\\{char}" if char in _MARKS else char for char in line)
    begins = _LINE_START.match(line)
    if begins:
        # a digit cannot be escaped, the sign after it can
        at = begins.end()
        at = at if begins.group(2).isdigit() else at - 1
        line = f"{line[:at]}\\{line[at:]}"
    line = _LINK.sub(lambda found: f"{found.group()}\\", line)
    return line + _closing(line)


def _closing(line: str) -> str:
    """Return what ends the embeddings, overrides and isolates that a line leaves open."""
    open_marks: list[str] = []
    for char in line:
        if char in "\u202a\u202b\u202d\u202e":
            open_marks.append("\u202c")
        elif char in "\u2066\u2067\u2068":
            open_marks.append(_PDI)
        elif char in "\u202c\u2069" and open_marks and open_marks[-1] == char:
            open_marks.pop()
    return "".join(reversed(open_marks))
