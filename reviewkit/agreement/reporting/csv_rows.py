"""The figures as one long table: a row a figure, with everything that makes it readable alone.

A row can be cut out and still says what was measured on what, and how. Cells are text: numbers in
full precision, lists as JSON.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator

from reviewkit.agreement.measures.estimates import FEW_PAIRS, Estimate, Interval, Measured
from reviewkit.agreement.reporting.model import AgreementReport, Part
from reviewkit.agreement.reporting.sufficiency import too_few, too_few_to_differ
from reviewkit.sources.formulas import guarded

COLUMNS: dict[str, str] = {
    "report": "title of the report",
    "part": "id of the part: whole, a collapse, a question, a check",
    "part_title": "what the part is called",
    "kind": "kind of the part",
    "nature": "structural or judgement, of a check",
    "question": "what was rated",
    "about": "what the figure is about, where it is not the part: a category, raters, two parts",
    "figure": "name of the figure",
    "title": "what the field calls it",
    "value": "the figure; empty when it is not defined",
    "why": "why there is no value",
    "low": "lower end of the interval",
    "high": "upper end of the interval",
    "confidence": "level of the interval",
    "interval_method": "wilson, analytic, percentile or bca",
    "interval_over": "what varies: units or clusters",
    "draws": "resamples that gave a value",
    "draws_undefined": "resamples that gave none",
    "seed": "seed of the resampling",
    "clipped": "true when an end of the interval was cut at the end of the scale",
    "no_interval": "why there is no interval",
    "standard_error": "analytic standard error over units",
    "agree": "how many units agree, for a share of units",
    "n": "how many units the figure rests on",
    "of": "how many units there are to rest on",
    "unit": "what is counted",
    "raters": "how many raters",
    "rater_names": "JSON list; empty when they are not known",
    "q": "how many categories",
    "categories": "JSON list",
    "declared": "true when the categories come from a scheme",
    "weights": "weights, level or distance",
    "missing": "rule for missing ratings",
    "source": "where the formula stands",
    "clusters": "what a cluster is and how many there are",
    "insufficient": "true when too few units or clusters carry the figure for any claim",
    "notices": "JSON list: what must be said beside every figure, e.g. labels opened early",
    "version": "version of reviewkit",
}
"""Every column and what stands in it, in order."""
NUMBERS = frozenset(
    {
        "value", "low", "high", "confidence", "draws", "draws_undefined", "seed", "standard_error",
        "agree", "n", "of", "raters", "q",
    }
)  # fmt: skip
PAIRS_ONLY = "only units that both raters rated"
PAIRS = "units with fewer than two ratings are left out"
JUDGED_AGAIN = "only what the rater judged more than once"
EVERY_RATING = "every rating counts"
Row = dict[str, str]


def csv_text(report: AgreementReport) -> str:
    """Return the figures as CSV (RFC 4180), every cell exactly as it is."""
    return _written(report, csv.QUOTE_MINIMAL, lambda _, cell: cell)


def csv_for_excel(report: AgreementReport) -> bytes:
    """Return the figures as CSV that Excel opens as UTF-8 and in which no text is a formula.

    A text that begins like a formula, or with an apostrophe, gets an apostrophe before it: taking
    one leading apostrophe off every cell gives the exact text back. Numbers stay numbers.
    """
    return _written(report, csv.QUOTE_ALL, _guarded).encode("utf-8-sig")


def rows_of(report: AgreementReport) -> list[Row]:
    """Return a row a figure; every row has every column of ``COLUMNS``, in order."""
    rows = [row for part in report.parts for row in _part_rows(part)]
    rows += [*_difference_rows(report), *_other_rows(report)]
    notices = _list(*report.notices) if report.notices else ""
    shared = {"report": report.title, "version": report.version, "notices": notices}
    return [{name: {**row, **shared}.get(name, "") for name in COLUMNS} for row in rows]


def _written(report: AgreementReport, quoting: int, say: Callable[[str, str], str]) -> str:
    held = io.StringIO()
    writer = csv.writer(held, quoting=quoting, lineterminator="\r\n")  # pyright: ignore[reportArgumentType]
    writer.writerow(COLUMNS)
    writer.writerows([say(name, cell) for name, cell in row.items()] for row in rows_of(report))
    return held.getvalue()


def _guarded(name: str, cell: str) -> str:
    return cell if name in NUMBERS else guarded(cell)


def _part_rows(part: Part) -> Iterator[Row]:
    measured = part.measured
    base = {
        "part": part.id, "part_title": part.title, "kind": part.kind, "nature": part.nature,
        **_rests_on(measured),
    }  # fmt: skip
    few = _flag(bool(too_few(measured)))
    for estimate in measured.estimates:
        yield {**base, **_estimate(estimate), **_agree(estimate, measured), "insufficient": few}
    if measured.light is not None:
        yield {
            **base, "figure": "light", "title": "mean of the kappas of each two raters",
            "value": repr(measured.light), "source": "Light 1971", "n": str(measured.paired),
            "missing": PAIRS_ONLY,
        }  # fmt: skip
    for category in measured.by_category:
        yield {
            **base, "about": category.category, "figure": "category_agreement",
            "title": "specific agreement on the category", "value": _number(category.value),
            "why": category.why, **_interval(category.interval), "n": str(category.ratings),
            "of": str(category.given), "unit": "rating", "missing": "only ratings that another"
            " rating of the unit can confirm", "source": "Cicchetti and Feinstein 1990",
        }  # fmt: skip
        yield {
            **base, "about": category.category, "figure": "category_share",
            "title": "share of all ratings", "value": _number(category.share),
            "n": str(category.given), "of": str(measured.ratings), "unit": "rating",
            "missing": EVERY_RATING,
        }  # fmt: skip
    yield from _rater_rows(base, measured)


def _rater_rows(base: Row, measured: Measured) -> Iterator[Row]:
    for pair in measured.pairs:
        of_pair = {
            **base, "about": _list(pair.one, pair.other), "raters": "2",
            "rater_names": _list(pair.one, pair.other), "n": str(pair.n), "missing": PAIRS_ONLY,
            "insufficient": _flag(pair.n < FEW_PAIRS),
        }  # fmt: skip
        nothing = "the two raters share no unit"
        yield {
            **of_pair, "figure": "pair_observed", "title": "observed agreement of two raters",
            "value": repr(pair.agree / pair.n) if pair.n else "", "why": "" if pair.n else nothing,
            "agree": str(pair.agree), **_interval(pair.interval),
        }  # fmt: skip
        yield {
            **of_pair, "figure": "pair_kappa", "title": "Cohen's kappa of two raters",
            "value": _number(pair.kappa), "why": pair.why, "source": "Cohen 1960",
        }  # fmt: skip
    for share in measured.shares:
        for category, given in zip(measured.categories, share.counts, strict=True):
            yield {
                **base, "about": _list(share.rater, category), "figure": "rater_share",
                "title": "share of the rater's own ratings", "raters": "1",
                "rater_names": _list(share.rater), "unit": "rating",
                "value": repr(given / share.n) if share.n else "",
                "why": "" if share.n else "the rater gave no rating",
                "agree": "", "n": str(given), "of": str(share.n), "missing": EVERY_RATING,
            }  # fmt: skip
    for without in measured.without:
        left = [name for name in measured.raters if name != without.rater]
        for estimate in without.estimates:
            yield {
                **base, **_estimate(estimate), "about": without.rater,
                "figure": f"without_rater:{estimate.name}",
                "title": f"{estimate.title} without one rater", "rater_names": _list(*left),
                "raters": str(len(left)),
            }  # fmt: skip


def _difference_rows(report: AgreementReport) -> Iterator[Row]:
    parts = {each.id: each.measured for each in report.parts}
    for each in report.differences:
        first = each.one_estimate
        sides = [parts[side] for side in (each.one, each.other) if side in parts]
        base = _rests_on(parts[each.one]) if each.one in parts else {}
        few = too_few_to_differ(each, *sides)
        yield {
            **base, **_estimate(first), "part": "", "kind": "difference",
            "about": _list(each.one, each.other), "figure": f"difference:{first.name}",
            "title": f"difference of {first.title}", "value": _number(each.value),
            "why": each.why, **_interval(each.interval), "standard_error": "", "no_interval": "",
            "n": str(each.shared) if each.paired else "", "of": "",
            "interval_over": each.interval.over if each.interval else "",
            "insufficient": _flag(bool(few)),
        }  # fmt: skip


def _other_rows(report: AgreementReport) -> Iterator[Row]:
    for each in report.consistency:
        yield {
            "about": each.what, "kind": "consistency", "figure": "consistency",
            "title": "same answer by the same rater", "rater_names": _list(each.rater),
            "raters": "1", "value": repr(each.agree / each.n) if each.n else "",
            "why": "" if each.n else "nothing was judged twice", "agree": str(each.agree),
            "n": str(each.n), **_interval(each.interval), "missing": JUDGED_AGAIN,
            "insufficient": _flag(each.n < FEW_PAIRS),
        }  # fmt: skip
    for point in report.over_time:
        part = report.told_over_time
        yield {
            **_rests_on(part.measured), "part": part.id, "part_title": part.title,
            "missing": PAIRS, "insufficient": _flag(point.n < FEW_PAIRS),
            "about": point.label, "kind": "time", "figure": "observed",
            "title": "observed agreement in one stretch", "agree": str(point.agree),
            "value": repr(point.agree / point.n) if point.n else "", "n": str(point.n),
            "why": "" if point.n else "no unit has two ratings", **_interval(point.interval),
        }  # fmt: skip


def _rests_on(measured: Measured) -> Row:
    return {
        "question": measured.question,
        "unit": measured.unit,
        "raters": str(len(measured.raters)) if measured.raters else "",
        "rater_names": _list(*measured.raters) if measured.raters else "",
        "q": str(len(measured.categories)),
        "categories": _list(*measured.categories),
        "declared": _flag(measured.declared),
        "clusters": _list(measured.clusters[0], str(measured.clusters[1]))
        if measured.clusters
        else "",
    }


def _estimate(estimate: Estimate) -> Row:
    return {
        "figure": estimate.name,
        "title": estimate.title,
        "value": _number(estimate.value),
        "why": estimate.why,
        **_interval(estimate.interval),
        "no_interval": estimate.no_interval,
        "standard_error": _number(estimate.se),
        "n": str(estimate.n),
        "of": str(estimate.of),
        "q": str(estimate.q),
        "weights": estimate.weights,
        "missing": estimate.missing,
        "source": estimate.source,
        "insufficient": _flag(estimate.insufficient),
    }


def _agree(estimate: Estimate, measured: Measured) -> Row:
    two = all(times <= 2 for times, _ in measured.per_unit)
    share = estimate.name == "all_agree" or (estimate.name == "observed" and two)
    return {"agree": str(measured.agree)} if share else {}


def _interval(interval: Interval | None) -> Row:
    if interval is None:
        return {}
    return {
        "low": repr(interval.low),
        "high": repr(interval.high),
        "confidence": repr(interval.confidence),
        "interval_method": interval.method,
        "interval_over": interval.over,
        "draws": str(interval.draws),
        "draws_undefined": str(interval.undefined),
        "seed": "" if interval.seed is None else str(interval.seed),
        "clipped": _flag(interval.clipped),
    }


def _number(value: float | None) -> str:
    return "" if value is None else repr(float(value))


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _list(*names: str) -> str:
    return json.dumps(names, ensure_ascii=False)
