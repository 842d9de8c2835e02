"""Which groups are sealed: a seeded draw of whole groups, a stratum at a time. Pure.

Groups that would give each other away are one part: they share a template, a text, or a prompt. In
every stratum (test type, domain, band) parts are taken in the order of the SHA-256 of their names
with the seed, until the items sealed there are as few as they can be and still at least the share.
Nothing is left to a random generator's state, so the same parts and seed give the same draw on any
machine.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reviewkit.bank import Group, Item
from reviewkit.bank.folding import fold
from reviewkit.cards.stubs import is_stub
from reviewkit.cards.twins import PLACEHOLDER
from reviewkit.release.reading import words_in

Layer = Literal["public", "sealed"]
FEWEST_HELD = 6
"""So many words a text must have for a longer one that holds it to give it away."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One group, as the draw sees it."""

    id: str
    stratum: str
    items: int
    tied_to: str
    """The name of the part it belongs to: the first id of those it is tied to, or its own."""
    layer: Layer | None = None
    """What it must be, because it was published so or is tied to a group that was drawn."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What earlier draws left in one stratum."""

    items: int = 0
    sealed: int = 0


def stratum_of(group: Group) -> str:
    """Return test type, domain and band of a group: ``T3/valley/civic``, ``T1/valley/-``."""
    return "/".join((group.test_type, group.domain, group.sensitivity_level or "-"))


def draw(
    units: Iterable[Unit], kept: Mapping[str, Kept], *, seed: str, share: int
) -> dict[str, Layer]:
    """Return the layer of every unit.

    Args:
        units: The groups to draw, those whose layer is fixed included.
        kept: Stratum -> what earlier draws left in it; it counts towards the share.
        seed: Any text.
        share: The share of the items of every stratum that is to be sealed, in percent.
    """
    parts: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        parts[unit.tied_to].append(unit)
    sizes = {name: _items_by_stratum(part) for name, part in parts.items()}
    decided: dict[str, Layer] = {}
    for name, part in parts.items():
        fixed: Layer | None = next((unit.layer for unit in part if unit.layer is not None), None)
        if fixed is not None:
            decided[name] = fixed
    order = sorted(parts, key=lambda name: (_place(seed, name), name))
    within: dict[str, list[str]] = defaultdict(list)
    for name in order:
        for stratum in sizes[name]:
            within[stratum].append(name)
    for stratum in sorted(within):
        names = within[stratum]
        before = kept.get(stratum, Kept())
        total = before.items + sum(sizes[name][stratum] for name in names)
        have = before.sealed + sum(
            sizes[name][stratum] for name in names if decided.get(name) == "sealed"
        )
        free = [name for name in names if name not in decided]
        wanted = at_least(total, share) - have
        for at in fewest([sizes[name][stratum] for name in free], wanted):
            decided[free[at]] = "sealed"
    return {
        unit.id: unit.layer or decided.get(name, "public")
        for name, part in parts.items()
        for unit in part
    }


