"""What is said of a freeze afterwards: retractions, amendments, deviations. All of it is public.

A frozen file is never touched. A retraction takes groups or items out of every later use and says
what the bank loses by it; an amendment adds to what was frozen; a deviation is something done
otherwise than planned. Each is a dated line of the log with a reason and an effect.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from reviewkit.bank import Bank, Group
from reviewkit.bank.load import read_whole_bank
from reviewkit.decisions import disk
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import is_blank
from reviewkit.release.freeze.building import read_groups
from reviewkit.release.freeze.facts import (
    Band,
    Counts,
    GroupFacts,
    changes_between,
    counted,
    facts_of,
    what_is_counted,
)
from reviewkit.release.freeze.files import frozen_files, only_grows, sum_of
from reviewkit.release.freeze.log import (
    AFTERWARDS,
    Freeze,
    FreezeLine,
    Kind,
    find_freeze,
    freeze_chain,
    freezes,
)
from reviewkit.release.freeze.page import afterwards_page
from reviewkit.release.guard import Piece, guard_of, people_named
from reviewkit.release.layers import layers_of
from reviewkit.release.material import Material
from reviewkit.workspace import Workspace

_WHY_NOT = {
    True: "only grows, which needs no amendment",
    False: "is no file that a freeze covers, by its path from the project folder",
}
"""Why an amendment cannot name a file, by whether it is a record."""


def retract(
    ws: Workspace,
    ids: Sequence[str],
    *,
    reason: str,
    name: str,
    effect: str = "",
    freeze_name: str | None = None,
    words: Iterable[str] = (),
) -> FreezeLine:
    """Withdraw groups or items from a freeze, publicly, and return the record with its effect.

    The files stay. What is lost per cell, in pairs, in the factorial share and in the balance of
    directions is computed from the frozen facts, after what was withdrawn before.

    Args:
        ws: the project folder.
        ids: template or item ids of the frozen bank.
        reason: why; it is public.
        name: who answers for it.
        effect: what follows beyond the counts, in words.
        freeze_name: the freeze; the last one by default.
        words: names that are words as well, and so are not sought in reason and effect.

    Raises:
        UnknownFreeze: There is no such freeze.
        ProblemsFound: An id is not in it or withdrawn already, an item's group has changed since,
            reason or name is blank, or what is said names somebody, holds words of a sealed group
            or an address. Nothing is recorded then.
    """
    made = find_freeze(ws, freeze_name)
    with disk.exclusive(ws.freezes / "freeze", ws.shown(ws.freezes)):
        made = find_freeze(ws, made.name)
        problems = _blank({"--reason": reason, "--name": name})
        problems += _unfit(ws, {"--reason": reason, "--effect": effect}, name, words)
        frozen = read_groups(made.folder / "groups.jsonl", f"{made.name}/groups.jsonl")
        known = {each.group for each in frozen}
        # the bank is read for the sake of single items alone: it may have moved on, or not load
        material = what_is_counted(ws) if any(each not in known for each in ids) else None
        found = _digests(ids, frozen, material, made.retracted, problems)
        if problems:
            raise ProblemsFound(problems)
        left = _without_items(found, frozen, material, made.retracted)
        line = _line(
            made, "retraction", name=name, reason=reason, effect=effect, ids=found, left=left
        )
        counts = made.certificate.counts
        before = made.left_of(frozen)
        rest = {each.group: each for each in left}
        after = [
            each
            for each in (rest.get(one.group, one) for one in before if one.group not in found)
            if each.items
        ]
        line["changes"] = [
            each.model_dump()
            for each in changes_between(_counted(before, counts), _counted(after, counts))
        ]
        return _append(ws, line)


def _blank(said: Mapping[str, str]) -> list[Problem]:
    return [
        Problem(option, "is blank", "say it: it is public from now on")
        for option, words in said.items()
        if is_blank(words)
    ]


def _faults(
    ws: Workspace, text: str, reason: str, effect: str, name: str, words: Iterable[str]
) -> list[Problem]:
    said = {"TEXT": text, "--reason": reason, "--effect": effect}
    return [*_blank({**said, "--name": name}), *_unfit(ws, said, name, words)]


def _unfit(
    ws: Workspace, said: Mapping[str, str], name: str, words: Iterable[str]
) -> Iterator[Problem]:
    """Yield what may not be public: the record cannot be reworded once it stands."""
    try:
        bank, _ = read_whole_bank(ws)
        named = people_named(ws, bank) | {name.strip()} - {""}
        guard = guard_of(ws, bank, layers_of(ws, bank), named, words=words)
    except ReviewkitError:
        # a withdrawal may not wait for somebody to mend a file; publication looks again
        return
    yield from guard.faults_of(Piece(option, text) for option, text in said.items())


def _digests(
    ids: Sequence[str],
    frozen: Iterable[GroupFacts],
    material: Material | None,
    taken: Mapping[str, str],
    problems: list[Problem],
) -> dict[str, str]:
    """Return id -> digest of what is withdrawn, and add what is wrong to ``problems``."""
    groups = {each.group: each.digest for each in frozen}
    present = material.groups if material else ()
    holder = {item.id: (group, item) for group in present for item in group.items}
    found: dict[str, str] = {}
    if not ids:
        problems.append(Problem("ID", "nothing is named", "name groups or items of the freeze"))
    for each in ids:
        if each in taken or each in found:
            problems.append(Problem(each, "is withdrawn already", "leave it out"))
        elif each in groups:
            found[each] = groups[each]
        elif each not in holder or holder[each][0].template_id not in groups:
            problems.append(Problem(each, "is no group and no item of the freeze", "mend the id"))
        else:
            group, item = holder[each]
            if group.template_id in taken or group.template_id in ids:
                wrong = f"its group {group.template_id} is withdrawn as a whole"
                problems.append(Problem(each, wrong, "leave it out"))
            elif groups[group.template_id] != group.digest:
                wrong = f"its group {group.template_id} is not as it was frozen any more"
                remedy = "check out the frozen bank, or withdraw the whole group"
                problems.append(Problem(each, wrong, remedy))
            else:
                found[each] = item.digest
    return found


def _without_items(
    found: Mapping[str, str],
    frozen: Iterable[GroupFacts],
    material: Material | None,
    taken: Mapping[str, str],
) -> tuple[GroupFacts, ...]:
    """Return what groups hold without the items that are withdrawn now or were before."""
    left: list[GroupFacts] = []
    known = {each.group: each for each in frozen}
    for group in material.groups if material else ():
        if not any(item.id in found for item in group.items):
            continue
        kept = [item for item in group.items if item.id not in found and item.id not in taken]
        whole = known[group.template_id]
        if not kept:
            empty = {"items": 0, "pairs": 0, "factorial": False}
            left.append(whole.model_copy(update=empty))
            continue
        fields = group.model_dump(by_alias=True, exclude_defaults=True)
        fields["items"] = [item.model_dump(by_alias=True, exclude_defaults=True) for item in kept]
        rest = Group.model_validate(fields)
        # measured alone, as it was measured among the others
        alone = replace(material, bank=Bank((rest,), material.taxonomy)) if material else None
        if alone is not None:
            left.append(facts_of(alone, rest).model_copy(update={"digest": whole.digest}))
    return tuple(left)


def _counted(facts: Sequence[GroupFacts], counts: Counts) -> Counts:
    """Return the counts of what is left, over the cells and the band of the certificate."""
    wanted = counts.factorial
    band = Band(at_least=wanted.at_least, at_most=wanted.at_most)
    return counted(facts, [each.part for each in counts.cells], band)


def amend(
    ws: Workspace,
    text: str,
    *,
    reason: str,
    effect: str,
    name: str,
    files: Sequence[str] = (),
    freeze_name: str | None = None,
    words: Iterable[str] = (),
) -> FreezeLine:
    """Record an amendment of a freeze, and return it.

    Args:
        ws: the project folder.
        text: what is amended.
        reason: why.
        effect: what follows from it.
        name: who answers for it.
        files: files of the project folder that it changes or adds, as they are now; a later
            verification names the amendment instead of an unexplained change.
        freeze_name: the freeze; the last one by default.
        words: names that are words as well, and so are not sought.

    Raises ProblemsFound when a part is blank or may not be public, or a file is none that a freeze
    covers.
    """
    problems = _faults(ws, text, reason, effect, name, words)
    covered = set(frozen_files(ws).files)
    problems += [
        Problem(each, _WHY_NOT[only_grows(each)], "name a file such as bank/plan.yaml")
        for each in files
        if each not in covered or only_grows(each)
    ]
    if problems:
        raise ProblemsFound(problems)
    return _say(ws, "amendment", text, reason, effect, name, files, freeze_name)


def record_deviation(
    ws: Workspace,
    text: str,
    *,
    reason: str,
    effect: str,
    name: str,
    freeze_name: str | None = None,
    words: Iterable[str] = (),
) -> FreezeLine:
    """Record something that was done otherwise than planned, and return the record.

    Raises ProblemsFound when a part is blank or may not be public, UnknownFreeze when there is no
    such freeze.
    """
    problems = _faults(ws, text, reason, effect, name, words)
    if problems:
        raise ProblemsFound(problems)
    return _say(ws, "deviation", text, reason, effect, name, (), freeze_name)


def _say(
    ws: Workspace, kind: Kind, text: str, reason: str, effect: str, name: str,
    files: Sequence[str], freeze_name: str | None,
) -> FreezeLine:  # fmt: skip
    made = find_freeze(ws, freeze_name)
    with disk.exclusive(ws.freezes / "freeze", ws.shown(ws.freezes)):
        digests = {each: sum_of(ws.root / each).digest for each in files}
        line = _line(made, kind, text=text, reason=reason, effect=effect, name=name)
        return _append(ws, {**line, "files": digests})


def _line(
    made: Freeze,
    kind: Kind,
    *,
    name: str,
    reason: str,
    effect: str,
    text: str = "",
    ids: Mapping[str, str] | None = None,
    left: Sequence[GroupFacts] = (),
) -> dict[str, Any]:
    return {
        "click_id": secrets.token_hex(8),
        "kind": kind,
        "freeze": made.name,
        "name": name.strip(),
        "text": text.strip(),
        "reason": reason.strip(),
        "effect": effect.strip(),
        "ids": dict(ids or {}),
        "left": [each.model_dump() for each in left],
    }


def _append(ws: Workspace, content: Mapping[str, Any]) -> FreezeLine:
    line = freeze_chain(ws).append(content)
    # the record stands on disk; a page that could not be written is written with the next one
    with suppress(OSError):
        write_pages(ws)
    return line


def write_pages(ws: Workspace) -> tuple[str, ...]:
    """Write ``AFTERWARDS.md`` of every freeze that anything was said of; return what changed."""
    written: list[str] = []
    for made in freezes(ws):
        path = made.folder / AFTERWARDS
        page = afterwards_page(made.name, made.afterwards).encode("utf-8")
        if made.afterwards and not (path.is_file() and path.read_bytes() == page):
            temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            try:
                temporary.write_bytes(page)
                temporary.replace(path)
            except OSError:
                with suppress(OSError):
                    temporary.unlink()
                raise
            written.append(ws.shown(path))
    return tuple(written)
