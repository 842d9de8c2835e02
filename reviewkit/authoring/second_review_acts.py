"""Acts of the lead on a second review: widen it, close it, and bring the files up to the record.

Each act is recorded first and carried out then: the study file, the draw and the lock are brought
up to the record, now or, after a crash, by the next command.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from reviewkit.authoring.second_review import (
    SecondReview,
    bound_sentence,
    passes,
    review_log,
    second_review_of,
)
from reviewkit.bank import Bank, read_bank
from reviewkit.decisions import effective_judgements, lock_in_force
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import is_blank
from reviewkit.sources import build, load_yaml
from reviewkit.study import Study, UnknownStudy, list_studies, load_study
from reviewkit.study.board import pass_records
from reviewkit.study.dealing import card_book
from reviewkit.study.drawing import draw_cards, plan_cards
from reviewkit.study.opening import reopen
from reviewkit.study.second_review import (
    SecondReviewSpec,
    percent,
    render_second_review,
    with_share,
)
from reviewkit.workspace import Workspace


class CannotWiden(ReviewkitError):
    """The sample is not widened as things stand."""


class CannotClose(ReviewkitError):
    """The second review is not at its end."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A second review after a draw."""

    review: SecondReview
    new: tuple[str, ...]
    """The groups that this draw added."""
    said: tuple[str, ...]
    """What the draw could not meet, in sentences."""


def find_second_review(ws: Workspace, bank: Bank, name: str | None) -> SecondReview:
    """Return a second review; the only one when none is named. Raises UnknownStudy."""
    known = [
        each for each in list_studies(ws) if load_study(ws, each).second_review is not None
    ]  # fmt: skip
    if name is None and len(known) == 1:
        name = known[0]
    if name not in known:
        wanted = f"{name!r} is no second review" if name else "name the second review"
        listed = f"there is {', '.join(known)}" if known else (
            "start one with `reviewkit second-review start NAME --rater WHO --seed N`"
        )  # fmt: skip
        raise UnknownStudy(f"{wanted}; {listed}")
    return second_review_of(ws, bank, load_study(ws, name))


def widen_second_review(
    ws: Workspace, name: str, *, to: Decimal | None = None, anyway: str = "", author: str = "lead"
) -> Drawn:
    """Draw more groups, all that were drawn staying, and open the pass for them.

    What a cut-off command left undone is done instead, and nothing else.

    Args:
        ws: the project folder.
        name: the second review.
        to: the share to draw; the next step of the study file when not given. A step that gives no
            new group is passed over.
        anyway: why it is widened although the failing share does not pass the bound.
        author: who widens it.

    Raises CannotWiden.
    """
    bank, _left_out = read_bank(ws)
    review = find_second_review(ws, bank, name)
    if review.unfinished:
        return carry_out(ws, name)
    if review.is_closed:
        raise CannotWiden(f"{name} was closed on {review.closed_on}; start another second review")
    if review.withdrawn:
        raise CannotWiden(f"{review.said}; nothing was widened")
    if is_blank(anyway) and not review.must_widen:
        why = bound_sentence(review) if review.locked else "its pass is not locked"
        raise CannotWiden(f"{why}; to widen it all the same, say why with --anyway")
    study = load_study(ws, name)
    share, at_least, new = _next_draw(ws, study, review, to)
    review_log(ws, name).record(
        "widened", author=author, share=str(share), at_least=str(at_least), reason=anyway.strip(),
        new=list(new), **_figures(review),
    )  # fmt: skip
    return carry_out(ws, name)


def close_second_review(
    ws: Workspace, name: str, *, void: str = "", author: str = "lead"
) -> SecondReview:
    """Record the end of a second review with its outcome.

    Args:
        ws: the project folder.
        name: the second review.
        void: why nothing of it counts, for one that nobody will finish. Refused once a lock has
            shown its verdicts; not needed when consent was withdrawn.
        author: who closes it.

    Raises CannotClose while something is awaited of it.
    """
    bank, _left_out = read_bank(ws)
    review = find_second_review(ws, bank, name)
    outcome, reason = "within_bound", ""
    if review.is_closed:
        raise CannotClose(f"{name} was closed on {review.closed_on} already; nothing was recorded")
    if review.withdrawn or not is_blank(void):
        if review.lock and not review.withdrawn:
            raise CannotClose("its verdicts were sealed by a lock and count; it cannot be void")
        outcome, reason = "void", void.strip() or "consent was withdrawn"
    elif review.unfinished:
        raise CannotClose(review.unfinished)
    elif review.open or not review.locked:
        waiting = f"{len(review.open)} groups are open" if review.open else "its pass is not locked"
        raise CannotClose(f"{waiting}; {review.rater} locks the pass when all are judged")
    elif not review.overall.judged:
        raise CannotClose(f"{bound_sentence(review)}; reopen the pass, or name another reviewer")
    elif review.must_widen:
        raise CannotClose(review.said)
    elif passes(review.overall, review.bound):
        outcome = "whole_population"
    figures = _figures(review) if outcome != "void" else {}
    review_log(ws, name).record(
        "closed", author=author, outcome=outcome, reason=reason, **figures
    )  # fmt: skip
    return find_second_review(ws, bank, name)


