"""Tables of the ratings themselves: who said what, who agrees with whom, which category holds."""

from __future__ import annotations

from collections.abc import Sequence

from reviewkit.agreement.measures.estimates import FEW_PAIRS, Estimate, Measured, Name, RaterPair
from reviewkit.agreement.reporting.blocks import (
    UNDEFINED,
    Block,
    Grid,
    Points,
    Sentence,
    prose,
    shown,
)
from reviewkit.agreement.reporting.methods import interval_rule
from reviewkit.agreement.reporting.model import AgreementReport, Part
from reviewkit.agreement.reporting.printed import (
    capital,
    count,
    counted,
    interval_cell,
    level,
    percent,
    percent_of,
    plural,
    value_cell,
)
from reviewkit.agreement.reporting.sufficiency import MARK
from reviewkit.agreement.reporting.wording import some

MATRIX_LIMIT = 9
"""More categories than this make no table that fits a screen."""
CATEGORIES_SHOWN = 30
PAIRS_LISTED = 15
"""More pairs of raters than this stand in a square, and past ``SQUARE`` only the lowest."""
SQUARE = 10


def confusion_blocks(part: Part) -> list[Block]:
    """Return the confusion matrix of two raters; of many categories, the most frequent mix-ups."""
    measured = part.measured
    if len(measured.pairs) != 1 or not measured.pairs[0].n:
        return []
    (pair,) = measured.pairs
    one, other = shown(pair.one), shown(pair.other)
    title = shown(part.title)
    if len(measured.categories) > MATRIX_LIMIT:
        return _mix_ups(measured, pair, title)
    labels = tuple(map(shown, measured.categories))
    rows = [
        (label, *map(count, line), count(sum(line)))
        for label, line in zip(labels, pair.table, strict=True)
    ]
    below = [sum(line) for line in zip(*pair.table, strict=True)]
    rows.append(("all", *map(count, below), count(sum(below))))
    caption = f"{title}, rows: {one}, columns: {other}"
    return [Grid(("", *labels, "all"), tuple(rows), caption=f"Confusion matrix, {caption}.")]


def _mix_ups(measured: Measured, pair: RaterPair, title: str) -> list[Block]:
    names = measured.categories
    off = sorted(
        (
            (-number, names[row], names[column])
            for row, line in enumerate(pair.table)
            for column, number in enumerate(line)
            if number and row != column
        ),
    )
    if not off:
        return []
    rows = tuple(
        (shown(one), shown(other), count(-number)) for number, one, other in off[:CATEGORIES_SHOWN]
    )
    caption = f"{title}: the most frequent of {counted(len(off), 'kind')} of disagreement"
    return [Grid((shown(pair.one), shown(pair.other), "n"), rows, frozenset({0, 1}), caption)]


def categories_blocks(parts: Sequence[Part]) -> list[Block]:
    """Return specific agreement on the categories of each part, and once what that is."""
    tables = [block for part in parts for block in category_blocks(part)]
    said = "Of the ratings of a category, the share that another rating of the unit confirms."
    return [Sentence(said), *tables] if tables else []


def category_blocks(part: Part) -> list[Block]:
    """Return specific agreement on each category, the most frequent first when they are many."""
    measured = part.measured
    chosen = list(measured.by_category)
    if not chosen or not measured.paired:
        return []
    if len(chosen) > CATEGORIES_SHOWN:
        chosen = sorted(chosen, key=lambda each: -each.given)[:CATEGORIES_SHOWN]
    rows = tuple(
        (
            shown(each.category),
            UNDEFINED if each.value is None else f"{percent(each.value)} %",
            "" if each.value is None else interval_cell("observed", each.interval),
            count(each.ratings),
            count(each.given),
            "" if each.share is None else f"{percent(each.share)} %",
        )
        for each in chosen
    )
    whys: dict[str, list[str]] = {}
    for each in chosen:
        if each.value is None:
            whys.setdefault(each.why, []).append(shown(each.category))
    told = [f"{some(names)}: {prose(why)}." for why, names in whys.items()]
    if any(each.value is not None and each.interval is None for each in chosen):
        told.append("CI none: the resamples do not vary, or too few of them give a value.")
    left_out = len(measured.by_category) - len(chosen)
    if left_out:
        told.append(f"{counted(left_out, 'rarer category')} are in the CSV and the JSON.")
    header = ("category", "agreement", "CI", "ratings", "given in all", "share")
    two = len(measured.categories) == 2
    kind = "positive and negative agreement" if two else "agreement on each category"
    caption = f"{_named(part)}{kind}{_drawn_otherwise(measured)}."
    return [Grid(header, rows, caption=caption), *map(Sentence, told)]


def _drawn_otherwise(measured: Measured) -> str:
    """Return how the intervals of categories were made, unless a coefficient's were made so too."""
    known = {interval_rule(each.interval) for each in measured.estimates if each.interval}
    made = {
        f"{level(each.interval.confidence)}, {interval_rule(each.interval)}": None
        for each in measured.by_category
        if each.interval and interval_rule(each.interval) not in known
    }
    return f"; CI: {'; '.join(made)}" if made else ""


def rater_blocks(report: AgreementReport, part: Part) -> list[Block]:
    """Return who agrees with whom, who gave what how often, and what leaving one out changes."""
    return [*_pairs(report, part), *_shares(report, part), *_without(part)]


