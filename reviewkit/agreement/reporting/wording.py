"""The sentences of the report: what the figures say, before any table.

A sentence claims no more than its interval. Kappa never stands without what keeps it from being
misread, and a figure that does not exist is a sentence with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewkit.agreement.measures.estimates import FEW_PAIRS, Estimate, Measured
from reviewkit.agreement.reporting.blocks import shown
from reviewkit.agreement.reporting.model import AgreementReport, Differs, Part
from reviewkit.agreement.reporting.printed import (
    AS_SHARE,
    capital,
    ci,
    count,
    counted,
    in_words,
    listed,
    percent,
    percent_of,
    plural,
    short_value,
)

MOST_SENTENCES = 8
TOLD_ELSEWHERE = frozenset({"few", "no_second"})
"""Remarks that the first sentence tells already."""


def main_parts(report: AgreementReport) -> tuple[Part, ...]:
    """Return the whole; of a report without one, every part of the first one's kind."""
    first = report.parts[0]
    return (first,) if first.kind == "whole" else report.of_kind(first.kind)


def collapses_of(report: AgreementReport, part: Part) -> tuple[Part, ...]:
    """Return the collapses of a part; one that names no part is of the first."""
    alone = part.id == report.parts[0].id
    return tuple(
        each for each in report.of_kind("collapse") if each.of == part.id or (alone and not each.of)
    )


def headline(report: AgreementReport) -> tuple[str, ...]:
    """Return the sentences that a reader takes away: the whole, its collapses, the checks pooled.

    A report without a whole has a sentence for each of its first ``MOST_SENTENCES`` parts.
    """
    mains = main_parts(report)
    word = report.rater_word
    told: list[str] = []
    for part in mains[:MOST_SENTENCES]:
        alone = len(mains) == 1
        sentence = part_sentence(part.measured, word, again=not alone)
        told.append(sentence if alone else f"{capital(shown(part.title))}: {sentence}")
        # what was read says already how many units have two ratings
        told += [] if report.understood else [coverage(part.measured)]
        told += [
            f"{capital(shown(each.title))}{_classes(each)}:"
            f" {part_sentence(each.measured, word, again=True)}"
            for each in collapses_of(report, part)
        ]
    told += [
        f"{capital(shown(each.title))}: {part_sentence(each.measured, word, again=True)}"
        for each in report.of_kind("pooled")
    ]
    return tuple(each for each in told if each)


def part_sentence(measured: Measured, rater_word: str = "rater", *, again: bool = False) -> str:
    """Return what one set of ratings says in one sentence; ``again``: not the first of a list."""
    if not measured.paired:
        rated = counted(measured.rated, measured.unit)
        having = f" ({rated} with a rating)" if measured.rated else ""
        return f"No {measured.unit} has two ratings, so there is no agreement to speak of{having}."
    told = _two(measured, rater_word) if _is_two(measured) else _many(measured, rater_word)
    told += "".join(f"; {_coefficient(each)}" for each in _main(measured))
    told += "."
    if measured.paired < FEW_PAIRS:
        told += (
            f" Insufficient: {counted(measured.paired, measured.unit)} with two ratings are fewer"
            f" than {FEW_PAIRS} and support no claim."
        )
    return told[0].lower() + told[1:] if again else told


def _main(measured: Measured) -> list[Estimate]:
    """Return the coefficients of the sentence: kappa, alpha, and what was asked for beside them.

    Cohen's kappa for two raters, Fleiss' and alpha for more; a scale that is no mere list of names
    has its weighted kappa and its own alpha.
    """
    wanted = {"kappa"} if measured.find("kappa") else {"fleiss", "alpha"}
    return [
        each
        for each in measured.estimates
        if each.name in wanted
        or each.name == "weighted_kappa"
        or (each.name == "alpha" and each.weights not in {"", "nominal"})
    ]


def _is_two(measured: Measured) -> bool:
    if measured.raters:
        return len(measured.raters) == 2
    return max((times for times, _ in measured.per_unit), default=0) == 2


def _two(measured: Measured, rater_word: str) -> str:
    who = f"Two {plural(rater_word)} agreed" if measured.raters else "Both ratings agree"
    told = (
        f"{who} on {count(measured.agree)} of {counted(measured.paired, measured.unit)},"
        f" {percent_of(measured.agree, measured.paired)}"
    )
    return told + _interval_of(measured.find("observed"))


