"""How many checks a bank asks: groups times checks of the type, and how many of them apply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reviewkit.questions.forms import Checklist
from reviewkit.questions.shelf import UnknownForm
from reviewkit.questions.verdict import applies


@dataclass(frozen=True, slots=True)
class TypeCount:
    """The checks of one test type."""

    test_type: str
    form: str
    """The form's name, e.g. ``t3@2``."""
    groups: int
    checks: int
    """Checks in the form."""
    asked: int

    @property
    def total(self) -> int:
        """Groups times checks of the form."""
        return self.groups * self.checks

    @property
    def not_applicable(self) -> int:
        """Checks that are not asked because their condition does not hold."""
        return self.total - self.asked


@dataclass(frozen=True, slots=True)
class CheckCount:
    """The checks of a bank, by test type and in all."""

    per_type: tuple[TypeCount, ...]

    @property
    def total(self) -> int:
        """Groups times checks of their type: the figure by which a review is reported."""
        return sum(count.total for count in self.per_type)

    @property
    def asked(self) -> int:
        """Checks that people answer."""
        return sum(count.asked for count in self.per_type)

    @property
    def not_applicable(self) -> int:
        """Checks that are not asked; with ``asked`` they make up ``total``."""
        return self.total - self.asked


def count_checks(
    forms_by_type: Mapping[str, Checklist], cards_facts: Iterable[tuple[str, Mapping[str, str]]]
) -> CheckCount:
    """Return how many checks the groups make, with one entry a type.

    Args:
        forms_by_type: The form in use for each test type.
        cards_facts: Test type and facts of every group.

    Raises:
        UnknownForm: A group has a test type without a form.
    """
    groups: dict[str, int] = {}
    asked: dict[str, int] = {}
    for test_type, facts in cards_facts:
        form = forms_by_type.get(test_type)
        if form is None:
            known = ", ".join(sorted(forms_by_type)) or "none"
            raise UnknownForm(
                f"no form is in use for test type {test_type!r} (there are forms for: {known}); "
                "add one to checklists/"
            )
        groups[test_type] = groups.get(test_type, 0) + 1
        here = sum(applies(check.applies_when, facts) for check in form.checks)
        asked[test_type] = asked.get(test_type, 0) + here
    return CheckCount(
        tuple(
            TypeCount(
                test_type=test_type,
                form=forms_by_type[test_type].name,
                groups=groups[test_type],
                checks=len(forms_by_type[test_type].checks),
                asked=asked[test_type],
            )
            for test_type in sorted(groups)
        )
    )


def render_count(count: CheckCount) -> str:
    """Return the count as text: one line for the whole, then one for each type."""
    lines = [f"{count.total} checks: {count.asked} asked, {count.not_applicable} not applicable"]
    lines += [
        f"  {one.test_type} ({one.form}): {one.groups} x {one.checks} = {one.total}: "
        f"{one.asked} asked, {one.not_applicable} not applicable"
        for one in count.per_type
    ]
    return "\n".join(lines)
