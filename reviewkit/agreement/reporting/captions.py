"""What stands below a plot, and what is read out in its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reviewkit.agreement.measures.estimates import (
    FEW_PAIRS,
    Estimate,
    Measured,
    RaterPair,
    RaterShare,
)
from reviewkit.agreement.reporting.blocks import prose, shown
from reviewkit.agreement.reporting.methods import interval_rule, intervals_line, none_missing
from reviewkit.agreement.reporting.model import AgreementReport, Part, Point
from reviewkit.agreement.reporting.printed import (
    capital,
    count,
    counted,
    interval_cell,
    level,
    listed,
    percent_of,
    plural,
    value_cell,
)
from reviewkit.agreement.reporting.sufficiency import too_few


def of_coefficients(report: AgreementReport, part: Part, estimates: Sequence[Estimate]) -> str:
    """Return the caption of a forest plot of coefficients."""
    return _joined(_foot(report, [part.measured], estimates), _hollow([part.measured]))


def of_confusion(report: AgreementReport, part: Part, kept: int) -> str:
    """Return the caption of a confusion heat map that shows ``kept`` of the categories."""
    measured = part.measured
    q = len(measured.categories)
    both_ways = (
        f"Each two ratings of one {shown(measured.unit)}, of every pair of"
        f" {plural(report.rater_word)}, counted both ways round."
    )
    return _joined(
        "Framed, blue: agreement; orange: disagreement. Stronger: more, each on its own scale.",
        both_ways if len(measured.pairs) > 1 else "",
        f"Shown: the {kept} of {q} categories with the most disagreements." if kept < q else "",
        _foot(report, [measured]),
    )


def of_raters(report: AgreementReport, part: Part) -> str:
    """Return the caption of a rater-by-rater heat map."""
    unit = plural(shown(part.measured.unit))
    return _joined(
        f"Below the diagonal the share of equal labels in percent, above it n, the {unit} both"
        " rated. Stronger: more agreement. A dash: none in common.",
        _foot(report, [part.measured]),
    )


def of_shares(report: AgreementReport, part: Part, kept: int) -> str:
    """Return the caption of a plot of label shares that shows ``kept`` of the categories."""
    measured = part.measured
    q = len(measured.categories)
    n = _range([each.n for each in measured.shares if each.n])
    return _joined(
        f"Shares of each {report.rater_word}'s own ratings, n {n}; no intervals.",
        f"Shown: the {kept} most frequent of {q} categories." if kept < q else "",
        _who(report, [measured]),
    )


def of_parts(
    report: AgreementReport,
    parts: Sequence[Part],
    estimates: Sequence[Estimate],
    every: int,
) -> str:
    """Return the caption of a plot of parts beside each other, some of ``every`` one."""
    measured = [part.measured for part in parts]
    return _joined(
        f"Shown: the {len(parts)} of {every} with the least agreement."
        if len(parts) < every
        else "",
        _foot(report, measured, estimates),
        _hollow(measured),
    )


def of_checks(
    report: AgreementReport, parts: Sequence[Part], kept: int, estimates: Sequence[Estimate]
) -> str:
    """Return the caption of the plot of checks, ``kept`` of them named."""
    measured = [part.measured for part in parts]
    return _joined(
        f"Observed agreement on {counted(len(parts), 'check')}, the highest first. On top all of"
        " them, a line per nature: two heaps are two kinds of checks, and their mean is neither.",
        f"Named below: the {kept} with the least agreement." if kept < len(parts) else "",
        _foot(report, measured, estimates),
        _hollow(measured),
    )


def of_time(report: AgreementReport, points: Sequence[Point]) -> str:
    """Return the caption of the course of agreement."""
    intervals = [each.interval for each in points if each.interval is not None]
    rules = listed(list(dict.fromkeys(map(interval_rule, intervals))))
    rule = f"CI: {level(intervals[0].confidence)}, {rules}" if intervals else "no intervals"
    few = any(0 < each.n < FEW_PAIRS for each in points)
    n = count(sum(each.n for each in points))
    part = report.told_over_time
    unit = plural(shown(part.measured.unit))
    return _joined(
        f"{capital(shown(part.title))}: observed agreement in the order of judging; n {n} {unit} in"
        f" all, that of each stretch below it; {rule}; {_who(report, [part.measured])}",
        f"Hollow: fewer than {FEW_PAIRS} in a stretch, insufficient." if few else "",
    )


def size(measured: Measured) -> str:
    """Return how many units carry the figures of a row: ``n 282``."""
    return f"n {count(measured.paired)}{', insufficient' * bool(too_few(measured))}"


def values_in_words(estimates: Iterable[Estimate]) -> str:
    """Return each coefficient with its interval, or that it is undefined and why."""
    return f"{'; '.join(map(_in_words, estimates))}."


def _in_words(estimate: Estimate) -> str:
    said = f"{shown(estimate.title)} {value_cell(estimate.name, estimate.value)}"
    if estimate.value is None:
        return f"{said}: {prose(estimate.why)}"
    if estimate.interval is None:
        return said
    return f"{said} ({interval_cell(estimate.name, estimate.interval)})"


def confusion_in_words(
    table: Sequence[Sequence[int]], categories: Sequence[str], rows: str, columns: str
) -> str:
    """Return how many lie on the diagonal and which disagreement is the most frequent."""
    places = range(len(table))
    same, whole = sum(table[at][at] for at in places), sum(map(sum, table))
    told = (
        f"Confusion matrix; rows: {shown(rows)}, columns: {shown(columns)}. {count(same)} of"
        f" {count(whole)} agree"
    )
    most, i, j = max(
        ((table[i][j], -i, -j) for i in places for j in places if i != j), default=(0, 0, 0)
    )
    if most:
        one, other = shown(categories[-i]), shown(categories[-j])
        told += f"; the most frequent difference is {one} against {other}, {count(most)}"
    return f"{told}."


def raters_in_words(pairs: Sequence[RaterPair]) -> str:
    """Return the two pairs of raters that agree most and least."""
    known = sorted((pair for pair in pairs if pair.n), key=lambda pair: -pair.agree / pair.n)
    if not known:
        return "No two of them rated the same unit."
    told = (
        f"{word}: {shown(pair.one)} and {shown(pair.other)}, {percent_of(pair.agree, pair.n)}"
        for word, pair in (("most", known[0]), ("least", known[-1]))
    )
    return f"Agreement of each two; {'; '.join(told)}."


def shares_in_words(
    given: Sequence[RaterShare], categories: Sequence[str], order: Sequence[int]
) -> str:
    """Return how often the first raters gave the most frequent labels."""
    told = (
        f"{shown(categories[at])}: "
        + ", ".join(
            f"{shown(each.rater)} {percent_of(each.counts[at], each.n)}" for each in given[:6]
        )
        for at in order
    )
    return f"Share of each label. {'; '.join(told)}."


def parts_in_words(parts: Sequence[Part]) -> str:
    """Return the observed agreement of each part."""
    told = [
        f"{shown(part.title)} {value_cell('observed', found.value)}"
        for part in parts
        if (found := part.measured.find("observed")) is not None
    ]
    return f"Observed agreement: {'; '.join(told)}."


def checks_in_words(parts: Sequence[Part]) -> str:
    """Return the checks with the most and the least agreement; ``parts`` come in that order."""
    first, last = (
        f"{shown(part.title)} with {percent_of(part.measured.agree, part.measured.paired)}"
        for part in (parts[0], parts[-1])
    )
    return f"Agreement on {counted(len(parts), 'check')}, from {first} down to {last}."


def time_in_words(points: Sequence[Point]) -> str:
    """Return the agreement of each stretch."""
    told = (f"{shown(each.label)} {percent_of(each.agree, each.n)}" for each in points if each.n)
    return f"Observed agreement over time: {'; '.join(told)}."


def _range(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _hollow(measured: Iterable[Measured]) -> str:
    """Return what a hollow mark means, where there is one."""
    whys = dict.fromkeys(why for each in measured if (why := too_few(each)))
    return f"Hollow: insufficient, {prose(' or '.join(whys))}." if whys else ""


def _foot(
    report: AgreementReport, measured: Sequence[Measured], estimates: Sequence[Estimate] = ()
) -> str:
    """Return n, how intervals were made, who rated over how many categories, and the version."""
    told = [_n(measured), *([intervals_line(estimates)] if estimates else [])]
    return f"{'; '.join(told)}; {_who(report, measured)}"


def _n(measured: Sequence[Measured]) -> str:
    if len(measured) > 1:
        units = listed(sorted({plural(shown(each.unit)) for each in measured}))
        return f"n {_range([each.paired for each in measured])} {units} with two or more ratings"
    (alone,) = measured
    units = counted(alone.rows, shown(alone.unit))
    return f"n {count(alone.paired)} of {units} with two or more ratings"


def _who(report: AgreementReport, measured: Sequence[Measured]) -> str:
    """Return how many raters and categories there are, and the version; names are in the tables."""
    names = {name for each in measured for name in each.raters}
    told = [counted(len(names), report.rater_word)] if names else []
    lists = {len(each.categories) for each in measured}
    told += [f"q = {next(iter(lists))}"] if len(lists) == 1 and lists != {0} else []
    missing = "" if none_missing(measured) else "missing ratings as told under Method"
    return f"{'; '.join(filter(None, (*told, missing, f'reviewkit {report.version}')))}."


def _joined(*sentences: str) -> str:
    return " ".join(each for each in sentences if each)
