"""The data card of a publication, for people and for machines, its front page and its sums."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewkit import __version__
from reviewkit.agreement.reporting.blocks import blocks_as_markdown
from reviewkit.agreement.reporting.blocks import markdown_line as plain
from reviewkit.release.freeze import Certificate, agreement_blocks
from reviewkit.release.publish.statements import DataCardHead, Statement
from reviewkit.release.publish.tier import PublicTier

CROISSANT = "http://mlcommons.org/croissant/1.0"
_TYPES = {
    ".json": "application/json", ".jsonl": "application/jsonlines", ".csv": "text/csv",
    ".md": "text/markdown", ".html": "text/html", ".yaml": "application/yaml",
}  # fmt: skip


READING = """\
- `bank/groups/` holds a YAML file for each group, or a JSONL file with one on each line. A group
  has `template_id`, `test_type`, its cell (`domain`, `bias_form`) and `items`; what the codes mean
  stands in `bank/taxonomy.yaml`.
- Items of one group are compared with each other, and never one alone: they differ in
  `swapped_value`, in `register`, or as `twin` (ambiguous and disambiguated).
- T1 and T3 ask with `text`: T1 for a text to be compared, T3 for one that may be refused. T2 has
  `context`, `question` and `options`; `correct_position` counts them from 1, and
  `disambig_direction` says whether the fact in the disambiguated twin goes with or against the
  stereotype. T4 asks for an account of `event_ref` in `bank/registry.yaml`; `term_watchlist`
  classes the words that are counted in it.
- A line of `decisions/` is what one reviewer said last of one group: `answers` to the checks of
  `form`, and the `verdict` that follows from them. `labels/` has a dictionary beside every table.
"""
"""How to read the files, for somebody who has nothing but them."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the card tells beside the statements."""

    tier: PublicTier
    studies: tuple[str, ...]
    notices: tuple[str, ...]
    freeze: str
    certificate_digest: str
    said_since: int
    """How many retractions, amendments and deviations there are."""
    certificate: Certificate | None
    """None while nothing is frozen, when nothing goes out."""
    bank_digest: str
    day: str
    notes: bool
    """Whether notes of reviewers are in it."""


def data_card(statements: Sequence[Statement], facts: Facts) -> str:
    """Return ``DATACARD.md``: the statement of that name under its title, then the figures."""
    card = next(each for each in statements if each.name == "data-card")
    head = _head(card)
    tier, layers = facts.tier, facts.tier.layers
    items = sum(len(group.items) for group in tier.groups)
    lines = [
        f"# {_plain(head.title)}",
        "",
        f"Version {_plain(head.version)}, licence {_plain(head.licence)}, {facts.day}.",
        "",
        f"Cite as: {_plain(_citation(head, facts))}",
        "",
        card.body.rstrip(),
        "",
        "## What is here",
        "",
        f"- {items} items on {len(tier.groups)} groups are public.",
        (
            f"- {len(layers.sealed)} groups with {layers.sealed_items} items are sealed,"
            f" {100 * layers.share_of_items:.1f} % of {layers.items} items."
        ),
        (
            f"- Seed of the last draw: {plain(layers.seed)}; at least {layers.share} % of every"
            " stratum."
        ),
        f"- Freeze `{facts.freeze}`, bank digest `{facts.bank_digest}`.",
        (
            f"- SHA-256 of `certificate/certificate.json`, which every published score names:"
            f" `{facts.certificate_digest}`."
        ),
        f"- Digest of the public groups: `{tier.digest}`.",
        f"- Languages: {plain(', '.join(_counted(tier, 'language')))}.",
        f"- Registers: {plain(', '.join(_counted(tier, 'register_')))}.",
        *(
            [f"- Withdrawn after the freeze and left out: {plain(', '.join(tier.retracted))}."]
            if tier.retracted
            else []
        ),
        *(
            [f"- Said since the freeze, in `certificate/AFTERWARDS.md`: {facts.said_since}."]
            if facts.said_since
            else []
        ),
        "",
        "As it was drawn:",
        "",
        "| stratum | groups | public | items | public |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(
            f"| {plain(each.stratum)} | {each.groups} | {each.groups - each.sealed_groups} |"
            f" {each.items} | {each.items - each.sealed_items} |"
            for each in layers.strata
        ),
        "",
        "## People",
        "",
        (
            "Raters stand under pseudonyms that hold within one study: `rater-1` of two studies may"
            " be two people. Everybody else is `person-1` and so on throughout."
        ),
        "Acts are dated to the day. "
        + (
            "Notes on public groups are included; notes on sealed ones are not."
            if facts.notes
            else "No notes are included."
        ),
        "",
        "## Studies",
        "",
        *([f"- {_plain(each)}" for each in facts.studies] or ["None is open."]),
        *([""] if facts.notices else []),
        *(f"- {plain(notice)}" for notice in facts.notices),
    ]
    if facts.certificate is not None:
        certified = blocks_as_markdown(agreement_blocks(facts.certificate))
        lines += ["", "As the certificate has it:", "", certified.rstrip("\n")]
    return "\n".join(lines) + "\n"


