"""How the figures were made: a line for a table, a row for each figure, a paragraph for a paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from reviewkit import __version__
from reviewkit.agreement.measures.estimates import FEW_PAIRS, Estimate, Interval, Measured
from reviewkit.agreement.reporting.blocks import Grid, Points, prose, shown
from reviewkit.agreement.reporting.model import AgreementReport, Part
from reviewkit.agreement.reporting.printed import (
    capital,
    count,
    counted,
    in_words,
    level,
    listed,
    plural,
)
from reviewkit.agreement.reporting.references import behind
from reviewkit.agreement.reporting.sufficiency import FEW_CLUSTERS
from reviewkit.agreement.reporting.wording import main_parts

SUBJECTS = 6
"""So many parts have their rows in the table of methods; the CSV has all."""
CATEGORIES_NAMED = 12
RATERS_NAMED = 8
MANY = 2
"""More figures than this under the last rule are called the others."""
FEW_RULE = (
    f"Figures on fewer than {FEW_PAIRS} units with two ratings, or on fewer than {FEW_CLUSTERS}"
    " clusters, are called insufficient."
)
NONE_AMONG_COMPARED = (
    "Among these no rating is missing; what was left out is listed with the reason."
)
PAPER = {
    "wilson": "Wilson score intervals",
    "analytic": "from analytic standard errors with t on n - 1 degrees of freedom",
    "percentile": "from a percentile bootstrap",
    "bca": "from a BCa bootstrap",
}
"""How an interval was made, in the words of the paragraph for a paper."""
HOW = {
    "wilson": "Wilson score interval",
    "analytic": "analytic standard error with t(n - 1)",
    "percentile": "percentile bootstrap",
    "bca": "BCa bootstrap",
}


def rests_on(parts: Sequence[Part], rater_word: str = "rater", version: str = __version__) -> str:
    """Return the line beside a table: raters, categories, intervals, seed and version."""
    told = [
        raters_line([each.measured for each in parts], rater_word),
        categories_line([each.measured for each in parts]),
        intervals_line(estimate for each in parts for estimate in each.measured.estimates),
        f"reviewkit {version}",
    ]
    return f"{capital('; '.join(told))}."


def raters_line(measured: Sequence[Measured], rater_word: str) -> str:
    """Return who rated: how many, and their names while they are few."""
    every = list(dict.fromkeys(name for each in measured for name in each.raters))
    if not every:
        return f"{plural(rater_word)} not known by name"
    named = f" ({', '.join(map(shown, every))})" if len(every) <= RATERS_NAMED else ""
    return f"{counted(len(every), rater_word)}{named}"


def categories_line(measured: Sequence[Measured]) -> str:
    """Return the categories that chance agreement is reckoned over, and where they come from."""
    lists = {each.categories: each.declared for each in measured}
    if len(lists) != 1:
        return "q is the number of categories"
    ((names, declared),) = lists.items()
    if not names:
        return "answers are the same or not, over no list of categories"
    more = len(names) - CATEGORIES_NAMED
    told = ", ".join(map(shown, names[:CATEGORIES_NAMED]))
    told += f" and {more} more" if more > 0 else ""
    q = len(names)
    known = (
        f"declared {plural('category', q)}" if declared else f"{plural('category', q)}, as found"
    )
    return f"{count(q)} {known} ({told})"


def intervals_line(estimates: Iterable[Estimate]) -> str:
    """Return how the intervals were made, and of which figures."""
    made: dict[str, list[str]] = {}
    levels: set[str] = set()
    for estimate in estimates:
        if estimate.interval is not None:
            levels.add(level(estimate.interval.confidence))
            names = made.setdefault(interval_rule(estimate.interval), [])
            names += [name] if (name := _bare(estimate.short)) not in names else []
    if not made:
        return "no intervals"
    return f"CI: {listed(sorted(levels))}, {_by_rule(made)}"


def _by_rule(names_of: Mapping[str, Sequence[str]]) -> str:
    """Return rules with the figures each holds for; the last holds for the others, if for many."""
    if len(names_of) < 2:
        return "".join(names_of)
    told = [f"{rule} for {listed(names)}" for rule, names in names_of.items()]
    *before, (rule, names) = names_of.items()
    if len(names) > MANY and not any({*names} & {*others} for _, others in before):
        told[-1] = f"{rule} for the others"
    return "; ".join(told)


def _gathered(parts: Sequence[Part], say: Callable[[Estimate], str]) -> dict[str, list[str]]:
    """Return what is said of estimates, each with the short names of those it is said of."""
    found: dict[str, list[str]] = {}
    for part in parts:
        for each in part.measured.estimates:
            if told := say(each):
                names = found.setdefault(told, [])
                names += [name] if (name := _bare(each.short)) not in names else []
    return found


def _bare(short: str) -> str:
    """Return ``BP`` for ``BP(3)``: one name for all rows of a table."""
    return "BP" if short.startswith("BP(") else shown(short)


def interval_rule(interval: Interval) -> str:
    """Return how one interval was made: method, what varied, draws and seed."""
    told = f"{HOW[interval.method]} over {shown(interval.over)}"
    if interval.seed is None:
        return told
    return f"{told}, {count(interval.draws + interval.undefined)} draws, seed {interval.seed}"


def subjects(report: AgreementReport) -> tuple[Part, ...]:
    """Return the parts that the report is about: the whole or its like, and the checks pooled."""
    mains = main_parts(report)
    return (*mains, *(each for each in report.of_kind("pooled") if each not in mains))


def method_grid(report: AgreementReport) -> Grid:
    """Return one row a figure: its n, missing rule, interval and source."""
    chosen = subjects(report)[:SUBJECTS]
    several = len(chosen) > 1
    rows = tuple(
        (
            *((shown(part.title),) if several else ()), capital(shown(each.title)),
            count(each.n), count(each.of), prose(each.missing), _made(each), shown(each.source),
        )
        for part in chosen
        for each in part.measured.estimates
    )  # fmt: skip
    header = ("figure", "n", "of", "missing ratings", "interval", "source")
    if several:
        return Grid(("of", *header), rows, frozenset({0, 1, 4, 5, 6}))
    return Grid(header, rows, frozenset({0, 3, 4, 5}))


def method_points(report: AgreementReport) -> Points:
    """Return what ``method_grid`` holds in a few lines: figures that share a rule are told at once.

    With what stands above the tables it says of every figure how it was made.
    """
    chosen = subjects(report)[:SUBJECTS]
    told = [
        f"{capital(shown(part.title))}: {count(held.paired)} of {counted(held.rows, held.unit)}"
        f" with two ratings or more, {counted(held.ratings, 'rating')},"
        f" {raters_line([held], report.rater_word)}, {categories_line([held])}."
        for part, held in ((each, each.measured) for each in chosen)
    ]
    rules = _gathered(chosen, lambda each: prose(each.missing))
    none = (
        "none among these; where one is, " if none_missing(each.measured for each in chosen) else ""
    )
    told.append(f"Missing ratings: {none}{_by_rule(rules)}.")
    sources = _gathered(chosen, lambda each: shown(each.source) if _has_year(each.source) else "")
    named = "; ".join(f"{listed(names)}: {source}" for source, names in sources.items())
    told += [f"Sources: {named}."] if named else []
    told += [
        f"{capital(shown(part.title))}, interval of {listed(names)}: {rest}."
        for part in chosen
        for rest, names in _gathered([part], _left_of_interval).items()
    ]
    elsewhere = (
        "a paragraph for a paper and the references are in the Markdown, LaTeX and HTML forms"
    )
    return Points((*told, f"{FEW_RULE} reviewkit {report.version}; {elsewhere}."))


def _made(estimate: Estimate) -> str:
    interval = estimate.interval
    if interval is None:
        return prose(estimate.no_interval) or "none"
    rest = _left_of_interval(estimate)
    return f"{interval_rule(interval)}, {rest}" if rest else interval_rule(interval)


def _left_of_interval(estimate: Estimate) -> str:
    """Return how many draws gave no value, and whether an end was cut; empty for most intervals."""
    interval = estimate.interval
    if interval is None:
        return ""
    told = [f"{count(interval.undefined)} draws without a value"] if interval.undefined else []
    told += ["cut at the end of the scale"] if interval.clipped else []
    return ", ".join(told)


def methods_paragraph(report: AgreementReport) -> str:
    """Return a paragraph for a paper: what was measured on what, and how; nobody is named."""
    chosen = subjects(report)
    estimates = [each for part in chosen for each in part.measured.estimates]
    named = dict.fromkeys(
        f"{_plain_title(each)} ({each.source})" if _has_year(each.source) else _plain_title(each)
        for each in estimates
    )
    told = [_measured_on(report, chosen), f"We report {listed([*named])}."]
    told += [
        f"In {shown(each.title)}, {_mapped(each)}."
        for each in report.of_kind("collapse")
        if each.mapping
    ]
    told += [_missing_rules(chosen), *_intervals(chosen)]
    clustered = {
        (each.measured.unit, *each.measured.clusters): None
        for each in chosen
        if each.measured.clusters is not None
    }
    told += [
        f"{capital(plural(unit))} of one {shown(name)} are not independent, so whole clusters were"
        f" resampled ({count(number)})."
        for unit, name, number in clustered
    ]
    told += [
        FEW_RULE,
        f"Computed with reviewkit {report.version}.",
    ]
    return " ".join(told)


def _intervals(chosen: Sequence[Part]) -> list[str]:
    """Return how intervals were made, with their sources, once for all parts with the same."""
    alike: dict[str, list[str]] = {}
    for part in chosen:
        alike.setdefault(_intervals_told(part.measured), []).append(shown(part.title))
    of = len(alike) > 1
    return [
        f"{line.replace(' are', f' of {listed(titles)} are', 1) if of else line}."
        for line, titles in alike.items()
        if line
    ]


def _intervals_told(held: Measured) -> str:
    """Return which intervals the figures of a part have, and after whom; empty when none has."""
    names: dict[tuple[str, str], list[str]] = {}
    sources: dict[tuple[str, str], dict[str, None]] = {}
    levels: set[str] = set()
    for estimate in held.estimates:
        if (interval := estimate.interval) is not None:
            levels.add(level(interval.confidence))
            drawn = f"; {count(interval.draws + interval.undefined)} draws, seed {interval.seed}"
            rule = (
                f"{PAPER[interval.method]} over {shown(interval.over)}",
                "" if interval.seed is None else drawn,
            )
            names.setdefault(rule, []).append(_plain_title(estimate))
            sources.setdefault(rule, {}).update(dict.fromkeys(behind(estimate, held)))
    if not names:
        return ""
    made = {
        f"{way} ({'; '.join(sources[way, drawn])}{drawn})": list(dict.fromkeys(titles))
        for (way, drawn), titles in names.items()
    }
    return f"Confidence intervals ({listed(sorted(levels))}) are {_by_rule(made)}"


def _measured_on(report: AgreementReport, chosen: Sequence[Part]) -> str:
    """Return on how many units of what, over which categories."""
    raters = max(len(each.measured.raters) for each in chosen)
    who = f"{in_words(raters)} {plural(report.rater_word, raters)}" if raters else "raters"
    between = "among" if raters > 2 else "between"
    told = [
        f"{counted(held.paired, held.unit)} with two ratings or more, of"
        f" {counted(held.rows, held.unit)} in all ({counted(held.ratings, 'rating')}), over"
        f" {categories_line([held])}"
        for held in (each.measured for each in chosen)
    ]
    if len(chosen) == 1:
        return f"Agreement {between} {who} was measured on {told[0]}."
    parts = "; on ".join(
        f"{shown(part.title)}, {line}" for part, line in zip(chosen, told, strict=True)
    )
    return f"Agreement {between} {who} was measured on {parts}."


def _plain_title(estimate: Estimate) -> str:
    """Return the title without its q, which differs from part to part."""
    return shown(estimate.title).removesuffix(f" (q = {estimate.q})")


def _mapped(part: Part) -> str:
    return listed(
        [f"{shown(name)} holds {listed([*map(shown, held)])}" for name, held in part.mapping]
    )


def _missing_rules(chosen: Sequence[Part]) -> str:
    """Return what became of missing ratings, once a rule, or that none is missing."""
    if none_missing(each.measured for each in chosen):
        left_out = any(part.excluded for part in chosen)
        return NONE_AMONG_COMPARED if left_out else "No rating is missing."
    rules: dict[str, list[str]] = {}
    for each in (estimate for part in chosen for estimate in part.measured.estimates):
        names = rules.setdefault(prose(each.missing), [])
        names += [name] if (name := _plain_title(each)) not in names else []
    told = "; ".join(f"for {listed(names)}, {rule}" for rule, names in rules.items())
    return f"Where a rating is missing, this holds: {told}."


def none_missing(measured: Iterable[Measured]) -> bool:
    """Return whether every rater rated every unit."""
    return all(each.raters and each.ratings == each.rows * len(each.raters) for each in measured)


def _has_year(source: str) -> bool:
    return any(char.isdigit() for char in source)
