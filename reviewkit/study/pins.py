"""What a round and a pass hold fast when they start.

A round pins the digests of its cards and forms the first time anyone opens it: a card edited
meanwhile is marked on the screen, and agreement compares decisions on equal digests only. A pass
pins, in its own first record, how much of the rulings log its rater may see.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from reviewkit.decisions.stores.protocols import Kept
from reviewkit.problems import ReviewkitError


class PinsBroken(ReviewkitError):
    """The pins of a round cannot be read."""


@dataclass(frozen=True, slots=True)
class RoundPins:
    """Digests of the cards and forms of a round as they were when it started."""

    cards: dict[str, str]
    forms: dict[str, str]


def pin_round(
    name: str, kept: Kept, cards: Mapping[str, str], forms: Mapping[str, str]
) -> RoundPins:
    """Return the pins of a round, keeping these when nobody has opened it before.

    Args:
        name: where the round's pins are kept.
        kept: the values of the project folder, or of the database that servers share.
        cards: Card -> digest of its content.
        forms: Form or watchlist -> its digest.

    Raises PinsBroken when the pins are damaged, CannotWrite when they cannot be kept.
    """
    if (pins := read_pins(name, kept)) is not None:
        return pins
    text = json.dumps({"cards": dict(cards), "forms": dict(forms)}, indent=1, sort_keys=True)
    return _pins_in(name, kept.first(name, f"{text}\n".encode()))


def read_pins(name: str, kept: Kept) -> RoundPins | None:
    """Return the pins of a round, None before it begins; PinsBroken when they are damaged."""
    try:
        value = kept.read(name)
    except OSError as error:
        raise _broken(name, error) from error
    return None if value is None else _pins_in(name, value)


def _pins_in(name: str, value: bytes) -> RoundPins:
    try:
        fields = json.loads(value.decode("utf-8"))
        return RoundPins(
            {str(each): str(digest) for each, digest in fields["cards"].items()},
            {str(each): str(digest) for each, digest in fields["forms"].items()},
        )
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise _broken(name, error) from error


def _broken(name: str, error: Exception) -> PinsBroken:
    return PinsBroken(
        f"{name}: the pins of the round cannot be read ({error}); restore them from git or a backup"
    )
