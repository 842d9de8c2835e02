"""Which plots a report has: each with its caption, its words for whoever does not see it, its id.

Listing them is cheap. matplotlib is loaded when the first one is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reviewkit.agreement.measures.estimates import Measured, Name
from reviewkit.agreement.reporting import captions
from reviewkit.agreement.reporting.colours import SERIES
from reviewkit.agreement.reporting.model import AgreementReport, Kind, Part
from reviewkit.agreement.reporting.printed import capital, percent
from reviewkit.agreement.reporting.sufficiency import too_few

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FileKind = Literal["svg", "pdf", "png"]
PLOT_KINDS = ("coefficients", "confusion", "raters", "shares", "parts", "checks", "time")
MOST_ROWS = 40
MOST_MATRICES = 8
"""A file of thirty questions has its tables; thirty heat maps would say nothing more."""
MOST_CATEGORIES = 12
MOST_RATERS = 12
_OWN_PLOTS: tuple[Kind, ...] = (
    "whole", "collapse", "question", "field", "derived", "places", "pooled",
)  # fmt: skip
_SPLITS: dict[Kind, str] = {
    "question": "question", "test_type": "test type", "nature": "nature of checks",
    "domain": "domain", "register": "register", "round": "round", "group": "group",
    "field": "field", "derived": "derived value", "flag": "flag",
}  # fmt: skip
_CHANCE: tuple[Name, ...] = ("kappa", "fleiss", "conger", "alpha")


@dataclass(frozen=True, slots=True)
class Drawing:
    """One plot of a report, not yet drawn."""

    id: str
    """``KIND:PART``: ``confusion:whole``, ``parts:domain``, ``checks:all``, ``time:whole``."""
    title: str
    caption: str
    """What it rests on: n, raters, categories, intervals with their seed, version."""
    alt: str
    """What it shows, in words."""
    by: Callable[[], Figure]
    """What draws it, under the settings of ``canvas.style``."""

    def draw(self) -> Figure:
        """Return the figure; it belongs to no window and no session of pyplot."""
        from reviewkit.agreement.reporting.canvas import style  # noqa: PLC0415  heavy

        with style():
            return self.by()

    @property
    def stem(self) -> str:
        """A name for its file, of plain letters."""
        return re.sub(r"[^A-Za-z0-9]+", "-", self.id).strip("-").lower() or "plot"


def drawings_of(report: AgreementReport) -> tuple[Drawing, ...]:
    """Return the plots that this report has, in the order a reader wants them."""
    found: list[Drawing] = []
    matrices = 0
    for part in report.parts:
        if part.kind not in _OWN_PLOTS or not part.measured.paired:
            continue
        own = [*_coefficients(report, part), *_confusion(report, part)]
        matrices += any(each.id.startswith("confusion") for each in own)
        if matrices <= MOST_MATRICES:
            found += own
        if part.kind in {"whole", "question", "field"} and matrices <= MOST_MATRICES:
            found += [*_raters(report, part), *_shares(report, part)]
    for kind, name in _SPLITS.items():
        found += _parts(report, kind, name)
    return (*found, *_checks(report), *_time(report))


def drawing(report: AgreementReport, plot_id: str) -> Drawing | None:
    """Return the plot with this id; None when the report has none."""
    return next((each for each in drawings_of(report) if each.id == plot_id), None)


def plot_files(report: AgreementReport, folder: Path, kind: FileKind = "svg") -> dict[str, Path]:
    """Draw every plot of the report into a file of ``folder``; return the files by plot id.

    The same report gives the same bytes with the same matplotlib. Files already there with the
    same names are replaced.
    """
    from reviewkit.agreement.reporting.canvas import save  # noqa: PLC0415  heavy

    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, Path] = {}
    used: set[str] = set()
    for each in drawings_of(report):
        stem, again = each.stem, 1
        while stem in used:
            again += 1
            stem = f"{each.stem}-{again}"
        used.add(stem)
        path = folder / f"{stem}.{kind}"
        save(each.draw(), path, kind)
        files[each.id] = path
    return files


def _coefficients(report: AgreementReport, part: Part) -> Iterator[Drawing]:
    chosen = tuple(each for each in part.measured.estimates if each.name != "all_agree")
    if not chosen:
        return
    few = bool(too_few(part.measured))

    def draw() -> Figure:
        from reviewkit.agreement.reporting.forests import (  # noqa: PLC0415  heavy
            Mark,
            Row,
            figures_of,
            forest,
        )

        return forest(
            [
                Row(
                    capital(each.title),
                    figures_of(each),
                    (Mark(each.value, each.interval, 0, few),),
                )
                for each in chosen
            ]
        )

    yield Drawing(
        f"coefficients:{part.id}",
        f"Coefficients: {part.title}",
        captions.of_coefficients(report, part, chosen),
        captions.values_in_words(chosen),
        draw,
    )


def _confusion(report: AgreementReport, part: Part) -> Iterator[Drawing]:
    measured = part.measured
    if not measured.pairs or len(measured.categories) < 2:
        return
    table, rows, columns = _summed(measured)
    kept = _most_confused(table)
    labels = [measured.categories[at] for at in kept]
    cells = [[table[i][j] for j in kept] for i in kept]

    def draw() -> Figure:
        from reviewkit.agreement.reporting.matrices import confusion  # noqa: PLC0415  heavy

        return confusion(cells, labels, rows, columns)

    yield Drawing(
        f"confusion:{part.id}",
        f"Who said what: {part.title}",
        captions.of_confusion(report, part, len(kept)),
        captions.confusion_in_words(table, measured.categories, rows, columns),
        draw,
    )


def _summed(measured: Measured) -> tuple[list[list[int]], str, str]:
    """Return the table of all pairs of raters, and what its rows and columns are.

    With more than two raters no rater owns the rows, so each pair counts both ways round.
    """
    if len(measured.pairs) == 1:
        pair = measured.pairs[0]
        return [list(row) for row in pair.table], pair.one, pair.other
    q = len(measured.categories)
    table = [
        [sum(pair.table[i][j] + pair.table[j][i] for pair in measured.pairs) for j in range(q)]
        for i in range(q)
    ]
    return table, "one rating", "another of the same unit"


def _most_confused(table: Sequence[Sequence[int]]) -> list[int]:
    """Return the categories that a heat map has room for: those with most disagreements."""
    q = len(table)
    if q <= MOST_CATEGORIES:
        return list(range(q))
    differing = [sum(table[at]) + sum(row[at] for row in table) - 2 * table[at][at]
                 for at in range(q)]  # fmt: skip
    return sorted(sorted(range(q), key=lambda at: -differing[at])[:MOST_CATEGORIES])


def _raters(report: AgreementReport, part: Part) -> Iterator[Drawing]:
    measured = part.measured
    names = measured.raters
    if not 3 <= len(names) <= MOST_RATERS or len(measured.pairs) < 2:
        return
    shares = {
        frozenset((pair.one, pair.other)): pair.agree / pair.n for pair in measured.pairs if pair.n
    }
    sizes = {frozenset((pair.one, pair.other)): pair.n for pair in measured.pairs}
    rows = [[shares.get(frozenset((one, other))) for other in names] for one in names]
    n = [[sizes.get(frozenset((one, other)), 0) for other in names] for one in names]

    def draw() -> Figure:
        from reviewkit.agreement.reporting.matrices import raters  # noqa: PLC0415  heavy

        return raters(rows, n, names)

    yield Drawing(
        f"raters:{part.id}",
        f"Rater by rater: {part.title}",
        captions.of_raters(report, part),
        captions.raters_in_words(measured.pairs),
        draw,
    )


def _shares(report: AgreementReport, part: Part) -> Iterator[Drawing]:
    measured = part.measured
    given = [each for each in measured.shares if each.n]
    if len(given) < 2:
        return
    order = sorted(
        range(len(measured.categories)),
        key=lambda at: (-sum(each.counts[at] for each in given), at),
    )[:MOST_ROWS]

    def draw() -> Figure:
        from reviewkit.agreement.reporting.forests import Mark, Row, forest  # noqa: PLC0415  heavy

        told_apart = len(given) <= len(SERIES)
        rows: list[Row] = []
        for at in order:
            shares = [each.counts[at] / each.n for each in given]
            ends = (min(shares), max(shares))
            said = [percent(share) for share in (shares if len(given) <= 3 else ends)]
            marks = (
                tuple(Mark(share, None, place, stem=True) for place, share in enumerate(shares))
                if told_apart
                else tuple(Mark(share, None, 0) for share in shares)
            )
            joined = (" · " if len(given) <= 3 else " to ").join(said)
            rows.append(Row(measured.categories[at], f"{joined} %", marks))
        names = [each.rater for each in given] if told_apart else []
        return forest(rows, names, shares=True, apart=told_apart)

    yield Drawing(
        f"shares:{part.id}",
        f"Label shares: {part.title}",
        captions.of_shares(report, part, len(order)),
        captions.shares_in_words(given, measured.categories, order[:3]),
        draw,
    )


def column_of(part: Part) -> str:
    """Return what made a part of kind ``group``: the column of its file, or the start of its id."""
    start, _, rest = part.id.partition(":")
    if start != "group":
        return start
    column, split, _ = rest.removeprefix(f"{part.of.removeprefix('question:')}:").partition(":")
    return column if split else start


def _parts(report: AgreementReport, kind: Kind, name: str) -> Iterator[Drawing]:
    """Return one plot for each part that was split this way: its pieces beside each other."""
    splits: dict[tuple[str, str], list[Part]] = {}
    for part in report.of_kind(kind):
        column = column_of(part) if kind == "group" else ""
        splits.setdefault((column, part.of), []).append(part)
    parents = {parent for _, parent in splits}
    for (column, parent), parts in splits.items():
        if len(parts) < 2:
            continue
        words = ["parts", kind, *([column] if column else [])]
        words += [parent or "whole"] if len(parents) > 1 else []
        yield _split(report, parts, ":".join(words), column or name)


def _split(report: AgreementReport, parts: Sequence[Part], plot_id: str, name: str) -> Drawing:
    every = parts
    if len(parts) > MOST_ROWS:
        parts = sorted(every, key=_agreement)[:MOST_ROWS]
    names = _compared(parts)
    by_name = [[part.measured.find(name) for part in parts] for name in names]
    columns = [column for column in by_name if any(column)]
    estimates = [each for column in columns for each in column if each is not None]
    series = [next(each.title for each in column if each is not None) for column in columns]

    def draw() -> Figure:
        from reviewkit.agreement.reporting.forests import Mark, Row, forest  # noqa: PLC0415  heavy

        rows = [
            Row(part.title, captions.size(part.measured), tuple(
                Mark(each.value, each.interval, at, bool(too_few(part.measured)))
                for at, each in enumerate(found) if each is not None
            ))
            for part, *found in zip(parts, *columns, strict=True)
        ]  # fmt: skip
        return forest(rows, [capital(each) for each in series])

    return Drawing(
        plot_id,
        f"By {name}",
        captions.of_parts(report, parts, estimates, len(every)),
        captions.parts_in_words(parts),
        draw,
    )


def _compared(parts: Sequence[Part]) -> list[Name]:
    """Return what is drawn of each part: observed agreement, one kappa, and AC1 beside it."""
    for name in _CHANCE:
        if any(part.measured.find(name) for part in parts):
            return ["observed", name, "ac1"]
    return ["observed", "ac1"]


def _agreement(part: Part) -> float:
    """Return the share of units on which all agree; parts without any stand last."""
    measured = part.measured
    return measured.agree / measured.paired if measured.paired else 2.0


def _checks(report: AgreementReport) -> Iterator[Drawing]:
    parts = [part for part in report.of_kind("check") if part.measured.paired]
    if len(parts) < 2:
        return
    parts.sort(key=_agreement, reverse=True)
    named = parts[-MOST_ROWS:]
    natures = sorted({part.nature for part in parts}, reverse=True)  # structural, judgement
    estimates = [found for part in parts if (found := part.measured.find("observed")) is not None]

    def draw() -> Figure:
        from reviewkit.agreement.reporting.forests import Mark, Row, forest  # noqa: PLC0415  heavy

        rows: list[Row] = []
        for part in named:
            measured = part.measured
            found = measured.find("observed")
            share, few = measured.agree / measured.paired, bool(too_few(measured))
            mark = Mark(share, found.interval if found else None, natures.index(part.nature), few)
            rows.append(Row(part.title, f"{measured.agree} of {measured.paired}", (mark,)))
        heaps = [
            [part.measured.agree / part.measured.paired for part in parts if part.nature == nature]
            for nature in natures
        ]
        series = [capital(nature or "check") for nature in natures]
        return forest(rows, series, shares=True, heaps=heaps)

    yield Drawing(
        "checks:all",
        "Checks by agreement",
        captions.of_checks(report, parts, len(named), estimates),
        captions.checks_in_words(parts),
        draw,
    )


def _time(report: AgreementReport) -> Iterator[Drawing]:
    points = report.over_time
    if sum(1 for each in points if each.n) < 2:
        return

    def draw() -> Figure:
        from reviewkit.agreement.reporting.course import course  # noqa: PLC0415  heavy

        return course(points)

    yield Drawing(
        "time:whole",
        "Agreement over time",
        captions.of_time(report, points),
        captions.time_in_words(points),
        draw,
    )
