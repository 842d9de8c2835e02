"""What a round and a pass hold fast when they start.

A round pins the digests of its cards and forms the first time anyone opens it: a card edited
meanwhile is marked on the screen, and agreement compares decisions on equal digests only. A pass
pins, in its own first record, how much of the rulings log its rater may see.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reviewkit.problems import ReviewkitError


class PinsBroken(ReviewkitError):
    """The pins of a round cannot be read."""


@dataclass(frozen=True, slots=True)
class RoundPins:
    """Digests of the cards and forms of a round as they were when it started."""

    cards: dict[str, str]
    forms: dict[str, str]


def pin_round(path: Path, cards: Mapping[str, str], forms: Mapping[str, str]) -> RoundPins:
    """Return the pins of a round, writing them first when nobody has opened it before."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        text = json.dumps({"cards": dict(cards), "forms": dict(forms)}, indent=1, sort_keys=True)
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            # link, not replace: whoever comes second must keep the pins of the first
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            temporary.unlink()
    return read_pins(path)


def read_pins(path: Path) -> RoundPins:
    """Read the pins of a round; raises PinsBroken when the file is damaged."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return RoundPins(
            {str(name): str(digest) for name, digest in fields["cards"].items()},
            {str(name): str(digest) for name, digest in fields["forms"].items()},
        )
    except (OSError, ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise PinsBroken(
            f"{path}: the pins of the round cannot be read ({error}); restore the file from git"
        ) from error
