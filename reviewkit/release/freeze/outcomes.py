"""What other parts of the apparatus came to, as a certificate tells it."""

from __future__ import annotations

from collections.abc import Collection

from reviewkit.agreement.reporting.blocks import share
from reviewkit.authoring.second_review import SecondReview
from reviewkit.bank import Bank
from reviewkit.decisions import FIRST
from reviewkit.release.freeze.agreements import agreements_between
from reviewkit.release.freeze.certificate import (
    Agreement,
    GuideEdition,
    LayersDrawn,
    RulingsTip,
    SecondReviewOutcome,
)
from reviewkit.release.guard import Outside
from reviewkit.release.layers import layers_of
from reviewkit.rulings import RulingsLog
from reviewkit.rulings.guides import editions, folded_in
from reviewkit.study import load_study
from reviewkit.study.second_review import percent
from reviewkit.workspace import Workspace


def second_outcomes(reviews: Collection[SecondReview]) -> tuple[SecondReviewOutcome, ...]:
    """Return what every second review came to, those that count for nothing included."""
    return tuple(
        SecondReviewOutcome(
            study=each.study,
            of=each.of,
            population=len(each.population),
            sampled=len(each.sampled),
            judged=each.judged,
            failed_first=len(each.failed_first),
            share_failing=share(each.overall.failed, each.overall.judged),
            bound=percent(each.bound),
            widened=each.widened,
            outcome=each.outcome or "",
            closed_on=each.closed_on,
            counts=each.counts,
        )
        for each in reviews
    )


def second_agreements(
    ws: Workspace, reviews: Collection[SecondReview], outside: Outside
) -> tuple[Agreement, ...]:
    """Return how every second review that counts agrees with the first, on what was drawn."""
    return tuple(
        agreement
        for each in reviews
        if each.counts
        for agreement in agreements_between(
            ws, load_study(ws, each.of), load_study(ws, each.study), each.sampled, outside
        )
    )


def layers_drawn(ws: Workspace, bank: Bank) -> LayersDrawn | None:
    """Return which part of the bank is sealed, None when nothing was drawn."""
    found = layers_of(ws, bank)
    if not found.draws:
        return None
    return LayersDrawn(
        seed=found.seed,
        share_asked=found.share,
        sealed_groups=len(found.sealed),
        public_groups=len(found.public),
        undrawn_groups=len(found.undrawn),
        sealed_items=found.sealed_items,
        items=found.items,
    )


def guide_edition(ws: Workspace) -> GuideEdition | None:
    """Return the edition of the guide that stands, None when there is none."""
    published = editions(ws)
    if not published:
        return None
    last = published[-1]
    return GuideEdition(edition=last.number, digest=last.digest, time=last.time)


def rulings_tip(ws: Workspace) -> RulingsTip:
    """Return how far the log of rulings has come, and what of it no edition holds."""
    filed = RulingsLog.of(ws).all()
    # what was superseded before an edition took it up will never stand in one
    settled = {*folded_in(ws), *(each.supersedes for each in filed)}
    return RulingsTip(
        rulings=len(filed),
        tip=filed[-1].digest if filed else FIRST,
        not_folded_in=tuple(each.number for each in filed if each.number not in settled),
    )
