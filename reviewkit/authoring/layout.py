"""The worklist as a page of words and as JSON: identifiers, counts and states, no item's text.

Reasons and names are printed as they were written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reviewkit.agreement.reporting.blocks import (
    Block,
    Grid,
    Heading,
    Plot,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    shown,
)
from reviewkit.authoring.batch_history import BatchHistory, Outcome
from reviewkit.authoring.families import FamilyCount, FixKind
from reviewkit.authoring.history import Event
from reviewkit.authoring.lines import Line, OneCheck, WorkState
from reviewkit.authoring.retirement import Retirement
from reviewkit.authoring.worklist import Worklist
from reviewkit.questions.forms import say

STATE_WORDS: Mapping[WorkState, str] = {
    "accepted": "accepted", "needs_fix": "needs a fix", "rejected": "rejected",
    "excluded": "taken out", "reviewed": "closed until the locks",
    "changed": "changed since its review", "skipped": "skipped", "unreviewed": "unreviewed",
    "retired": "retired", "merged": "merged",
}  # fmt: skip
OUTCOME_WORDS: Mapping[Outcome, str] = {
    "outright": "accepted outright", "after_fix": "accepted after a fix", "returned": "returned",
    "rejected": "rejected", "open": "open", "withheld": "closed until the locks",
    "excluded": "taken out", "retired": "retired",
}  # fmt: skip
FIX_WORDS: Mapping[FixKind, str] = {
    "mechanical": "no new text", "textual": "a small edit", "authoring": "new items",
    "redesign": "another template",
}  # fmt: skip
_URGENCY: tuple[WorkState, ...] = (
    "rejected", "needs_fix", "changed", "skipped", "unreviewed", "reviewed", "excluded", "accepted",
)  # fmt: skip
"""What waits longest for a hand comes first."""
LISTED = 1_000
"""So many groups are listed; of a bank of thousands the counts say more."""
NOBODY_NAMED = "without a family"


def as_text(work: Worklist) -> str:
    """Return the list for a terminal."""
    return blocks_as_text(blocks_of(work))


def as_markdown(work: Worklist) -> str:
    """Return the list as Markdown."""
    return blocks_as_markdown(list(blocks_of(work)))


def blocks_of(work: Worklist) -> Iterator[Block]:
    """Yield the list block by block: where it stands, what is open, and how it came there."""
    yield Heading("Worklist", 1)
    yield Sentence(headline(work))
    if notices := tuple(_notices(work)):
        yield Points(notices)
    if not work.identifiers:
        return
    yield Heading("Where the groups stand")
    yield Grid(("state", "groups"), tuple(_states(work)))
    yield Plot("states", "Every group of the bank, and those that left it.", _said_of_states(work))
    if work.families:
        yield from _defects(work)
    if work.batches:
        yield from _batches(work)
    yield Heading("Group by group")
    here = [each for each in work.lines if each.state not in ("retired", "merged")]
    here.sort(key=lambda each: _URGENCY.index(each.state))
    yield _listed(tuple(_line(each) for each in here[:LISTED]))
    if len(here) > LISTED:
        yield Sentence(f"And {len(here) - LISTED} more: `reviewkit worklist --json` has them all.")
    if work.retirements:
        yield Heading("Left the bank")
        yield Sentence("Their identifiers stay taken for ever.")
        yield Grid(
            ("group", "on", "merged into", "items", "reason", "name"),
            tuple(_gone(each, work) for each in work.retirements),
            frozenset({0, 1, 2, 4, 5}),
        )


def headline(work: Worklist) -> str:
    """Return where the work stands, in two or three sentences."""
    if not work.identifiers:
        return "The bank has no group yet: `reviewkit new` or `reviewkit import` begins one."
    found = work.counts()
    there = _number(work.live, "live group") + f" with {_number(work.live_items, 'item')}"
    there = f"{there[0].upper()}{there[1:]}"
    kept = f", {work.identifiers} identifiers" if work.identifiers != work.live else ""
    if not work.study:
        return f"{there}{kept}. {_no_study(work)}"
    if work.live and found["unreviewed"] == work.live:
        return f"{there}{kept}: none reviewed yet, in study {work.study}."
    waiting = work.live - found["accepted"]
    states = f"{found['accepted']} accepted, {waiting} to do"
    checks = (
        _said_of_checks(work) if work.failed_checks else f"No failed check in study {work.study}."
    )
    return f"{there}{kept}: {states}. {checks}"


def _said_of_checks(work: Worklist) -> str:
    closed, groups = work.failed_checks - work.open_checks, work.by_progress()
    return (
        f"{_number(work.failed_checks, 'failed check')} in study {work.study}, {work.open_checks}"
        f" open and {closed} closed. Of {_number(sum(groups.values()), 'group')} with failed checks"
        f" {groups['closed']} closed, {groups['partly']} partly closed, {groups['open']} open."
    )


def _number(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _no_study(work: Worklist) -> str:
    if work.several:
        return f"Several studies claim to be of record: {', '.join(work.several)}."
    return (
        'No study of record says where they stand: write `of_record: "yes"` in the `study.yaml`'
        " of the one that does."
    )


def _notices(work: Worklist) -> Iterator[str]:
    withheld = work.counts()["reviewed"]
    if withheld:
        yield (
            f"{_number(withheld, 'group')} reviewed in a blind round that is not locked: the"
            " verdicts are closed, and no check of them is counted."
        )
    if work.unreadable:
        yield (
            f"{_number(work.unreadable, 'fault')} in files of groups, which are left out: see"
            " `reviewkit check`."
        )


def _states(work: Worklist) -> Iterator[tuple[str, str]]:
    for state, number in work.counts().items():
        if number:
            yield STATE_WORDS[state], str(number)


def _said_of_states(work: Worklist) -> str:
    return "; ".join(f"{name} {number}" for name, number in _states(work))


def _defects(work: Worklist) -> Iterator[Block]:
    yield Heading("Kinds of defects")
    named = sum(each.chosen for each in work.families)
    yield Sentence(
        f"A failed check suggests a family; for {named or 'none'} of"
        f" {_number(work.failed_checks, 'failed check')} a reviewer named another."
        " A group may have several families."
    )
    rows = tuple(
        (family_title(each), each.family.fix if each.family else "", str(each.groups),
         str(each.checks), str(each.open_groups), str(each.open_checks))
        for each in work.families
    )  # fmt: skip
    header = ("family", "fix", "groups", "checks", "open groups", "open checks")
    yield Grid(header, rows, frozenset({0, 1}))
    yield Plot("families", "Failed checks by family: open, and closed.", "See the table.")
    fixes = tuple(
        (kind, FIX_WORDS[kind], str(groups), str(checks))
        for kind, (groups, checks) in work.by_fix().items()
    )
    yield Grid(("fix", "what it takes", "open groups", "open checks"), fixes, frozenset({0, 1}))


def family_title(each: FamilyCount, language: str = "en") -> str:
    """Return what a family is called."""
    return NOBODY_NAMED if each.family is None else shown(say(each.family.title, language))


def _batches(work: Worklist) -> Iterator[Block]:
    yield Heading("Batches")
    rows: list[tuple[str, ...]] = []
    for each in work.batches:
        found = each.counts()
        waiting = found["open"] + found["withheld"] + found["excluded"]
        rows.append(
            (each.batch.id, each.batch.authored_on, str(each.items), str(each.groups),
             str(found["outright"]), str(found["after_fix"]), str(found["returned"]),
             str(found["rejected"]), str(waiting), str(found["retired"]))
        )  # fmt: skip
    header = (
        "batch", "authored", "items", "groups", "outright", "after a fix", "returned", "rejected",
        "open", "retired",
    )  # fmt: skip
    yield Grid(header, tuple(rows), frozenset({0, 1}))
    yield Plot("batches", "Groups of every batch by what became of them.", "See the table.")


def _listed(rows: Sequence[tuple[str, ...]]) -> Grid:
    """Return the groups as a table, without a column that says nothing of any of them."""
    header = ("group", "type", "state", "since", "open checks", "closed", "batches")
    kept = [at for at in range(len(header)) if any(row[at] for row in rows)]
    left = frozenset(to for to, at in enumerate(kept) if header[at] != "closed")
    return Grid(
        tuple(header[at] for at in kept), tuple(tuple(row[at] for at in kept) for row in rows), left
    )


def _line(each: Line) -> tuple[str, ...]:
    return (
        each.template_id, each.test_type, STATE_WORDS[each.state], day_of(each.since),
        ", ".join(check_words(check) for check in each.open_checks),
        str(len(each.closed_checks) or ""), ", ".join(each.batches),
    )  # fmt: skip


def check_words(check: OneCheck) -> str:
    """Return a failed check with its family: ``t1/natural (broken-agreement)``."""
    family = check.failed.family
    return f"{check.failed.check} ({family})" if family else check.failed.check


def day_of(time: str) -> str:
    """Return the day of a time; nothing for nothing."""
    return time[:10]


def _gone(each: Retirement, work: Worklist) -> tuple[str, ...]:
    line = work.line(each.template_id)
    lives = line.lives_in if line else each.merged_into
    into = (
        each.merged_into if lives in ("", each.merged_into) else f"{each.merged_into}, now {lives}"
    )
    return (
        each.template_id, each.on, into, str(len(each.item_ids)), shown(each.reason),
        shown(each.name),
    )  # fmt: skip


def as_json(work: Worklist) -> dict[str, Any]:
    """Return everything as a script reads it; no list is cut."""
    return {
        "study": work.study or None,
        "several": list(work.several),
        "groups": work.live,
        "items": work.live_items,
        "identifiers": work.identifiers,
        "unreadable": work.unreadable,
        "counts": dict(work.counts()),
        "checks": {"failed": work.failed_checks, "open": work.open_checks,
                   "closed": work.failed_checks - work.open_checks},
        "groups_with_failed_checks": dict(work.by_progress()),
        "families": [_family(each) for each in work.families],
        "fixes": {
            kind: {"open_groups": groups, "open_checks": checks}
            for kind, (groups, checks) in work.by_fix().items()
        },
        "batches": [_batch(each) for each in work.batches],
        "lines": [line_as_json(each) for each in work.lines],
        "retired": [retirement_as_json(each) for each in work.retirements],
    }  # fmt: skip


def retirement_as_json(each: Retirement) -> dict[str, Any]:
    """Return what left the bank, and why, as a script reads it."""
    return each.model_dump(mode="json", exclude={"schema_version", "previous", "click_id", "seq"})


def _family(each: FamilyCount) -> dict[str, Any]:
    return {
        "family": each.family.id if each.family else None,
        "title": dict(each.family.title) if each.family else {},
        "fix": each.family.fix if each.family else None,
        "groups": each.groups,
        "checks": each.checks,
        "open_groups": each.open_groups,
        "open_checks": each.open_checks,
        "chosen": each.chosen,
    }


def _batch(each: BatchHistory) -> dict[str, Any]:
    return {
        "batch": each.batch.id,
        "title": dict(each.batch.title or {}),
        "authored_on": each.batch.authored_on,
        "items": each.items,
        "groups": each.groups,
        "counts": dict(each.counts()),
        "outcomes": dict(each.outcomes),
        "note": each.batch.note or "",
    }


def line_as_json(each: Line) -> dict[str, Any]:
    """Return a group of the list as a script reads it."""
    return {
        "group": each.template_id,
        "test_type": each.test_type,
        "domain": each.domain,
        "items": each.items,
        "state": each.state,
        "since": each.since,
        "by": each.by,
        "open": _checks(each.open_checks),
        "closed": _checks(each.closed_checks),
        "batches": list(each.batches),
        "merged_into": each.merged_into or None,
        "lives_in": each.lives_in or None,
    }


def _checks(checks: Sequence[OneCheck]) -> list[dict[str, Any]]:
    return [
        {"check": each.failed.check, "family": each.failed.family or None,
         "chosen": each.failed.chosen, "since": each.since, "closed_on": each.closed_on or None}
        for each in checks
    ]  # fmt: skip


def event_as_json(each: Event) -> dict[str, Any]:
    """Return one event of a group as a script reads it."""
    return {
        "state": each.state,
        "time": each.time,
        "by": each.by,
        "digest": each.digest,
        "form": each.form or None,
        "failed": [
            {"check": failed.check, "family": failed.family or None, "chosen": failed.chosen}
            for failed in each.failed
        ],
        "note": each.note,
    }
