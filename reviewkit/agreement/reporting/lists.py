"""What stands after the figures: differences, disagreements, candidates, consistency, time."""

from __future__ import annotations

from collections.abc import Sequence

from reviewkit.agreement.measures.estimates import FEW_PAIRS, Interval
from reviewkit.agreement.reporting.blocks import (
    IDS_SHOWN,
    Block,
    Grid,
    Heading,
    Points,
    Sentence,
    prose,
    shown,
)
from reviewkit.agreement.reporting.methods import categories_line, interval_rule, raters_line
from reviewkit.agreement.reporting.model import AgreementReport, Candidate, Disagreement, Excluded
from reviewkit.agreement.reporting.printed import (
    AS_SHARE,
    capital,
    count,
    counted,
    interval_cell,
    level,
    listed,
    percent_of,
    plural,
    value_cell,
)
from reviewkit.agreement.reporting.sufficiency import MARK, too_few_to_differ
from reviewkit.agreement.reporting.wording import difference_sentence, points

SIDE_BY_SIDE = 6
"""More raters than this have no column each."""


def left_out_blocks(report: AgreementReport) -> list[Block]:
    """Return what each part left out, why, and the first of the units."""
    several = len(report.parts) > 1
    told: dict[str, list[str]] = {}
    for part in report.parts:
        for group in part.excluded:
            told.setdefault(_excluded(group), []).append(shown(part.title))
    if not told:
        return []
    points = tuple(
        f"{'; '.join(titles)}: {line}" if several else line for line, titles in told.items()
    )
    return [Heading("What was left out"), Points(points)]


def _excluded(group: Excluded) -> str:
    line = f"{count(group.count)}, {prose(group.reason)}"
    return f"{line} ({_few(group.examples, group.count)})" if group.examples else line


def _few(examples: tuple[str, ...], every: int) -> str:
    told = ", ".join(map(shown, examples[:IDS_SHOWN]))
    more = every - min(len(examples), IDS_SHOWN)
    return f"{told} and {count(more)} more" if more > 0 else told


def difference_blocks(report: AgreementReport, *, brief: bool = False) -> list[Block]:
    """Return each difference of two agreements as a sentence, and all of them as a table.

    ``brief`` leaves the table out, whose figures the sentences have.
    """
    if not report.differences:
        return []
    parts = {each.id: each for each in report.parts}
    sentences: list[str] = []
    rows: list[tuple[str, ...]] = []
    for each in report.differences:
        known = [parts[side] for side in (each.one, each.other) if side in parts]
        few = too_few_to_differ(each, *(part.measured for part in known))
        one, other = (
            parts[side].title if side in parts else side for side in (each.one, each.other)
        )
        sentences.append(difference_sentence(each, one, other, few))
        name = each.one_estimate.name
        value = ""
        if each.value is not None:
            share = name in AS_SHARE
            value = points(name, each.value) if share else value_cell(name, each.value)
        rows.append(
            (
                capital(shown(each.one_estimate.short)),
                shown(one), value_cell(name, each.one_estimate.value), count(each.one_estimate.n),
                shown(other), value_cell(name, each.other_estimate.value),
                count(each.other_estimate.n), value,
                interval_cell(name, each.interval) if value else "",
                (f"{count(each.shared)} shared" if each.paired else "not paired")
                + ", insufficient" * bool(few),
            )
        )  # fmt: skip
    header = ("figure", "one", "value", "n", "other", "value", "n", "difference", "CI", "paired")
    blocks: list[Block] = [Heading("Differences"), Points(tuple(sentences))]
    return blocks if brief else [*blocks, Grid(header, tuple(rows), frozenset({0, 1, 4, 9}))]


def disagreement_blocks(report: AgreementReport, listed: int) -> list[Block]:
    """Return the units on which raters differ, both notes side by side; at most ``listed``."""
    found = report.disagreements
    if not found:
        return []
    word = plural(report.rater_word)
    unit = report.unit_listed
    told = f"{capital(word)} differ on {counted(len(found), unit)}."
    if len(found) > listed:
        told += f" The first {count(listed)} follow; the JSON has every one."
    chosen = found[:listed]
    raters = tuple(map(shown, report.raters))
    many = len(raters) > SIDE_BY_SIDE
    asked = dict.fromkeys(each.question for each in chosen)
    questions = len(asked) > 1
    told += (
        f" Their labels are of {shown(next(iter(asked)))}." if not questions and any(asked) else ""
    )
    details = any(each.details for each in chosen)
    notes = any(any(each.notes) for each in chosen)
    named = f"what differs ({' / '.join(raters)})" if raters and not many else "what differs"
    header = (
        unit,
        *(("question",) if questions else ()),
        *(("labels",) if many else raters),
        *((named,) if details else ()),
        *(("notes",) if notes and many else ()),
        *(tuple(f"note of {name}" for name in raters) if notes and not many else ()),
    )
    rows = tuple(
        (
            shown(each.unit),
            *((shown(each.question),) if questions else ()),
            *((_gathered(each.labels, raters),) if many else _of_each(each.labels, len(raters))),
            *((_details(each),) if details else ()),
            *((_notes(each.notes, raters),) if notes and many else ()),
            *(_of_each(each.notes, len(raters)) if notes and not many else ()),
        )
        for each in chosen
    )
    return [
        Heading("Disagreements"),
        Sentence(told),
        Grid(header, rows, frozenset(range(len(header)))),
    ]


