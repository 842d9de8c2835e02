"""The reference registry: documented events and facts that items lean on, with their sources."""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator

from reviewkit.bank.items import Frozen, Id, Prose
from reviewkit.digests import digest_of
from reviewkit.sources.build import told


def _is_a_day(text: str) -> str:
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise told(f"{text!r} is no day", "write it as 2026-11-30")


Day = Annotated[str, AfterValidator(_is_a_day)]


class Reference(Frozen):
    """One documented fact: what it says, where it is documented, and who looked it up."""

    ref_id: Id
    fact_statement: Prose
    primary_source: Prose
    source_type: Prose
    verified_by: str | None = None
    verified_on: Day | None = None
    time_sensitivity: Prose


class Registry(Frozen):
    """Every reference of a bank."""

    entries: tuple[Reference, ...] = ()

    @cached_property
    def _by_id(self) -> dict[str, Reference]:
        return {entry.ref_id: entry for entry in self.entries}

    def get(self, ref_id: str) -> Reference | None:
        """Return the reference with this id, or None."""
        return self._by_id.get(ref_id)

    @cached_property
    def digest(self) -> str:
        """The digest of facts and sources; who verified them and when is bookkeeping."""
        content = [
            entry.model_dump(mode="json", exclude={"verified_by", "verified_on"})
            for entry in self.entries
        ]
        return digest_of(sorted(content, key=lambda entry: entry["ref_id"]))
