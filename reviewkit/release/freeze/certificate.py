"""The certificate of a freeze: what was frozen, on whose word, and with what.

``certificate.json`` has its fields in one order and names nobody: passes, counts and digests alone.
So it is published byte for byte, and its digest, which every score carries, is that of a file which
anybody has. Who made the freeze stands in the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeVar, cast

from pydantic import Field, ValidationError

from reviewkit.decisions import faults_of
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.freeze.facts import Counts, Sha256, Whole, Written

SCHEMA_VERSION = 1
W = TypeVar("W", bound=Written)


class FormUsed(Written):
    """One form of the project folder."""

    form: str
    """Name and version: ``t1@1``."""
    digest: Sha256
    test_type: str
    """For which groups the study of record asks it; empty when it does not."""


class GuideEdition(Written):
    """The edition of the guide that stood."""

    edition: Whole
    digest: Sha256
    time: str


class RulingsTip(Written):
    """How far the log of rulings had come."""

    rulings: Whole
    tip: Sha256
    """The digest of the last ruling: it covers all of them."""
    not_folded_in: tuple[str, ...]
    """The rulings that no edition of the guide has taken up."""


class PassOfRecord(Written):
    """One pass of the study of record, without its rater's name."""

    round: str
    pass_: Annotated[str, Field(alias="pass")]
    """As it is called outside: ``pass-1`` for one that is called after somebody."""
    judged: Whole
    locked: bool
    lock: str
    """The digest of the lock in force; empty when there is none."""


class Review(Written):
    """The study that says what stands."""

    study: str
    passes: tuple[PassOfRecord, ...]
    settled_by: dict[str, Whole]
    """Pass or ``adjudication`` -> how many groups were accepted on its word."""


class Agreement(Written):
    """How far two passes agree on one thing."""

    between: tuple[str, str]
    """``study/pass`` of the first and of the second."""
    on: str
    """``verdict``, ``accepted or not``, ``checks``."""
    n: Whole
    agree: Whole
    percent: str
    kappa: float | None
    pabak: float | None
    brennan_prediger: float | None
    """Beside PABAK, which takes chance to be one half whatever the number of categories."""
    ac1: float | None
    undefined: dict[str, str]
    """Figure -> why it has no value."""
    left_out: Whole
    """Cards or checks that cannot be compared, and so are in none of these figures."""
    notices: tuple[str, ...]


class SecondReviewOutcome(Written):
    """What a second, stratified review came to."""

    study: str
    of: str
    population: Whole
    """How many groups it was drawn from."""
    sampled: Whole
    judged: Whole
    failed_first: Whole
    """How many failed when they were first judged: what the bound is about."""
    share_failing: str
    bound: str
    widened: Whole
    """How many times the sample was widened."""
    outcome: str
    closed_on: str
    counts: bool
    """Whether it was carried through: closed, and not void."""


class WaiverInForce(Written):
    """A warning of the audit that somebody answers for."""

    code: str
    ids: tuple[str, ...]
    reason: str
    given_on: str


class LayersDrawn(Written):
    """Which part of the bank is sealed, and by which draw."""

    seed: str
    share_asked: Whole
    """The share in percent that the draw was to seal."""
    sealed_groups: Whole
    public_groups: Whole
    undrawn_groups: Whole
    sealed_items: Whole
    items: Whole


class Predecessor(Written):
    """The freeze before this one, and what changed since."""

    freeze: str
    bank_digest: Sha256
    certificate_digest: Sha256
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    """Groups, by template id."""
    files: dict[str, Whole]
    """How many files are ``added``, ``removed``, ``changed`` outside ``bank/groups/``."""


class Versions(Written):
    """What the freeze was made with."""

    reviewkit: str
    python: str
    packages: dict[str, str]


class Certificate(Written):
    """All that is certified, in the order in which it is written."""

    schema_version: Whole
    freeze: str
    time: str
    """UTC, when the files were read."""
    bank_digest: Sha256
    files: Whole
    """How many files the sums are of."""
    sums_digest: Sha256
    """The SHA-256 of ``SHA256SUMS``."""
    groups_digest: Sha256
    """The SHA-256 of ``groups.jsonl``."""
    ledgers_digest: Sha256
    """The SHA-256 of ``ledgers.json``."""
    predecessor: Predecessor | None
    counts: Counts
    forms: tuple[FormUsed, ...]
    guide: GuideEdition | None
    rulings: RulingsTip
    review: Review
    agreements: tuple[Agreement, ...]
    second_reviews: tuple[SecondReviewOutcome, ...]
    waivers: tuple[WaiverInForce, ...]
    warnings: dict[str, Whole]
    """Code -> how many warnings of the audit stood, waived ones aside."""
    layers: LayersDrawn | None
    versions: Versions
    page_digest: Sha256 | None = None
    """The SHA-256 of ``CERTIFICATE.md``, which is rendered from all the rest."""


class LedgerFrozen(Written):
    """One file that only grows, as far as it had come."""

    file: str
    size: Whole
    """In bytes; a later append leaves these as they are."""
    digest: Sha256
    records: Whole
    tip: str


class LedgersFrozen(Written):
    """``ledgers.json``: every file that only grows. It names raters, as their files do."""

    ledgers: tuple[LedgerFrozen, ...]


def as_json_text(value: Written) -> bytes:
    """Return the readable JSON of a model: fields in their order, letters as they are."""
    fields = value.model_dump(mode="json", by_alias=True)
    return (json.dumps(fields, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def told_in(certificate: Certificate) -> Iterator[tuple[str, str]]:
    """Yield every text of a certificate with its place in it, the keys of its lists included."""
    yield from _texts(certificate.model_dump(mode="json", by_alias=True), "")


def _texts(value: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, list):
        for at, each in enumerate(cast("list[object]", value)):
            yield from _texts(each, f"{place}[{at}]")
    elif isinstance(value, dict):
        for name, each in cast("dict[str, object]", value).items():
            within = f"{place}.{name}" if place else name
            yield within, name
            yield from _texts(each, within)


def read_certificate(path: Path, shown: str) -> Certificate:
    """Return a certificate; ProblemsFound when the file is missing or is none."""
    return read_written(path, shown, Certificate)


def read_written(path: Path, shown: str, model: type[W]) -> W:
    """Return what a freeze wrote into one JSON file; ProblemsFound when it cannot be read."""
    remedy = "put the file back as it was, from git or a backup"
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ProblemsFound([Problem(shown, why, remedy)]) from error
    except ValidationError as error:
        raise ProblemsFound([Problem(shown, faults_of(error), remedy)]) from error
