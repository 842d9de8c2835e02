"""A sample beside its record: what may still be changed in the study file, and a redraw."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from reviewkit.problems import Problem
from reviewkit.study.sample import StratumCount
from reviewkit.study.sample_spec import QUANTITIES, Draw, SampleSpec, rule_of
from reviewkit.study.sampling import Units, draw_sample


@dataclass(frozen=True, slots=True)
class RecordedDraw:
    """A draw as the record has it; all but the ids is as of its last widening."""

    name: str
    ids: tuple[str, ...]
    settings: Mapping[str, Any]
    """``SampleSpec.settings`` of that time."""
    spec_digest: str
    table_digest: str
    excluded_digest: str
    counts: tuple[StratumCount, ...]


@dataclass(frozen=True, slots=True)
class Redraw:
    """Whether the study file and the table give the recorded sample again."""

    same: bool
    said: tuple[str, ...]
    """What differs and why, in sentences; that it is the same when nothing does."""


def check_sample(
    spec: SampleSpec,
    units: Units,
    shown: str,
    recorded: Mapping[str, RecordedDraw] | None = None,
) -> list[Problem]:
    """Return what keeps a sample from being drawn from this table, or from going on as recorded.

    Args:
        spec: the ``sample`` section.
        units: the table.
        shown: how messages name the study file.
        recorded: the draws on record, in order.
    """
    known = sorted({column for columns in units.values() for column in columns})
    problems: list[Problem] = []
    for number, draw in enumerate(spec.draws):
        where = f"{shown} sample.draws[{number}]"
        for column in draw.columns:
            if column not in known:
                near = get_close_matches(column, known, n=1)
                remedy = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known)}"
                problems.append(Problem(where, f"the table has no column {column!r}", remedy))
        problems += _check_rule(spec, draw, where, recorded or {})
    problems += _check_order(spec, shown, recorded or {})
    return problems


def _check_rule(
    spec: SampleSpec, draw: Draw, where: str, recorded: Mapping[str, RecordedDraw]
) -> list[Problem]:
    """Return which settings of a draw on record are others now."""
    earlier = recorded.get(draw.name)
    if earlier is None:
        return []
    now = spec.settings(draw)
    rule_then, rule_now = rule_of(earlier.settings), rule_of(now)
    changed = [
        name
        for name in sorted({*rule_then, *rule_now})
        if rule_then.get(name) != rule_now.get(name)
    ]
    if changed:
        return [
            Problem(
                where,
                f"draw {draw.name} was drawn with another {' and '.join(changed)}",
                "give it back what it had, and put what is new into a draw of its own at the end",
            )
        ]
    if draw.name != list(recorded)[-1] and _quantity(now) != _quantity(earlier.settings):
        return [
            Problem(
                where,
                f"draw {draw.name} is on record with another size, and others were drawn after it",
                "give it back its size; widen the last draw, or add one at the end",
            )
        ]
    return []


def _quantity(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: settings[name] for name in (*QUANTITIES, "enrich") if name in settings}


def _check_order(
    spec: SampleSpec, shown: str, recorded: Mapping[str, RecordedDraw]
) -> list[Problem]:
    names = [draw.name for draw in spec.draws]
    missing = [name for name in recorded if name not in names]
    if missing:
        return [
            Problem(
                f"{shown} sample.draws",
                f"draw {name} is on record and not in the file",
                "put it back: what was drawn stays drawn",
            )
            for name in missing
        ]
    if names[: len(recorded)] != list(recorded):
        return [
            Problem(
                f"{shown} sample.draws",
                f"on record the draws come in the order {', '.join(recorded)}",
                "keep that order, and name new draws after them",
            )
        ]
    return []


def redraw(
    spec: SampleSpec,
    units: Units,
    recorded: Mapping[str, RecordedDraw],
    *,
    excluded: Mapping[str, Collection[str]] | None = None,
    added: Collection[str] = (),
) -> Redraw:
    """Draw the sample anew from the study file and the table, and compare it with the record.

    Args:
        spec: the ``sample`` section.
        units: the table.
        recorded: the draws on record.
        excluded: for every name in ``exclude``, the cards of that earlier sample.
        added: cards that were added by hand; a widening afterwards passed over them.
    """
    sample = draw_sample(spec, units, excluded=excluded)
    anew = {draw.name: draw for draw in sample.draws}
    said: list[str] = []
    for name, earlier in recorded.items():
        draw = anew.get(name)
        if draw is None:
            said.append(f"draw {name} is on record and no longer in the study file")
            continue
        gone, more = set(earlier.ids) - set(draw.ids), set(draw.ids) - set(earlier.ids)
        if not gone and not more:
            continue
        now = spec.settings(next(each for each in spec.draws if each.name == name))
        reasons: list[str] = []
        changed = [
            field
            for field in sorted({*now, *earlier.settings})
            if now.get(field) != earlier.settings.get(field)
        ]
        if changed:
            reasons.append(f"its settings were changed ({', '.join(changed)})")
        if draw.table_digest != earlier.table_digest:
            reasons.append("the table has changed since")
        if draw.excluded_digest != earlier.excluded_digest:
            reasons.append("the earlier samples that it leaves out have changed since")
        if not set(added).isdisjoint(draw.ids):
            reasons.append("cards that it would draw were added by hand before")
        if not reasons:
            reasons.append(
                "settings and table are those of its last act, so it was widened over another "
                "table, follows a draw that differs, or was only partly recorded"
            )
        said.append(
            f"draw {name}: {len(earlier.ids)} on record, {len(draw.ids)} drawn anew, "
            f"{len(gone)} of the record not among them; {' and '.join(reasons)}"
        )
    said += [
        f"draw {draw.name} is in the study file and not on record: run `reviewkit sample`"
        for draw in sample.draws
        if draw.name not in recorded and draw.ids
    ]
    if said:
        return Redraw(same=False, said=tuple(said))
    count = sum(len(each.ids) for each in recorded.values())
    return Redraw(same=True, said=(f"drawn anew, the sample is the one on record: {count} cards",))
