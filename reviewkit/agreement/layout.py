"""What an agreement report on verdicts and checks says, block by block."""

from __future__ import annotations

from reviewkit.agreement.blocks import (
    UNDEFINED,
    Block,
    Grid,
    Heading,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    left_out_line,
    shown,
)
from reviewkit.agreement.coefficients import Figure, FigureName
from reviewkit.agreement.report import VERDICTS, Comparison, Disagreement, Report

TITLES: dict[FigureName, str] = {
    "observed": "observed",
    "kappa": "kappa",
    "pabak": "PABAK",
    "brennan_prediger": "BP(q)",
    "ac1": "AC1",
}


ON_CHECKS = {
    "skewed": "Kappa is low although most answers agree, because one answer holds nearly all of "
    "them (the prevalence paradox); read PABAK and AC1 beside it",
    "one_value": "Kappa is 0 because one pass gave only one answer, whatever the agreement; read "
    "PABAK and AC1 beside it",
}


def render_text(report: Report) -> str:
    """Return the report for a terminal, with columns in line."""
    return blocks_as_text(blocks_of(report))


def render_markdown(report: Report) -> str:
    """Return the report as Markdown with GitHub tables."""
    return blocks_as_markdown(blocks_of(report))


def blocks_of(report: Report) -> list[Block]:
    """Return what the report says, in order, free of any markup."""
    one, two = (shown(name) for name in report.names)
    notices = tuple(f"Notice: {shown(notice)}" for notice in report.notices)
    blocks: list[Block] = [Heading(f"Agreement between {one} and {two}", 1)]
    if notices:
        blocks.append(Points(notices))
    blocks += _verdict_blocks(report, notices)
    if report.of_kind("pooled"):
        blocks += _check_blocks(report, notices)
    blocks += [*_disagreement_blocks(report), Sentence(shown(report.method))]
    return blocks


def _verdict_blocks(report: Report, notices: tuple[str, ...]) -> list[Block]:
    verdicts = report.of_kind("verdict", "verdict_binary")
    blocks: list[Block] = [
        Heading("Verdicts" if verdicts[0].table.categories == VERDICTS else "Labels"),
        *_coverage(verdicts[0]),
        *_figures(verdicts, "categories", notices),
    ]
    for verdict in verdicts if verdicts[0].n else ():
        blocks += _matrix(verdict, report.names)
    return blocks


def _check_blocks(report: Report, notices: tuple[str, ...]) -> list[Block]:
    (pooled,) = report.of_kind("pooled")
    parts = report.of_kind("pooled", "nature", "test_type")
    checks = report.of_kind("check")
    blocks: list[Block] = [Heading("Checks"), *_coverage(pooled)]
    blocks += _figures(parts, "checks", notices)
    if pooled.n:
        blocks += [*_matrix(pooled, report.names), _answers(parts, "checks", report.names)]
    if checks:
        blocks += [Heading("Each check", 3), *_figures(checks, "check", notices)]
        blocks.append(_answers(checks, "check", report.names))
    return blocks


def _coverage(one: Comparison) -> list[Block]:
    what = f"{one.unit}{'' if one.total == 1 else 's'}"
    line = f"{one.n} of {one.total} {what} compared"
    if not one.left_out:
        return [Sentence(f"{line}; none left out.")]
    return [
        Sentence(f"{line}; {one.total - one.n} left out:"),
        Points(tuple(left_out_line(group) for group in one.left_out)),
    ]


def _label(one: Comparison) -> tuple[str, ...]:
    if one.check:
        return tuple(
            shown(part)
            for part in (
                one.check.check_id, one.check.test_type, one.check.form, one.check.nature
            )
        )  # fmt: skip
    return (shown(one.title),)


def _label_header(comparisons: tuple[Comparison, ...], what: str) -> tuple[str, ...]:
    return (what, "type", "form", "nature") if comparisons[0].check else (what,)


def _figures(
    comparisons: tuple[Comparison, ...], what: str, notices: tuple[str, ...]
) -> list[Block]:
    """Return one row per comparison, then the sentences that belong to the figures."""
    head = _label_header(comparisons, what)
    # With two categories everywhere, Brennan-Prediger is PABAK; a column of its own says nothing.
    both_alike = all(one.table.q == 2 for one in comparisons)
    figures: tuple[FigureName, ...] = ("observed", "kappa", "pabak", "brennan_prediger", "ac1")
    if both_alike:
        figures = ("observed", "kappa", "pabak", "ac1")
    titles = ["PABAK = BP(2)" if both_alike and f == "pabak" else TITLES[f] for f in figures]
    any_left_out = any(one.left_out for one in comparisons)
    rows = tuple(
        (
            *_label(one),
            f"{one.table.agree} of {one.n}",
            *((str(one.total - one.n),) if any_left_out else ()),
            str(one.table.q),
            *(_cell(one.figure(name)) for name in figures),
        )
        for one in comparisons
    )
    counted = ("agree", "left out", "q") if any_left_out else ("agree", "q")
    grid = Grid((*head, *counted, *titles), rows, frozenset(range(len(head))))
    sentences = (*notices, *_undefined(comparisons), *_notes(comparisons))
    return [grid, Points(sentences)] if sentences else [grid]


