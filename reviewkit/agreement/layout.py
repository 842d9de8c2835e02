"""An agreement report as blocks of words, and the blocks as terminal text or Markdown.

Names, categories and ids may be in any script. Each right-to-left run is isolated and padded by
display width, so no column depends on the direction of what stands in it.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from reviewkit.agreement.coefficients import Figure, FigureName
from reviewkit.agreement.report import VERDICTS, Comparison, Disagreement, LeftOut, Report

WIDTH = 88
IDS_SHOWN = 6
UNDEFINED = "undefined"
_ISOLATE, _END = "\u2068", "\u2069"
_DIRECTION_MARKS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_STRONG = {"L", "R", "AL"}
_LETTER = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200c\u200d]"
_RIGHT_TO_LEFT = re.compile(f"{_LETTER}+(?: +{_LETTER}+)*")
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


@dataclass(frozen=True, slots=True)
class Heading:
    """A title; level 1 is the report's."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Sentence:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns; the columns named in ``left`` hold words, the others figures."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[int] = field(default=frozenset({0}))


Block = Heading | Sentence | Points | Grid


def shown(text: str) -> str:
    """Return ``text`` on one line with its right-to-left parts isolated.

    A text that begins right to left is isolated whole, so that its own order stays; in any other
    each right-to-left run is, so that the sentence around it keeps its order.
    """
    line = " ".join("".join(" " if _breaks(char) else char for char in text).split())
    strong = (kind for char in line if (kind := unicodedata.bidirectional(char)) in _STRONG)
    if next(strong, "L") != "L":
        return f"{_ISOLATE}{line}{_END}"
    return _RIGHT_TO_LEFT.sub(lambda run: f"{_ISOLATE}{run[0]}{_END}", line)


def _breaks(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Zl", "Zp"} or char in _DIRECTION_MARKS


def display_width(text: str) -> int:
    """Return how many terminal columns ``text`` takes."""
    return sum(
        0
        if unicodedata.category(char) in {"Mn", "Me", "Cf"}
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )


def render_text(report: Report) -> str:
    """Return the report for a terminal, with columns in line."""
    parts: list[str] = []
    for block in blocks_of(report):
        match block:
            case Heading(text, 1):
                parts.append(f"{text}\n{'=' * display_width(text)}")
            case Heading(text, _):
                parts.append(f"{text}\n{'-' * display_width(text)}")
            case Sentence(text):
                parts.append(_wrapped(text))
            case Points(items):
                parts.append("\n".join(_wrapped(item, "- ") for item in items))
            case Grid():
                parts.append(_text_grid(block))
    return "\n\n".join(parts) + "\n"


def render_markdown(report: Report) -> str:
    """Return the report as Markdown with GitHub tables."""
    parts: list[str] = []
    for block in blocks_of(report):
        match block:
            case Heading(text, level):
                parts.append(f"{'#' * level} {_escaped(text)}")
            case Sentence(text):
                parts.append(_escaped(text))
            case Points(items):
                parts.append("\n".join(f"- {_escaped(item)}" for item in items))
            case Grid(header, rows, left):
                rule = (":---" if i in left else "---:" for i in range(len(header)))
                lines = [_markdown_row(header), f"| {' | '.join(rule)} |"]
                parts.append("\n".join(lines + [_markdown_row(row) for row in rows]))
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str, bullet: str = "") -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _text_grid(grid: Grid) -> str:
    lines = (grid.header, *grid.rows)
    widths = [max(display_width(line[i]) for line in lines) for i in range(len(grid.header))]
    return "\n".join(
        "  ".join(
            _padded(cell, widths[i], left=i in grid.left) for i, cell in enumerate(line)
        ).rstrip()
        for line in lines
    )


def _padded(cell: str, width: int, *, left: bool) -> str:
    space = " " * (width - display_width(cell))
    return cell + space if left else space + cell


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*\[\]<>|#&])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


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
        Points(tuple(_left_out(group) for group in one.left_out)),
    ]


def _left_out(group: LeftOut) -> str:
    ids = ", ".join(shown(unit) for unit in group.units[:IDS_SHOWN])
    more = len(group.units) - IDS_SHOWN
    return f"{len(group.units)}: {shown(group.reason)} ({ids}{f' and {more} more' * (more > 0)})"


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
