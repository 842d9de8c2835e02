"""The sentences of the report: what the figures say, before any table.

A sentence claims no more than its interval. Kappa never stands without what keeps it from being
misread, and a figure that does not exist is a sentence with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reviewkit.agreement.measures.estimates import FEW_PAIRS, Estimate, Measured, Name
from reviewkit.agreement.reporting.blocks import prose, shown
from reviewkit.agreement.reporting.model import AgreementReport, Differs, Kind, Part
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
from reviewkit.agreement.reporting.sufficiency import FEW_CLUSTERS, too_few

MOST_SENTENCES = 3
MAIN_KINDS: tuple[Kind, ...] = ("question", "field", "places")
"""What a report without a whole is about."""
TOLD_ELSEWHERE = frozenset({"few", "no_second"})
"""Remarks that the first sentence tells already."""
NAMED = 6
"""So many parts or pairs are named for one reason."""


def main_parts(report: AgreementReport) -> tuple[Part, ...]:
    """Return the whole; of a report without one, every question or field.

    A field of marked places is told by the class of each place; whether two answers are the same
    as a whole says less, and is no main part.
    """
    first = report.parts[0]
    if first.kind == "whole":
        return (first,)
    places = {each.id for each in report.of_kind("places")}
    found = tuple(each for each in report.of_kind(*MAIN_KINDS) if each.of not in places)
    return found or report.of_kind(first.kind)


def leading_parts(report: AgreementReport) -> tuple[Part, ...]:
    """Return the main parts that have a sentence of their own: the first that are compared."""
    return _compared(report)[:MOST_SENTENCES]


def _compared(report: AgreementReport) -> tuple[Part, ...]:
    """Return the main parts that are compared, or all of them where none is."""
    mains = main_parts(report)
    return tuple(each for each in mains if each.measured.paired) or mains


def collapses_of(report: AgreementReport, part: Part) -> tuple[Part, ...]:
    """Return the collapses of a part; one that names no part is of the first."""
    alone = part.id == report.parts[0].id
    return tuple(
        each for each in report.of_kind("collapse") if each.of == part.id or (alone and not each.of)
    )


def headline(report: AgreementReport) -> tuple[str, ...]:
    """Return the sentences that a reader takes away: the whole, its collapses, the checks pooled.

    A report without a whole has a sentence for each of its first ``MOST_SENTENCES`` questions or
    fields that are compared, and says how many more follow.
    """
    mains, leading = main_parts(report), leading_parts(report)
    word = report.rater_word
    told: list[str] = []
    for part in leading:
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
    if more := len(_compared(report)) - len(leading):
        what = "question" if mains[0].kind == "question" else "field"
        told.append(f"And {count(more)} more {plural(what, more)} below.")
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
    return _sufficiently(told, measured, again=again)


def _sufficiently(told: str, measured: Measured, *, again: bool) -> str:
    if measured.paired < FEW_PAIRS:
        verb, support = ("is", "supports") if measured.paired == 1 else ("are", "support")
        told += (
            f" Insufficient: {counted(measured.paired, measured.unit)} with two ratings {verb}"
            f" fewer than {FEW_PAIRS} and {support} no claim."
        )
    elif too_few(measured) and measured.clusters is not None:
        name, number = measured.clusters
        told += (
            f" Insufficient: the {plural(measured.unit)} lie in {counted(number, 'cluster')}"
            f" ({shown(name)}), fewer than {FEW_CLUSTERS}, so the intervals are too short and"
            " support no claim."
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
        return f"{name} is not defined: {prose(estimate.why)}"
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
    """Return what a reader of one part must know beyond its sentence and its mark."""
    measured = part.measured
    told_by_mark = {"few_clusters"} if too_few(measured) else set[str]()
    return tuple(
        capital(prose(remark.text))
        for remark in measured.remarks
        if remark.code not in TOLD_ELSEWHERE | told_by_mark
    )


def undefined_sentences(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return why figures have no value: one sentence for all parts that lack the same ones."""
    return _reasons(
        parts,
        lambda each: each.why if each.value is None else "",
        lambda names: f"{names} not defined",
    )


def no_interval_sentences(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return why figures that have a value have no interval, alike."""
    return _reasons(
        parts,
        lambda each: each.no_interval if each.value is not None and each.interval is None else "",
        lambda names: f"no interval for {names}",
    )


def _reasons(
    parts: Sequence[Part], why_of: Callable[[Estimate], str], say: Callable[[str], str]
) -> tuple[str, ...]:
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for part in parts:
        by_why: dict[str, list[str]] = {}
        for estimate in part.measured.estimates:
            if why := why_of(estimate):
                by_why.setdefault(why, []).append(shown(estimate.short))
        told = tuple((listed(names), prose(why).rstrip(".")) for why, names in by_why.items())
        if told:
            alike.setdefault(told, []).append(shown(part.title))
    sentences = (
        (titles, "; ".join(f"{say(names)}, {why}" for names, why in told))
        for told, titles in alike.items()
    )
    return tuple(
        f"{some(titles)}: {said}." if len(parts) > 1 else f"{capital(said)}."
        for titles, said in sentences
    )


def some(names: Sequence[str]) -> str:
    """Return the names, or the first of many and how many more there are."""
    more = len(names) - NAMED
    return f"{'; '.join(names[:NAMED])} and {count(more)} more" if more > 1 else "; ".join(names)


def difference_sentence(differs: Differs, one: str, other: str, few: str = "") -> str:
    """Return what the difference of two agreements is, and whether its interval holds 0.

    ``few`` is why it carries no claim; the interval is told then and nothing about it.
    """
    first, second = differs.one_estimate, differs.other_estimate
    name = first.name
    titles = f"{capital(shown(first.title))} of {shown(one)} against {shown(other)}"
    if first.value is None or second.value is None or differs.value is None:
        return f"{titles}: no difference, {prose(differs.why).rstrip('.')}."
    told = (
        f"{titles}: {short_value(name, first.value)} (n {count(first.n)}) against"
        f" {short_value(name, second.value)} (n {count(second.n)}), a difference of"
        f" {points(name, differs.value)}"
    )
    if differs.interval is not None:
        low, high = differs.interval.low, differs.interval.high
        told += f", {ci(name, differs.interval).removesuffix(' %')}"
        if not few:
            told += ", which holds 0" if low <= 0 <= high else ", which does not hold 0"
    told += f"; {_drawn_together(differs)}."
    return f"{told} Insufficient: {prose(few)}." if few else told


def points(name: Name, value: float) -> str:
    """Return a difference: ``11.7 points`` of two shares, ``0.12`` of two coefficients."""
    return f"{percent(value)} points" if name in AS_SHARE else short_value(name, value)


def _drawn_together(differs: Differs) -> str:
    if not differs.paired:
        return "as two samples that share nothing"
    over = differs.interval.over if differs.interval is not None else "units"
    kind, _, name = over.partition(" of ")
    of = f" ({shown(name)})" if name else ""
    return f"paired over the {count(differs.shared)} {kind}{of} that both share"
