"""The authors' rules of a project: ``checklists/guides/*.yaml``, a file per test type.

A file without a test type holds for every item. A rule is named by its guide and its id,
``t1:one_slot``; a ``must`` rule gates acceptance, a ``should`` rule may be broken with a reason in
the group's notes. A rule names the checks that find it broken, and so meets the rulings on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from reviewkit.bank.items import TestType
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import FormShelf, load_forms
from reviewkit.questions.defects import CheckName
from reviewkit.questions.forms import Frozen, Name, Wording, repeated
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.workspace import Workspace, shipped

Strength = Literal["must", "should"]
"""A check as rulings name it, without the version of its form: ``t1/one_variable``."""


class Rule(Frozen):
    """One rule for authors, with why it is there."""

    id: Name
    strength: Strength
    text: Wording
    reason: Wording
    checks: tuple[CheckName, ...] = ()
    """The checks that find the rule broken, as rulings name them."""


class RuleSet(Frozen):
    """The rules of one file: across all types, or for one test type."""

    guide: Name
    test_type: TestType | None = None
    """None: the rules hold for every item."""
    title: Wording
    measures: Wording | None = None
    """What the test type finds out."""
    harm: Wording | None = None
    """Whose harm it looks for."""
    rules: Annotated[tuple[Rule, ...], Field(min_length=1)]

    def key(self, rule: Rule) -> str:
        """Return how editions name a rule of this set: ``t1:one_slot``."""
        return f"{self.guide}:{rule.id}"


def load_guide_rules(ws: Workspace) -> tuple[RuleSet, ...]:
    """Return the rules of a project, those for every item first, then by test type.

    A project without ``checklists/guides/`` has the rules that come with reviewkit; of those, links
    to checks that the project does not ask are left out.

    Raises:
        ProblemsFound: With every fault of every file.
    """
    known = _known_checks(ws)
    own = _files(ws.guide_rules)
    folder = ws.guide_rules if own else shipped("checklists") / "guides"
    sets: list[RuleSet] = []
    with collect() as faults:
        for path in own or _files(folder):
            shown = ws.shown(path) if own else f"checklists/guides/{path.name}"
            source = faults.read(load_yaml, path, shown)
            found = source and faults.attempt(build, source, RuleSet)
            if source is None or found is None:
                continue
            faults.add(_faults_of(found, source, known if own else None, sets))
            sets.append(found)
    if not own and known is not None:
        sets = [_with_known_links(each, known) for each in sets]
    return tuple(sorted(sets, key=lambda each: (each.test_type or "", each.guide)))


def _files(folder: Path) -> list[Path]:
    found = folder.glob("*.yaml") if folder.is_dir() else ()
    return sorted(path for path in found if not path.name.startswith("."))


def _known_checks(ws: Workspace) -> frozenset[str] | None:
    """Return the checks of the project; None where its forms are at fault, which is told there."""
    try:
        return checks_of(load_forms(ws.checklists))
    except ProblemsFound:
        return None


def checks_of(shelf: FormShelf) -> frozenset[str]:
    """Return every check and coded field of every form as ``form/check``."""
    return frozenset(f"{form.form}/{part}" for form in shelf.forms for part in form.parts)


def _faults_of(
    found: RuleSet, source: Source, known: frozenset[str] | None, earlier: Sequence[RuleSet]
) -> Iterator[Problem]:
    if any(each.guide == found.guide for each in earlier):
        wrong = f"another file has the rules {found.guide!r} too"
        yield source.problem(("guide",), wrong, "give each file its own name")
    ids = [rule.id for rule in found.rules]
    for at, first in repeated(ids):
        wrong = f"the id {ids[at]!r} is that of rules[{first}] too"
        yield source.problem(("rules", at, "id"), wrong, "give each rule its own id")
    for at, rule in enumerate(found.rules):
        for place, check in enumerate(rule.checks if known is not None else ()):
            if check not in (known or ()):
                near = get_close_matches(check, known or (), n=1)
                remedy = f"use {near[0]}" if near else "name a check as form/check"
                loc = ("rules", at, "checks", place)
                yield source.problem(loc, f"no form has the check {check!r}", remedy)


def _with_known_links(found: RuleSet, known: frozenset[str]) -> RuleSet:
    rules = tuple(
        rule.model_copy(update={"checks": tuple(each for each in rule.checks if each in known)})
        for rule in found.rules
    )
    return found.model_copy(update={"rules": rules})
