"""Checks and codes that may need a ruling, or that people may disagree about by design. Pure.

Two kinds of divergence look alike in a coefficient and are not. When both sides go either way, the
rule is read in two ways and a ruling settles it. When one person fails nearly every card that the
others pass, or uses a code that nobody else uses, no single card is at fault: it is the design of
the check that they disagree about, and one reviewer does not settle that. The thresholds below only
choose what is worth the lead's look; nothing is decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from reviewkit.agreement.of_study.question import Question
from reviewkit.agreement.passes.units import Unit
from reviewkit.agreement.reporting.model import Candidate

ONE_SIDED_CARDS = 3
"""So many cards at least make one side a habit."""
ONE_SIDED_SHARE = (2, 3)
"""And so large a share of the compared cards."""
OTHER_WAY = 10
"""At most one in so many of the differing cards may go the other way."""
DIFFERING_CARDS = 2
DIFFERING_SHARE = 5
"""A judgement check is looked at from so many differing cards and one in so many on."""
CONFUSED_CARDS = 3
"""Two codes are looked at when they stand beside each other on so many cards."""


def candidates(questions: Sequence[Question], names: Sequence[str]) -> tuple[Candidate, ...]:
    """Return what the lead may want to rule on, design disagreements first, the largest first."""
    found: list[Candidate] = []
    for each in questions:
        units = [unit for unit in each.units if unit.compared]
        if not each.check or not units:
            continue
        if set(each.categories) == {"yes", "no"}:
            found += _of_check(each, units, names)
        else:
            found += _of_codes(each, units, names)
    kinds = {"design disagreement": 0, "ruling": 1}
    return tuple(sorted(found, key=lambda each: (kinds[each.kind], -len(each.units), each.what)))


def _of_check(each: Question, units: list[Unit], names: Sequence[str]) -> list[Candidate]:
    differ = [unit for unit in units if unit.differs]
    if not differ:
        return []
    alone = Counter(at for unit in differ for at in _alone(unit, "no"))
    cards = _cards(differ)
    on = f"on {len(differ)} of {len(units)} cards"
    for at, times in alone.most_common(1):
        share, whole = ONE_SIDED_SHARE
        if (
            times >= ONE_SIDED_CARDS
            and whole * times >= share * len(units)
            and OTHER_WAY * (len(differ) - times) <= len(differ)
        ):
            reason = (
                f"only {names[at]} says no, on {times} of {len(units)} cards, and not the other way"
                f" round{_but(len(differ) - times)}: no single card is at fault"
            )
            return [Candidate(each.check, "design disagreement", reason, cards)]
    sides = ", ".join(
        f"no only in {name} on {alone[at]}" for at, name in enumerate(names) if alone[at]
    )
    told = f"they differ {on}{f' ({sides})' if sides else ''}"
    if each.nature == "structural":
        reason = f"{told}, and on a structural check two careful people must agree"
        return [Candidate(each.check, "ruling", reason, cards)]
    if len(differ) >= DIFFERING_CARDS and DIFFERING_SHARE * len(differ) >= len(units):
        return [Candidate(each.check, "ruling", told, cards)]
    return []


def _alone(unit: Unit, label: str) -> list[int]:
    """Return the pass that alone gave the label, if exactly one did."""
    gave = [at for at, each in enumerate(unit.labels) if each == label]
    return gave if len(gave) == 1 else []


def _but(others: int) -> str:
    return f" but on {others}" if others else ""


def _of_codes(each: Question, units: list[Unit], names: Sequence[str]) -> list[Candidate]:
    found: list[Candidate] = []
    single: set[str] = set()
    for code in each.categories:
        users = Counter(
            at for unit in units for at, label in enumerate(unit.labels) if label == code
        )
        if len(users) == 1 and max(users.values()) >= ONE_SIDED_CARDS:
            ((at, times),) = users.items()
            single.add(code)
            reason = f"only {names[at]} ever gave {code}, on {times} of {len(units)} {each.unit}s"
            with_code = [unit for unit in units if code in unit.labels]
            what = f"{each.check}: {code}"
            found.append(Candidate(what, "design disagreement", reason, _cards(with_code)))
    for one, other in combinations(each.categories, 2):
        both = [unit for unit in units if one in unit.labels and other in unit.labels]
        either = sum(one in unit.labels or other in unit.labels for unit in units)
        if (
            len(both) >= CONFUSED_CARDS
            and DIFFERING_SHARE * len(both) >= either
            and not {one, other} & single
        ):
            on = f"on {len(both)} of the {either} {each.unit}s with either"
            reason = f"{one} stands beside {other} {on}"
            found.append(
                Candidate(f"{each.check}: {one} / {other}", "ruling", reason, _cards(both))
            )
    return found


def _cards(units: Sequence[Unit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unit.card_id for unit in units))
