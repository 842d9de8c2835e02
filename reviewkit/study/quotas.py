"""How many of a whole come from each of its parts: pure arithmetic on whole numbers.

Every rule here hands out one place after the other, and which part comes next follows from what
the parts have so far. So a larger total never takes a place back: a sample is widened by going on
where it stopped. Largest remainder, read off afresh at every total, has no such promise (with a
larger total a part may lose a place); ``proportional`` keeps its bound, less than one place from
the exact share, and adds the promise.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from fractions import Fraction


def rounded(share: Fraction, whole: int) -> int:
    """Return that share of ``whole``, half a place counting as one."""
    return int(share * whole + Fraction(1, 2))


def proportional(available: Sequence[int], total: int, kept: Sequence[int] = ()) -> list[int]:
    """Return the places of each part, in proportion to what it has.

    From nothing, at every total each part is less than one place from its exact share; where the
    exact shares are whole numbers they are met. This is Tijdeman's rule for the chairman assignment
    problem: the next place goes to the part, among those that are behind, that would first be
    behind by a whole place.

    Args:
        available: how many each part has.
        total: how many places there are; no more than ``sum(available)`` are given.
        kept: the places that are given already and stay.
    """
    places = list(kept) or [0] * len(available)
    whole, parts = sum(available), len(available)
    total = min(total, whole)
    if parts == 1:
        return [max(places[0], total)]
    bound = 2 * parts - 2
    while (given := sum(places)) < total:
        # one pass a place; sums of ints are exact, and int / int is rounded alike everywhere
        turn, best, chosen = given + 1, 0.0, -1
        for part, (has, got) in enumerate(zip(available, places, strict=True)):
            behind = has * turn - got * whole
            if got >= has or bound * behind < whole:
                continue
            patience = ((bound - 1) * whole - bound * behind) / (bound * has)
            if chosen < 0 or patience < best:
                best, chosen = patience, part
        if chosen < 0:
            # places kept from an earlier table can leave nobody that far behind
            chosen = max(
                (part for part in range(parts) if places[part] < available[part]),
                key=lambda part: (available[part] * turn - places[part] * whole, -part),
            )
        places[chosen] += 1
    return places


def equal(available: Sequence[int], total: int, kept: Sequence[int] = ()) -> list[int]:
    """Return the places of each part, as equal as what the parts have allows.

    The next place goes to a part that has fewest, the first in order when several have.
    """
    places = list(kept) or [0] * len(available)
    queue = [(got, part) for part, got in enumerate(places) if got < available[part]]
    heapq.heapify(queue)
    for _ in range(total - sum(places)):
        if not queue:
            break
        got, part = heapq.heappop(queue)
        places[part] = got + 1
        if got + 1 < available[part]:
            heapq.heappush(queue, (got + 1, part))
    return places


def covering(
    available: Sequence[int], least: Fraction, most: Fraction, kept: Sequence[int] = ()
) -> list[int]:
    """Return places in proportion whose total lies between two shares of the whole.

    Every part that has something gets a place, so with more parts than places the total is as
    large as the number of parts. A total of no whole number between the two is the next above.
    """
    whole = sum(available)
    total = max(int(most * whole), -int(-(least * whole) // 1))
    given = kept or [0] * len(available)
    start = [max(got, min(has, 1)) for has, got in zip(available, given, strict=True)]
    return proportional(available, total, start)


def within(available: Sequence[int], least: Fraction, most: Fraction) -> list[int]:
    """Return per part the largest whole number that lies between two shares of it.

    A part too small to have one gets the next number above ``least``: better one too many than a
    part nobody looks at.
    """
    places: list[int] = []
    for has in available:
        top = int(most * has)
        bottom = -int(-(least * has) // 1)
        places.append(max(top, bottom))
    return places
