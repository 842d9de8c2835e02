"""Where second reviews stand: how far they are, and after the lock what failed in which stratum.

A verdict of a second review counts once its pass was locked, and until the pass is locked again.
The share that is held against the bound is about the groups as they were drawn: a group that was
mended and judged again stays counted as it was first judged, or mending the sample would speak for
groups that nobody looked at twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from reviewkit.agreement.measures.estimates import Interval
from reviewkit.agreement.measures.wilson import wilson
from reviewkit.bank import Bank
from reviewkit.decisions import Record, effective_judgements, pass_state
from reviewkit.study import PassProgress, Study, list_studies, load_study
from reviewkit.study.board import pass_records, progress_of
from reviewkit.study.dealing import card_book
from reviewkit.study.second_review import (
    Course,
    Outcome,
    SecondReviewLog,
    percent,
    strata_of,
)
from reviewkit.workspace import Workspace

FailVerdict = Literal["needs_fix", "rejected"]
FAILING: Mapping[str, FailVerdict] = {"needs_fix": "needs_fix", "rejected": "rejected"}
LEFT_THE_BANK = ("left the bank",)
"""The stratum of groups that were judged and then retired."""


@dataclass(frozen=True, slots=True)
class StratumShare:
    """What failed in one stratum, or in all."""

    stratum: tuple[str, ...]
    """Test type, domain and band; empty for all."""
    population: int
    sampled: int
    judged: int
    failed: int

    @property
    def name(self) -> str:
        """The stratum as people read it."""
        return " / ".join(each for each in self.stratum if each) or "all"

    @property
    def share(self) -> float | None:
        """Which share of the judged groups failed; None when none was judged."""
        return self.failed / self.judged if self.judged else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % Wilson interval of the share; it takes the groups as exchangeable."""
        return wilson(self.failed, self.judged)


