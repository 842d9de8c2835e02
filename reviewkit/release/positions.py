"""Where the undetermined option stands: its balance over the blocks that were drawn together.

The rows of a block share one order of their options: an ambiguous text, its disambiguated twin and
the other polarity were drawn as one. A chi-square over rows counts the same draw several times, so
it grows by the number of rows a block has, whatever the balance. The figure is therefore taken over
blocks; the row-wise one is shown beside it, named misleading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt

from reviewkit.bank import Group, Item
from reviewkit.bank.plan import Plan
from reviewkit.release.findings import Finding, of_bank
from reviewkit.release.material import Material

FEW = 5
"""Below this many expected a position, the chi-square is a rough guide only."""


@dataclass(frozen=True, slots=True)
class Uniformity:
    """Counts over positions against an even spread."""

    counts: tuple[int, ...]
    """How many times each position, from the first on."""
    chi_square: float
    freedom: int
    p: float

    @property
    def total(self) -> int:
        """What was counted."""
        return sum(self.counts)

    @property
    def is_rough(self) -> bool:
        """Whether too few are expected a position for the chi-square to be exact."""
        return self.total < FEW * len(self.counts)


def uniformity(counts: Iterable[int]) -> Uniformity | None:
    """Return Pearson's chi-square of counts against equal shares; None without a count.

    Args:
        counts: shape (positions,), at least two.

    ``sum((o - e)^2 / e)`` with ``e = n / k`` on ``k - 1`` degrees of freedom (Pearson 1900).
    """
    given = tuple(counts)
    total, places = sum(given), len(given)
    if not total or places < 2:
        return None
    # integers until the last step: no rounding in the figure itself
    chi_square = (places * sum(each * each for each in given) - total * total) / total
    return Uniformity(given, chi_square, places - 1, _beyond(chi_square, places - 1))


def _beyond(chi_square: float, freedom: int) -> float:
    """Return the share of a chi-square distribution at or beyond a value.

    The finite sums for whole degrees of freedom (Abramowitz and Stegun 1964, 26.4.4 and 26.4.5);
    loading scipy for one figure would take longer than the rest of a small audit.
    """
    half = chi_square / 2
    if freedom % 2:
        term, total = 2 * sqrt(half / pi) * exp(-half), erfc(sqrt(half))
        steps = range(3, freedom + 1, 2)
    else:
        term, total = half * exp(-half), exp(-half)
        steps = range(4, freedom + 2, 2)
    for step in steps:
        total += term
        term *= chi_square / step
    return min(1.0, total)


@dataclass(frozen=True, slots=True)
class Positions:
    """The position of the undetermined option, for items with one number of options."""

    options: int
    blocks: Uniformity
    rows: Uniformity
    """Over every row of the same blocks: the misleading one."""


def blocks_of(group: Group, material: Material) -> Iterator[tuple[Item, ...]]:
    """Yield the rows of a T2 group that were drawn together: one order of one set of options.

    A dialect twin, or a version in another language, repeats the order of its standard version and
    is no draw of its own; where there is no standard version the first stratum stands for it.
    """
    standard = material.standard(group.items) or group.items
    first = standard[0]
    drawn: dict[tuple[str, ...], list[Item]] = {}
    for item in standard:
        if (item.language, item.register_) == (first.language, first.register_):
            drawn.setdefault(item.options, []).append(item)
    yield from map(tuple, drawn.values())


def positions(material: Material) -> tuple[Positions, ...]:
    """Return the balance for every number of options that T2 items have, the smallest first.

    Blocks without exactly one undetermined option are left to the checks of keys.
    """
    per_block: dict[int, Counter[int]] = {}
    per_row: dict[int, Counter[int]] = {}
    for group in material.of_type("T2"):
        for block in blocks_of(group, material):
            at = material.undetermined.positions(block[0])
            if len(at) == 1:
                number = len(block[0].options)
                per_block.setdefault(number, Counter())[at[0]] += 1
                per_row.setdefault(number, Counter())[at[0]] += len(block)
    return tuple(
        Positions(number, blocks, rows)
        for number in sorted(per_block)
        if (blocks := _spread(per_block[number], number))
        and (rows := _spread(per_row[number], number))
    )


def _spread(counts: Mapping[int, int], options: int) -> Uniformity | None:
    return uniformity(counts.get(at, 0) for at in range(1, options + 1))


def check_positions(material: Material) -> Iterator[Finding]:
    """Yield an uneven spread of the undetermined option over the blocks."""
    alpha = (material.plan or Plan()).position_alpha / 100
    for each in positions(material):
        if each.blocks.p < alpha:
            said = f"{'/'.join(map(str, each.blocks.counts))} of {each.options} options"
            yield of_bank("position-balance", f"{said}, chi-square {each.blocks.chi_square:.3f}")