def _pairs(report: AgreementReport, part: Part) -> list[Block]:
    measured = part.measured
    pairs = measured.pairs
    if len(pairs) < 2:
        return []
    word = plural(report.rater_word)
    light = (
        "" if measured.light is None
        else f" Mean of the kappas (Light 1971): {value_cell('kappa', measured.light)}."
    )  # fmt: skip
    if len(pairs) <= PAIRS_LISTED or len(measured.raters) > SQUARE:
        ordered = sorted(pairs, key=_share)[:PAIRS_LISTED]
        drawn = any(each.interval is not None for each in ordered)
        rows = tuple(
            (
                shown(each.one), shown(each.other), count(each.agree),
                f"{count(each.n)}{MARK * (0 < each.n < FEW_PAIRS)}",
                percent_of(each.agree, each.n),
                *((interval_cell("observed", each.interval),) if drawn else ()),
                value_cell("kappa", each.kappa),
            )
            for each in ordered
        )  # fmt: skip
        more = len(pairs) - len(ordered)
        caption = f"{_named(part)}each two {word}, the lowest agreement first.{light}"
        caption += f" {count(more)} more pairs are in the CSV and the JSON." if more else ""
        header = ("one", "other", "agree", "of", "observed", *(("CI",) if drawn else ()), "kappa")
        grid = Grid(header, rows, frozenset({0, 1}), caption)
        return [grid, *_points((*_unsure(measured, ordered), *_no_kappa(ordered)))]
    square = _square(part, word, light)
    return [square, *_points((*_unsure(measured, pairs), *_no_kappa(pairs)))]


def _unsure(measured: Measured, pairs: Sequence[RaterPair]) -> list[str]:
    """Return what is too little for a claim, and why shares of twins have no interval."""
    told: list[str] = []
    if any(0 < each.n < FEW_PAIRS for each in pairs):
        unit = plural(shown(measured.unit))
        told.append(f"* Insufficient, fewer than {FEW_PAIRS} {unit} that both rated.")
    if measured.clusters:
        told.append(
            f"No intervals for two raters alone: {plural(shown(measured.unit))} come in clusters"
            f" ({shown(measured.clusters[0])}), and Wilson's interval is for units on their own."
        )
    return told


def _points(lines: tuple[str, ...]) -> list[Block]:
    return [Points(lines)] if lines else []


def _no_kappa(pairs: Sequence[RaterPair]) -> tuple[str, ...]:
    """Return why some two raters have no kappa: a sentence a reason, with some of the pairs."""
    told: dict[str, list[str]] = {}
    for each in pairs:
        if each.kappa is None:
            told.setdefault(each.why, []).append(f"{shown(each.one)} and {shown(each.other)}")
    return tuple(
        f"Kappa not defined for {counted(len(names), 'pair')} ({some(names)}):"
        f" {prose(why).rstrip('.')}."
        for why, names in told.items()
    )


def _named(part: Part) -> str:
    return f"{capital(shown(part.title))}: "


def _share(pair: RaterPair) -> float:
    return pair.agree / pair.n if pair.n else 2.0


def _square(part: Part, word: str, light: str) -> Grid:
    """Return raters against raters: agree/n above the diagonal, kappa below it."""
    measured = part.measured
    held = {(each.one, each.other): each for each in measured.pairs}
    rows: list[tuple[str, ...]] = []
    for row in measured.raters:
        cells = [shown(row)]
        for column in measured.raters:
            above, below = held.get((row, column)), held.get((column, row))
            if above is not None:
                cells.append(f"{above.agree}/{above.n}{'*' * (above.n < FEW_PAIRS)}")
            elif below is not None:
                cells.append(value_cell("kappa", below.kappa))
            else:
                cells.append("")
        rows.append(tuple(cells))
    caption = f"{_named(part)}each two {word}; above the diagonal agree/n, below it kappa.{light}"
    return Grid(("", *map(shown, measured.raters)), tuple(rows), caption=caption)


def _shares(report: AgreementReport, part: Part) -> list[Block]:
    measured = part.measured
    if not measured.shares:
        return []
    places = list(range(len(measured.categories)))
    totals = [sum(each.counts[at] for each in measured.shares) for at in places]
    if len(places) > MATRIX_LIMIT:
        places = sorted(places, key=lambda at: -totals[at])[: MATRIX_LIMIT - 1]
    others = len(places) < len(measured.categories)
    rows = tuple(
        (
            shown(each.rater),
            count(each.n),
            *(_of(each.counts[at], each.n) for at in places),
            *((_of(each.n - sum(each.counts[at] for at in places), each.n),) if others else ()),
        )
        for each in measured.shares
    )
    names = tuple(shown(measured.categories[at]) for at in places)
    header = (report.rater_word, "n", *names, *(("all others",) if others else ()))
    caption = f"{_named(part)}how often each {report.rater_word} gave each category"
    return [Grid(header, rows, caption=f"{caption}.")]


def _of(part: int, whole: int) -> str:
    return f"{count(part)} ({percent_of(part, whole)})" if whole else count(part)


def _without(part: Part) -> list[Block]:
    measured = part.measured
    if not measured.without:
        return []
    keys: list[Name] = [
        each.name
        for each in measured.without[0].estimates
        if each.name in {"observed", "fleiss", "alpha", "ac1", "kappa"}
        and each.weights in {"", "nominal"}
    ]
    rows = [
        ("nobody", count(measured.paired), *(_value(measured.estimates, name) for name in keys))
    ]
    rows += [
        (shown(each.rater), count(each.n), *(_value(each.estimates, name) for name in keys))
        for each in measured.without
    ]
    shorts = [next(e.short for e in measured.without[0].estimates if e.name == n) for n in keys]
    return [
        Grid(
            ("left out", "n", *shorts), tuple(rows), caption=f"{_named(part)}when one is left out."
        )
    ]


def _value(estimates: tuple[Estimate, ...], name: Name) -> str:
    each = next((each for each in estimates if each.name == name), None)
    return "" if each is None else value_cell(name, each.value)
