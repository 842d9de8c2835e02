"""Bytes on disk to text, with every refusal that concerns the bytes."""

from __future__ import annotations

import re
from pathlib import Path

from reviewkit.problems import Problem, ProblemsFound

FAULTS_TOLD = 1_000
"""Of one file no more faults are kept: nobody reads them, and a bad file may hold millions."""

# YAML 1.1 reads NEL, LS and PS as line ends: they would turn into spaces inside a text.
_NOT_IN_YAML = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")


def read_text(path: Path, shown: str, limit: int) -> str:
    """Return the text of a UTF-8 file with LF line ends; ProblemsFound for anything else."""
    return decoded(read_bytes(path, shown, limit), shown)


def read_bytes(path: Path, shown: str, limit: int) -> bytes:
    """Return what a file holds, at most ``limit`` bytes; raises ProblemsFound."""
    try:
        if path.exists() and not path.is_file():
            raise ProblemsFound([Problem(shown, "is not a file", "put a file there")])
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError:
        raise ProblemsFound(
            [Problem(shown, "does not exist", "create it or correct the name")]
        ) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ProblemsFound(
            [Problem(shown, f"cannot be read ({reason})", "check the file and its permissions")]
        ) from error
    if len(data) > limit:
        raise ProblemsFound(
            [Problem(shown, f"is larger than {limit // 1_000_000} MB", "split it into several")]
        )
    return data


def decoded(data: bytes, shown: str) -> str:
    """Return bytes as text; raises ProblemsFound where they are no UTF-8 with LF line ends."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ProblemsFound([Problem(f"{shown}:1", "is UTF-16", "save the file as UTF-8")])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = f"is not UTF-8 (byte 0x{data[error.start]:02x})"
        raise ProblemsFound(
            [Problem(f"{shown}:{line}", wrong, "save the file as UTF-8")]
        ) from error
    problems = _byte_faults(text, shown)
    if problems:
        raise ProblemsFound(problems)
    return text


def _byte_faults(text: str, shown: str) -> list[Problem]:
    problems: list[Problem] = []
    if text.startswith("\ufeff"):
        problems.append(
            Problem(f"{shown}:1", "begins with a byte order mark", "save it as UTF-8 without a BOM")
        )
    for char, wrong, remedy in (
        ("\r", "has a line end with CR", "save the file with LF line ends"),
        ("\0", "holds a NUL character", "remove it"),
    ):
        if (at := text.find(char)) >= 0:
            problems.append(Problem(f"{shown}:{text.count(chr(10), 0, at) + 1}", wrong, remedy))
    return problems


def control_faults(text: str, shown: str) -> list[Problem]:
    """Return a problem for each line with a raw control character that YAML would misread."""
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if found := _NOT_IN_YAML.search(line):
            code = ord(found.group())
            problems.append(
                Problem(
                    f"{shown}:{number}",
                    f"holds the control character U+{code:04X}",
                    f'remove it or write it as "\\u{code:04x}" in double quotes',
                )
            )
            if len(problems) >= FAULTS_TOLD:
                return [*problems, too_many(shown)]
    return problems


_SURROGATE = re.compile("[\ud800-\udfff]")


def too_many(shown: str) -> Problem:
    """Return what is said last of a file that was not read to its end for its faults."""
    return Problem(
        shown, f"has more than {FAULTS_TOLD:,} faults and was not read further", "mend these first"
    )


def text_fault(text: str) -> tuple[str, str] | None:
    """Return (what is wrong, what to do) for a value that no store could keep, else None."""
    if "\0" in text:
        return "the text holds a NUL character", "remove it"
    if _SURROGATE.search(text):
        return "the text holds half a character (a surrogate)", "write the whole character"
    return None
