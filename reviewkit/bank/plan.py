"""How large a bank is to be and how it is to be spread, read from ``bank/plan.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from reviewkit.bank.items import Frozen, Tag, TestType
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.problems import Problem
from reviewkit.sources import Source, build, collect, load_yaml, told
from reviewkit.workspace import Workspace

Unit = Literal["items", "groups", "pairs", "ambiguous"]
"""What is counted: prompts, template groups, pairs of values, or ambiguous T2 texts."""


def _whole(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"[0-9]{1,8}", value):
        raise ValueError(f"got {value!r}; use a whole number such as 50")
    return value


Number = Annotated[int, Field(ge=0, le=10_000_000), BeforeValidator(_whole)]
Percent = Annotated[int, Field(ge=0, le=100), BeforeValidator(_whole)]


class Size(Frozen):
    """The planned size of a test type, or of its part in one domain or sensitivity band."""

    test_type: TestType
    domain: Tag | None = None
    sensitivity_level: Tag | None = None
    unit: Unit
    planned: Number

    @property
    def name(self) -> str:
        """How reports name it: ``T1, social-regional``."""
        parts = (self.test_type, self.domain, self.sensitivity_level)
        return ", ".join(part for part in parts if part)


class Band(Frozen):
    """A share in percent that is wanted."""

    at_least: Percent = 40
    at_most: Percent = 50

    @model_validator(mode="after")
    def _in_order(self) -> Band:
        if self.at_least > self.at_most:
            raise told(
                f"at_least {self.at_least} is above at_most {self.at_most}", "swap them",
                ("at_least",),
            )  # fmt: skip
        return self


class Plan(Frozen):
    """What the audit measures a bank against."""

    sizes: tuple[Size, ...] = ()
    factorial: Band = Band()
    """The share of groups that are written in both registers."""
    sufficient_pairs: Number = 25
    """A part of a test type with fewer pairs is reported as too small to say anything."""
    theme_at_most: Percent = 50
    """The largest share of the T3 groups that one theme may have."""
    position_alpha: Percent = 5
    """Below this chance, in percent, positions of the undetermined option count as unbalanced."""


def load_plan(ws: Workspace, taxonomy: Taxonomy) -> Plan | None:
    """Return the plan, None when there is no file; raises ProblemsFound with every fault."""
    if not ws.plan.exists():
        return None
    with collect() as faults:
        source = load_yaml(ws.plan, ws.shown(ws.plan))
        plan = build(source, Plan)
        faults.add(_faults_of(plan, taxonomy, source))
    return plan


def _faults_of(plan: Plan, taxonomy: Taxonomy, source: Source) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for at, size in enumerate(plan.sizes):
        for field in ("domain", "sensitivity_level"):
            code = getattr(size, field)
            if code is not None and code not in taxonomy.codes(field):
                known = ", ".join(taxonomy.codes(field))
                wrong = f"the taxonomy has no {field} {code!r}"
                yield source.problem(("sizes", at, field), wrong, f"use one of {known}")
        if size.unit == "ambiguous" and size.test_type != "T2":
            wrong = f"{size.test_type} has no ambiguous texts"
            yield source.problem(("sizes", at, "unit"), wrong, "use items, groups or pairs")
        if size.unit == "pairs" and size.test_type not in ("T1", "T3"):
            wrong = f"{size.test_type} has no pairs of values"
            yield source.problem(("sizes", at, "unit"), wrong, "use items or groups")
        if (size.name, size.unit) in seen:
            wrong = f"{size.name} is planned twice in {size.unit}"
            yield source.problem(("sizes", at), wrong, "keep one of the two")
        seen.add((size.name, size.unit))
