"""One line of the doctor: what was looked at, how it is, what was found, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a thing is."""

    OK = "ok"
    WARNING = "warning"
    """People can work; somebody should look at it."""
    FAULT = "fault"
    """People cannot work, or what they write is not safe."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check has to say."""

    check: str
    state: State
    found: str
    remedy: str = ""
    """What to do; empty where nothing is to be done."""


def ok(check: str, found: str) -> Finding:
    """Say that all is well."""
    return Finding(check, State.OK, found)


def warning(check: str, found: str, remedy: str) -> Finding:
    """Say what somebody should look at."""
    return Finding(check, State.WARNING, found, remedy)


def fault(check: str, found: str, remedy: str) -> Finding:
    """Say what has to be mended before people work."""
    return Finding(check, State.FAULT, found, remedy)


def some_of(names: Sequence[str], most: int = 3) -> str:
    """Return the first names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
