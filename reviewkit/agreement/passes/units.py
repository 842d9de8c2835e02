"""One thing that passes judged side by side, and why a label of it is not compared. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reviewkit.agreement.passes.report import LeftOut

Key = TypeVar("Key")

CHANGED = "the card's content changed between the passes (card digests differ)"


@dataclass(frozen=True, slots=True)
class Unit:
    """One card, check decision or place, with what each pass said of it."""

    name: str
    """The card's id; ``card check`` for a check, ``card 10-14`` for a place."""
    card_id: str
    labels: tuple[str | None, ...]
    """One for each pass; None where a pass has none that may be compared."""
    lacks: tuple[str, ...]
    """One for each pass: why its label is not compared; empty where it is, or where the pass was
    never given the card."""
    reason: str = ""
    """Why nothing is compared; empty exactly when two or more labels are."""

    @property
    def compared(self) -> bool:
        """Whether two or more labels are compared."""
        return not self.reason

    @property
    def differs(self) -> bool:
        """Whether two of the compared labels differ."""
        return len({label for label in self.labels if label is not None}) > 1


def shared(keys: Iterable[Key | None]) -> Key | None:
    """Return the key that most have, the first of them on a tie; None when nobody has one."""
    counts = Counter(key for key in keys if key is not None)
    return max(counts, key=lambda key: counts[key]) if counts else None


def set_apart(keys: Sequence[Key | None], lacks: list[str], reason: str) -> None:
    """Give ``reason`` to every pass that has another key than most of those still compared.

    A pass that lacks something already, or has no key, is not compared and stays as it is.
    """
    alive = [None if lack else key for key, lack in zip(keys, lacks, strict=True)]
    most = shared(alive)
    for at, key in enumerate(alive):
        if key is not None and key != most:
            lacks[at] = reason


def label_pairs(units: Iterable[Unit]) -> list[tuple[str, str]]:
    """Return both labels of each unit of two passes that has both."""
    return [
        (one, two)
        for one, two in (unit.labels for unit in units)
        if one is not None and two is not None
    ]


def joined(reasons: Iterable[str]) -> str:
    """Return the reasons as one, each once."""
    return ", ".join(dict.fromkeys(reason for reason in reasons if reason))


def made_unit(
    name: str, card_id: str, labels: Sequence[str | None], lacks: Sequence[str], reason: str
) -> Unit:
    """Return the unit; with fewer than two labels nothing is compared, and ``reason`` says why."""
    if sum(label is not None for label in labels) < 2:
        return Unit(name, card_id, (None,) * len(labels), tuple(lacks), reason)
    return Unit(name, card_id, tuple(labels), tuple(lacks))


def left_out(reasons: Iterable[tuple[str, str]]) -> tuple[LeftOut, ...]:
    """Return units grouped by reason, the most frequent first; given (reason, unit)."""
    grouped: dict[str, list[str]] = {}
    for reason, unit in reasons:
        grouped.setdefault(reason, []).append(unit)
    ordered = sorted(grouped.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return tuple(LeftOut(reason, tuple(units)) for reason, units in ordered)


def units_left_out(units: Iterable[Unit]) -> tuple[LeftOut, ...]:
    """Return the units that are not compared, by reason."""
    return left_out((unit.reason, unit.name) for unit in units if not unit.compared)


def labels_left_out(units: Iterable[Unit]) -> tuple[LeftOut, ...]:
    """Return the labels that are missing from compared units, by reason."""
    return left_out(
        (lack, unit.name) for unit in units if unit.compared for lack in unit.lacks if lack
    )