def carry_out(ws: Workspace, name: str) -> Drawn:
    """Bring study file, draw and lock up to what is recorded; what is done already stays.

    Raises CannotWiden when a person has changed how the study file says the share.
    """
    course = review_log(ws, name).course()
    started, latest = course.started, course.latest
    if started is None or latest is None:
        raise UnknownStudy(
            f"no start of {name} is recorded: `reviewkit second-review start {name}`"
        )
    path = ws.study_file(name)
    if not path.exists():
        write_whole(path, render_second_review(started))
    study = load_study(ws, name)
    share, at_least = Decimal(latest.share), Decimal(latest.at_least)
    wanted = sharing(study, share, at_least)
    if wanted != study:
        _rewrite_share(ws, path, wanted, share, at_least)
        study = wanted
    bank, _left_out = read_bank(ws)
    book, round_ = card_book(ws, study), study.rounds[0]
    before = set(book.study_ids())
    planned = draw_cards(ws, study, round_)
    there = {group.template_id for group in bank.groups}
    # an edit between a cut-off command and this one can move a stratum's share
    lost = [each for each in latest.new if each in there - set(book.study_ids())]
    if lost:
        book.add(lost, "recorded as drawn before the command was cut off")
    sampled = book.study_ids()
    (seat,) = round_.passes
    records = pass_records(ws, study, seat)
    judged = effective_judgements(records)
    if lock_in_force(records) and any(each in there and each not in judged for each in sampled):
        reopen(ws, study, round_, seat, f"the sample was widened to {percent(share)}")
    return Drawn(
        second_review_of(ws, bank, study),
        tuple(each for each in sampled if each not in before),
        planned.said,
    )


def sharing(study: Study, share: Decimal, at_least: Decimal) -> Study:
    """Return a second review's study with another share to draw."""
    sample = study.sample
    if sample is None:
        return study
    draw = sample.draws[0].model_copy(update={"share": share, "at_least": at_least})
    changed = sample.model_copy(update={"draws": (draw, *sample.draws[1:])})
    return study.model_copy(update={"sample": changed})


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place and move it there, so that nobody meets half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def _rewrite_share(
    ws: Workspace, path: Path, wanted: Study, share: Decimal, at_least: Decimal
) -> None:
    text = with_share(path.read_text(encoding="utf-8"), share, at_least)
    trial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    by_hand = CannotWiden(
        f"{ws.shown(path)} says the share in a way that cannot be changed by machine: write"
        f" `share: {percent(share)}, at_least: {percent(at_least)}` there and run this again"
    )
    if text is None:
        raise by_hand
    try:
        trial.write_text(text, encoding="utf-8", newline="\n")
        if build(load_yaml(trial, ws.shown(path)), Study) != wanted:
            raise by_hand
        trial.replace(path)
    finally:
        trial.unlink(missing_ok=True)


def _figures(review: SecondReview) -> dict[str, Any]:
    """Return what an act records of how the second review stood."""
    return {
        "sampled": len(review.sampled),
        "judged": review.overall.judged,
        "failed": review.overall.failed,
        "failing": {
            card: {"verdict": verdict, "digest": digest}
            for card, (verdict, digest) in review.failing.items()
        },
        "lock": review.lock,
    }


def _next_draw(
    ws: Workspace, study: Study, review: SecondReview, to: Decimal | None
) -> tuple[Decimal, Decimal, tuple[str, ...]]:
    """Return the share that is drawn next, the least share, and the groups that it adds."""
    section, before = study.second_review, review.share
    if to is not None and to <= before:
        raise CannotWiden(f"the sample is at {percent(before)} already; name a larger share")
    steps = section.steps if section is not None and to is None else ()
    for share in (to,) if to is not None else steps:
        if share <= before:
            continue
        at_least = _in_proportion(ws, study, share)
        planned = plan_cards(ws, sharing(study, share, at_least), study.rounds[0])
        if planned.sample is not None and planned.sample.new:
            return share, at_least, planned.sample.new
    asked = f"{percent(to)}" if to is not None else "a step of the study file"
    raise CannotWiden(f"no group is left that {asked} would add; name a larger share with --to")


def _in_proportion(ws: Workspace, study: Study, share: Decimal) -> Decimal:
    """Return the least share that stands to a share as it did at the start."""
    started = review_log(ws, study.study).course().started
    if started is None:
        return share
    ratio = Decimal(started.at_least) / Decimal(started.share)
    return (ratio * share).quantize(Decimal("0.0001")).normalize()


def check_second_reviews(ws: Workspace) -> None:
    """Raise ProblemsFound when a study file says other things than the record of its start."""
    problems: list[Problem] = []
    for name in list_studies(ws):
        try:
            study = load_study(ws, name)
        except ProblemsFound:
            continue  # told where studies are checked
        if study.second_review is not None:
            problems += _contradictions(ws, study, study.second_review)
    if problems:
        raise ProblemsFound(problems)


def _contradictions(ws: Workspace, study: Study, section: SecondReviewSpec) -> Iterable[Problem]:
    shown = ws.shown(ws.study_file(study.study))
    course = review_log(ws, study.study).course()
    started = course.started
    if started is None or study.sample is None:
        remedy = f"lay it with `reviewkit second-review start {study.study}`"
        yield Problem(f"{shown} second_review", "no start of it is on record", remedy)
        return
    (seat,) = study.rounds[0].passes
    draw = study.sample.draws[0]
    beside = {
        "second_review.of": (section.of, started.of),
        "second_review.bound": (percent(section.bound), percent(started.bound)),
        "sample.seed": (study.sample.seed, started.seed),
        "rounds passes rater": (seat.rater, started.rater),
        "groups": (study.groups, started.population),
    }
    # a widening that was cut off is no contradiction: the next command carries it out
    if draw.share not in course.shares[-2:]:
        beside["sample.draws share"] = (percent(draw.share or "0"), percent(course.shares[-1]))
    for place, (says, recorded) in beside.items():
        if says != recorded:
            listed = isinstance(says, tuple)
            wrong = "is not" if listed else f"says {says}, and {recorded} is"
            remedy = "put it back; the share is changed by `reviewkit second-review widen` alone"
            yield Problem(f"{shown} {place}", f"{wrong} on record", remedy)
