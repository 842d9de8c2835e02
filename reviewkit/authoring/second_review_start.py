"""How a second review begins: who may judge, out of which groups, and its study file."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from contextlib import suppress
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter, ValidationError

from reviewkit.authoring.second_review import review_log
from reviewkit.authoring.second_review_acts import Drawn, carry_out, find_second_review
from reviewkit.authoring.standing import passes_of_record, standings_of
from reviewkit.bank import Bank, read_bank
from reviewkit.decisions import Chain, Record, Word, store_of
from reviewkit.decisions.records import UPGRADERS
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.questions import load_forms
from reviewkit.sources import build, load_yaml
from reviewkit.study import Study, check_study, list_studies, load_study
from reviewkit.study.dealing import card_book
from reviewkit.study.drawing import plan_cards, units_of
from reviewkit.study.names import folded_name
from reviewkit.study.new_study import BadStudyName, StudyExists
from reviewkit.study.sample_record import check_sample
from reviewkit.study.second_review import (
    SecondReviewAct,
    SecondReviewSpec,
    render_second_review,
)
from reviewkit.workspace import Workspace

SHARE, AT_LEAST, BOUND = Decimal("0.25"), Decimal("0.2"), Decimal("0.25")
"""The protocol draws 20 to 25 %; the bound is ours, since the protocol leaves it open."""

_HAD_THE_CARD = (
    "decision", "skip", "first_label", "adjudication", "exclusion", "second_reading",
)  # fmt: skip
"""Kinds of records whose author has had the card before him."""


class NothingToReview(ReviewkitError):
    """No study of record, or no group of it is accepted."""


class NotASecondReviewer(ReviewkitError):
    """The person has judged these groups before."""


def start_second_review(
    ws: Workspace, name: str, rater: str, seed: int, *, bound: Decimal = BOUND,
    share: Decimal = SHARE, at_least: Decimal = AT_LEAST, without: Collection[str] = (),
    author: str = "lead",
) -> Drawn:  # fmt: skip
    """Lay the study file of a second review, draw its sample, and record both.

    Args:
        ws: the project folder.
        name: the new study's name.
        rater: who judges; not the primary rater, nor anybody who has had one of the groups.
        seed: seed of the draw.
        bound: the sample is widened when a larger share of its groups fails.
        share: at most this share of the groups is drawn, and at least one of each stratum.
        at_least: at least this share.
        without: earlier second reviews; the groups that they could draw are left out.
        author: who starts it.

    Raises NothingToReview, NotASecondReviewer, StudyExists, BadStudyName, or ProblemsFound; nothing
    is there then. The same command again goes on where a crash stopped it.
    """
    _must_be_words(name, rater)
    earlier = review_log(ws, name).course().started
    if earlier is not None:
        given = (rater, seed, bound, share, at_least)
        told = (
            earlier.rater, earlier.seed, Decimal(earlier.bound), Decimal(earlier.share),
            Decimal(earlier.at_least),
        )  # fmt: skip
        if given == told and _lacks_something(ws, name):
            return carry_out(ws, name)
    if earlier is not None or ws.study_file(name).exists():
        raise StudyExists(f"there is a study {name} already; choose another name")
    bank, _left_out = read_bank(ws)
    of, population = _population(ws, bank, without)
    _must_be_fresh(ws, of, rater, population)
    started: dict[str, Any] = {
        "of": of.study, "rater": rater, "seed": seed, "bound": str(bound), "share": str(share),
        "at_least": str(at_least), "steps": [str(each) for each in _steps(share)],
        "forms": of.forms,
        "welfare": of.welfare.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        "population": list(population), "bank_digest": bank.digest,
    }  # fmt: skip
    started["new"] = list(_try_out(ws, bank, name, author, started))
    review_log(ws, name).record("started", author=author, **started)
    return carry_out(ws, name)


def _lacks_something(ws: Workspace, name: str) -> bool:
    return not ws.study_file(name).exists() or not card_book(ws, load_study(ws, name)).study_ids()


def _must_be_words(name: str, rater: str) -> None:
    for what, given in (("a study", name), ("a rater", rater)):
        try:
            TypeAdapter(Word).validate_python(given)
        except ValidationError:
            raise BadStudyName(
                f"{given!r} is no name of {what}: letters, digits, `.`, `_` and `-`, no space;"
                " choose another"
            ) from None


def _population(
    ws: Workspace, bank: Bank, without: Collection[str]
) -> tuple[Study, tuple[str, ...]]:
    """Return the study of record and its accepted groups, less those of earlier second reviews."""
    standings = standings_of(ws, bank)
    if not standings.study:
        several = ", ".join(standings.several)
        raise NothingToReview(
            f"several studies claim to be of record: {several}; leave it to one" if several
            else "no study is of record: give one `of_record: \"yes\"` in its study.yaml"
        )  # fmt: skip
    left_out = {
        each for name in without for each in find_second_review(ws, bank, name).population
    }  # fmt: skip
    accepted = tuple(
        group.template_id for group in bank.groups
        if standings.of(group.template_id).state == "accepted"
        and group.template_id not in left_out
    )  # fmt: skip
    if not accepted:
        counts = ", ".join(f"{n} {state}" for state, n in standings.counts().items() if n)
        raise NothingToReview(
            f"study {standings.study} has no accepted group to draw from ({counts or 'no group'});"
            " a blind pass must be locked before its verdicts count"
        )
    return load_study(ws, standings.study), accepted


def _must_be_fresh(ws: Workspace, of: Study, rater: str, population: Collection[str]) -> None:
    """Raise NotASecondReviewer for whoever made the verdicts, or has had one of the groups."""
    first = passes_of_record(of)[0][1]
    if _spelt(first.rater) == _spelt(rater):
        raise NotASecondReviewer(
            f"{rater} is the primary rater of study {of.study}: his are the verdicts that are"
            " looked at again; name somebody else"
        )
    seen = _groups_seen(ws, rater) & set(population)
    if seen:
        listed = ", ".join(sorted(seen)[:3]) + (" ..." if len(seen) > 3 else "")
        earlier = any(load_study(ws, name).second_review is not None for name in list_studies(ws))
        left_out = ", or leave the groups of an earlier second review out with --except NAME"
        raise NotASecondReviewer(
            f"{rater} has judged {len(seen)} of these groups before ({listed}); name somebody else"
            f"{left_out if earlier else ''}"
        )


def _spelt(name: str) -> str:
    """Return a name without case and signs: a slip of the pen makes no other person."""
    return re.sub(r"[._-]", "", folded_name(name))


def _groups_seen(ws: Workspace, person: str) -> set[str]:
    """Return every card that a person judged, settled or read a second time, in any study.

    The ledgers themselves are read, so a pass that was withdrawn, or that its study file no longer
    lists, counts as well: what was seen was seen.
    """
    seen: set[str] = set()
    for name in list_studies(ws):
        for path in store_of(ws).logs(ws.study_folder(name), "*/*.jsonl"):
            if _spelt(path.stem) == _spelt(person):
                chain = Chain(store_of(ws).lines(path), "", Record, upgraders=UPGRADERS)
                seen |= {
                    each.card_id
                    for each in chain.lines()
                    if each.kind in _HAD_THE_CARD and each.card_id
                }
    return seen


def _steps(share: Decimal) -> list[Decimal]:
    return [each for each in SecondReviewSpec(of="x").steps if each > share]


def _try_out(
    ws: Workspace, bank: Bank, name: str, author: str, started: dict[str, Any]
) -> tuple[str, ...]:  # fmt: skip
    """Return the groups that would be drawn, before anything is recorded.

    Raises ProblemsFound for what could not be drawn or judged.
    """
    place = {"schema_version": 1, "seq": 1, "previous": "0" * 64, "digest": "0" * 64,
             "time": "2000-01-01T00:00:00.000Z", "click_id": secrets.token_hex(8)}  # fmt: skip
    act = SecondReviewAct.model_validate(
        {
            **place,
            "act": "started",
            "study": name,
            "author": author,
            "new": started["population"],
            **started,
        }
    )
    path = ws.study_file(name)
    trial = path.with_name(f".study.{secrets.token_hex(4)}.yaml")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        trial.write_text(render_second_review(act), encoding="utf-8", newline="\n")
        study = build(load_yaml(trial, ws.shown(path)), Study)
        problems = check_study(study, bank, load_forms(ws.checklists), ws.shown(path))
        if study.sample is not None and not problems:
            problems = check_sample(study.sample, units_of(ws, study), ws.shown(path))
        if problems:
            raise ProblemsFound(problems)
        planned = plan_cards(ws, study, study.rounds[0])
    finally:
        trial.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()  # unless something lies there
    return planned.sample.new if planned.sample is not None else ()
