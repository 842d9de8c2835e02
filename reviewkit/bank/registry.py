"""The reference registry: documented events and facts that items lean on, with their sources."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from pydantic import StringConstraints

from reviewkit.bank.items import Frozen, Id, Prose
from reviewkit.digests import digest_of

Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]


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
