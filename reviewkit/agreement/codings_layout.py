"""An agreement report on codings as blocks of words: for the terminal, or as Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from reviewkit.agreement.blocks import (
    IDS_SHOWN,
    UNDEFINED,
    Block,
    Grid,
    Heading,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    share,
    shown,
    three_decimals,
)
from reviewkit.agreement.coding_report import CodingComparison, CodingReport
from reviewkit.agreement.coefficients import Figure, FigureName

MATRIX_LIMIT = 9
"""More categories than this make no table that fits a screen."""
SHOWN_FIGURES: tuple[FigureName, ...] = ("kappa", "ac1")
TITLES = {"kappa": "kappa", "ac1": "AC1", "observed": "observed"}
METHOD = (
    "Method: observed agreement, Cohen's kappa (1960) and Gwet's AC1 (2008) over the declared"
    " codes, unweighted; a figure counts only what both passes coded. An abstention is a code of"
    " its field and leaves a collapse. Coefficients with three decimals, ties away from zero."
)


def render_codings_text(report: CodingReport) -> str:
    """Return the report for a terminal, with columns in line."""
    return blocks_as_text(coding_blocks(report))


def render_codings_markdown(report: CodingReport) -> str:
    """Return the report as Markdown with GitHub tables."""
    return blocks_as_markdown(coding_blocks(report))


def figure_cell(figure: Figure) -> str:
    """Return a coefficient with three decimals; ``undefined`` without one."""
    return UNDEFINED if figure.value is None else three_decimals(figure.value)


def coding_blocks(report: CodingReport) -> list[Block]:
    """Return what the report says, in order, free of any markup."""
    one, two = (shown(name) for name in report.names)
    blocks: list[Block] = [
        Heading(f"Agreement between {one} and {two}, {shown(report.codebook)}", 1)
    ]
    if report.notices:
        blocks.append(Points(tuple(f"Notice: {shown(each)}" for each in report.notices)))
    for title, kinds in (
        ("Fields", ("choice", "yes_no", "many", "spans")),
        ("Derived values", ("collapse", "derived")),
        ("Places that both marked", ("span_class", "span_flag")),
    ):
        chosen = tuple(each for each in report.comparisons if each.kind in kinds)
        if chosen:
            blocks += [Heading(title), _figures(chosen), *_beside(chosen)]
    blocks += _terms(report)
    for each in report.comparisons:
        if each.n and each.table is not None and 2 <= each.table.q <= MATRIX_LIMIT:
            blocks += _matrix(each, (one, two))
    blocks += [*_disagreements(report), Sentence(METHOD)]
    return blocks


def _figures(chosen: tuple[CodingComparison, ...]) -> Grid:
    return Grid(
        ("", "agree", "kappa", "AC1", "codes", "left out"),
        tuple(
            (
                shown(each.id),
                share(each.agree, each.n),
                *(figure_cell(each.figure(name)) for name in SHOWN_FIGURES),
                str(each.table.q) if each.table else "sets",
                f"{each.total - each.n} of {each.total}",
            )
            for each in chosen
        ),
    )


def _beside(chosen: tuple[CodingComparison, ...]) -> list[Block]:
    """Return why units were left out and why a figure has no value, as one list."""
    said = [
        f"{shown(each.id)}: {len(group.units)} left out, {shown(group.reason)}"
        f" ({_few(group.units)})"
        for each in chosen
        for group in each.left_out
    ]
    undefined: dict[tuple[str, str], list[str]] = {}
    for each in chosen:
        whys: dict[str, list[str]] = {}
        for figure in each.figures:
            if figure.value is None:
                whys.setdefault(figure.why, []).append(TITLES[figure.name])
        for why, names in whys.items():
            undefined.setdefault((", ".join(names), why), []).append(shown(each.id))
    said += [
        f"{names} not defined for {', '.join(ids)}: {shown(why)}."
        for (names, why), ids in undefined.items()
    ]
    return [Points(tuple(said))] if said else []


def _few(units: Iterable[str]) -> str:
    every = [shown(each) for each in units]
    more = len(every) - IDS_SHOWN
    return ", ".join(every[:IDS_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _terms(report: CodingReport) -> list[Block]:
    rows = [
        (shown(each.id), shown(term.term), share(term.agree, term.n))
        for each in report.of_kind("span_class")
        for term in each.terms
    ]
    if not rows:
        return []
    return [
        Heading("Class of each term", 3),
        Grid(("", "term", "same class"), tuple(rows), frozenset({0, 1})),
    ]


def _matrix(each: CodingComparison, names: tuple[str, str]) -> list[Block]:
    table = each.table
    if table is None:
        return []
    labels = tuple(shown(category) for category in table.categories)
    rows = [
        (label, *map(str, counts), str(sum(counts)))
        for label, counts in zip(labels, table.counts, strict=True)
    ]
    rows.append(("all", *map(str, table.column_totals), str(table.n)))
    return [
        Sentence(f"{shown(each.id)}, rows: {names[0]}, columns: {names[1]}"),
        Grid(("", *labels, "all"), tuple(rows)),
    ]


def _disagreements(report: CodingReport) -> list[Block]:
    found = report.disagreements()
    many = f"{len(found)} card{'' if len(found) == 1 else 's'}"
    blocks: list[Block] = [Heading("Disagreements"), Sentence(f"The passes differ on {many}.")]
    if found:
        rows = tuple((shown(card), ", ".join(map(shown, what))) for card, what in found.items())
        blocks.append(Grid(("card", "what differs"), rows, frozenset({0, 1})))
    return blocks