def at_least(total: int, share: int) -> int:
    """Return the smallest whole number that is ``share`` percent of ``total`` or more."""
    return -(-total * share // 100)


def fewest(sizes: Sequence[int], wanted: int) -> list[int]:
    """Return which of the sizes, by position, to take for a sum of ``wanted`` or the next above.

    The sum is the smallest that any choice gives; of the choices that give it, early positions are
    taken first. All are taken when they do not suffice.
    """
    if wanted <= 0:
        return []
    if sum(sizes) <= wanted:
        return list(range(len(sizes)))
    reachable = 1
    for size in sizes:
        reachable |= reachable << size
    above = reachable >> wanted
    target = wanted + (above & -above).bit_length() - 1
    # the longest beginning that still leaves a rest of later sizes to fill the gap exactly
    sums, first = [0], 0
    for size in sizes:
        if sums[-1] + size > target:
            break
        sums.append(sums[-1] + size)
        first += 1
    while True:
        gap = target - sums[first]
        chosen = _exactly(sizes, first, gap)
        if chosen is not None:
            return [*range(first), *chosen]
        first -= 1


def _exactly(sizes: Sequence[int], start: int, gap: int) -> list[int] | None:
    """Return positions from ``start`` on whose sizes make up ``gap``; None when none do."""
    mask = (1 << (gap + 1)) - 1
    sums = [1] * (len(sizes) - start + 1)
    for at in range(len(sizes) - 1, start - 1, -1):
        later = sums[at - start + 1]
        sums[at - start] = (later | later << sizes[at]) & mask
    if not sums[0] >> gap & 1:
        return None
    chosen: list[int] = []
    for at in range(start, len(sizes)):
        if gap >= sizes[at] and sums[at - start + 1] >> (gap - sizes[at]) & 1:
            chosen.append(at)
            gap -= sizes[at]
    return chosen


def _items_by_stratum(part: Iterable[Unit]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for unit in part:
        counts[unit.stratum] += unit.items
    return dict(counts)


def _place(seed: str, name: str) -> str:
    text = f"{seed}|seal|{name}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# What ties groups --------------------------------------------------------------------------------


def ties(groups: Iterable[Group]) -> dict[str, str]:
    """Return template id -> the first id of the groups it shares a template or a text with.

    Spelling does not matter: case, marks, tatweel, white space, composed and decomposed letters.
    Two framing groups with one event and one prompt share a text, and so do groups of which one
    holds a text of the other within a longer one. Question and options of a choice are no text of
    their own: many groups may ask the same.
    """
    above: dict[str, str] = {}

    def root(name: str) -> str:
        while above.setdefault(name, name) != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    def tie(name: str, another: str) -> None:
        one, other = root(name), root(another)
        above[max(one, other)] = min(one, other)

    holder: dict[str, str] = {}
    owner: dict[tuple[str, ...], str] = {}
    every = sorted(groups, key=lambda group: group.template_id)
    for group in every:
        for key in set(shared_keys(group)):
            tie(holder.setdefault(key, group.template_id), group.template_id)
        for text in own_texts(group):
            owner.setdefault(tuple(words_in(text)), group.template_id)
    for inner, outer in _held_within(owner):
        tie(owner[inner], owner[outer])
    return {group.template_id: root(group.template_id) for group in every}


def own_texts(group: Group) -> Iterator[str]:
    """Yield the texts that are a group's own: template, prompts and contexts, no stubs."""
    texts = [group.base_text, *(text for item in group.items for text in (item.text, item.context))]
    yield from (text for text in texts if text and not is_stub(text))


def _held_within(
    texts: Collection[tuple[str, ...]],
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield every text of ``FEWEST_HELD`` words or more, with each longer one that it stands in."""
    by_start: dict[tuple[str, ...], dict[int, set[tuple[str, ...]]]] = {}
    for words in texts:
        if len(words) >= FEWEST_HELD:
            lengths = by_start.setdefault(words[:FEWEST_HELD], {})
            lengths.setdefault(len(words), set()).add(words)
    for words in texts:
        for at, start in enumerate(zip(*(words[n:] for n in range(FEWEST_HELD)), strict=False)):
            for length, known in by_start.get(start, {}).items():
                part = words[at : at + length]
                if length < len(words) and part in known:
                    yield part, words


def shared_keys(group: Group) -> Iterator[str]:
    """Yield the templates and texts of a group in the form in which two groups share one."""
    if group.base_text and not is_stub(group.base_text):
        yield _spelled(group.base_text)
    for item in group.items:
        yield from _keys_of(item)


def _keys_of(item: Item) -> Iterator[str]:
    for text in (item.text, item.context):
        if not text or is_stub(text):
            continue
        yield _spelled(text)
        if item.swapped_value and item.swapped_value in text:
            # the same template with other values
            yield _spelled(text.replace(item.swapped_value, PLACEHOLDER))


def _spelled(text: str) -> str:
    return " ".join(fold(text).split())