def _many(measured: Measured, rater_word: str) -> str:
    observed, every = measured.find("observed"), measured.find("all_agree")
    who = len(measured.raters)
    by = (
        f"{capital(in_words(who))} {plural(rater_word, who)}"
        if who
        else capital(plural(rater_word))
    )
    rated = counted(measured.rated, measured.unit)
    told = f"{by} gave {counted(measured.ratings, 'rating')} of {rated}"
    if observed is not None and observed.value is not None:
        told += (
            f"; of the pairs of ratings of one {measured.unit}"
            f" {percent(observed.value)} % agree{_interval_of(observed)}"
        )
    several = "," if measured.paired == measured.rated else " with two or more,"
    told += (
        f"; all ratings agree on {count(measured.agree)} of"
        f" {counted(measured.paired, measured.unit)}{several}"
        f" {percent_of(measured.agree, measured.paired)}{_interval_of(every)}"
    )
    return told


def _interval_of(estimate: Estimate | None) -> str:
    if estimate is None or estimate.interval is None:
        return ""
    return f", {ci(estimate.name, estimate.interval)}"


def _coefficient(estimate: Estimate) -> str:
    name = shown(estimate.title) if estimate.name != "kappa" else "kappa"
    if estimate.value is None:
        return f"{name} is not defined: {shown(estimate.why)}"
    return f"{name} {short_value(estimate.name, estimate.value)}{_interval_of(estimate)}"


def coverage(measured: Measured) -> str:
    """Return how many units the figures rest on, of how many; empty when it is all or none."""
    if not measured.paired or measured.paired == measured.rows:
        return ""
    unit, single = measured.unit, measured.rated - measured.paired
    unrated = measured.rows - measured.rated
    parts = [f"{count(single)} {'has' if single == 1 else 'have'} one"] if single else []
    parts += [f"{count(unrated)} {'has' if unrated == 1 else 'have'} none"] if unrated else []
    return (
        f"{count(measured.paired)} of {counted(measured.rows, unit)}"
        f" {'has' if measured.paired == 1 else 'have'} two ratings or more; {listed(parts)}."
    )


def _classes(part: Part) -> str:
    if not part.mapping:
        return ""
    told = "; ".join(
        f"{shown(name)} = {', '.join(map(shown, held))}" for name, held in part.mapping
    )
    return f" ({told})"


def remarks(part: Part) -> tuple[str, ...]:
    """Return what a reader of one part must know beyond its sentence."""
    return tuple(
        capital(shown(remark.text))
        for remark in part.measured.remarks
        if remark.code not in TOLD_ELSEWHERE
    )


def undefined_sentences(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return one sentence per reason, naming the figures and the parts that it holds for."""
    told: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        by_why: dict[str, list[str]] = {}
        for estimate in part.measured.estimates:
            if estimate.value is None:
                by_why.setdefault(estimate.why, []).append(estimate.short)
        for why, names in by_why.items():
            told.setdefault((shown(listed(names)), why), []).append(shown(part.title))
    return tuple(
        f"{names} not defined{_for(titles, parts)}: {shown(why).rstrip('.')}."
        for (names, why), titles in told.items()
    )


def no_interval_sentences(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return one sentence per reason why a figure that has a value has no interval."""
    told: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        by_why: dict[str, list[str]] = {}
        for estimate in part.measured.estimates:
            if estimate.value is not None and estimate.interval is None and estimate.no_interval:
                by_why.setdefault(estimate.no_interval, []).append(estimate.short)
        for why, names in by_why.items():
            told.setdefault((shown(listed(names)), why), []).append(shown(part.title))
    return tuple(
        f"No interval for {names}{_for(titles, parts)}: {shown(why).rstrip('.')}."
        for (names, why), titles in told.items()
    )


def _for(titles: Sequence[str], parts: Sequence[Part]) -> str:
    return f" for {'; '.join(titles)}" if len(parts) > 1 else ""


def difference_sentence(differs: Differs, one: str, other: str) -> str:
    """Return what the difference of two agreements is, and whether its interval holds 0."""
    first, second = differs.one_estimate, differs.other_estimate
    name = first.name
    titles = f"{capital(shown(first.title))} of {shown(one)} against {shown(other)}"
    if first.value is None or second.value is None or differs.value is None:
        return f"{titles}: no difference, {shown(differs.why).rstrip('.')}."
    values = f"{short_value(name, first.value)} against {short_value(name, second.value)}"
    points = (
        f"{percent(differs.value)} points" if name in AS_SHARE else short_value(name, differs.value)
    )
    told = f"{titles}: {values}, a difference of {points}"
    if differs.interval is not None:
        low, high = differs.interval.low, differs.interval.high
        told += f", {ci(name, differs.interval).removesuffix(' %')}"
        told += ", which holds 0" if low <= 0 <= high else ", which does not hold 0"
    how = (
        f"paired over {count(differs.shared)} that both share"
        if differs.paired
        else "as two samples that share nothing"
    )
    return f"{told}; {how}."
