"""Takes a group out of the bank, for good: retired, or merged into another group.

The record comes first and the file moves after it, so that a crash in between leaves a group that
is on record as retired and still stands in the bank: ``retire`` once more finishes the move, and
``reviewkit check`` says so until then. What leaves the bank lies in ``bank/retired/``, unchanged.
"""

from __future__ import annotations

import json
import os
import secrets
import textwrap
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from reviewkit.agreement.reporting.blocks import shown
from reviewkit.bank import Bank, Group, render_group
from reviewkit.bank.load import read_whole_bank
from reviewkit.decisions import disk
from reviewkit.decisions.retirements import (
    NAME_LIMIT,
    REASON_LIMIT,
    Retirement,
    identifiers_taken,
    retired,
    retired_groups,
    retirement_chain,
    verify_retirements,
)
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import is_blank
from reviewkit.workspace import Workspace

__all__ = [
    "CannotRetire", "IdentifierTaken", "Retirement", "identifiers_taken", "must_be_free", "retire",
    "retired", "retired_groups", "retirement_faults", "successor_of", "verify_retirements",
]  # fmt: skip


_LOCK_SECONDS = 120.0
"""A bank of many thousands of groups is read under the lock."""
_REASON_SHOWN = 200
"""So much of a reason stands in a message; the whole stands in the list."""


class CannotRetire(ReviewkitError):
    """The group cannot leave the bank as it is asked."""


class IdentifierTaken(ReviewkitError):
    """An identifier belonged to a group that left the bank."""


def retire(
    ws: Workspace,
    template_id: str,
    *,
    reason: str,
    name: str,
    merged_into: str | None = None,
    on: str | None = None,
) -> Retirement:
    """Record that a group leaves the bank, move its file to ``bank/retired/``, return the record.

    A group that is on record already, and whose file a crash left behind, is moved and its record
    returned.

    Args:
        ws: The project folder.
        template_id: The group.
        reason: Why it leaves; it is listed for ever.
        name: Who answers for it.
        merged_into: The group of the bank that takes over what is sound in it.
        on: The day, today in UTC by default.

    Raises:
        ProblemsFound: With everything that is wrong with what was asked; nothing is done then.
        CannotRetire: When the group left before, or something lies where its file would go.
        CannotWrite, LedgerBroken: When the record cannot be written or read.
    """
    # one at a time: two that move lines out of one file would each put the other's back
    place = ws.private / "retirement"
    with disk.exclusive(place, ws.shown(ws.retirements), _LOCK_SECONDS):
        return _retire(ws, template_id, reason, name, merged_into, on)


def _retire(
    ws: Workspace, template_id: str, reason: str, name: str, merged_into: str | None, on: str | None
) -> Retirement:
    bank, _unreadable = read_whole_bank(ws)
    before = next((each for each in retired(ws) if each.template_id == template_id), None)
    group = next((each for each in bank.groups if each.template_id == template_id), None)
    if before is not None:
        return _finished(ws, before, group)
    day = datetime.now(UTC).date().isoformat() if on is None else on
    problems = list(_wrong(ws, bank, template_id, merged_into, reason, name, day))
    if problems or group is None:
        raise ProblemsFound(problems)
    kept = ws.retired / f"{template_id}.yaml"
    _must_be_clear(ws, kept)
    line = retirement_chain(ws).append(
        {
            "click_id": secrets.token_hex(8),
            "template_id": template_id,
            "test_type": group.test_type,
            "domain": group.domain,
            "item_ids": [item.id for item in group.items],
            "group_digest": group.digest,
            "kept_in": ws.shown(kept),
            "merged_into": merged_into or "",
            "reason": reason.strip(),
            "name": name.strip(),
            "on": day,
        }
    )
    _move(ws, group, kept)
    return line


def _wrong(
    ws: Workspace, bank: Bank, template_id: str, merged_into: str | None, reason: str, name: str,
    day: str,
) -> Iterable[Problem]:  # fmt: skip
    known = {group.template_id for group in bank.groups}
    if template_id not in known:
        yield Problem("group", *_unknown(template_id, known))
    if merged_into == template_id:
        yield Problem("merged_into", f"{template_id} is itself", "name another group")
    elif merged_into in retired_groups(ws):
        yield Problem("merged_into", f"{merged_into} left the bank before", "name a live group")
    elif merged_into is not None and merged_into not in known:
        yield Problem("merged_into", *_unknown(merged_into, known))
    for option, words, limit in (("reason", reason, REASON_LIMIT), ("name", name, NAME_LIMIT)):
        if is_blank(words):
            yield Problem(option, "is blank", "say it: it is listed for ever")
        elif len(words.strip()) > limit:
            wrong = f"has {len(words.strip()):,} characters and may have {limit:,}"
            yield Problem(option, wrong, "say it in fewer words")
    if not _is_day(day):
        yield Problem("on", f"{day!r} is no day", "write it as 2026-11-30")


def _is_day(text: str) -> bool:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date().isoformat() == text
    except ValueError:
        return False


def _must_be_clear(ws: Workspace, kept: Path) -> None:
    if os.path.lexists(kept):
        raise CannotRetire(
            f"{ws.shown(kept)} is there already and is not the group's file; move it away, then"
            " retire the group again"
        )


