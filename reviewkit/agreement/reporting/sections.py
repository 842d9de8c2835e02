"""What a report says, block by block: what was read, the sentence, its tables, the details.

The first screen is for whoever reads no further. Every picture stands after the table that holds
its figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reviewkit.agreement.reporting.blocks import (
    Block,
    Grid,
    Heading,
    Plot,
    Points,
    Sentence,
    prose,
    shown,
)
from reviewkit.agreement.reporting.figure_tables import (
    coefficient_blocks,
    part_blocks,
    share_of,
    spread_blocks,
)
from reviewkit.agreement.reporting.lists import (
    candidate_blocks,
    consistency_blocks,
    difference_blocks,
    disagreement_blocks,
    left_out_blocks,
    time_blocks,
)
from reviewkit.agreement.reporting.methods import (
    categories_line,
    method_grid,
    method_points,
    methods_paragraph,
    rests_on,
)
from reviewkit.agreement.reporting.model import AgreementReport, Kind, Part
from reviewkit.agreement.reporting.plots import column_of, drawings_of
from reviewkit.agreement.reporting.printed import capital, plural
from reviewkit.agreement.reporting.rating_tables import (
    categories_blocks,
    category_blocks,
    confusion_blocks,
    rater_blocks,
)
from reviewkit.agreement.reporting.references import references
from reviewkit.agreement.reporting.sufficiency import too_few
from reviewkit.agreement.reporting.wording import (
    collapses_of,
    headline,
    leading_parts,
    main_parts,
    remarks,
    some,
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


def blocks_of(report: AgreementReport, listed: int = LISTED, *, brief: bool = False) -> list[Block]:
    """Return the whole report in order, free of markup, with at most ``listed`` disagreements.

    ``brief`` is for a terminal: no plots, each fact once, the method in a few lines.
    """
    return _Telling(report, listed, brief).blocks()


class _Telling:
    """One report on its way into blocks."""

    def __init__(self, report: AgreementReport, listed: int, brief: bool) -> None:
        self._report = report
        self._listed = listed
        self._brief = brief
        self._plots = {
            each.id: Plot(each.id, each.caption, each.alt, each.title)
            for each in (() if brief else drawings_of(report))
        }
        leading = leading_parts(report)
        self._leading = [each for part in leading for each in self._beside(part)]

    def blocks(self) -> list[Block]:
        """Return every block; what is said of two tables to the letter is said of the first."""
        blocks = [*self._head(), *self._tables(), *self._lists(), *self._method()]
        return _told_once(blocks, everywhere=self._brief)

    def _head(self) -> list[Block]:
        report = self._report
        blocks: list[Block] = [Heading(shown(report.title), 1)]
        if report.notices:
            blocks.append(Points(tuple(f"Notice: {prose(each)}" for each in report.notices)))
        if report.understood:
            blocks.append(Points(tuple(map(prose, report.understood))))
        blocks += [Sentence(each) for each in headline(report)]
        told = {text: None for part in self._leading for text in remarks(part)}
        return blocks + ([Points(tuple(told))] if told else [])

    def _tables(self) -> list[Block]:
        report = self._report
        blocks: list[Block] = []
        mains = main_parts(report)
        if mains[0].kind == "whole":
            blocks += self._whole(mains[0])
        for title, kinds, what in SECTIONS:
            blocks += self._section(title, report.of_kind(*kinds), what)
            for kind in kinds:
                blocks += self._taken(f"parts:{kind}", f"parts:{kind}:")
        for column, parts in self._by_column().items():
            blocks += self._section(f"By {shown(column)}", parts, shown(column))
            of = dict.fromkeys(part.of or "whole" for part in parts)
            start = f"parts:group:{column}"
            blocks += [plot for each in (start, *(f"{start}:{name}" for name in of))
                       for plot in self._taken(each)]  # fmt: skip
        return blocks

    def _lists(self) -> list[Block]:
        report, brief = self._report, self._brief
        blocks = [*difference_blocks(report, brief=brief), *time_blocks(report)]
        blocks += self._taken("time:whole")
        blocks += consistency_blocks(report)
        blocks += candidate_blocks(report, brief=brief)
        blocks += disagreement_blocks(report, self._listed)
        blocks += left_out_blocks(report)
        left = self._taken("", "")
        return [*blocks, Heading("More plots"), *left] if left else blocks

    def _method(self) -> list[Block]:
        report = self._report
        blocks: list[Block] = [Heading("Method")]
        if self._brief:
            return [*blocks, method_points(report)]
        blocks += [Sentence(methods_paragraph(report)), method_grid(report)]
        named = references(report)
        return [*blocks, Heading("References", 3), Points(named)] if named else blocks

    def _taken(self, plot_id: str, start: str | None = None) -> list[Block]:
        """Return the plot of this id and those whose id begins with ``start``, each only once."""
        found = [
            each
            for each in self._plots
            if each == plot_id or (start is not None and each.startswith(start))
        ]
        return [self._plots.pop(each) for each in found]

    def _beside(self, part: Part) -> tuple[Part, ...]:
        return (part, *collapses_of(self._report, part))

    def _whole(self, whole: Part) -> list[Block]:
        """Return the tables of the whole and its collapses."""
        every = self._beside(whole)
        coefficients = self._coefficients(every, self._foot(every), said=True)
        blocks: list[Block] = [Heading("Coefficients"), *coefficients]
        for part in every:
            blocks += [*confusion_blocks(part), *self._taken(f"confusion:{part.id}")]
        categories = categories_blocks(every)
        blocks += [Heading("Each category"), *categories] if categories else []
        people = self._people(whole)
        word = capital(plural(self._report.rater_word))
        return [*blocks, Heading(word), *people] if people else blocks

    def _foot(self, parts: Sequence[Part]) -> str:
        return rests_on(parts, self._report.rater_word, self._report.version)

    def _coefficients(self, parts: Sequence[Part], caption: str, *, said: bool) -> list[Block]:
        blocks: list[Block] = []
        for at in range(0, len(parts), BESIDE):
            blocks += coefficient_blocks(parts[at : at + BESIDE], caption, said=said)
        for each in parts:
            blocks += self._taken(f"coefficients:{each.id}")
        return blocks

    def _people(self, part: Part) -> list[Block]:
        blocks = rater_blocks(self._report, part)
        return [*blocks, *self._taken(f"raters:{part.id}"), *self._taken(f"shares:{part.id}")]

    def _section(self, title: str, parts: Sequence[Part], what: str) -> list[Block]:
        """Return parts of one kind below each other, then the tables of each that has its own."""
        if not parts:
            return []
        rows = [row for part in parts for row in self._beside(part)]
        blocks: list[Block] = [Heading(title)]
        checks = parts[0].kind == "check"
        if checks:
            rows.sort(key=share_of, reverse=True)  # as in their plot
            blocks += spread_blocks(rows)
        detailed = [each for each in parts if self._has_tables(each)][:DETAILED]
        below = [each for part in detailed for each in self._beside(part)]
        blocks += part_blocks(rows, self._foot(rows), what=what, brief=self._brief, below=below)
        blocks += self._remarks_on(rows)
        blocks += self._taken("checks:all") if checks else []
        several = len({each.measured.categories for each in rows}) > 1
        for part in detailed:
            # raters, intervals and version stand above; the categories too, where all have the same
            told = capital(categories_line([part.measured])) if several else ""
            blocks += self._details(part, f"{told}." if told else "")
        shown_below = {each.id for each in detailed}
        left = [
            shown(each.title)
            for each in parts
            if each.kind in IN_DETAIL and each.measured.pairs and each.id not in shown_below
        ]
        where = "in the Markdown, LaTeX, HTML and JSON forms" if self._brief else "in the JSON form"
        told_left = f"Who gave what, and agreement on each category, of {some(left)}: {where}."
        return [*blocks, Sentence(told_left)] if left else blocks

    def _has_tables(self, part: Part) -> bool:
        """Return whether a part has tables of its own: on a terminal only those that lead."""
        if part.kind not in IN_DETAIL or not part.measured.paired:
            return False
        leading = {each.id for each in self._leading}
        return not self._brief or part.kind == "pooled" or part.id in leading

    def _remarks_on(self, parts: Sequence[Part]) -> list[Block]:
        """Return the remarks on rows of a table that stand nowhere above, those alike told once."""
        above = {each.id for each in self._leading}
        told: dict[str, list[str]] = {}
        for part in parts:
            if part.id in above or (self._brief and too_few(part.measured)):
                continue
            for text in remarks(part):
                told.setdefault(text, []).append(shown(part.title))
        lines = tuple(f"{some(titles)}: {text}" for text, titles in told.items())
        return [Points(lines)] if lines else []

    def _details(self, part: Part, caption: str) -> list[Block]:
        """Return every coefficient of one part and its collapses, and who said what."""
        every = self._beside(part)
        blocks: list[Block] = [Heading(shown(part.title), 3)]
        blocks += self._coefficients(every, caption, said=False)
        for each in every:
            blocks += [*confusion_blocks(each), *self._taken(f"confusion:{each.id}")]
        for each in every:
            blocks += category_blocks(each)
        return [*blocks, *self._people(part)]

    def _by_column(self) -> dict[str, list[Part]]:
        """Return the groups by the column that makes them."""
        found: dict[str, list[Part]] = {}
        for part in self._report.of_kind("group"):
            found.setdefault(column_of(part), []).append(part)
        return found


def _told_once(blocks: Sequence[Block], *, everywhere: bool) -> list[Block]:
    """Return the blocks without captions and sentences that stand in the same section already."""
    told: set[str] = set()
    kept: list[Block] = []
    for block in blocks:
        match block:
            case Heading(_, level) if level <= 2 and not everywhere:
                told.clear()
            case Grid(caption=caption) if caption in told:
                block = replace(block, caption="")  # noqa: PLW2901 - the same table
            case Grid(caption=caption):
                told.add(caption)
            case Sentence(text) if text in told:
                continue
            case Sentence(text):
                told.add(text)
            case _:
                pass
        kept.append(block)
    return kept
