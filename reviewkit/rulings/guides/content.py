"""What an edition of the guide says: ``guide.json``, from which every page of it is rendered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from reviewkit.questions import Checklist
from reviewkit.rulings.guides.rules import RuleSet
from reviewkit.rulings.log import RulingType

Number = Annotated[str, StringConstraints(pattern=r"^[RD]-\d{3,}$")]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")]
GuideLanguage = Literal["en", "ar"]
"""The languages that the words of a page are written in."""
LANGUAGES: tuple[GuideLanguage, ...] = ("en", "ar")


class _Part(BaseModel):
    """Base of everything in ``guide.json``: unknown fields refused, values never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class FoldedRuling(_Part):
    """A ruling in force as the guide carries it: without its author, its study and its pass."""

    number: Number
    type: RulingType
    text: str
    checks: tuple[str, ...] = ()
    item_ids: tuple[str, ...] = ()
    taken_on: Day
    withheld_for: tuple[str, ...] = ()
    """The items whose text it repeats; its own text is then left out."""


class Superseded(_Part):
    """A ruling that is left out, and the one that took its place."""

    number: Number
    by: Number
    checks: tuple[str, ...] = ()


class Changed(_Part):
    """What one kind of content gained and lost since the last edition, by name."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


class Changes(_Part):
    """What changed since the last edition; all empty in the first one."""

    rules: Changed = Changed()
    forms: Changed = Changed()
    checks: Changed = Changed()
    rulings: Changed = Changed()

    def __bool__(self) -> bool:
        return any(changed for _kind, changed in self.by_kind())

    def by_kind(self) -> Iterator[tuple[str, Changed]]:
        """Yield (``rules``, ``forms``, ``checks`` or ``rulings``; what changed of it)."""
        for kind in ("rules", "forms", "checks", "rulings"):
            yield kind, getattr(self, kind)


class GuideContent(_Part):
    """One edition: rules, checklists and rulings, and how it differs from the one before."""

    schema_version: Literal[1] = 1
    number: Annotated[int, Field(ge=1)]
    made_on: Day
    previous: str = ""
    """The digest of the edition before; empty in the first one."""
    languages: tuple[GuideLanguage, ...]
    rules: tuple[RuleSet, ...]
    checklists: tuple[Checklist, ...]
    """The newest version of each checklist of a test type."""
    rulings: tuple[FoldedRuling, ...]
    """Those in force, in order of their numbers."""
    superseded: tuple[Superseded, ...] = ()
    changes: Changes = Changes()

    @property
    def forms(self) -> dict[str, str]:
        """Name of each checklist (``t3@2``) and its digest."""
        return {each.name: each.digest for each in self.checklists}

    @property
    def substance(self) -> dict[str, Any]:
        """What makes two editions say different things: all but number, day and history."""
        history = {"schema_version", "number", "made_on", "previous", "changes"}
        return self.model_dump(mode="json", exclude=history)

    def as_bytes(self) -> bytes:
        """Return ``guide.json`` as it is written: sorted keys, a line a value, UTF-8."""
        value = self.model_dump(mode="json")
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1)
        return f"{text}\n".encode()

    @property
    def digest(self) -> str:
        """The digest of the edition: SHA-256 of the bytes of ``guide.json``."""
        return hashlib.sha256(self.as_bytes()).hexdigest()