def _unknown(name: str, known: Iterable[str]) -> tuple[str, str]:
    near = get_close_matches(name, list(known), n=1)
    remedy = f"did you mean {near[0]}?" if near else "name a group of the bank"
    return f"the bank has no group {name!r}", remedy


def _finished(ws: Workspace, before: Retirement, group: Group | None) -> Retirement:
    """Finish the move of a group that is on record as retired."""
    if group is None:
        raise CannotRetire(
            f"{before.template_id} left the bank on {before.on}; its file is {before.kept_in}:"
            " there is nothing more to do"
        )
    if group.digest != before.group_digest:
        raise CannotRetire(
            f"{before.template_id} left the bank on {before.on} with another content than"
            f" {group.source} has now; give the new group another id"
        )
    _move(ws, group, ws.root / before.kept_in)
    return before


def _move(ws: Workspace, group: Group, kept: Path) -> None:
    """Move a group's file, or its lines of a file of many groups."""
    source = ws.root / group.source
    kept.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix.lower() != ".jsonl":
        _must_be_clear(ws, kept)
        source.replace(kept)
    else:
        # the copy is whole before the lines go: a crash in between loses nothing
        _write(kept, render_group(group).encode())
        _write(source, _without(source, group))
    for folder in (kept.parent, source.parent):
        with suppress(OSError):
            disk.sync_folder(folder)


def _without(source: Path, group: Group) -> bytes:
    """Return the lines of a file that are not of the group, as they are.

    A line ends with a newline alone: a text may hold any other character that breaks lines.
    """
    kept: list[bytes] = []
    for line in source.read_bytes().splitlines(keepends=True):
        try:
            named = json.loads(line).get("template_id") if line.strip() else None
        except (ValueError, AttributeError):
            named = None
        if named != group.template_id:
            kept.append(line)
    return b"".join(kept)


def _write(path: Path, content: bytes) -> None:
    # one name under the lock: what a crash left behind is written over and not left for ever
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def successor_of(template_id: str, gone: Iterable[Retirement]) -> str:
    """Return the group that holds what was sound in a retired one now; empty when none does."""
    into = {each.template_id: each.merged_into for each in gone}
    at = into.get(template_id, "")
    while at in into:
        at = into[at]
    return at


def must_be_free(ws: Workspace, names: Iterable[str]) -> None:
    """Raise IdentifierTaken when one of the names belonged to a group that left the bank."""
    taken = _taken(retired(ws))
    for name in names:
        if (by := taken.get(name.casefold())) is not None:
            raise IdentifierTaken(f"{_why(by, name)}; choose another id")


def _taken(gone: Iterable[Retirement]) -> dict[str, Retirement]:
    """Return every identifier that stays taken, whatever the case of its letters.

    Where two names differ by case alone, people read one, and some disks keep one file.
    """
    return {name.casefold(): each for each in gone for name in each.identifiers}


def retirement_faults(ws: Workspace, bank: Bank) -> list[Problem]:
    """Return what stands in the bank although it left, and what lies in ``bank/retired/`` unasked.

    Raises LedgerBroken when the record of retirements is damaged.
    """
    lines = retired(ws)
    taken = _taken(lines)
    by_id = {each.template_id: each for each in lines}
    problems: list[Problem] = []
    for group in bank.groups:
        place = bank.places.get(group.template_id)
        where = place(("template_id",)) if place else group.source or group.template_id
        before = by_id.get(group.template_id)
        if before is not None and before.group_digest == group.digest:
            wrong = (
                f"{group.template_id} is on record as retired on {before.on}, and its file stays"
            )
            remedy = f"`reviewkit retire {group.template_id}` finishes the move"
            problems.append(Problem(where, wrong, remedy))
            continue
        names = (group.template_id, *(item.id for item in group.items))
        problems += [
            Problem(where, _why(taken[name.casefold()], name), "choose another id")
            for name in names
            if name.casefold() in taken
        ]
    problems += _unasked(ws, {each.kept_in for each in lines})
    return problems


def _unasked(ws: Workspace, known: set[str]) -> Iterable[Problem]:
    folder = ws.retired
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.suffix.lower() in (".yaml", ".yml", ".jsonl") and ws.shown(path) not in known:
            if path.name.startswith("."):
                continue
            yield Problem(
                ws.shown(path), "lies among the retired groups and no record says why",
                f"move it back to {ws.shown(ws.groups)}/ and use `reviewkit retire`",
            )  # fmt: skip


def _why(by: Retirement, name: str) -> str:
    """Return what took a name along; what was written is cut and put on one line."""
    own = next(each for each in by.identifiers if each.casefold() == name.casefold())
    as_it_was = name if own == name else f"{name} is {own} in another case, which"
    whose = "left the bank" if own == by.template_id else f"left the bank with {by.template_id}"
    into = f", merged into {by.merged_into}" if by.merged_into else ""
    reason = shown(textwrap.shorten(by.reason, _REASON_SHOWN, placeholder=" …"))
    return f"{as_it_was} {whose} on {by.on}{into} ({reason}), and an id is never used twice"
