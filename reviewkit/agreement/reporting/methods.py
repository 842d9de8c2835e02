"""How the figures were made: a line for a table, a row for each figure, a paragraph for a paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reviewkit import __version__
from reviewkit.agreement.measures.estimates import FEW_PAIRS, Estimate, Interval, Measured
from reviewkit.agreement.reporting.blocks import Grid, shown
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
from reviewkit.agreement.reporting.wording import main_parts

SUBJECTS = 6
"""So many parts have their rows in the table of methods; the CSV has all."""
CATEGORIES_NAMED = 12
RATERS_NAMED = 8
HOW = {
    "wilson": "Wilson score interval",
    "analytic": "analytic standard error with t(n - 1)",
    "percentile": "percentile bootstrap",
    "bca": "BCa bootstrap",
}
REFERENCES = {
    "Brennan and Prediger 1981": "Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa:"
    " some uses, misuses, and alternatives. Educational and Psychological Measurement 41, 687-699.",
    "Byrt, Bishop and Carlin 1993": "Byrt, T., Bishop, J. and Carlin, J. B. (1993). Bias,"
    " prevalence and kappa. Journal of Clinical Epidemiology 46, 423-429.",
    "Cicchetti and Feinstein 1990": "Cicchetti, D. V. and Feinstein, A. R. (1990). High agreement"
    " but low kappa: II. Resolving the paradoxes. Journal of Clinical Epidemiology 43, 551-558.",
    "Cohen 1960": "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational"
    " and Psychological Measurement 20, 37-46.",
    "Cohen 1968": "Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for"
    " scaled disagreement or partial credit. Psychological Bulletin 70, 213-220.",
    "Conger 1980": "Conger, A. J. (1980). Integration and generalization of kappas for multiple"
    " raters. Psychological Bulletin 88, 322-328.",
    "Efron 1987": "Efron, B. (1987). Better bootstrap confidence intervals. Journal of the"
    " American Statistical Association 82, 171-185.",
    "Efron and Tibshirani 1993": "Efron, B. and Tibshirani, R. J. (1993). An Introduction to the"
    " Bootstrap. Chapman and Hall.",
    "Fleiss 1971": "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters."
    " Psychological Bulletin 76, 378-382.",
    "Fleiss, Cohen and Everitt 1969": "Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Large"
    " sample standard errors of kappa and weighted kappa. Psychological Bulletin 72, 323-327.",
    "Gwet 2008": "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the"
    " presence of high agreement. British Journal of Mathematical and Statistical Psychology 61,"
    " 29-48.",
    "Gwet 2014": "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced"
    " Analytics.",
    "Krippendorff 2011": "Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability."
    " University of Pennsylvania, Annenberg School for Communication.",
    "Light 1971": "Light, R. J. (1971). Measures of response agreement for qualitative data: some"
    " generalizations and alternatives. Psychological Bulletin 76, 365-377.",
    "Passonneau 2006": "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for"
    " semantic and pragmatic annotation. Proceedings of LREC 2006, 831-836.",
    "Scott 1955": "Scott, W. A. (1955). Reliability of content analysis: the case of nominal"
    " scale coding. Public Opinion Quarterly 19, 321-325.",
    "Wilson 1927": "Wilson, E. B. (1927). Probable inference, the law of succession, and"
    " statistical inference. Journal of the American Statistical Association 22, 209-212.",
}
"""What a short source in an estimate stands for."""
BEHIND = {
    "wilson": ("Wilson 1927",),
    "percentile": ("Efron and Tibshirani 1993",),
    "bca": ("Efron 1987", "Efron and Tibshirani 1993"),
}
"""Sources of the intervals."""


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
    several = len(made) > 1
    told = [f"{rule}{f' for {listed(names)}' if several else ''}" for rule, names in made.items()]
    return f"CI: {listed(sorted(levels))}, {'; '.join(told)}"


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
            count(each.n), count(each.of), shown(each.missing), _made(each), shown(each.source),
        )
        for part in chosen
        for each in part.measured.estimates
    )  # fmt: skip
    header = ("figure", "n", "of", "missing ratings", "interval", "source")
    if several:
        return Grid(("of", *header), rows, frozenset({0, 1, 4, 5, 6}))
    return Grid(header, rows, frozenset({0, 3, 4, 5}))


def _made(estimate: Estimate) -> str:
    interval = estimate.interval
    if interval is None:
        return shown(estimate.no_interval) or "none"
    told = interval_rule(interval)
    if interval.undefined:
        told += f", {count(interval.undefined)} of them without a value"
    return f"{told}, cut at the end of the scale" if interval.clipped else told


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
    told += [_missing_rules(chosen), f"{capital(intervals_line(estimates))}."]
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
        f"Figures on fewer than {FEW_PAIRS} units with two ratings are called insufficient.",
        f"Computed with reviewkit {report.version}.",
    ]
    return " ".join(told)


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
    if all(
        held.raters and held.ratings == held.rows * len(held.raters)
        for held in (each.measured for each in chosen)
    ):
        return "No rating is missing."
    rules: dict[str, list[str]] = {}
    for part in chosen:
        for each in part.measured.estimates:
            names = rules.setdefault(each.missing, [])
            names += [name] if (name := _bare(each.short)) not in names else []
    told = "; ".join(f"for {listed(names)}, {shown(rule)}" for rule, names in rules.items())
    return f"Missing ratings: {told}."


def _has_year(source: str) -> bool:
    return any(char.isdigit() for char in source)


def references(report: AgreementReport) -> tuple[str, ...]:
    """Return what the report's figures and intervals rest on, in alphabetical order."""
    named: set[str] = set()
    for part in report.parts:
        for estimate in part.measured.estimates:
            named |= {key for key in REFERENCES if key in estimate.source}
            if estimate.interval is not None:
                named |= {*BEHIND.get(estimate.interval.method, ())}
        if part.measured.light is not None:
            named.add("Light 1971")
    return tuple(REFERENCES[key] for key in REFERENCES if key in named)
