"""``reviewkit second-review``: a stratified sample judged again, blind to the first review."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Annotated, Any

import typer

from reviewkit.authoring.second_review import SecondReview, StratumShare
from reviewkit.authoring.second_review_acts import (
    Drawn,
    close_second_review,
    find_second_review,
    widen_second_review,
)
from reviewkit.authoring.second_review_start import AT_LEAST, BOUND, SHARE, start_second_review
from reviewkit.bank import read_bank
from reviewkit.cli.printing import print_json, print_table, short_time
from reviewkit.cli.study import AsJson
from reviewkit.study.sample_spec import as_share
from reviewkit.study.second_review import as_bound, percent
from reviewkit.workspace import find_workspace

Name = Annotated[str, typer.Argument(help="Name of the second review.")]
SomeName = Annotated[
    str | None, typer.Argument(help="The second review; not needed when there is one.")
]
By = Annotated[str, typer.Option("--name", help="Who does it; it is recorded.")]

second_review = typer.Typer(
    help="A stratified sample of accepted groups, judged again by somebody else, blind.",
    no_args_is_help=True,
)


def _share(text: str) -> Decimal:
    try:
        return as_share(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _bound(text: str) -> Decimal:
    try:
        return as_bound(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


@second_review.command()
def start(
    name: Name,
    rater: Annotated[str, typer.Option("--rater", help="Who judges; not the primary rater.")],
    seed: Annotated[int, typer.Option(help="Seed of the draw.")],
    bound: Annotated[
        Decimal, typer.Option(parser=_bound, help="Widen when a larger share fails.")
    ] = BOUND,
    share: Annotated[
        Decimal, typer.Option(parser=_share, help="Draw at most this share of the groups.")
    ] = SHARE,
    at_least: Annotated[
        Decimal, typer.Option(parser=_share, help="Draw at least this share of the groups.")
    ] = AT_LEAST,
    without: Annotated[
        list[str] | None,
        typer.Option("--except", help="An earlier second review, whose groups are left out."),
    ] = None,
    author: By = "lead",
    as_json: AsJson = False,
) -> None:
    """Lay the study file, draw the sample from the groups that stand accepted, record both."""
    drawn = start_second_review(
        find_workspace(), name, rater, seed, bound=bound, share=share, at_least=at_least,
        without=without or (), author=author,
    )  # fmt: skip
    review = drawn.review
    if as_json:
        print_json({"new": list(drawn.new), "not_met": list(drawn.said), **_as_json(review)})
        return
    typer.echo(
        f"drew {_drawn(review)} accepted groups of study {review.of}; {rater} judges them, blind to"
        " the first review"
    )
    _say_not_met(drawn)
    typer.echo(f"next: `reviewkit serve {name} --new-links` makes the link for {rater}")


@second_review.command()
def status(name: SomeName = None, as_json: AsJson = False) -> None:
    """Show how far it is, and after the lock what failed; no verdict before."""
    ws = find_workspace()
    review = find_second_review(ws, read_bank(ws)[0], name)
    if as_json:
        print_json(_as_json(review))
        return
    each = review.progress
    typer.echo(
        f"second review {review.study} of study {review.of}: {_drawn(review)}"
        f" groups drawn (up to {percent(review.share)} are to be)"
    )
    last = f", last act {short_time(each.last)}" if each.last else ""
    typer.echo(
        f"{review.rater}: {each.decided} of {each.total} judged, {each.skipped} skipped,"
        f" {each.open} open, {each.state.replace('_', ' ')}{last}"
    )
    if review.strata:
        _print_strata(review)
    for card, (verdict, _digest) in review.failing.items():
        edited = ", edited since" if card in review.changed else ""
        typer.echo(f"failing: {card} {verdict.replace('_', ' ')}{edited}")
    for sentence in _notices(review):
        typer.echo(sentence)
    typer.echo(review.said)


@second_review.command()
def widen(
    name: SomeName = None,
    to: Annotated[
        Decimal | None,
        typer.Option(parser=_share, help="The share to draw; the next step when not given."),
    ] = None,
    anyway: Annotated[
        str, typer.Option("--anyway", help="Why, when the failing share does not ask for it.")
    ] = "",
    author: By = "lead",
    as_json: AsJson = False,
) -> None:
    """Draw more groups; all that were drawn stay, and a lock is lifted for the new ones."""
    ws = find_workspace()
    review = find_second_review(ws, read_bank(ws)[0], name)
    drawn = widen_second_review(ws, review.study, to=to, anyway=anyway, author=author)
    if as_json:
        print_json({"new": list(drawn.new), "not_met": list(drawn.said), **_as_json(drawn.review)})
        return
    now = drawn.review
    if review.unfinished:
        typer.echo("an earlier command was cut off; what it recorded is done now, nothing else")
    typer.echo(
        f"drew {len(drawn.new)} more groups, {_drawn(now)} in all"
        f" (up to {percent(now.share)} are to be)"
    )
    _say_not_met(drawn)
    if review.locked and not now.locked:
        typer.echo(f"the lock was lifted: {now.rater} goes on with {len(now.open)} groups")


@second_review.command()
def close(
    name: SomeName = None,
    void: Annotated[
        str, typer.Option("--void", help="Why nothing of it counts; refused after its lock.")
    ] = "",
    author: By = "lead",
    as_json: AsJson = False,
) -> None:
    """Record the end with its outcome; refused while something is awaited of it."""
    ws = find_workspace()
    review = find_second_review(ws, read_bank(ws)[0], name)
    closed = close_second_review(ws, review.study, void=void, author=author)
    if as_json:
        print_json(_as_json(closed))
        return
    typer.echo(closed.said)
    if closed.failing:
        typer.echo(f"with their authors: {', '.join(closed.failing)}")


def _drawn(review: SecondReview) -> str:
    """Return how many groups are drawn, out of how many, and what share of all that is."""
    drawn, every = len(review.sampled), len(review.population)
    return f"{drawn} of {every} ({drawn / every:.1%})"


def _say_not_met(drawn: Drawn) -> None:
    for sentence in drawn.said:
        typer.echo(sentence)


def _print_strata(review: SecondReview) -> None:
    print_table(
        ("stratum", "groups", "drawn", "judged", "failed", "share", "95% interval"),
        [_row(each) for each in (*review.strata, review.overall)],
    )


def _row(each: StratumShare) -> tuple[str, ...]:
    share, interval = each.share, each.interval
    return (
        each.name, str(each.population), str(each.sampled), str(each.judged), str(each.failed),
        "" if share is None else f"{share:.0%}",
        "" if interval is None else f"{interval.low:.0%} to {interval.high:.0%}",
    )  # fmt: skip


def _notices(review: SecondReview) -> list[str]:
    said: list[str] = []
    if review.unfinished:
        said.append(review.unfinished)
    if review.gone:
        said.append(f"left the bank before they were judged: {', '.join(review.gone)}")
    if review.lock and review.skipped:
        said.append(f"skipped, and in no figure: {', '.join(review.skipped)}")
    again = [each for each in review.failed_first if each not in review.failing]
    if again:
        said.append(
            f"counted as failed, since they failed at first, and mended: {', '.join(again)}"
        )
    return said


def _as_json(review: SecondReview) -> dict[str, Any]:
    """Return the fields as a script reads them; nothing of a verdict before the first lock."""
    return {
        "study": review.study, "of": review.of, "rater": review.rater,
        "population": len(review.population), "sampled": list(review.sampled),
        "share": str(review.share), "bound": str(review.bound), "widened": review.widened,
        "progress": review.progress.as_json(), "open": list(review.open),
        "skipped": list(review.skipped), "gone": list(review.gone),
        "locked": review.locked, "withdrawn": review.withdrawn,
        "failing": {
            card: {"verdict": verdict, "digest": digest}
            for card, (verdict, digest) in review.failing.items()
        },
        "changed": list(review.changed), "failed_first": list(review.failed_first),
        "overall": _stratum(review.overall) if review.lock else None,
        "strata": [_stratum(each) for each in review.strata],
        "must_widen": review.must_widen,
        "next_share": None if review.next_share is None else str(review.next_share),
        "closed_on": review.closed_on, "outcome": review.outcome, "unfinished": review.unfinished,
        "said": review.said,
    }  # fmt: skip


def _stratum(each: StratumShare) -> dict[str, Any]:
    interval = each.interval
    return {
        **asdict(each), "share": each.share,
        "low": interval.low if interval else None, "high": interval.high if interval else None,
    }  # fmt: skip
