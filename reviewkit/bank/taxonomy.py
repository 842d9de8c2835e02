"""The closed lists a bank is written in: everything society-specific is here, as data.

Which domains and forms exist, which cells of domain x form are closed and why, which test types
measure a form, and the codes that items may carry. Python knows no such word.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from reviewkit.bank.items import Frozen, Prose, Some, Tag, TestType
from reviewkit.digests import digest_of

Wording = Annotated[dict[str, Prose], Field(min_length=1)]
"""The same words in one or more languages, keyed by language tag."""


def in_english(wording: dict[str, str]) -> str:
    """Return the English words, or the first ones given: problems are told in English."""
    return wording.get("en") or next(iter(wording.values()))


class Entry(Frozen):
    """One code of a closed list and what people call it."""

    id: Tag
    title: Wording


class Domain(Entry):
    """One domain and the reference categories it admits."""

    reference_categories: tuple[Tag, ...] = ()
    """The only categories its items may have; every one when none is named."""


class ReferenceCategory(Entry):
    """One reference category and whether this edition of the bank measures it."""

    deferred: Literal["yes", "no"] = "no"


class ManifestationForm(Entry):
    """One manifestation form and the test types that measure it."""

    test_types: Some[TestType]


class Register(Entry):
    """One register and what kind it is."""

    kind: Literal["standard", "dialect"]


class ClosedCell(Frozen):
    """One cell of domain x form that is closed by design, with the reason stated."""

    domain: Tag
    form: Tag
    reason: Wording


class Writing(Frozen):
    """How a language is written, where no program can know it by itself."""

    abbreviations: tuple[Prose, ...] = ()
    """With their stops, which end no sentence: ``St.``, ``z. B.``."""
    ordinals: Literal["yes", "no"] = "no"
    """Whether a number of one or two digits takes a stop that ends no sentence: ``3. April``."""
    not_written_yet: tuple[Prose, ...] = ()
    """What stands in place of a text that is still to come, in capitals or not."""
    option_letters: tuple[Prose, ...] = ()
    """What the options of a T2 question are called on the card; A, B, C when none are named."""

    def __hash__(self) -> int:
        # a pydantic model that is frozen has one, which type checkers do not see
        return hash((self.abbreviations, self.ordinals, self.not_written_yet, self.option_letters))


class Taxonomy(Frozen):
    """The closed lists of a bank."""

    domains: Some[Domain]
    forms: Some[ManifestationForm]
    closed_cells: tuple[ClosedCell, ...] = ()
    reference_categories: Some[ReferenceCategory]
    languages: Some[Tag]
    registers: Some[Register]
    sensitivity_levels: tuple[Entry, ...] = ()
    stances: tuple[Entry, ...] = ()
    cannot_be_determined: dict[Tag, tuple[Prose, ...]] = Field(default_factory=dict)
    """The texts of the "cannot be determined" option, per language."""
    writing: dict[Tag, Writing] = Field(default_factory=dict)
    """How its languages are written."""

    @cached_property
    def _lists(self) -> dict[str, dict[str, Entry]]:
        lists: dict[str, tuple[Entry, ...]] = {
            "domain": self.domains,
            "bias_form": self.forms,
            "reference_category": self.reference_categories,
            "register": self.registers,
            "sensitivity_level": self.sensitivity_levels,
            "stance": self.stances,
        }
        return {field: {entry.id: entry for entry in entries} for field, entries in lists.items()}

    @cached_property
    def _codes(self) -> dict[str, tuple[str, ...]]:
        return {field: tuple(entries) for field, entries in self._lists.items()}

    def codes(self, field: str) -> tuple[str, ...]:
        """Return the codes that a field of an item or group may carry; KeyError for others."""
        return self.languages if field == "language" else self._codes[field]

    def title(self, field: str, code: str) -> dict[str, str] | None:
        """Return what people call a code of a field, or None when the taxonomy has no title."""
        entry = self._lists.get(field, {}).get(code)
        return entry.title if entry else None

    def register_kind(self, code: str) -> Literal["standard", "dialect"] | None:
        """Return whether a register is a standard or a dialect, or None when it is unknown."""
        for register in self.registers:
            if register.id == code:
                return register.kind
        return None

    def writing_of(self, language: str) -> Writing | None:
        """Return how a language is written, or None when the taxonomy says nothing of it."""
        return self.writing.get(language)

    def test_types_of(self, bias_form: str) -> tuple[TestType, ...]:
        """Return the test types that measure a form; none when the form is unknown."""
        for form in self.forms:
            if form.id == bias_form:
                return form.test_types
        return ()

    def forms_measured_by(self, test_type: str) -> tuple[str, ...]:
        """Return the forms that a test type measures."""
        return tuple(form.id for form in self.forms if test_type in form.test_types)

    def closed(self, domain: str, bias_form: str) -> ClosedCell | None:
        """Return the closed cell of a domain and form, or None when the cell is active."""
        for cell in self.closed_cells:
            if (cell.domain, cell.form) == (domain, bias_form):
                return cell
        return None

    def categories_of(self, domain: str) -> tuple[str, ...]:
        """Return the only reference categories a domain admits; none named means every one."""
        for entry in self.domains:
            if entry.id == domain:
                return entry.reference_categories
        return ()

    def active_cells(self) -> Iterator[tuple[str, str]]:
        """Yield the (domain, form) cells that are open, in the order of the lists."""
        for domain in self.domains:
            for form in self.forms:
                if self.closed(domain.id, form.id) is None:
                    yield domain.id, form.id

    @cached_property
    def digest(self) -> str:
        """The digest of the lists; the order of their entries does not matter."""
        content = self.model_dump(mode="json")
        # what a list does not say is not part of it: older banks keep their digest
        if not content["writing"]:
            del content["writing"]
        for domain in content["domains"]:
            if not domain["reference_categories"]:
                del domain["reference_categories"]
            else:
                domain["reference_categories"].sort()
        for category in content["reference_categories"]:
            if category["deferred"] == "no":
                del category["deferred"]
        for name in ("domains", "forms", "reference_categories", "registers"):
            content[name] = sorted(content[name], key=lambda entry: entry["id"])
        for name in ("sensitivity_levels", "stances"):
            content[name] = sorted(content[name], key=lambda entry: entry["id"])
        content["closed_cells"] = sorted(
            content["closed_cells"], key=lambda cell: (cell["domain"], cell["form"])
        )
        return digest_of(content)