def _gathered(labels: tuple[str, ...], raters: tuple[str, ...]) -> str:
    """Return who gave which label: ``yes: ann, cy; no: bob``."""
    held: dict[str, list[str]] = {}
    for rater, label in zip(raters, labels, strict=False):
        if label:
            held.setdefault(shown(label), []).append(rater)
    return "; ".join(f"{label}: {', '.join(names)}" for label, names in held.items())


def _notes(notes: tuple[str, ...], raters: tuple[str, ...]) -> str:
    return "; ".join(
        f"{rater}: {shown(note)}" for rater, note in zip(raters, notes, strict=False) if note
    )


def _of_each(texts: tuple[str, ...], raters: int) -> tuple[str, ...]:
    told = [shown(each) for each in texts[:raters]]
    return (*told, *[""] * (raters - len(told)))


def _details(each: Disagreement) -> str:
    return " · ".join(  # an answer may hold semicolons
        f"{shown(what)}: {' / '.join(shown(label) or '-' for label in labels)}"
        for what, labels in each.details
    )


def candidate_blocks(report: AgreementReport, *, brief: bool = False) -> list[Block]:
    """Return the checks and codes that may need a ruling, or on which people differ by design.

    ``brief`` leaves out which units speak for it; how many do, stands in the reason.
    """
    if not report.candidates:
        return []
    rows = tuple(
        (shown(each.what), each.kind, prose(each.reason), *(() if brief else (_units(each),)))
        for each in report.candidates
    )
    header = ("what", "may need", "why", *(() if brief else (plural(report.unit_listed),)))
    said = (
        "A ruling settles how a rule is read. A design disagreement is about the rule itself, and"
        " stands as a finding."
    )
    return [
        Heading("Candidates for a ruling or a design disagreement"),
        Sentence(said),
        Grid(header, rows, frozenset(range(len(header)))),
    ]


def _units(each: Candidate) -> str:
    return _few(each.units, len(each.units))


def consistency_blocks(report: AgreementReport) -> list[Block]:
    """Return how often each rater answered a repeated or twin card alike."""
    if not report.consistency:
        return []
    rows = tuple(
        (
            shown(each.rater), prose(each.what), count(each.agree),
            f"{count(each.n)}{MARK * (each.n < FEW_PAIRS)}",
            percent_of(each.agree, each.n), interval_cell("observed", each.interval),
            _few(each.differ, len(each.differ)) if each.differ else "",
        )
        for each in report.consistency
    )  # fmt: skip
    header = (report.rater_word, "on", "alike", "of", "share", "CI", "differ")
    blocks: list[Block] = [
        Heading(f"Each {report.rater_word} against themselves"),
        Sentence(
            f"{_intervals([each.interval for each in report.consistency])} over what was judged"
            f" more than once; reviewkit {report.version}."
        ),
        Grid(header, rows, frozenset({0, 1, 6})),
    ]
    return blocks + _marked([each.n for each in report.consistency], "judged more than once")


def time_blocks(report: AgreementReport) -> list[Block]:
    """Return agreement stretch by stretch, in the order of judging."""
    if not report.over_time:
        return []
    rows = tuple(
        (
            shown(each.label), count(each.agree),
            f"{count(each.n)}{MARK * (0 < each.n < FEW_PAIRS)}",
            percent_of(each.agree, each.n), interval_cell("observed", each.interval),
        )
        for each in report.over_time
    )  # fmt: skip
    header = ("in order of judging", "agree", "of", "observed", "CI")
    part = report.told_over_time
    told = "; ".join((
        f"{capital(shown(part.title))}: observed agreement on {plural(shown(part.measured.unit))}",
        raters_line([part.measured], report.rater_word), categories_line([part.measured]),
        _intervals([each.interval for each in report.over_time]), f"reviewkit {report.version}",
    ))  # fmt: skip
    blocks: list[Block] = [
        Heading("Agreement over time"), Sentence(f"{told}."), Grid(header, rows)
    ]  # fmt: skip
    return blocks + _marked([each.n for each in report.over_time if each.n], "in a stretch")


def _intervals(intervals: Sequence[Interval | None]) -> str:
    """Return how these intervals were made."""
    known = [each for each in intervals if each is not None]
    rules = listed(list(dict.fromkeys(map(interval_rule, known))))
    return f"CI: {level(known[0].confidence)}, {rules}" if known else "no intervals"


def _marked(sizes: Sequence[int], what: str) -> list[Block]:
    """Return what the mark beside a number means, where there is one."""
    few = any(each < FEW_PAIRS for each in sizes)
    return [Sentence(f"* Insufficient, fewer than {FEW_PAIRS} {what}.")] if few else []
