"""Bytes of a table to text: what is not UTF-8 is refused with the names that would read it."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

from reviewkit.problems import Problem, ProblemsFound

SIZE_LIMIT = 500_000_000
CELLS_LIMIT = 20_000_000
"""Cells of a table with the empty ones: a file of few bytes can ask for billions of them."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    # the mark of UTF-32 begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OFFERED = ("gb18030", "windows-1256", "windows-1252", "latin-1")
_EXCERPT = 12


@dataclass(frozen=True, slots=True)
class Door:
    """How a person declares what a file does not say, in the words of remedies."""

    verb: str
    place: str
    """Where one writes it, with a space before it: `` in the mapping``; else empty."""
    setting: str
    """One setting, with places for ``name`` and ``value``."""
    says: str
    """Who declared it, with a place for ``name``."""
    remove: str
    """How to undeclare it, with a place for ``name``."""
    row: str
    """What a row of the table is."""

    def declare(self, name: str, value: str) -> str:
        """Return the remedy that declares one setting."""
        return f"{self.verb} {self.one(name, value)}{self.place}"

    def one(self, name: str, value: str) -> str:
        """Return one setting as a person writes it."""
        return self.setting.format(name=name, value=value)


MAPPING = Door(
    "write", " in the mapping", "'{name}: {value}'", "the mapping",
    "take '{name}' out of the mapping", "response",
)  # fmt: skip
"""What is declared stands in a mapping, a file beside the table."""
OPTIONS = Door("give", "", "--{name} {value}", "--{name}", "leave --{name} out", "unit")
"""What is declared is an option of the command, or an argument of the same name."""


def read_bytes(path: Path, shown: str) -> bytes:
    """Return what the file holds; ProblemsFound when it is not there, not readable or too large."""
    try:
        if path.exists() and not path.is_file():
            raise ProblemsFound([Problem(shown, "is not a file", "name a table")])
        if path.stat().st_size > SIZE_LIMIT:
            wrong = f"is larger than {SIZE_LIMIT // 1_000_000} MB"
            raise ProblemsFound([Problem(shown, wrong, "split it into several tables")])
        return path.read_bytes()
    except FileNotFoundError:
        raise ProblemsFound([Problem(shown, "does not exist", "correct the name")]) from None
    except OSError as error:
        wrong = f"cannot be read ({error.strerror or type(error).__name__})"
        remedy = "check the file and its permissions"
        raise ProblemsFound([Problem(shown, wrong, remedy)]) from error


def too_many_cells(shown: str) -> Problem:
    """Return what is said of a table that would fill the memory with cells."""
    wrong = f"makes more than {CELLS_LIMIT // 1_000_000} million cells"
    return Problem(shown, wrong, "leave out columns, or split it into several tables")


def decoded(
    data: bytes, shown: str, declared: str | None, said: list[str], door: Door = MAPPING
) -> str:
    """Return the text of a table without its byte order mark.

    A byte order mark decides by itself; without one the file is UTF-8 unless ``declared`` names
    another encoding. What was understood is added to ``said``; remedies name the ``door`` where
    an encoding is declared.

    Raises:
        ProblemsFound: When the bytes are not of that encoding, with line, byte and what to write.
    """
    marked = next((name for mark, name in _BOMS if data.startswith(mark)), None)
    if declared is None:
        encoding = marked or "utf-8"
        if marked is None and (guess := _utf_16_without_mark(data)):
            wrong = "is UTF-16 without a byte order mark"
            remedy = door.declare("encoding", guess)
            raise ProblemsFound([Problem(f"{shown}:1", wrong, remedy)])
    else:
        encoding = _known(declared, shown, door)
        if marked is not None and not encoding.startswith(marked):
            says = door.says.format(name="encoding")
            wrong = f"is {marked.upper()} by its byte order mark, and {says} says {declared}"
            remedy = door.remove.format(name="encoding")
            raise ProblemsFound([Problem(f"{shown}:1", wrong, remedy)])
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ProblemsFound([_not_of(encoding, data, error.start, shown, door)]) from error
    if encoding != "utf-8":
        said.append(f"{shown} was read as {declared or encoding.upper()}")
    return text.removeprefix("\ufeff")


def _known(declared: str, shown: str, door: Door) -> str:
    try:
        name = codecs.lookup(declared).name
        # the package also knows codecs that are no encodings of text; empty bytes pass them all
        b"a".decode(declared, "replace")
    except (LookupError, ValueError):
        wrong = f"{door.says.format(name='encoding')} names an unknown encoding, {declared!r}"
        remedy = f"use utf-8, utf-16, {', '.join(_OFFERED[:-1])} or {_OFFERED[-1]}"
        raise ProblemsFound([Problem(shown, wrong, remedy)]) from None
    return "utf-8" if name == "utf-8-sig" else name


def _utf_16_without_mark(data: bytes) -> str | None:
    """Return the name when every second byte is often zero, as in no text of another encoding."""
    sample = data[:20_000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if (
        max(even, odd) < 3
        or max(even, odd) * 20 < len(sample)
        or min(even, odd) * 10 > max(even, odd)
    ):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _not_of(encoding: str, data: bytes, at: int, shown: str, door: Door) -> Problem:
    """Return the problem of a byte, with the encodings that read the whole file."""
    before = data[:at].decode(encoding, errors="replace")
    where = f"{shown}:{before.count(chr(10)) + 1}"
    start = data.rfind(b"\n", 0, at) + 1
    wrong = (
        f"is not {encoding.upper()} (byte 0x{data[at]:02x}, number {at - start + 1} of the line)"
    )
    end = data.find(b"\n", at)
    line = data[start : end if end >= 0 else len(data)]
    offers: list[str] = []
    for name in _OFFERED:
        if name == "latin-1" and any("windows-1252" in offer for offer in offers):
            continue
        try:
            data.decode(name)
            reads = line.decode(name)
        except UnicodeDecodeError:
            continue
        offers.append(f"{door.one('encoding', name)} (would read {_excerpt(reads)!r})")
    return Problem(
        where, wrong, f"save it as UTF-8, or {door.verb}{door.place} {' or '.join(offers)}"
    )


def _excerpt(line: str) -> str:
    """Return the first words with other than ASCII letters, by which a person knows the script."""
    first = next((at for at, char in enumerate(line) if char > "\x9f"), 0)
    return "".join(char for char in line[first : first + _EXCERPT] if char.isprintable()).strip()
