"""A second review: its section in the study file, and the chained record of how it went.

A second reviewer judges a stratified sample of what the first review accepted, blind to it. The
study file says of which study and when the sample is widened; ``second-review.jsonl`` beside it
records the start, every widening and the end. What is recorded there comes first: a study file or
a draw that a crash left behind is brought up to it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from reviewkit.bank import Bank
from reviewkit.decisions import Chain, ChainLine, RecordRefused, Report, Word, verify_chain
from reviewkit.questions import is_blank
from reviewkit.sources.build import told
from reviewkit.study.sample_spec import Share

STRATA = ("test_type", "domain", "sensitivity_level")
"""The protocol's strata: test type, domain and band."""

DRAW, PASS, ROUND = "second", "second", "1"
"""The names of the one draw, the one pass and the one round of a second review."""

LEAD = "lead"
Outcome = Literal["within_bound", "whole_population", "void"]
"""``whole_population``: more failed than the bound allows, and every group was judged.
``void``: nothing of it counts."""


def as_bound(value: object) -> Decimal:
    """Return a bound from 0 and below 1, from ``0.25`` or ``25%``."""
    text = str(value).strip()
    try:
        bound = Decimal(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except InvalidOperation:
        bound = Decimal(-1)
    if not (bound.is_finite() and 0 <= bound < 1):
        raise told(f"got {text!r}", "write a bound from 0 and below 1, such as 0.25 or 25%")
    return bound.normalize()


def percent(share: Decimal | str) -> str:
    """Return a share as people write it: ``25%``."""
    return f"{format((Decimal(share) * 100).normalize(), 'f')}%"


class SecondReviewSpec(BaseModel):
    """The ``second_review`` section of a study file."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    of: Word
    """The study whose accepted groups are judged again."""
    bound: Annotated[Decimal, BeforeValidator(as_bound)] = Decimal("0.25")
    """The sample is widened when a larger share of its groups fails."""
    steps: tuple[Share, ...] = (Decimal("0.5"), Decimal(1))
    """The shares to which it is widened, one after the other."""

    @model_validator(mode="after")
    def _steps_go_up(self) -> SecondReviewSpec:
        if list(self.steps) != sorted(set(self.steps)):
            raise told("steps do not go up", "write each larger than the one before", ("steps",))
        return self


class Failure(BaseModel):
    """What a second reviewer said of a group that failed, and of which content."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    verdict: Literal["needs_fix", "rejected"]
    digest: str


class SecondReviewAct(ChainLine):
    """One line of the record: the start, a widening, or the end."""

    act: Literal["started", "widened", "closed"]
    study: Word
    author: Word
    of: str = ""
    rater: str = ""
    seed: int | None = None
    bound: str = ""
    steps: tuple[str, ...] = ()
    share: str = ""
    """The share that is drawn from now on."""
    at_least: str = ""
    forms: dict[str, str] = Field(default_factory=dict[str, str])
    """Test type -> form, as the first review has them at the start."""
    welfare: dict[str, Any] = Field(default_factory=dict[str, Any])
    """What the first review's study file says of the raters' welfare: the same texts are shown."""
    population: tuple[str, ...] = ()
    """The groups that may ever be drawn."""
    bank_digest: str = ""
    new: tuple[str, ...] = ()
    """The groups that this act adds to the sample."""
    reason: str = ""
    """Why it was widened although it need not be, or why it counts for nothing."""
    sampled: Annotated[int, Field(ge=0)] = 0
    judged: Annotated[int, Field(ge=0)] = 0
    failed: Annotated[int, Field(ge=0)] = 0
    """How many of the judged groups failed when they were first judged: what the bound is about."""
    failing: dict[str, Failure] = Field(default_factory=dict[str, Failure])
    """The groups that stood failed under the latest lock."""
    lock: str = ""
    """The digest of the lock's record that these were read under."""
    outcome: Outcome | None = None

    @model_validator(mode="after")
    def _is_an_act(self) -> SecondReviewAct:
        needed: dict[str, tuple[object, ...]] = {
            "started": (self.of, self.rater, self.bound, self.share, self.at_least, self.forms,
                        self.population, self.new),
            "widened": (self.share, self.at_least, self.new),
            "closed": (self.outcome,),
        }  # fmt: skip
        if not all(needed[self.act]) or (self.act == "started" and self.seed is None):
            raise ValueError(f"{self.act} is not complete")
        if self.outcome == "void" and is_blank(self.reason):
            raise ValueError("a second review that counts for nothing says why")
        if len(set(self.population)) < len(self.population):
            raise ValueError("the population names a group twice")
        return self


class Course:
    """What the acts add up to; also the rule of what may follow what."""

    def __init__(self) -> None:
        self.started: SecondReviewAct | None = None
        self.widened: list[SecondReviewAct] = []
        self.closed: SecondReviewAct | None = None
        """The latest closing; a lock lifted since makes it one of another lock."""

    @property
    def latest(self) -> SecondReviewAct | None:
        """The act that says which share is drawn."""
        return self.widened[-1] if self.widened else self.started

    @property
    def shares(self) -> tuple[Decimal, ...]:
        """Every share that was ever to be drawn, in order."""
        acts = [self.started, *self.widened] if self.started else []
        return tuple(Decimal(act.share) for act in acts if act)

    def check(self, line: SecondReviewAct) -> None:
        """Raise RecordRefused when the act contradicts those before it."""
        if (line.act == "started") != (self.started is None):
            wrong = "it has not begun" if self.started is None else "it has begun already"
            raise RecordRefused(wrong, "look at it with `reviewkit second-review status`")
        if line.act == "widened" and self.latest is not None:
            before = Decimal(self.latest.share)
            if Decimal(line.share) <= before:
                raise RecordRefused(
                    f"the sample is at {percent(before)} already", "name a larger share"
                )
        if self.closed is not None and (
            self.closed.outcome == "void" or line.lock == self.closed.lock
        ):
            raise RecordRefused(
                f"the second review was closed on {self.closed.time[:10]}", "start another one"
            )

    def take(self, line: SecondReviewAct) -> None:
        """Go on with the act in place."""
        if line.act == "started":
            self.started = line
        elif line.act == "widened":
            self.widened.append(line)
        else:
            self.closed = line


@dataclass(slots=True)
class SecondReviewLog:
    """The record of one second review.

    Args:
        path: the file; the start makes it.
        shown: its name in messages.
        study: the study it is of.
    """

    path: Path
    shown: str
    study: str
    _chain: Chain[SecondReviewAct] = field(init=False)

    def __post_init__(self) -> None:
        self._chain = _chain(self.path, self.shown)

    def acts(self) -> tuple[SecondReviewAct, ...]:
        """Return every act in order; raises LedgerBroken when the file is damaged."""
        return self._chain.lines()

    def course(self) -> Course:
        """Return what the acts add up to."""
        course = Course()
        for act in self.acts():
            course.take(act)
        return course

    def record(self, act: str, *, author: str = LEAD, **fields: Any) -> SecondReviewAct:
        """Append an act; raises RecordRefused when it contradicts those before it."""
        click = secrets.token_hex(8)
        content = {"click_id": click, "act": act, "study": self.study, "author": author}
        return self._chain.append(content | fields)


def verify_second_review(path: Path, shown: str) -> Report:
    """Check every line of such a record; faults are in the report, none is raised."""
    return verify_chain(_chain(path, shown))


def _chain(path: Path, shown: str) -> Chain[SecondReviewAct]:
    return Chain(path, shown, SecondReviewAct, rules=Course)


def render_second_review(started: SecondReviewAct) -> str:
    """Return the study file of a second review, as its start lays it."""
    strata, steps = ", ".join(STRATA), ", ".join(percent(each) for each in started.steps)
    shares = f"bounds: all, share: {percent(started.share)}, at_least: {percent(started.at_least)}"
    forms = ", ".join(f"{name}: {form}" for name, form in sorted(started.forms.items()))
    lines = [
        "# A stratified sample of what the first review accepted, judged blind to it:",
        "# docs/second-review.md. Widen it with `reviewkit second-review widen`, not by hand.",
        f"study: {started.study}",
        f"title: Second review of {started.of}",
        f"second_review: {{of: {started.of}, bound: {percent(started.bound)}, steps: [{steps}]}}",
        f"forms: {{{forms}}}",
        "sample:",
        f"  seed: {started.seed}",
        "  draws:",
        f"    - {{name: {DRAW}, method: proportional, strata: [{strata}], {shares}}}",
        "rounds:",
        f'  - round: "{ROUND}"',
        "    passes:",
        f"      - {{pass: {PASS}, rater: {started.rater}}}",
        *([f"welfare: {_as_yaml(started.welfare)}"] if started.welfare else []),
        "# every group that the sample may ever reach",
        "groups:",
        *(f"  - {_as_yaml(each)}" for each in started.population),
    ]
    return "\n".join(lines) + "\n"


def _as_yaml(value: object) -> str:
    """Return a value on one line; JSON is YAML, and its strings are quoted whatever they hold."""
    text = json.dumps(value, ensure_ascii=False)
    # what YAML takes for a line end, or for nothing that may be printed
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda sign: f"\\u{ord(sign[0]):04x}", text)


