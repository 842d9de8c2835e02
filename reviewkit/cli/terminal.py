"""What people and models wrote, on a terminal: it may be read there and act on nothing.

A note can hold sequences that retitle a window, fill the clipboard, overwrite the line before it,
hide what follows or turn the order of letters round. On a terminal they are spelled out; in a file
or a pipe nothing is changed, because tables promise exact cells.
"""

from __future__ import annotations

import io
import re
import sys

_COLOR = "(?:[014]|3[1-6]|39|9[1-6])"
"""Bright letters, underlined ones, and colours that show on black and on white; none is hidden."""
_ACTS = re.compile(
    f"\x1b(?!\\[(?:{_COLOR}(?:;{_COLOR})*)?m)|\r(?!\n)"
    "|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066\u2067]"
)
"""Control characters but line ends and tabs, and signs that turn the order of letters, but for the
isolates with which we write mixed scripts: those turn nothing beyond themselves."""


def spelled_out(text: str) -> str:
    """Return the text with every sign that acts on a terminal written as its escape."""
    return _ACTS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


class Terminal(io.TextIOWrapper):
    """A stream to a terminal that nothing written to it can steer."""

    def write(self, text: str, /) -> int:
        """Write the text, spelled out."""
        super().write(spelled_out(text))
        return len(text)


def guard_terminals() -> None:
    """Let whatever this process prints to a terminal pass through ``spelled_out``."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream.isatty():
            guarded = Terminal(
                stream.buffer, stream.encoding, "backslashreplace", line_buffering=True
            )
            setattr(sys, name, guarded)
