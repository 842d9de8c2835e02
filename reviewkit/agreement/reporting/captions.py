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
from reviewkit.agreement.reporting.blocks import shown
from reviewkit.agreement.reporting.methods import (
    categories_line,
    interval_rule,
    intervals_line,
    raters_line,
)
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


def of_coefficients(report: AgreementReport, part: Part, estimates: Sequence[Estimate]) -> str:
    """Return the caption of a forest plot of coefficients."""
    return _joined(
        f"Coefficients with their intervals: {shown(part.title)}.",
        _paired(part.measured),
        _missing(estimates),
        _hollow(estimates),
        _foot(report, [part.measured], estimates),
    )


def of_confusion(report: AgreementReport, part: Part, kept: int) -> str:
    """Return the caption of a confusion heat map that shows ``kept`` of the categories."""
    measured = part.measured
    q = len(measured.categories)
    both_ways = (
        f"Each two ratings of one {shown(measured.unit)}, of every pair of"
        f" {plural(report.rater_word)}, counted both ways round."
    )
    return _joined(
        f"Confusion matrix: {shown(part.title)}.",
        both_ways if len(measured.pairs) > 1 else "",
        "Blue, framed: agreement. Orange: disagreement. Each is the darker the more there is, on"
        " a scale of its own.",
        f"Shown: the {kept} of {q} categories with the most disagreements." if kept < q else "",
        _paired(measured),
        _foot(report, [measured]),
    )


def of_raters(report: AgreementReport, part: Part) -> str:
    """Return the caption of a rater-by-rater heat map."""
    unit = plural(shown(part.measured.unit))
    return _joined(
        f"{capital(plural(report.rater_word))} against each other: {shown(part.title)}. Below the"
        f" diagonal the share of equal labels in percent, above it n, the {unit} both rated.",
        "Darker: more agreement. A dash: none in common.",
        _foot(report, [part.measured]),
    )


def of_shares(report: AgreementReport, part: Part, kept: int) -> str:
    """Return the caption of a plot of label shares that shows ``kept`` of the categories."""
    measured = part.measured
    q = len(measured.categories)
    sizes = [each.n for each in measured.shares if each.n]
    n = _range(sizes)
    return _joined(
        f"How often each {report.rater_word} gave each label: {shown(part.title)}. Shares of the"
        f" {report.rater_word}'s own ratings (n {n}).",
        f"Shown: the {kept} most frequent of {q} categories." if kept < q else "",
        "No intervals: these are the labels given.",
        _foot(report, [measured]),
    )


def of_parts(
    report: AgreementReport,
    parts: Sequence[Part],
    name: str,
    estimates: Sequence[Estimate],
    every: int,
) -> str:
    """Return the caption of a plot of parts beside each other, some of ``every`` one."""
    measured = [part.measured for part in parts]
    units = listed(sorted({plural(shown(each.unit)) for each in measured}))
    return _joined(
        f"Agreement by {name}; n: {units} with two or more ratings.",
        f"Shown: the {len(parts)} of {every} with the least agreement."
        if len(parts) < every
        else "",
        _missing(estimates),
        _hollow(estimates),
        _foot(report, measured, estimates),
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
        f"n: {_range([each.paired for each in measured])} answered by two or more.",
        _missing(estimates),
        _hollow(estimates),
        _foot(report, measured, estimates),
    )


def of_time(report: AgreementReport, points: Sequence[Point]) -> str:
    """Return the caption of the course of agreement."""
    intervals = [each.interval for each in points if each.interval is not None]
    rules = listed(list(dict.fromkeys(map(interval_rule, intervals))))
    rule = f"{level(intervals[0].confidence)} CI: {rules}" if intervals else "no intervals"
    who = raters_line([report.parts[0].measured], report.rater_word)
    few = any(0 < each.n < FEW_PAIRS for each in points)
    return _joined(
        "Observed agreement in the order of judging; n: units with two or more ratings in each"
        f" stretch, {count(sum(each.n for each in points))} in all.",
        f"Hollow: fewer than {FEW_PAIRS}, insufficient." if few else "",
        f"{capital(who)}; {rule}; reviewkit {report.version}.",
    )


def size(measured: Measured) -> str:
    """Return how many units carry the figures of a row: ``n 282``."""
    few = "" if measured.paired >= FEW_PAIRS else ", insufficient"
    return f"n {count(measured.paired)}{few}"


def values_in_words(estimates: Iterable[Estimate]) -> str:
    """Return each coefficient with its interval, or that it is undefined and why."""
    return f"{'; '.join(map(_in_words, estimates))}."


def _in_words(estimate: Estimate) -> str:
    said = f"{shown(estimate.title)} {value_cell(estimate.name, estimate.value)}"
    if estimate.value is None:
        return f"{said}: {shown(estimate.why)}"
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


def _paired(measured: Measured) -> str:
    units = counted(measured.rows, shown(measured.unit))
    return f"n: {count(measured.paired)} of {units} with two or more ratings."


def _range(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _missing(estimates: Iterable[Estimate]) -> str:
    """Return what becomes of missing ratings, each rule with the figures that it holds for."""
    rules: dict[str, list[str]] = {}
    for each in estimates:
        names = rules.setdefault(each.missing, [])
        names += [name] if (name := shown(each.short)) not in names else []
    rules.pop("", None)
    if not rules:
        return ""
    several = len(rules) > 1
    told = (f"{rule} ({listed(names)})" if several else rule for rule, names in rules.items())
    return f"Missing ratings: {'; '.join(told)}."


def _hollow(estimates: Iterable[Estimate]) -> str:
    few = any(each.insufficient and each.value is not None for each in estimates)
    return f"Hollow: fewer than {FEW_PAIRS} units, insufficient for a claim." if few else ""


def _foot(
    report: AgreementReport, measured: Sequence[Measured], estimates: Sequence[Estimate] = ()
) -> str:
    """Return who rated, over which categories, how intervals were made, and by which version."""
    told = [raters_line(measured, report.rater_word), categories_line(measured)]
    told += [intervals_line(estimates)] if estimates else []
    return f"{capital('; '.join(told))}; reviewkit {report.version}."


def _joined(*sentences: str) -> str:
    return " ".join(each for each in sentences if each)
