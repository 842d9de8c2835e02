"""Exact multinomial counts of resamples, at the cost of a few random bits a draw.

numpy draws a multinomial as one binomial after another, about 0.1 microseconds each whatever the
number of trials; counting drawn places costs some 5 nanoseconds a trial. Entries that are many are
drawn the first way, all others together the second way. Both ways, and their mixture, have exactly
the multinomial distribution.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MANY = 20
"""From so many on, a binomial is cheaper than drawing each."""
_KINDS = 200
"""Up to so many kinds, a binomial each is cheaper whatever their numbers."""
_CELLS = 1 << 21
"""How many counts are held at once: 16 MB."""


class Multinomial:
    """Counts of n draws with replacement out of the n things that ``times`` counts."""

    def __init__(self, times: NDArray[np.int64], *, binomials_to: int = _KINDS) -> None:
        """Take the number of things of each kind, at least one each, in descending order.

        Up to ``binomials_to`` kinds, all are drawn as binomials.
        """
        self._number = int(times.sum())
        every = len(times) <= binomials_to
        self._many = len(times) if every else int(np.count_nonzero(times > _MANY))
        few = times[self._many :]
        self._sizes = _powers_of_two(int(few.sum()))
        lumps = np.append(times[: self._many], few.sum()) if len(few) else times
        self._shares = lumps / self._number
        self._starts = None if (few == 1).all() else np.cumsum(few) - few
        self._place = np.empty(0, dtype=np.intp)
        self.rows = max(1, _CELLS // len(times))
        """How many resamples are drawn at once."""
        self._counts = np.zeros((self.rows, len(times)))

    def counts(self, rng: np.random.Generator, rows: int) -> NDArray[np.float64]:
        """Return the counts of some resamples, shape (rows, kinds); each row sums to n.

        At most ``self.rows`` at once. The array is written anew by the next call.
        """
        found = self._counts[:rows]
        drawn = rng.multinomial(self._number, self._shares, size=rows)
        found[:, : self._many] = drawn[:, : self._many]
        if self._sizes:
            self._count(rng, drawn[:, -1], found[:, self._many :])
        return found

    def _count(
        self, rng: np.random.Generator, trials: NDArray[np.int64], found: NDArray[np.float64]
    ) -> None:
        """Write how often each rare kind was drawn, for each number of trials.

        The things lie in blocks whose sizes are powers of two: how many draws fall in each block
        is multinomial, and within a block random bits are the place, without any rejection.
        """
        sizes, number = self._sizes, sum(self._sizes)
        blocks = rng.multinomial(trials, np.array(sizes) / number)
        width: Any = np.uint16 if sizes[0] <= 1 << 16 else np.uint32
        # over the whole range of the type numpy hands out the bits as they come
        bits = rng.integers(0, np.iinfo(width).max, size=trials.sum(), dtype=width, endpoint=True)
        if len(self._place) < trials.max():
            self._place = np.empty(int(trials.max()), dtype=np.intp)
        taken = 0
        for row, drawn, per_block in zip(found, trials.tolist(), blocks.tolist(), strict=True):
            places = self._place[:drawn]
            places[:] = bits[taken : taken + drawn]
            taken += drawn
            start = at = 0
            for size, inside in zip(sizes, per_block, strict=True):
                block = places[at : at + inside]
                block &= size - 1
                block += start
                start += size
                at += inside
            things = np.bincount(places, minlength=number)
            row[:] = things if self._starts is None else np.add.reduceat(things, self._starts)


def _powers_of_two(number: int) -> list[int]:
    """Return the powers of two that add up to ``number``, the largest first."""
    return [1 << bit for bit in range(number.bit_length() - 1, -1, -1) if number >> bit & 1]
