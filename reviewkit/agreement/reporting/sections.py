"""What a report says, block by block: what was read, the sentence, its tables, the details.

The first screen is for whoever reads no further. Every picture stands after the table that holds
its figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reviewkit.agreement.reporting.blocks import Block, Grid, Heading, Plot, Points, Sentence, shown
from reviewkit.agreement.reporting.figure_tables import coefficient_blocks, part_blocks
from reviewkit.agreement.reporting.lists import (
    candidate_blocks,
    consistency_blocks,
    difference_blocks,
    disagreement_blocks,
    left_out_blocks,
    time_blocks,
)
from reviewkit.agreement.reporting.methods import method_grid, methods_paragraph, references
from reviewkit.agreement.reporting.model import AgreementReport, Kind, Part
from reviewkit.agreement.reporting.plots import drawings_of
from reviewkit.agreement.reporting.printed import capital, percent_of, plural
from reviewkit.agreement.reporting.rating_tables import (
    category_blocks,
    confusion_blocks,
    rater_blocks,
)
from reviewkit.agreement.reporting.wording import (
    collapses_of,
    headline,
    main_parts,
    remarks,
)

LISTED = 500
"""So many disagreements are listed; a file of a million units has too many for a page."""
BESIDE = 3
"""So many parts stand beside each other; more stand below."""
DETAILED = 12
"""So many questions or fields have tables of their own; the CSV and the JSON have all."""
IN_DETAIL: tuple[Kind, ...] = ("question", "field", "derived", "places", "pooled")
SECTIONS: tuple[tuple[str, tuple[Kind, ...], str], ...] = (
    ("Questions", ("question",), "question"),
    ("Fields", ("field",), "field"),
    ("Derived values", ("derived",), "value"),
    ("Places that both marked", ("places",), ""),
    ("Flags", ("flag",), "flag"),
    ("Checks", ("pooled", "nature", "test_type"), "checks"),
    ("Each check", ("check",), "check"),
    ("By domain", ("domain",), "domain"),
    ("By register", ("register",), "register"),
    ("By round", ("round",), "round"),
)


def blocks_of(report: AgreementReport, listed: int = LISTED) -> list[Block]:
    """Return the whole report in order, free of markup, with at most ``listed`` disagreements."""
    pictures = _Pictures(report)
    blocks: list[Block] = [Heading(shown(report.title), 1)]
    if report.notices:
        blocks.append(Points(tuple(f"Notice: {shown(each)}" for each in report.notices)))
    if report.understood:
        blocks.append(Points(tuple(map(shown, report.understood))))
    blocks += [Sentence(each) for each in headline(report)]
    mains = main_parts(report)
    blocks += _remarks([each for main in mains for each in (main, *collapses_of(report, main))])
    if mains[0].kind == "whole":
        blocks += _whole(report, mains[0], pictures)
    for title, kinds, what in SECTIONS:
        blocks += _section(report, title, report.of_kind(*kinds), what, pictures)
        blocks += pictures.take(*(f"parts:{kind}" for kind in kinds))
    for column, parts in _by_column(report).items():
        blocks += _section(report, f"By {column}", parts, column, pictures)
    blocks += pictures.take("parts:group")
    blocks += difference_blocks(report)
    blocks += time_blocks(report)
    blocks += pictures.take("time:whole")
    blocks += consistency_blocks(report)
    blocks += candidate_blocks(report)
    blocks += disagreement_blocks(report, listed)
    blocks += left_out_blocks(report)
    blocks += pictures.rest()
    blocks += [Heading("Method"), Sentence(methods_paragraph(report)), method_grid(report)]
    named = references(report)
    return [*blocks, Heading("References", 3), Points(named)] if named else blocks


class _Pictures:
    """The plots of a report, each taken once."""

    def __init__(self, report: AgreementReport) -> None:
        self._held = {
            each.id: Plot(each.id, each.caption, each.alt) for each in drawings_of(report)
        }

    def take(self, *starts: str) -> list[Plot]:
        """Return the plots whose id is one of ``starts`` or goes on after it."""
        found = [
            plot_id
            for start in starts
            for plot_id in self._held
            if plot_id == start or plot_id.startswith(f"{start}:")
        ]
        return [self._held.pop(each) for each in dict.fromkeys(found)]

    def rest(self) -> list[Block]:
        """Return the plots that no section has taken, under a heading of their own."""
        left: list[Block] = [*self._held.values()]
        self._held.clear()
        return [Heading("More plots"), *left] if left else []


def _remarks(parts: Iterable[Part]) -> list[Block]:
    told = {text: None for part in parts for text in remarks(part)}
    return [Points(tuple(told))] if told else []


def _whole(report: AgreementReport, whole: Part, pictures: _Pictures) -> list[Block]:
    """Return the tables of the whole and its collapses."""
    every = (whole, *collapses_of(report, whole))
    blocks: list[Block] = [Heading("Coefficients"), *_coefficients(report, every)]
    blocks += pictures.take(*(f"coefficients:{each.id}" for each in every))
    for part in every:
        blocks += [*confusion_blocks(part), *pictures.take(f"confusion:{part.id}")]
    categories = [block for part in every for block in category_blocks(part)]
    blocks += [Heading("Each category"), *categories] if categories else []
    people = rater_blocks(report, whole)
    people += pictures.take(f"raters:{whole.id}", f"shares:{whole.id}")
    return [*blocks, Heading(capital(plural(report.rater_word))), *people] if people else blocks


def _coefficients(report: AgreementReport, parts: Sequence[Part]) -> list[Block]:
    return [
        block
        for at in range(0, len(parts), BESIDE)
        for block in coefficient_blocks(report, parts[at : at + BESIDE])
    ]


def _section(
    report: AgreementReport, title: str, parts: Sequence[Part], what: str, pictures: _Pictures
) -> list[Block]:
    """Return parts of one kind below each other, then the tables of each that has its own."""
    if not parts:
        return []
    rows = [row for part in parts for row in (part, *collapses_of(report, part))]
    blocks: list[Block] = [Heading(title)]
    if parts[0].kind == "check":
        rows.sort(key=_share, reverse=True)  # as in their plot
        blocks += _spread(rows)
    blocks += part_blocks(report, rows, what=what)
    blocks += _remarks_on([each for each in rows if each not in main_parts(report)])
    blocks += pictures.take("checks:all") if parts[0].kind == "check" else []
    for part in [each for each in parts if each.kind in IN_DETAIL][:DETAILED]:
        blocks += _details(report, part, pictures)
    return blocks


def _details(report: AgreementReport, part: Part, pictures: _Pictures) -> list[Block]:
    """Return every coefficient of one part and its collapses, and who said what."""
    if not part.measured.paired:
        return []
    every = (part, *collapses_of(report, part))
    blocks: list[Block] = [Heading(shown(part.title), 3)]
    for at in range(0, len(every), BESIDE):
        blocks += coefficient_blocks(report, every[at : at + BESIDE], said=False)
    blocks += pictures.take(*(f"coefficients:{each.id}" for each in every))
    for each in every:
        blocks += [*confusion_blocks(each), *pictures.take(f"confusion:{each.id}")]
    for each in every:
        blocks += category_blocks(each)
    blocks += rater_blocks(report, part)
    return blocks + pictures.take(f"raters:{part.id}", f"shares:{part.id}")


def _by_column(report: AgreementReport) -> dict[str, list[Part]]:
    """Return the groups by the column that makes them.

    The id of a group is ``group:COLUMN:VALUE``, with the question's name before the column where a
    question is split; any other id begins with what the groups are: ``term:FIELD/TERM``.
    """
    found: dict[str, list[Part]] = {}
    for part in report.of_kind("group"):
        start, _, rest = part.id.partition(":")
        if start == "group":
            question = part.of.removeprefix("question:")
            if part.of.startswith("question:"):
                rest = rest.removeprefix(f"{question}:")
            column, split, _ = rest.partition(":")
            start = column if split else "group"
        found.setdefault(shown(start), []).append(part)
    return found


def _share(part: Part) -> float:
    measured = part.measured
    return measured.agree / measured.paired if measured.paired else -1.0


BINS = ((1.0, "all"), (0.9, "90 % or more"), (0.75, "75 to 90 %"), (0.5, "50 to 75 %"))
BELOW = "below 50 %"


def _spread(checks: list[Part]) -> list[Block]:
    """Return how many checks agree how far, by nature: two heaps are two kinds of check."""
    known = [each for each in checks if each.measured.paired]
    if len(known) < 2:
        return []
    natures = list(dict.fromkeys(each.nature or "check" for each in known))
    header = ("checks", *(name for _, name in BINS), BELOW, "decisions that agree")
    rows: list[tuple[str, ...]] = []
    for nature in natures:
        chosen = [each for each in known if (each.nature or "check") == nature]
        places = [
            next((at for at, (low, _) in enumerate(BINS) if _share(each) >= low), len(BINS))
            for each in chosen
        ]
        agree = sum(each.measured.agree for each in chosen)
        n = sum(each.measured.paired for each in chosen)
        counts = (str(places.count(at)) for at in range(len(BINS) + 1))
        rows.append((nature, *counts, f"{agree} of {n} ({percent_of(agree, n)})"))
    caption = "How many checks agree how far."
    return [Grid(header, tuple(rows), caption=caption)]


def _remarks_on(parts: list[Part]) -> list[Block]:
    """Return the remarks on rows of a table, those alike told once."""
    told: dict[str, list[str]] = {}
    for part in parts:
        for text in remarks(part):
            told.setdefault(text, []).append(shown(part.title))
    lines = tuple(f"{'; '.join(titles)}: {text}" for text, titles in told.items())
    return [Points(lines)] if lines else []
