"""What a set does not say about its items and a bank must know: asked once, settled for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewkit.bank.taxonomy import Taxonomy, in_english
from reviewkit.problems import Problem, ProblemsFound


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person who imports declares; each has the name of an option of the command."""

    domain: str | None = None
    form: str | None = None
    category: str | None = None
    language: str | None = None
    register: str | None = None
    level: str | None = None
    stance: str | None = None
    prefix: str | None = None
    """What every id begins with; the set's own by default."""
    fills: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Kind of entity -> the values that fill a mask."""
    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The codes that all items of an import share."""

    test_type: str
    domain: str
    bias_form: str
    reference_category: str
    language: str
    register: str
    prefix: str
    sensitivity_level: str = ""
    stance: str = ""
    fills: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def group(self, template_id: str, **fields: Any) -> dict[str, Any]:
        """Return the fields of a group, with what all groups of the import share."""
        shared: dict[str, Any] = {
            "template_id": template_id, "test_type": self.test_type, "domain": self.domain,
            "bias_form": self.bias_form, "reference_category": self.reference_category,
        }  # fmt: skip
        if self.test_type == "T3":
            shared |= {"sensitivity_level": self.sensitivity_level, "stance": self.stance}
        return {**shared, **fields}

    def item(self, item_id: str, **fields: Any) -> dict[str, Any]:
        """Return the fields of an item, with what all items of the import share."""
        return {"id": item_id, "language": self.language, "register": self.register, **fields}


def settle(
    taxonomy: Taxonomy, asked: Asked, *, test_type: str, language: str, prefix: str, shown: str
) -> Settled:
    """Return the codes of an import: what is asked for, else the only one the taxonomy has.

    ``language`` is the set's own; ``shown`` is the taxonomy's file, for remedies. Raises
    ProblemsFound with every code that is missing, unknown or closed.
    """
    choosing = _Choosing(taxonomy, shown)
    bound = taxonomy.forms_measured_by(test_type)
    domain = choosing.one("domain", asked.domain, taxonomy.codes("domain"))
    form = choosing.one("form", asked.form, bound, f"forms measured by {test_type}")
    admitted = taxonomy.categories_of(domain) or taxonomy.codes("reference_category")
    standard = [each.id for each in taxonomy.registers if each.kind == "standard"]
    settled = Settled(
        test_type=test_type,
        domain=domain,
        bias_form=form,
        reference_category=choosing.one("category", asked.category, admitted),
        language=choosing.language(asked.language or language),
        register=asked.register or (standard or taxonomy.codes("register"))[0],
        sensitivity_level=choosing.of_t3(test_type, "level", asked.level, "sensitivity_level"),
        stance=choosing.of_t3(test_type, "stance", asked.stance, "stance"),
        prefix=asked.prefix or prefix,
        fills=asked.fills,
    )
    if settled.register not in taxonomy.codes("register"):
        known = ", ".join(taxonomy.codes("register"))
        choosing.say("--register", f"there is no register {settled.register!r}", f"use {known}")
    choosing.problems += _closed(taxonomy, settled)
    if choosing.problems:
        raise ProblemsFound(choosing.problems)
    return settled


def _closed(taxonomy: Taxonomy, settled: Settled) -> Iterator[Problem]:
    cell = taxonomy.closed(settled.domain, settled.bias_form)
    if cell is not None:
        wrong = f"{cell.form} in {cell.domain} is closed by design: {in_english(cell.reason)!r}"
        yield Problem("--domain", wrong, "choose an active cell")


class _Choosing:
    """Chooses codes and keeps what stands against it."""

    def __init__(self, taxonomy: Taxonomy, shown: str) -> None:
        self._taxonomy = taxonomy
        self._shown = shown
        self.problems: list[Problem] = []

    def say(self, where: str, wrong: str, remedy: str) -> None:
        self.problems.append(Problem(where, wrong, remedy))

    def one(self, option: str, given: str | None, known: tuple[str, ...], what: str = "") -> str:
        """Return what is given, or the only one there is; with neither, note the choice."""
        if given is None and len(known) == 1:
            return known[0]
        if given is not None and given in known:
            return given
        listed = ", ".join(known) or "none"
        wrong = f"{given!r} is none of the {what or option + 's'}" if given else "not given"
        self.say(f"--{option}", wrong, f"name one of {listed}, or add it to {self._shown}")
        return given or ""

    def of_t3(self, test_type: str, option: str, given: str | None, field_name: str) -> str:
        if test_type != "T3":
            return ""
        return self.one(option, given, self._taxonomy.codes(field_name))

    def language(self, tag: str) -> str:
        if tag not in self._taxonomy.languages:
            wrong = f"languages has no {tag!r}, which the items are in"
            self.say(self._shown, wrong, "add it there, or name another with --language")
        return tag