def with_share(text: str, share: Decimal, at_least: Decimal) -> str | None:
    """Return a study file's text with another share drawn; None when it is not written there once.

    All else, comments included, stays as a person may have changed it.
    """
    for name, value in (("share", share), ("at_least", at_least)):
        text, times = re.subn(
            rf"(?m)^([^#\n]*(?<![\w-]){name}:[ ]*)[^\s,}}#]+", rf"\g<1>{percent(value)}", text
        )
        if times != 1:
            return None
    return text


@dataclass(frozen=True, slots=True)
class OpenRulings:
    """Which rulings a second reviewer may see: those that are about none of his groups.

    A ruling filed on a group tells what the first reviewer made of it. The population counts and
    not the sample alone: what was seen of a group that a widening draws later cannot be unseen.
    """

    outside: frozenset[str]
    """The items of groups that can never be drawn. An id that no group has any more may have been
    of one that can, so it is not here."""
    names: frozenset[str]
    """Folded ids of the population and of its items: a ruling's text must not say one."""

    def admits(self, item_ids: Iterable[str], text: str) -> bool:
        """Return whether a ruling with these items and this text may be seen."""
        if not self.outside.issuperset(item_ids):
            return False
        words = {word.strip("._-").casefold() for word in _NOT_IN_IDS.split(text)}
        return self.names.isdisjoint(words)


_NOT_IN_IDS = re.compile(r"[^\w.-]+")


def open_rulings(population: Iterable[str], bank: Bank) -> OpenRulings:
    """Return which rulings may be seen by somebody who judges out of this population."""
    inside = set(population)
    items = {group.template_id: [item.id for item in group.items] for group in bank.groups}
    named = inside | {item for each in inside & items.keys() for item in items[each]}
    outside = {item for name, ids in items.items() if name not in inside for item in ids}
    return OpenRulings(
        frozenset(outside), frozenset(each.strip("._-").casefold() for each in named)
    )


def strata_of(population: Iterable[str], bank: Bank) -> Mapping[str, tuple[str, ...]]:
    """Return group -> test type, domain and band, for those that are in the bank."""
    groups = {group.template_id: group for group in bank.groups}
    return {
        each: (group.test_type, group.domain, str(group.sensitivity_level or ""))
        for each in population
        if (group := groups.get(each)) is not None
    }