@dataclass(frozen=True, slots=True)
class SecondReview:
    """One second review as it stands now; nothing of its verdicts before its first lock."""

    study: str
    of: str
    """The study whose accepted groups are judged again."""
    rater: str
    progress: PassProgress
    population: tuple[str, ...]
    """Every group that may be drawn."""
    sampled: tuple[str, ...]
    """Every group that was drawn, those that left the bank since included."""
    open: tuple[str, ...]
    """Drawn groups of the bank that are neither judged nor skipped."""
    skipped: tuple[str, ...]
    gone: tuple[str, ...]
    """Drawn groups that left the bank before they were judged: nobody waits for them."""
    judged: int
    """Drawn groups with a verdict."""
    locked: bool
    """Whether the lock is in force."""
    lock: str
    """The digest of the record of the latest lock, lifted or not; empty before the first one."""
    withdrawn: bool
    """Whether consent was withdrawn: then no verdict of it counts."""
    failing: Mapping[str, tuple[FailVerdict, str]]
    """Group -> verdict and the digest it is of, under the latest lock. Empty before the first lock.
    It stays while a lock is lifted for a widening: the lead has read it, and the groups are with
    their authors. A verdict on a digest that a group no longer has is about an earlier text."""
    changed: tuple[str, ...]
    """Groups that were edited since the verdict under the latest lock."""
    failed_first: tuple[str, ...]
    """The groups that failed when they were first judged: what the bound is about."""
    overall: StratumShare
    strata: tuple[StratumShare, ...]
    """Empty before the first lock."""
    share: Decimal
    """Which share of the population is to be drawn now."""
    bound: Decimal
    next_share: Decimal | None
    """The next step of a widening; None when the last one was taken."""
    must_widen: bool
    """Whether more failed than the bound allows, and there are groups that were not drawn."""
    unfinished: str
    """What a crash left half done, in a sentence; empty when nothing."""
    outcome: Outcome | None
    """How it was closed; None while it is open, and again when the lock was lifted since."""
    closed_on: str
    """The day of the closing, or an empty text."""
    widened: int
    """How many times it was widened."""

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is awaited of it."""
        return self.outcome is not None

    @property
    def counts(self) -> bool:
        """Whether it is a second review that was carried through: closed, and not void."""
        return self.outcome not in (None, "void") and not self.withdrawn

    @property
    def share_failing(self) -> float | None:
        """Which share of the judged groups failed at first; None before the first lock."""
        return self.overall.share if self.lock else None

    @property
    def said(self) -> str:
        """Where it stands, in a sentence; no verdict before the first lock."""
        if self.outcome == "void" or self.withdrawn:
            why = "consent was withdrawn" if self.withdrawn else "it was declared void"
            end = "" if self.is_closed else "; close it and start another with another reviewer"
            return f"{why}: nothing of it counts{end}"
        if not self.lock:
            waiting = f"{len(self.open)} open" if self.open else "not locked yet"
            return f"{self.judged} of {len(self.sampled)} groups judged, {waiting}"
        figure = bound_sentence(self)
        if self.is_closed:
            return f"closed on {self.closed_on}: {figure}"
        if self.must_widen:
            return f"{figure}: widen it with `reviewkit second-review widen {self.study}`"
        if not self.locked:
            return f"{figure}; the lock is lifted and {len(self.open)} groups are open"
        whole = ", and every group was drawn" if passes(self.overall, self.bound) else ""
        return f"{figure}{whole}: close it with `reviewkit second-review close {self.study}`"


def bound_sentence(review: SecondReview) -> str:
    """Return the failing share beside the bound: ``2 of 10 groups failed (20%, ...)``."""
    overall, bound = review.overall, percent(review.bound)
    share, interval = overall.share, overall.interval
    if share is None or interval is None:
        return "every group was skipped and none is judged"
    verb = "passes" if passes(overall, review.bound) else "does not pass"
    return (
        f"{overall.failed} of {overall.judged} judged groups failed ({share:.0%}, 95% interval"
        f" {interval.low:.0%} to {interval.high:.0%}), which {verb} the bound of {bound}"
    )


def passes(overall: StratumShare, bound: Decimal) -> bool:
    """Return whether a larger share failed than the bound allows, in exact numbers."""
    return bool(overall.judged) and Fraction(overall.failed, overall.judged) > Fraction(bound)


def second_reviews(ws: Workspace, bank: Bank) -> tuple[SecondReview, ...]:
    """Return every second review of the project folder, by name.

    Raises ProblemsFound when a study is at fault, LedgerBroken when a ledger or a record is.
    """
    studies = (load_study(ws, name) for name in list_studies(ws))
    return tuple(
        second_review_of(ws, bank, study) for study in studies if study.second_review is not None
    )


def review_log(ws: Workspace, name: str) -> SecondReviewLog:
    """Return the record of a second review."""
    path = ws.second_review_log(name)
    return SecondReviewLog(path, ws.shown(path), name)


def second_review_of(ws: Workspace, bank: Bank, study: Study) -> SecondReview:
    """Return where one second review stands; the study must be one."""
    section, sample = study.second_review, study.sample
    if section is None or sample is None or study.groups == "all":
        raise AssertionError(f"{study.study} is no second review; its study file sees to it")
    round_ = study.rounds[0]
    (seat,) = round_.passes
    records = pass_records(ws, study, seat)
    state = pass_state(records)
    now = effective_judgements(records)
    sampled = card_book(ws, study).study_ids()
    digests = {group.template_id: group.digest for group in bank.groups}
    skips = {card for card, record in now.items() if record.kind == "skip"}
    course = review_log(ws, study.study).course()
    closed = course.closed
    void = closed is not None and closed.outcome == "void"
    sealed, first = _sealed([] if void else records)
    lock = _latest_lock(records)
    drawn = set(sampled)
    failing: dict[str, tuple[FailVerdict, str]] = {
        card: (FAILING[str(record.verdict)], str(record.card_digest))
        for card, record in sealed.items()
        if record.verdict in FAILING and card in drawn
    }
    strata, overall = _shares(study.groups, sampled, first, strata_of(study.groups, bank))
    draw = sample.draws[0]
    # a study file that was changed since the start does not move the bound
    bound = Decimal(course.started.bound) if course.started else section.bound
    share = course.shares[-1] if course.shares else draw.share or Decimal(0)
    left = [each for each in study.groups if each in digests and each not in drawn]
    locked = state.lock is not None and state.withdrawal is None
    there = [each for each in sampled if each in digests]
    if closed is not None and not void and closed.lock != (state.lock and lock):
        closed = None
    waiting = tuple(each for each in there if each not in now)
    return SecondReview(
        study=study.study,
        of=section.of,
        rater=seat.rater,
        progress=progress_of(round_, seat, there, records),
        population=study.groups,
        sampled=sampled,
        open=waiting,
        skipped=tuple(each for each in sampled if each in skips),
        gone=tuple(each for each in sampled if each not in digests and each not in now),
        judged=sum(each in now and each not in skips for each in sampled),
        locked=locked,
        lock=lock,
        withdrawn=state.withdrawal is not None,
        failing=failing,
        changed=tuple(
            card for card, record in sealed.items()
            if card in digests and record.card_digest != digests[card]
        ),
        failed_first=tuple(card for card in sampled if _failed(first.get(card))),
        overall=overall,
        strata=strata if lock else (),
        share=share,
        bound=bound,
        next_share=next((each for each in section.steps if each > share), None),
        must_widen=locked and closed is None and bool(left) and passes(overall, bound),
        unfinished=_unfinished(
            study.study, course, draw.share, there, [*digests], locked and bool(waiting)
        ),
        outcome=closed.outcome if closed else None,
        closed_on=closed.time[:10] if closed else "",
        widened=len(course.widened),
    )  # fmt: skip


def _unfinished(
    name: str, course: Course, share: Decimal | None, drawn: Collection[str],
    bank: Collection[str], shut_out: bool,
) -> str:  # fmt: skip
    """Return what is recorded and not done, or nothing; ``shut_out``: open cards under a lock."""
    if course.started is None or course.latest is None:
        return f"no `reviewkit second-review start {name}` is recorded: start it with that command"
    lacks = {*course.latest.new} & {*bank} - {*drawn}
    if share != course.shares[-1] or lacks or shut_out:
        return (
            "what was recorded is not all done, since a command was cut off:"
            f" `reviewkit second-review widen {name}` goes on where it stopped"
        )
    return ""


def _latest_lock(records: Iterable[Record]) -> str:
    return next((each.digest for each in reversed([*records]) if each.kind == "lock"), "")


def _sealed(records: Sequence[Record]) -> tuple[dict[str, Record], dict[str, Record]]:
    """Return what was decided under the latest lock, and what stands of the first judgements.

    The first judgement of a group is the one on the content that a lock first sealed; a later
    verdict on that same content, as after a slip, takes its place, one on other content does not.
    """
    sealed: dict[str, Record] = {}
    first: dict[str, Record] = {}
    for at, record in enumerate(records, start=1):
        if record.kind != "lock":
            continue
        judged = effective_judgements(records[:at])
        sealed = {card: each for card, each in judged.items() if each.kind == "decision"}
        for card, each in judged.items():
            if card in first and first[card].card_digest != each.card_digest:
                continue
            if each.kind == "decision":
                first[card] = each
            else:
                # skipped on that very content: the verdict was taken back
                first.pop(card, None)
    if pass_state(records).withdrawal is not None:
        return {}, {}
    return sealed, first


def _failed(record: Record | None) -> bool:
    return record is not None and record.verdict in FAILING


def _shares(
    population: Sequence[str],
    sampled: Sequence[str],
    first: Mapping[str, Record],
    strata: Mapping[str, tuple[str, ...]],
) -> tuple[tuple[StratumShare, ...], StratumShare]:
    """Return what failed per stratum, sorted, and in all."""

    def count(stratum: tuple[str, ...], every: Sequence[str], drawn: Sequence[str]) -> StratumShare:
        judged = [first[each] for each in drawn if each in first]
        return StratumShare(stratum, len(every), len(drawn), len(judged), sum(map(_failed, judged)))

    places = {each: strata.get(each, LEFT_THE_BANK) for each in population}
    names = sorted(set(places.values()))
    by_stratum = tuple(
        count(
            name,
            [each for each in population if places[each] == name],
            [each for each in sampled if places.get(each, LEFT_THE_BANK) == name],
        )
        for name in names
    )
    return by_stratum, count((), population, sampled)
