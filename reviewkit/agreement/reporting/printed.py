"""Counts, shares, coefficients and intervals as people print them.

Every rounding takes ties away from zero, and a share of two counts is rounded from the counts. A
negative number has a hyphen, so that it can be copied into a spreadsheet from any form; only LaTeX,
which nobody copies from, sets a minus.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from reviewkit.agreement.coefficients import two_decimals
from reviewkit.agreement.measures.estimates import Estimate, Interval, Name
from reviewkit.agreement.reporting.blocks import UNDEFINED, three_decimals

IN_WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
AS_SHARE: frozenset[Name] = frozenset({"observed", "all_agree", "weighted_observed"})
"""What is printed in per cent; the others are coefficients."""
NONE = "none"


def count(n: int) -> str:
    """Return a count in figures: ``1,240``."""
    return f"{n:,}"


def in_words(n: int) -> str:
    """Return a count in words up to twelve, in figures beyond."""
    return IN_WORDS[n] if 0 <= n < len(IN_WORDS) else count(n)


def plural(word: str, n: int = 0) -> str:
    """Return an English noun as it follows ``n``; a word in another script stays as it is."""
    if n == 1 or not word or not (word[-1].isascii() and word[-1].isalpha()):
        return word
    if word.endswith("y") and word[-2:-1] not in set("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def counted(n: int, word: str) -> str:
    """Return a count with its noun: ``1 card``, ``282 cards``."""
    return f"{count(n)} {plural(word, n)}"


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence lists them: ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if words[1:] else "".join(words)


def capital(text: str) -> str:
    """Return ``text`` with its first letter large."""
    return text[:1].upper() + text[1:]


def percent(value: float) -> str:
    """Return a share in per cent with one decimal, without the sign: ``96.5``."""
    return f"{(Decimal(repr(float(value))) * 100).quantize(Decimal('0.1'), ROUND_HALF_UP):z.1f}"


def percent_of(part: int, whole: int) -> str:
    """Return ``part`` of ``whole`` in per cent, rounded from the counts themselves."""
    if not whole:
        return UNDEFINED
    return f"{(Decimal(100 * part) / whole).quantize(Decimal('0.1'), ROUND_HALF_UP)} %"


def level(confidence: float) -> str:
    """Return the level of an interval: ``95 %``."""
    return f"{float(Decimal(repr(confidence)) * 100):g} %"


def short_value(name: Name, value: float) -> str:
    """Return a figure for a sentence: ``96.5 %``, ``0.92``."""
    return f"{percent(value)} %" if name in AS_SHARE else two_decimals(value)


def ci(name: Name, interval: Interval) -> str:
    """Return an interval for a sentence: ``95 % CI 93.7 to 98.1 %``."""
    if name in AS_SHARE:
        ends = f"{percent(interval.low)} to {percent(interval.high)} %"
    else:
        ends = f"{two_decimals(interval.low)} to {two_decimals(interval.high)}"
    return f"{level(interval.confidence)} CI {ends}"


def value_cell(name: Name, value: float | None) -> str:
    """Return a figure for a table: ``96.5 %``, ``0.922``, or that it is undefined."""
    if value is None:
        return UNDEFINED
    return f"{percent(value)} %" if name in AS_SHARE else three_decimals(value)


def interval_cell(name: Name, interval: Interval | None) -> str:
    """Return an interval for a table: ``93.7 to 98.1``, ``0.871 to 0.972``."""
    if interval is None:
        return NONE
    say = percent if name in AS_SHARE else three_decimals
    return f"{say(interval.low)} to {say(interval.high)}"


def estimate_cells(estimate: Estimate | None) -> tuple[str, str]:
    """Return value and interval of an estimate; empty where it was not asked for."""
    if estimate is None:
        return "", ""
    if estimate.value is None:
        return UNDEFINED, ""
    return (
        value_cell(estimate.name, estimate.value),
        interval_cell(estimate.name, estimate.interval),
    )