def _citation(head: DataCardHead, facts: Facts) -> str:
    """Return how to cite the bank: as its authors say, else by what tells this release apart."""
    if head.cite_as.strip():
        return head.cite_as
    return (
        f"{head.title}, version {head.version}, {facts.day}, certificate {facts.certificate_digest}"
    )


def _counted(tier: PublicTier, field: str) -> list[str]:
    counts = Counter(getattr(item, field) for group in tier.groups for item in group.items)
    return [f"{name} ({number} items)" for name, number in sorted(counts.items())]


def _head(card: Statement) -> DataCardHead:
    if not isinstance(card.head, DataCardHead):
        raise TypeError("the head of a data card is read as such")
    return card.head


def _plain(text: str) -> str:
    """Return what the head of a statement or a study's line says, on one line.

    Nothing acts as Markdown but an address, which authors give so that it is followed; forms are
    called ``t1@1``.
    """
    escaped = "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~!&" else char for char in text)
    return " ".join("".join(char if char.isprintable() else " " for char in escaped).split())


def croissant(statements: Sequence[Statement], facts: Facts, files: Mapping[str, bytes]) -> bytes:
    """Return ``croissant.json``: metadata of a data set by the Croissant vocabulary, version 1.0.

    It describes the files and no record of them: groups are nested, and Croissant's records are
    flat. Source: the MLCommons Croissant format specification, sections on dataset and resources.
    """
    head = _head(next(each for each in statements if each.name == "data-card"))
    card = {
        "@context": {
            "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
            "cr": "http://mlcommons.org/croissant/", "dct": "http://purl.org/dc/terms/",
            "conformsTo": "dct:conformsTo", "citeAs": "cr:citeAs",
        },
        "@type": "sc:Dataset",
        "conformsTo": CROISSANT,
        "name": head.title,
        "description": next(each for each in statements if each.name == "data-card").body.strip(),
        "version": head.version,
        "license": head.licence,
        "datePublished": facts.day,
        "citeAs": _citation(head, facts),
        "inLanguage": sorted(
            {item.language for group in facts.tier.groups for item in group.items}
        ),
        "distribution": [
            {
                "@type": "cr:FileObject", "@id": path, "name": path, "contentUrl": path,
                "encodingFormat": _TYPES.get(path[path.rfind(".") :], "text/plain"),
                "contentSize": f"{len(raw)} B", "sha256": hashlib.sha256(raw).hexdigest(),
            }
            for path, raw in sorted(files.items())
        ],
    }  # fmt: skip
    return (json.dumps(card, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def front_page(statements: Sequence[Statement], facts: Facts, files: Mapping[str, bytes]) -> str:
    """Return ``README.md``: what lies where, and how to check it."""
    head = _head(next(each for each in statements if each.name == "data-card"))
    places = (
        ("DATACARD.md", "what this is, for whom, and what it does not show"),
        ("statements/", "positionality, competing interests, harm review"),
        ("bank/", "the public groups, with taxonomy, sources, plan and axes"),
        ("bank/sealed.json", "the groups that are held back, by identifier and digest"),
        ("bank/layers.yaml", "the draw that decided which; `reviewkit verify layers` repeats it"),
        ("checklists/", "the forms that people answered"),
        ("decisions/", "verdicts of every reviewer on public groups; counts for sealed ones"),
        ("labels/", "final labels, with data dictionaries"),
        ("rulings/", "the rules that were settled, and the guide that carries them"),
        ("certificate/", "what was frozen, and what was said since"),
        ("croissant.json", "the same for machines"),
        ("SHA256SUMS", "a sum for each file: `sha256sum -c SHA256SUMS`"),
    )
    made = {"SHA256SUMS", "croissant.json", *files}
    lines = [
        f"# {_plain(head.title)} {_plain(head.version)}",
        "",
        f"Published {facts.day} with reviewkit {__version__} under {_plain(head.licence)}.",
        "",
        "This folder is a project folder of reviewkit: `reviewkit check` reads it.",
        "",
        "| where | what |",
        "| --- | --- |",
        *(
            f"| `{name}` | {what} |"
            for name, what in places
            if name in made or any(path.startswith(name) for path in made)
        ),
        "",
        (
            "At least half of the items are sealed for good, so that a score can still be had on"
            " items that no system was trained on. A group that is public here stays public; a"
            " sealed one stays sealed."
        ),
        "",
        "## Reading it",
        "",
        READING,
        (
            "Every score names the certificate it was made under: `sha256sum"
            f" certificate/certificate.json` gives `{facts.certificate_digest}`."
        ),
    ]
    return "\n".join(lines) + "\n"


def sums(files: Mapping[str, bytes]) -> bytes:
    """Return ``SHA256SUMS`` over files, as ``sha256sum`` writes it."""
    lines = [f"{hashlib.sha256(raw).hexdigest()}  {path}\n" for path, raw in sorted(files.items())]
    return "".join(lines).encode("utf-8")
