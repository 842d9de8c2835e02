"""What changed between two editions: rules, forms, checks and rulings, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewkit.rulings.guides.content import Changed, Changes, GuideContent


def changes_between(before: GuideContent | None, after: GuideContent) -> Changes:
    """Return what ``after`` adds, changes and leaves out; nothing for a first edition.

    A form is changed when its title, instruction or keys are, or the order of its checks; what a
    check asks is told under the check.
    """
    if before is None:
        return Changes()
    return Changes(
        rules=_changed(_rules(before), _rules(after)),
        forms=_changed(before.forms, after.forms),
        checks=_changed(_checks(before), _checks(after)),
        rulings=_changed(_rulings(before), _rulings(after)),
    )


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Changed:
    return Changed(
        added=tuple(name for name in after if name not in before),
        changed=tuple(
            name for name, what in after.items() if name in before and before[name] != what
        ),
        removed=tuple(name for name in before if name not in after),
    )


def _rules(content: GuideContent) -> dict[str, Any]:
    return {each.key(rule): rule for each in content.rules for rule in each.rules}


def _checks(content: GuideContent) -> dict[str, str]:
    return {
        f"{form.form}/{check.id}": check.digest
        for form in content.checklists
        for check in form.checks
    }


def _rulings(content: GuideContent) -> dict[str, Any]:
    return {each.number: each for each in content.rulings}