def _cell(figure: Figure) -> str:
    return UNDEFINED if figure.value is None else str(figure)


def _undefined(comparisons: tuple[Comparison, ...]) -> list[str]:
    """Return one sentence per reason, naming the figures and rows that it holds for."""
    told: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for one in comparisons:
        by_why: dict[str, list[str]] = {}
        for figure in one.figures:
            if figure.value is None:
                by_why.setdefault(figure.why, []).append(TITLES[figure.name])
        for why, names in by_why.items():
            told.setdefault((tuple(names), why), []).append(_short(one))
    return [
        f"{', '.join(names)} not defined for {'; '.join(rows)}: {shown(why)}."
        for (names, why), rows in told.items()
    ]


def _short(one: Comparison) -> str:
    return shown(f"{one.check.form} {one.check.check_id}" if one.check else one.title)


def _notes(comparisons: tuple[Comparison, ...]) -> list[str]:
    """Return every note, but those on many checks alike as one sentence."""
    noted = [one for one in comparisons if one.notes]
    if any(not one.check for one in noted):
        return [f"{_short(one)}: {shown(note.text)}" for one in noted for note in one.notes]
    return [
        f"{sentence}: {'; '.join(rows)}."
        for code, sentence in ON_CHECKS.items()
        if (rows := [_short(one) for one in noted if code in {note.code for note in one.notes}])
    ]


def _matrix(one: Comparison, names: tuple[str, str]) -> list[Block]:
    rows_name, columns_name = (shown(name) for name in names)
    labels = tuple(shown(category) for category in one.table.categories)
    rows = [
        (label, *map(str, counts), str(sum(counts)))
        for label, counts in zip(labels, one.table.counts, strict=True)
    ]
    rows.append(("all", *map(str, one.table.column_totals), str(one.n)))
    return [
        Sentence(f"Confusion matrix, rows: {rows_name}, columns: {columns_name}"),
        Grid(("", *labels, "all"), tuple(rows)),
    ]


def _answers(comparisons: tuple[Comparison, ...], what: str, names: tuple[str, str]) -> Grid:
    """Return each two-category matrix as one row: what both said, and what one of them said."""
    one, two = (shown(name) for name in names)
    head = _label_header(comparisons, what)
    titles = ("both yes", "both no", f"no only in {one}", f"no only in {two}")
    rows: list[tuple[str, ...]] = []
    for comparison in comparisons:
        (yes_yes, yes_no), (no_yes, no_no) = comparison.table.counts
        rows.append((*_label(comparison), *map(str, (yes_yes, no_no, no_yes, yes_no))))
    return Grid((*head, *titles), tuple(rows), frozenset(range(len(head))))


def _disagreement_blocks(report: Report) -> list[Block]:
    if report.source == "counts":
        return [Sentence("Made from a table of counts: which units disagree is not known.")]
    verdict = report.of_kind("verdict")[0]
    pooled = report.of_kind("pooled")[0]
    differing = verdict.n - verdict.table.agree
    answers = pooled.n - pooled.table.agree
    blocks: list[Block] = [
        Heading("Disagreements"),
        Sentence(
            f"{differing} of {verdict.n} verdicts and {answers} of {pooled.n} check decisions "
            f"differ, on {len(report.disagreements)} "
            f"card{'' if len(report.disagreements) == 1 else 's'}."
        ),
    ]
    if report.disagreements:
        one, two = (shown(name) for name in report.names)
        rows = tuple(_disagreement_row(entry) for entry in report.disagreements)
        header = ("card", one, two, f"checks that differ ({one} / {two})")
        blocks.append(Grid(header, rows, frozenset(range(4))))
    if any(not entry.verdicts_compared for entry in report.disagreements):
        blocks.append(Sentence("(verdict): shown, but not compared; see what was left out."))
    return blocks


def _disagreement_row(entry: Disagreement) -> tuple[str, ...]:
    verdicts = entry.verdicts
    if not entry.verdicts_compared:
        verdicts = (f"({verdicts[0]})", f"({verdicts[1]})")
    checks = ", ".join(f"{shown(name)} {one} / {two}" for name, one, two in entry.checks)
    return (shown(entry.card_id), *verdicts, checks or "none")
