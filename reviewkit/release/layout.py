"""The audit as a page of words: identifiers and counts, so that it may travel anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reviewkit.agreement.reporting.blocks import (
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
from reviewkit.release.audit import Audit
from reviewkit.release.codes import CODES
from reviewkit.release.findings import Finding
from reviewkit.release.positions import Positions, Uniformity
from reviewkit.release.waivers import Used

SHOWN = 8
"""How many subjects a line names before it counts the rest."""
_LISTED_BELOW = {"unreviewed": "see Reviews", "size-short": "see Against the plan"}
"""Codes whose subjects a table further down lists anyway."""
_WORDS = {
    "needs_fix": "needs a fix", "changed": "changed since its review", "reviewed": "closed",
    "excluded": "taken out",
}  # fmt: skip
_USES = {"in_force": "in force", "expired": "expired", "unneeded": "waives nothing"}


def as_text(audit: Audit) -> str:
    """Return the audit for a terminal."""
    return blocks_as_text(blocks_of(audit))


def as_markdown(audit: Audit) -> str:
    """Return the audit as Markdown."""
    return blocks_as_markdown(list(blocks_of(audit)))


def blocks_of(audit: Audit) -> Iterator[Block]:
    """Yield the audit block by block: the verdict first, then the work, then the figures."""
    yield Heading("Audit", 1)
    yield Sentence(audit.headline)
    for title, findings in (("Hard checks that fail", audit.hard), ("Warnings", audit.warnings)):
        if findings:
            yield Heading(title)
            yield _listed(findings)
    yield from _figures(audit)
    yield from _standings(audit)
    yield from _waivers(audit)


def _number(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _listed(findings: Iterable[Finding]) -> Grid:
    """Return a row per code: how many, what it means, whom it concerns."""
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    rows = [
        (code, str(len(found)), CODES[code].title, _LISTED_BELOW.get(code) or _subjects(found))
        for code, found in by_code.items()
    ]
    return Grid(("code", "n", "what", "where"), tuple(rows), frozenset({0, 2, 3}))


def _subjects(findings: Sequence[Finding]) -> str:
    named = [_subject(each) for each in findings[:SHOWN]]
    more = len(findings) - SHOWN
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")


def _subject(finding: Finding) -> str:
    counted = finding.counted
    if not finding.group and not finding.source:
        return counted or finding.subject
    items = () if finding.every_item else finding.items
    named = " ".join([finding.subject, *(_short(item, finding.group) for item in items)])
    return f"{named} ({counted})" if counted else named


def _short(item: str, group: str) -> str:
    """Return what an item's id adds to its group's."""
    return item.removeprefix(group) if item.startswith(group) and item != group else item


def _figures(audit: Audit) -> Iterator[Block]:
    figures = audit.figures
    if figures.parts:
        yield Heading("What there is")
        rows = [
            (each.test_type, each.domain, str(each.groups), str(each.items), str(each.pairs))
            for each in figures.parts
        ]
        header = ("test type", "domain", "groups", "items", "pairs")
        yield Grid(header, tuple(rows), frozenset({0, 1}))
    yield Heading("Balance")
    yield Points(tuple(_balance(audit)))
    if figures.sizes:
        yield Heading("Against the plan")
        sizes = [
            (each.size.name, each.size.unit, str(each.found), str(each.size.planned),
             str(each.missing))
            for each in figures.sizes
        ]  # fmt: skip
        header = ("part", "unit", "found", "planned", "missing")
        yield Grid(header, tuple(sizes), frozenset({0, 1}))


def _balance(audit: Audit) -> Iterator[str]:
    figures = audit.figures
    both = figures.factorial
    yield (
        f"Factorial: {share(both.written, both.groups)} groups are written in both registers, band"
        f" {both.band.at_least} to {both.band.at_most} %."
    )
    if both.claimed != both.written:
        yield (
            f"Another {both.claimed - both.written} have dialect items that are not all written:"
            " they do not count."
        )
    found = figures.directions
    if any(part.test_type == "T2" for part in figures.parts):
        yield (
            f"T2 twins resolve {found.with_}:{found.against} with and against the stereotype;"
            f" {found.neither} neither way, {found.not_given} not given. A group counts once."
        )
    for each in figures.positions:
        yield from _positions(each)
    if any(part.test_type == "T3" for part in figures.parts):
        spread = figures.gradient
        yield f"T3 bands: {_spread(spread.bands)}; stances: {_spread(spread.stances)}."
        yield f"T3 themes: {_spread(spread.themes) or 'none given'}."


def _spread(counts: dict[str, int]) -> str:
    named = [f"{name} {number}" for name, number in counts.items()]
    more = len(named) - SHOWN
    return ", ".join(named[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _positions(each: Positions) -> Iterator[str]:
    yield (
        f"The undetermined option of {each.options} stands at {_chi_square(each.blocks)} over"
        f" {_number(each.blocks.total, 'block')} of options drawn together."
    )
    if each.blocks.is_rough:
        yield "Fewer than five blocks are expected a position: the chi-square is a rough guide."
    if each.rows.total != each.blocks.total:
        yield (
            f"Misleading: row by row it would be {_chi_square(each.rows)}, because"
            f" {each.rows.total} rows repeat {_number(each.blocks.total, 'draw')}."
        )


def _chi_square(found: Uniformity) -> str:
    places = ", ".join(map(str, found.counts))
    return (
        f"{places} (chi-square {three_decimals(found.chi_square)} on {found.freedom} degrees of"
        f" freedom, p {three_decimals(found.p)})"
    )


def _standings(audit: Audit) -> Iterator[Block]:
    yield Heading("Reviews")
    standings = audit.standings
    if not standings.study:
        yield Sentence("No study of record says where the groups stand.")
        return
    yield Sentence(f"In study {standings.study}; a verdict counts for the content it was made on.")
    rows: list[tuple[str, str, str]] = []
    for state, number in standings.counts().items():
        ids = [each for each in sorted(standings.groups) if standings.of(each).state == state]
        more = len(ids) - SHOWN
        named = ", ".join(ids[:SHOWN]) + (f" and {more} more" if more > 0 else "")
        rows.append((_WORDS.get(state, state), str(number), named))
    yield Grid(("state", "groups", "which"), tuple(rows), frozenset({0, 2}))


def _waivers(audit: Audit) -> Iterator[Block]:
    if not audit.waivers:
        return
    yield Heading("Waivers")
    rows = [
        (used.waiver.code, _whom(used), _USES[used.use], used.waiver.given_on,
         shown(used.waiver.name), shown(used.waiver.reason))
        for used in audit.waivers
    ]  # fmt: skip
    header = ("code", "for", "use", "given", "by", "reason")
    yield Grid(header, tuple(rows), frozenset(range(6)))


def _whom(used: Used) -> str:
    return ", ".join(
        f"{name} (changed)" if name in used.stale else name for name in used.waiver.ids
    )


def as_json(audit: Audit) -> dict[str, Any]:
    """Return everything as a script reads it; no list is cut."""
    figures = audit.figures
    return {
        "bank_digest": audit.digest,
        "items": figures.items,
        "groups": audit.groups,
        "passed": audit.passed,
        "findings": [_finding(each) for each in audit.findings],
        "waived": [{**_finding(each), "by": waiver.name} for each, waiver in audit.waived],
        "waivers": [
            {**used.waiver.model_dump(mode="json"), "use": used.use, "changed": list(used.stale)}
            for used in audit.waivers
        ],
        "parts": [
            {"test_type": each.test_type, "domain": each.domain, "groups": each.groups,
             "items": each.items, "pairs": each.pairs}
            for each in figures.parts
        ],
        "factorial": {
            "written": figures.factorial.written,
            "claimed": figures.factorial.claimed,
            "groups": figures.factorial.groups,
            "at_least": figures.factorial.band.at_least,
            "at_most": figures.factorial.band.at_most,
            "within": figures.factorial.is_within,
        },
        "directions": {
            "with": figures.directions.with_,
            "against": figures.directions.against,
            "neither": figures.directions.neither,
            "not_given": figures.directions.not_given,
            "half_split": figures.directions.is_half_split,
        },
        "positions": [
            {
                "options": each.options,
                "blocks": _uniformity(each.blocks),
                "rows_misleading": _uniformity(each.rows),
            }
            for each in figures.positions
        ],
        "t3": {
            "bands": figures.gradient.bands,
            "stances": figures.gradient.stances,
            "themes": figures.gradient.themes,
        },
        "plan": [
            {**each.size.model_dump(mode="json"), "found": each.found, "missing": each.missing}
            for each in figures.sizes
        ],
        "reviews": {
            "study": audit.standings.study or None,
            "counts": dict(audit.standings.counts()),
            "groups": {
                name: {"state": each.state, "time": each.time, "by": each.by,
                       "failed": list(each.failed)}
                for name, each in audit.standings.groups.items()
            },
        },
    }  # fmt: skip


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "group": finding.group or None,
        "items": list(finding.items),
        "counts": dict(finding.counts),
        "said": finding.said,
        "source": finding.file,
    }


def _uniformity(found: Uniformity) -> dict[str, Any]:
    return {
        "counts": list(found.counts),
        "chi_square": found.chi_square,
        "df": found.freedom,
        "p": found.p,
        "rough": found.is_rough,
    }
