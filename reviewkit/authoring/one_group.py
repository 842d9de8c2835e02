"""One group of the worklist: what was said of it, what changed since, and its rulings.

What changed is shown as marked text before and after. It is known where this machine kept the
content that the verdict was made on; a ledger alone holds digests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewkit.agreement.reporting.blocks import (
    Block,
    Grid,
    Heading,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    shown,
)
from reviewkit.authoring.history import Event
from reviewkit.authoring.layout import (
    STATE_WORDS,
    check_words,
    day_of,
    event_as_json,
    line_as_json,
    retirement_as_json,
)
from reviewkit.authoring.lines import Line
from reviewkit.authoring.retirement import Retirement, retired
from reviewkit.authoring.worklist import Worklist, worklist
from reviewkit.bank import UnknownGroup
from reviewkit.bank.load import read_whole_bank
from reviewkit.cards.changes import Change, changes_between
from reviewkit.cards.marking import Segments
from reviewkit.decisions.stores import store_of
from reviewkit.rulings import Ruling, RulingsLog
from reviewkit.rulings.waiting import told_rulings
from reviewkit.study.contents import KeptContents
from reviewkit.workspace import Workspace, find_workspace


@dataclass(frozen=True, slots=True)
class OneGroup:
    """Where one group stands, and how it came there."""

    line: Line
    events: tuple[Event, ...]
    """What was said of it, in order."""
    reviewed: Event | None = None
    """The review that ``changes`` are counted from: the last one; None when there is none."""
    changes: tuple[Change, ...] | None = None
    """What is not as it was reviewed; None when nothing changed, or the content is not known."""
    changed: bool = False
    """Whether its content is another than was reviewed."""
    rulings: tuple[Ruling, ...] = ()
    """Those taken on its items, and those in force that govern a check that is open on it."""
    superseded: Mapping[str, str] = field(default_factory=dict[str, str])
    """Number of a ruling on the page -> the number of the one that took its place."""
    retirement: Retirement | None = None

    def __repr__(self) -> str:
        """Say which group it is on one line: a notebook stores this beside what it shows."""
        return f"<OneGroup: {self.line.template_id}, {self.line.state}>"

    def as_text(self) -> str:
        """Return the group for a terminal."""
        return blocks_as_text(blocks_of(self))

    def as_markdown(self) -> str:
        """Return the group as Markdown."""
        return blocks_as_markdown(list(blocks_of(self)))

    def as_json(self) -> dict[str, Any]:
        """Return the group as a script reads it."""
        return {
            **line_as_json(self.line),
            "history": [event_as_json(each) for each in self.events],
            "changed": self.changed,
            "changes": None if self.changes is None else [_change(each) for each in self.changes],
            "rulings": [each.number for each in self.rulings],
            "retirement": retirement_as_json(self.retirement) if self.retirement else None,
        }

    def as_html(self) -> str:
        """Return the group as one page that needs nothing else."""
        from reviewkit.authoring.page import group_page  # noqa: PLC0415 - it lays this out

        return group_page(self)

    def _repr_html_(self) -> str:
        """Return the group as a notebook shows it."""
        from reviewkit.authoring.page import group_fragment  # noqa: PLC0415

        return group_fragment(self)


def one_group(
    template_id: str, ws: Workspace | None = None, work: Worklist | None = None
) -> OneGroup:
    """Return where a group stands, what was said of it and what changed since.

    Args:
        template_id: A group of the bank, or one that left it.
        ws: The project folder; the one here or above when not given.
        work: The worklist, where it is at hand already.

    Raises:
        UnknownGroup: When the bank never had such a group.
        ProblemsFound, LedgerBroken: As ``worklist`` does.
    """
    ws = find_workspace() if ws is None else ws
    work = worklist(ws) if work is None else work
    line = work.line(template_id)
    bank, _unreadable = read_whole_bank(ws)
    if line is None:
        bank.group(template_id)
        raise UnknownGroup(f"the list has no group {template_id}; make the list anew")
    events = work.histories.of(template_id)
    reviewed = next((each for each in reversed(events) if each.form), None)
    group = next((each for each in bank.groups if each.template_id == template_id), None)
    changed = reviewed is not None and group is not None and reviewed.digest != group.digest
    changes: tuple[Change, ...] | None = None
    if reviewed is not None and group is not None and changed:
        content = KeptContents(ws.shown(ws.contents), store_of(ws).kept).find(reviewed.digest)
        changes = None if content is None else tuple(changes_between(content, group))
    gone = next((each for each in retired(ws) if each.template_id == template_id), None)
    items = {item.id for item in group.items} if group else set(gone.item_ids if gone else ())
    checks = {each.failed.check for each in line.open_checks}
    rulings = told_rulings(ws, RulingsLog.of(ws).all())
    superseded = {each.supersedes: each.number for each in rulings if each.supersedes}
    about = tuple(
        each
        for each in rulings
        if items & set(each.item_ids)
        or (checks & set(each.checks) and each.number not in superseded)
    )
    replaced = {each.number: by for each in about if (by := superseded.get(each.number))}
    return OneGroup(line, events, reviewed, changes, changed, about, replaced, gone)


def blocks_of(one: OneGroup) -> Iterator[Block]:
    """Yield a group block by block; what changed stands in words, without marks."""
    yield from opening(one)
    yield from history(one)
    yield from changes_in_words(one)
    yield from closing(one)


def opening(one: OneGroup) -> Iterator[Block]:
    """Yield where the group stands and which checks failed on it."""
    line = one.line
    yield Heading(line.template_id, 1)
    yield Sentence(headline(one))
    if line.checks:
        yield Heading("Failed checks")
        rows = [
            (check_words(each), "open" if each.is_open else "closed", day_of(each.since),
             day_of(each.closed_on))
            for each in line.checks
        ]  # fmt: skip
        yield Grid(("check", "state", "since", "closed"), tuple(rows), frozenset(range(4)))


def history(one: OneGroup) -> Iterator[Block]:
    """Yield what was said of the group, in order."""
    if one.events:
        yield Heading("What was said")
        rows = [
            (each.time[:16].replace("T", " "), each.by, STATE_WORDS[each.state],
             ", ".join(failed.check for failed in each.failed), shown(each.note))
            for each in one.events
        ]  # fmt: skip
        header = ("when", "by", "verdict", "failed", "note")
        yield Grid(header, tuple(rows), frozenset(range(5)))


def headline(one: OneGroup) -> str:
    """Return where the group stands, in a sentence or two."""
    line = one.line
    if one.retirement is not None:
        gone = one.retirement
        into = f", merged into {gone.merged_into}" if gone.merged_into else ""
        lives = f", now {line.lives_in}" if line.lives_in not in ("", gone.merged_into) else ""
        return (
            f"Left the bank on {gone.on}{into}{lives}, by {shown(gone.name)}:"
            f" {shown(gone.reason.rstrip('.'))}."
            f" Its file is {gone.kept_in}; its identifiers stay taken."
        )
    since = f", said on {day_of(line.since)} by {line.by}" if line.since else ""
    waits = len(line.open_checks)
    checks = f"; {waits} open check{'' if waits == 1 else 's'}" if waits else ""
    batches = f" Of batch {', '.join(line.batches)}." if line.batches else ""
    items = f"{line.items} item{'' if line.items == 1 else 's'}"
    return (
        f"{line.test_type}, {line.domain}, {items}: {STATE_WORDS[line.state]}{since}{checks}."
        f"{batches}"
    )


def changed_sentence(one: OneGroup) -> str:
    """Return why there is, or is no, difference to show; empty without a review."""
    if one.reviewed is None:
        return ""
    when = f"the review of {day_of(one.reviewed.time)}"
    if one.changed and one.changes is None:
        return (
            f"Its content is another than at {when}. What it was is not kept on this machine: look"
            " at the history of the file."
        )
    if one.changed:
        return f"Since {when}, before and after:"
    if one.line.state == "changed":
        return f"Its content is as it was at {when}; the checklist has another edition since."
    return f"Its content is as it was at {when}."


def changes_in_words(one: OneGroup) -> Iterator[Block]:
    """Yield what changed, for where no mark can be shown."""
    if one.retirement is not None or one.reviewed is None:
        return
    yield Heading("What changed since")
    yield Sentence(changed_sentence(one))
    if one.changes:
        rows = tuple(
            (shown(each.where), each.field, _in_words(each.before), _in_words(each.after))
            for each in one.changes
        )
        yield Grid(("item", "field", "before", "after"), rows, frozenset(range(4)))


def closing(one: OneGroup) -> Iterator[Block]:
    """Yield the rulings."""
    if one.rulings:
        yield Heading("Rulings")
        yield Points(tuple(_ruling(each, one.superseded) for each in one.rulings))


def _ruling(each: Ruling, superseded: Mapping[str, str]) -> str:
    by = superseded.get(each.number)
    return f"{each.number}{f' (superseded by {by})' if by else ''}: {shown(each.text)}"


def _in_words(segments: Segments) -> str:
    """Return marked text in one line: what differs stands in ``[[ ]]``."""
    parts: list[str] = []
    for each in segments:
        marked = each.mark != "same"
        text = each.text or ("…" if each.differs else "")
        parts.append(f"[[{text}]]" if marked and text else text)
    return shown("".join(parts))


def _change(each: Change) -> dict[str, Any]:
    return {
        "item": each.where or None,
        "field": each.field,
        "before": _segments(each.before),
        "after": _segments(each.after),
    }


def _segments(segments: Segments) -> list[dict[str, Any]]:
    return [
        {"text": each.text, "mark": each.mark, "note": each.note, "hidden": list(each.hidden)}
        for each in segments
    ]
