"""From an item, a group or a check to the rulings on it."""

from __future__ import annotations

from reviewkit.bank.load import read_whole_bank
from reviewkit.decisions.retirements import retired
from reviewkit.problems import ReviewkitError
from reviewkit.questions import load_forms
from reviewkit.rulings.guides.rules import checks_of
from reviewkit.rulings.log import Ruling, RulingsLog
from reviewkit.workspace import Workspace


class NothingOfThatName(ReviewkitError):
    """No item, group or check has this name, and no ruling mentions it."""


def rulings_of(ws: Workspace, item_or_check: str) -> tuple[Ruling, ...]:
    """Return the rulings on an item, on any item of a group, or on a check, in order.

    Superseded ones are among them, and so are those on groups that left the bank: what was once
    decided stays findable.

    Args:
        ws: the project folder.
        item_or_check: an item id, a template id, or ``form/check`` (``t1/one_variable``); the
            version of the form may be named (``t3@2/real_values``) and makes no difference.

    Raises:
        NothingOfThatName: When nothing is or was called so, and no ruling names it.
    """
    name = item_or_check.strip()
    every = RulingsLog.of(ws).all()
    if "/" in name:
        form, _, part = name.partition("/")
        check = f"{form.partition('@')[0]}/{part}"
        found = tuple(each for each in every if check in each.checks)
        if not found and check not in checks_of(load_forms(ws.checklists)):
            raise NothingOfThatName(f"no form has the check {check!r}; name one as form/check")
        return found
    bank, _unreadable = read_whole_bank(ws)
    items = {
        group.template_id: {item.id for item in group.items} | {group.template_id}
        for group in bank.groups
    }
    items |= {each.template_id: set(each.identifiers) for each in retired(ws)}
    wanted = items.get(name, {name})
    found = tuple(each for each in every if wanted & set(each.item_ids))
    if not found and name not in items and not any(name in ids for ids in items.values()):
        raise NothingOfThatName(
            f"the bank has and had no item and no group {name!r}, and no ruling names it; name an"
            " item id, a template id, or a check as form/check"
        )
    return found
