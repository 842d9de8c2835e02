"""What it costs to have model responses judged by people, and what each lever takes off.

A class of responses is coded whole or as a share of its items. Every item is answered once in each
repetition of each run by each system, and every answer is judged by each rater. Levers are pulled
in their order and each keeps what the ones before it took off; none touches which groups are
measured. All figures are whole numbers until hours are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from reviewkit.bank.items import Frozen, Prose, Some
from reviewkit.sources import build, load_yaml, told


def _whole(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"[0-9]{1,8}", value):
        raise ValueError(f"got {value!r}; use a whole number such as 12")
    return value


Count = Annotated[int, Field(ge=1, le=10_000_000), BeforeValidator(_whole)]
Percent = Annotated[int, Field(ge=1, le=100), BeforeValidator(_whole)]


class ResponseClass(Frozen):
    """One class of responses that people judge: a test type, or any other."""

    name: Prose
    items: Count
    """Items there are, before a share of them is drawn."""
    share: Percent = 100
    """How many of them, in percent, are judged."""
    repetitions: Count | None = None
    """How often an item is asked in a run; the plan's number when not given."""

    @property
    def judged(self) -> int:
        """Items that are judged, a part of an item counted as one."""
        return -(-self.items * self.share // 100)


class Lever(Frozen):
    """One way to make the load lighter; only what it names changes, and nothing is ever added."""

    title: Prose
    class_: Prose | None = Field(default=None, alias="class")
    share: Percent | None = None
    repetitions: Count | None = None
    systems: Count | None = None

    @model_validator(mode="after")
    def _says_what_of(self) -> Lever:
        of_class = self.share is not None or self.repetitions is not None
        if of_class and self.class_ is None:
            raise told("share and repetitions are those of a class", "name the class")
        if self.class_ is not None and not of_class:
            raise told("changes nothing of its class", "write share or repetitions", ("class",))
        if not of_class and self.systems is None:
            raise told("changes nothing", "write systems, or a class with share or repetitions")
        return self


class AdjudicationPlan(Frozen):
    """What is to be judged, by how many, and how fast."""

    classes: Some[ResponseClass]
    systems: Count
    runs: Count = 1
    """Independent runs of the whole set."""
    repetitions: Count = 1
    """How often an item is asked in a run."""
    raters: Count = 2
    per_hour: Count = 25
    """Judgements that one rater makes in an hour: an assumption until a study measures it."""
    budget: Count | None = None
    """The hours there are."""
    levers: tuple[Lever, ...] = ()

    @model_validator(mode="after")
    def _classes_are_told_apart(self) -> AdjudicationPlan:
        names = [each.name for each in self.classes]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise told(f"the class {name!r} stands twice", "keep one", ("classes", at, "name"))
        for at, lever in enumerate(self.levers):
            if lever.class_ is not None and lever.class_ not in names:
                wrong, remedy = f"there is no class {lever.class_!r}", f"use {', '.join(names)}"
                raise told(wrong, remedy, ("levers", at, "class"))
        return self

    def after(self, lever: Lever) -> AdjudicationPlan:
        """Return the plan with one lever pulled; a number that is lower already stays."""
        changed: dict[str, Any] = {}
        if lever.systems is not None:
            changed["systems"] = min(self.systems, lever.systems)
        if lever.class_ is not None:
            changed["classes"] = tuple(
                self._lighter(each, lever) if each.name == lever.class_ else each
                for each in self.classes
            )
        return self.model_copy(update=changed)

    def _lighter(self, of_class: ResponseClass, lever: Lever) -> ResponseClass:
        asked = of_class.repetitions or self.repetitions
        return of_class.model_copy(
            update={
                "share": min(of_class.share, lever.share or of_class.share),
                "repetitions": min(asked, lever.repetitions or asked),
            }
        )


@dataclass(frozen=True, slots=True)
class Cost:
    """What one plan comes to."""

    title: str
    """``the plan``, or the lever that was pulled last."""
    classes: tuple[tuple[str, int], ...]
    """Class -> responses of one system."""
    per_system: int
    responses: int
    judgements: int
    hours: Fraction
    """Rater-hours: judgements over judgements an hour, not rounded."""


def cost_of(
    plan: AdjudicationPlan, per_hour: Fraction | None = None, title: str = "the plan"
) -> Cost:
    """Return what a plan comes to.

    Args:
        plan: What is to be judged.
        per_hour: Judgements an hour of one rater, above 0; the plan's assumption when not given.
        title: What the row is called.

    responses of a class = items judged x repetitions x runs, for each system; judgements =
    responses x raters; hours = judgements / judgements an hour (Qistas protocol, section 5.4).
    """
    classes = tuple(
        (each.name, each.judged * (each.repetitions or plan.repetitions) * plan.runs)
        for each in plan.classes
    )
    per_system = sum(number for _, number in classes)
    responses = per_system * plan.systems
    judgements = responses * plan.raters
    rate = Fraction(plan.per_hour) if per_hour is None else per_hour
    return Cost(title, classes, per_system, responses, judgements, judgements / rate)


@dataclass(frozen=True, slots=True)
class CutTo:
    """Where the cost meets the budget."""

    budget: int
    step: int | None
    """How many levers it takes, 0 for none; None where all of them are not enough."""
    over: Fraction
    """Hours that are still over the budget when every lever that counts is pulled."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The cost of a plan, and after each lever in its order."""

    plan: AdjudicationPlan
    per_hour: Fraction
    costs: tuple[Cost, ...]
    """The plan first, then one row for each lever."""
    cut: CutTo | None
    """None when the plan names no budget."""


def steps_of(plan: AdjudicationPlan, per_hour: Fraction | None = None) -> Steps:
    """Return what a plan comes to before and after every lever; see ``cost_of``."""
    costs = tuple(_costs(plan, per_hour))
    rate = Fraction(plan.per_hour) if per_hour is None else per_hour
    return Steps(plan, rate, costs, _cut(costs, plan.budget))


def _costs(plan: AdjudicationPlan, per_hour: Fraction | None) -> Iterator[Cost]:
    yield cost_of(plan, per_hour)
    for lever in plan.levers:
        plan = plan.after(lever)
        yield cost_of(plan, per_hour, lever.title)


def _cut(costs: Sequence[Cost], budget: int | None) -> CutTo | None:
    if budget is None:
        return None
    step = next((at for at, cost in enumerate(costs) if cost.hours <= budget), None)
    return CutTo(budget, step, max(Fraction(0), costs[-1 if step is None else step].hours - budget))


def load_adjudication_plan(path: Path, shown: str) -> AdjudicationPlan:
    """Return the plan in a file; raises ProblemsFound with every fault."""
    return build(load_yaml(path, shown), AdjudicationPlan)
