"""The pages of a freeze for readers: the certificate, and what was said since.

Both are rendered from the records and from nothing else, so anybody can render them again and see
that no word of them was put in by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from reviewkit.agreement.reporting.blocks import (
    Block,
    Grid,
    Heading,
    Points,
    Sentence,
    blocks_as_markdown,
    share,
    shown,
    three_decimals,
)
from reviewkit.release.codes import CODES
from reviewkit.release.freeze.certificate import Agreement, Certificate, Predecessor
from reviewkit.release.freeze.facts import Counts, Tally, directions_said, factorial_said
from reviewkit.release.freeze.log import FreezeLine

NAMED = 40
"""How many groups a sentence names before it counts the rest."""


def certificate_page(certificate: Certificate) -> str:
    """Return ``CERTIFICATE.md``."""
    return blocks_as_markdown(_blocks(certificate))


def with_page(certificate: Certificate) -> tuple[Certificate, bytes]:
    """Return a certificate that names the digest of its page, and the page."""
    page = certificate_page(certificate).encode("utf-8")
    return certificate.model_copy(update={"page_digest": sha256(page).hexdigest()}), page


def _blocks(made: Certificate) -> Iterator[Block]:
    yield Heading(f"Certificate of freeze {made.freeze}", 1)
    counts = made.counts
    yield Sentence(
        f"{_number(counts.items, 'item')} on {_number(counts.groups, 'group')}, frozen on"
        f" {_when(made.time)} UTC."
    )
    yield Points(
        (
            f"Bank digest: {made.bank_digest}",
            f"SHA-256 of SHA256SUMS, over {_number(made.files, 'file')}: {made.sums_digest}",
            f"SHA-256 of groups.jsonl: {made.groups_digest}",
            f"SHA-256 of ledgers.json: {made.ledgers_digest}",
        )
    )
    yield Sentence(
        "From the project folder, reviewkit verify freeze checks all of it, and sha256sum -c"
        f" rulings/freezes/{made.freeze}/SHA256SUMS the files alone."
    )
    yield from _since(made.predecessor)
    yield from _counts(counts)
    yield from _reviews(made)
    yield from _rules(made)
    yield from _warnings(made)
    yield Heading("Layers")
    yield Sentence(_layers(made))
    yield Heading("Made with")
    packages = ", ".join(f"{name} {version}" for name, version in made.versions.packages.items())
    yield Sentence(
        f"reviewkit {made.versions.reviewkit}, Python {made.versions.python}; {packages}."
    )


def _since(before: Predecessor | None) -> Iterator[Block]:
    yield Heading("Predecessor")
    if before is None:
        yield Sentence("None: it is the first freeze of this bank.")
        return
    yield Sentence(
        f"{before.freeze}, bank digest {before.bank_digest}, certificate"
        f" {before.certificate_digest}."
    )
    files = before.files
    yield Points(
        (
            f"Groups added: {_named(before.added)}",
            f"Groups gone: {_named(before.removed)}",
            f"Groups changed: {_named(before.changed)}",
            (
                f"Other files: {files['added']} added, {files['removed']} gone,"
                f" {files['changed']} changed; records may have grown."
            ),
        )
    )


def _named(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return f"{', '.join(ids[:NAMED])}{more}" if ids else "none"


def _counts(counts: Counts) -> Iterator[Block]:
    yield Heading("What there is")
    for title, tallies in (
        ("cell", counts.cells), ("test type", counts.test_types), ("domain", counts.domains),
        ("band", counts.bands),
    ):  # fmt: skip
        if tallies:
            yield _tallies(title, tallies)
    found = counts.directions
    yield Points(
        (
            (
                f"T2 twins with and against the stereotype: {directions_said(found)};"
                f" {found.neither} neither way, {found.not_given} not given."
            ),
            f"Factorial groups: {factorial_said(counts.factorial)}.",
        )
    )


def _tallies(title: str, tallies: tuple[Tally, ...]) -> Grid:
    rows = [(each.part, str(each.groups), str(each.items), str(each.pairs)) for each in tallies]
    return Grid((title, "groups", "items", "pairs"), tuple(rows))


def _reviews(made: Certificate) -> Iterator[Block]:
    yield Heading("Reviews")
    by = ", ".join(f"{name} {number}" for name, number in made.review.settled_by.items())
    yield Sentence(f"Study of record: {made.review.study}. Every group is accepted, by {by}.")
    rows = [
        (each.round, each.pass_, str(each.judged), each.lock if each.locked else "not locked")
        for each in made.review.passes
    ]
    yield Grid(("round", "pass", "judged", "lock"), tuple(rows), frozenset({0, 1, 3}))
    yield from agreement_blocks(made)


def agreement_blocks(made: Certificate) -> Iterator[Block]:
    """Yield how far the reviews agree, and what the second reviews came to."""
    if made.agreements:
        yield Heading("Agreement", 3)
        yield _agreements(made.agreements)
        yield from _remarks(made.agreements)
    yield Heading("Second reviews", 3)
    if not made.second_reviews:
        yield Sentence("None was made.")
    for each in made.second_reviews:
        ended = f"closed on {each.closed_on}, {each.outcome.replace('_', ' ')}"
        yield Sentence(
            f"{each.study} of {each.of}: {each.sampled} of {each.population} groups drawn,"
            f" {each.judged} judged; {each.share_failing} failed when first judged, bound"
            f" {each.bound}; widened {each.widened} times; {ended}."
            f"{'' if each.counts else ' It counts for nothing.'}"
        )


def _agreements(found: tuple[Agreement, ...]) -> Grid:
    rows = [
        (
            " and ".join(each.between), each.on, share(each.agree, each.n), _figure(each.kappa),
            _figure(each.pabak), _figure(each.brennan_prediger), _figure(each.ac1),
            str(each.left_out),
        )
        for each in found
    ]  # fmt: skip
    header = ("passes", "on", "agree", "kappa", "PABAK", "Brennan-Prediger", "AC1", "left out")
    return Grid(header, tuple(rows), frozenset({0, 1}))


def _figure(value: float | None) -> str:
    return "undefined" if value is None else three_decimals(value)


def _remarks(found: tuple[Agreement, ...]) -> Iterator[Block]:
    said = [
        f"{' and '.join(each.between)}, {each.on}: {name} is undefined, {why}."
        for each in found
        for name, why in each.undefined.items()
    ]
    said += [notice for each in found for notice in each.notices]
    if said:
        yield Points(tuple(shown(each) for each in dict.fromkeys(said)))


def _rules(made: Certificate) -> Iterator[Block]:
    yield Heading("Forms, guide and rulings")
    rows = [(each.form, each.test_type, each.digest) for each in made.forms]
    yield Grid(("form", "asked for", "digest"), tuple(rows), frozenset({0, 1, 2}))
    guide, rulings = made.guide, made.rulings
    if guide is None:
        yield Sentence("No edition of the guide was published.")
    else:
        yield Sentence(
            f"Guide: edition {guide.edition} of {guide.time[:10]}, digest {guide.digest}."
        )
    if not rulings.rulings:
        yield Sentence("No ruling was filed.")
        return
    yield Sentence(
        f"{_number(rulings.rulings, 'ruling')}, tip {rulings.tip}; in no edition of the guide:"
        f" {_named(rulings.not_folded_in)}."
    )


def _warnings(made: Certificate) -> Iterator[Block]:
    yield Heading("Warnings of the audit")
    if made.warnings:
        rows = [
            (code, str(number), CODES[code].title if code in CODES else "")
            for code, number in made.warnings.items()
        ]
        yield Grid(("code", "n", "what"), tuple(rows), frozenset({0, 2}))
    else:
        yield Sentence("None stood.")
    yield Heading("Waivers in force", 3)
    if not made.waivers:
        yield Sentence("None.")
        return
    rows = [
        (each.code, ", ".join(each.ids), each.given_on, shown(each.reason))
        for each in made.waivers
    ]  # fmt: skip
    yield Grid(("code", "for", "given", "reason"), tuple(rows), frozenset(range(4)))


def _layers(made: Certificate) -> str:
    drawn = made.layers
    if drawn is None:
        return "Nothing is sealed."
    undrawn = (
        f"; {_number(drawn.undrawn_groups, 'group')} not drawn" if drawn.undrawn_groups else ""
    )
    return (
        f"Seed {shown(drawn.seed)}, {drawn.share_asked} % asked:"
        f" {share(drawn.sealed_items, drawn.items)} items are sealed, on"
        f" {_number(drawn.sealed_groups, 'group')}; {_number(drawn.public_groups, 'group')}"
        f" public{undrawn}."
    )


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _when(time: str) -> str:
    return time[:19].replace("T", " ")


# What was said since ------------------------------------------------------------------------------


def afterwards_page(freeze_name: str, lines: Iterable[FreezeLine]) -> str:
    """Return ``AFTERWARDS.md``: retractions, amendments and deviations since a freeze, in order."""
    return blocks_as_markdown(_afterwards(freeze_name, lines))


def _afterwards(freeze_name: str, lines: Iterable[FreezeLine]) -> Iterator[Block]:
    yield Heading(f"Since freeze {freeze_name}", 1)
    yield Sentence(
        "What was withdrawn from the frozen bank, amended, or done otherwise than planned. The"
        " frozen files stay as they are; this page is rendered from rulings/freezes/log.jsonl."
    )
    for number, line in enumerate(lines, start=1):
        yield Heading(f"{number}. {line.kind.capitalize()}, {_when(line.time)} UTC")
        if line.text:
            yield Sentence(shown(line.text))
        if line.ids:
            yield Sentence(f"Withdrawn: {', '.join(line.ids)}.")
        said = [f"By {shown(line.name)}.", f"Reason: {shown(line.reason)}"]
        if line.effect:
            said.append(f"Effect: {shown(line.effect)}")
        yield Points(tuple(said))
        if line.files:
            rows = [(shown(path), digest) for path, digest in line.files.items()]
            yield Grid(("file", "SHA-256 since"), tuple(rows), frozenset({0, 1}))
        if line.changes:
            rows = [(each.of, each.before, each.after) for each in line.changes]
            yield Grid(("count", "before", "after"), tuple(rows))
