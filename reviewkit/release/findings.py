"""One thing the audit found: a code, whom it concerns, and counts; never a word of an item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reviewkit.bank import Group
from reviewkit.release.codes import CODES, Severity

WHOLE_BANK = "bank"
"""How a waiver names a finding that is about the bank as a whole."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with one group, or with the bank as a whole."""

    code: str
    group: str = ""
    """The template id; empty for the bank as a whole."""
    items: tuple[str, ...] = ()
    """The items concerned; none where it is the group as such."""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    """What was counted: kinds of differences, places, phrase ids."""
    said: str = ""
    """What a figure says in words: ``3 with, 0 against``. Codes and numbers alone."""
    source: str = ""
    """The file, relative to the project folder."""
    every_item: bool = False
    """Whether the items are all of the group's: then its name is enough."""

    @property
    def severity(self) -> Severity:
        """``hard`` or ``warning``."""
        return CODES[self.code].severity

    @property
    def is_hard(self) -> bool:
        """Whether it fails the audit."""
        return CODES[self.code].is_hard

    @property
    def subject(self) -> str:
        """Whom it concerns, as lists name it."""
        return self.group or self.file or WHOLE_BANK

    @property
    def file(self) -> str:
        """The file on one line: characters that nobody sees or that turn the line are spelled."""
        return "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode()
            for char in self.source
        )

    @property
    def counted(self) -> str:
        """The counts in words, the words first: ``white_space 1, changed 2``."""
        parts = [f"{name} {number}" for name, number in self.counts.items()]
        return ", ".join([self.said, *parts] if self.said else parts)


def of_group(
    code: str,
    group: Group,
    items: Iterable[str] = (),
    counts: Mapping[str, int] | None = None,
    said: str = "",
) -> Finding:
    """Return a finding about a group."""
    named = tuple(items)
    every = len(named) == len(group.items)
    return Finding(code, group.template_id, named, dict(counts or {}), said, group.source, every)


def of_bank(code: str, said: str = "", counts: Mapping[str, int] | None = None) -> Finding:
    """Return a finding about the bank as a whole."""
    return Finding(code, counts=dict(counts or {}), said=said)
